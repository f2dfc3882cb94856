/**
 * The only writer of withdrawals, but for which lane a waiting one has (lane-store.ts). Each transition names the state it
 * starts from: a late writer changes nothing.
 */
import { type Selectable, sql } from 'kysely';
import { isAccounted } from '../db/accounted.ts';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { hasOpenStray } from './cursor-store.ts';

export type Withdrawal = Omit<Selectable<Tables['withdrawals']>, 'leased_until'>;

export const columns = [
  'id',
  'wallet_id',
  'owner_id',
  'idempotency_key',
  'status',
  'operation',
  'destination',
  'amount_stroops',
  'memo_id',
  'lane',
  'sequence',
  'envelope_xdr',
  'inner_tx_hash',
  'stellar_tx_hash',
  'fee_bump_hashes',
  'fee_bid_stroops',
  'max_time',
  'first_sent_ledger',
  'ledger',
  'fee_stroops',
  'failure_code',
  'failure_message',
  'refund_of',
  'memo_return',
  'created_at',
  'signed_at',
  'first_sent_at',
  'settled_at',
] as const;

const OPEN: Withdrawal['status'][] = ['queued', 'signed'];

/** One parameter, however many there are: a statement takes 65,535 at most. */
export function anyOf(values: string[]) {
  return sql<string>`any(${values}::text[])`;
}

export type Claim = Pick<
  Withdrawal,
  | 'id'
  | 'wallet_id'
  | 'owner_id'
  | 'idempotency_key'
  | 'operation'
  | 'destination'
  | 'amount_stroops'
  | 'memo_id'
  | 'memo_return'
  | 'refund_of'
  | 'created_at'
>;

/**
 * Takes the Idempotency-Keys for these withdrawals, for ever. Keys that are taken already are left alone; the answer has
 * the ids of the others. Safe to repeat after an error that left open whether it took effect: nothing is inserted twice.
 */
export async function insertClaims(db: Db, claims: Claim[], now: Date): Promise<Set<string>> {
  const inserted = await db
    .insertInto('withdrawals')
    .values(claims.map((claim) => ({ ...claim, status: 'queued' as const, leased_until: now })))
    .onConflict((conflict) => conflict.columns(['owner_id', 'idempotency_key']).doNothing())
    .returning('id')
    .execute();
  return new Set(inserted.map(({ id }) => id));
}

/** Only in the transaction that inserted them: to everybody else they never were, and their keys are free. */
export async function undoClaims(trx: Trx, ids: string[]): Promise<void> {
  await trx.deleteFrom('withdrawals').where('id', '=', anyOf(ids)).where('status', '=', 'queued').execute();
}

export type Signed = {
  id: string;
  lane: string;
  sequence: bigint;
  envelope_xdr: string;
  inner_tx_hash: string;
  /** Of the fee-bump, when the lane is a channel account. */
  fee_bump_hash: string | null;
  fee_bid_stroops: bigint;
  max_time: bigint;
  first_sent_ledger: number;
  signed_at: Date;
};

/**
 * Commits the one envelope of each. Those that are not in the answer are not signed by this: another process has signed
 * them, or they may not be signed now. Their envelopes in hand must never be sent.
 *
 * `read_at`: close time of the ledger at which the sequence numbers were read. When the accounting of ledgers is further
 * behind than `behind_seconds`, or began anew lately, this database may be an older copy, and another envelope of the
 * same withdrawal may be in flight.
 */
export async function recordSigned(
  db: Db,
  signed: Signed[],
  options: { read_at: bigint; behind_seconds: number; seen_ledger: number; now: Date; until: Date },
): Promise<Set<string>> {
  const { read_at, behind_seconds, seen_ledger, now, until } = options;
  const of = <K extends keyof Signed>(key: K) => signed.map((each) => each[key]);
  const { rows } = await sql<{ id: string }>`
    update withdrawals
       set status = 'signed', sequence = signed.sequence, envelope_xdr = signed.envelope_xdr,
           inner_tx_hash = signed.inner_tx_hash,
           stellar_tx_hash = coalesce(signed.fee_bump_hash, signed.inner_tx_hash),
           fee_bump_hashes = array_remove(array[signed.fee_bump_hash], null),
           fee_bid_stroops = signed.fee_bid_stroops, max_time = signed.max_time,
           first_sent_ledger = signed.first_sent_ledger, signed_at = signed.signed_at, first_sent_at = ${now},
           leased_until = ${until}
      from unnest(${of('id')}::text[], ${of('lane')}::text[], ${of('sequence')}::bigint[],
                  ${of('envelope_xdr')}::text[], ${of('inner_tx_hash')}::text[], ${of('fee_bump_hash')}::text[],
                  ${of('fee_bid_stroops')}::bigint[], ${of('max_time')}::bigint[], ${of('first_sent_ledger')}::int[],
                  ${of('signed_at')}::timestamptz[])
           as signed (id, lane, sequence, envelope_xdr, inner_tx_hash, fee_bump_hash, fee_bid_stroops, max_time,
                      first_sent_ledger, signed_at)
     where withdrawals.id = signed.id and withdrawals.status = 'queued' and withdrawals.lane = signed.lane
       and exists (select from lanes where lanes.account = signed.lane and lanes.holder = signed.id)
       and not ${hasOpenStray}
       and exists (select from settle_cursor
                    where ${isAccounted} and ledger >= ${seen_ledger}
                      and close_time + ${behind_seconds}::int >= ${read_at}::bigint)
    returning withdrawals.id
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export type FeeBump = { id: string; fee_bump_hash: string; envelope_xdr: string; fee_bid_stroops: bigint };

/** Commits a fee-bump of the same inner transaction before it is sent. False when the row has moved on since. */
export async function recordFeeBump(db: Db, bump: FeeBump, former_bid_stroops: bigint): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('withdrawals')
    .set({
      envelope_xdr: bump.envelope_xdr,
      stellar_tx_hash: bump.fee_bump_hash,
      fee_bump_hashes: sql`array_append(fee_bump_hashes, ${bump.fee_bump_hash}::text)`,
      fee_bid_stroops: bump.fee_bid_stroops,
    })
    .where('id', '=', bump.id)
    .where('status', '=', 'signed')
    .where(sql<boolean>`coalesce(fee_bid_stroops, 0) = ${former_bid_stroops}`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What the ledger says became of a withdrawal. */
export type Applied = {
  id: string;
  successful: boolean;
  ledger: number;
  fee_stroops: bigint;
  /** G… that paid it. One that somebody else paid, who fee-bumped our transaction, cost the wallet nothing: 0 is recorded. */
  fee_account: string;
  stellar_tx_hash: string;
  inner_tx_hash: string;
  failure: { code: string; message: string } | null;
};

/** Records proven outcomes; a row that has one already keeps it. */
export async function finishApplied(db: Db, outcomes: Applied[], now: Date): Promise<void> {
  if (outcomes.length === 0) return;
  const of = <K extends keyof Applied>(key: K) => outcomes.map((each) => each[key]);
  await sql`
    update withdrawals
       set status = case when applied.successful then 'confirmed' else 'failed' end, ledger = applied.ledger,
           fee_stroops = case when applied.fee_account = wallets.account then applied.fee_stroops else 0 end,
           stellar_tx_hash = applied.stellar_tx_hash,
           inner_tx_hash = applied.inner_tx_hash,
           failure_code = applied.failure_code, failure_message = applied.failure_message, settled_at = ${now}
      from unnest(${of('id')}::text[], ${of('successful')}::boolean[], ${of('ledger')}::int[],
                  ${of('fee_stroops')}::bigint[], ${of('fee_account')}::text[], ${of('stellar_tx_hash')}::text[],
                  ${of('inner_tx_hash')}::text[],
                  ${outcomes.map(({ failure }) => failure?.code ?? null)}::text[],
                  ${outcomes.map(({ failure }) => failure?.message ?? null)}::text[])
           as applied (id, successful, ledger, fee_stroops, fee_account, stellar_tx_hash, inner_tx_hash, failure_code,
                       failure_message),
         wallets
     where withdrawals.id = applied.id and wallets.id = withdrawals.wallet_id and withdrawals.status in ('queued', 'signed')
  `.execute(db);
}

/**
 * Records that a signed withdrawal can never be applied. Not while a transaction of its wallet is unexplained, nor
 * before every ledger up to its max_time is accounted for: that could be this very payment, in an envelope that a lost
 * commit made the database forget.
 */
export async function finishExpired(
  db: Db,
  id: string,
  failure: { code: string; message: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('withdrawals')
    .set({ status: 'failed', failure_code: failure.code, failure_message: failure.message, settled_at: now })
    .where('id', '=', id)
    .where('status', '=', 'signed')
    .where((where) => where.not(hasOpenStray))
    // A person may have said so since the caller looked, for however long its process stood still.
    .where(
      sql<boolean>`not exists (select from stray_transactions stray where stray.withdrawal_id = withdrawals.id)`,
    )
    .where(sql<boolean>`exists (select from settle_cursor where close_time >= withdrawals.max_time)`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Tells the processes that wait for outcomes, once this transaction is committed. */
export async function announceSettled(db: Db): Promise<void> {
  await sql`select pg_notify(${SETTLED_CHANNEL}, '')`.execute(db);
}

export const SETTLED_CHANNEL = 'withdrawals_settled';

/** Which of these have their outcome. */
export async function settledAmong(db: Db, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('id', '=', anyOf(ids))
    .where('status', 'in', ['confirmed', 'failed'])
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Keeps the other processes off these rows until then. One that somebody writes to just now is left out: waiting for
 * several of them, in another order than theirs, would never end.
 */
export async function lease(db: Db, ids: string[], until: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('withdrawals')
    .set({ leased_until: until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('withdrawals')
        .select('id')
        .where('id', '=', anyOf(ids))
        .where('status', 'in', OPEN)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

/**
 * Withdrawals with a lane that nobody works on: their process crashed or stopped. Leases them to the caller. Those
 * without a lane are everybody's and need no process.
 */
export async function adoptOrphans(
  db: Db,
  options: { now: Date; until: Date; longest_until: Date; limit: number },
): Promise<Withdrawal[]> {
  return db
    .updateTable('withdrawals')
    .set({ leased_until: options.until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('withdrawals')
        .select('id')
        .where('status', 'in', OPEN)
        .where('lane', 'is not', null)
        // A lease that ends later than any of ours can comes from a clock that runs ahead: it counts as ended.
        .where((where) =>
          where.or([
            where('leased_until', '<=', options.now),
            where('leased_until', '>', options.longest_until),
          ]),
        )
        .orderBy('id')
        .limit(options.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(columns)
    .execute();
}

/** For a process that knows that it is alone: whoever held a lease is dead. */
export async function endLeases(db: Db, now: Date): Promise<void> {
  await db.updateTable('withdrawals').set({ leased_until: now }).where('status', 'in', OPEN).execute();
}

/** The wallet's withdrawals that have no outcome yet. */
export async function openOfWallet(db: Db, wallet_id: string): Promise<Withdrawal[]> {
  return db
    .selectFrom('withdrawals')
    .select(columns)
    .where('wallet_id', '=', wallet_id)
    .where('status', 'in', OPEN)
    .execute();
}

/** How many wait for a lane. */
export async function countWaiting(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('withdrawals')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('status', '=', 'queued')
    .where('lane', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function hasWithdrawals(db: Db): Promise<boolean> {
  const any = await db.selectFrom('withdrawals').select('id').limit(1).executeTakeFirst();
  return any !== undefined;
}

/** By id, those that there are. */
export async function findWithdrawals(db: Db, ids: string[]): Promise<Map<string, Withdrawal>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('withdrawals').select(columns).where('id', '=', anyOf(ids)).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** By inner hash, those that there are. */
export async function findByInnerHash(db: Db, hashes: string[]): Promise<Map<string, Withdrawal>> {
  if (hashes.length === 0) return new Map();
  const rows = await db
    .selectFrom('withdrawals')
    .select(columns)
    .where('inner_tx_hash', '=', anyOf(hashes))
    .execute();
  return new Map(rows.map((row) => [row.inner_tx_hash as string, row]));
}

/** Which of these accounts are wallets; read only: wallets/store.ts writes them. */
export async function walletsAmong(db: Db, accounts: string[]): Promise<Map<string, string>> {
  if (accounts.length === 0) return new Map();
  const rows = await db
    .selectFrom('wallets')
    .select(['id', 'account'])
    .where('account', '=', anyOf(accounts))
    .execute();
  return new Map(rows.map(({ id, account }) => [account, id]));
}

/** Which of these accounts are channels. */
export async function channelsAmong(db: Db, accounts: string[]): Promise<Set<string>> {
  if (accounts.length === 0) return new Set();
  const rows = await db
    .selectFrom('lanes')
    .select('account')
    .where('account', '=', anyOf(accounts))
    .where('kind', '=', 'channel')
    .execute();
  return new Set(rows.map(({ account }) => account));
}

/** The owners' withdrawals with these keys. */
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
    .executeTakeFirst();
}

/** Newest first. */
export async function listOfWallet(
  db: Db,
  wallet_id: string,
  filter: { idempotency_key: string | undefined },
  page: { limit: number; before: string | undefined },
): Promise<Withdrawal[]> {
  let query = db.selectFrom('withdrawals').select(columns).where('wallet_id', '=', wallet_id);
  if (filter.idempotency_key !== undefined)
    query = query.where('idempotency_key', '=', filter.idempotency_key);
  if (page.before !== undefined) query = query.where('id', '<', page.before);
  return query.orderBy('id', 'desc').limit(page.limit).execute();
}

/** More than the ledgers that sources' fee statistics are of: 10 at stellar-rpc, 5 at Horizon, unless they are told otherwise. */
const FEE_STATS_LEDGERS = 50;

/** Whether this is what a fee-bump of ours was charged in one of the last ledgers. */
export async function paidByFeeBumpLately(db: Db, fee_stroops: bigint): Promise<boolean> {
  const paid = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('fee_stroops', '=', fee_stroops)
    .where('ledger', '>', sql<number>`(select ledger - ${FEE_STATS_LEDGERS}::int from settle_cursor)`)
    .whereRef('stellar_tx_hash', '<>', 'inner_tx_hash')
    .limit(1)
    .executeTakeFirst();
  return paid !== undefined;
}

/** What a signature of the wallet needs; read only: wallets/store.ts writes it. */
export async function findWalletKey(
  db: Db,
  wallet_id: string,
): Promise<{ account: string; sealed_seed: Buffer }> {
  return db
    .selectFrom('wallets')
    .select(['account', 'sealed_seed'])
    .where('id', '=', wallet_id)
    .executeTakeFirstOrThrow();
}
