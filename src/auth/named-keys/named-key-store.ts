/** The only writer of named_api_keys. */

import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { newestFirst, type PageRequest } from '../../db/newest-first.ts';
import type { Scope } from './scopes.ts';

/** A key as people see it. `allowed_ips`: null for every address. */
export type NamedKey = {
  id: string;
  wallet_id: string;
  name: string;
  prefix: string;
  last_four: string;
  scopes: Scope[];
  allowed_ips: string[] | null;
  created_by: string;
  created_by_name: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
};

export type NewNamedKey = Omit<NamedKey, 'created_by_name' | 'last_used_at'> & { key_hash: Buffer };

export async function insertNamedKey(trx: Trx, key: NewNamedKey): Promise<void> {
  await trx.insertInto('named_api_keys').values(key).execute();
}

/** How many keys the wallet has that have not expired. */
export async function countNamedKeys(db: Db, wallet_id: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('named_api_keys')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('wallet_id', '=', wallet_id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Newest first, expired ones too. */
export async function listNamedKeys(db: Db, wallet_id: string, page: PageRequest): Promise<NamedKey[]> {
  const { where, order } = newestFirst('named_api_keys', { wallet_id }, page.before);
  return selectKeys(db).where(sql<boolean>`${where}`).orderBy(order).limit(page.limit).execute();
}

export async function findNamedKey(db: Db, wallet_id: string, id: string): Promise<NamedKey | undefined> {
  return selectKeys(db)
    .where('wallet_id', '=', wallet_id)
    .where('named_api_keys.id', '=', id)
    .executeTakeFirst();
}

function selectKeys(db: Db) {
  return db
    .selectFrom('named_api_keys')
    .innerJoin('users', 'users.id', 'named_api_keys.created_by')
    .select(['named_api_keys.id', 'wallet_id', 'named_api_keys.name', 'prefix', 'last_four', 'allowed_ips'])
    .select(['created_by', 'users.name as created_by_name', 'named_api_keys.created_at'])
    .select(['expires_at', 'last_used_at'])
    .select(sql<Scope[]>`scopes`.as('scopes'));
}

/** False when there is no such key. After the commit every process refuses the key. */
export async function deleteNamedKey(trx: Trx, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('named_api_keys').where('id', '=', id).executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function findNamedKeyByHash(db: Db, key_hash: Buffer) {
  return db
    .selectFrom('named_api_keys')
    .select(['id', 'wallet_id', 'name', 'allowed_ips', 'expires_at', 'last_used_at'])
    .select(sql<Scope[]>`scopes`.as('scopes'))
    .where('key_hash', '=', key_hash)
    .executeTakeFirst();
}

/** Until the transaction ends nobody deletes the key. False when it is deleted already. */
export async function lockNamedKey(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('named_api_keys')
    .select('id')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

export async function touchNamedKey(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('named_api_keys').set({ last_used_at: now }).where('id', '=', id).execute();
}
