/** The only writer of unmatched_transactions: outgoing transactions in the ledger that match no withdrawal. */
import { type Selectable, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

export type UnmatchedTransaction = Selectable<Tables['unmatched_transactions']>;

/** A condition on a row of `withdrawals`: its wallet has an unresolved unmatched transaction. */
export const hasUnmatched = sql<boolean>`exists (
  select from unmatched_transactions unmatched where unmatched.wallet_id = withdrawals.wallet_id and unmatched.resolved_at is null)`;

/** A condition on a row of `withdrawals`: an operator has assigned an unmatched transaction to it as its payment. */
export const hasAssignedPayment = sql<boolean>`exists (
  select from unmatched_transactions unmatched where unmatched.withdrawal_id = withdrawals.id)`;

export type NewUnmatched = Pick<
  UnmatchedTransaction,
  'hash' | 'wallet_id' | 'ledger' | 'envelope_xdr' | 'result_xdr'
>;

/** A transaction that is known already stays as it is, resolved or not: its ledger may be read again after a rewind. */
export async function insertUnmatched(db: Db, unmatched: NewUnmatched[]): Promise<void> {
  if (unmatched.length === 0) return;
  await db
    .insertInto('unmatched_transactions')
    .values(unmatched)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The unresolved transactions, oldest first. */
export async function listUnmatched(db: Db): Promise<UnmatchedTransaction[]> {
  return db
    .selectFrom('unmatched_transactions')
    .selectAll()
    .where('resolved_at', 'is', null)
    .orderBy('ledger')
    .orderBy('hash')
    .execute();
}

/** The unresolved transaction with this hash. */
export async function findUnmatched(db: Db, hash: string): Promise<UnmatchedTransaction | undefined> {
  return db
    .selectFrom('unmatched_transactions')
    .selectAll()
    .where('hash', '=', hash)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
}

/** The unmatched transaction that an operator has assigned to this withdrawal as its payment. */
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

/** The wallet's unmatched transactions that are not the payment of a withdrawal, resolved or not, oldest first. */
export async function unmatchedWithoutWithdrawal(
  db: Db,
  wallet_id: string,
): Promise<{ hash: string; ledger: number }[]> {
  return db
    .selectFrom('unmatched_transactions')
    .select(['hash', 'ledger'])
    .where('wallet_id', '=', wallet_id)
    .where('withdrawal_id', 'is', null)
    .orderBy('ledger')
    .execute();
}

/**
 * `withdrawal_id` null: the transaction is not the payment of a withdrawal. False, and nothing is changed, when it is
 * resolved already.
 */
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

/** How many unmatched transactions of the wallet are unresolved. */
export async function countUnmatched(db: Db, wallet_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('unmatched_transactions')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('wallet_id', '=', wallet_id)
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** The number of wallets that are blocked by unmatched transactions. Nothing is signed for these wallets. */
export async function countBlockedWallets(db: Db): Promise<bigint> {
  const { count } = await db
    .selectFrom('unmatched_transactions')
    .select(sql<bigint>`count(distinct wallet_id)`.as('count'))
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
