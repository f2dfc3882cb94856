import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createLog } from '../lib/log.ts';
import { keepRunning } from './keep-running.ts';

const MINUTE_MS = 60_000;

/** A server that ends `lives_ms` after each start, over a clock that passes all pauses at once and notes them. */
function keep(lives_ms: number[], restart: () => Promise<void> = async () => {}) {
  const pauses: number[] = [];
  let now_ms = 0;
  let ends_ms = lives_ms.shift() ?? 0;
  let starts = 0;
  const kept = keepRunning({
    isRunning: async () => now_ms < ends_ms,
    async restart() {
      starts++;
      await restart();
      ends_ms = now_ms + (lives_ms.shift() ?? 0);
    },
    log_path: '/data/postgres.log',
    log: createLog('silent', false),
    clock: {
      now: () => new Date(now_ms),
      async sleep(ms) {
        pauses.push(ms);
        now_ms += ms;
        await setImmediate();
      },
    },
  });
  return { kept, pauses: () => pauses.filter((ms) => ms !== 1_000), starts: () => starts };
}

test('a server that ends again and again is given up after four restarts, with ever longer pauses', async () => {
  const { kept, pauses, starts } = keep([]);
  const { message } = await kept.lost;
  assert.equal(
    message,
    'The embedded PostgreSQL has ended and ends again after every restart. Its log is /data/postgres.log.',
  );
  assert.equal(starts(), 4);
  assert.deepEqual(pauses(), [0, 5_000, 10_000]);
});

test('one that does not start again is given up with the reason', async () => {
  const { kept, starts } = keep([], () => Promise.reject(new Error('the disk is full')));
  assert.match((await kept.lost).message, /has ended and does not start again \(the disk is full\)\./);
  assert.equal(starts(), 4);
});

test('one that ends once in ten minutes is started again for ever', async () => {
  const { kept, starts } = keep(Array(20).fill(10 * MINUTE_MS));
  await kept.lost;
  assert.equal(starts(), 19 + 4);
});

test('one that cannot be looked at is not taken for ended', async () => {
  let looks = 0;
  let restarts = 0;
  const seen = Promise.withResolvers<void>();
  const kept = keepRunning({
    isRunning: async () => {
      if (++looks === 5) seen.resolve();
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    },
    restart: async () => void restarts++,
    log_path: '',
    log: createLog('silent', false),
    clock: { now: () => new Date(0), sleep: () => setImmediate() },
  });
  await seen.promise;
  await kept.stop();
  assert.equal(restarts, 0);
});

test('a stop waits for the restart that is under way, and none begins after it', async () => {
  const begun = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const { kept, starts } = keep([], () => {
    begun.resolve();
    return started.promise;
  });
  await begun.promise;
  const stopped = kept.stop();
  started.resolve();
  await stopped;
  assert.equal(starts(), 1);
});
