import { z } from 'zod';
import { NETWORKS } from '../config.ts';
import { RawJson } from '../http/exact-json.ts';
import { Id, MemoId, Metadata, Stroops, Time } from '../http/schemas.ts';
import { muxedAddress } from '../stellar/address.ts';
import type { OutgoingEvent } from '../webhooks/enqueue.ts';
import type { Deposit, DepositAddress } from './store.ts';

export const MemoType = z.enum(['none', 'id', 'text', 'hash', 'return']);

export const DepositResource = z
  .object({
    id: Id,
    wallet_id: Id,
    address_id: Id.nullable(),
    asset_code: z.string(),
    asset_issuer: z.string().nullable(),
    amount_stroops: Stroops,
    source_account: z.string().meta({ description: 'G… that paid; C… when a contract did' }),
    source_account_muxed: z
      .string()
      .nullable()
      .meta({ description: 'M… of the same when it paid by that: a refund goes there' }),
    stellar_tx_hash: z.string(),
    operation_index: z.int(),
    event_index: z.int().meta({
      description:
        'Of a contract’s event in its operation, else 0. Hash, operation and event are what the ledger knows the deposit by: ' +
        'they stay when the database is restored from an older copy, and `id` does not',
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
      .meta({ description: 'What paid it: an operation, or an event of a Stellar Asset Contract' }),
    memo_id: MemoId.nullable().meta({
      description: 'Muxed id, else memo id; of a deposit that was assigned by hand, that of its address',
    }),
    memo_type: MemoType,
    memo: z
      .string()
      .nullable()
      .meta({ description: 'The transaction’s memo: digits, a text, or base64 of what is no text' }),
    ledger: z.int(),
    status: z.literal('confirmed'),
    attributed: z.boolean(),
    assigned_by_hand: z.boolean(),
    refund_withdrawal_id: Id.nullable().meta({ description: 'The refund that is made or under way' }),
    metadata: Metadata.nullable(),
    created_at: Time,
  })
  .meta({ id: 'Deposit' });

/** The event of a deposit: one, whenever and by whom it is attributed. */
export function depositCreated(row: Deposit, now: Date): OutgoingEvent {
  const { wallet_id, stellar_tx_hash, operation_index, event_index } = row;
  const about = `${wallet_id} ${stellar_tx_hash} ${operation_index} ${event_index}`;
  return { wallet_id, type: 'deposit.created', about, deposit_id: row.id, data: showDeposit(row), now };
}

/** The same object in answers and in webhook bodies. */
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
    refund_withdrawal_id: row.refund_withdrawal_id,
    metadata: row.metadata === null ? null : new RawJson(row.metadata),
    created_at: row.created_at.toISOString(),
  };
}

export const AddressResource = z
  .object({
    id: Id,
    wallet_id: Id,
    address: z.string().meta({ description: 'M… address: pay this' }),
    account: z
      .string()
      .meta({ description: 'G… account: pay this with MEMO_ID memo_id where M… is not supported' }),
    memo_id: MemoId,
    uri: z
      .string()
      .meta({ description: 'SEP-7 payment request; off the public network it names the network' }),
    label: z.string().nullable(),
    metadata: Metadata.nullable(),
    created_at: Time,
  })
  .meta({ id: 'DepositAddress' });

/** A sum may be more than one amount can be. */
const Sum = z.bigint().min(0n);

const Received = z
  .object({
    asset_code: z.string(),
    asset_issuer: z.string().nullable(),
    count: z.int(),
    amount_stroops: Sum,
  })
  .meta({ id: 'ReceivedAsset' });

export const AddressWithReceived = AddressResource.extend({
  received: z.array(Received).meta({ description: 'All deposits of the address, by asset' }),
}).meta({ id: 'DepositAddressWithReceived' });

export function showAddress(row: DepositAddress, passphrase: string): z.input<typeof AddressResource> {
  return {
    id: row.id,
    wallet_id: row.wallet_id,
    address: muxedAddress(row.account, row.memo_id),
    account: row.account,
    memo_id: row.memo_id,
    uri: paymentUri(row, passphrase),
    label: row.label,
    metadata: row.metadata === null ? null : new RawJson(row.metadata),
    created_at: row.created_at.toISOString(),
  };
}

/**
 * SEP-7 with account and memo: more wallets read that than M… addresses. A link that names no network is for the public
 * one: a wallet would pay real money for a deposit of a test network.
 */
function paymentUri({ account, memo_id }: DepositAddress, passphrase: string): string {
  const link = `web+stellar:pay?destination=${account}&memo=${memo_id}&memo_type=MEMO_ID`;
  if (passphrase === NETWORKS.public.passphrase) return link;
  return `${link}&network_passphrase=${encodeURIComponent(passphrase)}`;
}
