import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Transaction } from '@stellar/stellar-sdk/base';
import { Keypair, Operation, xdr } from '@stellar/stellar-sdk/base';
import { create, pay, TestNetwork, UNIT } from '../testing/test-network.ts';

function setUp() {
  const net = new TestNetwork();
  const [owner, other] = net.accounts(100n * UNIT, 50n * UNIT) as [Keypair, Keypair];
  return { net, owner, other };
}

describe('signatures', () => {
  test('none, a wrong key, another network, and a broken signature are txBAD_AUTH', () => {
    const { net, owner, other } = setUp();
    const submit = (options: Parameters<TestNetwork['build']>[2]) =>
      net.submit(net.build(owner, [pay(other, 1n)], options)).error;
    assert.equal(submit({ signers: [] }), 'txBadAuth');
    assert.equal(submit({ signers: [other] }), 'txBadAuth');
    assert.equal(submit({ passphrase: 'Test SDF Network ; September 2015' }), 'txBadAuth');
    const broken = net
      .build(owner, [pay(other, 1n)])
      .toEnvelope()
      .toXdr();
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
    assert.equal(net.submitXdr(broken).error, 'txBadAuth');
  });

  test('one that nothing needed is txBAD_AUTH_EXTRA, at submission', () => {
    const { net, owner, other } = setUp();
    const transaction = net.build(owner, [pay(other, 1n)], { signers: [owner, other] });
    assert.equal(net.submit(transaction).error, 'txBadAuthExtra');
  });

  test('an operation with a source of its own needs that account too', () => {
    const { net, owner, other } = setUp();
    const operations = [pay(owner, UNIT, other)];
    assert.equal(net.submit(net.build(owner, operations)).error, 'txFailed(opBadAuth)');
    assert.equal(net.applied(net.build(owner, operations, { signers: [owner, other] })), 'txSuccess');
    assert.equal(net.balance(other), 49n * UNIT);
  });

  test('an account that the transaction creates signs with its own key', () => {
    const { net, owner } = setUp();
    const made = Keypair.random();
    const operations = [create(made, 10n * UNIT), pay(owner, UNIT, made)];
    assert.equal(net.submit(net.build(owner, operations)).error, 'txFailed(createAccountSuccess,opBadAuth)');
    assert.equal(net.applied(net.build(owner, operations, { signers: [owner, made] })), 'txSuccess');
    assert.equal(net.balance(made), 9n * UNIT);
  });

  test('signers add up to the threshold of the operation', () => {
    const { net, owner, other } = setUp();
    const [second, third] = [Keypair.random(), Keypair.random()];
    const signer = (key: Keypair) =>
      Operation.setOptions({ signer: { ed25519PublicKey: key.publicKey(), weight: 1 } });
    const thresholds = Operation.setOptions({ lowThreshold: 1, medThreshold: 2, highThreshold: 3 });
    assert.equal(net.applied(net.build(owner, [signer(second), signer(third), thresholds])), 'txSuccess');

    const payment = (...signers: Keypair[]) => net.build(owner, [pay(other, 1n)], { signers });
    assert.equal(net.submit(payment(owner)).error, 'txFailed(opBadAuth)');
    assert.equal(net.submit(payment(owner, second, third)).error, 'txBadAuthExtra');
    assert.equal(net.applied(payment(second, third)), 'txSuccess');
    const high = (...signers: Keypair[]) => net.build(owner, [thresholds], { signers });
    assert.equal(net.submit(high(owner, third)).error, 'txFailed(opBadAuth)');
    assert.equal(net.applied(high(owner, second, third)), 'txSuccess');
  });

  test('a master key of weight 0 can no longer sign', () => {
    const { net, owner, other } = setUp();
    const signer = { ed25519PublicKey: other.publicKey(), weight: 1 };
    assert.equal(
      net.applied(net.build(owner, [Operation.setOptions({ masterWeight: 0, signer })])),
      'txSuccess',
    );
    assert.equal(net.submit(net.build(owner, [pay(other, 1n)])).error, 'txBadAuth');
    assert.equal(net.applied(net.build(owner, [pay(other, 1n)], { signers: [other] })), 'txSuccess');
  });

  test('a pre-authorised transaction needs no signature and is valid once', () => {
    const { net, owner, other } = setUp();
    const next = net.build(owner, [pay(other, UNIT)], { seqNum: net.sequence(owner) + 2n, signers: [] });
    const signer = { preAuthTx: Buffer.from(next.hash()), weight: 1 };
    assert.equal(net.applied(net.build(owner, [Operation.setOptions({ signer })])), 'txSuccess');
    assert.equal(net.applied(next), 'txSuccess');
    assert.deepEqual(net.account(owner).signers, []);
    assert.equal(net.account(owner).numSubEntries, 0);
  });

  test('the preimage of a hash signer signs', () => {
    const { net, owner, other } = setUp();
    const preimage = randomBytes(32);
    const hash = createHash('sha256').update(preimage).digest();
    const signer = { sha256Hash: hash, weight: 1 };
    assert.equal(net.applied(net.build(owner, [Operation.setOptions({ signer })])), 'txSuccess');
    const transaction = net.build(owner, [pay(other, UNIT)], { signers: [] });
    const signature = new xdr.DecoratedSignature({ hint: hash.subarray(28), signature: preimage });
    assert.equal(net.applied(signedWith(transaction, signature)), 'txSuccess');
  });
});

function signedWith(transaction: Transaction, signature: xdr.DecoratedSignature): Transaction {
  transaction.addDecoratedSignature(signature);
  return transaction;
}
