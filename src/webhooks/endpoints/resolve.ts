import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { checkUrl, isAllowedAddress, isExemptHost, parseExemptions } from './public-url.ts';

/** All addresses of a name, IPv4 and IPv6; empty when there is no answer. */
export type Resolve = (hostname: string) => Promise<string[]>;

const REGISTRATION_WAIT_MS = 2_000;

/** The name server said that there is no such name, or no such record of it: an answer too. */
const NOTHING_THERE = new Set<string | undefined>(['ENOTFOUND', 'ENODATA']);

/**
 * Asks name servers by a resolver that `newResolver` makes. One knows the servers that the system had when it was made:
 * after a look-up that none of them answered, the next one is by a new one, for they may have changed.
 */
export function resolveWith(newResolver: () => Resolver): Resolve {
  let resolver = newResolver();
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const is_silent = answers.every(
      (answer) => answer.status === 'rejected' && !NOTHING_THERE.has(answer.reason.code),
    );
    if (is_silent) resolver = newResolver();
    // A family without an answer is usual; the addresses that did come are all judged.
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/**
 * Asks the name servers directly. The system's own lookup runs on four shared threads: a few names whose servers never
 * answer would hold them all, and with them every other delivery.
 */
export const resolveByDns: Resolve = resolveWith(() => new Resolver({ timeout: 2_000, tries: 2 }));

/**
 * Refuses a URL that is not public http(s). A name is resolved for at most 2 s; one without an answer passes, because
 * every connect checks again. @throws AppError `webhook_url_not_public`, whose message says why.
 */
export async function requirePublicUrl(
  deps: Pick<Deps, 'config' | 'clock'>,
  text: string,
  resolve: Resolve,
): Promise<void> {
  const exemptions = parseExemptions(deps.config.webhook_allowed_hosts);
  const checked = checkUrl(text, exemptions);
  if ('refused' in checked) throw notPublic(checked.refused);
  const { url } = checked;
  if (isExemptHost(url, exemptions) || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return;
  const addresses = await answerWithin(deps, resolve(url.hostname));
  if (!addresses.every((address) => isAllowedAddress(address, exemptions))) {
    throw notPublic('names a host whose address is not public');
  }
}

async function answerWithin(deps: Pick<Deps, 'clock'>, answer: Promise<string[]>): Promise<string[]> {
  const answered = new AbortController();
  const none = deps.clock.sleep(REGISTRATION_WAIT_MS, answered.signal).then((): string[] => []);
  try {
    return await Promise.race([answer, none]);
  } finally {
    answered.abort();
  }
}

function notPublic(reason: string): AppError {
  return new AppError('webhook_url_not_public', `The url must be a public http(s) URL: it ${reason}.`, {
    details: [{ path: '/url', message: reason }],
  });
}
