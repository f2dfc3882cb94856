/** What a request tells about the browser or program that sent it. */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { clientOf } from '../../http/client-of.ts';
import { isLoopbackName } from '../../lib/host-or-block.ts';
import type { BrowserCredential } from '../callers/authenticate.ts';
import { faultOfCookieUse, readSessionToken } from '../sessions/session-cookie.ts';
import type { SessionClient } from '../sessions/sessions.ts';
import { readDeviceTokens } from './device-cookie.ts';
import { deviceName } from './device-name.ts';

const IGNORED_PROXY =
  'X-Forwarded-For of a proxy is ignored, so failed logins of all its clients count as those of one address. If the proxy is yours, name it in TRUSTED_PROXIES.';

/**
 * `secure`: whether the browser keeps a Secure cookie. `devices`: the device tokens that it sent. `client`: what would open a
 * session: a browser when it asks for a cookie by `Teller-Browser`.
 */
export type Browser = { ip: string; secure: boolean; devices: string[]; client: SessionClient };

/** Returns a function that reads the browser of a request. The function warns once of a proxy that is not trusted. */
export function createBrowserReader({
  config,
  log,
}: Pick<Deps, 'config' | 'log'>): (request: FastifyRequest) => Browser {
  let proxyIsReported = false;
  return (request) => {
    const { address, is_secure, ignored_proxy } = clientOf(request, config.trusted_proxies);
    if (ignored_proxy !== null && !proxyIsReported) {
      log.warn({ proxy: ignored_proxy }, IGNORED_PROXY);
      proxyIsReported = true;
    }
    const secure = is_secure || isLoopbackName(request.hostname);
    const { headers } = request;
    const kind = one(headers['teller-browser']) === undefined ? 'program' : 'browser';
    const client: SessionClient = { kind, device: deviceName(headers['user-agent']), ip: address };
    return { ip: address, secure, devices: readDeviceTokens(headers.cookie, secure), client };
  };
}

/** Reads the cookie of the session that a request carries, and the reason when it does not count; null without a cookie. */
export function browserCredential({ method, host, headers }: FastifyRequest): BrowserCredential | null {
  const token = readSessionToken(headers.cookie, host);
  if (token === null) return null;
  const { origin, 'sec-fetch-site': site, 'teller-browser': browser, 'teller-user': user_id } = headers;
  const fault = faultOfCookieUse({ method, host, site: one(site), origin, browser: one(browser) });
  return { token, fault, is_active: browser === 'active', user_id: one(user_id) };
}

/** Returns the value of a header. Node joins the values of a header that comes several times, so no value of ours is equal to that. */
function one(value: string | string[] | undefined): string | undefined {
  return [value ?? []].flat().join(', ') || undefined;
}
