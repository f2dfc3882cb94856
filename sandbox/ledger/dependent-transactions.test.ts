import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FeeBumpTransaction, Transaction } from '@stellar/stellar-sdk/base';
import { type Keypair, Operation, xdr } from '@stellar/stellar-sdk/base';
import { pay, TestNetwork, UNIT } from '../testing/test-network.ts';
import type { ClosedTransaction } from './close.ts';
import { closeLedger } from './close.ts';
import { resultText } from './result-text.ts';
import { State } from './state.ts';

/** Closes one ledger with the transactions in this order, independently of their hashes. */
function closed(net: TestNetwork, ...transactions: (Transaction | FeeBumpTransaction)[]) {
  const { header, hash } = net.network.latest;
  const ledger = closeLedger(
    new State(net.network.store.entries()),
    { header, hash },
    transactions.map((transaction) => net.network.parse(transaction.toEnvelope().toXdr())),
    {
      closeTimeMs: (header.scpValue.closeTime + 5n) * 1000n,
      sign: net.network.sign,
      contracts: net.network.contracts,
    },
  );
  return ledger.transactions.map((transaction) => ({
    result: resultText(xdr.TransactionResult.fromXdr(transaction.resultXdr)),
    feeCharged: transaction.feeCharged,
    changedBefore: changedBefore(transaction),
  }));
}

/** Number of entries that changed before the operations. */
function changedBefore({ meta }: ClosedTransaction): number {
  assert.ok(meta.v === 4);
  return meta.v4.txChangesBefore.filter(({ type }) => type === 1).length;
}

function world() {
  const net = new TestNetwork();
  const [formerOwner, other, heir] = net.accounts(9n * UNIT, 9n * UNIT, 9n * UNIT) as [
    Keypair,
    Keypair,
    Keypair,
  ];
  const destination = heir.publicKey();
  const merging = net.build(
    other,
    [Operation.accountMerge({ destination, source: formerOwner.publicKey() })],
    {
      signers: [other, formerOwner],
    },
  );
  return { net, formerOwner, other, heir, merging };
}

/**
 * stellar-core, TransactionFrame::commonValid and OperationFrame::checkSignature: each lookup happens only when its
 * check is due.
 */
describe('after an account was merged, in the same ledger', () => {
  test('its own transaction is txNO_ACCOUNT: it has paid, and changes nothing', () => {
    const { net, formerOwner, heir, merging } = world();
    const [, after] = closed(net, merging, net.build(formerOwner, [pay(heir, 1n)]));
    assert.deepEqual(after, { result: 'txNoAccount', feeCharged: 100n, changedBefore: 0 });
  });

  test('a fee-bump that it pays for is applied: the payer is not looked up again', () => {
    const { net, formerOwner, heir, merging } = world();
    const bumped = net.feeBump(net.build(heir, [pay(net.root, 1n)]), formerOwner, '100');
    const [, after] = closed(net, merging, bumped);
    assert.deepEqual(after, { result: 'txFeeBumpInnerSuccess', feeCharged: 200n, changedBefore: 1 });
  });

  test('an operation of it fails with opNO_ACCOUNT when its own key signed, else with opBAD_AUTH', () => {
    const { net, formerOwner, heir, merging } = world();
    const signer = { ed25519PublicKey: net.root.publicKey(), weight: 1 };
    net.must(formerOwner, [Operation.setOptions({ signer })]);
    const paying = (by: Keypair) =>
      net.build(heir, [pay(heir, 1n, formerOwner), pay(net.root, 1n)], { signers: [heir, by] });
    const [merged, byKey] = closed(net, merging, paying(formerOwner));
    assert.deepEqual([merged?.result, byKey?.result], ['txSuccess', 'txFailed(opNoAccount,paymentSuccess)']);
    const [, bySigner] = closed(net, merging, paying(net.root));
    assert.equal(bySigner?.result, 'txFailed(opBadAuth,paymentSuccess)');
  });
});
