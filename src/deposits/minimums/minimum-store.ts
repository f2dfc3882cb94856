/** The only writer of deposit_minimums. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { AssetFields } from '../../stellar/asset.ts';

/** Deposits of the asset below this amount are not announced. */
export type Minimum = AssetFields & { amount_stroops: bigint };

/** Lists the minimums of a wallet. The native asset comes first. */
export async function listMinimums(db: Db, wallet_id: string): Promise<Minimum[]> {
  return db
    .selectFrom('deposit_minimums')
    .select(['asset_code', 'asset_issuer', 'amount_stroops'])
    .where('wallet_id', '=', wallet_id)
    .orderBy('asset_issuer', (order) => order.nullsFirst())
    .orderBy('asset_code')
    .execute();
}

/** Reads the minimums of these wallets. */
export async function minimumsOf(db: Db, wallet_ids: string[]): Promise<(Minimum & { wallet_id: string })[]> {
  if (wallet_ids.length === 0) return [];
  return db
    .selectFrom('deposit_minimums')
    .selectAll()
    .where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`)
    .execute();
}

export async function replaceMinimums(trx: Trx, wallet_id: string, minimums: Minimum[]): Promise<void> {
  await trx.deleteFrom('deposit_minimums').where('wallet_id', '=', wallet_id).execute();
  if (minimums.length === 0) return;
  await trx
    .insertInto('deposit_minimums')
    .values(minimums.map((minimum) => ({ ...minimum, wallet_id })))
    .execute();
}
