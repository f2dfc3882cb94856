/** The only writer of withdrawal_cursor. */
import { strict as assert } from 'node:assert';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { isOverAtCursor } from './time-bound.ts';

/** `longest_valid_seconds`: the largest WITHDRAW_VALID_SECONDS that envelopes were ever signed with. */
export type WithdrawalCursor = Omit<
  Selectable<Tables['withdrawal_cursor']>,
  'singleton' | 'updated_at' | 'database_timeline'
>;

/** `is_copied`: the database was promoted or restored since the cursor moved, maybe without its newest commits. */
export type WithdrawalCursorHere = WithdrawalCursor & { is_copied: boolean; primary: Primary };

/** Which running server and tables answer (known-primary.ts). */
export type Primary = {
  /** Another text after a promotion, a restart of the server, or a restore into other files. */
  identity: string;
  /** The servers that copy this one's log. Backups and archives do not count as servers. */
  standbys: Standby[];
};

/**
 * `flushed`: up to where it has the log; null where this role may not see that (pg_read_all_stats). Its name is empty
 * then.
 */
export type Standby = { name: string; flushed: number | null };

const primary = sql<Primary>`json_build_object(
  'identity', concat_ws(' ', database_timeline(), pg_postmaster_start_time(),
                        (select oid from pg_database where datname = current_database()),
                        pg_relation_filenode('withdrawal_cursor'), pg_relation_filenode('withdrawals')),
  'standbys', (select coalesce(json_agg(json_build_object(
                  'name', concat_ws(' ', application_name, client_addr), 'flushed', flush_lsn - '0/0'::pg_lsn)), '[]'::json)
                 from pg_stat_replication
                where application_name is null or application_name not in ('pg_basebackup', 'pg_receivewal')))`;

export async function readWithdrawalCursor(db: Db): Promise<WithdrawalCursorHere | undefined> {
  return db
    .selectFrom('withdrawal_cursor')
    .select(['ledger', 'ledger_hash', 'close_time', 'sign_after', 'stop_reason', 'longest_valid_seconds'])
    .select(sql<boolean>`database_timeline <> database_timeline()`.as('is_copied'))
    .select(primary.as('primary'))
    .executeTakeFirst();
}

/** The newest processed ledger, as a value in a statement. */
export const processedLedger = sql<number>`(select ledger from withdrawal_cursor)`;

/** Where the cursor stands after a step. */
export type CursorPosition = Omit<WithdrawalCursor, 'stop_reason' | 'longest_valid_seconds'>;

/** Returns a condition in SQL: every ledger that closes at this time (Unix seconds) or before is processed. */
export function isProcessedUntil(time: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from withdrawal_cursor where ${isOverAtCursor(time)})`;
}

/** Inserts the row of a new database, unless another process has inserted one. */
export async function beginWithdrawalCursor(db: Db, cursor: CursorPosition): Promise<void> {
  await db
    .insertInto('withdrawal_cursor')
    .values(cursor)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Moves the cursor. Returns false, and changes nothing, when another process has moved the cursor or postponed signing since `from` was read. */
export async function moveWithdrawalCursor(
  db: Db,
  { from, to, now }: { from: WithdrawalCursor; to: CursorPosition; now: Date },
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

/**
 * Writes to the log of the database, and changes nothing else. Returns a position before the end of this write: a standby that
 * has the log beyond it has copied this server after this call.
 */
export async function writeToLog(db: Db, now: Date): Promise<number> {
  const { position } = await db
    .updateTable('withdrawal_cursor')
    .set({ updated_at: now })
    .returning(sql<string>`pg_current_wal_insert_lsn() - '0/0'::pg_lsn`.as('position'))
    .executeTakeFirstOrThrow();
  return Number(position);
}

/** Notes this validity. Must be called before anything is signed with it. */
export async function noteValidity(db: Db, valid_seconds: number): Promise<void> {
  await db
    .updateTable('withdrawal_cursor')
    .set({ longest_valid_seconds: sql`greatest(longest_valid_seconds, ${valid_seconds}::int)` })
    .execute();
}

/** Forbids signing until a ledger that closed after `sign_after` is processed. A later time that is set already stays. */
export async function postponeSigning(db: Db, sign_after: bigint): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('withdrawal_cursor')
    .set({
      sign_after: sql`greatest(sign_after, ${sign_after}::bigint)`,
      database_timeline: sql`database_timeline()`,
    })
    .executeTakeFirst();
  assert.equal(numUpdatedRows, 1n, 'there is one withdrawal cursor, or signing is not postponed');
}

/** Records why the cursor stands still. False when this reason is recorded already. */
export async function recordWithdrawalStopReason(db: Db, stop_reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('withdrawal_cursor')
    .set({ stop_reason })
    .where('stop_reason', 'is distinct from', stop_reason)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
