import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { ledgerChain, ledgerTransactions, PASSPHRASE } from '../../../test/support/ledger-xdr.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { ledgerHeader } from './ledger-header.ts';
import { isHashOf, isWhole } from './ledger-proof.ts';

const transactions = ledgerTransactions(3, 4);
const closed = ledgerChain(3, { 3: transactions }).get(3);
const header = ledgerHeader('test', 3, closed?.header ?? Buffer.alloc(0));
const [first, second] = transactions as [LedgerTransaction, LedgerTransaction];

test('transactions prove a ledger in their own order with their own results, and in no other way', () => {
  assert.ok(isWhole(header, transactions));
  const result = Buffer.from(first.result).fill(1, 0, 8); // another fee
  const others = {
    none: [],
    'one too few': transactions.slice(1),
    'one twice': [...transactions, first],
    'two exchanged': [second, first, ...transactions.slice(2)],
    'another result': transactions.with(0, { ...first, result }),
    'another hash': transactions.with(0, { ...first, hash: second.hash }),
    'a result in two parts': transactions.with(0, { ...first, result: first.result.subarray(4) }),
  };
  for (const [name, lie] of Object.entries(others)) assert.ok(!isWhole(header, lie), name);
});

test('bytes that match a ledger’s hash are accepted only when they are split in the right places', () => {
  const pair = ({ hash, result }: LedgerTransaction) => Buffer.concat([Buffer.from(hash, 'hex'), result]);
  const cut = (bytes: Buffer, ends: number[]) =>
    ends.map((end, index) => {
      const part = bytes.subarray(ends[index - 1] ?? 0, end);
      return { ...first, hash: part.toString('hex', 0, 32), result: part.subarray(32) };
    });
  const bytes = Buffer.concat(transactions.map(pair));
  const size = bytes.length / transactions.length;
  const ends = transactions.map((_, index) => (index + 1) * size);
  assert.ok(isWhole(header, cut(bytes, ends)));
  for (let moved = 0; moved < ends.length - 1; moved++)
    for (let by = -size; by <= size; by++)
      if (by !== 0) assert.ok(!isWhole(header, cut(bytes, ends.with(moved, (ends[moved] ?? 0) + by))));
  // One result is hidden in its neighbour's and another is split, so that their number is right again.
  assert.ok(!isWhole(header, cut(bytes, [2 * size, 2 * size + 40, 3 * size, 4 * size])));
  for (const hash of ['abc', '', first.hash.toUpperCase(), `${first.hash}00`])
    assert.ok(!isWhole(header, transactions.with(0, { ...first, hash })), hash);
});

test('an envelope has its hash on its own network only', () => {
  assert.ok(isHashOf(PASSPHRASE, first.envelope, first.hash));
  assert.ok(!isHashOf(PASSPHRASE, first.envelope, second.hash));
  assert.ok(!isHashOf('another network', first.envelope, first.hash));
  const changed = Buffer.from(first.envelope);
  changed.writeUInt32BE(7, 60);
  assert.ok(!isHashOf(PASSPHRASE, changed, first.hash));
  assert.ok(!isHashOf(PASSPHRASE, Buffer.alloc(0), first.hash));
});

test('an envelope with a short signature has its hash only when the padding is zero, as stellar-core has it', () => {
  const signed = first.envelope.subarray(0, -4 - 4 - 4 - 64);
  const withPadding = (padding: number) => {
    const [count, hint, length] = [Buffer.from([0, 0, 0, 1]), Buffer.alloc(4), Buffer.from([0, 0, 0, 61])];
    return Buffer.concat([signed, count, hint, length, Buffer.alloc(61), Buffer.alloc(3, padding)]);
  };
  assert.ok(isHashOf(PASSPHRASE, withPadding(0), first.hash));
  assert.ok(!isHashOf(PASSPHRASE, withPadding(1), first.hash));
});
