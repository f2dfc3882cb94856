import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { LoggedWebhookDelivery, WebhookAttempt } from '../../dashboard/src/api/contract.ts';
import { relativeTime } from '../../dashboard/src/text/date-time.ts';
import {
  deliveryWords,
  lastResponseWords,
  nextAttemptWords,
  shareWords,
} from '../../dashboard/src/text/delivery-words.ts';
import { memoOf } from '../../dashboard/src/text/memo.ts';
import { bookedAs } from '../../dashboard/src/text/reference.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const inSeconds = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

function words(
  given: Partial<Pick<LoggedWebhookDelivery, 'status' | 'attempts' | 'next_attempt_at'>>,
  status_code?: number,
  enabled = true,
): string {
  const attempt_log = status_code === undefined ? [] : [{ status_code, error: null } as WebhookAttempt];
  const delivery = { status: 'pending', attempts: 1, next_attempt_at: null, attempt_log, ...given };
  return deliveryWords(delivery as LoggedWebhookDelivery, { now: NOW, enabled });
}

test('a delivery to be retried shows the last response and the time of the retry', () => {
  assert.equal(words({ next_attempt_at: inSeconds(245) }, 503), '503, retry in 4 min.');
  assert.equal(words({ next_attempt_at: inSeconds(-1) }, 503), '503, retry due');
  assert.equal(words({ attempts: 0, next_attempt_at: inSeconds(0) }), 'first attempt due');
});

test('an attempt that is under way has no response yet, and nothing says that it was deleted', () => {
  const attempt_log: LoggedWebhookDelivery['attempt_log'] = [];
  assert.equal(lastResponseWords({ status: 'pending', attempts: 0, attempt_log }), '');
  assert.equal(lastResponseWords({ status: 'pending', attempts: 1, attempt_log }), '');
  assert.equal(lastResponseWords({ status: 'delivered', attempts: 1, attempt_log }), 'no longer kept');
});

test('a delivery to a disabled endpoint waits for the endpoint, whenever its next attempt was due', () => {
  const next_attempt_at = inSeconds(245);
  assert.equal(words({ next_attempt_at }, 503, false), '503, waiting for the endpoint to be enabled');
  assert.equal(
    words({ attempts: 0, next_attempt_at }, undefined, false),
    'waiting for the endpoint to be enabled',
  );
});

test('a finished delivery shows its result, even if its attempts are no longer kept', () => {
  assert.equal(words({ status: 'delivered', attempts: 3 }, 200), '200 after 3 attempts');
  assert.equal(words({ status: 'delivered', attempts: 3 }), 'acknowledged after 3 attempts');
  assert.equal(words({ status: 'delivered' }), 'acknowledged');
  assert.equal(words({ status: 'failed', attempts: 12 }, 503), '503, gave up after 12 attempts');
  assert.equal(words({ status: 'failed', attempts: 0 }), 'not sent');
});

test('the next attempt has its time, and none where nothing is sent', () => {
  const at = (seconds: number, enabled = true) =>
    nextAttemptWords({ next_attempt_at: inSeconds(seconds) }, { now: NOW, enabled });
  assert.deepEqual([at(245), at(-1), at(245, false)], ['in 4 min.', 'due', 'when enabled']);
  assert.equal(nextAttemptWords({ next_attempt_at: null }, { now: NOW }), null);
});

test('a share of attempts is 100 % or 0 % only where all of them are meant', () => {
  const shares = [
    shareWords(97, 100),
    shareWords(1, 1),
    shareWords(0, 7),
    shareWords(999, 1_000),
    shareWords(1, 999),
  ];
  assert.deepEqual(shares, ['97 %', '100 %', '0 %', '> 99 %', '< 1 %']);
});

test('days are counted: 40 hours from now is not always tomorrow', () => {
  assert.equal(relativeTime(inSeconds(40 * 3_600), NOW), 'in 1 day');
  assert.equal(relativeTime(inSeconds(-40 * 3_600), NOW), '1 day ago');
  assert.equal(relativeTime(inSeconds(0.2), NOW), 'now');
});

test('a withdrawal in a list has its reference and its row of a payout, and the reference turns nothing around it', () => {
  assert.equal(bookedAs({ reference: null, payout_row: null }), null);
  assert.equal(bookedAs({ reference: null, payout_row: 130 }), 'Payout row 130');
  assert.equal(bookedAs({ reference: 'a\u202eb', payout_row: 7 }), '\u2068a\ufffdb\u2069 · Payout row 7');
});

test('a memo in a list is its text or its id, and the text of a stranger turns nothing around it', () => {
  assert.equal(memoOf({ memo_id: null, memo_text: null }), null);
  assert.equal(memoOf({ memo_id: 2n ** 64n - 1n, memo_text: null }), 'memo 18446744073709551615');
  assert.equal(memoOf({ memo_id: 7n, memo_text: '7' }), 'memo “\u20687\u2069”');
  assert.equal(memoOf({ memo_id: null, memo_text: 'a\u202eb' }), 'memo “\u2068a\ufffdb\u2069”');
});
