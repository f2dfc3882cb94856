import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { hasMissedLedgers } from './ingest-outcomes.ts';

const config = { withdraw_valid_seconds: 90 };
const CLOSED = 50_000n;
/** The next ledger closed `first` seconds after the cursor's, the newest one `newest` seconds after it. */
const missed = (newest: bigint, first = 5n, longest_valid_seconds = 90) =>
  hasMissedLedgers(
    config,
    { close_time: CLOSED, longest_valid_seconds },
    { first_close_time: CLOSED + first, newest_close_time: CLOSED + newest },
  );

test('the lag of ordinary work is no missed ledgers', () => {
  assert.equal(missed(6n), false);
  assert.equal(missed(30n), false);
});

test('more time than a third of what envelopes are valid for may have been forgotten', () => {
  assert.equal(missed(31n), true);
  assert.equal(missed(31n, 31n), true, 'an envelope that was signed before may still be applied');
  assert.equal(missed(90n, 90n), true);
  assert.equal(missed(3_600n), true);
});

test('after a network stood still nothing is forgotten: what was signed before has expired', () => {
  assert.equal(missed(3_600n, 3_600n), false);
  assert.equal(missed(3_620n, 3_600n), false);
});

test('what was signed since the network goes on may be forgotten, however few ledgers that are', () => {
  assert.equal(missed(3_631n, 3_600n), true);
  assert.equal(missed(131n, 100n), true);
});

test('a standstill counts only when it is longer than any envelope was ever valid', () => {
  assert.equal(missed(110n, 100n, 600), true);
});

test('at short time bounds a slow ledger is no sign of anything', () => {
  const ledgers = { first_close_time: CLOSED + 15n, newest_close_time: CLOSED + 15n };
  const cursor = { close_time: CLOSED, longest_valid_seconds: 6 };
  assert.equal(hasMissedLedgers({ withdraw_valid_seconds: 6 }, cursor, ledgers), false);
});
