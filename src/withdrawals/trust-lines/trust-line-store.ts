/** Reads the changes of trust lines. Read only: they are rows of `withdrawals`, which the engine writes. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { hasNoOutcome } from '../engine/queries.ts';
import { columns, isAnyOf, TRUST_LINE_OPERATIONS, type Withdrawal } from '../engine/store.ts';

type IssuedAsset = { asset_code: string; asset_issuer: string };
/** The trust line of a wallet for an asset. */
export type WalletLine = IssuedAsset & { wallet_id: string };

/** Returns every change of the wallet's trust line for the asset, newest first. */
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

/** Returns the newest change of each trust line that the wallet has, had or asked for, by code and issuer. */
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

/** Returns the key of a wallet's trust line in maps. */
export function keyOfLine({ wallet_id, asset_code, asset_issuer }: WalletLine): string {
  return `${wallet_id} ${asset_code} ${asset_issuer}`;
}

/** Returns the newest change of each of these trust lines, by `keyOfLine`. */
export async function newestChangesOf(db: Db, lines: WalletLine[]): Promise<Map<string, Withdrawal>> {
  if (lines.length === 0) return new Map();
  const [wallets, codes, issuers] = (['wallet_id', 'asset_code', 'asset_issuer'] as const).map((name) =>
    lines.map((line) => line[name]),
  );
  const rows = await db
    .selectFrom('withdrawals')
    .select(columns)
    .distinctOn(['wallet_id', 'asset_code', 'asset_issuer'])
    .where(
      sql<SqlBool>`(wallet_id, asset_code, asset_issuer) in (
        select * from unnest(${wallets}::text[], ${codes}::text[], ${issuers}::text[]))`,
    )
    .where('operation', 'in', TRUST_LINE_OPERATIONS)
    .orderBy('wallet_id')
    .orderBy('asset_code')
    .orderBy('asset_issuer')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [keyOfLine({ ...row, asset_issuer: row.asset_issuer ?? '' }), row]));
}

/** Returns the accounts of these wallets, by id. */
export async function accountsOf(db: Db, wallet_ids: string[]): Promise<Map<string, string>> {
  if (wallet_ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('wallet_accounts')
    .select(['id', 'account'])
    .where('id', '=', isAnyOf(wallet_ids))
    .execute();
  return new Map(rows.map(({ id, account }) => [id, account]));
}

/** Says whether a payment of the asset has no outcome yet. */
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
