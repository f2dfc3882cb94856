/** The only writer of deposit_addresses, deposits and ingest_cursor. */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { Wallets } from './attribute.ts';

// deposit addresses

export type DepositAddress = Selectable<Tables['deposit_addresses']> & { account: string };

const addressColumns = [
  'deposit_addresses.id',
  'deposit_addresses.wallet_id',
  'deposit_addresses.memo_id',
  'deposit_addresses.label',
  'deposit_addresses.metadata',
  'deposit_addresses.created_at',
  'wallets.account',
] as const;

function selectAddresses(db: Db, wallet_id: string) {
  return db
    .selectFrom('deposit_addresses')
    .innerJoin('wallets', 'wallets.id', 'deposit_addresses.wallet_id')
    .select(addressColumns)
    .where('deposit_addresses.wallet_id', '=', wallet_id);
}

/** False when the wallet has an address with this memo id already. */
export async function insertAddress(
  db: Db,
  address: Insertable<Tables['deposit_addresses']>,
): Promise<boolean> {
  const inserted = await db
    .insertInto('deposit_addresses')
    .values(address)
    .onConflict((conflict) => conflict.columns(['wallet_id', 'memo_id']).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function findAddress(
  db: Db,
  wallet_id: string,
  id: string,
): Promise<DepositAddress | undefined> {
  return selectAddresses(db, wallet_id).where('deposit_addresses.id', '=', id).executeTakeFirst();
}

type PageRequest = { limit: number; before: string | undefined };

/** Newest first. */
export async function listAddresses(db: Db, wallet_id: string, page: PageRequest): Promise<DepositAddress[]> {
  let query = selectAddresses(db, wallet_id);
  if (page.before !== undefined) query = query.where('deposit_addresses.id', '<', page.before);
  return query.orderBy('deposit_addresses.id', 'desc').limit(page.limit).execute();
}

// deposits

export type NewDeposit = Insertable<Tables['deposits']>;
export type Deposit = Selectable<Tables['deposits']> & { metadata: string | null };

function selectDeposits(db: Db) {
  return db
    .selectFrom('deposits')
    .leftJoin('deposit_addresses', 'deposit_addresses.id', 'deposits.address_id')
    .selectAll('deposits')
    .select('deposit_addresses.metadata');
}

export async function findDeposit(db: Db, wallet_id: string, id: string): Promise<Deposit | undefined> {
  return selectDeposits(db)
    .where('deposits.wallet_id', '=', wallet_id)
    .where('deposits.id', '=', id)
    .executeTakeFirst();
}

/** Newest first. */
export async function listDeposits(
  db: Db,
  wallet_id: string,
  filter: { attributed: boolean | undefined; address_id: string | undefined },
  page: PageRequest,
): Promise<Deposit[]> {
  let query = selectDeposits(db).where('deposits.wallet_id', '=', wallet_id);
  if (filter.attributed !== undefined) query = query.where('deposits.attributed', '=', filter.attributed);
  if (filter.address_id !== undefined) query = query.where('deposits.address_id', '=', filter.address_id);
  if (page.before !== undefined) query = query.where('deposits.id', '<', page.before);
  return query.orderBy('deposits.id', 'desc').limit(page.limit).execute();
}

/** A statement takes 65,535 parameters at most; a page of 200 transactions can hold 20,000 credits. */
const INSERT_ROWS = 1_000;

/** The deposits that were new, with their address's metadata; one that is known already is left out. */
export async function insertDeposits(trx: Trx, deposits: NewDeposit[]): Promise<Deposit[]> {
  const inserted: Deposit[] = [];
  for (let start = 0; start < deposits.length; start += INSERT_ROWS) {
    inserted.push(...(await insertSome(trx, deposits.slice(start, start + INSERT_ROWS))));
  }
  return inserted;
}

async function insertSome(trx: Trx, deposits: NewDeposit[]): Promise<Deposit[]> {
  const inserted = await trx
    .insertInto('deposits')
    .values(deposits)
    .onConflict((conflict) =>
      conflict.columns(['stellar_tx_hash', 'operation_index', 'event_index']).doNothing(),
    )
    .returning('id')
    .execute();
  const ids = inserted.map(({ id }) => id);
  return selectDeposits(trx)
    .where(sql<SqlBool>`deposits.id = any(${ids}::text[])`)
    .orderBy('deposits.id')
    .execute();
}

// what attribution asks

/** By account, for those of `accounts` that are wallets. */
export async function walletsByAccount(db: Db, accounts: string[]): Promise<Wallets> {
  if (accounts.length === 0) return new Map();
  const rows = await db
    .selectFrom('wallets')
    .select(['id', 'account', 'numeric_memo_text'])
    .where(sql<SqlBool>`account = any(${accounts}::text[])`)
    .execute();
  return new Map(rows.map(({ account, ...wallet }) => [account, wallet]));
}

export type AddressKey = { wallet_id: string; memo_id: bigint };

/** Address ids by `addressKey`, for those of `keys` that are deposit addresses. */
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

export function addressKey({ wallet_id, memo_id }: AddressKey): string {
  return `${wallet_id} ${memo_id}`;
}

// cursor

export type Cursor = { ledger: number; trouble: string | null; updated_at: Date };

/** The last ledger whose deposits are committed; begins at the installation's first ledger. */
export async function readCursor(db: Db): Promise<Cursor> {
  const found = await findCursor(db);
  if (found) return found;
  await db
    .insertInto('ingest_cursor')
    .columns(['ledger'])
    .expression((eb) => eb.selectFrom('installation').select('start_ledger'))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const created = await findCursor(db);
  if (!created) throw new Error('the database is not bound to a network yet');
  return created;
}

export async function findCursor(db: Db): Promise<Cursor | undefined> {
  return db.selectFrom('ingest_cursor').select(['ledger', 'trouble', 'updated_at']).executeTakeFirst();
}

/** False when the cursor is not at `from`: another ingester has moved it, and this transaction must be rolled back. */
export async function moveCursor(trx: Trx, move: { from: number; to: number; now: Date }): Promise<boolean> {
  const moved = await trx
    .updateTable('ingest_cursor')
    .set({ ledger: move.to, trouble: null, updated_at: move.now })
    .where('ledger', '=', move.from)
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

export async function recordTrouble(db: Db, trouble: string): Promise<void> {
  await db.updateTable('ingest_cursor').set({ trouble }).execute();
}
