import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { createRateQuota } from './rate-quota.ts';

function quotaOfThree() {
  let now_ms = 1_000_000;
  const clock = { now: () => new Date(now_ms), sleep: async () => undefined };
  return {
    ask: createRateQuota(clock, { quota: 3, window_ms: 60_000 }),
    pass(ms: number) {
      now_ms += ms;
    },
  };
}

test('the quota is counted by group, and what is above it is refused until the window ends', () => {
  const { ask, pass } = quotaOfThree();
  assert.deepEqual(ask('a'), { exceeded: false, remaining: 2, reset_seconds: 60 });
  pass(30_000);
  assert.deepEqual(ask('a'), { exceeded: false, remaining: 1, reset_seconds: 30 });
  assert.deepEqual(ask('a'), { exceeded: false, remaining: 0, reset_seconds: 30 });
  assert.deepEqual(ask('a'), { exceeded: true, remaining: 0, reset_seconds: 30 });
  assert.equal(ask('b').exceeded, false);
  pass(29_999);
  assert.deepEqual(ask('a'), { exceeded: true, remaining: 0, reset_seconds: 1 });
  pass(1);
  assert.deepEqual(ask('a'), { exceeded: false, remaining: 2, reset_seconds: 60 });
});

test('a clock that is set back ends the window', () => {
  const { ask, pass } = quotaOfThree();
  for (let n = 0; n < 4; n++) ask('a');
  pass(-3_600_000);
  assert.deepEqual(ask('a'), { exceeded: false, remaining: 2, reset_seconds: 60 });
});
