/**
 * The only writer of withdrawals, but for which transaction source a waiting one has (lane-store.ts). Each transition names the state it
 * starts from: a late writer changes nothing.
 */
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { signingAllowed } from '../../ledgers/signing-allowed.ts';
import { hasAssignedPayment, hasUnmatched } from '../../ledgers/unmatched-store.ts';
import { isProcessedUntil } from '../../ledgers/withdrawal-cursor.ts';

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
  'tx_source',
  'sequence',
  'envelope_xdr',
  'inner_tx_hash',
  'stellar_tx_hash',
  'fee_bump_hashes',
  'fee_bid_stroops',
  'max_time',
  'signed_ledger',
  'ledger',
  'fee_stroops',
  'failure_code',
  'failure_message',
  'refund_of',
  'memo_return',
  'created_at',
  'signed_at',
  'committed_at',
  'settled_at',
] as const;

export const OPEN: Withdrawal['status'][] = ['queued', 'signed'];

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
  tx_source: string;
  sequence: bigint;
  envelope_xdr: string;
  inner_tx_hash: string;
  /** Of the fee-bump, when the transaction source is a channel account. */
  fee_bump_hash: string | null;
  fee_bid_stroops: bigint;
  max_time: bigint;
  signed_ledger: number;
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
           signed_ledger = signed.signed_ledger, signed_at = signed.signed_at, committed_at = ${now},
           leased_until = ${until}
      from unnest(${of('id')}::text[], ${of('tx_source')}::text[], ${of('sequence')}::bigint[],
                  ${of('envelope_xdr')}::text[], ${of('inner_tx_hash')}::text[], ${of('fee_bump_hash')}::text[],
                  ${of('fee_bid_stroops')}::bigint[], ${of('max_time')}::bigint[], ${of('signed_ledger')}::int[],
                  ${of('signed_at')}::timestamptz[])
           as signed (id, tx_source, sequence, envelope_xdr, inner_tx_hash, fee_bump_hash, fee_bid_stroops, max_time,
                      signed_ledger, signed_at)
     where withdrawals.id = signed.id and withdrawals.status = 'queued' and withdrawals.tx_source = signed.tx_source
       and exists (select from tx_sources where tx_sources.account = signed.tx_source and tx_sources.withdrawal_id = signed.id)
       and not ${hasUnmatched}
       and ${signingAllowed({ ledger: seen_ledger, close_time: read_at - BigInt(behind_seconds) })}
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
    .where('fee_bid_stroops', '=', former_bid_stroops)
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
export async function recordOutcomes(db: Db, outcomes: Applied[], now: Date): Promise<void> {
  if (outcomes.length === 0) return;
  const of = <K extends keyof Applied>(key: K) => outcomes.map((each) => each[key]);
  await sql`
    update withdrawals
       set status = case when applied.successful then 'confirmed' else 'failed' end, ledger = applied.ledger,
           fee_stroops = case when applied.fee_account = wallet.account then applied.fee_stroops else 0 end,
           stellar_tx_hash = applied.stellar_tx_hash,
           inner_tx_hash = applied.inner_tx_hash,
           failure_code = applied.failure_code, failure_message = applied.failure_message, settled_at = ${now}
      from unnest(${of('id')}::text[], ${of('successful')}::boolean[], ${of('ledger')}::int[],
                  ${of('fee_stroops')}::bigint[], ${of('fee_account')}::text[], ${of('stellar_tx_hash')}::text[],
                  ${of('inner_tx_hash')}::text[],
                  ${outcomes.map(({ failure }) => failure?.code ?? null)}::text[],
                  ${outcomes.map(({ failure }) => failure?.message ?? null)}::text[])
           as applied (id, successful, ledger, fee_stroops, fee_account, stellar_tx_hash, inner_tx_hash, failure_code,
                       failure_message)
     cross join wallet_accounts as wallet
     where withdrawals.id = applied.id and wallet.id = withdrawals.wallet_id and withdrawals.status in ('queued', 'signed')
  `.execute(db);
}

/**
 * Records that a signed withdrawal can never be applied. Not while a transaction of its wallet is unexplained, nor
 * before every ledger up to its max_time is processed: that could be this very payment, in an envelope that a lost
 * commit made the database forget.
 */
export async function recordExpired(
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
    .where((where) => where.not(hasUnmatched))
    // A person may have said so since the caller looked, for however long its process stood still.
    .where((where) => where.not(hasAssignedPayment))
    .where(isProcessedUntil(sql.ref('withdrawals.max_time')))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Tells the processes that wait for outcomes, once this transaction is committed. */
export async function notifyOutcomes(db: Db): Promise<void> {
  await sql`select pg_notify(${OUTCOMES_CHANNEL}, '')`.execute(db);
}

export const OUTCOMES_CHANNEL = 'withdrawal_outcomes';

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
 * Withdrawals with a transaction source that nobody works on: their process crashed or stopped. Leases them to the caller. Those
 * without a transaction source are everybody's and need no process.
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
        .where('tx_source', 'is not', null)
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
