import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batched } from './batch.ts';

test('questions of one turn are one run, and each caller gets its own answer', async () => {
  const runs: number[][] = [];
  const double = batched<number, number>({
    max: 100,
    run: async (questions) => {
      runs.push(questions);
      return questions.map((question) => question * 2);
    },
  });
  assert.deepEqual(await Promise.all([double(1), double(2), double(3)]), [2, 4, 6]);
  assert.deepEqual(runs, [[1, 2, 3]]);
});

test('questions during a run go into the next one, at most max at once', async () => {
  const runs: number[][] = [];
  const first = Promise.withResolvers<void>();
  const echo = batched<number, number>({
    max: 2,
    run: async (questions) => {
      runs.push(questions);
      if (runs.length === 1) await first.promise;
      return questions;
    },
  });
  const answers = [echo(1)];
  await new Promise((resolve) => setImmediate(resolve));
  answers.push(echo(2), echo(3), echo(4));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(runs, [[1]]);
  first.resolve();
  assert.deepEqual(await Promise.all(answers), [1, 2, 3, 4]);
  assert.deepEqual(runs, [[1], [2, 3], [4]]);
});

test('only the callers of a failed run get its error', async () => {
  let runs = 0;
  const ask = batched<number, number>({
    max: 2,
    run: async (questions) => {
      if (++runs === 1) throw new Error('broken');
      return questions;
    },
  });
  const answers = await Promise.allSettled([ask(1), ask(2), ask(3)]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
});
