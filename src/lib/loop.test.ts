import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
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

test('a step that fails for long is one line a minute with a number, and none where the log has told of it', async () => {
  const [clock, metrics, lines] = [manualClock(), createMetrics(), [] as string[]];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  let failures = 0;
  const step = async () => {
    failures++;
    if (failures % 2 === 0) throw Object.assign(new Error('no source'), { is_told: true });
    throw new Error(`no connection to port ${failures}`);
  };
  const loop = startLoop({ name: 'trial', step, idle_ms: 60_000, clock, log, metrics });
  while (failures < 62) {
    await until(() => clock.asleep(1_000) === 1);
    clock.advance(1_000);
  }
  await loop.stop();
  const told = lines.map((line) => JSON.parse(line)).map(({ msg, times }) => [msg, times]);
  assert.deepEqual(told, [
    ['step failed', 1],
    ['step failed', 30],
  ]);
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}
