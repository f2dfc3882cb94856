/** Databases with other settings than ours, and those that the service cannot use. */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { describeError } from '../cli/program.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

const log = createLog('silent', false);
let storage: TestDatabase;
let admin: pg.Client;
let name: string;

beforeEach(async () => {
  storage = await createTestDatabase();
  name = new URL(storage.url).pathname.slice(1);
  admin = new pg.Client({ connectionString: storage.url });
  await admin.connect();
});
afterEach(async () => {
  await admin.end();
  await storage.drop();
});

/** The URL of the database whose sessions begin with these options. */
function withOptions(options: string): string {
  const url = new URL(storage.url);
  url.searchParams.set('options', options);
  return url.href;
}

async function sentenceOf(url: string, owner_url?: string): Promise<string> {
  const error = await migrate(url, { owner_url }).then(
    () => assert.fail('it was not refused'),
    (error) => error,
  );
  const said = describeError(error);
  assert.doesNotMatch(said, /\n/, 'one sentence, without a stack');
  return said;
}

/** Runs `work` with a role that may not log in, which a session takes by `-c role=NAME`. */
async function withRole(work: (role: string) => Promise<void>): Promise<void> {
  const role = `role_${randomBytes(6).toString('hex')}`;
  await admin.query(`create role ${role}`);
  await work(role);
  await admin.query(`drop owned by ${role}; drop role ${role}`);
}

test('whatever the defaults of a database are, a session has the settings that the service relies on', async () => {
  const others = {
    datestyle: `'German'`,
    intervalstyle: `'iso_8601'`,
    timezone: `'Asia/Tokyo'`,
    bytea_output: `'escape'`,
    extra_float_digits: '0',
    standard_conforming_strings: 'off',
    transform_null_equals: 'on',
    array_nulls: 'off',
    default_transaction_isolation: 'serializable',
    default_transaction_deferrable: 'on',
    lock_timeout: `'5ms'`,
    idle_session_timeout: `'5s'`,
    transaction_timeout: `'5s'`,
    synchronous_commit: 'off',
    search_path: `'elsewhere', 'public', 'pg_catalog'`,
  };
  await admin.query('create schema elsewhere; create table elsewhere.wallets (id text)');
  for (const [setting, value] of Object.entries(others))
    await admin.query(`alter database ${name} set ${setting} = ${value}`);
  await migrate(storage.url); // there is nothing to do: the tables are found
  const { db, close } = openDatabase(storage.url, log);
  const { rows } = await sql<Record<string, unknown>>`
    select now() as now, '\\x00ff'::bytea as bytes, length('\\n') = 2 as standard, null = null as equals,
           'wallets'::regclass::oid = 'public.wallets'::regclass::oid as ours,
           current_setting('timezone') as zone, current_setting('default_transaction_isolation') as isolation,
           current_setting('lock_timeout') as lock_ms, current_setting('idle_session_timeout') as idle_ms,
           current_setting('transaction_timeout', true) as transaction_ms,
           current_setting('synchronous_commit') as commits`.execute(db);
  await close();
  const [{ now, ...rest } = {}] = rows;
  assert.ok(now instanceof Date && !Number.isNaN(now.getTime()));
  assert.deepEqual(rest, {
    bytes: Buffer.from([0, 255]),
    standard: true,
    equals: null,
    ours: true,
    zone: 'UTC',
    isolation: 'read committed',
    lock_ms: '0',
    idle_ms: '0',
    transaction_ms: '0',
    commits: 'on',
  });
});

test('a stronger synchronous_commit than ours stays', async () => {
  await admin.query(`alter database ${name} set synchronous_commit = remote_apply`);
  const { db, close } = openDatabase(storage.url, log);
  const { rows } = await sql<{
    commits: string;
  }>`select current_setting('synchronous_commit') as commits`.execute(db);
  await close();
  assert.equal(rows[0]?.commits, 'remote_apply');
});

test('a database in another encoding is refused in a sentence that says how to make one', async () => {
  for (const encoding of ['LATIN1', 'SQL_ASCII']) {
    const other = `${name}_${encoding.toLowerCase()}`;
    await admin.query(`create database ${other} encoding '${encoding}' locale 'C' template template0`);
    const url = new URL(storage.url);
    url.pathname = other;
    assert.match(await sentenceOf(url.href), new RegExp(`has the encoding ${encoding}, .* encoding 'UTF8'`));
    await admin.query(`drop database ${other}`);
  }
});

test('a read-only database is refused with the name of the setting', async () => {
  const url = withOptions('-c default_transaction_read_only=on');
  assert.match(await sentenceOf(url), /^The database is read-only: default_transaction_read_only is on /);
});

test('a database whose triggers do not run is refused with the name of the setting', async () => {
  const url = withOptions('-c session_replication_role=replica');
  assert.match(
    await sentenceOf(url),
    /^The triggers of the database do not run: session_replication_role is /,
  );
});

test('a search_path without a schema is refused', async () => {
  const url = withOptions('-c search_path=nowhere');
  assert.match(await sentenceOf(url), /^The search_path of the database role "\w+" names no schema/);
});

test('a role that may not make tables, or lacks rights on them, is refused in a sentence that names it', () =>
  withRole(async (role) => {
    const as_role = withOptions(`-c role=${role}`);
    assert.match(await sentenceOf(as_role), /lacks a right: permission denied for table migrations\./);
    await admin.query(`create schema bare; grant usage on schema bare to ${role}`);
    const bare = withOptions(`-c role=${role} -c search_path=bare`);
    const expected = `"${role}" may not make tables in the schema "bare"\\. Grant it with: grant create`;
    assert.match(await sentenceOf(bare), new RegExp(expected));
    await admin.query('grant select on migrations to public');
    await migrate(as_role);
    const { db, close } = openDatabase(as_role, log);
    const error = await sql`select from wallets`.execute(db).catch((failure) => failure);
    await close();
    assert.match(describeError(error), /lacks a right: permission denied for table wallets\. Let MIGRATION_/);
  }));

test('a schema of one’s own is made, used and granted; a role that does not find it is refused', async () => {
  await admin.query('create schema teller; create schema other');
  const own = withOptions('-c search_path=teller');
  await migrate(own, { owner_url: own });
  const { rows } = await admin.query(
    "select count(*)::int as tables from pg_tables where schemaname = 'teller' and tablename = 'wallets'",
  );
  assert.equal(rows[0].tables, 1);
  const sentence = await sentenceOf(withOptions('-c search_path=other'), own);
  assert.match(
    sentence,
    /^The tables are in the schema "teller", and the database role "\w+" does not find them\./,
  );
  assert.match(
    await sentenceOf(storage.url, own),
    /finds others, in "public"\. Set its search_path with: alter role/,
  );
});
