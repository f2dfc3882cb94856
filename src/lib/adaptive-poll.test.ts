import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { createAdaptivePoll } from './adaptive-poll.ts';

/** Polls as `createAdaptivePoll` says for a number that grows every `round_ms`; counts from the 3rd to the 12th. */
function lookAt(round_ms: number, bounds = { least_ms: 20, most_ms: 125 }) {
  let now_ms = 1_000_000;
  const clock = { now: () => new Date(now_ms), sleep: async () => {} };
  const poll = createAdaptivePoll(clock, bounds);
  const late_ms: number[] = [];
  let looks = 0;
  for (let seen = 0; seen < 12; looks++) {
    const there = Math.floor((now_ms - 1_000_000) / round_ms);
    if (there > seen) late_ms.push(now_ms - 1_000_000 - there * round_ms);
    seen = there;
    poll.saw(there);
    now_ms += Math.ceil(poll.wait_ms());
    if (seen < 3) looks = 0;
  }
  return { looks_each: looks / 10, latest_ms: Math.max(...late_ms.slice(3)) };
}

test('a new number is noticed within a fortieth of its interval, with about eleven polls', () => {
  for (const round_ms of [1_000, 2_000, 5_000]) {
    const { looks_each, latest_ms } = lookAt(round_ms);
    assert(latest_ms <= round_ms / 40, `${latest_ms} ms late of ${round_ms}`);
    assert(looks_each <= 12, `${looks_each} looks in ${round_ms} ms`);
  }
});

test('the bounds hold for short and for long intervals', () => {
  assert(lookAt(100).looks_each <= 3);
  assert(lookAt(30_000).latest_ms <= 500, 'it may stand still');
});

test('after a standstill it polls as often as before', () => {
  let now_ms = 0;
  const poll = createAdaptivePoll(
    { now: () => new Date(now_ms), sleep: async () => {} },
    { least_ms: 20, most_ms: 125 },
  );
  poll.saw(1);
  now_ms = 3_600_000;
  assert.equal(poll.wait_ms(), 125, 'nothing is known of its interval yet');
  poll.saw(2);
  assert.equal(poll.wait_ms(), 3_750);
  now_ms += 3_800;
  assert.equal(poll.wait_ms(), 125);
  poll.saw(2);
  assert.equal(poll.wait_ms(), 125, 'nothing new is no news');
  now_ms += 7_000;
  assert.equal(poll.wait_ms(), 500, 'it may stand still again');
});
