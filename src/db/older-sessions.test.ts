import { strict as assert } from 'node:assert';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';
import { isConnectFailure } from './failures.ts';
import { endOlderSessions } from './older-sessions.ts';
import { schemaCheck } from './schema-check.ts';
import { sessionName } from './session-names.ts';

const log = createLog('silent', false);
const CONTRACT = { name: '9999_contract.sql', sql: '', checksum: 'c', needs: '9998_new.sql' };
const NEVER_MS = 3_600_000;

let database: TestDatabase;
let migrating: pg.Client;
let told: string[];
const tell = (line: string) => void told.push(line);

beforeEach(async () => {
  told = [];
  database = await createTestDatabase();
  migrating = await session('stellar-teller migrate');
});
afterEach(async () => {
  await migrating.end();
  await database.drop();
});

async function session(application_name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, application_name });
  client.on('error', () => {});
  await client.connect();
  return client;
}

test('a contraction waits for the sessions of programs that lack what it needs, and for no others', async () => {
  const others = [
    await session('stellar-teller 9998_new.sql'),
    await session('stellar-teller-backup'),
    await session('psql'),
  ];
  const older = [await session('stellar-teller 0000_old.sql'), await session('stellar-teller 0001_init.sql')];
  let over = false;
  const ending = endOlderSessions(migrating, CONTRACT, { patience_ms: NEVER_MS, tell }).then(() => {
    over = true;
  });
  await eventually('it waits', async () => told.length === 1);
  await older[0]?.end();
  const count =
    "select count(*)::int as left from pg_stat_activity where application_name = 'stellar-teller 0000_old.sql'";
  await eventually('one is gone', async () => (await others[2]?.query(count))?.rows[0].left === 0);
  assert.equal(over, false);
  await older[1]?.end();
  await ending;
  for (const client of others) assert.equal((await client.query('select 1 as one')).rows[0].one, 1);
  for (const client of others) await client.end();
});

test('a dump does not hold up the announcement, behind which every new connection would wait', async () => {
  const dump = await session('pg_dump');
  await dump.query('begin; lock table migrations in access share mode');
  await migrating.query("set lock_timeout = '1s'");
  await endOlderSessions(migrating, CONTRACT, { patience_ms: NEVER_MS, tell });
  await dump.end();
});

test('a program that is too old sees the announcement, and gets no new connection from then on', async () => {
  const { db, pool, close } = openDatabase(database.url, log);
  await sql`select 1`.execute(db); // `close` ends a pool that was used by Kysely
  const check = schemaCheck(pool);
  assert.equal(await check(), null);
  const ending = endOlderSessions(migrating, CONTRACT, { patience_ms: NEVER_MS, tell });
  const reason = await eventually('the announcement', check);
  assert.match(reason ?? '', /9999_contract\.sql, which this version cannot work with/);
  await close();
  await ending;

  const late = openDatabase(database.url, log);
  await assert.rejects(sql`select 1`.execute(late.db), (error) => {
    assert.match((error as Error).message, /9999_contract\.sql/);
    return isConnectFailure(error);
  });
  assert.match((await schemaCheck(late.pool)()) ?? '', /9999_contract\.sql/);
  await late.close();
});

test('a session that does not end, like that of a frozen process, is ended after a while with what it had begun', async () => {
  const frozen = await session(sessionName());
  await frozen.query("begin; insert into team_usage (team_id) values ('usr_frozen')");
  await endOlderSessions(migrating, CONTRACT, { patience_ms: 0, tell });
  const { rowCount } = await migrating.query("select from team_usage where team_id = 'usr_frozen'");
  assert.equal(rowCount, 0);
  await assert.rejects(frozen.query('commit'));
});

test('sessions that the role may not end are named, and the schema stays', async () => {
  const role = `weak_${process.pid}`;
  await migrating.query(`create role ${role}`);
  await migrating.query(
    `grant usage, create on schema public to ${role}; alter table migrations owner to ${role}`,
  );
  const older = await session(sessionName());
  const { rows } = await older.query('select pg_backend_pid() as pid');
  await migrating.query(`set role ${role}`);
  await assert.rejects(
    endOlderSessions(migrating, CONTRACT, { patience_ms: 0, end_patience_ms: 0, tell }),
    new RegExp(`PostgreSQL sessions ${rows[0].pid}\\)\\. Stop them`),
  );
  assert.equal((await older.query('select 1 as one')).rows[0].one, 1);
  await older.end();
  await migrating.query('reset role');
  await migrating.query(`drop owned by ${role}; drop role ${role}`);
});
