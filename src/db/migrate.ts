import { sql } from 'kysely';
import pg from 'pg';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import type { Db } from './database.ts';
import {
  createNotices,
  holdMigrationLock,
  openTransactions,
  requireMigrationLock,
  runTold,
  type WaitOptions,
} from './migration-lock.ts';
import {
  type Migration,
  migrationNames,
  readMigrations,
  SchemaMismatch,
  statementsOf,
} from './migrations.ts';
import { endOlderSessions } from './older-sessions.ts';
import { requireOwnSession } from './own-sessions.ts';
import { tooNew } from './schema-check.ts';
import { MIGRATING } from './session-names.ts';
import { prepareSession } from './session-settings.ts';
import { missingRight, requireCreate, requireSameSchema, requireUsable } from './usable-database.ts';

/**
 * A statement that waits for the lock of a table lets everybody wait who comes after it. So it waits for a moment, and lets
 * them pass before it tries again. Statements of the service end within 30 s, those of a dump do not.
 */
const TABLE_LOCK_MS = 1_000;
const TABLE_LOCK_PAUSE_MS = 500;
const TABLE_LOCK_PATIENCE_MS = 300_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/** `is_run`: false while it is only announced (older-sessions.ts). */
type Done = Pick<Migration, 'name' | 'checksum' | 'needs'> & { is_run: boolean };

/** `signal` ends the update at its next wait, or between two migrations. */
export type MigrateOptions = WaitOptions & {
  /** The role that owns the tables, where that of the service does not: see `migrate`. */
  owner_url?: string | undefined;
  /** How long processes that are too old get to end by themselves, and a table to become free. For tests. */
  patience_ms?: number;
  /** Only these, for a copy of a database that has no others. */
  only?: ReadonlySet<string>;
  /** Those of another program than this one. For tests. */
  known?: Migration[];
};

/**
 * Updates the schema of the database at `url` to this version: numbered files, forward only, each in its own transaction. A
 * newer version may have expanded the schema already: this one works with it. A migration that contracts the schema first
 * lets every process end that is too old for it.
 *
 * `owner_url`: the same database with the role that owns the tables, where the role of `url` does not. The role of `url` then
 * gets the rights of the service: on the audit log it can only read and append. Without it a schema that is up to date already
 * needs no rights of an owner.
 * @throws SchemaMismatch when the schema is not one that this program knows; OperatorError when it cannot connect, or not with
 * sessions of its own; Error when a migration fails; the reason of `signal`.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<void> {
  const { owner_url } = options;
  const clients: pg.Client[] = [];
  const open = async (to: string) => {
    const client = await connect(to);
    clients.push(client);
    const others = { open: () => connect(to), close: (other: pg.Client) => other.end() };
    await requireOwnSession(client, others);
    return client;
  };
  try {
    const client = await open(owner_url ?? url);
    await requireUsable(client);
    if (owner_url) await open(url);
    const lock = await open(owner_url ?? url);
    await holdMigrationLock(lock, options);
    await runPending({ client, lock }, options);
    if (owner_url) await grantRights(client, url);
  } catch (error) {
    throw missingRight(error) ?? error;
  } finally {
    for (const client of clients) await client.end();
  }
}

/** @throws OperatorError */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: MIGRATING });
  client.on('error', () => undefined); // what is asked next fails, which is enough
  await client.connect().catch((error) => {
    throw new OperatorError(`Cannot connect to the database: ${error.message || error.code}.`, {
      cause: error,
    });
  });
  await prepareSession(client, { statement_timeout_ms: 0, idle_in_transaction_timeout_ms: 0 });
  return client;
}

/** Runs the pending migrations. `lock`: the connection that has the lock of the migrations. */
async function runPending({ client, lock }: Clients, options: MigrateOptions): Promise<void> {
  const { only, signal, known = readMigrations() } = options;
  for (const migration of pending(known, await readDone(client))) {
    if (only && !only.has(migration.name)) continue;
    signal?.throwIfAborted();
    await requireMigrationLock(lock);
    await run({ client, lock }, migration, options).catch((error) => {
      signal?.throwIfAborted(); // a statement was cancelled
      if (error instanceof OperatorError || missingRight(error)) throw error;
      throw new Error(`migration ${migration.name} failed`, { cause: error });
    });
  }
}

/** Reads the newest migration that has run on a database; null before the first one. */
export async function newestMigration(db: Db): Promise<string | null> {
  const { rows } = await sql<{
    name: string | null;
  }>`select max(name) as name from migrations where run_at is not null`.execute(db);
  return rows[0]?.name ?? null;
}

/** Returns true when this version has the migration. It has no migration of a newer version. */
export function knowsMigration(name: string): boolean {
  return migrationNames().includes(name);
}

/** `run_at` is null while a migration that contracts the schema is only announced (older-sessions.ts). */
const TABLE = `create table migrations (
  name text primary key, checksum text not null, run_at timestamptz default now(), needs text)`;

async function hasTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(
    "select to_regclass('migrations') is not null as has",
  );
  return rows[0]?.has === true;
}

/** Returns true when a program of the service has ever made tables in the database at `url`. @throws OperatorError when it cannot connect */
export async function isBegun(url: string): Promise<boolean> {
  const client = await connect(url);
  return hasTables(client).finally(() => client.end());
}

async function readDone(client: pg.Client): Promise<Done[]> {
  if (!(await hasTables(client))) {
    await requireCreate(client);
    await client.query(TABLE);
  }
  const sql = 'select name, checksum, needs, run_at is not null as is_run from migrations';
  return (await client.query<Done>(sql)).rows;
}

/**
 * Lists the migrations that have made the database at `url`, for a copy of it that this program makes. None for an empty database.
 * @throws SchemaMismatch when this program does not know each of them as it is
 */
export async function migrationsOf(client: pg.Client): Promise<ReadonlySet<string>> {
  if (!(await hasTables(client))) return new Set();
  const done = await readDone(client);
  const known = readMigrations();
  pending(known, done);
  const names = new Set(known.map(({ name }) => name));
  const unknown = done.find(({ name }) => !names.has(name));
  if (unknown) throw new SchemaMismatch(tooNew(unknown.name));
  return new Set(done.filter(({ is_run }) => is_run).map(({ name }) => name));
}

/** Grants the role of `url` everything but the rights of an owner, and on the audit log only those to read and to append. */
async function grantRights(client: pg.Client, url: string): Promise<void> {
  const role = client.escapeIdentifier(new pg.Client({ connectionString: url }).user ?? '');
  const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
  const name = rows[0]?.schema ?? '';
  const schema = client.escapeIdentifier(name);
  for (const statement of [
    `grant usage on schema ${schema} to ${role}`,
    `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
    `grant usage, select on all sequences in schema ${schema} to ${role}`,
    `revoke update, delete, truncate on audit_log from ${role}`,
    `revoke insert, update, delete on migrations from ${role}`,
  ])
    await client.query(statement);
  const service = await connect(url); // now that it has its rights, it sees what it has them on
  await requireSameSchema(service, name).finally(() => service.end());
}

/** @throws SchemaMismatch */
function pending(known: Migration[], done: Done[]): Migration[] {
  const checksums = new Map(known.map((migration) => [migration.name, migration.checksum]));
  for (const { name, checksum, needs } of done) {
    const own = checksums.get(name);
    if (needs !== null && !checksums.has(needs)) throw new SchemaMismatch(tooNew(name));
    if (own !== undefined && own !== checksum) {
      throw new SchemaMismatch(`The migration ${name} differs from the one that made this database.`);
    }
  }
  const run = new Set(done.filter(({ is_run }) => is_run).map(({ name }) => name));
  return known.filter(({ name }) => !run.has(name));
}

type Clients = { client: pg.Client; lock: pg.Client };

async function run({ client, lock }: Clients, migration: Migration, options: MigrateOptions): Promise<void> {
  const { needs } = migration;
  if (needs !== null)
    await endOlderSessions(
      client,
      { ...migration, needs },
      { ...options, tell: (line) => options.log?.warn(line) },
    );
  const statements = statementsOf(migration);
  if (statements === null) await runPatiently(client, migration, options);
  else await runOneByOne({ client, lock }, migration, { ...options, statements });
}

/** Repeats the migration while somebody holds a table that it changes. @throws OperatorError when this lasts */
async function runPatiently(client: pg.Client, migration: Migration, options: MigrateOptions): Promise<void> {
  const { patience_ms = TABLE_LOCK_PATIENCE_MS, log, signal } = options;
  const isNoticeDue = createNotices(options);
  const deadline = systemClock.now().getTime() + patience_ms;
  for (let tries = 1; ; tries++) {
    try {
      return await runAtOnce(client, migration);
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK_DETECTED) throw error;
      if (systemClock.now().getTime() >= deadline)
        throw new OperatorError(
          `The migration ${migration.name} changes a table that a long transaction uses, a dump perhaps. ` +
            'Nothing was changed. Repeat this when the transaction has ended (pg_stat_activity shows it).',
          { cause: error },
        );
      if (tries === 1 || isNoticeDue())
        log?.warn(
          { used_by: await openTransactions(client) },
          `${migration.name} waits for a table that is in use`,
        );
    }
    signal?.throwIfAborted();
    await systemClock.sleep(TABLE_LOCK_PAUSE_MS, signal);
  }
}

async function runAtOnce(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query(`begin; set local lock_timeout = ${TABLE_LOCK_MS}`);
    await client.query(migration.sql);
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Runs statements without a limit of time for locks: one that builds an index waits for transactions, and lets nobody wait. */
async function runOneByOne(
  { client, lock }: Clients,
  migration: Migration,
  { statements, ...options }: WaitOptions & { statements: string[] },
): Promise<void> {
  await dropUnfinishedIndexes(client, migration);
  for (const statement of statements) await runTold({ client, lock, statement }, options);
  await record(client, migration);
}

/**
 * Drops what a crash has left of `create index concurrently`. `if not exists` would take it for the index. Other unfinished indexes
 * belong to somebody else, who may be building them now.
 */
async function dropUnfinishedIndexes(client: pg.Client, migration: Migration): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_index
       join pg_class on pg_class.oid = indexrelid join pg_namespace on pg_namespace.oid = relnamespace
      where not indisvalid and nspname = current_schema and relname = any($1)`,
    [migration.sql.match(/\w+/g)],
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${name}`);
}

async function record(client: pg.Client, { name, checksum, needs }: Migration): Promise<void> {
  const insert = 'insert into migrations (name, checksum, needs) values ($1, $2, $3)';
  await client.query(`${insert} on conflict (name) do update set run_at = now()`, [name, checksum, needs]);
}
