import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { CHALLENGE } from '../../http/sample-values.ts';
import { Id, Time } from '../../http/schemas.ts';
import { createThrottle } from '../../lib/throttle.ts';
import { logOut } from '../callers/log-out.ts';
import { proveLogin } from '../factors/login-challenge.ts';
import { LoginChallenge, proofFields, readProof } from '../factors/schema.ts';
import { NewPassword } from '../passwords/password-schema.ts';
import { endedSessionCookie } from '../sessions/session-cookie.ts';
import { RoleName, ShownWalletIds } from '../teams/rights-schema.ts';
import { findTeam } from '../teams/team-store.ts';
import type { User } from '../users/user-store.ts';
import { createBrowserReader } from './browser-routes.ts';
import { deviceCookie } from './device-cookie.ts';
import { changePassword, forgetFailures, login, openLogin } from './login.ts';
import { sessionRoutes } from './session-routes.ts';
import { createHandOver, HandedOver, SignInHeaders } from './sign-in-routes.ts';

const UserResource = z
  .object({ id: Id, email: z.string(), name: z.string(), created_at: Time })
  .meta({ id: 'User' });

const MeResource = UserResource.extend({
  kind: z.enum(['user', 'service']),
  email: z.string().meta({ description: 'Empty for a service user' }),
  role: RoleName,
  wallet_ids: ShownWalletIds,
  team: z.object({ name: z.string() }),
}).meta({ id: 'Me' });

const LoggedIn = z.object({ ...HandedOver, user: UserResource }).meta({ id: 'LoggedIn' });

const LoginBody = z.strictObject({ email: z.string().max(254), password: z.string().max(1024) });
const PasswordBody = z.strictObject({
  current_password: z.string().max(1024),
  new_password: NewPassword,
});

const FORGET_INTERVAL_MS = 60_000;

export function authRoutes(app: HttpApp, deps: Deps): void {
  const forgetDue = createThrottle(deps.clock, FORGET_INTERVAL_MS);
  const browserOf = createBrowserReader(deps);
  const handOver = createHandOver(deps);
  sessionRoutes(app, deps);

  app.post(
    '/v1/auth/login',
    {
      config: {
        access: 'public',
        no_store: true,
        errors: ['wrong_credentials', 'too_many_logins', { code: 'second_factor_required', status: 401 }],
        client: 'auth.login',
      },
      schema: {
        operationId: 'login',
        tags: ['auth'],
        summary: 'Log in',
        description:
          'Checks e-mail and password of a dashboard user and gives a login token. Sets a device cookie, by which the browser is known at the next login; it is no credential. After ten failed logins on an account the next attempt must wait, at most a minute: 429 `too_many_logins` with Retry-After. Failures of others do not delay a known browser; a program that keeps no cookie waits with everybody else. For a user with a second factor: 401 `second_factor_required`, and `data` has a challenge for `POST /v1/auth/second-factor`.',
        headers: SignInHeaders,
        body: LoginBody,
        response: { 200: envelopeSchema(LoggedIn), 401: LoginChallenge },
      },
    },
    async (request, reply) => {
      if (forgetDue()) await forgetFailures(deps);
      const browser = browserOf(request);
      const { user, ...opened } = await login(deps, { ...request.body, ...browser });
      const handed = await handOver(request, reply, { browser, ...opened });
      return reply.code(200).send(envelope(200, { ...handed, user: showUser(user) }));
    },
  );

  app.post(
    '/v1/auth/second-factor',
    {
      config: {
        access: 'public',
        no_store: true,
        errors: ['second_factor_wrong', 'second_factor_stopped', 'challenge_ended', 'wrong_credentials'],
        client: 'auth.prove_second_factor',
        examples: { body: { challenge: CHALLENGE, totp: '492039' } },
      },
      schema: {
        operationId: 'proveSecondFactor',
        tags: ['auth'],
        summary: 'Log in: second factor',
        description:
          'Answers the challenge of a login, within five minutes, with one of `totp`, `passkey` and `recovery_code`. The answer is that of the login. After 100 failures in a row, codes of an authenticator app are refused: 403 `second_factor_stopped`.',
        headers: SignInHeaders,
        body: z.strictObject({ challenge: z.string().max(100), ...proofFields }),
        response: { 200: envelopeSchema(LoggedIn) },
      },
    },
    async (request, reply) => {
      const browser = browserOf(request);
      const { challenge, ...given } = request.body;
      const proven = await proveLogin(deps, { challenge, proof: readProof(given), ip: browser.ip });
      const { user, ...opened } = await openLogin(deps, proven, browser);
      const handed = await handOver(request, reply, { browser, ...opened });
      return reply.code(200).send(envelope(200, { ...handed, user: showUser(user) }));
    },
  );

  app.post(
    '/v1/auth/logout',
    {
      config: { access: 'login', roles: 'everyone', step_up: 'never', errors: [], client: 'auth.logout' },
      schema: {
        operationId: 'logout',
        tags: ['auth'],
        summary: 'Log out',
        description: 'Ends the session of the login token, or of the cookie, at once.',
        body: z.strictObject({}),
        response: { 200: envelopeSchema(z.object({})) },
      },
    },
    async (request, reply) => {
      await logOut(deps, request);
      if (request.login.session.kind === 'browser')
        reply.header('set-cookie', endedSessionCookie(request.host));
      return reply.code(200).send(envelope(200, {}));
    },
  );

  app.get(
    '/v1/auth/me',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'auth.me' },
      schema: {
        operationId: 'getMe',
        tags: ['auth'],
        summary: 'Get current user',
        description: 'The user or service user of the login token, the team, and what they may do in it.',
        response: { 200: envelopeSchema(MeResource) },
      },
    },
    async (request, reply) => {
      const { by, user, member } = request.login;
      const { role, wallet_ids, team_id } = member;
      const { name } = await findTeam(deps.reads, team_id);
      const who = { ...showUser(user), kind: by === 'user' ? ('user' as const) : ('service' as const) };
      return reply.code(200).send(envelope(200, { ...who, role, wallet_ids, team: { name } }));
    },
  );

  app.post(
    '/v1/auth/password',
    {
      config: {
        access: 'person',
        roles: 'everyone',
        step_up: 'own',
        errors: ['wrong_credentials', 'too_many_logins'],
        client: 'auth.change_password',
      },
      schema: {
        operationId: 'changePassword',
        tags: ['auth'],
        summary: 'Change password',
        description:
          'Replaces the password of the user. Every other session of the user ends, and no other browser is known any more. A new password that is common, or contains only the e-mail address or the name of this service, is refused with 400.',
        body: PasswordBody,
        response: { 200: envelopeSchema(UserResource) },
      },
    },
    async (request, reply) => {
      const { user, session_id, member } = request.login;
      const { secure, devices } = browserOf(request);
      const by = { user, session_id, team_id: member.team_id, actor: request.actor };
      const known = await changePassword(deps, { ...by, devices, ...request.body });
      reply.header('set-cookie', deviceCookie(known.devices, secure));
      return reply.code(200).send(envelope(200, showUser(user)));
    },
  );
}

function showUser(user: User) {
  return { id: user.id, email: user.email, name: user.name, created_at: user.created_at.toISOString() };
}
