import type { Socket } from 'node:net';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { withLogContext } from '../lib/log-context.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import { requireFit } from './schema-check.ts';
import { IS_OF_SERVICE, sessionName } from './session-names.ts';
import { prepareSession } from './session-settings.ts';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables>;
/** Inside `db.transaction()`. No network call may be awaited while one is open. */
export type Trx = Transaction<Tables>;

const CLOSE_MS = 2_000;

/** How many connections a pool may open, and how long a statement may take on them. */
export type PoolLimits = { connections: number; statement_timeout_ms: number };

const STATEMENT_TIMEOUT_MS = 30_000;
const USUAL_LIMITS: PoolLimits = { connections: 14, statement_timeout_ms: STATEMENT_TIMEOUT_MS };
const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than any statement may take: a connection that is silent for this long has lost its server. */
const SILENCE_MS = 45_000;
/**
 * TCP keep-alive for connections that only listen: it breaks them within 20 s after the server is gone. The 2 hours of Linux
 * would be too long, and firewalls drop idle connections sooner.
 */
const KEEP_ALIVE_MS = 10_000;

const INT8_OID = 20;
const NUMERIC_OID = 1700;

/** Reads int8 and numeric as bigint, so that money is never a float: all such columns here are integers. */
export const exactTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8_OID || oid === NUMERIC_OID) return BigInt;
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> };

/**
 * Opens a pool for `url`, which connects at the first query. Without a server queries fail, but the process continues.
 * `application_name`: how the sessions are called.
 */
export function openDatabase(
  url: string,
  log: Log,
  limits = USUAL_LIMITS,
  application_name = sessionName(),
): Database {
  // A connection outlives the request that has opened it.
  const tell = (line: () => void) => withLogContext(undefined, line);
  const open = async (client: pg.PoolClient) => {
    // The pool handles errors of idle connections only; an error of one in use would end the process.
    client.on('error', (error) => tell(() => log.debug({ err: error }, 'database connection lost')));
    closeWhenSilent(client); // first, so that a server that vanishes now is noticed too
    await prepare(client, limits);
  };
  const options: pg.PoolConfig & { onConnect: (client: pg.PoolClient) => Promise<void> } = {
    connectionString: url,
    max: limits.connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name,
    // The types lack this option. Not `verify`: when its caller stops waiting, nobody would ever release the connection.
    onConnect: (client) => open(client),
    types: exactTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const pool = new pg.Pool(options);
  // Without this listener, the server's end of an idle connection would end the process.
  pool.on('error', (error: Error & { client?: unknown }) => {
    delete error.client; // the pool adds it; it contains the key that cancels its statements
    tell(() =>
      log.warn({ err: error }, 'idle database connection lost; the pool opens another one when it needs one'),
    );
  });
  const refusals = createRefusals(systemClock);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log(event) {
      if (event.level === 'error') refusals.note(event.error);
    },
  });
  refusalsOf.set(db, refusals);
  const connections = openConnections(pool);
  const close = async () => {
    await db.destroy();
    await connections.closed();
  };
  return { db, pool, close };
}

async function prepare(client: pg.PoolClient, { statement_timeout_ms }: PoolLimits): Promise<void> {
  await prepareSession(client, {
    statement_timeout_ms,
    idle_in_transaction_timeout_ms: STATEMENT_TIMEOUT_MS,
  });
  await requireFit(client);
}

/**
 * Watches the open connections, for a wait until they are closed. The pool itself ends without that wait: a server that stops then
 * would be logged as a loss.
 */
function openConnections(pool: pg.Pool): { closed(): Promise<void> } {
  const open = new Set<pg.PoolClient>();
  let notifyClosed = () => {};
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => {
    open.delete(client);
    if (open.size === 0) notifyClosed();
  });
  return {
    async closed() {
      if (open.size === 0) return;
      const silence = new AbortController(); // a server that vanished closes nothing
      notifyClosed = () => silence.abort();
      await systemClock.sleep(CLOSE_MS, silence.signal);
    },
  };
}

const refusalsOf = new WeakMap<Db, Refusals>();

/**
 * Asks the database whether it can be reached and changed. Gives null, or the reason why it refuses changes. @throws when
 * it cannot be reached
 */
export async function checkDatabase(db: Db): Promise<string | null> {
  const { rows } = await sql<{
    read_only: string;
  }>`select current_setting('transaction_read_only') as read_only`.execute(db);
  if (rows[0]?.read_only === 'on') return 'it is read-only';
  return refusalsOf.get(db)?.recent() ?? null;
}

/** Returns true when another process of the service uses this database. For commands, which have one connection. */
export async function isUsedByOthers(db: Db): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (
      select from pg_stat_activity where ${sql.raw(IS_OF_SERVICE)} and pid <> pg_backend_pid()) as used`.execute(
    db,
  );
  return rows[0]?.used ?? true;
}

/** Closes a silent connection. Without this timeout, a query to a server that vanished would wait for a quarter of an hour. */
function closeWhenSilent(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setTimeout(SILENCE_MS, () => stream.destroy(silent()));
}

function silent(): Error {
  return Object.assign(new Error('the database is silent'), { code: 'ETIMEDOUT' });
}
