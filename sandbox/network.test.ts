import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { xdr } from '@stellar/stellar-sdk/base';
import fc from 'fast-check';
import { sha256 } from './ledger/bytes.ts';
import { keyOf } from './ledger/entry.ts';
import type { LedgerStore } from './store/ledger-store.ts';
import { pay, START_S, TestNetwork, UNIT } from './testing/test-network.ts';

test('every header names the hash of the one before it', () => {
  const net = new TestNetwork();
  net.accounts(10n * UNIT);
  net.close();
  const { store } = net.network;
  const latest = store.latest()?.sequence ?? 0;
  assert.equal(latest, 4);
  for (let sequence = 2; sequence <= latest; sequence++) {
    const ledger = store.ledger(sequence);
    const previous = store.ledger(sequence - 1);
    assert.ok(ledger && previous);
    const header = xdr.LedgerHeader.schema.decode(ledger.header);
    assert.deepEqual(Buffer.from(header.previousLedgerHash), previous.hash);
    assert.deepEqual(sha256(ledger.header), ledger.hash);
    assert.equal(header.ledgerSeq, sequence);
  }
});

test('Q11: close times are whole seconds, strictly increasing, and follow the clock when it is ahead', async () => {
  const net = new TestNetwork();
  const closeTime = () => Number(net.close().header.scpValue.closeTime);
  assert.equal(closeTime(), START_S + 1);
  assert.equal(closeTime(), START_S + 2);
  await net.clock.advance(60_900);
  assert.equal(closeTime(), START_S + 60);
});

test('Q11: close times run ahead of a clock that is slow, and lag behind a clock that ran on while no ledger closed', async () => {
  const net = new TestNetwork();
  const closeTime = () => Number(net.network.latest.header.scpValue.closeTime);
  const before = closeTime();
  await net.clock.advance(-3_600_000);
  net.close();
  assert.equal(closeTime(), before + 1);
  await net.clock.advance(2 * 3_600_000);
  assert.equal(closeTime(), before + 1);
  net.close();
  assert.equal(closeTime(), START_S + 3_600);
});

test('a ledger that cannot be written changes nothing, and the next close takes its transactions', () => {
  const net = new TestNetwork();
  const [from, to] = net.accounts(100n * UNIT, 50n * UNIT) as [Keypair, Keypair];
  const before = net.network.latest.header.ledgerSeq;
  const transaction = net.build(from, [pay(to, UNIT)]);
  net.submit(transaction);
  const store = net.network.store as { append: LedgerStore['append'] };
  const append = store.append;
  store.append = () => {
    throw new Error('disk full');
  };
  assert.throws(() => net.close(), /disk full/);
  assert.equal(net.network.latest.header.ledgerSeq, before);
  assert.equal(net.balance(to), 50n * UNIT);
  store.append = append;
  assert.equal(net.resultOf(transaction, net.close()), 'txSuccess');
  assert.equal(net.balance(to), 51n * UNIT);
});

test('after any payments, balances and fee pool add up to all coins, and no balance is negative', () => {
  const net = new TestNetwork({ max_operations: 5 }); // Less than the bids need: surge pricing, eviction, timeouts.
  const keys = net.accounts(...Array.from({ length: 5 }, () => 3n * UNIT));
  const payment = fc.record({
    from: fc.nat(4),
    to: fc.nat(4),
    amount: fc.bigInt(1n, 3n * UNIT),
    fee: fc.constantFrom('100', '777', '1000000'),
    payer: fc.option(fc.nat(4)),
  });
  const key = (index: number) => keys[index] as Keypair;
  fc.assert(
    fc.property(fc.array(payment, { maxLength: 5 }), (payments) => {
      for (const { from, to, amount, fee, payer } of payments) {
        const inner = net.build(key(from), [pay(key(to), amount)], { fee });
        net.submit(payer === null ? inner : net.feeBump(inner, key(payer), fee));
      }
      const { header } = net.close();
      let total = header.feePool;
      for (const [entryKey, entry] of net.network.store.entries()) {
        assert.equal(keyOf(entry), entryKey);
        assert.deepEqual(net.network.entry(entryKey), entry);
        if (entry.data.type !== 0) continue;
        assert.ok(entry.data.account.balance >= 0n);
        total += entry.data.account.balance;
      }
      assert.equal(total, header.totalCoins);
    }),
    { numRuns: 60 },
  );
});

test('damaged envelopes are refused or called undecodable, and never change the ledger', () => {
  const net = new TestNetwork();
  const [from, to] = net.accounts(100n * UNIT, 50n * UNIT) as [Keypair, Keypair];
  const plain = net.build(from, [pay(to, UNIT)]);
  const sound = [plain, net.feeBump(plain, to, '200')].map((tx) => Buffer.from(tx.toEnvelope().toXdr()));
  const damage = fc.record({
    which: fc.nat(1),
    at: fc.nat(),
    flip: fc.integer({ min: 1, max: 255 }),
    cut: fc.option(fc.nat()),
  });
  fc.assert(
    fc.property(damage, ({ which, at, flip, cut }) => {
      const envelope = Buffer.from(sound[which] as Buffer);
      const index = at % envelope.length;
      envelope[index] = (envelope[index] ?? 0) ^ flip;
      try {
        const { status } = net.submitXdr(
          cut === null ? envelope : envelope.subarray(0, cut % envelope.length),
        );
        assert.notEqual(status, 'PENDING');
      } catch (error) {
        assert.ok(error instanceof xdr.XdrError, String(error));
      }
    }),
    { numRuns: 2_000 },
  );
  assert.equal(net.close().transactions.length, 0);
  assert.equal(net.balance(from), 100n * UNIT);
});

test('the same transactions at the same times give the same ledger', () => {
  const run = () => {
    const net = new TestNetwork();
    const operations = [pay(net.root.publicKey(), 1n)];
    net.submit(net.build(net.root, operations));
    return net.close().hash.toString('hex');
  };
  assert.equal(run(), run());
});
