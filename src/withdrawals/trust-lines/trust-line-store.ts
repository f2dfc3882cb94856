/** Reads the changes of trust lines. Read only: they are rows of `withdrawals`, which the engine writes. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { hasNoOutcome } from '../engine/queries.ts';
import { columns, TRUST_LINE_OPERATIONS, type Withdrawal } from '../engine/store.ts';

type IssuedAsset = { asset_code: string; asset_issuer: string };

/** Every change of the wallet's trust line for the asset, newest first. */
export async function changesOf(db: Db, wallet_id: string, asset: IssuedAsset): Promise<Withdrawal[]> {
  return db
    .selectFrom('withdrawals')
    .select(columns)
    .where('wallet_id', '=', wallet_id)
    .where('asset_code', '=', asset.asset_code)
    .where('asset_issuer', '=', asset.asset_issuer)
    .where('operation', 'in', TRUST_LINE_OPERATIONS)
    .orderBy('id', 'desc')
    .execute();
}

/** The newest change of each trust line that the wallet has, had or asked for, by code and issuer. */
export async function newestChanges(db: Db, wallet_id: string): Promise<Withdrawal[]> {
  return db
    .selectFrom('withdrawals')
    .select(columns)
    .distinctOn(['asset_code', 'asset_issuer'])
    .where('wallet_id', '=', wallet_id)
    .where('operation', 'in', TRUST_LINE_OPERATIONS)
    .orderBy('asset_code')
    .orderBy('asset_issuer')
    .orderBy('id', 'desc')
    .execute();
}

/** Whether a payment of the asset has no outcome yet. */
export async function hasOpenPayment(db: Db, wallet_id: string, asset: IssuedAsset): Promise<boolean> {
  const open = await db
    .selectFrom('withdrawals')
    .select(sql<number>`1`.as('one'))
    .where('wallet_id', '=', wallet_id)
    .where(hasNoOutcome)
    .where('asset_code', '=', asset.asset_code)
    .where('asset_issuer', '=', asset.asset_issuer)
    .where('operation', 'not in', TRUST_LINE_OPERATIONS)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}
