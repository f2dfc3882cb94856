import { z } from 'zod';
import { decisionRoutes } from '../../approvals/decision-routes.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
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

function decideRoutes(app: HttpApp, deps: Deps): void {
  decisionRoutes(app, deps, {
    path: '/v1/team/access-changes/:access_change_id',
    id_param: 'access_change_id',
    tag: 'team',
    resource: AccessChangeResource,
    is_shown_at_409: false,
    approve: {
      operationId: 'approveAccessChange',
      summary: 'Approve change of access',
      description:
        'Approves a change of another member. With the last approval its requester can carry it out within 24 hours: by the same ' +
        'request again.',
      roles: 'approvers',
      errors: [],
      client: 'team.approve_access_change',
      decide: async (id, decision) => showAccessChange(await approveAccessChange(deps, id, decision)),
    },
    reject: {
      operationId: 'rejectAccessChange',
      summary: 'Reject change of access, or take it back',
      description: 'Rejects a change of another member, or takes back one’s own: it is gone.',
      roles: 'requesters',
      errors: [],
      client: 'team.reject_access_change',
      decide: async (id, decision) => showAccessChange(await rejectAccessChange(deps, id, decision)),
    },
  });
}
