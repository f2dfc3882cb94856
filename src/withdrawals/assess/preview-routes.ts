import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { CUSTOMER } from '../../http/sample-values.ts';
import { assetInResponse, Id, StroopsOrZero, SumOfStroops } from '../../http/schemas.ts';
import { payeeDeleted } from '../../payees/payees.ts';
import { payeeOf, readOrder, WithdrawBody } from '../answers/schema.ts';
import { ApprovalsCause } from '../policies/approval-rules-schema.ts';
import { previewWithdrawal } from './preview.ts';

const Problem = z.object({ code: z.string(), message: z.string() }).meta({ id: 'Problem' });

const ContractFee = z
  .object({
    declared_stroops: StroopsOrZero.meta({
      description: 'The most that it may become: all of it must be there when the transfer is sent',
    }),
    expected_stroops: StroopsOrZero.nullable().meta({
      description:
        'What is charged when the transfer succeeds; the rest comes back in the same ledger. Null while the network’s prices are unknown',
    }),
    kept_stroops: StroopsOrZero.nullable().meta({
      description:
        'What is charged in any case, also when the transfer fails. Null while the network’s prices are unknown',
    }),
  })
  .meta({ id: 'ContractFee' });

export const PreviewResource = z
  .object({
    operation: z
      .enum(['payment', 'create_account', 'contract_transfer'])
      .meta({ description: 'What it would be if it were signed now' }),
    destination_exists: z.boolean().meta({ description: 'Of a C… address: whether a contract is there' }),
    memo_required: z
      .boolean()
      .meta({ description: 'The destination takes no payment without a memo (SEP-29)' }),
    memo_satisfied: z.boolean().meta({ description: 'False when a memo is required and there is none' }),
    fee_stroops: StroopsOrZero.meta({
      description:
        'Estimate of what the wallet pays: what 9 of 10 recent transactions paid. Through a channel account it is twice that, or 0 where ' +
        'channels pay their fees. Of a contract transfer the whole fee that it declares, of which most comes back; 0 when it cannot be ' +
        'simulated, and when the treasury pays',
    }),
    fee_max_stroops: StroopsOrZero.meta({ description: 'The fee is never higher' }),
    contract_fee: ContractFee.nullable().meta({
      description:
        'The fee of a contract transfer, whoever pays it; null for other withdrawals, and when it cannot be simulated',
    }),
    fee_paid_by: z.enum(['wallet', 'treasury']).meta({
      description:
        '`treasury` where the operator pays the fees of all wallets; otherwise `wallet`, though a channel account may pay in its place',
    }),
    ...assetInResponse,
    balance_stroops: StroopsOrZero.meta({ description: 'What the wallet holds of the asset' }),
    reserve_stroops: StroopsOrZero.meta({
      description: 'What the account must keep for its ledger entries; of an issued asset 0',
    }),
    fee_available_stroops: StroopsOrZero.meta({
      description:
        'The native balance that can pay the fee: less reserve, liabilities and withdrawals in flight',
    }),
    room_stroops: StroopsOrZero.nullable().meta({
      description: 'How much more of an issued asset the destination can hold; null where there is no limit',
    }),
    available_stroops: StroopsOrZero.meta({
      description: 'Balance less reserve, liabilities and withdrawals in flight',
    }),
    balance_after_stroops: StroopsOrZero.nullable().meta({
      description: 'Estimate, withdrawals in flight counted as paid; null when there is a problem',
    }),
    would_send: z
      .boolean()
      .meta({ description: 'False when the withdrawal would be refused: nothing is sent then' }),
    approvals_required: z.int().meta({
      description: 'How many members must approve it before it is signed; 0 when it needs no approvals',
    }),
    approvals_cause: ApprovalsCause,
    unapproved_stroops: SumOfStroops.meta({
      description:
        'What the wallet has paid of the asset without approvals in the last 24 hours; 0 where the policy does not count it',
    }),
    problems: z.array(Problem).meta({
      description:
        'Why it would be refused (the error codes of a withdrawal), or why the network would fail it (op_…, tx_…: sent, and `failed`)',
    }),
  })
  .meta({ id: 'WithdrawalPreview' });

export function previewRoute(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/wallets/:id/withdraw/preview',
    {
      config: {
        access: 'login',
        roles: 'reviewers',
        step_up: 'never',
        errors: ['network_unavailable', 'ambiguous_destination', 'payee_deleted'],
        client: { method: 'withdrawals.preview', repeatable: true },
        examples: { body: { destination: CUSTOMER, amount_stroops: 25_000_000 } },
      },
      schema: {
        operationId: 'previewWithdrawal',
        tags: ['withdrawals'],
        summary: 'Preview withdrawal',
        description: 'What a withdrawal with this body would do now. Sends nothing and stores nothing.',
        params: z.object({ id: Id }),
        body: WithdrawBody,
        response: { 200: envelopeSchema(PreviewResource) },
      },
    },
    async (request, reply) => {
      const payee = await payeeOf(deps.db, request.wallet, request.body);
      if (payee?.deleted_at) throw payeeDeleted(payee);
      const order = { wallet: request.wallet, ...readOrder(request.body, payee) };
      return reply.code(200).send(envelope(200, await previewWithdrawal(deps, order)));
    },
  );
}
