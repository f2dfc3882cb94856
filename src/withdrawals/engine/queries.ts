/** Reads of withdrawals, and of their wallets and transaction sources. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { newestFirst, type PageRequest } from '../../db/newest-first.ts';
import { hasAssignedPayment, hasForgottenPayment, hasUnmatched } from '../../ledgers/unmatched-store.ts';
import { processedLedger } from '../../ledgers/withdrawal-cursor.ts';
import { firstId } from '../../lib/ids.ts';
import type { InQueue } from './congestion-window.ts';
import { OPEN, WITH_OUTCOME } from './states.ts';
import { columns, isAnyOf, TRUST_LINE_OPERATIONS, type Withdrawal } from './store.ts';

/** Returns those of these withdrawals that have their outcome, in the order of their claims. Their requests are answered in this order. */
export async function idsWithOutcome(db: Db, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('id', '=', isAnyOf(ids))
    .where('status', 'in', WITH_OUTCOME)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Of all withdrawals without an outcome, also those that await approvals; in the words of two small indexes. */
export const hasNoOutcome = sql<boolean>`(withdrawals.status in (${sql.join(OPEN.map((status) => sql.lit(status)))})
  or withdrawals.status = 'awaiting_approval')`;

/** Reads the wallet's withdrawals that have no outcome yet. */
export async function openOfWallet(db: Db, wallet_id: string): Promise<Withdrawal[]> {
  return db
    .selectFrom('withdrawals')
    .select(columns)
    .where('wallet_id', '=', wallet_id)
    .where(hasNoOutcome)
    .execute();
}

/** Reads the withdrawals without an outcome whose keys a forgotten payment in the ledger pays, in the order of their claims. */
export async function openWithForgottenPayment(db: Db): Promise<Withdrawal[]> {
  return db
    .selectFrom('withdrawals')
    .select(columns)
    .where(hasNoOutcome)
    .where(hasForgottenPayment)
    .orderBy('id')
    .execute();
}

/**
 * Returns the hashes of those transactions whose key, by its fingerprint, is the key of a withdrawal with an outcome. Reads every
 * withdrawal of their wallets: call it only for transactions that match no withdrawal.
 */
export async function withSettledKeys(
  db: Db,
  transactions: { hash: string; wallet_id: string; key_fingerprint: number }[],
): Promise<string[]> {
  if (transactions.length === 0) return [];
  const of = <K extends keyof (typeof transactions)[number]>(key: K) => transactions.map((each) => each[key]);
  const { rows } = await sql<{ hash: string }>`
    with given as (
      select * from unnest(${of('hash')}::text[], ${of('wallet_id')}::text[], ${of('key_fingerprint')}::int[])
                 as given (hash, wallet_id, key_fingerprint)
    ), settled as materialized (
      select wallet_id, key_fingerprint(wallet_id, idempotency_key) as key_fingerprint from withdrawals
       where wallet_id in (select wallet_id from given) and settled_at is not null
    )
    select hash from given where exists (
      select from settled
       where settled.wallet_id = given.wallet_id and settled.key_fingerprint = given.key_fingerprint)
  `.execute(db);
  return rows.map(({ hash }) => hash);
}

/**
 * Finds which of these accounts (G…) a signed withdrawal creates now, and which ones a withdrawal has created after the ledger in which the
 * network did not have them yet.
 */
export async function creationsOf(
  db: Db,
  accounts: string[],
  ledger: number,
): Promise<{ in_flight: Set<string>; done: Set<string> }> {
  const { rows } = await sql<{ account: string; in_flight: boolean }>`
    select destination as account, status = 'signed' as in_flight from withdrawals
     where destination = any(${accounts}::text[]) and operation = 'create_account'
       and (status = 'signed' or (status = 'confirmed' and ledger > ${ledger}))
  `.execute(db);
  const accountsOf = (in_flight: boolean) =>
    new Set(rows.filter((row) => row.in_flight === in_flight).map(({ account }) => account));
  return { in_flight: accountsOf(true), done: accountsOf(false) };
}

/** Returns those of these withdrawals that no unmatched transaction holds back. */
export function withoutUnmatched(db: Db, ids: string[]): Promise<Set<string>> {
  return idsWhere(db, ids, sql<boolean>`not ${hasUnmatched}`);
}

/** Counts the withdrawals that wait for a transaction source: single ones, and rows of payouts. */
export async function countWaiting(db: Db): Promise<{ singles: number; of_payouts: number }> {
  return db
    .selectFrom('withdrawals')
    .select(sql<number>`(count(*) filter (where payout_id is null))::int`.as('singles'))
    .select(sql<number>`(count(*) filter (where payout_id is not null))::int`.as('of_payouts'))
    .where('status', '=', 'queued')
    .where('tx_source', 'is', null)
    .executeTakeFirstOrThrow();
}

/** Counts what all processes have in the network's queue: signed, and not over at this close time (Unix seconds). */
export async function countInQueue(db: Db, close_time: bigint): Promise<InQueue> {
  const isCall = sql`operation = 'contract_transfer'`;
  const operations = sql`case when cardinality(fee_bump_hashes) > 0 then 2 else 1 end`;
  return db
    .selectFrom('withdrawals')
    .select(sql<number>`coalesce(sum(${operations}) filter (where not ${isCall}), 0)::int`.as('operations'))
    .select(sql<number>`(count(*) filter (where ${isCall}))::int`.as('contract_calls'))
    .where('status', '=', 'signed')
    .where('max_time', '>=', close_time)
    .executeTakeFirstOrThrow();
}

/** Returns true when withdrawals of more than one team were claimed since then, whatever became of them. */
export async function severalTeamsSince(db: Db, since: Date): Promise<boolean> {
  const first = firstId('wd', since);
  const { rows } = await sql<{ several: boolean }>`
    select exists (
      select from withdrawals
       where id >= ${first}
         and owner_id <> (select owner_id from withdrawals where id >= ${first} order by id limit 1)) as several`.execute(
    db,
  );
  return rows[0]?.several ?? false;
}

export async function hasWithdrawals(db: Db): Promise<boolean> {
  const any = await db.selectFrom('withdrawals').select('id').limit(1).executeTakeFirst();
  return any !== undefined;
}

/** Finds withdrawals by id; an unknown id is not in the map. */
export async function findWithdrawals(
  db: Db,
  ids: string[],
  condition: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<Map<string, Withdrawal>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('withdrawals')
    .select(columns)
    .where('id', '=', isAnyOf(ids))
    .where(condition)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns the withdrawals whose envelopes must not be sent, because an unmatched transaction may have paid them. Sending could
 * pay them twice.
 */
export function keptBack(db: Db, ids: string[]): Promise<Set<string>> {
  return idsWhere(db, ids, sql<boolean>`(${hasUnmatched} or ${hasAssignedPayment})`);
}

/** Returns those of these withdrawals that meet the condition. */
async function idsWhere(db: Db, ids: string[], condition: RawBuilder<boolean>): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('id', '=', isAnyOf(ids))
    .where(condition)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Finds withdrawals by inner hash; an unknown hash is not in the map. */
export async function findByInnerHash(db: Db, hashes: string[]): Promise<Map<string, Withdrawal>> {
  if (hashes.length === 0) return new Map();
  const rows = await db
    .selectFrom('withdrawals')
    .select(columns)
    .where('inner_tx_hash', '=', isAnyOf(hashes))
    .execute();
  return new Map(rows.map((row) => [row.inner_tx_hash as string, row]));
}

/** Adds up the fees that all signed withdrawals without an outcome bid together, in stroops, whoever pays them. */
export async function openBids(db: Db): Promise<bigint> {
  const { bids } = await db
    .selectFrom('withdrawals')
    .select(sql<bigint>`coalesce(sum(fee_bid_stroops), 0)::bigint`.as('bids'))
    .where('status', 'in', OPEN)
    .where('status', '=', 'signed')
    .executeTakeFirstOrThrow();
  return bids;
}

/** Adds up the fees that treasuries, or channels, were charged for transactions of wallets. Reads all withdrawals: for an operator. */
export async function feesPaidBy(
  db: Db,
  payer: 'treasury' | 'channel',
): Promise<{ count: bigint; stroops: bigint }> {
  return db
    .selectFrom('withdrawals')
    .select(sql<bigint>`count(*)`.as('count'))
    .select(sql<bigint>`coalesce(sum(fee_charged_stroops), 0)::bigint`.as('stroops'))
    .where('fee_paid_by', '=', payer)
    .executeTakeFirstOrThrow();
}

/** Finds the wallets among these accounts: account to wallet id. */
export async function walletsAmong(db: Db, accounts: string[]): Promise<Map<string, string>> {
  if (accounts.length === 0) return new Map();
  const rows = await db
    .selectFrom('wallet_accounts')
    .select(['id', 'account'])
    .where('account', '=', isAnyOf(accounts))
    .execute();
  return new Map(rows.map(({ id, account }) => [account, id]));
}

/**
 * Finds the channels among these accounts: active ones, and those that a restored copy still shows as being made. Such a channel
 * may become active while its transactions are read, and must have their sequence numbers then.
 */
export async function channelsAmong(db: Db, accounts: string[]): Promise<Set<string>> {
  if (accounts.length === 0) return new Set();
  const rows = await db
    .selectFrom('channels')
    .select('account')
    .where('account', '=', isAnyOf(accounts))
    .execute();
  return new Set(rows.map(({ account }) => account));
}

/** Finds the owners' withdrawals with these keys. */
export async function findByKeys(
  db: Db,
  keys: { owner_id: string; idempotency_key: string }[],
): Promise<Withdrawal[]> {
  const { rows } = await sql<Withdrawal>`
    select ${sql.join(columns.map((column) => sql.ref(`withdrawals.${column}`)))}
      from withdrawals join unnest(${keys.map(({ owner_id }) => owner_id)}::text[],
                                   ${keys.map(({ idempotency_key }) => idempotency_key)}::text[])
           as asked (owner_id, idempotency_key) using (owner_id, idempotency_key)
  `.execute(db);
  return rows;
}

export async function findOfWallet(db: Db, wallet_id: string, id: string): Promise<Withdrawal | undefined> {
  return db
    .selectFrom('withdrawals')
    .select(columns)
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .where('operation', 'not in', TRUST_LINE_OPERATIONS)
    .executeTakeFirst();
}

/** Lists withdrawals of a wallet, newest first. */
export async function listOfWallet(
  db: Db,
  wallet: { id: string; owner_id: string },
  filter: { idempotency_key?: string | undefined; status?: 'awaiting_approval' | undefined },
  page: PageRequest,
): Promise<Withdrawal[]> {
  const { idempotency_key, status } = filter;
  const of_wallet = { wallet_id: wallet.id };
  const { where, unordered, order } = newestFirst('withdrawals', of_wallet, page.before, page.from);
  const all = db
    .selectFrom('withdrawals')
    .select(columns)
    .where('operation', 'not in', TRUST_LINE_OPERATIONS);
  const query = status === undefined ? all : all.where('status', '=', status);
  if (idempotency_key === undefined) return query.where(where).orderBy(order).limit(page.limit).execute();
  // With its owner, a key is one row of an index. Without, every key of the wallet would be read.
  return query
    .where('owner_id', '=', wallet.owner_id)
    .where('idempotency_key', '=', idempotency_key)
    .where(unordered)
    .execute();
}

/** More ledgers than the sources' fee statistics cover by default: 10 at stellar-rpc, 5 at Horizon. */
const FEE_STATS_LEDGERS = 50;

/** Returns true when a fee-bump of ours was charged this fee in one of the last ledgers. */
export async function paidByFeeBumpLately(db: Db, fee_stroops: bigint): Promise<boolean> {
  const paid = await db
    .selectFrom('withdrawals')
    .select('id')
    .where(({ and, or, eb }) =>
      or([
        eb('fee_stroops', '=', fee_stroops),
        // Of the treasury's fee-bumps the wallet pays nothing. The index has `fee_stroops`, not what was charged.
        and([eb('fee_stroops', '=', 0n), eb('fee_charged_stroops', '=', fee_stroops)]),
      ]),
    )
    .where('ledger', '>', sql<number>`${processedLedger} - ${FEE_STATS_LEDGERS}::int`)
    .whereRef('stellar_tx_hash', '<>', 'inner_tx_hash')
    .limit(1)
    .executeTakeFirst();
  return paid !== undefined;
}

/** Returns true when a fee-bumped contract transfer of ours is in one of the last ledgers. */
export async function bumpedContractTransferLately(db: Db): Promise<boolean> {
  const bumped = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('operation', '=', 'contract_transfer')
    .where('ledger', '>', sql<number>`${processedLedger} - ${FEE_STATS_LEDGERS}::int`)
    .whereRef('stellar_tx_hash', '<>', 'inner_tx_hash')
    .limit(1)
    .executeTakeFirst();
  return bumped !== undefined;
}

/** Returns the owner of the wallet: Idempotency-Keys are unique to an owner. */
export async function ownerOfWallet(db: Db, wallet_id: string): Promise<string> {
  const { owner_id } = await db
    .selectFrom('wallet_owners')
    .select('owner_id')
    .where('id', '=', wallet_id)
    .executeTakeFirstOrThrow();
  return owner_id;
}

/** The keys of an account that may pay a fee. */
export type StoredKey = { id: string; account: string; sealed_seed: Buffer };

const KEY = ['id', 'account', 'sealed_seed'] as const;

/** Finds the keys of this account, which is the wallet's own, or that of a channel or a treasury. */
export async function findPayerKey(
  db: Db,
  wallet_id: string,
  account: string,
): Promise<(StoredKey & { is_channel: boolean }) | undefined> {
  const isChannel = (is_channel: boolean) => sql<boolean>`${sql.lit(is_channel)}`.as('is_channel');
  return db
    .selectFrom('wallet_keys')
    .select([...KEY, isChannel(false)])
    .where('id', '=', wallet_id)
    .where('account', '=', account)
    .unionAll(
      db
        .selectFrom('channels')
        .select([...KEY, isChannel(true)])
        .where('account', '=', account),
    )
    .unionAll(
      db
        .selectFrom('treasury')
        .select([...KEY, isChannel(false)])
        .where('account', '=', account),
    )
    .executeTakeFirst();
}

/** Reads the keys of the wallet's own account. */
export async function ownKey(db: Db, wallet_id: string): Promise<StoredKey> {
  return db.selectFrom('wallet_keys').select(KEY).where('id', '=', wallet_id).executeTakeFirstOrThrow();
}

/** Reads the keys of the treasury that pays now; undefined when there is none. */
export async function newestTreasuryKey(db: Db): Promise<StoredKey | undefined> {
  return db.selectFrom('treasury').select(KEY).orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/** A withdrawal without an outcome; `assigned` is queued with a transaction source. */
export type OpenState = 'awaiting_approval' | 'queued' | 'assigned' | 'signed';

const MOST_COUNTED = 100_000;

/** Counts all withdrawals, with and without an outcome. */
export async function countWithdrawals(db: Db): Promise<bigint> {
  const { count } = await db
    .selectFrom('withdrawals')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts the withdrawals without an outcome in each state. */
export async function countOpen(db: Db): Promise<Record<OpenState, number>> {
  const { awaiting_approval, queued, assigned, signed } = await readOpen(db);
  return {
    awaiting_approval: awaiting_approval.count,
    queued: queued.count,
    assigned: assigned.count,
    signed: signed.count,
  };
}

export type OpenOfState = { count: number; oldest_at: Date | null };

/**
 * Reads the withdrawals without an outcome in each state: how many, and when the oldest of them was claimed, or approved last. At
 * most MOST_COUNTED rows are looked at.
 */
export async function readOpen(db: Db): Promise<Record<OpenState, OpenOfState>> {
  const columns = sql`status, tx_source, coalesce(approved_at, created_at) as since`;
  const { rows } = await sql<OpenOfState & { state: OpenState }>`
    select case when status = 'queued' and tx_source is not null then 'assigned' else status end as state,
           count(*)::int as count, min(since) as oldest_at
      from ((select ${columns} from withdrawals where status in ('queued', 'signed') limit ${MOST_COUNTED}::int)
            union all
            (select ${columns} from withdrawals where status = 'awaiting_approval' limit ${MOST_COUNTED}::int)) open
     group by 1
  `.execute(db);
  const none = { count: 0, oldest_at: null };
  const open = { awaiting_approval: none, queued: none, assigned: none, signed: none };
  return { ...open, ...Object.fromEntries(rows.map(({ state, ...read }) => [state, read])) };
}
