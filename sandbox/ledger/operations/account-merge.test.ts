import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Account, Asset, Keypair, MuxedAccount, Operation } from '@stellar/stellar-sdk/base';
import { AssetWorld, sponsorships } from '../../testing/asset-world.ts';
import { assertConsistent } from '../../testing/ledger-invariants.ts';
import { create, pay, TestNetwork, UNIT, units } from '../../testing/test-network.ts';
import { AUTH_IMMUTABLE } from '../account.ts';
import { INT64_MAX } from '../bytes.ts';

function merge(to: Keypair | string, source?: Keypair) {
  const destination = typeof to === 'string' ? to : to.publicKey();
  return Operation.accountMerge({ destination, ...(source ? { source: source.publicKey() } : {}) });
}

function twoAccounts() {
  const net = new TestNetwork();
  const [from, to] = net.accounts(20n * UNIT, 5n * UNIT) as [Keypair, Keypair];
  return { net, from, to };
}

describe('account_merge', () => {
  test('pays everything to the destination and removes the account', () => {
    const { net, from, to } = twoAccounts();
    const muxed = new MuxedAccount(new Account(to.publicKey(), '0'), '7').accountId();
    assert.equal(net.outcome(from, [merge(muxed)]), 'txSuccess');
    assert.equal(net.network.accountExists(from.rawPublicKey()), false);
    assert.equal(net.balance(to), 25n * UNIT - 100n);
    assertConsistent(net.network);
  });

  test('takes the signers with the account, sponsored ones too', () => {
    const { net, from, to } = twoAccounts();
    const signer = (key: Keypair) =>
      Operation.setOptions({
        signer: { ed25519PublicKey: key.publicKey(), weight: 1 },
        source: from.publicKey(),
      });
    net.must(from, [signer(Keypair.random())]);
    const sponsored = [
      Operation.beginSponsoringFutureReserves({ sponsoredId: from.publicKey() }),
      signer(Keypair.random()),
      Operation.endSponsoringFutureReserves({ source: from.publicKey() }),
    ];
    net.must(to, sponsored, [to, from]);
    assert.equal(sponsorships(net, to).sponsoring, 1);
    assert.equal(net.outcome(from, [merge(to)]), 'txSuccess');
    assert.equal(sponsorships(net, to).sponsoring, 0);
    assertConsistent(net.network);
  });

  test('gives the reserve of a sponsored account back to its sponsor', () => {
    const { net, from, to } = twoAccounts();
    const made = Keypair.random();
    const operations = [
      Operation.beginSponsoringFutureReserves({ sponsoredId: made.publicKey() }),
      create(made, 0n),
      Operation.endSponsoringFutureReserves({ source: made.publicKey() }),
    ];
    net.must(from, operations, [from, made]);
    assert.deepEqual(sponsorships(net, from), { sponsoring: 2, sponsored: 0 });
    assert.equal(net.outcome(to, [merge(to, made)], [to, made]), 'txSuccess');
    assert.deepEqual(sponsorships(net, from), { sponsoring: 0, sponsored: 0 });
    assertConsistent(net.network);
  });

  test('into itself is malformed, also by a muxed address', () => {
    const { net, from } = twoAccounts();
    assert.equal(net.outcome(from, [merge(from)]), 'txFailed(accountMergeMalformed)');
    const muxed = new MuxedAccount(new Account(from.publicKey(), '0'), '7').accountId();
    assert.equal(net.outcome(from, [merge(muxed)]), 'txFailed(accountMergeMalformed)');
  });

  test('needs a destination', () => {
    const { net, from } = twoAccounts();
    assert.equal(net.outcome(from, [merge(Keypair.random())]), 'txFailed(accountMergeNoAccount)');
  });

  test('is not possible into an account that open offers would overfill', () => {
    const world = new AssetWorld();
    const { net, alice, bob, usd } = world;
    world.hold(alice, 1_000n * UNIT, INT64_MAX);
    // Her balance and what the offer buys fill an int64 up to a rest smaller than bob's balance.
    const room = INT64_MAX - (net.balance(alice) - 100n);
    const price = { n: 1_000_000_000, d: 1 };
    const amount = units(room / BigInt(price.n));
    net.must(alice, [Operation.manageSellOffer({ selling: usd, buying: Asset.native(), amount, price })]);
    assert.equal(net.outcome(bob, [merge(alice)]), 'txFailed(accountMergeDestFull)');
  });

  test('is not possible for an immutable account', () => {
    const { net, from, to } = twoAccounts();
    net.must(from, [Operation.setOptions({ setFlags: AUTH_IMMUTABLE })]);
    assert.equal(net.outcome(from, [merge(to)]), 'txFailed(accountMergeImmutableSet)');
  });

  test('is not possible with a trust line, an offer or data', () => {
    const world = new AssetWorld();
    const { net, alice, bob } = world;
    net.must(alice, [world.trust(1n)]);
    assert.equal(net.outcome(alice, [merge(bob)]), 'txFailed(accountMergeHasSubEntries)');
    net.must(bob, [Operation.manageData({ name: 'a', value: 'b' })]);
    assert.equal(net.outcome(bob, [merge(alice)]), 'txFailed(accountMergeHasSubEntries)');
  });

  test('is not possible for an account that sponsors, or has begun to', () => {
    const { net, from, to } = twoAccounts();
    const begin = Operation.beginSponsoringFutureReserves({ sponsoredId: to.publicKey() });
    const end = Operation.endSponsoringFutureReserves({ source: to.publicKey() });
    const data = Operation.manageData({ name: 'a', value: 'b', source: to.publicKey() });
    const outcome = net.outcome(from, [begin, merge(to), end], [from, to]);
    assert.match(outcome, /accountMergeIsSponsor/);
    net.must(from, [begin, data, end], [from, to]);
    assert.equal(net.outcome(from, [merge(to)]), 'txFailed(accountMergeIsSponsor)');
    assertConsistent(net.network);
  });

  test('Q13: is not possible if an account created again would start at a lower sequence number', () => {
    const { net, from, to } = twoAccounts();
    const next = BigInt(net.network.latest.header.ledgerSeq + 1) << 32n;
    const bump = (bumpTo: bigint) => Operation.bumpSequence({ bumpTo: bumpTo.toString() });
    assert.equal(
      net.outcome(from, [bump(next), merge(to)]),
      'txFailed(bumpSequenceSuccess,accountMergeSeqnumTooFar)',
    );
    net.must(from, [bump(net.sequence(from) + 100n)]);
    assert.equal(net.outcome(from, [merge(to)]), 'txSuccess');
  });

  test('Q13: nor if a transaction of the account in the same ledger would use a higher number', () => {
    // With minSeqNum a transaction may skip numbers. Whichever of the two is applied first, the merge must not
    // succeed.
    const { net, from, to } = twoAccounts();
    const leap = net.build(from, [pay(to, 1n)], {
      seqNum: (BigInt(net.network.latest.header.ledgerSeq) << 32n) + 2n ** 40n,
      adjust: (builder) => builder.setMinAccountSequence('0'),
    });
    const merging = net.build(to, [merge(to, from)], { signers: [to, from] });
    assert.deepEqual([net.submit(leap).status, net.submit(merging).status], ['PENDING', 'PENDING']);
    const ledger = net.close();
    assert.equal(net.resultOf(merging, ledger), 'txFailed(accountMergeSeqnumTooFar)');
    assert.equal(net.resultOf(leap, ledger), 'txSuccess');
  });

  test('an account merged earlier in the transaction is no source any more: opNO_ACCOUNT', () => {
    const { net, from, to } = twoAccounts();
    const outcome = net.outcome(from, [merge(to), pay(to, 1n)]);
    assert.equal(outcome, 'txFailed(accountMergeSuccess,opNoAccount)');
  });

  test('and can be created again in the same transaction, with the first sequence number', () => {
    const { net, from, to } = twoAccounts();
    const operations = [merge(to), create(from, 5n * UNIT, to)];
    assert.equal(net.outcome(from, operations, [from, to]), 'txSuccess');
    assert.equal(net.sequence(from), BigInt(net.network.latest.header.ledgerSeq) << 32n);
    assertConsistent(net.network);
  });
});
