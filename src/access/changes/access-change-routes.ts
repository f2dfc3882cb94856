import { z } from 'zod';
import { DECISION_ERRORS, DecisionBody } from '../../approvals/approval-schema.ts';
import { createDecisionNotes } from '../../approvals/note-refused.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { HASH } from '../../http/sample-values.ts';
import { Id } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { AccessChangeResource, showAccessChange } from './access-change-schema.ts';
import { approveAccessChange, readAccessChange, rejectAccessChange } from './access-changes.ts';

const Params = z.object({ access_change_id: Id });

export function accessChangeRoutes(app: HttpApp, deps: Deps): void {
  readRoute(app, deps);
  decideRoutes(app, deps);
}

function readRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/team/access-changes/:access_change_id',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'team.get_access_change' },
      schema: {
        operationId: 'getAccessChange',
        tags: ['team'],
        summary: 'Read change of access',
        description:
          'Reads a change of members, service users or API keys that awaits approvals, or has them. 404 once it is carried out, ' +
          'rejected or over. `GET /v1/approvals` lists all.',
        params: Params,
        response: { 200: envelopeSchema(AccessChangeResource) },
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
    config: {
      access: 'person',
      roles: 'approvers',
      step_up: 'always',
      errors: DECISION_ERRORS,
      client: 'team.approve_access_change',
      examples: { body: { order_hash: HASH } },
    },
    operationId: 'approveAccessChange',
    summary: 'Approve change of access',
    description:
      'Approves a change of another member. With the last approval its requester can carry it out within 24 hours: by the same ' +
      'request again.',
    decide: approveAccessChange,
  },
  reject: {
    decision: 'rejected',
    config: {
      access: 'person',
      roles: 'requesters',
      step_up: 'always',
      errors: DECISION_ERRORS,
      client: 'team.reject_access_change',
      examples: { body: { order_hash: HASH } },
    },
    operationId: 'rejectAccessChange',
    summary: 'Reject change of access, or take it back',
    description: 'Rejects a change of another member, or takes back one’s own: it is gone.',
    decide: rejectAccessChange,
  },
} as const;

function decideRoutes(app: HttpApp, deps: Deps): void {
  const noted = createDecisionNotes(deps);
  for (const [verb, { decision, decide, config, ...words }] of Object.entries(DECISIONS))
    app.post(
      `/v1/team/access-changes/:access_change_id/${verb}`,
      {
        config,
        schema: {
          ...words,
          tags: ['team'],
          params: Params,
          body: DecisionBody,
          response: { 200: envelopeSchema(AccessChangeResource) },
        },
      },
      async (request, reply) => {
        const { order_hash, comment = null } = request.body;
        const decided = decide(deps, request.params.access_change_id, {
          by: request,
          decision,
          order_hash,
          comment,
        });
        const by = { actor: request.actor, team_id: request.login.member.team_id };
        const view = await noted(by, words.operationId, decided);
        return reply.code(200).send(envelope(200, showAccessChange(view)));
      },
    );
}
