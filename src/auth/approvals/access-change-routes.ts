import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { errorsOf } from '../../http/operation.ts';
import { Id } from '../../http/schemas.ts';
import { AccessChangeResource, showAccessChange } from './access-change-schema.ts';
import { approveAccessChange, readAccessChange, rejectAccessChange } from './access-changes.ts';
import { DecisionBody } from './approval-schema.ts';
import { createDecisionNotes } from './note-refused.ts';

const Params = z.object({ access_change_id: Id });

export function accessChangeRoutes(app: HttpApp, deps: Deps): void {
  readRoute(app, deps);
  decideRoutes(app, deps);
}

function readRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/team/access-changes/:access_change_id',
    {
      config: { access: 'login' },
      schema: {
        operationId: 'getAccessChange',
        tags: ['team'],
        summary: 'Read change of access',
        description:
          'Reads a change of members, service users or API keys that awaits approvals, or has them. 404 once it is carried out, ' +
          'rejected or over. `GET /v1/approvals` lists all.',
        params: Params,
        response: { 200: envelopeSchema(AccessChangeResource), ...errorsOf(401, 404) },
      },
    },
    async (request, reply) => {
      const wanted = { id: request.params.access_change_id, now: deps.clock.now() };
      const { member } = request.login;
      const view = await deps.readInTurn(member.team_id, (db) => readAccessChange(db, member, wanted));
      if (!view) throw new AppError('not_found', 'There is no such change of access.');
      return reply.code(200).send(envelope(200, showAccessChange(view)));
    },
  );
}

const DECISIONS = {
  approve: {
    decision: 'approved',
    operationId: 'approveAccessChange',
    summary: 'Approve change of access',
    description:
      'Approves a change of another member. With the last approval its requester can carry it out within 24 hours: by the same ' +
      'request again.',
    decide: approveAccessChange,
  },
  reject: {
    decision: 'rejected',
    operationId: 'rejectAccessChange',
    summary: 'Reject change of access, or take it back',
    description: 'Rejects a change of another member, or takes back one’s own: it is gone.',
    decide: rejectAccessChange,
  },
} as const;

function decideRoutes(app: HttpApp, deps: Deps): void {
  const noted = createDecisionNotes(deps);
  for (const [verb, { decision, decide, ...words }] of Object.entries(DECISIONS))
    app.post(
      `/v1/team/access-changes/:access_change_id/${verb}`,
      {
        config: { access: 'login' },
        schema: {
          ...words,
          tags: ['team'],
          params: Params,
          body: DecisionBody,
          response: { 200: envelopeSchema(AccessChangeResource), ...errorsOf(400, 401, 403, 404, 409) },
        },
      },
      async (request, reply) => {
        const { order_hash, comment = null } = request.body;
        const decided = decide(deps, request.params.access_change_id, {
          ...{ by: request, decision, order_hash, comment },
        });
        const by = { actor: request.actor, team_id: request.login.member.team_id };
        const view = await noted(by, words.operationId, decided);
        return reply.code(200).send(envelope(200, showAccessChange(view)));
      },
    );
}
