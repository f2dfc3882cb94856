import { z } from 'zod';
import { AccessChangeResource, showAccessChange } from '../../access/changes/access-change-schema.ts';
import { decisionRoutes } from '../../approvals/decision-routes.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { decodeCursor, Id, ListQuery, pageOf } from '../../http/schemas.ts';
import { requireRow } from '../../wallets/access.ts';
import { showWithdrawal, WithdrawalResource } from '../answers/schema.ts';
import { previewWithdrawal } from '../assess/preview.ts';
import { PreviewResource } from '../assess/preview-routes.ts';
import type { WithdrawalEngine } from '../engine/engine.ts';
import { findOfWallet } from '../engine/queries.ts';
import { PayoutResource, showPayout } from '../payouts/payout-schema.ts';
import { POLICY_ERRORS } from '../policies/policy-rules.ts';
import { PendingChangeResource, showChange } from '../policies/policy-schema.ts';
import { approveWithdrawal, rejectWithdrawal } from './decide-withdrawal.ts';
import { type Awaiting, listAwaiting } from './inbox.ts';

const Params = z.object({ id: Id, withdrawal_id: Id });

export function approvalRoutes(app: HttpApp, deps: Deps, engine: WithdrawalEngine): void {
  decideRoutes(app, deps, engine);
  previewRoute(app, deps);
  inboxRoute(app, deps);
}

function decideRoutes(app: HttpApp, deps: Deps, engine: WithdrawalEngine): void {
  decisionRoutes(app, deps, {
    path: '/v1/wallets/:id/withdrawals/:withdrawal_id',
    id_param: 'withdrawal_id',
    tag: 'withdrawals',
    resource: WithdrawalResource,
    is_shown_at_409: true,
    approve: {
      operationId: 'approveWithdrawal',
      summary: 'Approve withdrawal',
      description:
        'Approves a withdrawal of another member that awaits approvals. The last approval that is needed sends it: `status` is ' +
        '`pending` then. The policy as it is now must allow it. An approval counts only while its member may approve.',
      roles: 'approvers',
      errors: [...POLICY_ERRORS, 'ledger_not_caught_up'],
      client: 'withdrawals.approve',
      comment: 'Checked with the customer',
      decide: async (id, decision) => {
        const withdrawal = await approveWithdrawal(deps, id, decision);
        if (withdrawal.status === 'queued') engine.signSoon();
        return showWithdrawal(withdrawal);
      },
    },
    reject: {
      operationId: 'rejectWithdrawal',
      summary: 'Reject withdrawal',
      description:
        'Rejects a withdrawal of another member that awaits approvals, or takes back one’s own. It is `failed` with the code ' +
        '`rejected`; nothing was signed. One rejection is enough.',
      roles: 'reviewers', // its requester takes it back so; `checkDecision` refuses others without the right
      errors: ['ledger_not_caught_up'],
      client: 'withdrawals.reject',
      comment: 'Not ours',
      decide: async (id, decision) => showWithdrawal(await rejectWithdrawal(deps, id, decision)),
    },
  });
}

function previewRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/withdrawals/:withdrawal_id/preview',
    {
      config: {
        access: 'login',
        roles: 'reviewers',
        errors: ['network_unavailable', 'ambiguous_destination'],
        client: 'withdrawals.preview_approval',
      },
      schema: {
        operationId: 'previewApproval',
        tags: ['withdrawals'],
        summary: 'Preview approval',
        description:
          'What a withdrawal that awaits approvals would do now, from its stored order. Sends nothing and stores nothing.',
        params: Params,
        response: {
          200: envelopeSchema(PreviewResource),
        },
      },
    },
    async (request, reply) => {
      const { wallet } = request;
      const findAwaiting = async (id: string) => {
        const row = await findOfWallet(deps.db, wallet.id, id);
        return row?.status === 'awaiting_approval' ? row : undefined;
      };
      const row = await requireRow(
        'withdrawal that awaits approvals',
        request.params.withdrawal_id,
        findAwaiting,
      );
      // Whether the issuer may be paid was asked at the request.
      const order = { ...row, wallet, awaiting: row.id, allow_issuer: true };
      return reply.code(200).send(envelope(200, await previewWithdrawal(deps, order)));
    },
  );
}

const AwaitingResource = z
  .object({
    kind: z.enum(['withdrawal', 'payout', 'policy_change', 'access_change']),
    wallet_id: Id.nullable().meta({ description: 'Null for a change of members or service users' }),
    may_decide: z.boolean().meta({ description: 'Whether the caller may approve or reject it' }),
    factor_required: z.boolean().meta({
      description: 'Whether the caller may approve or reject it once they have added a second factor',
    }),
    withdrawal: WithdrawalResource.nullable().meta({ description: 'Null unless `kind` is `withdrawal`' }),
    payout: PayoutResource.nullable().meta({ description: 'Null unless `kind` is `payout`' }),
    change: PendingChangeResource.nullable().meta({ description: 'Null unless `kind` is `policy_change`' }),
    access_change: AccessChangeResource.nullable().meta({
      description: 'Null unless `kind` is `access_change`',
    }),
  })
  .meta({ id: 'AwaitingApproval' });

function inboxRoute(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/approvals',
    {
      config: { access: 'login', roles: 'everyone', errors: [], client: 'withdrawals.list_approvals' },
      schema: {
        operationId: 'listApprovals',
        tags: ['withdrawals'],
        summary: 'List what awaits approvals',
        description:
          'The withdrawals, payouts, changes of policies and changes of access that await approvals, of every wallet that the caller may ' +
          'use, newest first. A change of access stays in the list until its requester carries it out.',
        querystring: ListQuery,
        response: { 200: envelopeSchema(pageSchema(AwaitingResource)) },
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query;
      const page = { limit: limit + 1, before: decodeCursor(null, cursor) };
      const rows = await listAwaiting(deps, request.login, page);
      return reply.code(200).send(
        envelope(
          200,
          pageOf(rows, limit, ({ sort_key }) => sort_key, showAwaiting),
        ),
      );
    },
  );
}

function showAwaiting(item: Awaiting) {
  const { kind, wallet_id, may_decide, factor_required } = item;
  return {
    kind,
    wallet_id,
    may_decide,
    factor_required,
    withdrawal: item.kind === 'withdrawal' ? showWithdrawal(item.withdrawal) : null,
    payout: item.kind === 'payout' ? showPayout(item.payout, item.counted) : null,
    change: item.kind === 'policy_change' ? showChange(item.wallet_id, item.change) : null,
    access_change: item.kind === 'access_change' ? showAccessChange(item.access_change) : null,
  };
}
