import type pg from 'pg';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createThrottle } from '../lib/throttle.ts';
import { MIGRATING } from './session-names.ts';

/** Any fixed number. The lock prevents that two starting processes run a migration twice. */
export const MIGRATION_LOCK = 7_354_001;
const LOOK_MS = 100;
const NOTICE_MS = 5_000;

/** How a wait is reported, and what ends it. */
export type WaitOptions = {
  log?: Log | undefined;
  signal?: AbortSignal | undefined;
  /** The pause between two lines about a wait. For tests. */
  notice_ms?: number | undefined;
};

/** Returns a function that is true when another line about a wait is due, the first time after the first pause. */
export function createNotices({ notice_ms = NOTICE_MS }: WaitOptions): () => boolean {
  return createThrottle(systemClock, notice_ms);
}

/**
 * Waits for the lock of the migrations, and holds it until `client` ends. It belongs to a transaction, so that nothing keeps
 * it when the process dies: not even a pooler.
 *
 * The transaction has no snapshot while nothing runs in it, and a wait has no transaction. Otherwise `create index
 * concurrently` of the process that has the lock would wait for it. @throws the reason of `signal`
 */
export async function holdMigrationLock(client: pg.Client, options: WaitOptions): Promise<void> {
  const { log, signal } = options;
  const isNoticeDue = createNotices(options);
  while (!(await tryToLock(client))) {
    signal?.throwIfAborted();
    if (isNoticeDue()) log?.warn({ holder: await holderOf(client) }, WAITS);
    await systemClock.sleep(LOOK_MS, signal);
  }
}

/**
 * Runs one statement of a migration on `client`, which may wait for transactions of others. `lock`: another connection.
 * Cancels the statement when `signal` aborts.
 */
export async function runTold(
  { client, lock, statement }: { client: pg.Client; lock: pg.Client; statement: string },
  options: WaitOptions,
): Promise<void> {
  const { log, signal } = options;
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid;
  const isNoticeDue = createNotices(options);
  const ended = new AbortController();
  const running = client.query(statement).finally(() => ended.abort());
  running.catch(() => undefined); // awaited below
  while (!ended.signal.aborted) {
    if (signal?.aborted) await lock.query('select pg_cancel_backend($1)', [pid]);
    else if (isNoticeDue()) {
      const blockers = await sessionsOf(lock, 'pid = any(pg_blocking_pids($1))', [pid]);
      log?.warn({ waits_for: blockers, statement: firstLineOf(statement) }, RUNS_LONG);
    }
    await systemClock.sleep(LOOK_MS, ended.signal);
  }
  await running;
}

/** @throws Error when the connection, and with it the lock, is gone */
export async function requireMigrationLock(client: pg.Client): Promise<void> {
  await client.query('select');
}

async function tryToLock(client: pg.Client): Promise<boolean> {
  await client.query('begin isolation level read committed');
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [
    MIGRATION_LOCK,
  ]);
  if (rows[0]?.locked) return true;
  await client.query('rollback');
  return false;
}

/** Says in words who has the lock. */
function holderOf(client: pg.Client): Promise<string> {
  const has_lock = `select pid from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = $1
    and database = (select oid from pg_database where datname = current_database())`;
  return sessionsOf(client, `pid in (${has_lock})`, [MIGRATION_LOCK]);
}

/** Returns the sessions that may use a table that a migration waits for, in words for a person. */
export function openTransactions(client: pg.Client): Promise<string> {
  const open = `datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '1 second'`;
  return sessionsOf(client, `${open} and application_name <> $1`, [MIGRATING]);
}

async function sessionsOf(client: pg.Client, condition: string, values: unknown[]): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; address: string | null }>(
    `select pid, application_name as name, host(client_addr) as address from pg_stat_activity where ${condition}`,
    values,
  );
  const said = rows.map(
    ({ pid, name, address }) =>
      `PostgreSQL session ${pid} (${name || 'without a name'}, ${address ?? 'local'})`,
  );
  return said.join(', ') || 'nobody';
}

function firstLineOf(statement: string): string {
  return statement.split('\n').find((line) => line.trim() !== '' && !line.startsWith('--')) ?? '';
}

const WAITS = 'waiting for the lock of the migrations: another process updates the schema of the database';
const RUNS_LONG = 'a statement of a migration runs long';
