/** A short run of `npm run chaos`, with one kill of everything at once; `npm run test:long` has minutes of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, seedOfRun } from '../support/random.ts';
import { runChaos } from './chaos.ts';
import { blackoutsOf, blowsFor } from './schedule.ts';

const LENGTH_MS = 6_000;

test('three processes, their database and their network killed at random pay nothing twice and lose nothing', async (t) => {
  const seed = seedOfRun();
  t.diagnostic(`SEED=${seed}`);
  const say = (line: string) => t.diagnostic(line);
  assert.deepEqual(await runChaos({ seed, length_ms: LENGTH_MS, wait_for_webhooks: false, say }), []);
});

test('the same seed gives the same blows, another seed others', () => {
  const scheduleOf = (seed: string) => [
    blowsFor('service', seededRandom(seed), LENGTH_MS),
    blackoutsOf(seededRandom(seed), LENGTH_MS),
  ];
  assert.deepEqual(scheduleOf('one'), scheduleOf('one'));
  assert.notDeepEqual(scheduleOf('one'), scheduleOf('two'));
});
