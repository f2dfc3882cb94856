/** The only writer of payout_rows. */
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { signingAllowed } from '../../ledgers/signing-allowed.ts';
import { hasUnmatched } from '../../ledgers/unmatched-store.ts';
import { eachInParts, inTurns } from '../../lib/in-parts.ts';
import type { AssetFields } from '../../stellar/asset.ts';
import { type Recipient, spellingsOf } from '../../stellar/recipient.ts';
import { isBlockedWallet } from '../engine/tx-source-store.ts';
import type { Payout } from './payout-store.ts';

export type PayoutRow = Selectable<Tables['payout_rows']>;
export type RowStatus = PayoutRow['status'];
export const ROW_STATUSES = [
  'waiting',
  'pending',
  'confirmed',
  'failed',
  'cancelled',
] as const satisfies RowStatus[];

export type NewRow = Omit<PayoutRow, 'status' | 'withdrawal_id' | 'failure_code' | 'failure_message'>;

/** A statement takes 65,535 parameters. One of 2,000 rows takes 20 ms to write, in which nothing else runs. */
const INSERTED_AT_ONCE = 500;

export async function insertRows(trx: Trx, rows: NewRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE)
    await trx
      .insertInto('payout_rows')
      .values(rows.slice(at, at + INSERTED_AT_ONCE))
      .execute();
}

/**
 * Locks the keys of the team: until the transaction ends, nobody else keeps rows of the team. Of two files with one key, the
 * second sees the first.
 */
export async function lockKeys(trx: Trx, owner_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`keys of payouts ${owner_id}`}, 0))`.execute(trx);
}

/**
 * Returns those of these keys of the owner that a withdrawal has, or a row that waits in a payout. A row that is cancelled or
 * failed without a withdrawal leaves its key free.
 */
export async function keysInUse(db: Db, owner_id: string, keys: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) key
     where exists (select from withdrawals where owner_id = ${owner_id} and idempotency_key = key)
        or exists (select from payout_rows
                    where owner_id = ${owner_id} and idempotency_key = key and status = 'waiting')
  `.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/**
 * Returns the destinations of these rows that the wallet has never paid, with any memo. An M… address was paid too when its account was,
 * with the id as memo id, and the other way round.
 */
export async function neverPaid(db: Db, wallet_id: string, rows: Recipient[]): Promise<Set<string>> {
  const asked = new Map<string, { payee: string; other: Recipient | null }>();
  await inTurns(
    eachInParts(rows, (row) => {
      const other = spellingsOf(row).find(({ destination }) => destination !== row.destination) ?? null;
      asked.set(`${row.destination} ${other?.destination} ${other?.memo_id}`, {
        payee: row.destination,
        other,
      });
    }),
  );
  const all = [...asked.values()];
  const { rows: found } = await sql<{ payee: string }>`
    select payee
      from unnest(${all.map(({ payee }) => payee)}::text[], ${all.map(({ other }) => other?.destination ?? null)}::text[],
                  ${all.map(({ other }) => other?.memo_id?.toString() ?? null)}::numeric[]) as given (payee, other, other_memo_id)
     group by payee
    having not bool_or(
      exists (select from withdrawals where wallet_id = ${wallet_id} and destination collate "C" = payee and status = 'confirmed')
      or exists (select from withdrawals where wallet_id = ${wallet_id} and destination collate "C" = other and status = 'confirmed'
                    and (other_memo_id is null or memo_id = other_memo_id)))`.execute(db);
  return new Set(found.map(({ payee }) => payee));
}

/** Returns the first rows that wait, by number. */
export async function nextWaiting(db: Db, payout_id: string, limit: number): Promise<PayoutRow[]> {
  return db
    .selectFrom('payout_rows')
    .selectAll()
    .where('payout_id', '=', payout_id)
    .where('status', '=', 'waiting')
    .orderBy('number')
    .limit(limit)
    .execute();
}

/** Returns those of these rows that wait. Call it with the payout locked. */
export async function waitingAmong(trx: Trx, payout_id: string, numbers: number[]): Promise<Set<number>> {
  const rows = await trx
    .selectFrom('payout_rows')
    .select('number')
    .where('payout_id', '=', payout_id)
    .where('number', '=', sql<number>`any(${numbers}::int[])`)
    .where('status', '=', 'waiting')
    .execute();
  return new Set(rows.map(({ number }) => number));
}

/**
 * Records that rows have begun, and returns how many rows it changed. Call it with the payout locked, in the transaction that
 * claimed the keys.
 */
export async function noteBegun(
  trx: Trx,
  payout_id: string,
  begun: { number: number; withdrawal_id: string }[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update payout_rows set status = 'pending', withdrawal_id = begun.withdrawal_id
      from unnest(${begun.map(({ number }) => number)}::int[], ${begun.map((each) => each.withdrawal_id)}::text[])
           as begun (number, withdrawal_id)
     where payout_id = ${payout_id} and payout_rows.number = begun.number and status = 'waiting'
  `.execute(trx);
  return Number(numAffectedRows);
}

export type Refused = { number: number; code: string; message: string };

/** Records that rows were refused before anything was claimed: nothing was paid for them. Call it with the payout locked. */
export async function noteRefused(trx: Trx, payout_id: string, refused: Refused[]): Promise<void> {
  if (refused.length === 0) return;
  const of = <K extends keyof Refused>(key: K) => refused.map((each) => each[key]);
  await sql`
    update payout_rows set status = 'failed', failure_code = refused.code, failure_message = refused.message
      from unnest(${of('number')}::int[], ${of('code')}::text[], ${of('message')}::text[])
           as refused (number, code, message)
     where payout_id = ${payout_id} and payout_rows.number = refused.number and status = 'waiting'
  `.execute(trx);
}

const NOTED_AT_ONCE = 1_000;

/**
 * Copies the outcomes of withdrawals to their rows; gives how many. The row of a withdrawal is the truth: several
 * processes may have recorded it.
 */
export async function noteOutcomes(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    with settled as (
      select payout_rows.payout_id, payout_rows.number, withdrawals.status, failure.code, failure.message
        from payout_rows join withdrawals on withdrawals.id = payout_rows.withdrawal_id
             cross join lateral (select withdrawals.failure_code, withdrawals.failure_message) failure (code, message)
       where payout_rows.status = 'pending' and withdrawals.settled_at is not null
       order by payout_rows.payout_id, payout_rows.number limit ${NOTED_AT_ONCE} for update of payout_rows skip locked
    )
    update payout_rows set status = settled.status, failure_code = settled.code, failure_message = settled.message
      from settled
     where payout_rows.payout_id = settled.payout_id and payout_rows.number = settled.number
       and payout_rows.status = 'pending'
  `.execute(db);
  return Number(numAffectedRows);
}

/** Cancels what has not begun; gives how many rows. Call it with the payout locked. */
export async function cancelWaiting(trx: Trx, payout_id: string): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('payout_rows')
    .set({ status: 'cancelled' })
    .where('payout_id', '=', payout_id)
    .where('status', '=', 'waiting')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Which rows are asked about; without numbers all that wait. */
type Asked = { id: string; wallet_id: string; numbers?: number[] };

/** Selects rows that wait as the conditions on `withdrawals` of other files want to see them. */
function waitingAsWithdrawals({ id, wallet_id, numbers }: Asked) {
  const some = numbers ? sql`and number = any(${numbers}::int[])` : sql``;
  return sql`(select number, ${wallet_id}::text as wallet_id, owner_id, idempotency_key from payout_rows
               where payout_id = ${id} and status = 'waiting' ${some}) withdrawals`;
}

/**
 * Checks whether rows that wait are unpaid: this database may be an older copy, from before they began. `not_processed`:
 * ledgers must be processed first; `unmatched`: a transaction in the ledger may have paid one of them. `least_close_time`:
 * close time of the ledger that must be processed, Unix seconds.
 */
export async function pastOf(
  trx: Trx,
  asked: Asked,
  least_close_time: bigint,
): Promise<'unpaid' | 'not_processed' | 'unmatched'> {
  const { rows } = await sql<{ processed: boolean; unmatched: boolean }>`
    select ${signingAllowed({ close_time: least_close_time })} as processed,
           exists (select from ${waitingAsWithdrawals(asked)} where ${hasUnmatched}) as unmatched
  `.execute(trx);
  const [found] = rows;
  if (!found?.processed) return 'not_processed';
  return found.unmatched ? 'unmatched' : 'unpaid';
}

/**
 * Returns the numbers of waiting rows whose keys a withdrawal has. Their keys are claimed, whatever the network says of their
 * payees now: that signs nothing, and finds the withdrawal.
 */
export async function rowsWithKeyTaken(db: Db, asked: Required<Asked>): Promise<Set<number>> {
  const { rows } = await sql<{ number: number }>`
    select number from ${waitingAsWithdrawals(asked)}
     where exists (select from withdrawals known
                    where known.owner_id = withdrawals.owner_id and known.idempotency_key = withdrawals.idempotency_key)
  `.execute(db);
  return new Set(rows.map(({ number }) => number));
}

export type Counted = AssetFields & {
  payout_id: string;
  status: RowStatus;
  rows: number;
  amount_stroops: bigint;
};

/** Counts rows by payout, status and asset; reads one index only. */
export async function countRows(db: Db, payout_ids: string[]): Promise<Counted[]> {
  if (payout_ids.length === 0) return [];
  const { rows } = await sql<Counted>`
    select payout_id, status, asset_code, asset_issuer, count(*)::int as rows, sum(amount_stroops) as amount_stroops
      from payout_rows where payout_id = any(${payout_ids}::text[])
     group by payout_id, status, asset_code, asset_issuer
     order by payout_id, asset_issuer nulls first, asset_code, status
  `.execute(db);
  return rows;
}

/** A row with what the ledger says of its withdrawal. */
export type ShownRow = PayoutRow & { stellar_tx_hash: string | null };

/** Returns rows by number. `after`: the number before the first one. */
export async function listRows(
  db: Db,
  payout_id: string,
  { status, after, limit }: { status: RowStatus | undefined; after: number; limit: number },
): Promise<ShownRow[]> {
  let query = db
    .selectFrom('payout_rows')
    .leftJoin('withdrawals', 'withdrawals.id', 'payout_rows.withdrawal_id')
    .selectAll('payout_rows')
    .select('withdrawals.stellar_tx_hash')
    .where('payout_rows.payout_id', '=', payout_id)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit);
  if (status !== undefined) query = query.where('payout_rows.status', '=', status);
  return query.execute();
}

/**
 * Counts the withdrawals of payouts that have no outcome, by wallet. `stuck`: those of them that wait at a blocked wallet,
 * maybe for days, and use no room in ledgers.
 */
export async function countOpen(db: Db): Promise<Map<string, { count: number; stuck: number }>> {
  const { rows } = await sql<{ wallet_id: string; count: number; stuck: number }>`
    select wallet_id, count, case when ${isBlockedWallet(sql`open.wallet_id`)} then queued else 0 end as stuck
      from (select wallet_id, count(*)::int as count, (count(*) filter (where status = 'queued'))::int as queued
              from withdrawals where payout_id is not null and status in ('queued', 'signed') group by wallet_id) open
  `.execute(db);
  return new Map(rows.map(({ wallet_id, count, stuck }) => [wallet_id, { count, stuck }]));
}

/** `found_hash`: of the rows as they are now, as `rowsHash` computes it. */
export type FileOfRow = Payout & { row_hash: string; found_hash: string | null };

/** Which row a withdrawal pays; null: none. */
export type OfPayout = { id: string; payout_id: string | null; payout_row: number | null };

/** Returns the files by withdrawal, for the withdrawals that pay a row of a payout. */
export async function filesOfRows(db: Db, withdrawals: OfPayout[]): Promise<Map<string, FileOfRow>> {
  const of_payouts = withdrawals.filter(({ payout_id }) => payout_id !== null);
  if (of_payouts.length === 0) return new Map();
  const of = <K extends keyof OfPayout>(key: K) => of_payouts.map((each) => each[key]);
  const { rows } = await sql<FileOfRow & { withdrawal: string }>`
    with asked as (
      select * from unnest(${of('id')}::text[], ${of('payout_id')}::text[], ${of('payout_row')}::int[])
                 as asked (withdrawal, payout_id, number)
    ), files as (
      select payout_id, encode(sha256(convert_to(string_agg(row_hash, '' order by number), 'UTF8')), 'hex') as found_hash
        from payout_rows where payout_id in (select payout_id from asked) group by payout_id
    )
    select payouts.*, payout_rows.row_hash, files.found_hash, asked.withdrawal
      from asked join payouts on payouts.id = asked.payout_id join files on files.payout_id = asked.payout_id
           join payout_rows on payout_rows.payout_id = asked.payout_id and payout_rows.number = asked.number
  `.execute(db);
  return new Map(rows.map(({ withdrawal, ...file }) => [withdrawal, file]));
}

/** Computes the hash of the rows as they are now, as `rowsHash` computes it; null when the payout has no rows. */
export async function foundHash(db: Db, payout_id: string): Promise<string | null> {
  const { rows } = await sql<{ found_hash: string | null }>`
    select encode(sha256(convert_to(string_agg(row_hash, '' order by number), 'UTF8')), 'hex') as found_hash
      from payout_rows where payout_id = ${payout_id}
  `.execute(db);
  return rows[0]?.found_hash ?? null;
}
