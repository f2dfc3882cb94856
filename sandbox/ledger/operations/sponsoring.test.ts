import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Asset, Claimant, Keypair, Operation, type xdr } from '@stellar/stellar-sdk/base';
import { AssetWorld, sponsorships } from '../../testing/asset-world.ts';
import { assertConsistent } from '../../testing/ledger-invariants.ts';
import { create, pay, TestNetwork, UNIT } from '../../testing/test-network.ts';

const RESERVE = 5_000_000n;

const begin = (sponsored: Keypair, sponsor?: Keypair) =>
  Operation.beginSponsoringFutureReserves({
    sponsoredId: sponsored.publicKey(),
    ...(sponsor ? { source: sponsor.publicKey() } : {}),
  });
const end = (sponsored: Keypair) => Operation.endSponsoringFutureReserves({ source: sponsored.publicKey() });
const data = (owner: Keypair, value: string | null = 'b') =>
  Operation.manageData({ name: 'a', value, source: owner.publicKey() });
const signer = (owner: Keypair, key: Keypair, weight = 1) =>
  Operation.setOptions({
    signer: { ed25519PublicKey: key.publicKey(), weight },
    source: owner.publicKey(),
  });

/** The operations with the reserves of `owner` paid by `sponsor`; both must sign. */
function sponsored(sponsor: Keypair, owner: Keypair, operations: xdr.Operation[]): xdr.Operation[] {
  return [begin(owner, sponsor), ...operations, end(owner)];
}

describe('sponsored reserves', () => {
  test('create an account with a balance of 0, whose two reserves another account pays', () => {
    const net = new TestNetwork();
    const [payer] = net.accounts(100n * UNIT) as [Keypair];
    const made = Keypair.random();
    const available = net.available(payer);
    const operations = sponsored(payer, made, [create(made, 0n)]);
    assert.equal(net.outcome(payer, operations, [payer, made]), 'txSuccess');
    assert.equal(net.balance(made), 0n);
    assert.deepEqual(sponsorships(net, made), { sponsoring: 0, sponsored: 2 });
    assert.deepEqual(sponsorships(net, payer), { sponsoring: 2, sponsored: 0 });
    assert.equal(net.available(payer), available - 2n * RESERVE - 300n);
    assertConsistent(net.network);
  });

  test('pay for nineteen channel accounts in one transaction, each of which a fee-bump can use', () => {
    const net = new TestNetwork();
    const [wallet] = net.accounts(1_000n * UNIT) as [Keypair];
    const channels = Array.from({ length: 19 }, () => Keypair.random());
    const operations = channels.flatMap((key) => sponsored(wallet, key, [create(key, 0n)]));
    assert.equal(net.outcome(wallet, operations, [wallet, ...channels]), 'txSuccess');
    const [channel] = channels as [Keypair];
    const inner = net.build(channel, [pay(net.root, 1n, wallet)], { signers: [channel, wallet], fee: '100' });
    assert.equal(net.applied(net.feeBump(inner, wallet, '200')), 'txFeeBumpInnerSuccess');
    assert.equal(net.balance(channel), 0n);
    assertConsistent(net.network);
  });

  test('without a sponsor, an account with a balance of 0 is refused', () => {
    const net = new TestNetwork();
    const [payer] = net.accounts(100n * UNIT) as [Keypair];
    const outcome = net.outcome(payer, [create(Keypair.random(), 0n)]);
    assert.equal(outcome, 'txFailed(createAccountLowReserve)');
  });

  test('count for trust lines, data, offers and signers, and end with these', () => {
    const world = new AssetWorld();
    const { net, issuer, alice, bob, usd } = world;
    const key = Keypair.random();
    const offer = Operation.manageSellOffer({
      selling: Asset.native(),
      buying: usd,
      amount: '1',
      price: '1',
      source: alice.publicKey(),
    });
    const entries = [world.trust(UNIT * 10n, alice), data(alice), offer, signer(alice, key)];
    net.must(bob, sponsored(bob, alice, entries), [bob, alice]);
    assert.deepEqual(sponsorships(net, bob), { sponsoring: 4, sponsored: 0 });
    assert.deepEqual(sponsorships(net, alice), { sponsoring: 0, sponsored: 4 });
    assert.equal(net.account(alice).numSubEntries, 4);
    assertConsistent(net.network);

    net.must(alice, [data(alice, null), signer(alice, key, 0)]);
    assert.deepEqual(sponsorships(net, bob), { sponsoring: 2, sponsored: 0 });
    // The issuer takes the offer, which ends what bob pays for it.
    net.must(issuer, [world.offer(usd, Asset.native(), UNIT)]);
    assert.deepEqual(sponsorships(net, bob), { sponsoring: 1, sponsored: 0 });
    assertConsistent(net.network);
  });

  test('distinguish the signer with a sponsor from those without', () => {
    const net = new TestNetwork();
    const [payer, owner] = net.accounts(100n * UNIT, 100n * UNIT) as [Keypair, Keypair];
    const keys = Array.from({ length: 4 }, () => Keypair.random());
    for (const [index, key] of keys.entries()) {
      const own = [signer(owner, key)];
      if (index % 2 === 0) net.must(owner, own);
      else net.must(payer, sponsored(payer, owner, own), [payer, owner]);
      assertConsistent(net.network);
    }
    assert.deepEqual(sponsorships(net, payer), { sponsoring: 2, sponsored: 0 });
    for (const key of keys) {
      net.must(owner, [signer(owner, key, 2)]);
      net.must(owner, [signer(owner, key, 0)]);
      assertConsistent(net.network);
    }
    assert.deepEqual(sponsorships(net, payer), { sponsoring: 0, sponsored: 0 });
  });

  test('a sponsored pre-authorised transaction gives its reserve back when it is used up', () => {
    const net = new TestNetwork();
    const [payer, owner] = net.accounts(100n * UNIT, 100n * UNIT) as [Keypair, Keypair];
    const next = net.build(owner, [pay(payer, UNIT)], { seqNum: net.sequence(owner) + 1n, signers: [] });
    const preAuthTx = Buffer.from(next.hash());
    const add = Operation.setOptions({ signer: { preAuthTx, weight: 1 }, source: owner.publicKey() });
    net.must(payer, sponsored(payer, owner, [add]), [payer, owner]);
    assert.deepEqual(sponsorships(net, payer), { sponsoring: 1, sponsored: 0 });
    assert.equal(net.applied(next), 'txSuccess');
    assert.deepEqual(sponsorships(net, payer), { sponsoring: 0, sponsored: 0 });
    assertConsistent(net.network);
  });

  test('need the sponsor to have the reserve available', () => {
    const net = new TestNetwork();
    const [owner, poor] = net.accounts(10n * UNIT, 2n * RESERVE + 1_000n) as [Keypair, Keypair];
    const made = Keypair.random();
    const outcome = (operations: xdr.Operation[], signers: Keypair[]) =>
      net.outcome(owner, operations, [owner, poor, ...signers]);
    assert.match(outcome(sponsored(poor, owner, [data(owner)]), []), /manageDataLowReserve/);
    const account = sponsored(poor, made, [create(made, 0n)]);
    assert.match(outcome(account, [made]), /createAccountLowReserve/);
    assert.match(outcome(sponsored(poor, owner, [signer(owner, made)]), []), /setOptionsLowReserve/);
    const give = Operation.createClaimableBalance({
      asset: Asset.native(),
      amount: '1',
      source: owner.publicKey(),
      claimants: [new Claimant(poor.publicKey())],
    });
    assert.match(outcome(sponsored(poor, owner, [give]), []), /createClaimableBalanceLowReserve/);
    assertConsistent(net.network);
  });
});

describe('begin_sponsoring_future_reserves and end_sponsoring_future_reserves', () => {
  function three() {
    const net = new TestNetwork();
    const [a, b, c] = net.accounts(10n * UNIT, 10n * UNIT, 10n * UNIT) as [Keypair, Keypair, Keypair];
    return { net, a, b, c };
  }

  test('refuse to sponsor oneself, twice, and in chains', () => {
    const { net, a, b, c } = three();
    assert.equal(net.outcome(a, [begin(a)]), 'txFailed(beginSponsoringFutureReservesMalformed)');
    const second = (operation: xdr.Operation, signers: Keypair[]) =>
      net.outcome(a, [begin(b), operation], signers).replace('beginSponsoringFutureReservesSuccess,', '');
    const already = 'txFailed(beginSponsoringFutureReservesAlreadySponsored)';
    const recursive = 'txFailed(beginSponsoringFutureReservesRecursive)';
    assert.equal(second(begin(b, c), [a, c]), already);
    assert.equal(second(begin(c, b), [a, b]), recursive);
    assert.equal(second(begin(a, c), [a, c]), recursive);
    assert.equal(net.outcome(a, [begin(b), begin(c), end(b), end(c)], [a, b, c]), 'txSuccess');
  });

  test('are ended by the sponsored account alone', () => {
    const { net, a } = three();
    const outcome = net.outcome(a, [Operation.endSponsoringFutureReserves({})]);
    assert.equal(outcome, 'txFailed(endSponsoringFutureReservesNotSponsored)');
  });

  test('not ended within the transaction, nothing takes effect: txBAD_SPONSORSHIP', () => {
    const { net, a, b } = three();
    const before = net.balance(b);
    assert.equal(net.outcome(a, [begin(b), pay(b, UNIT)], [a]), 'txBadSponsorship');
    assert.equal(net.balance(b), before);
    assertConsistent(net.network);
  });
});

describe('bump_sequence', () => {
  test('moves the number up, and counts as a use of it even when it does not', () => {
    const net = new TestNetwork();
    const [a, b] = net.accounts(10n * UNIT, 10n * UNIT) as [Keypair, Keypair];
    const bump = (bumpTo: bigint) =>
      Operation.bumpSequence({ bumpTo: bumpTo.toString(), source: b.publicKey() });
    const start = net.sequence(b);
    net.must(a, [bump(start + 5n)], [a, b]);
    assert.equal(net.sequence(b), start + 5n);
    net.must(a, [bump(1n)], [a, b]);
    assert.equal(net.sequence(b), start + 5n);
    const { ext } = net.account(b);
    const v2 = ext.v === 1 && ext.v1.ext.v === 2 ? ext.v1.ext.v2 : null;
    assert.equal(v2?.ext.v === 3 && v2.ext.v3.seqLedger, net.network.latest.header.ledgerSeq);
  });

  test('to a negative number is refused: BUMP_SEQUENCE_BAD_SEQ', () => {
    const net = new TestNetwork();
    const [a] = net.accounts(10n * UNIT) as [Keypair];
    const outcome = net.outcome(a, [Operation.bumpSequence({ bumpTo: '-1' })]);
    assert.equal(outcome, 'txFailed(bumpSequenceBadSeq)');
  });
});
