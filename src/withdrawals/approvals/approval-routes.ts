import { z } from 'zod';
import { decisionRoutes } from '../../approvals/decision-routes.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { Id } from '../../http/schemas.ts';
import { requireRow } from '../../wallets/access.ts';
import { showWithdrawal, WithdrawalResource } from '../answers/schema.ts';
import { previewWithdrawal } from '../assess/preview.ts';
import { PreviewResource } from '../assess/preview-routes.ts';
import type { WithdrawalEngine } from '../engine/engine.ts';
import { findOfWallet } from '../engine/queries.ts';
import { POLICY_ERRORS } from '../policies/policy-rules.ts';
import { approveWithdrawal, rejectWithdrawal } from './decide-withdrawal.ts';
import { inboxRoutes } from './inbox-routes.ts';

const Params = z.object({ id: Id, withdrawal_id: Id });

export function approvalRoutes(app: HttpApp, deps: Deps, engine: WithdrawalEngine): void {
  decideRoutes(app, deps, engine);
  previewRoute(app, deps);
  inboxRoutes(app, deps);
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
