import { strict as assert } from 'node:assert';
import { afterEach, test } from 'node:test';
import { sql } from 'kysely';
import pino from 'pino';
import { eventually } from '../../test/support/eventually.ts';
import { LOCK_WAITS } from '../../test/support/lock-waits.ts';
import { startPooler } from '../../test/support/pooler.ts';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase, type Trx } from './database.ts';
import { createLeadership, disputed } from './leadership.ts';

/** Longer than a busy machine stands still between two looks of one who leads. */
const PATIENCE_MS = 60_000;
const silent = createLog('silent', false);

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function newDatabase(): Promise<string> {
  const storage = await createTestDatabase();
  stops.push(() => storage.drop());
  return storage.url;
}

function aProcess(url: string, patience_ms: number, log = silent) {
  const { db, pool, close } = openDatabase(url, silent);
  const leadership = createLeadership({ pool, clock: systemClock, log }, 'deposits', patience_ms);
  stops.push(async () => {
    await leadership.release(); // a pool waits for the connection of a leader
    await close();
  });
  return { ...leadership, db };
}

/** Two processes that want to lead, one with this patience does, and the way to end the database session of whoever does. */
async function twoProcesses(patience_ms = PATIENCE_MS) {
  const url = await newDatabase();
  const [one, other] = [aProcess(url, patience_ms), aProcess(url, PATIENCE_MS)];
  assert(await one.hold());
  const endSession = async () => {
    await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
                 and database = (select oid from pg_database where datname = current_database())`.execute(
      one.db,
    );
  };
  return { one, other, endSession };
}

/** A write that shows which leader has done it. */
const writes = (value: number) => (trx: Trx) => sql`insert into written values (${value})`.execute(trx);

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

test('who works keeps it, however long: each look begins its patience again', async () => {
  const { one, other } = await twoProcesses();
  /** From then on PostgreSQL counts the patience: it ends the session when it has done nothing for so long. */
  const lastWork = async () => {
    const { rows } = await sql<{ at_us: bigint }>`
      select (extract(epoch from state_change) * 1000000)::bigint as at_us
        from pg_stat_activity join pg_locks using (pid)
       where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`.execute(
      other.db,
    );
    assert(rows[0]);
    return rows[0].at_us;
  };
  for (let look = 0; look < 3; look++) {
    const before = await lastWork();
    assert(await one.hold());
    assert(!(await other.hold()));
    assert((await lastWork()) > before);
  }
});

test('who is replaced in the midst of a write is waited for; whatever it begins later is not written', async () => {
  const { one, other, endSession } = await twoProcesses();
  await sql`create table written (value int)`.execute(other.db);
  const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const write = one.act(one.db, async (trx) => {
    begun.resolve();
    await goesOn.promise;
    return writes(1)(trx);
  });
  await begun.promise;
  await endSession();
  const waits = sql.raw(LOCK_WAITS);
  const taking = eventually('the other one leads', () => other.hold());
  await eventually('the row is waited for', async () => (await waits.execute(one.db)).rows.length > 0);
  goesOn.resolve();
  assert.notEqual(await write, null);
  await taking;
  assert.equal(await one.act(one.db, writes(2)), null);
  assert.notEqual(await other.act(other.db, writes(3)), null);
  assert.equal(await one.act(one.db, writes(4)), null);
  const { rows } = await sql`select value from written order by value`.execute(other.db);
  assert.deepEqual(rows, [{ value: 1 }, { value: 3 }]);
  assert(!(await one.hold()));
  assert.deepEqual(await disputed(other.db), [], 'a connection that breaks is no dispute');
});

test('when a pooler gives the lock to two processes, one alone writes, and the other one raises the alarm and stays away', async () => {
  const url = await newDatabase();
  const direct = openDatabase(url, silent);
  stops.push(direct.close);
  await sql`create table written (value int)`.execute(direct.db);
  const pooler = await startPooler(url, 'transaction');
  stops.push(() => pooler.stop());
  const lines: string[] = [];
  const one = aProcess(pooler.url, PATIENCE_MS, pino({}, { write: (line: string) => void lines.push(line) }));
  const other = aProcess(pooler.url, PATIENCE_MS);
  assert(await one.hold());
  assert(await other.hold(), 'both have the lock: it is of the one session that both are given');
  assert.equal(await one.act(one.db, writes(1)), null);
  assert.notEqual(await other.act(other.db, writes(2)), null);
  const { rows } = await sql`select value from written`.execute(direct.db);
  assert.deepEqual(rows, [{ value: 2 }]);
  assert.deepEqual(await disputed(direct.db), []);
  assert(!(await one.hold()));
  assert.deepEqual(await disputed(direct.db), ['deposits']);
  assert.match(lines.join(''), /"level":50,.*Two processes have the lock of one leader/);
  assert(!(await one.hold()));
  assert(await other.hold(), 'and they do not take it from each other');
});
