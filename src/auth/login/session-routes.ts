import { z } from 'zod';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { Id, ListQuery, readPage, Time } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { endAllOthers, endOwnSession } from '../sessions/end-sessions.ts';
import { endedSessionCookie } from '../sessions/session-cookie.ts';
import { findOpenSession, type ListedSession, listSessions } from '../sessions/session-store.ts';
import { renewToken } from '../sessions/sessions.ts';

const SessionResource = z
  .object({
    id: Id,
    kind: z.enum(['browser', 'program']),
    device: z.string().nullable().meta({ description: 'The browser and its system, or the program' }),
    ip: z.string().nullable().meta({ description: 'Where the login came from' }),
    created_at: Time,
    last_used_at: Time.nullable().meta({ description: 'To the minute' }),
    expires_at: Time.meta({ description: 'The end, unless it is used or its token is renewed before' }),
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
  })
  .meta({ id: 'Session' });

const SessionParams = z.object({ session_id: Id });

export function sessionRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/auth/sessions',
    {
      config: { access: 'person', roles: 'everyone', errors: [], client: 'sessions.list' },
      schema: {
        operationId: 'listSessions',
        tags: ['auth'],
        summary: 'List sessions',
        description: 'Lists the open sessions of the user, newest first.',
        querystring: ListQuery,
        response: { 200: envelopeSchema(pageSchema(SessionResource)) },
      },
    },
    async (request, reply) => {
      const { user, session_id } = request.login;
      const now = deps.clock.now();
      const list = (page: PageRequest) =>
        deps.readInTurn(request.team_id, (db) => listSessions(db, user.id, { now, page }));
      const show = (session: ListedSession) => showSession(session, session_id);
      return reply.code(200).send(envelope(200, await readPage(request.query, 'ses', list, show)));
    },
  );

  app.get(
    '/v1/auth/sessions/:session_id',
    {
      config: { access: 'person', roles: 'everyone', errors: [], client: 'sessions.get' },
      schema: {
        operationId: 'getSession',
        tags: ['auth'],
        summary: 'Get session',
        description: 'An open session of the caller.',
        params: SessionParams,
        response: { 200: envelopeSchema(SessionResource) },
      },
    },
    async (request, reply) => {
      const { user, session_id } = request.login;
      const asked = { id: request.params.session_id, user_id: user.id };
      const session = await findOpenSession(deps.db, asked, deps.clock.now());
      if (!session) throw new AppError('not_found', 'There is no such open session of yours.');
      return reply.code(200).send(envelope(200, showSession(session, session_id)));
    },
  );

  app.delete(
    '/v1/auth/sessions/:session_id',
    {
      config: { access: 'person', roles: 'everyone', step_up: 'never', errors: [], client: 'sessions.end' },
      schema: {
        operationId: 'endSession',
        tags: ['auth'],
        summary: 'End session',
        description: 'Ends one session of the user at once. Its token is refused from then on.',
        params: SessionParams,
        body: z.strictObject({}),
        response: { 200: envelopeSchema(SessionResource) },
      },
    },
    async (request, reply) => {
      const { session_id, session } = request.login;
      const ended = await endOwnSession(deps, request, request.params.session_id);
      if (ended.id === session_id && session.kind === 'browser')
        reply.header('set-cookie', endedSessionCookie(request.host));
      return reply.code(200).send(envelope(200, showSession(ended, session_id)));
    },
  );

  app.delete(
    '/v1/auth/sessions',
    {
      config: {
        access: 'person',
        roles: 'everyone',
        step_up: 'never',
        errors: [],
        client: 'sessions.end_others',
      },
      schema: {
        operationId: 'endOtherSessions',
        tags: ['auth'],
        summary: 'End other sessions',
        description: 'Ends every session of the user but the one of this request, at once.',
        body: z.strictObject({}),
        response: { 200: envelopeSchema(z.object({ ended: z.int() })) },
      },
    },
    async (request, reply) =>
      reply.code(200).send(envelope(200, { ended: await endAllOthers(deps, request) })),
  );

  app.post(
    '/v1/auth/token/renew',
    {
      config: {
        access: 'person',
        roles: 'everyone',
        step_up: 'never',
        no_store: true,
        errors: [],
        client: 'auth.renew_token',
      },
      schema: {
        operationId: 'renewToken',
        tags: ['auth'],
        summary: 'Renew login token',
        description:
          'Gives a program a new login token of the same session. The old token stays valid until its own end, or until a minute after the ' +
          'new one is first used: a program that loses the answer renews again. A session cannot be renewed beyond `session_ends_at`: ' +
          'log in again then.',
        body: z.strictObject({}),
        response: {
          200: envelopeSchema(
            z.object({
              token: z.string(),
              expires_in: z.int().meta({ description: 'Seconds until the new token ends' }),
              session_ends_at: Time,
            }),
          ),
        },
      },
    },
    async (request, reply) => {
      const { session_ends_at, ...renewed } = await renewToken(deps, request.login, request.actor);
      const data = { ...renewed, session_ends_at: session_ends_at.toISOString() };
      return reply.code(200).send(envelope(200, data));
    },
  );
}

function showSession(
  { created_at, last_used_at, expires_at, ...session }: ListedSession,
  current_id: string,
) {
  return {
    ...session,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
    expires_at: expires_at.toISOString(),
    current: session.id === current_id,
  };
}
