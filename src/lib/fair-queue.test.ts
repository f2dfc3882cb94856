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
