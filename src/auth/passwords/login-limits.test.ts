import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  accountLimit,
  addressGroupLimit,
  deviceLimit,
  type FailureCount,
  type Limit,
} from './login-limits.ts';

const key = Buffer.alloc(32, 1);
const start = new Date('2026-11-24T12:00:00Z');
const after = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1000);
const none: FailureCount = { failures: 0, failed_at: new Date(0) };

/** Fails as soon as it is allowed, `times` times; gives the pauses in seconds. */
function pauses(limit: Limit, times: number): number[] {
  let [count, now] = [none, start];
  return Array.from({ length: times }, () => {
    const seconds = limit.wait_ms(count, now) / 1000;
    now = after(now, seconds);
    assert.equal(limit.wait_ms(count, now), 0);
    count = limit.counted(count, now);
    return seconds;
  });
}

test('ten failures of strangers on an account are free, then each waits longer, at most a minute', () => {
  assert.deepEqual(pauses(accountLimit(key, 'a@example.com'), 17), [
    ...Array(10).fill(0),
    5,
    10,
    20,
    40,
    60,
    60,
    60,
  ]);
});

test('so strangers have at most 1,500 guesses a day at one account', () => {
  const all = pauses(accountLimit(key, 'a@example.com'), 1_500);
  assert.ok(all.reduce((sum, seconds) => sum + seconds, 0) > 86_400);
});

test('a known device has five of its own', () => {
  assert.deepEqual(pauses(deviceLimit(key, 'usr_1', 'one'), 8), [0, 0, 0, 0, 0, 5, 10, 20]);
});

test('an address group has a hundred failures, then one in 36 seconds', () => {
  assert.deepEqual(pauses(addressGroupLimit('203.0.113.0/24'), 103), [...Array(100).fill(0), 36, 36, 36]);
});

test('the failures of an address group decrease one by one, also while it goes on', () => {
  const limit = addressGroupLimit('203.0.113.0/24');
  let count = none;
  for (let minute = 0; minute < 600; minute++) {
    const now = after(start, minute * 60);
    assert.equal(limit.wait_ms(count, now), 0, `minute ${minute}`);
    count = limit.counted(count, now);
  }
  assert.ok(count.failures <= 2, `${count.failures} failures`);
});

test('a count is forgotten after an hour without a failure, and not before', () => {
  for (const limit of [accountLimit(key, 'a@example.com'), deviceLimit(key, 'usr_1', 'one')]) {
    const count = { failures: 50, failed_at: start };
    assert.equal(limit.counted(count, after(start, 3_599)).failures, 51);
    assert.equal(limit.counted(count, after(start, 3_600)).failures, 1);
  }
  const group = addressGroupLimit('203.0.113.0/24');
  assert.equal(group.counted({ failures: 100, failed_at: start }, after(start, 3_600)).failures, 1);
});

test('a failure recorded by a clock that was ahead keeps nobody out until then', () => {
  const ahead = { failures: 200, failed_at: after(start, 86_400) };
  for (const limit of [accountLimit(key, 'a@example.com'), addressGroupLimit('203.0.113.0/24')])
    assert.equal(limit.wait_ms(ahead, start), 0);
});

test('the key of an account is one for all spellings of its e-mail, and does not show it', () => {
  assert.equal(accountLimit(key, 'A@Example.com').key, accountLimit(key, 'a@example.com').key);
  assert.notEqual(accountLimit(key, 'a@example.com').key, accountLimit(key, 'b@example.com').key);
  assert.notEqual(
    accountLimit(key, 'a@example.com').key,
    accountLimit(Buffer.alloc(32), 'a@example.com').key,
  );
  assert.doesNotMatch(accountLimit(key, 'a@example.com').key, /example/);
});
