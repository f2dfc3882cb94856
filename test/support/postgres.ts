/** The tests' databases: one server for the whole run (test/run.ts), one database of its own for whoever asks. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/db/migrate.ts';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../../src/lib/log.ts';
import { storageForDatabases } from './storage.ts';

export type TestServer = { host: string; port: number; user: string; password: string };
export type TestDatabase = { url: string; drop(): Promise<void> };

const ROOT = join(import.meta.dirname, '..', '..');
/** Any fixed number: test files run in parallel processes, and one of them makes the template. */
const TEMPLATE_LOCK = 7_354_002;

/** A server for one run of tests: without fsync, in a directory of its own that `stop` removes. */
export async function startTestServer(): Promise<
  TestServer & { cluster_dir: string; stop(): Promise<void> }
> {
  const dir = await mkdtemp(join(await storageForDatabases(), 'teller-db-'));
  await chmod(dir, 0o755); // as root the server runs as somebody else, who must get there
  const server = await startEmbeddedPostgres({ data_dir: dir, log: createLog('warn', false), fsync: false });
  const { host, port, user, password, cluster_dir } = server;
  await stayAsPut({ host, port, user, password });
  const stop = async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
    // Below an unreachable TMPDIR the cluster was put elsewhere, in a folder made for it alone.
    if (!cluster_dir.startsWith(dir)) await rm(dirname(cluster_dir), { recursive: true, force: true });
  };
  return { host, port, user, password, cluster_dir, stop };
}

/**
 * Nothing is vacuumed or analysed unless a test says so: then plans, and what a query without an order gives, follow from what
 * was written. (One visit to a catalog of the database is enough to leave dead rows of its tables in place for longer.)
 */
async function stayAsPut(server: TestServer): Promise<void> {
  await withAdmin(server, async (admin) => {
    await admin.query('alter system set autovacuum = off');
    await admin.query('select pg_reload_conf()');
  });
}

/** How test/run.ts tells the test files where its server is. */
export function serverEnvironment({ host, port, user, password }: TestServer): Record<string, string> {
  return { TEST_PGHOST: host, TEST_PGPORT: String(port), TEST_PGUSER: user, TEST_PGPASSWORD: password };
}

/** Copies a test database that nobody is connected to. The function that it gives puts the copy in the database's place. */
export async function takeBackup(url: string): Promise<() => Promise<void>> {
  const server = await theServer();
  const name = new URL(url).pathname.slice(1);
  const backup = `${name}_backup`;
  await withAdmin(server, (admin) =>
    admin.query(`create database ${backup} template ${name} strategy file_copy`),
  );
  return () =>
    withAdmin(server, async (admin) => {
      await admin.query(`drop database ${name} with (force)`);
      await admin.query(`alter database ${backup} rename to ${name}`);
    });
}

/** A fresh database with the schema in it, cloned from a template that the run migrates only once. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await theServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withAdmin(server, async (admin) => {
    const template = await ensureTemplate(server, admin);
    await admin.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return {
    url: databaseUrl(server, name),
    drop: () => withAdmin(server, (admin) => admin.query(`drop database if exists ${name} with (force)`)),
  };
}

/** `host=` wins; the service wants some host before the path. */
export function databaseUrl({ host, port, user, password }: TestServer, name: string): string {
  return `postgres://${user}:${password}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
}

async function withAdmin(server: TestServer, work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: databaseUrl(server, 'postgres') });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

/** Named after what it is made from, so that a changed migration never meets an old template. */
async function ensureTemplate(server: TestServer, admin: pg.Client): Promise<string> {
  const template = `template_${schemaHash()}`;
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const found = await admin.query('select 1 from pg_database where datname = $1', [template]);
    if (found.rowCount === 0) {
      // The final name only once it is whole: a run killed in between must not leave half a schema to the next.
      await admin.query('drop database if exists template_making with (force)');
      await admin.query('create database template_making strategy file_copy');
      await migrate(databaseUrl(server, 'template_making'));
      await admin.query(`alter database template_making rename to ${template}`);
    }
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return template;
}

function schemaHash(): string {
  const migrations = join(ROOT, 'migrations');
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql'));
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'src/db/migrate.ts')));
  for (const name of files.sort())
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(migrations, name)));
  return hash.digest('hex').slice(0, 16);
}

let own: Promise<TestServer> | undefined;

/** The run's server; for a test file that somebody runs by hand, one of this process alone. */
function theServer(): Promise<TestServer> {
  const { TEST_PGHOST: host, TEST_PGPORT: port, TEST_PGUSER: user, TEST_PGPASSWORD: password } = process.env;
  if (host && port && user && password) return Promise.resolve({ host, port: Number(port), user, password });
  own ??= startOwnServer();
  return own;
}

async function startOwnServer(): Promise<TestServer> {
  const server = await startTestServer();
  process.once('exit', () => endNow(server.cluster_dir, server.host));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return server;
}

/** At exit nothing can be awaited: ends the server at once, and waits for it in place before removing its files. */
function endNow(cluster_dir: string, socket_dir: string): void {
  const pid_file = join(cluster_dir, 'postmaster.pid');
  if (existsSync(pid_file)) {
    const pid = Number(readFileSync(pid_file, 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    const pause = new Int32Array(new SharedArrayBuffer(4));
    while (isRunning(pid)) Atomics.wait(pause, 0, 0, 10);
  }
  for (const dir of [dirname(cluster_dir), socket_dir]) rmSync(dir, { recursive: true, force: true });
}

/** Its arguments are gone as soon as it has ended, although its entry stays while we do not return to Node. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
