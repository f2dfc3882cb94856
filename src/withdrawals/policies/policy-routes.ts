import { z } from 'zod';
import { decisionRoutes } from '../../approvals/decision-routes.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { Id } from '../../http/schemas.ts';
import { findPayees, type Payee } from '../../payees/payees.ts';
import { requireRow, type Wallet } from '../../wallets/access.ts';
import { PendingChangeResource, showChange } from './change-schema.ts';
import { approveChange, rejectChange } from './decide-change.ts';
import { NO_LIMITS } from './policies.ts';
import { changePolicy, readPolicy, revokeChange } from './policy-changes.ts';
import {
  type GivenPolicy,
  PolicyBody,
  PolicyResource,
  payeeIdsOf,
  showPolicy,
  targetFrom,
} from './policy-schema.ts';

const WalletParams = z.object({ id: Id });
const DELAY = 'Stricter limits apply at once; looser ones after the delay.';

export function policyRoutes(app: HttpApp, deps: Deps): void {
  readRoute(app, deps);
  changeRoutes(app, deps);
  revokeRoute(app, deps);
  decideRoutes(app, deps);
}

function readRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/policy',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'policies.get' },
      schema: {
        operationId: 'getPolicy',
        tags: ['withdrawals'],
        summary: 'Get policy',
        description: 'What the wallet may pay out now, and the pending changes.',
        params: WalletParams,
        response: { 200: envelopeSchema(PolicyResource) },
      },
    },
    async (request, reply) => {
      const policy = await readPolicy({ ...deps, db: deps.reads }, request.wallet.id);
      return reply.code(200).send(envelope(200, showPolicy(policy)));
    },
  );
}

function changeRoutes(app: HttpApp, deps: Deps): void {
  app.put(
    '/v1/wallets/:id/policy',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        errors: ['too_few_approvers'],
        client: 'policies.replace',
        examples: { body: { max_withdrawal_stroops: 1_000_000_000, max_rolling_24h_stroops: 5_000_000_000 } },
      },
      schema: {
        operationId: 'replacePolicy',
        tags: ['withdrawals'],
        summary: 'Replace policy',
        description: `A field that is absent is no limit. Without \`limits\`, the native asset alone can have limits. ${DELAY}`,
        params: WalletParams,
        body: PolicyBody,
        response: { 200: envelopeSchema(PolicyResource) },
      },
    },
    async (request, reply) => {
      const { body, wallet } = request;
      const policy = await changePolicy(deps, request, async (_, trx) =>
        targetFrom(body, NO_LIMITS, await payeesIn(trx, wallet, body)),
      );
      return reply.code(200).send(envelope(200, showPolicy(policy)));
    },
  );

  app.patch(
    '/v1/wallets/:id/policy',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        errors: ['too_few_approvers'],
        client: 'policies.change',
        examples: { body: { max_rolling_24h_stroops: 4_000_000_000 } },
      },
      schema: {
        operationId: 'changePolicy',
        tags: ['withdrawals'],
        summary: 'Change policy',
        description: `Changes these fields only; the others, and their pending changes, stay. \`limits\` is replaced as a whole list. ${DELAY}`,
        params: WalletParams,
        body: PolicyBody,
        response: { 200: envelopeSchema(PolicyResource) },
      },
    },
    async (request, reply) => {
      const { body, wallet } = request;
      const policy = await changePolicy(deps, request, async (target, trx) =>
        targetFrom(body, target, await payeesIn(trx, wallet, body)),
      );
      return reply.code(200).send(envelope(200, showPolicy(policy)));
    },
  );
}

/** Reads the payees that a body names, which nobody deletes before the end of the transaction: the team is locked. */
async function payeesIn(
  trx: Trx,
  { owner_id }: Wallet,
  { destinations }: GivenPolicy,
): Promise<Map<string, Payee>> {
  return findPayees(trx, owner_id, payeeIdsOf(destinations ?? []));
}

function revokeRoute(app: HttpApp, deps: Deps): void {
  app.delete(
    '/v1/wallets/:id/policy/pending/:change_id',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        errors: [],
        client: 'policies.revoke_change',
      },
      schema: {
        operationId: 'revokePolicyChange',
        tags: ['withdrawals'],
        summary: 'Revoke policy change',
        description: 'Revokes a pending change. 404 once the change is in force.',
        params: WalletParams.extend({ change_id: Id }),
        response: { 200: envelopeSchema(PendingChangeResource) },
      },
    },
    async (request, reply) => {
      const revoke = (id: string) => revokeChange(deps, request, id);
      const change = await requireRow('pending change', request.params.change_id, revoke);
      return reply.code(200).send(envelope(200, showChange(request.wallet.id, change)));
    },
  );
}

function decideRoutes(app: HttpApp, deps: Deps): void {
  decisionRoutes(app, deps, {
    path: '/v1/wallets/:id/policy/pending/:change_id',
    id_param: 'change_id',
    tag: 'withdrawals',
    resource: PendingChangeResource,
    is_shown_at_409: false,
    approve: {
      operationId: 'approvePolicyChange',
      summary: 'Approve policy change',
      description:
        'Approves a change that awaits approvals, of another member. With the last one it takes effect after its delay.',
      roles: 'approvers',
      errors: [],
      client: 'policies.approve_change',
      decide: async (id, decision) =>
        showChange(decision.by.wallet.id, await approveChange(deps, id, decision)),
    },
    reject: {
      operationId: 'rejectPolicyChange',
      summary: 'Reject policy change',
      description: 'Rejects a change that awaits approvals: it is gone.',
      roles: 'approvers',
      errors: [],
      client: 'policies.reject_change',
      decide: async (id, decision) =>
        showChange(decision.by.wallet.id, await rejectChange(deps, id, decision)),
    },
  });
}
