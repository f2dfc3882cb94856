import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { hasMissedLedgers } from './ingest-outcomes.ts';

const CLOSED = 50_000n;
/** The ledgers after the cursor's closed so many seconds after it. */
const missed = (seconds: bigint[], longest_valid_seconds = 90, withdraw_valid_seconds = 90) => {
  const close_times = seconds.map((each) => CLOSED + each);
  return hasMissedLedgers(
    { withdraw_valid_seconds },
    { close_time: CLOSED, longest_valid_seconds },
    { close_times, newest_close_time: close_times.at(-1) ?? CLOSED },
  );
};

test('the lag of ordinary work is no missed ledgers', () => {
  assert.equal(missed([6n]), false);
  assert.equal(missed([5n, 10n, 15n, 20n, 25n, 30n]), false);
});

test('more time than a third of what envelopes are valid for may have been forgotten', () => {
  assert.equal(missed([5n, 31n]), true);
  assert.equal(missed([31n]), true, 'an envelope that was signed before may still be applied');
  assert.equal(missed([90n]), true);
  assert.equal(missed([5n, 60n, 3_600n - 3_500n]), true);
});

test('after a network stood still nothing is forgotten: what was signed before has expired', () => {
  assert.equal(missed([3_600n]), false);
  assert.equal(missed([3_600n, 3_605n, 3_620n]), false);
  assert.equal(missed([1n, 2n, 3_600n, 3_605n]), false, 'it closed some ledgers before it stood still');
});

test('what was signed since the network goes on may be forgotten, however few ledgers that are', () => {
  assert.equal(missed([3_600n, 3_631n]), true);
  assert.equal(missed([100n, 131n]), true);
});

test('a standstill counts only when it is longer than any envelope was ever valid', () => {
  assert.equal(missed([100n, 110n], 600), true);
});

test('at short time bounds a slow ledger is no sign of anything', () => {
  assert.equal(missed([15n], 6, 6), false);
});
