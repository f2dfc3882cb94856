/** The only writer of payouts. Each change of a status names the statuses that it starts from (change-payout.ts). */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type DecidedPage, newestDecided } from '../../approvals/decided.ts';
import type { PageInVain } from '../../approvals/end-in-vain.ts';
import { isInVain } from '../../approvals/requesters.ts';
import type { Db, Trx } from '../../db/database.ts';
import { newestFirst, type PageRequest } from '../../db/newest-first.ts';
import { begins, contains, possible } from '../../db/search.ts';
import { foundIds, SEARCHED, selectFound } from '../../db/search-wallets.ts';
import type { Tables } from '../../db/tables.ts';
import { isBlockedWallet } from '../engine/tx-source-store.ts';

export type Payout = Selectable<Tables['payouts']>;
export type PayoutStatus = Payout['status'];

export type NewPayout = Pick<
  Payout,
  | 'id'
  | 'wallet_id'
  | 'owner_id'
  | 'name'
  | 'retry_of'
  | 'row_count'
  | 'rows_hash'
  | 'created_by'
  | 'created_at'
>;

export async function insertPayout(trx: Trx, payout: NewPayout): Promise<void> {
  await trx
    .insertInto('payouts')
    .values({ ...payout, status: 'draft' })
    .execute();
}

export async function findPayout(db: Db, wallet_id: string, id: string): Promise<Payout | undefined> {
  return db
    .selectFrom('payouts')
    .selectAll()
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns the payouts of a wallet, newest first. */
export async function listPayouts(
  db: Db,
  wallet_id: string,
  { limit, before }: PageRequest,
): Promise<Payout[]> {
  const { where, order } = newestFirst('payouts', { wallet_id }, before);
  return db.selectFrom('payouts').selectAll().where(where).orderBy(order).limit(limit).execute();
}

/** Payouts of a wallet whose names a search over wallets reads. */
const NAMES_READ = 200;

/** Returns what a search over wallets finds: payouts by the beginning of their id, and the newest by a part of their name. */
export function searchesOfPayouts(text: string): RawBuilder<unknown>[] {
  const has_id = begins('payouts.id', text.toLowerCase(), /^pay/i.test(text));
  const newest = sql`select id, name from payouts where wallet_id = ${SEARCHED.id}
                      order by wallet_id desc, id desc limit ${NAMES_READ}`;
  const ids = foundIds([
    ...possible([has_id]).map(
      (way) => sql`select id from payouts where wallet_id = ${SEARCHED.id} and ${way}`,
    ),
    sql`select id from (${newest}) as payout where ${contains('payout.name', text)}`,
  ]);
  const columns = { id: sql`id`, wallet_id: sql`wallet_id`, name: sql`name`, created_at: sql`created_at` };
  return [selectFound('payout', columns, sql`payouts where id = any(${ids})`)];
}

/** Reads a payout and locks its row: no other transaction changes it until this one ends. */
export async function lockPayout(trx: Trx, wallet_id: string, id: string): Promise<Payout | undefined> {
  return trx
    .selectFrom('payouts')
    .selectAll()
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Reads and locks a payout for a loop: undefined when it does not run, or another process works on it. */
export async function lockRunning(trx: Trx, id: string): Promise<Payout | undefined> {
  return trx
    .selectFrom('payouts')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'running')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** `wallet_account`: G… that pays. */
export type RunningPayout = Payout & { wallet_account: string };

/** Returns the payouts that may begin rows now. What a blocked wallet begins would wait until an operator has decided. */
export async function listBeginning(db: Db): Promise<RunningPayout[]> {
  return db
    .selectFrom('payouts')
    .innerJoin('wallet_accounts', 'wallet_accounts.id', 'payouts.wallet_id')
    .selectAll('payouts')
    .select('wallet_accounts.account as wallet_account')
    .where('status', '=', 'running')
    .where(({ not }) => not(isBlockedWallet(sql.ref('payouts.wallet_id'))))
    .orderBy('payouts.id')
    .execute();
}

type Change = Partial<
  Pick<
    Payout,
    | 'status'
    | 'reason_code'
    | 'reason'
    | 'requested_by'
    | 'requested_at'
    | 'approvals_required'
    | 'approvals_cause'
    | 'order_hash'
    | 'approval_expires_at'
    | 'approved_at'
    | 'started_at'
    | 'settled_at'
  > & { approvals: Payout['approvals'] }
>;

/** Records a change. Call it with the payout locked. Returns false when the payout has none of the statuses `from`. */
export async function recordChange(
  trx: Trx,
  id: string,
  from: readonly PayoutStatus[],
  { approvals, ...change }: Change,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('payouts')
    .set({ ...change, ...(approvals && { approvals: JSON.stringify(approvals) }) })
    .where('id', '=', id)
    .where('status', 'in', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Payouts that have begun and have no row left that waits or is pending. */
export async function listFinished(db: Db): Promise<Pick<Payout, 'id' | 'wallet_id' | 'owner_id'>[]> {
  const { rows } = await sql<Pick<Payout, 'id' | 'wallet_id' | 'owner_id'>>`
    select id, wallet_id, owner_id from payouts
     where status in ('running', 'paused') and not exists (
       select from payout_rows where payout_id = payouts.id and status in ('waiting', 'pending'))
  `.execute(db);
  return rows;
}

/** Returns the payouts that await approvals in vain: their time is over, or whoever started them was removed or disabled. */
export async function payoutsInVain(db: Db, now: Date, { after, limit }: PageInVain): Promise<Payout[]> {
  return db
    .selectFrom('payouts')
    .selectAll()
    .where('status', '=', 'awaiting_approval')
    .where(isInVain(REQUEST, now))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

const REQUEST = {
  expires_at: 'payouts.approval_expires_at',
  requested_by: 'payouts.requested_by',
  team_id: 'payouts.owner_id',
  created_at: 'payouts.requested_at',
};

export async function countAwaitingPayouts(trx: Trx, wallet_id: string): Promise<number> {
  const { count } = await trx
    .selectFrom('payouts')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('wallet_id', '=', wallet_id)
    .where('status', '=', 'awaiting_approval')
    .executeTakeFirstOrThrow();
  return count;
}

export type OpenPayoutState = 'awaiting_approval' | 'running' | 'paused';

/** Counts the payouts that have been started and have not ended, by status. */
export async function countOpenPayouts(db: Db): Promise<Record<OpenPayoutState, number>> {
  const rows = await db
    .selectFrom('payouts')
    .select(['status', sql<number>`count(*)::int`.as('count')])
    // Literals: with parameters PostgreSQL would not see that the partial indexes have these rows.
    .where(sql<boolean>`(status = 'awaiting_approval' or status in ('running', 'paused'))`)
    .groupBy('status')
    .execute();
  const none = { awaiting_approval: 0, running: 0, paused: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) };
}

/** Returns the payouts that await approvals, newest first. `before`: the end of an id, without its prefix. */
export async function awaitingPayouts(
  db: Db,
  { team_id, wallet_ids }: { team_id: string; wallet_ids: string[] | null },
  { limit, before }: PageRequest,
): Promise<Payout[]> {
  let query = db
    .selectFrom('payouts')
    .selectAll()
    .where('owner_id', '=', team_id)
    .where('status', '=', 'awaiting_approval')
    .orderBy('id', 'desc')
    .limit(limit);
  if (wallet_ids) query = query.where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`);
  if (before !== undefined) query = query.where('id', '<', `pay_${before}`);
  return query.execute();
}

/** Returns the payouts that awaited approvals and no longer do, newest decision first. */
export async function decidedPayouts(
  db: Db,
  { team_id, wallet_ids }: { team_id: string; wallet_ids: string[] | null },
  page: DecidedPage,
): Promise<Payout[]> {
  const decided_at = sql<Date>`coalesce(payouts.approved_at, payouts.settled_at)`;
  const { where, order } = newestDecided('payouts', { team_id: 'owner_id', decided_at }, team_id, page);
  let query = db
    .selectFrom('payouts')
    .selectAll()
    .where(where)
    // Literals: with parameters PostgreSQL would not see that the partial index has these rows.
    .where(sql<boolean>`order_hash is not null and status <> 'awaiting_approval'`)
    .orderBy(order)
    .limit(page.limit);
  if (wallet_ids) query = query.where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`);
  return query.execute();
}
