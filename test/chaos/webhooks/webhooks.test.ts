/** A short run of `npm run chaos -- webhooks`; `npm run test:long` has a longer one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOfRun } from '../../support/random.ts';
import { runWebhookChaos } from './run.ts';

test('deliverers and their database killed at random lose no event, invent none, and send none twice without a fault', async (t) => {
  const seed = seedOfRun();
  t.diagnostic(`SEED=${seed}`);
  const say = (line: string) => t.diagnostic(line);
  const options = { seed, pairs: 1_000, deliverers: 2, length_ms: 4_000, wait_for_leases: false, say };
  assert.deepEqual(await runWebhookChaos(options), []);
});
