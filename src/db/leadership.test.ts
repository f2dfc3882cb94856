import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../lib/log.ts';
import { type Database, openDatabase } from './database.ts';
import { createLeadership } from './leadership.ts';

/** Longer than a busy machine stands still between two looks of one who leads. */
const PATIENCE_MS = 60_000;
const log = createLog('silent', false);

let storage: TestDatabase;
const databases: Database[] = [];
let lock_id = 1;

before(async () => {
  storage = await createTestDatabase();
});
after(async () => {
  for (const database of databases) await database.close();
  await storage.drop();
});

/** Two processes that want to lead, one with this patience does, and the way to end the database session of whoever does. */
async function twoProcesses(patience_ms = PATIENCE_MS) {
  lock_id++;
  const id = lock_id;
  const aProcess = (patience_ms: number) => {
    const database = openDatabase(storage.url, log);
    databases.push(database);
    return createLeadership(database.pool, id, log, patience_ms);
  };
  const [one, other] = [aProcess(patience_ms), aProcess(PATIENCE_MS)];
  assert(await one.hold());
  const endSession = async () => {
    const sql = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1
                    and database = (select oid from pg_database where datname = current_database())`;
    await databases[0]?.pool.query(sql, [id]);
  };
  return { one, other, endSession };
}

test('who gives it back is followed at once', async () => {
  const { one, other } = await twoProcesses();
  for (let times = 0; times < 50; times++) {
    assert(!(await other.hold()), 'and has a connection at hand, which is quicker than the end of another');
    await one.release();
    assert(await other.hold());
    await other.release();
    assert(await one.hold());
  }
});

test('whose connection breaks is followed, and knows it at its next look', async () => {
  const { one, other, endSession } = await twoProcesses();
  assert(!(await other.hold()));
  await endSession();
  await eventually('the other one leads', () => other.hold());
  assert(!(await one.hold()));
  await other.release();
  await eventually('and may lead again', () => one.hold());
});

test('who hangs is followed when its patience is over', async () => {
  const began_ms = performance.now();
  const { one, other } = await twoProcesses(1_000);
  await eventually('the other one leads', () => other.hold());
  assert(performance.now() - began_ms >= 1_000);
  assert(!(await one.hold()));
});

test('who works keeps it, however long', async () => {
  const patience_ms = 5_000;
  const { one, other } = await twoProcesses(patience_ms);
  const until_ms = performance.now() + 2 * patience_ms;
  await eventually('twice its patience', async () => {
    assert(await one.hold());
    assert(!(await other.hold()));
    return performance.now() > until_ms;
  });
});
