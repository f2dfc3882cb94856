import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { errorsOf } from '../http/operation.ts';
import { Id, Time } from '../http/schemas.ts';
import { createThrottle } from '../lib/throttle.ts';
import { createBrowserReader } from './browser-routes.ts';
import { deviceCookie } from './device-cookie.ts';
import { logOut } from './log-out.ts';
import { changePassword, forgetFailures, login } from './login.ts';
import { NewPassword } from './password-schema.ts';
import type { User } from './store.ts';
import { RoleName, ShownWalletIds } from './teams/rights-schema.ts';
import { findTeam } from './teams/team-store.ts';

const UserResource = z
  .object({ id: Id, email: z.string(), name: z.string(), created_at: Time })
  .meta({ id: 'User' });

const MeResource = UserResource.extend({
  role: RoleName,
  wallet_ids: ShownWalletIds,
  team: z.object({ name: z.string() }),
}).meta({ id: 'Me' });

const LoginBody = z.strictObject({ email: z.string().max(254), password: z.string().max(1024) });
const PasswordBody = z.strictObject({
  current_password: z.string().max(1024),
  new_password: NewPassword,
});

const FORGET_INTERVAL_MS = 60_000;

export function authRoutes(app: HttpApp, deps: Deps): void {
  const forgetDue = createThrottle(deps.clock, FORGET_INTERVAL_MS);
  const browserOf = createBrowserReader(deps);

  app.post(
    '/v1/auth/login',
    {
      config: { access: 'public', no_store: true },
      schema: {
        operationId: 'login',
        tags: ['auth'],
        summary: 'Log in',
        description:
          'Checks e-mail and password of a dashboard user and gives a login token. Sets a device cookie, by which the browser is known at the next login; it is no credential. After ten failed logins on an account the next attempt must wait, at most a minute: 429 `too_many_logins` with Retry-After. Failures of others do not delay a known browser; a program that keeps no cookie waits with everybody else.',
        body: LoginBody,
        response: {
          200: envelopeSchema(200, z.object({ token: z.string(), user: UserResource })),
          ...errorsOf(400, 401, 429),
        },
      },
    },
    async (request, reply) => {
      if (forgetDue()) await forgetFailures(deps);
      const { ip, secure, devices } = browserOf(request);
      const { token, user, ...known } = await login(deps, { ...request.body, ip, devices });
      reply.header('set-cookie', deviceCookie(known.devices, secure));
      return reply.code(200).send(envelope(200, { token, user: showUser(user) }));
    },
  );

  app.post(
    '/v1/auth/logout',
    {
      config: { access: 'login' },
      schema: {
        operationId: 'logout',
        tags: ['auth'],
        summary: 'Log out',
        description: 'Ends the session of the login token at once.',
        body: z.strictObject({}),
        response: { 200: envelopeSchema(200, z.object({})), ...errorsOf(401) },
      },
    },
    async (request, reply) => {
      await logOut(deps, request);
      return reply.code(200).send(envelope(200, {}));
    },
  );

  app.get(
    '/v1/auth/me',
    {
      config: { access: 'login' },
      schema: {
        operationId: 'getMe',
        tags: ['auth'],
        summary: 'Get current user',
        description: 'The user of the login token, their team, and what they may do in it.',
        response: { 200: envelopeSchema(200, MeResource), ...errorsOf(401) },
      },
    },
    async (request, reply) => {
      const { user, member } = request.login;
      const { role, wallet_ids, team_id } = member;
      const { name } = await findTeam(deps.reads, team_id);
      return reply.code(200).send(envelope(200, { ...showUser(user), role, wallet_ids, team: { name } }));
    },
  );

  app.post(
    '/v1/auth/password',
    {
      config: { access: 'login' },
      schema: {
        operationId: 'changePassword',
        tags: ['auth'],
        summary: 'Change password',
        description:
          'Replaces the password of the user. Every other session of the user ends, and no other browser is known any more. A new password that is common, or contains only the e-mail address or the name of this service, is refused with 400.',
        body: PasswordBody,
        response: { 200: envelopeSchema(200, UserResource), ...errorsOf(400, 401, 429) },
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
