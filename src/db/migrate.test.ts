import { strict as assert } from 'node:assert';
import { afterEach, beforeEach, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { schemaCheck } from './schema-check.ts';

const ONE_BY_ONE = '0002_growth.sql';

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

const forget = () => client.query('delete from migrations where name = $1', [ONE_BY_ONE]);

test('a migration that a crash has interrupted while it built an index is repeated, and the index is built again', async () => {
  const wanted = await indexes();
  await forget();
  await client.query(
    `update pg_index set indisvalid = false where indexrelid = 'deposits_search_hash'::regclass`,
  );
  await client.query('drop index withdrawals_failed');
  await migrate(database.url);
  assert.deepEqual(await indexes(), wanted);
  assert([...wanted.values()].every((valid) => valid));
});

test('processes that start at once migrate one after the other, also where a migration waits for all snapshots', async () => {
  const wanted = await indexes();
  await forget();
  for (const name of ['deposits_search_hash', 'withdrawals_failed', 'withdrawals_pending'])
    await client.query(`drop index ${name}`);
  await Promise.all([1, 2, 3, 4].map(() => migrate(database.url)));
  assert.deepEqual(await indexes(), wanted);
});

const addNewer = (needs: string | null) =>
  client.query("insert into migrations (name, checksum, needs) values ('9999_newer.sql', '', $1)", [needs]);

for (const [what, needs] of [
  ['expanded', null],
  ['contracted so that this one still fits', '0003_key_fingerprints.sql'],
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

test('a migration that waits for a table lets others use the table meanwhile, and goes on when the table is free', async () => {
  await client.query("delete from migrations where name = '0025_exams.sql'");
  await client.query('alter table webhook_endpoints drop column examined_until');
  const dump = new pg.Client({ connectionString: database.url });
  await dump.connect();
  await dump.query('begin; select from webhook_endpoints');
  const migrating = migrate(database.url);
  const waits = `select from pg_locks where relation = 'webhook_endpoints'::regclass and not granted`;
  await eventually('it waits', async () => (await dump.query(waits)).rowCount === 1);
  await client.query('select from webhook_endpoints'); // would wait for ever
  await dump.query('commit');
  await migrating;
  await client.query('select examined_until from webhook_endpoints');
  await dump.end();
});

test('a migration that cannot get its table changes nothing, and says so', async () => {
  await client.query("delete from migrations where name = '0025_exams.sql'");
  await client.query('alter table webhook_endpoints drop column examined_until');
  await client.query('begin; select from webhook_endpoints');
  await assert.rejects(
    migrate(database.url, { patience_ms: 0 }),
    /0025_exams.sql changes a table .* Nothing was changed/,
  );
  await client.query('commit');
  await assert.rejects(client.query('select examined_until from webhook_endpoints'), /does not exist/);
});
