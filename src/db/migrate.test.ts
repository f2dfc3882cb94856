import { strict as assert } from 'node:assert';
import { afterEach, beforeEach, test } from 'node:test';
import pg from 'pg';
import pino from 'pino';
import { eventually } from '../../test/support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { holdMigrationLock } from './migration-lock.ts';
import { type Migration, readMigrations } from './migrations.ts';
import { schemaCheck } from './schema-check.ts';

/** The migrations of a later version: one runs statement by statement, the other changes a table that is in use. */
const later = (name: string, sql: string): Migration => ({ name, sql, checksum: name, needs: null });
const ONE_BY_ONE = later(
  '9001_growth.sql',
  `-- no transaction
alter table wallets add column if not exists color text;

create index concurrently if not exists wallets_color on wallets (color);

create index concurrently if not exists wallets_color_id on wallets (color, id);
`,
);
const ADDS_COLUMN = later('9002_color.sql', 'alter table wallets add column shade text;');

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

async function indexes(): Promise<Map<string, boolean>> {
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
       join pg_class on pg_class.oid = indrelid where relnamespace = 'public'::regnamespace order by 1`,
  );
  return new Map(rows.map(({ name, valid }) => [name, valid]));
}

const migrateTo = (newest: Migration, options: MigrateOptions = {}) =>
  migrate(database.url, { known: [...readMigrations(), newest], ...options });
const forget = () => client.query('delete from migrations where name = $1', [ONE_BY_ONE.name]);

test('a migration that a crash has interrupted while it built an index is repeated, and the index is built again', async () => {
  await migrateTo(ONE_BY_ONE);
  const wanted = await indexes();
  assert.ok(wanted.has('wallets_color_id'));
  await forget();
  await client.query(`update pg_index set indisvalid = false where indexrelid = 'wallets_color'::regclass`);
  await client.query('drop index wallets_color_id');
  await migrateTo(ONE_BY_ONE);
  assert.deepEqual(await indexes(), wanted);
  assert([...wanted.values()].every((valid) => valid));
});

test('processes that start at once migrate one after the other, also where a migration waits for all snapshots', async () => {
  await Promise.all([1, 2, 3, 4].map(() => migrateTo(ONE_BY_ONE)));
  const built = await indexes();
  for (const name of ['wallets_color', 'wallets_color_id']) assert.equal(built.get(name), true, name);
});

const addNewer = (needs: string | null) =>
  client.query("insert into migrations (name, checksum, needs) values ('9999_newer.sql', '', $1)", [needs]);

for (const [what, needs] of [
  ['expanded', null],
  ['contracted so that this one still fits', '0001_init.sql'],
] as const)
  test(`a version works with a schema that a newer one has ${what}`, async () => {
    await addNewer(needs);
    await migrate(database.url);
    const { pool } = openDatabase(database.url, createLog('silent', false));
    assert.equal(await schemaCheck(pool)(), null);
    await pool.end();
  });

test('a version refuses a schema that lacks what it needs, at the start and while it runs', async () => {
  const { pool } = openDatabase(database.url, createLog('silent', false));
  const check = schemaCheck(pool);
  assert.equal(await check(), null);
  await addNewer('9998_new.sql');
  assert.match((await check()) ?? '', /9999_newer.sql, which this version cannot work with/);
  await assert.rejects(migrate(database.url), /9999_newer.sql/);
  await pool.end();
});

test('a migration that waits for a table lets others use the table until then, and goes on when the table is free', async () => {
  const dump = new pg.Client({ connectionString: database.url });
  await dump.connect();
  await dump.query('begin; select from wallets');
  const migrating = migrateTo(ADDS_COLUMN);
  const waits = `select from pg_locks where relation = 'wallets'::regclass and not granted`;
  await eventually('it waits', async () => (await dump.query(waits)).rowCount === 1);
  await client.query('select from wallets'); // would wait for ever
  await dump.query('commit');
  await migrating;
  await client.query('select shade from wallets');
  await dump.end();
});

test('a migration that cannot get its table changes nothing, and says so', async () => {
  await client.query('begin; select from wallets');
  await assert.rejects(
    migrateTo(ADDS_COLUMN, { patience_ms: 0 }),
    /9002_color.sql changes a table .* Nothing was changed/,
  );
  await client.query('commit');
  await assert.rejects(client.query('select shade from wallets'), /does not exist/);
});

/** A wait that is reported at every look, and the lines that report it. */
function toldWait() {
  const lines: string[] = [];
  const stopping = new AbortController();
  const log = pino({}, { write: (text: string) => void lines.push(text) });
  return { options: { notice_ms: 0, signal: stopping.signal, log }, lines, stop: () => stopping.abort() };
}

const pidOf = async (holder: pg.Client) =>
  (await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

for (const [what, hold, newest] of [
  ['the lock of the migrations', (holder: pg.Client) => holdMigrationLock(holder, {}), ADDS_COLUMN],
  ['a table', (holder: pg.Client) => holder.query('begin; select from wallets'), ADDS_COLUMN],
  [
    'the transactions before an index',
    (holder: pg.Client) => holder.query('begin; insert into team_usage (team_id) values (1)'),
    later(
      '9001_growth.sql',
      '-- no transaction\ncreate index concurrently usage_color on team_usage (team_id);\n',
    ),
  ],
] as const)
  test(`who waits for ${what} says who has it, and ends when told to, with nothing done`, async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await hold(holder);
    const { options, lines, stop } = toldWait();
    const has = `session ${await pidOf(holder)} `;
    const migrating = migrateTo(newest, options);
    migrating.catch(() => undefined); // awaited below
    await eventually('the holder is named', async () => lines.some((line) => line.includes(has)));
    stop();
    await assert.rejects(migrating, { name: 'AbortError' });
    await holder.end();
    const { rowCount } = await client.query('select from migrations where name = $1', [newest.name]);
    assert.equal(rowCount, 0);
  });
