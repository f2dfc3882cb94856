import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { neverApplied } from './outcome.ts';

const withdrawal = { max_time: 1_000n, signed_ledger: 50 };
const absent = { found: 'absent' as const, oldest_ledger: 1, latest_ledger: 60, latest_close_time: 1_001n };

test('a ledger closed after max_time proves absence', () => {
  assert.equal(neverApplied(withdrawal, absent), true);
});

test('a ledger closed at max_time proves nothing: the next one may close in the same second, and take the envelope', () => {
  assert.equal(neverApplied(withdrawal, { ...absent, latest_close_time: 1_000n }), false);
});

test('a ledger closed before max_time proves nothing, however many ledgers have passed', () => {
  assert.equal(
    neverApplied(withdrawal, { ...absent, latest_ledger: 10_000, latest_close_time: 999n }),
    false,
  );
});

test('a history that begins after the first sending proves nothing', () => {
  assert.equal(neverApplied(withdrawal, { ...absent, oldest_ledger: 51 }), false);
  assert.equal(neverApplied(withdrawal, { ...absent, oldest_ledger: 50 }), true);
});

test('a history that ends before the first sending proves nothing: the network was reset', () => {
  const young = { ...absent, latest_ledger: 49, latest_close_time: 5_000n };
  assert.equal(neverApplied(withdrawal, young), false);
  assert.equal(neverApplied(withdrawal, { ...young, latest_ledger: 50 }), true);
});
