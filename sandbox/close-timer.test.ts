import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeWithoutPause, nextTick, startCloseTimer } from './close-timer.ts';
import { ManualClock } from './testing/manual-clock.ts';

test('closes once a period, and a late wake-up does not shift the times after it', async (t) => {
  const clock = new ManualClock(1_000);
  const closed: number[] = [];
  const stop = startCloseTimer({ close_ms: 1_000, clock, close: () => closed.push(clock.now().getTime()) });
  t.after(stop);
  await clock.advance(999);
  assert.deepEqual(closed, []);
  await clock.advance(301); // 300 ms late
  await clock.advance(700);
  await clock.advance(1_000);
  assert.deepEqual(closed, [1_001_300, 1_002_000, 1_003_000]);
});

test('leaves out the periods that were missed, instead of closing many ledgers at once', async (t) => {
  const clock = new ManualClock(1_000);
  let closed = 0;
  const stop = startCloseTimer({ close_ms: 1_000, clock, close: () => closed++ });
  t.after(stop);
  await clock.advance(10_500);
  await clock.advance(499);
  assert.equal(closed, 1);
  await clock.advance(1);
  assert.equal(closed, 2);
});

test('keeps its interval when the clock is set back', () => {
  assert.equal(nextTick(5_000, 5_000, 1_000), 6_000);
  assert.equal(nextTick(5_000, 5_999, 1_000), 6_000);
  assert.equal(nextTick(5_000, 6_000, 1_000), 7_000);
  assert.equal(nextTick(5_000_000, 1_000, 1_000), 2_000);
});

test('stops at once, also in the middle of a period', async () => {
  const clock = new ManualClock(1_000);
  let closed = 0;
  const stop = startCloseTimer({ close_ms: 1_000, clock, close: () => closed++ });
  await stop();
  await clock.advance(5_000);
  assert.equal(closed, 0);
});

test('without pause closes at every turn, and where none can close, does not try at every turn', async () => {
  for (const [closes, atLeast, atMost] of [
    [true, 500, 1_000],
    [false, 1, 100],
  ] as const) {
    let tried = 0;
    const stop = closeWithoutPause(() => {
      tried++;
      return closes;
    });
    for (let turn = 0; turn < 1_000; turn++) await new Promise((resolve) => setImmediate(resolve));
    await stop();
    const before = tried;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(tried, before, 'stopped is stopped');
    assert.ok(tried >= atLeast && tried <= atMost, `${tried} times in 1,000 turns`);
  }
});
