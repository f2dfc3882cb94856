/**
 * The cookie that has the login token of a browser. No script can read it, and no other site can use it:
 *
 * | a request | the cookie |
 * |---|---|
 * | with `Authorization` | is ignored (callers/authenticate.ts) |
 * | of another site, or of another port of this host | does not count: `Sec-Fetch-Site`, else `Origin`, tells |
 * | that changes something, without `Teller-Browser` | does not count: only a script of this origin can set that header without being asked first |
 * | of a page that another user has opened | does not count: `Teller-User` names the user of the page |
 *
 * SameSite=Strict alone is not enough: it allows every port of the host, and sibling host names (OWASP, CSRF prevention).
 */

/** What a request says about the browser it comes from. `host`: of the Host header, with the port. */
export type BrowserHeaders = {
  method: string;
  host: string;
  site: string | undefined;
  origin: string | undefined;
  /** `Teller-Browser`: `active` when the person has used the page within the last minute, else `idle`. */
  browser: string | undefined;
};

const NAME = '__Host-teller-session';
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Strict';

/**
 * Returns the Set-Cookie header of a session. The cookie ends with the browser; the service ends the session. With `Secure` and
 * `__Host-` a browser keeps it from HTTPS and from the machine itself only, and from this very host.
 */
export function sessionCookie(host: string, token: string): string {
  return `${nameFor(host)}=${token}; ${ATTRIBUTES}`;
}

/** Returns the Set-Cookie header that makes a browser forget the token. */
export function endedSessionCookie(host: string): string {
  return `${nameFor(host)}=; Max-Age=0; ${ATTRIBUTES}`;
}

/** Reads the token in a Cookie header; null without one. */
export function readSessionToken(cookies: string | undefined, host: string): string | null {
  const name = `${nameFor(host)}=`;
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(name))?.slice(name.length) || null;
}

/** Returns why the cookie of a request does not count, as a sentence; null when it does. */
export function faultOfCookieUse({ method, host, site, origin, browser }: BrowserHeaders): string | null {
  if (!isSameOrigin({ host, site, origin })) return 'The cookie of a session counts on its own site only.';
  const changes = method !== 'GET' && method !== 'HEAD';
  if (changes && browser === undefined)
    return 'With the cookie of a session, send the header Teller-Browser.';
  return null;
}

/**
 * Returns true for a request from a page of this origin. `none`: somebody has typed the address. Browsers without `Sec-Fetch-Site`
 * send `Origin` with every change.
 */
function isSameOrigin({ host, site, origin }: Pick<BrowserHeaders, 'host' | 'site' | 'origin'>): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host.toLowerCase());
}

/**
 * Returns the name of the cookie, with the port of the host. A browser shows the cookies of one port of a host to every port: without
 * the port, two services would replace each other's.
 */
function nameFor(host: string): string {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port === undefined ? NAME : `${NAME}-${port}`;
}
