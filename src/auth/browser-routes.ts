/** What a request tells about the browser that sent it. */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { clientOf } from '../http/client-of.ts';
import { isLoopbackName } from '../lib/host-or-block.ts';
import { readDeviceTokens } from './device-cookie.ts';

const IGNORED_PROXY =
  'X-Forwarded-For of a proxy is ignored, so failed logins of all its clients count as those of one address. If the proxy is yours, name it in TRUSTED_PROXIES.';

/** `secure`: whether the browser keeps a Secure cookie. `devices`: the device tokens that it sent. */
export type Browser = { ip: string; secure: boolean; devices: string[] };

/** The returned function reads the browser of a request. It warns once of a proxy that is not trusted. */
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
    return { ip: address, secure, devices: readDeviceTokens(request.headers.cookie, secure) };
  };
}
