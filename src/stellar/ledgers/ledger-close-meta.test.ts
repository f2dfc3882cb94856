import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { bytesIn, missing } from '../../../sandbox/testing/recorded-ledgers.ts';
import {
  ledgerChain,
  ledgerCloseMeta,
  ledgerTransactions,
  PASSPHRASE,
  type TestLedger,
} from '../../../test/support/ledger-xdr.ts';
import { NoAnswer } from '../answers/answers.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { appliedTransaction, sourcesOf } from '../transactions/applied.ts';
import { readLedgerCloseMeta } from './ledger-close-meta.ts';
import { isHashOf, isWhole } from './ledger-proof.ts';

const PUBLIC = 'Public Global Stellar Network ; September 2015';

for (const sequence of [51_000_294, 63_092_990, 63_092_996]) {
  const file = `wallet-backend/ledger-${sequence}.xdr.gz`;
  test(`the public network’s ledger ${sequence} is whole, and each of its transactions agrees with itself`, {
    skip: missing(file),
  }, () => {
    const { header, transactions } = readLedgerCloseMeta(
      { method: 'test', passphrase: PUBLIC, sequence },
      bytesIn(file),
    );
    assert.equal(header.sequence, sequence);
    assert.ok(transactions.length > 200);
    assert.ok(isWhole(header, transactions));
    assert.ok(!isWhole(header, transactions.toSpliced(100, 1)));
    for (const transaction of transactions) {
      assert.ok(isHashOf(PUBLIC, transaction.envelope, transaction.hash), transaction.hash);
      const applied = appliedTransaction(PUBLIC, transaction);
      assert(!('unusable' in applied), transaction.hash);
      const { hash, source_account, fee_account, successful } = applied;
      assert.equal(hash, transaction.hash);
      assert.deepEqual(sourcesOf(transaction.envelope), { source_account, fee_account });
      // The transaction of the meta: only an applied transaction has changed something.
      const meta = xdr.TransactionMeta.fromXdr(transaction.meta ?? Buffer.alloc(0));
      assert(meta.type === 'v4');
      assert.equal(meta.v4.operations.length > 0, successful);
    }
  });
}

const transactions = ledgerTransactions(3, 4);
const closed = ledgerChain(3, { 3: transactions }).get(3) as TestLedger;
const bytes = ledgerCloseMeta(closed);
const read = (from: Buffer, sequence = 3) =>
  readLedgerCloseMeta({ method: 'test', passphrase: PASSPHRASE, sequence }, from);

test('transactions are in the order of application, whatever the order of the transaction set', () => {
  const { header, transactions: told } = read(bytes);
  assert.deepEqual(told, transactions);
  assert.equal(header.hash, closed.hash.toString('hex'));
  assert.equal(header.close_time, 15n);
});

test('the meta of another ledger, or with results of other transactions, is refused', () => {
  assert.throws(() => read(bytes, 4), NoAnswer);
  const [first, ...others] = transactions as [(typeof transactions)[0]];
  const renamed = { ...closed, transactions: [{ ...first, hash: 'ab'.repeat(32) }, ...others] };
  assert.throws(() => read(ledgerCloseMeta(renamed)), /without its transaction/);
  assert.throws(
    () => readLedgerCloseMeta({ method: 'test', passphrase: 'another', sequence: 3 }, bytes),
    /without its transaction/,
  );
});

/** Bytes of a test transaction's single signature: count, hint, length and signature. */
const SIGNATURES_BYTES = 4 + 4 + 4 + 64;

test('property: whatever bytes are changed, a ledger that passes the proof has the true transactions and results', () => {
  const flip = fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }));
  let passed = 0;
  fc.assert(
    fc.property(fc.array(flip, { minLength: 1, maxLength: 3 }), (flips) => {
      const changed = Buffer.from(bytes);
      for (const [at, mask] of flips) changed.writeUInt8(changed.readUInt8(at) ^ mask, at);
      let seen: ReturnType<typeof read>;
      try {
        seen = read(changed);
      } catch {
        return;
      }
      if (!isWhole(seen.header, seen.transactions)) return;
      passed++;
      assert.equal(seen.header.hash, closed.hash.toString('hex'));
      assert.equal(seen.transactions.length, transactions.length);
      for (const [index, real] of transactions.entries()) {
        const { hash, result, envelope } = seen.transactions[index] as LedgerTransaction;
        assert.equal(hash, real.hash);
        assert.deepEqual(result, real.result);
        const signed_end = real.envelope.length - SIGNATURES_BYTES;
        assert.deepEqual(envelope.subarray(0, signed_end), real.envelope.subarray(0, signed_end));
      }
    }),
    { numRuns: 5_000 },
  );
  // The header does not prove signatures and metas.
  assert.ok(passed > 100, `${passed}`);
});
