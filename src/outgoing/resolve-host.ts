import { Resolver } from 'node:dns/promises';

/** Gives all addresses of a name, IPv4 and IPv6; none when there is no answer. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Answers of name servers: there is no such name, or no such record. */
const NO_RECORD = new Set<string | undefined>(['ENOTFOUND', 'ENODATA']);

/**
 * Asks name servers by a resolver that `newResolver` makes. A resolver keeps the servers that the system had when it was
 * made. After a lookup that no server answered a new one is made, because the system's servers may have changed.
 */
export function resolveWith(newResolver: () => Resolver): Resolve {
  let resolver = newResolver();
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const is_silent = answers.every(
      (answer) => answer.status === 'rejected' && !NO_RECORD.has(answer.reason.code),
    );
    if (is_silent) resolver = newResolver();
    // Many names have addresses of one family only. Callers check every address that came.
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/**
 * Asks the name servers directly. The system's own lookup runs on four shared threads: a few names whose servers never
 * answer would block them all, and every other delivery.
 */
export const resolveByDns: Resolve = resolveWith(() => new Resolver({ timeout: 2_000, tries: 2 }));
