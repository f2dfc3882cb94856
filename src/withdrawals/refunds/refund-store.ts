/** Reads deposits for refunds, and the withdrawals that refund them. Read only: deposits/recorded/deposit-store.ts writes deposits. */
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import type { AssetFields } from '../../stellar/asset.ts';
import { columns, isAnyOf, type Withdrawal } from '../engine/store.ts';

export type RefundedDeposit = Pick<
  Selectable<Tables['refundable_deposits']>,
  | 'id'
  | 'asset_code'
  | 'asset_issuer'
  | 'amount_stroops'
  | 'source_account'
  | 'source_account_muxed'
  | 'stellar_tx_hash'
  | 'attributed'
>;

const depositColumns = [
  'id',
  'asset_code',
  'asset_issuer',
  'amount_stroops',
  'source_account',
  'source_account_muxed',
  'stellar_tx_hash',
  'attributed',
] as const;

export async function findDeposit(
  db: Db,
  wallet_id: string,
  id: string,
): Promise<RefundedDeposit | undefined> {
  return db
    .selectFrom('refundable_deposits')
    .select(depositColumns)
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * Returns the ids of the deposits, neither refunded nor assigned, that a payment with this memo, destination and amount would
 * pay back.
 */
export async function refundableBy(
  db: Db,
  wallet_id: string,
  payment: AssetFields & { memo_return: string; destination: string; amount_stroops: bigint },
): Promise<string[]> {
  const rows = await db
    .selectFrom('refundable_deposits')
    .select('id')
    .where('wallet_id', '=', wallet_id)
    .where('stellar_tx_hash', '=', payment.memo_return)
    .where(({ or, eb }) =>
      or(
        (['source_account', 'source_account_muxed'] as const).map((column) =>
          eb(column, '=', payment.destination),
        ),
      ),
    )
    .where('amount_stroops', '=', payment.amount_stroops)
    .where('asset_code', '=', payment.asset_code)
    .where('asset_issuer', 'is not distinct from', payment.asset_issuer)
    .where('attributed', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('withdrawals')
            .select('withdrawals.id')
            .whereRef('refund_of', '=', 'refundable_deposits.id')
            .where('status', '<>', 'failed'),
        ),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Locks the deposits until the transaction ends, so that nobody else assigns or refunds them. All transactions lock in
 * one order, so there is no deadlock.
 */
export async function lockDeposits(trx: Trx, ids: string[]): Promise<RefundedDeposit[]> {
  const { rows } = await sql<RefundedDeposit>`
    select ${sql.join(depositColumns.map((column) => sql.ref(column)))} from lock_deposits(${ids}::text[]) order by id
  `.execute(trx);
  return rows;
}

/** Returns every refund of these deposits, failed ones too, oldest first. */
export async function findRefunds(db: Db, deposit_ids: string[]): Promise<Withdrawal[]> {
  return db
    .selectFrom('withdrawals')
    .select(columns)
    .where('refund_of', '=', isAnyOf(deposit_ids))
    .orderBy('id')
    .execute();
}
