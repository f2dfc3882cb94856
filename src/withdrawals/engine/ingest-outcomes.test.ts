import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { hasMissedLedgers } from './ingest-outcomes.ts';

const config = { withdraw_valid_seconds: 90 };
const cursor = { ledger: 1_000, close_time: 50_000n };
const after = (ledgers: number, seconds: bigint) =>
  hasMissedLedgers(config, cursor, {
    newest_ledger: cursor.ledger + ledgers,
    newest_close_time: cursor.close_time + seconds,
  });

test('the lag of ordinary work is no missed ledgers', () => {
  assert.equal(after(1, 6n), false);
  assert.equal(after(6, 30n), false);
});

test('more time than a third of what envelopes are valid for may have been forgotten', () => {
  assert.equal(after(7, 31n), true);
  assert.equal(after(1, 31n), true, 'an envelope that was signed before may still be applied');
  assert.equal(after(1, 90n), true);
  assert.equal(after(720, 3_600n), true);
});

test('after a network stood still nothing is forgotten: what was signed meanwhile has expired', () => {
  assert.equal(after(1, 3_600n), false);
  assert.equal(after(5, 3_620n), false);
  assert.equal(after(6, 3_625n), true);
});

test('at short time bounds a slow ledger is no sign of anything', () => {
  const short = { withdraw_valid_seconds: 6 };
  assert.equal(hasMissedLedgers(short, cursor, { newest_ledger: 1_001, newest_close_time: 50_015n }), false);
});
