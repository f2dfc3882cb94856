/** Reads what awaits approvals. The rows are written by engine/store.ts and policies/change-store.ts. */
import { sql } from 'kysely';
import { type DecidedPage, newestDecided } from '../../approvals/decided.ts';
import type { PageInVain } from '../../approvals/end-in-vain.ts';
import { isInVain } from '../../approvals/requesters.ts';
import type { Db, Trx } from '../../db/database.ts';
import type { PageRequest } from '../../db/newest-first.ts';
import { columns, TRUST_LINE_OPERATIONS, type Withdrawal } from '../engine/store.ts';

/**
 * Reads a withdrawal and locks its row: no other transaction changes it until this one ends.
 * Undefined when the wallet has no withdrawal of this id.
 */
export async function lockWithdrawal(
  trx: Trx,
  wallet_id: string,
  id: string,
): Promise<Withdrawal | undefined> {
  return trx
    .selectFrom('withdrawals')
    .select(columns)
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('operation', 'not in', TRUST_LINE_OPERATIONS)
    .forUpdate()
    .executeTakeFirst();
}

export async function findAgain(trx: Trx, id: string): Promise<Withdrawal> {
  return trx.selectFrom('withdrawals').select(columns).where('id', '=', id).executeTakeFirstOrThrow();
}

/**
 * Withdrawals that await approvals in vain, oldest first, with their teams: their time is over, or whoever asked was removed or
 * disabled.
 */
export async function withdrawalsInVain(
  db: Db,
  now: Date,
  { after, limit }: PageInVain,
): Promise<Withdrawal[]> {
  return db
    .selectFrom('withdrawals')
    .select(columns)
    .where('status', '=', 'awaiting_approval')
    .where(isInVain(REQUEST, now))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

const REQUEST = {
  expires_at: 'withdrawals.approval_expires_at',
  requested_by: 'withdrawals.requested_by',
  team_id: 'withdrawals.owner_id',
  created_at: 'withdrawals.created_at',
};

/** Of which wallets: all of a team, or of these only. */
export type WalletsOf = { team_id: string; wallet_ids: string[] | null };

/** Returns the withdrawals that await approvals, newest first. `before`: the end of an id, without its prefix. */
export async function awaitingWithdrawals(
  db: Db,
  { team_id, wallet_ids }: WalletsOf,
  { limit, before }: PageRequest,
): Promise<Withdrawal[]> {
  let query = db
    .selectFrom('withdrawals')
    .select(columns)
    .where('owner_id', '=', team_id)
    .where('status', '=', 'awaiting_approval')
    .orderBy('id', 'desc')
    .limit(limit);
  if (wallet_ids) query = query.where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`);
  if (before !== undefined) query = query.where('id', '<', `wd_${before}`);
  return query.execute();
}

/** Returns the withdrawals that awaited approvals and no longer do, newest decision first. */
export async function decidedWithdrawals(
  db: Db,
  { team_id, wallet_ids }: WalletsOf,
  page: DecidedPage,
): Promise<Withdrawal[]> {
  const decided_at = sql<Date>`coalesce(withdrawals.approved_at, withdrawals.settled_at)`;
  const { where, order } = newestDecided('withdrawals', { team_id: 'owner_id', decided_at }, team_id, page);
  let query = db
    .selectFrom('withdrawals')
    .select(columns)
    .where(where)
    // Literals: with parameters PostgreSQL would not see that the partial index has these rows.
    .where(sql<boolean>`order_hash is not null and payout_id is null and status <> 'awaiting_approval'`)
    .orderBy(order)
    .limit(page.limit);
  if (wallet_ids) query = query.where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`);
  return query.execute();
}
