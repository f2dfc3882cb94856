/** How an operation that logs in hands over the token: to a browser as a cookie, to a program in the body. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { clientOf } from '../../http/client-of.ts';
import { actorOf, personCaller } from '../callers/authenticate.ts';
import { endReplaced } from '../sessions/end-sessions.ts';
import { readSessionToken, sessionCookie } from '../sessions/session-cookie.ts';
import { createSessionReader } from '../sessions/sessions.ts';
import { signAgain } from '../sessions/tokens.ts';
import { type Browser, browserCredential } from './browser-routes.ts';
import { deviceCookie } from './device-cookie.ts';

/** The headers of an operation that logs in. */
export const SignInHeaders = z.looseObject({
  'teller-browser': z
    .enum(['active', 'idle'])
    .optional()
    .meta({ description: 'Sent by the dashboard: the token comes as a cookie that no script can read' }),
});

/** The token in the data of a response. */
export const HandedOver = {
  token: z
    .string()
    .optional()
    .meta({ description: 'The login token. Absent only when `Teller-Browser` was sent' }),
};

/**
 * Signs the token in the cookie of an authenticated request again, when it was signed with the master key from before a rotation: the
 * browser gets the same token, signed with the new key. So its session goes on when the key before is taken away.
 */
export function renewCookie(
  { jwt_keys }: Pick<Deps, 'jwt_keys'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const token = readSessionToken(request.headers.cookie, request.host);
  const renewed = token && signAgain(jwt_keys, token);
  if (renewed) reply.header('set-cookie', sessionCookie(request.host, renewed));
}

type LoggedIn = { token: string; devices: string[] };

/**
 * Returns a function that hands over the token: to a browser as a cookie, to a program by returning it for the body of the response.
 * The function sets the cookie of the device for either. An answer to a browser must not repeat the token, because scripts can read
 * the body (ASVS 3.3.4). Signing in replaces the session that the browser had (ASVS 7.2.4).
 */
export function createHandOver(deps: Deps) {
  const readSession = createSessionReader(deps);
  const endSessionBefore = async (request: FastifyRequest) => {
    const before = browserCredential(request);
    if (!before || before.fault !== null) return;
    const login = await readSession({ token: before.token, kind: 'browser', is_use: false });
    if (!login) return;
    const { address } = clientOf(request, deps.config.trusted_proxies);
    const caller = personCaller(login);
    await endReplaced(deps, { login: caller, actor: actorOf(caller, address) });
  };
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { browser, token, devices }: LoggedIn & { browser: Browser },
  ): Promise<{ token?: string }> => {
    reply.header('set-cookie', deviceCookie(devices, browser.secure));
    if (browser.client.kind === 'program') return { token };
    await endSessionBefore(request);
    reply.header('set-cookie', sessionCookie(request.host, token));
    return {};
  };
}
