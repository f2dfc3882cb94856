import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.ts';
import { LOCK_WAITS } from '../../test/support/lock-waits.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';

let storage: TestDatabase;
before(async () => {
  storage = await createTestDatabase();
});
after(() => storage.drop());

test('a connection that is ready only when its query has stopped waiting serves the next one, and the pool can end', async () => {
  const limits = { connections: 1, statement_timeout_ms: 30_000 };
  const { pool, close } = openDatabase(storage.url, createLog('silent', false), limits);
  const first = await pool.connect();
  const late = assert.rejects(pool.connect(), /timeout exceeded/);
  const [busy, watch] = [new pg.Client(storage.url), new pg.Client(storage.url)];
  for (const client of [busy, watch]) await client.connect();
  await busy.query('begin');
  await busy.query('lock table migrations in access exclusive mode'); // which each new connection reads
  first.release(true); // the query that waits gets a connection of its own
  await eventually('the new connection', async () => (await watch.query(LOCK_WAITS)).rowCount === 1);
  await late;
  await busy.query('rollback');
  for (const client of [busy, watch]) await client.end();
  assert.equal((await pool.query('select 1 as one')).rows[0].one, 1);
  await close();
});
