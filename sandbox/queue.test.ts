import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { Operation, SorobanDataBuilder } from '@stellar/stellar-sdk/base';
import { pay, TestNetwork, UNIT } from './testing/test-network.ts';

function setUp(options: ConstructorParameters<typeof TestNetwork>[0] = {}) {
  const net = new TestNetwork(options);
  const [from, to] = net.accounts(100n * UNIT, 50n * UNIT) as [Keypair, Keypair];
  return { net, from, to };
}

/**
 * A network whose ledgers have no room for a transaction of three operations: the queue accepts it, and it never
 * gets into a ledger.
 */
function setUpStuck() {
  const { net, from, to } = setUp({ max_operations: 2 });
  const stuck = net.build(from, [pay(to, 1n), pay(to, 1n), pay(to, 1n)]);
  assert.equal(net.submit(stuck).status, 'PENDING');
  return { net, from, to, stuck };
}

describe('the queue', () => {
  test('Q1: refuses a second transaction of the same source with TRY_AGAIN_LATER', () => {
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

  test('Q2: the one place of a source account is for classic and contract transactions together', () => {
    const { net, from, to } = setUp();
    assert.equal(net.submit(net.build(from, [pay(to, 1n)])).status, 'PENDING');
    const contract = 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC';
    const call = Operation.invokeContractFunction({ contract, function: 'transfer', args: [] });
    const resources = new SorobanDataBuilder().setResources(1000, 1000, 1000).setResourceFee(1000).build();
    const adjust = (builder: { setSorobanData(data: typeof resources): unknown }) =>
      void builder.setSorobanData(resources);
    assert.equal(net.submit(net.build(from, [call], { adjust })).status, 'TRY_AGAIN_LATER');
  });

  test('Q3: answers DUPLICATE for what it holds, and for the inner transaction of a fee-bump it holds', () => {
    const { net, from, to } = setUp();
    const inner = net.build(from, [pay(to, 1n)]);
    const outer = net.feeBump(inner, to, '100');
    assert.equal(net.submit(outer).status, 'PENDING');
    assert.equal(net.submit(outer).status, 'DUPLICATE');
    assert.equal(net.submit(inner).status, 'DUPLICATE');
  });

  test('Q4: answers txBAD_SEQ for a lower number than the queued one, though nothing is applied yet', () => {
    const { net, from, to } = setUp();
    const current = net.sequence(from);
    const queued = net.build(from, [pay(to, 1n)], {
      seqNum: current + 5n,
      adjust: (builder) => void builder.setMinAccountSequence(current.toString()),
    });
    assert.equal(net.submit(queued).status, 'PENDING');
    const lower = net.submit(net.build(from, [pay(to, 1n)]));
    assert.deepEqual([lower.status, lower.error, lower.feeCharged], ['ERROR', 'txBadSeq', 0n]);
  });

  test('Q5: never takes a transaction that leaves a gap', () => {
    const { net, from, to } = setUp();
    const gap = net.submit(net.build(from, [pay(to, 1n)], { seqNum: net.sequence(from) + 2n }));
    assert.deepEqual([gap.status, gap.error], ['ERROR', 'txBadSeq']);
    assert.equal(net.network.queue.size, 0);
  });

  test('Q6: lets a fee-bump at ten times the fee per operation replace, and names the fee below that', () => {
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

  test('Q7: drops what four ledgers had no room for, and bans its hash for ten ledgers', () => {
    const { net, stuck } = setUpStuck();
    for (let ledger = 1; ledger <= 3; ledger++) {
      assert.equal(net.close().transactions.length, 0);
      assert.equal(net.submit(stuck).status, 'DUPLICATE', `after ${ledger} ledgers`);
    }
    net.close();
    assert.equal(net.network.queue.size, 0);
    for (let ledger = 0; ledger < 10; ledger++) {
      assert.equal(net.submit(stuck).status, 'TRY_AGAIN_LATER', `${ledger} ledgers after`);
      net.close();
    }
    assert.equal(net.submit(stuck).status, 'PENDING');
  });

  test('Q7: the ban is on the envelope: the same transaction in a fee-bump is taken', () => {
    const { net, to, stuck } = setUpStuck();
    for (let ledger = 0; ledger < 4; ledger++) net.close();
    assert.equal(net.submit(stuck).status, 'TRY_AGAIN_LATER');
    assert.equal(net.submit(net.feeBump(stuck, to, '100')).status, 'PENDING');
  });

  test('Q7: a replacement takes over the age of what it replaces, whose hash is not banned', () => {
    const { net, to, stuck } = setUpStuck();
    for (let ledger = 0; ledger < 3; ledger++) net.close();
    const bumped = net.feeBump(stuck, to, '1000');
    assert.equal(net.submit(bumped).status, 'PENDING');
    net.close();
    assert.equal(net.network.queue.size, 0);
    assert.equal(net.submit(bumped).status, 'TRY_AGAIN_LATER');
    assert.equal(net.submit(stuck).status, 'PENDING');
  });

  test('Q8: bans an applied hash for ten ledgers, and answers txBAD_SEQ after that', () => {
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

  test('Q8: bans are in memory only: after a restart the answer is txBAD_SEQ at once', () => {
    const { net, from, to } = setUp();
    const transaction = net.build(from, [pay(to, 1n)]);
    net.applied(transaction);
    const restarted = new TestNetwork({ store: net.network.store });
    assert.equal(restarted.submit(transaction).error, 'txBadSeq');
  });

  test('Q10: a ledger that closes drops what would then be refused for its maxTime, and bans it', () => {
    const { net, from, to } = setUp({ max_operations: 2 });
    const closeTime = Number(net.network.latest.header.scpValue.closeTime);
    const transaction = net.build(from, [pay(to, 1n), pay(to, 1n), pay(to, 1n)], {
      timeBounds: [0, closeTime + 10],
    });
    assert.equal(net.submit(transaction).status, 'PENDING');
    net.close();
    assert.equal(net.network.queue.size, 0);
    assert.equal(net.submit(transaction).status, 'TRY_AGAIN_LATER');
  });

  test('refuses bids of one fee source beyond its balance', () => {
    const { net, from, to } = setUp();
    const [payer] = net.accounts(UNIT + 500n) as [Keypair];
    const bump = (source: Keypair, destination: Keypair) =>
      net.feeBump(net.build(source, [pay(destination, 1n)]), payer, '200');
    assert.equal(net.submit(bump(from, to)).status, 'PENDING');
    const second = net.submit(bump(to, from));
    // Fee of two operations: the transaction was valid before its payer was checked.
    assert.deepEqual([second.error, second.feeCharged], ['txInsufficientBalance', 200n]);
  });

  test('drops every transaction of a payer who can no longer pay for all of them', () => {
    const { net, from, to } = setUp({ max_operations: 4 });
    const [payer] = net.accounts(20n * UNIT) as [Keypair];
    const bump = (source: Keypair) => net.feeBump(net.build(source, [pay(net.root, 1n)]), payer, '10000000');
    const dear = { fee: '11000000' };
    const waiting = [bump(from), bump(to)];
    for (const transaction of [
      ...waiting,
      net.build(payer, [pay(net.root, (29n * UNIT) / 2n)], dear),
      net.build(net.root, [pay(to, 1n), pay(to, 1n), pay(to, 1n)], dear),
    ]) {
      assert.equal(net.submit(transaction).status, 'PENDING');
    }
    assert.equal(net.close().transactions.length, 2);
    assert.ok(net.available(payer) > 2n * UNIT && net.available(payer) < 4n * UNIT);
    assert.equal(net.network.queue.size, 0);
    for (const transaction of waiting) assert.equal(net.submit(transaction).status, 'TRY_AGAIN_LATER');
  });
});

describe('a submission', () => {
  test('signed for another network is txBAD_AUTH', () => {
    const { net, from, to } = setUp();
    const foreign = net.build(from, [pay(to, 1n)], { passphrase: 'Test SDF Network ; September 2015' });
    assert.equal(net.submit(foreign).error, 'txBadAuth');
    assert.equal(net.close().transactions.length, 0);
  });
});
