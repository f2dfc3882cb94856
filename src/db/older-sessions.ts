/**
 * A schema is contracted only when no process is left that needs what goes.
 *
 * | step                                                                        | killed after it: the next `migrate`     |
 * |-----------------------------------------------------------------------------|-----------------------------------------|
 * | 1. the row of the migration is committed without a time: it is announced    | finds the row, and goes on with step 2  |
 * | 2. older processes see the row and end; new sessions of theirs are refused  | the same                                |
 * | 3. after `patience_ms` the sessions that are left are ended by the server   | the same                                |
 * | 4. without any such session the migration runs, and its row gets a time     | (migrate.ts: both commit together)      |
 *
 * A session has its name before its program asks whether it fits the schema (schema-check.ts). So a program that has asked
 * before step 1 is seen in step 2, and one that asks later is refused: nothing of an older program runs in step 4.
 */
import type pg from 'pg';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import { createNotices, type WaitOptions } from './migration-lock.ts';
import type { Migration } from './migrations.ts';
import { IS_OF_SERVICE, knows } from './session-names.ts';

/** An older process looks every 5 s, and needs a few to end. One that is frozen, or cut off, never ends. */
const PATIENCE_MS = 20_000;
const END_PATIENCE_MS = 10_000;
const LOOK_MS = 100;
const INSUFFICIENT_PRIVILEGE = '42501';

type Session = { pid: number; name: string };

/**
 * Announces a migration that contracts the schema, and returns when no session of an older program is left. Says that it waits,
 * every few seconds. @throws OperatorError when one cannot be ended; the reason of `signal`
 */
export async function endOlderSessions(
  client: pg.Client,
  { name, checksum, needs }: Migration & { needs: string },
  options: WaitOptions & { patience_ms?: number; end_patience_ms?: number; tell: (line: string) => void },
): Promise<void> {
  const { patience_ms = PATIENCE_MS, end_patience_ms = END_PATIENCE_MS } = options;
  const announce = 'insert into migrations (name, checksum, needs, run_at) values ($1, $2, $3, null)';
  await client.query(`${announce} on conflict (name) do nothing`, [name, checksum, needs]);
  const older = () => olderSessions(client, needs);
  if ((await older()).length === 0) return;
  const tell = () =>
    options.tell(`${name} waits until the processes of versions without ${needs} have ended`);
  tell();
  if (await untilNone(older, patience_ms, { ...options, tell })) return;
  const left = await older();
  for (const { pid } of left) await endSession(client, pid);
  if (await untilNone(older, end_patience_ms, { ...options, tell })) return;
  throw cannotEnd(await older());
}

async function olderSessions(client: pg.Client, needs: string): Promise<Session[]> {
  const sql = `select pid, application_name as name from pg_stat_activity where ${IS_OF_SERVICE}`;
  const { rows } = await client.query<Session>(sql);
  return rows.filter(({ name }) => !knows(name, needs));
}

async function untilNone(
  older: () => Promise<Session[]>,
  patience_ms: number,
  options: WaitOptions & { tell(): void },
): Promise<boolean> {
  const { signal, tell } = options;
  const isNoticeDue = createNotices(options);
  const deadline = systemClock.now().getTime() + patience_ms;
  while ((await older()).length > 0) {
    signal?.throwIfAborted();
    if (systemClock.now().getTime() >= deadline) return false;
    if (isNoticeDue()) tell();
    await systemClock.sleep(LOOK_MS, signal);
  }
  return true;
}

async function endSession(client: pg.Client, pid: number): Promise<void> {
  await client.query('select pg_terminate_backend($1)', [pid]).catch((error) => {
    // Without the right to end it, the wait that follows says so.
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error;
  });
}

function cannotEnd(sessions: Session[]): OperatorError {
  const pids = sessions.map(({ pid }) => pid).join(', ');
  return new OperatorError(
    `Processes of an older version use the database (PostgreSQL sessions ${pids}). Stop them, and repeat this. ` +
      'The schema still has what they need.',
  );
}
