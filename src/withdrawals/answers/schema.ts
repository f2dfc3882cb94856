import { strict as assert } from 'node:assert';
import { z } from 'zod';
import { approvalsInResponse, showApprovals } from '../../approvals/approval-schema.ts';
import type { Db } from '../../db/database.ts';
import { DESTINATION_PATTERN, withOneRecipient } from '../../http/destination.ts';
import { HASH } from '../../http/sample-values.ts';
import {
  assetInBody,
  assetInResponse,
  Failure,
  Id,
  MemoId,
  Reference,
  readAsset,
  Stroops,
  StroopsOrZero,
  Time,
} from '../../http/schemas.ts';
import { NO_ACCOUNT, NO_HASH, SAMPLE_STROOPS, type SampleFor } from '../../http/test-samples.ts';
import { AppError } from '../../lib/errors.ts';
import { findPayee, orderTo, type Payee } from '../../payees/payees.ts';
import type { Wallet } from '../../wallets/access.ts';
import type { Withdrawal } from '../engine/store.ts';
import { ApprovalsCause } from '../policies/approval-rules-schema.ts';

export const WithdrawBody = withOneRecipient(
  z.strictObject({
    destination: z.string().max(100).optional().meta({
      description: 'G…, M…, C… or W… address; required without `payee_id`',
      pattern: DESTINATION_PATTERN,
    }),
    payee_id: Id.optional().meta({
      description:
        'In place of the destination: a payee of the team, with its memo and its asset where it has them',
    }),
    amount_stroops: Stroops,
    ...assetInBody,
    memo_id: MemoId.optional().meta({
      description: 'With a contract (C…) it makes the muxed contract (W…) with this id',
    }),
    allow_issuer: z
      .boolean()
      .optional()
      .meta({ description: 'True: pay an asset back to its issuer, which destroys it' }),
    reference: Reference.optional().meta({
      description: 'Your own name for the payment; it is not sent to the network',
    }),
  }),
).meta({ id: 'WithdrawBody' });
type GivenOrder = z.output<typeof WithdrawBody>;

/**
 * Reads what a body asks for, as an order of a withdrawal has it. `payee`: the one that it names.
 * @throws AppError `invalid_request`, `ambiguous_destination`
 */
export function readOrder(body: GivenOrder, payee: Payee | null) {
  const { destination = '', amount_stroops, memo_id = null, allow_issuer = false } = body;
  const reference = body.reference || null;
  const asset = readAsset(body);
  return {
    ...asset,
    ...(payee ? orderTo(payee, { ...asset, memo_id }) : { destination, memo_id }),
    amount_stroops,
    memo_return: null,
    allow_issuer,
    reference,
  };
}

/**
 * Finds the payee that a body names, a deleted one too; null where it names none.
 * @throws AppError `invalid_request` for an id that is of no payee of the team
 */
export async function payeeOf(
  db: Db,
  { owner_id }: Wallet,
  { payee_id }: Pick<GivenOrder, 'payee_id'>,
): Promise<Payee | null> {
  if (payee_id === undefined) return null;
  const payee = await findPayee(db, owner_id, payee_id);
  if (payee) return payee;
  throw new AppError('invalid_request', 'The team has no such payee.', {
    details: [{ path: '/payee_id', message: 'is not a payee of the team' }],
  });
}

export const RefundBody = z
  .strictObject({
    reference: Reference.optional().meta({
      description: 'Your own name for the refund; it is not sent to the network',
    }),
  })
  .meta({ id: 'RefundBody' });

export const WithdrawalResource = z
  .object({
    id: Id,
    wallet_id: Id,
    status: z.enum(['awaiting_approval', 'pending', 'confirmed', 'failed']).meta({
      description: '`awaiting_approval`: members must approve it first; nothing is signed',
    }),
    stellar_tx_hash: z
      .string()
      .nullable()
      .meta({ description: 'Hash of the envelope in the ledger; before that, of the newest envelope' }),
    inner_tx_hash: z
      .string()
      .nullable()
      .meta({ description: 'Hash of the signed payment inside a fee-bump; otherwise the same' }),
    operation: z.enum(['payment', 'create_account', 'contract_transfer']).meta({
      description:
        'Whether the payment creates the account of its payee is decided when it is signed; before that, what it would do when it was asked for',
    }),
    destination: z.string(),
    ...assetInResponse,
    amount_stroops: Stroops,
    memo_id: MemoId.nullable(),
    payee_id: Id.nullable().meta({
      description: 'The payee of the team that it pays, as it was when it was asked for',
    }),
    ledger: z.int().nullable(),
    fee_stroops: StroopsOrZero.nullable().meta({
      description:
        'The fee that the wallet paid; 0 when somebody else paid it: a channel account, the treasury, a stranger',
    }),
    fee_paid_by: z
      .enum(['wallet', 'channel', 'treasury', 'other'])
      .nullable()
      .meta({
        description:
          'Who paid the fee: the wallet, a channel account or the treasury of this service, or a stranger who fee-bumped the ' +
          'transaction. Null where the ledger does not have it',
      }),
    failure: Failure.nullable(),
    idempotency_key: z.string(),
    reference: z.string().nullable().meta({
      description: 'What you call it; of a row of a payout, the reference of the row',
    }),
    refund_of: Id.nullable().meta({
      description: 'The deposit that this withdrawal pays back, with MEMO_RETURN of its transaction hash',
    }),
    payout_id: Id.nullable().meta({ description: 'The payout whose row it pays' }),
    payout_row: z.int().nullable().meta({ description: 'The number of that row in its file, from 1 on' }),
    fee_bumps: z.int().meta({
      description:
        'Fee-bump transactions made around the payment; a payment through a channel account has one, unless the channel pays its fee',
    }),
    created_at: Time,
    signed_at: Time.nullable(),
    committed_at: Time.nullable().meta({
      description: 'When the envelope was committed; it is sent at once after that, never before',
    }),
    expires_at: Time.nullable().meta({
      description: 'After this time no ledger can take the payment; null until it is signed',
    }),
    settled_at: Time.nullable(),
    ...approvalsInResponse,
    approvals_cause: ApprovalsCause,
  })
  .meta({ id: 'Withdrawal' });

const NOTHING_SIGNED = {
  stellar_tx_hash: null,
  inner_tx_hash: null,
  ledger: null,
  fee_stroops: null,
  fee_paid_by: null,
  signed_at: null,
  committed_at: null,
  expires_at: null,
  settled_at: null,
};

/** What differs in the API reference where an order awaits approvals. */
export const AWAITING_EXAMPLE = {
  ...NOTHING_SIGNED,
  status: 'awaiting_approval',
  approvals_required: 1,
  approvals_cause: 'amount',
  order_hash: HASH,
  approval_expires_at: '2026-01-18T09:30:00.000Z',
};

/** Makes the withdrawal of a test event. */
export function sampleWithdrawal(
  status: 'awaiting_approval' | 'confirmed' | 'failed',
  { wallet_id, at }: SampleFor,
): z.input<typeof WithdrawalResource> {
  const awaits = status === 'awaiting_approval';
  const settled = {
    stellar_tx_hash: NO_HASH,
    inner_tx_hash: NO_HASH,
    ledger: 1,
    fee_stroops: 100n,
    fee_paid_by: 'wallet' as const,
    signed_at: at,
    committed_at: at,
    expires_at: at,
    settled_at: at,
  };
  return {
    id: 'wd_sample',
    wallet_id,
    status,
    operation: 'payment',
    destination: NO_ACCOUNT,
    asset_code: 'native',
    asset_issuer: null,
    amount_stroops: SAMPLE_STROOPS,
    memo_id: null,
    payee_id: null,
    ...(awaits ? NOTHING_SIGNED : settled),
    failure: status === 'failed' ? { code: 'op_underfunded', message: 'A sample: nothing was paid.' } : null,
    idempotency_key: 'sample',
    reference: null,
    refund_of: null,
    payout_id: null,
    payout_row: null,
    fee_bumps: 0,
    created_at: at,
    requested_by: 'usr_sample',
    approvals_required: awaits ? 1 : 0,
    approvals_cause: awaits ? 'amount' : null,
    approvals: [],
    order_hash: awaits ? NO_HASH : null,
    approval_expires_at: awaits ? at : null,
  };
}

/** Shows a row as callers see it: once it needs no approvals any more, its status is `pending` until it has its outcome. */
export function showWithdrawal(row: Withdrawal): z.input<typeof WithdrawalResource> {
  return {
    id: row.id,
    wallet_id: row.wallet_id,
    status: row.status === 'queued' || row.status === 'signed' ? 'pending' : row.status,
    stellar_tx_hash: row.stellar_tx_hash,
    inner_tx_hash: row.inner_tx_hash,
    operation: shownOperation(row.operation),
    destination: row.destination,
    asset_code: row.asset_code,
    asset_issuer: row.asset_issuer,
    amount_stroops: row.amount_stroops,
    memo_id: row.memo_id,
    payee_id: row.payee_id,
    ledger: row.ledger,
    fee_stroops: row.fee_stroops,
    fee_paid_by: row.fee_paid_by,
    failure:
      row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' },
    idempotency_key: row.idempotency_key,
    reference: row.reference,
    refund_of: row.refund_of,
    payout_id: row.payout_id,
    payout_row: row.payout_row,
    fee_bumps: row.fee_bump_hashes.length,
    created_at: row.created_at.toISOString(),
    signed_at: row.signed_at?.toISOString() ?? null,
    committed_at: row.committed_at?.toISOString() ?? null,
    expires_at: row.max_time === null ? null : new Date(Number(row.max_time) * 1000).toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
    requested_by: row.requested_by,
    approvals_required: row.approvals_required,
    approvals: showApprovals(row.approvals),
    order_hash: row.order_hash,
    approval_expires_at: row.approval_expires_at?.toISOString() ?? null,
    approvals_cause: row.approvals_cause,
  };
}

/** Returns the operation as callers see it: a payment of an issued asset has a name of its own in the rows only. */
function shownOperation(
  operation: Withdrawal['operation'],
): 'payment' | 'create_account' | 'contract_transfer' {
  assert(
    operation !== 'add_trust_line' && operation !== 'remove_trust_line',
    'a trust line is no withdrawal',
  );
  return operation === 'asset_payment' ? 'payment' : operation;
}
