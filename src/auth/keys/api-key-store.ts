/** The only writer of api_keys. A key without a name is the main key of its wallet. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { createFinder } from '../../db/finder.ts';
import { newestFirst, type PageRequest } from '../../db/newest-first.ts';
import type { Scope } from './scopes.ts';

/** The parts of a key that are stored in place of its text. */
export type KeyParts = { key_hash: Buffer; prefix: string; last_four: string };

/** The main key as people see it. Its id is another one after each regeneration. */
export type MainKey = {
  id: string;
  wallet_id: string;
  prefix: string;
  last_four: string;
  created_at: Date;
  last_used_at: Date | null;
};

/** A named key as people see it. `allowed_ips`: null for every address. */
export type NamedKey = MainKey & {
  name: string;
  scopes: Scope[];
  allowed_ips: string[] | null;
  created_by: string;
  created_by_name: string;
  expires_at: Date | null;
};

export type NewMainKey = Omit<MainKey, 'last_used_at'> & KeyParts;
export type NewNamedKey = Omit<NamedKey, 'created_by_name' | 'last_used_at'> & KeyParts;

/** The main key that a new one has replaced. */
export type ReplacedKey = { id: string; last_four: string };

const shownColumns = ['id', 'wallet_id', 'prefix', 'last_four', 'created_at', 'last_used_at'] as const;

/**
 * Replaces the main key of a wallet, or inserts its first one. Returns the key that was replaced; null for the first one. This is one
 * statement: after its commit no row has the id or the hash of the old key. `old` is read first, because the row that is inserted
 * comes from it. Its lock makes the second of two statements at once see the key of the first one.
 */
export async function replaceMainKey(db: Db, key: NewMainKey): Promise<ReplacedKey | null> {
  const { rows } = await sql<ReplacedKey>`
    with old as materialized (
      select id, last_four from api_keys where wallet_id = ${key.wallet_id} and name is null for update
    ), replaced as (
      insert into api_keys (id, wallet_id, key_hash, prefix, last_four, created_at)
      select ${key.id}, ${key.wallet_id}, ${key.key_hash}, ${key.prefix}, ${key.last_four}, ${key.created_at}
        from (select count(*) from old) as read
      on conflict (wallet_id) where name is null do update
        set id = excluded.id, key_hash = excluded.key_hash, prefix = excluded.prefix, last_four = excluded.last_four,
            created_at = excluded.created_at, last_used_at = null
    )
    select id, last_four from old`.execute(db);
  return rows[0] ?? null;
}

export async function findMainKey(db: Db, wallet_id: string): Promise<MainKey | undefined> {
  return db
    .selectFrom('api_keys')
    .select(shownColumns)
    .where('wallet_id', '=', wallet_id)
    .where('name', 'is', null)
    .executeTakeFirst();
}

export async function insertNamedKey(trx: Trx, key: NewNamedKey): Promise<void> {
  await trx.insertInto('api_keys').values(key).execute();
}

/** Counts the named keys of a wallet that have not expired. */
export async function countNamedKeys(db: Db, wallet_id: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('wallet_id', '=', wallet_id)
    .where('name', 'is not', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Lists the named keys of a wallet, newest first, expired ones too. */
export async function listNamedKeys(db: Db, wallet_id: string, page: PageRequest): Promise<NamedKey[]> {
  const { where, order } = newestFirst('api_keys', { wallet_id }, page.before);
  return selectNamed(db).where(sql<boolean>`${where}`).orderBy(order).limit(page.limit).execute();
}

export async function findNamedKey(db: Db, wallet_id: string, id: string): Promise<NamedKey | undefined> {
  return selectNamed(db).where('wallet_id', '=', wallet_id).where('api_keys.id', '=', id).executeTakeFirst();
}

/** Selects named keys with the user who made each. Every named key says who made it, the main key does not. */
function selectNamed(db: Db) {
  return db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.created_by')
    .select(['api_keys.id', 'wallet_id', 'prefix', 'last_four', 'allowed_ips', 'expires_at', 'last_used_at'])
    .select(['users.id as created_by', 'users.name as created_by_name', 'api_keys.created_at'])
    .select([sql<string>`api_keys.name`.as('name'), sql<Scope[]>`scopes`.as('scopes')])
    .where('api_keys.name', 'is not', null);
}

/** Deletes a named key. Returns false when there is no such named key. After the commit every process refuses the key. */
export async function deleteNamedKey(trx: Trx, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('name', 'is not', null)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** `name` and `scopes`: null for the main key, which has every scope. */
export type StoredKey = Pick<NamedKey, 'wallet_id' | 'allowed_ips' | 'expires_at' | 'last_used_at'> & {
  id: string;
  name: string | null;
  scopes: Scope[] | null;
};

/** Makes the look-up of a key by its hash, which finds an expired one too. Look-ups of the same moment share one statement. */
export function createKeyFinder(db: Db): (key_hash: Buffer) => Promise<StoredKey | undefined> {
  const find = createFinder(async (hashes) => {
    const rows = await db
      .selectFrom('api_keys')
      .select(['id', 'wallet_id', 'name', 'allowed_ips', 'expires_at', 'last_used_at', 'key_hash'])
      .select(sql<Scope[] | null>`scopes`.as('scopes'))
      .where('key_hash', '=', sql<Buffer>`any(${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])`)
      .execute();
    return rows.map(({ key_hash, ...key }) => ({ id: key_hash.toString('hex'), key }));
  });
  return async (key_hash) => (await find(key_hash.toString('hex')))?.key;
}

/** Locks a key: until the transaction ends nobody replaces or deletes it. Returns false when somebody has already. */
export async function lockKey(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

export async function touchKey(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute();
}
