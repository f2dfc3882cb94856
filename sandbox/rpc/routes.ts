import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { StellarNode } from '../node.ts';
import { answer } from './dispatch.ts';
import { RpcError } from './errors.ts';

export type RpcRoutesOptions = {
  nodeOf(request: FastifyRequest): StellarNode;
  friendbot_url(): string;
  log: Log;
};

const TEXT = 'text/plain; charset=utf-8';

/** `/rpc`, which answers what is no JSON-RPC call as stellar-rpc's HTTP bridge does. */
export function registerRpc(server: FastifyInstance, { nodeOf, friendbot_url, log }: RpcRoutesOptions): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

    scope.post('/rpc', async (request, reply) => {
      if (!isJson(request)) return reply.code(415).type(TEXT).send('content-type must be application/json\n');
      try {
        const response = answer(`${request.body ?? ''}`, { node: nodeOf(request), friendbot_url }, log);
        return response === undefined ? reply.code(204).send() : reply.send(response);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return reply.code(500).type(TEXT).send(`[${error.code}] ${error.message}\n`);
      }
    });

    // Without this route, Horizon would answer 404.
    scope.route({
      method: ['GET', 'PUT', 'DELETE', 'PATCH'],
      url: '/rpc',
      handler: async (_request, reply) => reply.code(405).header('allow', 'POST').send(),
    });
  });
}

function isJson({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}
