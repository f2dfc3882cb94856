import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { errorsOf } from '../http/operation.ts';
import { Id, Time } from '../http/schemas.ts';
import { changePassword, login } from './login.ts';
import { deleteSession, type User } from './store.ts';

const UserResource = z
  .object({ id: Id, email: z.string(), name: z.string(), created_at: Time })
  .meta({ id: 'User' });

const LoginBody = z.strictObject({ email: z.string().max(254), password: z.string().max(1024) });
const PasswordBody = z.strictObject({
  current_password: z.string().max(1024),
  new_password: z.string().min(8, 'must have at least 8 characters').max(1024),
});

export function authRoutes(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/auth/login',
    {
      config: { access: 'public', no_store: true },
      schema: {
        operationId: 'login',
        tags: ['auth'],
        summary: 'Log in',
        description: 'Checks e-mail and password of a dashboard user and gives a login token.',
        body: LoginBody,
        response: {
          200: envelopeSchema(200, z.object({ token: z.string(), user: UserResource })),
          ...errorsOf(400, 401, 429),
        },
      },
    },
    async (request, reply) => {
      const { token, user } = await login(deps, { ...request.body, ip: request.ip });
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
      await deleteSession(deps.db, request.login.session_id);
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
        description: 'The user of the login token.',
        response: { 200: envelopeSchema(200, UserResource), ...errorsOf(401) },
      },
    },
    async (request, reply) => reply.code(200).send(envelope(200, showUser(request.login.user))),
  );

  app.post(
    '/v1/auth/password',
    {
      config: { access: 'login' },
      schema: {
        operationId: 'changePassword',
        tags: ['auth'],
        summary: 'Change password',
        description: 'Replaces the password of the user. Every other session of the user ends.',
        body: PasswordBody,
        response: { 200: envelopeSchema(200, UserResource), ...errorsOf(400, 401, 429) },
      },
    },
    async (request, reply) => {
      const { user, session_id } = request.login;
      await changePassword(deps, { user, session_id, ip: request.ip, ...request.body });
      return reply.code(200).send(envelope(200, showUser(user)));
    },
  );
}

function showUser(user: User) {
  return { id: user.id, email: user.email, name: user.name, created_at: user.created_at.toISOString() };
}
