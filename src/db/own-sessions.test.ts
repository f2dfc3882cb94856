/** Poolers: which ones are refused, and that the others work. */
import { strict as assert } from 'node:assert';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { type Mode, startPooler } from '../../test/support/pooler.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { holdMigrationLock } from './migration-lock.ts';
import { SessionsChange } from './own-sessions.ts';
import { schemaCheck } from './schema-check.ts';

const log = createLog('silent', false);
let storage: TestDatabase;

before(async () => {
  storage = await createTestDatabase();
});
after(() => storage.drop());

async function behind<T>(mode: Mode, work: (url: string) => Promise<T>): Promise<T> {
  const pooler = await startPooler(storage.url, mode);
  return work(pooler.url).finally(() => pooler.stop());
}

test('a pooler in session mode is used, although it refuses settings at the start of a session', () =>
  behind('session', async (url) => {
    await migrate(url);
    const { db, pool, close } = openDatabase(url, log);
    const { rows } = await sql<{
      limit: string;
    }>`select current_setting('statement_timeout') as limit`.execute(db);
    assert.equal(rows[0]?.limit, '30s');
    assert.equal(await schemaCheck(pool)(), null);
    await close();
  }));

for (const which of ['url', 'owner_url'] as const)
  test(`a pooler in transaction mode is refused as ${which}, before anything is asked of the schema`, () =>
    behind('transaction', async (pooled) => {
      const [url, owner_url] = which === 'url' ? [pooled, storage.url] : [storage.url, pooled];
      await assert.rejects(migrate(url, { owner_url }), (error) => {
        assert.ok(error instanceof SessionsChange);
        return /pooler in transaction or statement mode\. Name PostgreSQL itself/.test(error.message);
      });
    }));

test('a pooler that comes to change sessions later is noticed by the next look', () =>
  behind('transaction', async (url) => {
    const { db, pool, close } = openDatabase(url, log);
    await sql`select 1`.execute(db);
    assert.match((await schemaCheck(pool)()) ?? '', /change under the service/);
    await close();
  }));

test('a process that dies behind a pooler keeps nobody from the migrations', () =>
  behind('session', async (url) => {
    const dying = new pg.Client({ connectionString: url });
    dying.on('error', () => {});
    await dying.connect();
    await holdMigrationLock(dying, {});
    (dying as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    await migrate(storage.url);
  }));
