/** The wallets and deposit addresses that attribution needs; read only. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { type AddressKey, addressKey, type WalletsByAccount } from './attribute.ts';

/** Finds the wallets among these accounts, by account. */
export async function walletsByAccount(db: Db, accounts: string[]): Promise<WalletsByAccount> {
  if (accounts.length === 0) return new Map();
  const rows = await db
    .selectFrom('wallet_accounts')
    .select(['id', 'account', 'numeric_memo_text'])
    .where(sql<SqlBool>`account = any(${accounts}::text[])`)
    .execute();
  return new Map(rows.map(({ account, ...wallet }) => [account, wallet]));
}

/** Finds the ids of the deposit addresses among these keys, by `addressKey`. */
export async function addressesByKey(db: Db, keys: AddressKey[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const wallet_ids = keys.map(({ wallet_id }) => wallet_id);
  const memo_ids = keys.map(({ memo_id }) => memo_id);
  const { rows } = await sql<{ id: string; wallet_id: string; memo_id: bigint }>`
    select address.id, address.wallet_id, address.memo_id
      from unnest(${wallet_ids}::text[], ${memo_ids}::bigint[]) as wanted (wallet_id, memo_id)
      join deposit_addresses address using (wallet_id, memo_id)
  `.execute(db);
  return new Map(rows.map((row) => [addressKey(row), row.id]));
}
