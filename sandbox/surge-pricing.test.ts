import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { xdr } from '@stellar/stellar-sdk/base';
import fc from 'fast-check';
import { FeeOrder } from './fee-order.ts';
import { sha256 } from './ledger/bytes.ts';
import type { ClosedLedger } from './ledger/close.ts';
import type { Transaction } from './ledger/transaction.ts';
import { ledgerCloseMetaXdr } from './rpc/ledger-close-meta.ts';
import { eventsOf } from './store/event-texts.ts';
import { pay, TestNetwork, UNIT } from './testing/test-network.ts';

function setUp(max_operations: number, accounts: number) {
  const net = new TestNetwork({ max_operations });
  const keys: Keypair[] = [];
  while (keys.length < accounts) keys.push(...net.accounts(50n * UNIT, 50n * UNIT));
  const payments = (count: number) => Array.from({ length: count }, () => pay(net.root, 1n));
  /** Submits one payment of each account with these bids, in stroops for each operation. */
  const bid = (...rates: number[]) =>
    rates.map((rate, index) => {
      const transaction = net.build(keys[index] as Keypair, payments(1), { fee: `${rate}` });
      return { transaction, ...net.submit(transaction) };
    });
  return { net, keys, payments, bid };
}

const charged = (ledger: ClosedLedger) => ledger.transactions.map(({ feeCharged }) => feeCharged);

describe('a ledger', () => {
  test('takes the highest bids for each operation, and all pay what the lowest of them bid', () => {
    const { net, keys, bid } = setUp(2, 4);
    const bids = bid(100, 700, 300, 500);
    const ledger = net.close();
    assert.equal(ledger.baseFee, 500n);
    assert.deepEqual(charged(ledger), [500n, 500n]);
    assert.equal(net.balance(keys[1] as Keypair), 50n * UNIT - 1n - 500n);
    const results = bids.map(({ transaction }) => net.resultOf(transaction, ledger));
    assert.deepEqual(results, ['not in the ledger', 'txSuccess', 'not in the ledger', 'txSuccess']);

    const next = net.close();
    assert.equal(next.baseFee, 100n, 'what is left fits, so nobody pays more than the minimum');
    assert.deepEqual(charged(next), [100n, 100n]);
  });

  test('says the fee that was charged in result, fee changes, fee event, transaction set and header hash', () => {
    const { net, bid } = setUp(2, 4);
    bid(100, 700, 300, 500);
    const { header, transactions, baseFee } = net.close();
    assert.equal(header.baseFee, 100);
    for (const { meta, resultXdr } of transactions) {
      assert.equal(xdr.TransactionResult.schema.decode(resultXdr).feeCharged, 500n);
      const [text] = eventsOf(meta).transactionEventsXdr;
      const event = xdr.TransactionEvent.schema.decode(Buffer.from(text ?? '', 'base64')).event;
      const { data } = event.body.v0;
      assert.ok(data.type === 10 && data.i128.lo === 500n);
    }
    const stored = net.network.store.ledger(header.ledgerSeq);
    assert.equal(stored?.base_fee, baseFee);
    const metaXdr = ledgerCloseMetaXdr(stored, net.network.store.transactionsOf(header.ledgerSeq));
    const meta = xdr.LedgerCloseMeta.schema.decode(metaXdr);
    assert.ok(meta.v === 2);
    const [phase] = meta.v2.txSet.v1TxSet.phases;
    assert.ok(phase?.v === 0 && phase.v0Components.length === 1);
    assert.equal(phase.v0Components[0]?.txsMaybeDiscountedFee.baseFee, 500n);
    const setXdr = xdr.GeneralizedTransactionSet.schema.encode(meta.v2.txSet);
    assert.deepEqual(Buffer.from(header.scpValue.txSetHash), sha256(setXdr));
  });

  test('lets a smaller transaction into room that a better paying one is too large for', () => {
    const { net, keys, payments } = setUp(4, 3);
    const [first, second, third] = keys as [Keypair, Keypair, Keypair];
    const submit = (key: Keypair, operations: number, rate: number) => {
      const transaction = net.build(key, payments(operations), { fee: `${rate}` });
      assert.equal(net.submit(transaction).status, 'PENDING');
      return transaction;
    };
    const large = submit(second, 2, 400);
    const fitting = [submit(first, 3, 900), submit(third, 1, 200)];
    const ledger = net.close();
    assert.equal(net.resultOf(large, ledger), 'not in the ledger');
    for (const transaction of fitting) assert.equal(net.resultOf(transaction, ledger), 'txSuccess');
    assert.equal(ledger.baseFee, 200n);
    assert.deepEqual(charged(ledger).toSorted(), [200n, 600n]);
  });

  test('counts a fee-bump as one operation more, in room, rate and fee', () => {
    const { net, keys, payments, bid } = setUp(3, 4);
    const [, , source, payer] = keys as [Keypair, Keypair, Keypair, Keypair];
    const outer = net.feeBump(net.build(source, payments(1)), payer, '300');
    assert.equal(net.submit(outer).status, 'PENDING');
    bid(299, 301);
    const ledger = net.close();
    assert.equal(net.resultOf(outer, ledger), 'txFeeBumpInnerSuccess');
    assert.equal(ledger.transactions.length, 2);
    assert.equal(ledger.baseFee, 300n);
    assert.deepEqual(charged(ledger).toSorted(), [300n, 600n]);
  });

  test('decides between equal bids by full hash, so a run can be repeated', () => {
    const { net, bid } = setUp(2, 3);
    const bids = bid(100, 100, 100);
    const hashes = bids.map(({ transaction }) => sha256(transaction.toEnvelope().toXdr()));
    const [lowest, ...others] = hashes.toSorted(Buffer.compare);
    const ledger = net.close();
    const taken = ledger.transactions.map(({ tx }) => tx.fullHash).toSorted(Buffer.compare);
    assert.deepEqual(taken, others);
    assert.deepEqual(net.close().transactions[0]?.tx.fullHash, lowest);
    assert.equal(ledger.baseFee, 100n);
  });
});

describe('a queue that holds the operations of two ledgers', () => {
  test('throws out and bans the cheapest for one who pays more', () => {
    const { net, bid } = setUp(2, 6);
    const [, cheapest] = bid(300, 200, 300, 300, 201);
    assert.equal(net.network.queue.size, 4);
    assert.ok(cheapest);
    assert.equal(net.submit(cheapest.transaction).status, 'TRY_AGAIN_LATER');
  });

  test('refuses one who pays no more than the cheapest, says the fee that would do, and bans it', () => {
    const { net, bid } = setUp(2, 6);
    const answers = bid(300, 200, 300, 300, 200);
    const refused = answers[4];
    assert.ok(refused);
    assert.deepEqual(
      [refused.status, refused.error, refused.feeCharged],
      ['ERROR', 'txInsufficientFee', 201n],
    );
    assert.equal(net.submit(refused.transaction).status, 'TRY_AGAIN_LATER');
  });

  test('lets nobody in before the next ledger who pays no more than one thrown out did', () => {
    const { net, keys, payments, bid } = setUp(2, 8);
    bid(200, 200, 900, 900);
    const large = net.build(keys[4] as Keypair, payments(2), { fee: '500' });
    assert.equal(net.submit(large).status, 'PENDING');
    assert.equal(net.network.queue.size, 3);
    const late = (key: number, rate: string) =>
      net.submit(net.build(keys[key] as Keypair, payments(1), { fee: rate }));
    assert.deepEqual([late(5, '200').error, late(6, '150').feeCharged], ['txInsufficientFee', 201n]);
    net.close();
    assert.equal(late(7, '100').status, 'PENDING');
  });

  test("does not count twice what a fee-bump replaces, and never throws out the own account's transaction", () => {
    const { net, keys, bid } = setUp(2, 6);
    const bids = bid(100, 900, 900, 900);
    const own = bids[0]?.transaction;
    assert.ok(own);
    const payer = keys[5] as Keypair;
    assert.equal(
      net.submit(net.feeBump(own, payer, '5000')).status,
      'TRY_AGAIN_LATER',
      'it is the cheapest itself',
    );
    net.close();
    const bumped = net.feeBump(own, payer, '6000');
    assert.equal(net.submit(bumped).status, 'PENDING');
    assert.equal(net.resultOf(bumped, net.close()), 'txFeeBumpInnerSuccess');
  });

  test('answers TRY_AGAIN_LATER to what no fee could make room for', () => {
    const { net, keys, payments } = setUp(2, 2);
    const large = net.build(keys[0] as Keypair, payments(5), { fee: '100000' });
    assert.deepEqual(net.submit(large), { status: 'TRY_AGAIN_LATER', error: null, feeCharged: null });
  });
});

test('whatever is added and taken out, transactions stand in the order of their exact fee for each operation', () => {
  const net = new TestNetwork();
  const parsed = Array.from({ length: 12 }, (_, index) => {
    const operations = Array.from({ length: 1 + (index % 3) }, () => pay(net.root, 1n));
    const transaction = net.build(net.root, operations, { fee: '100', seqNum: BigInt(index + 1) });
    return net.network.submit(transaction.toEnvelope().toXdr()).transaction;
  });
  const step = fc.record({ which: fc.nat(parsed.length - 1), feeBid: fc.bigInt(1n, 9n) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const order = new FeeOrder();
      const held = new Map<number, Transaction>();
      for (const { which, feeBid } of steps) {
        const old = held.get(which);
        const tx = { ...(parsed[which] as Transaction), feeBid };
        if (old === undefined) order.add(tx);
        else order.delete(old);
        if (old === undefined) held.set(which, tx);
        else held.delete(which);
      }
      const rates = [...order].map(({ feeBid, operationCount }) => Number(feeBid) / operationCount);
      assert.deepEqual(
        rates,
        rates.toSorted((a, b) => a - b),
      );
      assert.deepEqual(new Set(order), new Set(held.values()));
      const operations = [...held.values()].reduce((sum, { operationCount }) => sum + operationCount, 0);
      assert.equal(order.operationCount, operations);
    }),
  );
});

test('a network that resumes with another limit carries it in its headers from its next ledger on', () => {
  const { store } = new TestNetwork().network;
  const resumed = new TestNetwork({ store, max_operations: 7 });
  assert.equal(resumed.network.latest.header.maxTxSetSize, 7);
});

test('2,000 waiting transactions are taken 1,000 a ledger, in far less than the 5 seconds between ledgers', () => {
  const net = new TestNetwork();
  const keys: Keypair[] = [];
  while (keys.length < 2000) keys.push(...net.accounts(...Array.from({ length: 100 }, () => 50n * UNIT)));
  for (const [index, key] of keys.entries()) {
    const transaction = net.build(key, [pay(net.root, 1n)], { fee: `${100 + (index % 700)}` });
    assert.equal(net.submit(transaction).status, 'PENDING');
  }
  // Of the processor: other tests run beside this one.
  const started = process.cpuUsage();
  assert.equal(net.close().transactions.length, 1000);
  const { user, system } = process.cpuUsage(started);
  const took_ms = (user + system) / 1000;
  assert.equal(net.close().transactions.length, 1000);
  assert.equal(net.network.queue.size, 0);
  assert.ok(took_ms < 5000, `${took_ms} ms`);
  console.log(`  1,000 of 2,000 taken and applied in ${Math.round(took_ms)} ms`);
});
