import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { OperatorError } from '../errors.ts';
import { systemClock } from '../lib/clock.ts';
import type { Db } from './database.ts';

const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', 'migrations');
/** Any fixed number. The lock prevents that two starting processes run a migration twice. */
const MIGRATION_LOCK = 7_354_001;
const LOCK_LOOK_MS = 100;

/** `needs`: the migration that a program must know to work with the schema after this one. Null when any can. */
type Migration = { name: string; sql: string; checksum: string; needs: string | null };

type Done = Pick<Migration, 'name' | 'checksum' | 'needs'>;

/** The schema is one that this program cannot serve, or a migration was edited after it had run. Nothing was changed. */
export class SchemaMismatch extends OperatorError {}

/**
 * First line of a file whose statements run one by one, outside of a transaction: `create index concurrently` needs that. Each
 * of them can be repeated, because a crash in between repeats the file. An empty line ends a statement.
 */
const NO_TRANSACTION = '-- no transaction\n';

/**
 * In a line of its own in files that contract the schema, `-- contracts: needs 0005_name.sql`: what goes is used by no
 * version that has that migration. Every other file only expands the schema. So the version before works beside this one.
 */
const CONTRACTS = /^-- contracts: needs (\d{4}_\w+\.sql)$/m;

/**
 * Updates the schema of the database at `url` to this version: numbered files, forward only, each in its own transaction. A
 * newer version may have expanded the schema already: this one works with it.
 *
 * `owner_url`: the same database with the role that owns the tables, where the role of `url` does not. The role of `url` then
 * gets the rights of the service: on the audit log it can only read and append. Without it a schema that is up to date already
 * needs no rights of an owner.
 * @throws SchemaMismatch when the schema is not one that this program knows; OperatorError when it cannot connect; Error
 * when a migration fails.
 */
export async function migrate(url: string, owner_url?: string): Promise<void> {
  const connectionString = owner_url ?? url;
  const client = new pg.Client({ connectionString, application_name: 'stellar-teller migrate' });
  await client.connect().catch((error) => {
    throw new OperatorError(`Cannot connect to the database: ${error.message || error.code}.`, {
      cause: error,
    });
  });
  try {
    await takeLock(client);
    for (const migration of pending(readMigrations(), await readDone(client))) {
      const run = migration.sql.startsWith(NO_TRANSACTION) ? runOneByOne : runAtOnce;
      await run(client, migration).catch((error) => {
        throw new Error(`migration ${migration.name} failed`, { cause: error });
      });
    }
    if (owner_url) await grantRights(client, url);
  } finally {
    await client.end(); // releases the advisory lock too
  }
}

/** The newest migration of a database; null before the first one. */
export async function newestMigration(db: Db): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`select max(name) as name from migrations`.execute(db);
  return rows[0]?.name ?? null;
}

/** Whether this version has the migration. It has none of a newer version. */
export function knowsMigration(name: string): boolean {
  return readMigrations().some((migration) => migration.name === name);
}

async function readDone(client: pg.Client): Promise<Done[]> {
  const { rowCount } = await client.query(
    `select from information_schema.columns
      where table_schema = current_schema and table_name = 'migrations' and column_name = 'needs'`,
  );
  if (rowCount === 0) {
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, run_at timestamptz not null default now())',
    );
    await client.query('alter table migrations add column if not exists needs text');
  }
  return (await client.query<Done>('select name, checksum, needs from migrations')).rows;
}

/** Gives the role of `url` everything but the rights of an owner, and on the audit log only those to read and to append. */
async function grantRights(client: pg.Client, url: string): Promise<void> {
  const role = client.escapeIdentifier(new pg.Client({ connectionString: url }).user ?? '');
  for (const statement of [
    `grant usage on schema public to ${role}`,
    `grant select, insert, update, delete on all tables in schema public to ${role}`,
    `grant usage, select on all sequences in schema public to ${role}`,
    `revoke update, delete, truncate on audit_log from ${role}`,
    `revoke insert, update, delete on migrations from ${role}`,
  ])
    await client.query(statement);
}

function readMigrations(): Migration[] {
  const names = readdirSync(MIGRATIONS_DIR).filter((name) => /^\d{4}_\w+\.sql$/.test(name));
  return names.sort().map((name) => {
    const sql = readFileSync(join(MIGRATIONS_DIR, name), 'utf8');
    const checksum = createHash('sha256').update(sql).digest('hex');
    return { name, sql, checksum, needs: CONTRACTS.exec(sql)?.[1] ?? null };
  });
}

function pending(known: Migration[], done: Done[]): Migration[] {
  const checksums = new Map(known.map((migration) => [migration.name, migration.checksum]));
  for (const { name, checksum, needs } of done) {
    const own = checksums.get(name);
    if (needs !== null && !checksums.has(needs)) throw new SchemaMismatch(tooNew(name));
    if (own !== undefined && own !== checksum) {
      throw new SchemaMismatch(`The migration ${name} differs from the one that made this database.`);
    }
  }
  const run = new Set(done.map(({ name }) => name));
  return known.filter(({ name }) => !run.has(name));
}

async function runAtOnce(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration.sql);
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function runOneByOne(client: pg.Client, migration: Migration): Promise<void> {
  await dropUnfinishedIndexes(client, migration);
  for (const statement of migration.sql.split(/;\n\n|;\n$/)) {
    if (statement.trim() !== '') await client.query(statement);
  }
  await record(client, migration);
}

/**
 * What a crash has left of `create index concurrently`. `if not exists` would take it for the index. Other unfinished indexes
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
  await client.query(insert, [name, checksum, needs]);
}

/**
 * A function that tells why this program cannot serve the schema any more: a newer version has contracted it meanwhile.
 * Null while it can.
 */
export function schemaCheck(db: Db): () => Promise<string | null> {
  const known = readMigrations().map(({ name }) => name);
  return async () => {
    const { rows } = await sql<{ name: string }>`
      select name from migrations where needs <> all(${known}::text[]) order by name limit 1`.execute(db);
    return rows[0] ? tooNew(rows[0].name) : null;
  };
}

function tooNew(name: string): string {
  return `The database has the migration ${name}, which this version cannot work with. Run the newer version.`;
}

/**
 * Waits for the lock between statements. A statement that waits would hold a snapshot, and `create index concurrently` of the
 * process that has the lock would wait for that snapshot.
 */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.locked) return;
    await systemClock.sleep(LOCK_LOOK_MS);
  }
}
