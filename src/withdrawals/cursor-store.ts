/** The only writer of settle_cursor and stray_transactions. */
import { type Selectable, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

export type Cursor = Omit<
  Selectable<Tables['settle_cursor']>,
  'singleton' | 'updated_at' | 'database_timeline'
>;
export type Stray = Selectable<Tables['stray_transactions']>;

/** The wallet of this row of `withdrawals` has a transaction in the ledger that nobody has explained. */
export const hasOpenStray = sql<boolean>`exists (
  select from stray_transactions stray where stray.wallet_id = withdrawals.wallet_id and stray.judged_at is null)`;

/** `is_copied`: the database was promoted or restored since the accounting was here, maybe without its newest commits. */
export type CursorHere = Cursor & { is_copied: boolean };

export async function readCursor(db: Db): Promise<CursorHere | undefined> {
  return db
    .selectFrom('settle_cursor')
    .select(['ledger', 'ledger_hash', 'close_time', 'sign_after', 'trouble'])
    .select(sql<boolean>`database_timeline <> database_timeline()`.as('is_copied'))
    .executeTakeFirst();
}

/** For a database whose accounting has not begun: another process may be doing the same. */
export async function beginCursor(db: Db, cursor: Omit<Cursor, 'trouble'>): Promise<void> {
  await db
    .insertInto('settle_cursor')
    .values(cursor)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** False, and nothing is changed, when another process has moved it, or put signing off, since it was read as `from`. */
export async function moveCursor(
  db: Db,
  { from, to, now }: { from: Cursor; to: Omit<Cursor, 'trouble'>; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('settle_cursor')
    .set({ ...to, trouble: null, updated_at: now })
    .where('ledger', '=', from.ledger)
    .where('ledger_hash', 'is not distinct from', from.ledger_hash)
    .where('sign_after', '=', from.sign_after)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** On this copy of the database nothing is signed before a ledger has closed at `sign_after`, or later if that was said. */
export async function postponeSigning(db: Db, sign_after: bigint): Promise<void> {
  await db
    .updateTable('settle_cursor')
    .set({
      sign_after: sql`greatest(sign_after, ${sign_after}::bigint)`,
      database_timeline: sql`database_timeline()`,
    })
    .execute();
}

/** False when that is known already. */
export async function recordCursorTrouble(db: Db, trouble: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('settle_cursor')
    .set({ trouble })
    .where('trouble', 'is distinct from', trouble)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export type NewStray = Pick<Stray, 'hash' | 'wallet_id' | 'ledger' | 'envelope_xdr' | 'result_xdr'>;

export async function insertStrays(db: Db, strays: NewStray[]): Promise<void> {
  if (strays.length === 0) return;
  await db
    .insertInto('stray_transactions')
    .values(strays)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Those that nobody has judged, oldest first. */
export async function openStrays(db: Db): Promise<Stray[]> {
  return db
    .selectFrom('stray_transactions')
    .selectAll()
    .where('judged_at', 'is', null)
    .orderBy('ledger')
    .orderBy('hash')
    .execute();
}

export async function findOpenStray(db: Db, hash: string): Promise<Stray | undefined> {
  return db
    .selectFrom('stray_transactions')
    .selectAll()
    .where('hash', '=', hash)
    .where('judged_at', 'is', null)
    .executeTakeFirst();
}

/** The stray that a person has found to be this withdrawal's payment. */
export async function strayOf(db: Db, withdrawal_id: string): Promise<Stray | undefined> {
  return db
    .selectFrom('stray_transactions')
    .selectAll()
    .where('withdrawal_id', '=', withdrawal_id)
    .executeTakeFirst();
}

/** False, and nothing is changed, when somebody else has judged it. */
export async function judgeStray(
  db: Db,
  { hash, withdrawal_id, now }: { hash: string; withdrawal_id: string | null; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('stray_transactions')
    .set({ judged_at: now, withdrawal_id })
    .where('hash', '=', hash)
    .where('judged_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** How many transactions of the wallet nobody has explained. */
export async function countOpenStrays(db: Db, wallet_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('stray_transactions')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('wallet_id', '=', wallet_id)
    .where('judged_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** How many wallets are held by strays: nothing is signed for them. */
export async function countHeldWallets(db: Db): Promise<bigint> {
  const { count } = await db
    .selectFrom('stray_transactions')
    .select(sql<bigint>`count(distinct wallet_id)`.as('count'))
    .where('judged_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
