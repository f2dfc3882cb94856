import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { readConfig } from '../config.ts';
import { nextDelay, retryAfter } from './attempt-schedule.ts';

const SCHEDULE = readConfig({}).webhook_retry_seconds;
const MIDDLE = 0.5; // no jitter

test('the default schedule has 12 attempts over more than 72 hours, and then gives up', () => {
  assert.deepEqual(SCHEDULE, [5, 30, 120, 600, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
  const delays = SCHEDULE.map((_, step) => nextDelay(SCHEDULE, step, MIDDLE, null));
  assert.deepEqual(
    delays,
    SCHEDULE.map((seconds) => seconds * 1000),
  );
  assert(SCHEDULE.reduce((sum, seconds) => sum + seconds) >= 72 * 3600);
  assert.equal(nextDelay(SCHEDULE, SCHEDULE.length, MIDDLE, null), null);
});

test('each step has a jitter of at most 20 percent either way, and uses all of it', () => {
  assert.equal(nextDelay([100], 0, 0, null), 80_000);
  assert.equal(nextDelay([100], 0, 1 - Number.EPSILON, null), 120_000);
  fc.assert(
    fc.property(
      fc.nat(SCHEDULE.length - 1),
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      (step, random) => {
        const seconds = SCHEDULE[step] ?? 0;
        const delay_ms = nextDelay(SCHEDULE, step, random, null) ?? 0;
        return delay_ms >= seconds * 800 && delay_ms <= seconds * 1200;
      },
    ),
  );
});

test('Retry-After lengthens a step, up to the length of its successor, and never shortens it', () => {
  assert.equal(nextDelay([5, 30, 120], 0, MIDDLE, 20_000), 20_000);
  assert.equal(nextDelay([5, 30, 120], 0, MIDDLE, 3_600_000), 30_000);
  assert.equal(nextDelay([5, 30, 120], 1, MIDDLE, 1_000), 30_000);
  assert.equal(nextDelay([5, 30, 120], 2, MIDDLE, 3_600_000), 120_000); // the last step has no successor
});

test('Retry-After is read on 429 and 503 only, as seconds or as an HTTP date', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const cases: [number, string | null, number | null][] = [
    [429, '7', 7_000],
    [503, ' 120 ', 120_000],
    [503, 'Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    [429, 'Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
    [503, 'Sun, 01 Mar 2026 11:00:00 GMT', null],
    [503, null, null],
    [503, '', null],
    [503, '-5', null],
    [503, '1.5', null],
    [503, 'soon', null],
    [503, '2026', 2_026_000],
    [503, '99999999999999999999', null],
    [500, '7', null],
    [410, '7', null],
    [302, '7', null],
  ];
  for (const [status, header, expected] of cases) {
    assert.equal(retryAfter(status, header, now), expected, `${status} ${header}`);
  }
});
