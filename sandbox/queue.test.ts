import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { pay, TestNetwork, UNIT } from './testing/test-network.ts';

function setUp() {
  const net = new TestNetwork();
  const [from, to] = net.accounts(100n * UNIT, 50n * UNIT) as [Keypair, Keypair];
  return { net, from, to };
}

describe('the queue', () => {
  test('refuses a second transaction of the same source with TRY_AGAIN_LATER (Q1)', () => {
    const { net, from, to } = setUp();
    const first = net.build(from, [pay(to, 1n)]);
    const rival = net.build(from, [pay(to, 2n)]);
    const following = net.build(from, [pay(to, 3n)], { seqNum: net.sequence(from) + 2n });
    assert.equal(net.submit(first).status, 'PENDING');
    assert.equal(net.submit(rival).status, 'TRY_AGAIN_LATER');
    assert.equal(net.submit(following).status, 'TRY_AGAIN_LATER');
    assert.equal(net.submit(net.build(to, [pay(from, 1n)])).status, 'PENDING');
    assert.equal(net.close().transactions.length, 2);
    assert.equal(net.submit(following).status, 'PENDING');
  });

  test('answers DUPLICATE for what it holds, and for the inner transaction of a fee-bump it holds (Q3)', () => {
    const { net, from, to } = setUp();
    const inner = net.build(from, [pay(to, 1n)]);
    const outer = net.feeBump(inner, to, '100');
    assert.equal(net.submit(outer).status, 'PENDING');
    assert.equal(net.submit(outer).status, 'DUPLICATE');
    assert.equal(net.submit(inner).status, 'DUPLICATE');
  });

  test('answers txBAD_SEQ for a lower number than the queued one, though nothing is applied yet (Q4)', () => {
    const { net, from, to } = setUp();
    const current = net.sequence(from);
    const queued = net.build(from, [pay(to, 1n)], {
      seqNum: current + 5n,
      adjust: (builder) => void builder.setMinAccountSequence(current.toString()),
    });
    assert.equal(net.submit(queued).status, 'PENDING');
    const lower = net.submit(net.build(from, [pay(to, 1n)]));
    assert.deepEqual([lower.status, lower.error], ['ERROR', 'txBadSeq']);
  });

  test('never takes a transaction that leaves a gap (Q5)', () => {
    const { net, from, to } = setUp();
    const gap = net.submit(net.build(from, [pay(to, 1n)], { seqNum: net.sequence(from) + 2n }));
    assert.deepEqual([gap.status, gap.error], ['ERROR', 'txBadSeq']);
    assert.equal(net.network.queue.size, 0);
  });

  test('lets a fee-bump at ten times the fee per operation replace, and names the fee below that (Q6)', () => {
    const { net, from, to } = setUp();
    const inner = net.build(from, [pay(to, 1n)]);
    assert.equal(net.submit(net.feeBump(inner, to, '100')).status, 'PENDING');
    const refused = net.submit(net.feeBump(inner, to, '999'));
    assert.deepEqual([refused.error, refused.feeCharged], ['txInsufficientFee', 2_000n]);
    const bumped = net.feeBump(inner, to, '1000');
    assert.equal(net.submit(bumped).status, 'PENDING');
    assert.equal(net.network.queue.size, 1);
    const ledger = net.close();
    assert.equal(net.resultOf(bumped, ledger), 'txFeeBumpInnerSuccess');
  });

  test('bans an applied hash for ten ledgers, and answers txBAD_SEQ after that (Q8)', () => {
    const { net, from, to } = setUp();
    const transaction = net.build(from, [pay(to, 1n)]);
    assert.equal(net.applied(transaction), 'txSuccess');
    for (let ledger = 1; ledger < 10; ledger++) {
      assert.equal(net.submit(transaction).status, 'TRY_AGAIN_LATER', `${ledger}`);
      net.close();
    }
    assert.equal(net.submit(transaction).error, 'txBadSeq');
    assert.equal(net.balance(to), 50n * UNIT + 1n);
  });

  test('does not let one fee source promise more than it has', () => {
    const { net, from, to } = setUp();
    const [payer] = net.accounts(UNIT + 500n) as [Keypair];
    const bump = (source: Keypair, destination: Keypair) =>
      net.feeBump(net.build(source, [pay(destination, 1n)]), payer, '200');
    assert.equal(net.submit(bump(from, to)).status, 'PENDING');
    assert.equal(net.submit(bump(to, from)).error, 'txInsufficientBalance');
  });

  test('holds a ledger to 1,000 operations, and the rest waits its turn', () => {
    const net = new TestNetwork();
    const keys = net.accounts(...Array.from({ length: 11 }, () => 50n * UNIT));
    const [to] = keys as [Keypair];
    const operations = Array.from({ length: 100 }, () => pay(to, 1n));
    for (const key of keys) {
      assert.equal(net.submit(net.build(key, operations)).status, 'PENDING');
    }
    assert.equal(net.close().transactions.length, 10);
    assert.equal(net.network.queue.size, 1);
    assert.equal(net.close().transactions.length, 1);
  });
});
