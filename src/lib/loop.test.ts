import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleOf } from '../../test/support/metrics-text.ts';
import { manualClock } from '../../test/support/webhooks.ts';
import { createLog } from './log.ts';
import { startLoop } from './loop.ts';
import { createMetrics } from './metrics.ts';

test('a step that fails is counted and repeated after a second; one that succeeds tells when', async () => {
  const [clock, metrics] = [manualClock(), createMetrics()];
  const steps = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
  let begun = 0;
  const step = () => steps[begun++]?.promise ?? Promise.resolve(false);
  const log = createLog('silent', false);
  const loop = startLoop({ name: 'trial', step, idle_ms: 60_000, clock, log, metrics });
  const read = async (name: string) => sampleOf(await metrics.registry.metrics(), name, { loop: 'trial' });
  assert.equal(await read('teller_loop_failures_total'), 0, 'before the first failure');

  steps[0]?.reject(new Error('on purpose'));
  await until(() => clock.asleep(1_000) === 1);
  assert.equal(await read('teller_loop_failures_total'), 1);
  assert.ok(Number.isNaN(await read('teller_loop_success_timestamp_seconds')));

  clock.advance(1_000);
  steps[1]?.resolve(false);
  await until(() => clock.asleep(60_000) === 1);
  assert.equal(await read('teller_loop_failures_total'), 1);
  assert.equal(await read('teller_loop_success_timestamp_seconds'), clock.now().getTime() / 1000);
  await loop.stop();
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}
