import { isIP } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { checkUrl, isAllowedAddress, isExemptHost, parseExemptions } from './public-url.ts';
import type { Resolve } from './resolve-host.ts';

const RESOLVE_WAIT_MS = 2_000;

/**
 * Checks a URL at registration. Its name is resolved for at most 2 s; a name without an answer passes, because every
 * connect checks again.
 * @throws AppError `webhook_url_not_public` with the reason, for a URL that is not public http(s).
 */
export async function requirePublicUrl(
  deps: { config: { webhook_allowed_hosts: string[] }; clock: Clock },
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

async function answerWithin(deps: { clock: Clock }, answer: Promise<string[]>): Promise<string[]> {
  const answered = new AbortController();
  const none = deps.clock.sleep(RESOLVE_WAIT_MS, answered.signal).then((): string[] => []);
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
