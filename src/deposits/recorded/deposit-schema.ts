import { z } from 'zod';
import { RawJson } from '../../http/read-json.ts';
import { Id, MemoId, Metadata, Stroops, StroopsOrZero, Time } from '../../http/schemas.ts';
import { NO_ACCOUNT, NO_HASH, SAMPLE_STROOPS, type SampleFor } from '../../http/test-samples.ts';
import { ADJUSTMENT_REASONS } from '../../stellar/credits/adjustment.ts';
import type { OutgoingEvent } from '../../webhooks/events/enqueue.ts';
import type { Adjustment } from './adjustment-store.ts';
import type { Deposit } from './deposit-store.ts';

export const MemoType = z.enum(['none', 'id', 'text', 'hash', 'return']);

export const DepositResource = z
  .object({
    id: Id,
    wallet_id: Id,
    address_id: Id.nullable(),
    asset_code: z.string(),
    asset_issuer: z.string().nullable(),
    amount_stroops: Stroops,
    source_account: z.string().meta({ description: 'The payer: G…, or C… for a contract' }),
    source_account_muxed: z
      .string()
      .nullable()
      .meta({ description: 'The payer’s M… address, if the payment names one; a refund goes there' }),
    stellar_tx_hash: z.string(),
    operation_index: z.int(),
    event_index: z.int().meta({
      description:
        'Index of the contract’s event in its operation, else 0. Hash, operation and event identify the deposit on the ' +
        'ledger: they stay the same when the database is restored from an older copy; `id` does not',
    }),
    kind: z
      .enum([
        'payment',
        'create_account',
        'path_payment_strict_send',
        'path_payment_strict_receive',
        'account_merge',
        'contract_transfer',
        'contract_mint',
      ])
      .meta({ description: 'The operation or the event of a Stellar Asset Contract that paid it' }),
    memo_id: MemoId.nullable().meta({
      description: 'Muxed id, else memo id; of a deposit assigned by hand, the memo id of its address',
    }),
    memo_type: MemoType,
    memo: z
      .string()
      .nullable()
      .meta({ description: 'The transaction’s memo: digits, a text, or base64 of other bytes' }),
    ledger: z.int(),
    status: z.literal('confirmed'),
    attributed: z.boolean(),
    assigned_by_hand: z.boolean(),
    below_minimum: z.boolean().meta({
      description: 'Smaller than the wallet’s minimum for its asset: no event announces it',
    }),
    refund_withdrawal_id: Id.nullable().meta({ description: 'The withdrawal that refunds it' }),
    metadata: Metadata.nullable(),
    created_at: Time,
  })
  .meta({ id: 'Deposit' });

/** Makes the deposit of a test event. */
export function sampleDeposit(
  attributed: boolean,
  { wallet_id, at }: Pick<SampleFor, 'wallet_id' | 'at'>,
): z.input<typeof DepositResource> {
  return {
    id: 'dep_sample',
    wallet_id,
    address_id: attributed ? 'adr_sample' : null,
    asset_code: 'native',
    asset_issuer: null,
    amount_stroops: SAMPLE_STROOPS,
    source_account: NO_ACCOUNT,
    source_account_muxed: null,
    stellar_tx_hash: NO_HASH,
    operation_index: 0,
    event_index: 0,
    kind: 'payment',
    memo_id: 1n,
    memo_type: 'id',
    memo: '1',
    ledger: 1,
    status: 'confirmed',
    attributed,
    assigned_by_hand: false,
    below_minimum: false,
    refund_withdrawal_id: null,
    metadata: attributed ? new RawJson('{"sample":true}') : null,
    created_at: at,
  };
}

/**
 * Makes the event of a deposit: `deposit.created` when it is attributed, once, whether the ingester or a person attributes it; before
 * that `deposit.unattributed`. `traceparent`: of the span that has recorded it, where that is traced.
 */
export function depositEvent(row: Deposit, now: Date, traceparent: string | null = null): OutgoingEvent {
  const type = row.attributed ? 'deposit.created' : 'deposit.unattributed';
  const { wallet_id, stellar_tx_hash, operation_index, event_index } = row;
  const about = `${wallet_id} ${stellar_tx_hash} ${operation_index} ${event_index}`;
  return { wallet_id, type, about, deposit_id: row.id, data: showDeposit(row), traceparent, now };
}

/** Returns a deposit in the API's form, in responses and webhook bodies. */
export function showDeposit(row: Deposit): z.input<typeof DepositResource> {
  return {
    id: row.id,
    wallet_id: row.wallet_id,
    address_id: row.address_id,
    asset_code: row.asset_code,
    asset_issuer: row.asset_issuer,
    amount_stroops: row.amount_stroops,
    source_account: row.source_account,
    source_account_muxed: row.source_account_muxed,
    stellar_tx_hash: row.stellar_tx_hash,
    operation_index: row.operation_index,
    event_index: row.event_index,
    kind: row.kind,
    memo_id: row.memo_id,
    memo_type: row.memo_type,
    memo: row.memo,
    ledger: row.ledger,
    status: 'confirmed',
    attributed: row.attributed,
    assigned_by_hand: row.assigned_by_hand,
    below_minimum: row.below_minimum,
    refund_withdrawal_id: row.refund_withdrawal_id,
    metadata: row.metadata === null ? null : new RawJson(row.metadata),
    created_at: row.created_at.toISOString(),
  };
}

export const AdjustmentResource = z
  .object({
    id: Id,
    wallet_id: Id,
    asset_code: z.string(),
    asset_issuer: z.string().nullable(),
    reason: z.enum(ADJUSTMENT_REASONS),
    amount_stroops: StroopsOrZero.meta({
      description: 'What was taken; 0 when only the authorization of the trust line has changed',
    }),
    caused_by: z.string().meta({ description: 'The account (G…) or contract (C…) that did it' }),
    stellar_tx_hash: z.string(),
    operation_index: z.int(),
    event_index: z.int(),
    ledger: z.int(),
    created_at: Time,
  })
  .meta({ id: 'Adjustment', description: 'What others did to a wallet without paying it' });

export function showAdjustment(row: Adjustment): z.input<typeof AdjustmentResource> {
  const { operation: _, created_at, ...shown } = row;
  return { ...shown, created_at: created_at.toISOString() };
}
