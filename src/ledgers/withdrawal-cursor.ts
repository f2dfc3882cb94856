/** The only writer of withdrawal_cursor and unmatched_transactions. */
import { type Selectable, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

export type WithdrawalCursor = Omit<
  Selectable<Tables['withdrawal_cursor']>,
  'singleton' | 'updated_at' | 'database_timeline'
>;
export type UnmatchedTransaction = Selectable<Tables['unmatched_transactions']>;

/** The wallet of this row of `withdrawals` has a transaction in the ledger that nobody has explained. */
export const hasUnmatched = sql<boolean>`exists (
  select from unmatched_transactions unmatched where unmatched.wallet_id = withdrawals.wallet_id and unmatched.resolved_at is null)`;

/** `is_copied`: the database was promoted or restored since the withdrawal cursor was here, maybe without its newest commits. */
export type WithdrawalCursorHere = WithdrawalCursor & { is_copied: boolean };

export async function readWithdrawalCursor(db: Db): Promise<WithdrawalCursorHere | undefined> {
  return db
    .selectFrom('withdrawal_cursor')
    .select(['ledger', 'ledger_hash', 'close_time', 'sign_after', 'stop_reason'])
    .select(sql<boolean>`database_timeline <> database_timeline()`.as('is_copied'))
    .executeTakeFirst();
}

/** For a database whose accounting has not begun: another process may be doing the same. */
export async function beginWithdrawalCursor(
  db: Db,
  cursor: Omit<WithdrawalCursor, 'stop_reason'>,
): Promise<void> {
  await db
    .insertInto('withdrawal_cursor')
    .values(cursor)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** False, and nothing is changed, when another process has moved it, or put signing off, since it was read as `from`. */
export async function moveWithdrawalCursor(
  db: Db,
  { from, to, now }: { from: WithdrawalCursor; to: Omit<WithdrawalCursor, 'stop_reason'>; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('withdrawal_cursor')
    .set({ ...to, stop_reason: null, updated_at: now })
    .where('ledger', '=', from.ledger)
    .where('ledger_hash', 'is not distinct from', from.ledger_hash)
    .where('sign_after', '=', from.sign_after)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** On this copy of the database nothing is signed before a ledger has closed at `sign_after`, or later if that was said. */
export async function postponeSigning(db: Db, sign_after: bigint): Promise<void> {
  await db
    .updateTable('withdrawal_cursor')
    .set({
      sign_after: sql`greatest(sign_after, ${sign_after}::bigint)`,
      database_timeline: sql`database_timeline()`,
    })
    .execute();
}

/** False when that is known already. */
export async function recordStopReason(db: Db, stop_reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('withdrawal_cursor')
    .set({ stop_reason })
    .where('stop_reason', 'is distinct from', stop_reason)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export type NewUnmatched = Pick<
  UnmatchedTransaction,
  'hash' | 'wallet_id' | 'ledger' | 'envelope_xdr' | 'result_xdr'
>;

export async function insertUnmatched(db: Db, unmatched: NewUnmatched[]): Promise<void> {
  if (unmatched.length === 0) return;
  await db
    .insertInto('unmatched_transactions')
    .values(unmatched)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Those that nobody has judged, oldest first. */
export async function listUnmatched(db: Db): Promise<UnmatchedTransaction[]> {
  return db
    .selectFrom('unmatched_transactions')
    .selectAll()
    .where('resolved_at', 'is', null)
    .orderBy('ledger')
    .orderBy('hash')
    .execute();
}

export async function findUnmatched(db: Db, hash: string): Promise<UnmatchedTransaction | undefined> {
  return db
    .selectFrom('unmatched_transactions')
    .selectAll()
    .where('hash', '=', hash)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
}

/** The unmatched transaction that a person has found to be this withdrawal's payment. */
export async function unmatchedAssignedTo(
  db: Db,
  withdrawal_id: string,
): Promise<UnmatchedTransaction | undefined> {
  return db
    .selectFrom('unmatched_transactions')
    .selectAll()
    .where('withdrawal_id', '=', withdrawal_id)
    .executeTakeFirst();
}

/** False, and nothing is changed, when somebody else has judged it. */
export async function resolveUnmatched(
  db: Db,
  { hash, withdrawal_id, now }: { hash: string; withdrawal_id: string | null; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('unmatched_transactions')
    .set({ resolved_at: now, withdrawal_id })
    .where('hash', '=', hash)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** How many transactions of the wallet nobody has explained. */
export async function countUnmatched(db: Db, wallet_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('unmatched_transactions')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('wallet_id', '=', wallet_id)
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** How many wallets are held by unmatched transactions: nothing is signed for them. */
export async function countBlockedWallets(db: Db): Promise<bigint> {
  const { count } = await db
    .selectFrom('unmatched_transactions')
    .select(sql<bigint>`count(distinct wallet_id)`.as('count'))
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
