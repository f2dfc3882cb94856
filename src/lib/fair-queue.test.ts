import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { createFairQueue, TooManyWaiting } from './fair-queue.ts';

/** Tasks that end when the test ends them, and the order in which they began. */
function tasks(queue: ReturnType<typeof createFairQueue>) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (group: string, name: string) =>
    queue.run(group, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.set(name, end));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, start, end };
}

test('at most the given number of tasks run at once, and each end starts one', async () => {
  const { begun, start, end } = tasks(createFairQueue({ at_once: 2, waiting_per_group: 10 }));
  const all = ['1', '2', '3', '4'].map((name) => start('a', name));
  assert.deepEqual(begun, ['1', '2']);
  await end('2');
  assert.deepEqual(begun, ['1', '2', '3']);
  for (const name of ['1', '3', '4']) await end(name);
  await Promise.all(all);
});

test('a long line of one group does not delay another group', async () => {
  const { begun, start, end } = tasks(createFairQueue({ at_once: 1, waiting_per_group: 100 }));
  const flood = Array.from({ length: 50 }, (_, i) => start('flood', `f${i}`));
  const quiet = start('quiet', 'q');
  await end('f0');
  await end('f1');
  assert.deepEqual(begun, ['f0', 'f1', 'q']);
  await end('q');
  for (let i = 2; i < 50; i++) await end(`f${i}`);
  await Promise.all([...flood, quiet]);
});

test('a full line refuses at once, and a failed task passes its place on', async () => {
  const queue = createFairQueue({ at_once: 1, waiting_per_group: 1 });
  const { start, end, begun } = tasks(queue);
  const first = start('a', '1');
  const second = start('a', '2');
  await assert.rejects(start('a', '3'), TooManyWaiting);
  await end('1');
  await first;
  await end('2');
  await second;
  await assert.rejects(
    queue.run('a', () => Promise.reject(new Error('no'))),
    /no/,
  );
  const last = start('a', '4');
  assert.deepEqual(begun, ['1', '2', '4']);
  await end('4');
  await last;
});

test('when all lines together are full, the longest one makes room for a group that has less', async () => {
  const queue = createFairQueue({ at_once: 1, waiting_per_group: 10, waiting_in_all: 4 });
  const { begun, start, end } = tasks(queue);
  const first = start('flood', 'f0');
  const flood = ['f1', 'f2', 'f3', 'f4'].map((name) => start('flood', name));
  const dropped = [assert.rejects(flood[3] as Promise<void>, TooManyWaiting)];
  const quiet = start('quiet', 'q');
  dropped.push(assert.rejects(start('flood', 'f5'), TooManyWaiting));
  dropped.push(assert.rejects(flood[2] as Promise<void>, TooManyWaiting));
  const other = start('other', 'o');
  dropped.push(assert.rejects(flood[1] as Promise<void>, TooManyWaiting));
  const last = start('last', 'l');
  await assert.rejects(start('late', 'x'), TooManyWaiting, 'no line is longer than one');
  await Promise.all(dropped);
  for (const name of ['f0', 'f1', 'q', 'o', 'l']) await end(name);
  await Promise.all([first, flood[0], quiet, other, last]);
  assert.deepEqual(begun, ['f0', 'f1', 'q', 'o', 'l']);
});

/** A clock of the test: `pass` lets time pass, and wakes who has slept long enough. */
function stoppedClock() {
  let now_ms = 0;
  const sleepers: { until_ms: number; wake: () => void }[] = [];
  return {
    now: () => new Date(now_ms),
    sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ until_ms: now_ms + ms, wake })),
    async pass(ms: number) {
      now_ms += ms;
      for (const { until_ms, wake } of sleepers) if (until_ms <= now_ms) wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('while another group comes, a long line runs one task at a time, and rests as long as each took; a short line and a lone one do not', async () => {
  const clock = stoppedClock();
  const beside_others = { clock, ms: 1000, waiting: 2 };
  const queue = createFairQueue({ at_once: 3, waiting_per_group: 100, beside_others });
  const { begun, start, end } = tasks(queue);
  const all = Array.from({ length: 12 }, (_, i) => start('flood', `f${i}`));
  assert.deepEqual(begun, ['f0', 'f1', 'f2'], 'alone it has all places');
  await clock.pass(40);
  all.push(start('quiet', 'q0'));
  await end('f0');
  assert.deepEqual(begun.splice(3), ['q0'], 'the place that is free is of the other group');
  await end('f1');
  await end('f2');
  assert.deepEqual(begun.splice(3), [], 'a rest of 40 ms has begun');
  await clock.pass(39);
  assert.deepEqual(begun.splice(3), []);
  all.push(start('quiet', 'q1'));
  assert.deepEqual(begun.splice(3), ['q1'], 'the other group does not rest');
  await clock.pass(1);
  assert.deepEqual(begun.splice(3), ['f3'], 'one at a time, although a place is free');
  await end('f3');
  await clock.pass(1000);
  assert.deepEqual(begun.splice(3), ['f4'], 'one place: q0 and q1 have the others');
  await end('q0');
  assert.deepEqual(begun.splice(3), ['f5'], 'the other group came a second ago, so the line is alone again');
  await end('q1');
  assert.deepEqual(begun.splice(3), ['f6']);
  all.push(start('quiet', 'q2'));
  for (const name of ['f4', 'f5', 'f6', 'q2', 'f7', 'f8']) {
    await end(name);
    await clock.pass(0);
  }
  assert.deepEqual(begun.splice(3), ['q2', 'f7', 'f8', 'f9', 'f10', 'f11'], 'a short line has all places');
  for (const name of ['f9', 'f10', 'f11']) await end(name);
  await Promise.all(all);
});
