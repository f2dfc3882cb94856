/** The only writer of lanes, and of which lane a waiting withdrawal has: what is given out and taken back is one statement. */
import { sql } from 'kysely';
import { isAccounted } from '../db/accounted.ts';
import type { Db, Trx } from '../db/database.ts';
import { hasOpenStray } from './cursor-store.ts';
import { anyOf, columns, type Withdrawal } from './store.ts';

/** A withdrawal that has its lane, with what signing needs of its wallet and its lane. */
export type Boarded = Withdrawal & {
  lane: string;
  last_sequence: bigint | null;
  trouble: string | null;
  wallet_account: string;
  wallet_sealed_seed: Buffer;
  /** Null when the lane is the wallet's own account. */
  channel_id: string | null;
  channel_sealed_seed: Buffer | null;
};

/**
 * Nothing gets a lane while an older copy of the database may have envelopes in flight, or for a wallet with a
 * transaction in the ledger that nobody has explained.
 */
const mayBoard = sql`exists (select from settle_cursor where ${isAccounted})`;
const isHeld = sql`(
  ${hasOpenStray}
  or exists (select from wallets join lanes on lanes.account = wallets.account
              where wallets.id = withdrawals.wallet_id and lanes.trouble is not null))`;

/** It came after the wallets' own accounts were given out, and is next for its own: a channel would cost it another fee. */
const hasOwnLaneFree = sql`exists (select from wallets join lanes on lanes.account = wallets.account
              where wallets.id = withdrawals.wallet_id and lanes.holder is null)`;

/**
 * Gives lanes to queued withdrawals, oldest of each wallet first and wallets in turn: the wallets' own accounts, then
 * channel accounts, `limit` of them at most. Every row that two processes could want is locked or skipped, so each is given once.
 * @returns the ids of those that have one now
 */
export async function takeLanes(db: Db, { until, limit }: { until: Date; limit: number }): Promise<string[]> {
  const own = await takeOwnLanes(db, until, limit);
  if (own.length >= limit) return own;
  return [...own, ...(await takeChannels(db, until, limit - own.length))];
}

async function takeOwnLanes(db: Db, until: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with heads as (
      select distinct on (wallet_id) id, wallet_id from withdrawals
       where status = 'queued' and lane is null and not ${isHeld} and ${mayBoard}
       order by wallet_id, id
    ), candidates as (
      select withdrawals.id, withdrawals.wallet_id from withdrawals
       where id in (select id from heads) and status = 'queued' and lane is null
       order by id for update skip locked
    ), pairs as (
      select lanes.account, candidates.id
        from candidates join wallets on wallets.id = candidates.wallet_id
             join lanes on lanes.account = wallets.account
       where lanes.holder is null and lanes.trouble is null
       order by candidates.id limit ${limit}
         for update of lanes skip locked
    ), ${givePairs(until)}
  `.execute(db);
  return rows.map(({ id }) => id);
}

async function takeChannels(db: Db, until: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with free as (
      select lanes.account from lanes join channels on channels.account = lanes.account
       where lanes.kind = 'channel' and lanes.holder is null and lanes.trouble is null and channels.status = 'active'
         and ${mayBoard} and exists (select from withdrawals where status = 'queued' and lane is null)
       order by lanes.account limit ${limit}
         for update of lanes skip locked
    ), turns as (
      select id, row_number() over (partition by wallet_id order by id) as turn
        from withdrawals where status = 'queued' and lane is null and not ${isHeld} and not ${hasOwnLaneFree}
    ), next as (
      select id from turns order by turn, id limit (select count(*) from free)
    ), candidates as (
      select id from withdrawals where id in (select id from next) and status = 'queued' and lane is null
         for update skip locked
    ), pairs as (
      select account, id from (select account, row_number() over () as place from free) lane
        join (select id, row_number() over (order by id) as place from candidates) candidate using (place)
    ), ${givePairs(until)}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The end of both statements: each lane of `pairs` to its withdrawal. */
function givePairs(until: Date) {
  return sql`taken as (
      update lanes set holder = pairs.id from pairs where lanes.account = pairs.account
      returning lanes.account, lanes.holder
    )
    update withdrawals set lane = taken.account, leased_until = ${until}
      from taken where withdrawals.id = taken.holder
    returning withdrawals.id`;
}

/** Those of them that still wait to be signed, oldest first. */
export async function readBoarded(db: Db, ids: string[]): Promise<Boarded[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('withdrawals')
    .innerJoin('lanes', (join) =>
      join.onRef('lanes.account', '=', 'withdrawals.lane').onRef('lanes.holder', '=', 'withdrawals.id'),
    )
    .innerJoin('wallets', 'wallets.id', 'withdrawals.wallet_id')
    .leftJoin('channels', 'channels.account', 'lanes.account')
    .select(columns.map((column) => `withdrawals.${column}` as const))
    .select(['lanes.account as lane', 'lanes.last_sequence', 'lanes.trouble'])
    .select(['wallets.account as wallet_account', 'wallets.sealed_seed as wallet_sealed_seed'])
    .select(['channels.id as channel_id', 'channels.sealed_seed as channel_sealed_seed'])
    .where('withdrawals.id', '=', anyOf(ids))
    .where('withdrawals.status', '=', 'queued')
    .orderBy('withdrawals.id')
    .execute();
}

/** A wallet's own account becomes a lane with its first withdrawal. */
export async function insertOwnLanes(db: Db, accounts: string[]): Promise<void> {
  await db
    .insertInto('lanes')
    .values(accounts.map((account) => ({ account })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Channel accounts that are on the ledger from now on: their lanes can be given out. */
export async function openChannelLanes(trx: Trx, accounts: string[]): Promise<void> {
  await trx
    .insertInto('lanes')
    .values(accounts.map((account) => ({ account, kind: 'channel' as const })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes these lanes away for good, but for those that a withdrawal holds; true when none is held. */
export async function closeChannelLanes(trx: Trx, accounts: string[]): Promise<boolean> {
  await trx.deleteFrom('lanes').where('account', 'in', accounts).where('holder', 'is', null).execute();
  const held = await trx.selectFrom('lanes').select('account').where('account', 'in', accounts).execute();
  return held.length === 0;
}

/** The withdrawal waits for another lane: this one cannot be used, and nothing of it was signed. */
export async function giveBackLane(db: Db, { id, lane }: { id: string; lane: string }): Promise<void> {
  await sql`
    with freed as (
      update withdrawals set lane = null where id = ${id} and lane = ${lane} and status = 'queued' returning id
    )
    update lanes set holder = null where account = ${lane} and holder in (select id from freed)
  `.execute(db);
}

/** Moves the lanes' last sequence numbers to those that the ledger shows, never back. */
export async function followSequences(db: Db, used: { account: string; sequence: bigint }[]): Promise<void> {
  if (used.length === 0) return;
  await sql`
    update lanes set last_sequence = greatest(last_sequence, used.sequence)
      from (select account, max(sequence) as sequence
              from unnest(${used.map(({ account }) => account)}::text[],
                          ${used.map(({ sequence }) => sequence)}::bigint[]) as used (account, sequence)
             group by account) used
     where lanes.account = used.account
  `.execute(db);
}

/** Frees the lanes that these settled withdrawals hold; what troubled them is over with the withdrawal. */
export async function freeLanes(db: Db, withdrawal_ids: string[]): Promise<void> {
  await db
    .updateTable('lanes')
    .set({ holder: null, trouble: null })
    .where('holder', '=', anyOf(withdrawal_ids))
    .execute();
}

/** Says why the lane stands still, or with null that it does no more. False when that is known already. */
export async function recordLaneTrouble(
  db: Db,
  { account, holder, trouble }: { account: string; holder: string; trouble: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lanes')
    .set({ trouble })
    .where('account', '=', account)
    .where('holder', '=', holder)
    .where('trouble', 'is distinct from', trouble)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Lets channels be tried again that were found out of order: a node that lied about them, or lagged, is another one by
 * now. One that is still out of order is noticed at once. (A wallet's own account keeps its withdrawal, which looks again.)
 */
export async function retryChannels(db: Db): Promise<void> {
  await db
    .updateTable('lanes')
    .set({ trouble: null })
    .where('kind', '=', 'channel')
    .where('holder', 'is', null)
    .where('trouble', 'is not', null)
    .execute();
}

/** Lanes for which nothing is signed, with the reason and how many withdrawals they hold or keep waiting. */
export async function lanesInTrouble(
  db: Db,
): Promise<{ account: string; trouble: string; waiting: bigint }[]> {
  const { rows } = await sql<{ account: string; trouble: string; waiting: bigint }>`
    select lanes.account, lanes.trouble,
           (select count(*) from withdrawals left join wallets on wallets.id = withdrawals.wallet_id
             where withdrawals.status in ('queued', 'signed')
               and (withdrawals.lane = lanes.account or wallets.account = lanes.account)) as waiting
      from lanes where lanes.trouble is not null order by lanes.account
  `.execute(db);
  return rows;
}

/** Why nothing is signed on this lane; null when it is, or there is no such lane yet. */
export async function laneTrouble(db: Db, account: string): Promise<string | null> {
  const lane = await db
    .selectFrom('lanes')
    .select('trouble')
    .where('account', '=', account)
    .executeTakeFirst();
  return lane?.trouble ?? null;
}

/** Channel accounts that lanes are given out of; `free` could be given out now. */
export async function countChannelLanes(db: Db): Promise<{ total: number; free: number; troubled: number }> {
  return db
    .selectFrom('lanes')
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (where holder is null and trouble is null))::int`.as('free'),
      sql<number>`(count(*) filter (where trouble is not null))::int`.as('troubled'),
    ])
    .where('kind', '=', 'channel')
    .executeTakeFirstOrThrow();
}

/** An operator has found out what used the sequence numbers up to this one: signing goes on after it. */
export async function acceptSequence(db: Db, account: string, sequence: bigint): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lanes')
    .set({ last_sequence: sequence, trouble: null })
    .where('account', '=', account)
    .where('trouble', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
