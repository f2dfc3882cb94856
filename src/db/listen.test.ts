import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';
import { listen } from './listen.ts';

const storage = await createTestDatabase();
const log = createLog('silent', false);
const database = openDatabase(storage.url, log);
after(async () => {
  await database.close();
  await storage.drop();
});

/** Counts wake-ups and lets a test wait for one more. */
function bell() {
  let count = 0;
  let ring = () => {};
  return {
    wake() {
      count++;
      ring();
    },
    async more() {
      const heard = count;
      while (count === heard) {
        await new Promise<void>((resolve) => {
          ring = resolve;
        });
      }
    },
  };
}

test('wakes at a committed notification, and again after its connection was broken', async () => {
  const { wake, more } = bell();
  const listener = listen({ pool: database.pool, clock: systemClock, log }, 'some_channel', wake);
  await more(); // listening
  const woken = more();
  await database.pool.query("select pg_notify('some_channel', '')");
  await woken;
  const again = more();
  const { rowCount } = await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen some_channel'`,
  );
  assert.equal(rowCount, 1);
  await again; // connected once more: it may have missed something
  const after = more();
  await database.pool.query("select pg_notify('some_channel', '')");
  await after;
  await listener.stop();
});

test('stops while it cannot connect', async () => {
  const down = openDatabase('postgres://nobody@127.0.0.1:1/nothing', log);
  const listener = listen({ pool: down.pool, clock: systemClock, log }, 'some_channel', () => assert.fail());
  await listener.stop();
  await down.close();
});
