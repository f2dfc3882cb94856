import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keypair, TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import { pay, START_S, TestNetwork, UNIT } from '../testing/test-network.ts';

function setUp() {
  const net = new TestNetwork();
  const [from, to] = net.accounts(100n * UNIT, 5n * UNIT) as [Keypair, Keypair];
  return { net, from, to };
}

describe('at submission', () => {
  test('an unknown source account is txNO_ACCOUNT', () => {
    const { net, to } = setUp();
    assert.equal(net.submit(net.build(Keypair.random(), [pay(to, 1n)])).error, 'txNoAccount');
  });

  test('Q5: any sequence number but the next one is txBAD_SEQ', () => {
    const { net, from, to } = setUp();
    const current = net.sequence(from);
    for (const seqNum of [current - 1n, current, current + 2n]) {
      assert.equal(net.submit(net.build(from, [pay(to, 1n)], { seqNum })).error, 'txBadSeq');
    }
  });

  test('no operations are txMISSING_OPERATION', () => {
    const { net, from } = setUp();
    assert.equal(net.submit(net.build(from, [])).error, 'txMissingOperation');
  });

  test('a bid below 100 stroops an operation is txINSUFFICIENT_FEE and names the fee needed', () => {
    const { net, from, to } = setUp();
    const transaction = net.build(from, [pay(to, 1n), pay(to, 1n)], { fee: '99' });
    const { error, feeCharged } = net.submit(transaction);
    assert.deepEqual([error, feeCharged], ['txInsufficientFee', 200n]);
  });

  test('a bid above what the account can pay is txINSUFFICIENT_BALANCE', () => {
    const { net, to } = setUp();
    const [poor] = net.accounts(UNIT + 99n) as [Keypair];
    assert.equal(net.submit(net.build(poor, [pay(to, 1n)])).error, 'txInsufficientBalance');
  });

  test('a minTime after the last close is txTOO_EARLY', () => {
    const { net, from, to } = setUp();
    const closeTime = Number(net.network.latest.header.scpValue.closeTime);
    const submit = (minTime: number) =>
      net.submit(net.build(from, [pay(to, 1n)], { timeBounds: [minTime, 0] })).error;
    assert.equal(submit(closeTime + 1), 'txTooEarly');
    assert.equal(submit(closeTime), null);
  });

  test('Q10: a maxTime within two expected closes is txTOO_LATE, drift of the clock included', async () => {
    const { net, from, to } = setUp();
    const closeTime = Number(net.network.latest.header.scpValue.closeTime);
    const submit = (maxTime: number) =>
      net.submit(net.build(from, [pay(to, 1n)], { timeBounds: [0, maxTime] })).error;
    assert.equal(submit(closeTime + 9), 'txTooLate');
    await net.clock.advance((closeTime - START_S) * 1000 + 3_000);
    assert.equal(submit(closeTime + 12), 'txTooLate');
    assert.equal(submit(closeTime + 13), null);
  });

  test('Q9: maxLedger is exclusive and minLedger inclusive', () => {
    const { net, from, to } = setUp();
    const next = net.network.latest.header.ledgerSeq + 1;
    const submit = (min: number, max: number) => {
      const adjust = (builder: TransactionBuilder) => void builder.setLedgerbounds(min, max);
      return net.submit(net.build(from, [pay(to, 1n)], { adjust })).error;
    };
    assert.equal(submit(0, next), 'txTooLate');
    assert.equal(submit(next + 1, 0), 'txTooEarly');
    assert.equal(submit(next, next + 1), null);
  });

  test('minSeqNum allows a gap, and minSeqAge and minSeqLedgerGap require waiting (CAP-21)', () => {
    const { net, from, to } = setUp();
    const current = net.sequence(from);
    const submit = (adjust: (builder: TransactionBuilder) => void) =>
      net.submit(net.build(from, [pay(to, 1n)], { seqNum: current + 10n, adjust })).error;
    assert.equal(
      submit((builder) => void builder.setMinAccountSequence(`${current + 1n}`)),
      'txBadSeq',
    );
    const gap = (builder: TransactionBuilder) => builder.setMinAccountSequence(`${current}`);
    net.applied(
      net.build(from, [pay(to, 1n)], { seqNum: current + 5n, adjust: (builder) => void gap(builder) }),
    );
    const older = (builder: TransactionBuilder) => gap(builder).setMinAccountSequenceLedgerGap(3);
    assert.equal(
      submit((builder) => void older(builder)),
      'txBadMinSeqAgeOrGap',
    );
    net.close();
    net.close();
    assert.equal(
      submit((builder) => void older(builder)),
      null,
    );
  });
});

describe('in a ledger', () => {
  test('Q9: maxTime is inclusive: a close time equal to it still takes the transaction', async () => {
    const { net, from, to } = setUp();
    const maxTime = START_S + 60;
    const transaction = net.build(from, [pay(to, 1n)], { timeBounds: [0, maxTime] });
    assert.equal(net.submit(transaction).status, 'PENDING');
    await net.clock.advance(60_000);
    const ledger = net.close();
    assert.equal(Number(ledger.header.scpValue.closeTime), maxTime);
    assert.equal(net.resultOf(transaction, ledger), 'txSuccess');
  });

  test('a transaction that expired in the queue is never applied', async () => {
    const { net, from, to } = setUp();
    const transaction = net.build(from, [pay(to, 1n)], { timeBounds: [0, START_S + 60] });
    assert.equal(net.submit(transaction).status, 'PENDING');
    await net.clock.advance(61_000);
    assert.equal(net.close().transactions.length, 0);
    assert.equal(net.network.queue.size, 0);
    assert.equal(net.submit(transaction).status, 'TRY_AGAIN_LATER');
  });

  test('Q12: a failed transaction uses up its sequence number and its fee, and undoes its operations', () => {
    const { net, from, to } = setUp();
    const sequence = net.sequence(from);
    const transaction = net.build(from, [pay(to, UNIT), pay(Keypair.random(), UNIT), pay(to, UNIT)]);
    assert.equal(net.applied(transaction), 'txFailed(paymentSuccess,paymentNoDestination,paymentSuccess)');
    assert.equal(net.sequence(from), sequence + 1n);
    assert.equal(net.balance(from), 100n * UNIT - 300n);
    assert.equal(net.balance(to), 5n * UNIT);
  });

  test('a bid above the base fee is charged the base fee', () => {
    const { net, from, to } = setUp();
    const before = net.network.latest.header.feePool;
    net.applied(net.build(from, [pay(to, UNIT), pay(to, UNIT)], { fee: '5000' }));
    assert.equal(net.balance(from), 98n * UNIT - 200n);
    assert.equal(net.network.latest.header.feePool, before + 200n);
  });
});

describe('fee-bump (CAP-15)', () => {
  test('the payer pays for one operation more, the inner source pays nothing', () => {
    const { net, from, to } = setUp();
    const inner = net.build(from, [pay(to, UNIT)], { fee: '0' });
    const before = net.balance(to);
    assert.equal(net.applied(net.feeBump(inner, to, '100')), 'txFeeBumpInnerSuccess');
    assert.equal(net.balance(from), 99n * UNIT);
    assert.equal(net.balance(to), before + UNIT - 200n);
  });

  test('an inner transaction that fails in the ledger uses up its sequence number, and the payer pays', () => {
    const { net, from, to } = setUp();
    const sequence = net.sequence(from);
    const outer = net.feeBump(net.build(from, [pay(Keypair.random(), UNIT)]), to, '100');
    assert.equal(net.applied(outer), 'txFeeBumpInnerFailed(txFailed(paymentNoDestination))');
    assert.equal(net.sequence(from), sequence + 1n);
    assert.equal(net.balance(to), 5n * UNIT - 200n);
  });

  test('refuses a bid per operation below the inner one, an unknown payer, and an inner with a bad sequence', () => {
    const { net, from, to } = setUp();
    const dear = net.build(from, [pay(to, UNIT)], { fee: '1000' });
    const cheap = rebid(net, net.feeBump(dear, to, '1000'), 1_999n, to);
    assert.deepEqual(net.submitXdr(cheap), {
      status: 'ERROR',
      error: 'txInsufficientFee',
      feeCharged: 2_000n,
    });
    assert.equal(net.submit(net.feeBump(dear, Keypair.random(), '1000')).error, 'txNoAccount');
    const negative = rebid(net, net.feeBump(dear, to, '1000'), -1n, to);
    assert.deepEqual(net.submitXdr(negative), { status: 'ERROR', error: 'txMalformed', feeCharged: 0n });
    const gap = net.build(from, [pay(to, UNIT)], { seqNum: net.sequence(from) + 2n });
    assert.equal(net.submit(net.feeBump(gap, to, '100')).error, 'txFeeBumpInnerFailed(txBadSeq)');
  });
});

/** The fee-bump with another bid, signed again: the SDK refuses to build a bid that is too low. */
function rebid(
  net: TestNetwork,
  outer: ReturnType<TestNetwork['feeBump']>,
  fee: bigint,
  payer: Keypair,
): Uint8Array {
  const wire = outer.toEnvelope().toXdrObject() as Extract<xdr.TransactionEnvelopeWire, { type: 5 }>;
  const unsigned: xdr.TransactionEnvelopeWire = {
    type: 5,
    feeBump: { tx: { ...wire.feeBump.tx, fee }, signatures: [] },
  };
  const changed = TransactionBuilder.fromXdr(
    xdr.TransactionEnvelope.fromXdrObject(unsigned),
    net.network.options.passphrase,
  );
  changed.sign(payer);
  return changed.toEnvelope().toXdr();
}
