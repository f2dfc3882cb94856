/** What a request gets that no operation answers: 405 where the path has operations with other methods, else 404. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';

/**
 * Returns two functions. `note` must be called with every route. `refuse` answers a request without one. Pages for browsers take GET
 * of any path, so a route counts only where its path is written out.
 * Source: RFC 9110, 15.5.6: a 405 has the header Allow.
 */
export function createUnknownOperations() {
  const methodsOf = new Map<string, Set<string>>();
  return {
    note({ url, method }: { url: string; method: string | string[] }): void {
      if (url.includes('*')) return;
      const methods = methodsOf.get(url) ?? new Set();
      methodsOf.set(url, methods);
      for (const each of [method].flat()) methods.add(each);
    },

    /** @throws AppError `method_not_allowed`, `not_found` */
    refuse({ method, url }: FastifyRequest, reply: FastifyReply): never {
      const [path = ''] = url.split('?');
      const written_out = methodsOf.get(path);
      const found = [...methodsOf]
        .filter(([route]) => matches(route, path))
        .map(([, methods]) => [...methods]);
      const methods = written_out ? [...written_out] : [...new Set(found.flat())];
      const allow = methods.sort().join(', ');
      // A method that is there was not let in for another reason, like an id that is far too long.
      if (allow === '' || methods.includes(method))
        throw new AppError('not_found', `There is no operation ${method} ${path}.`);
      reply.header('allow', allow);
      throw new AppError('method_not_allowed', `${path} takes ${allow}, and not ${method}.`);
    },
  };
}

function matches(route: string, path: string): boolean {
  const [expected, given] = [route.split('/'), path.split('/')];
  return (
    expected.length === given.length &&
    expected.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  );
}
