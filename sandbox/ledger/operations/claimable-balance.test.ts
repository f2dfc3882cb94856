import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Asset, Claimant, type Keypair, Operation, type Transaction, xdr } from '@stellar/stellar-sdk/base';
import { AssetWorld, sponsorships } from '../../testing/asset-world.ts';
import { assertConsistent } from '../../testing/ledger-invariants.ts';
import { changedBody, START_S, UNIT, units } from '../../testing/test-network.ts';
import { AUTH_CLAWBACK_ENABLED, AUTH_REQUIRED, AUTH_REVOCABLE } from '../account.ts';
import { INT64_MAX } from '../bytes.ts';
import { claimableBalanceKey } from '../entry.ts';

const CLAWBACK = AUTH_REVOCABLE | AUTH_CLAWBACK_ENABLED;

/** Creates the balance. Returns the id that the SDK computes for it, in hex of the ClaimableBalanceID. */
function make(world: AssetWorld, source: Keypair, operation: xdr.Operation): string {
  const transaction = world.net.build(source, [operation]);
  assert.equal(world.net.applied(transaction), 'txSuccess');
  return idOf(transaction);
}

function idOf(transaction: Transaction): string {
  return transaction.getClaimableBalanceId(0);
}

function balanceOf(world: AssetWorld, id: string) {
  const balanceId = xdr.ClaimableBalanceId.fromXdr(id, 'hex').toXdrObject();
  const data = world.net.network.entry(claimableBalanceKey(balanceId))?.data;
  return data?.type === 4 ? data.claimableBalance : undefined;
}

const claim = (balanceId: string) => Operation.claimClaimableBalance({ balanceId });

describe('create_claimable_balance and claim_claimable_balance', () => {
  test('reserve an amount for the first claimant; the creator pays a reserve for each claimant', () => {
    const world = new AssetWorld();
    const { net, issuer, alice, bob } = world;
    const before = net.balance(alice);
    const id = make(world, alice, world.give(Asset.native(), 5n * UNIT, bob, issuer));
    assert.equal(net.balance(alice), before - 5n * UNIT - 100n);
    assert.deepEqual(sponsorships(net, alice), { sponsoring: 2, sponsored: 0 });
    assert.equal(net.account(alice).numSubEntries, 0);
    assertConsistent(net.network);

    const mine = net.balance(bob);
    net.must(bob, [claim(id)]);
    assert.equal(net.balance(bob), mine + 5n * UNIT - 100n);
    assert.deepEqual(sponsorships(net, alice), { sponsoring: 0, sponsored: 0 });
    assert.equal(net.outcome(issuer, [claim(id)]), 'txFailed(claimClaimableBalanceDoesNotExist)');
    assertConsistent(net.network);
  });

  test('work for issued assets, from the issuer and back to it', () => {
    const world = new AssetWorld();
    const { net, issuer, alice } = world;
    const id = make(world, issuer, world.give(world.usd, 5n * UNIT, alice));
    assert.equal(net.outcome(alice, [claim(id)]), 'txFailed(claimClaimableBalanceNoTrust)');
    net.must(alice, [world.trust(5n * UNIT - 1n)]);
    assert.equal(net.outcome(alice, [claim(id)]), 'txFailed(claimClaimableBalanceLineFull)');
    net.must(alice, [world.trust(5n * UNIT), claim(id)]);
    assert.equal(world.held(alice), 5n * UNIT);
    const back = make(world, alice, world.give(world.usd, UNIT, issuer));
    net.must(issuer, [claim(back)]);
    assert.equal(world.held(alice), 4n * UNIT);
    assertConsistent(net.network);
  });

  test('refuse to create without a line, authorization, amount or reserve', () => {
    const world = new AssetWorld(AUTH_REQUIRED | AUTH_REVOCABLE);
    const { net, issuer, alice, bob, usd } = world;
    const give = (stroops: bigint) => net.outcome(alice, [world.give(usd, stroops, bob)]);
    assert.equal(give(1n), 'txFailed(createClaimableBalanceNoTrust)');
    net.must(alice, [world.trust(100n * UNIT)]);
    assert.equal(give(1n), 'txFailed(createClaimableBalanceNotAuthorized)');
    net.must(issuer, [world.authorize(alice, { authorized: true }), world.pay(alice, 10n * UNIT)]);
    net.must(alice, [world.offer(usd, Asset.native(), 4n * UNIT)]);
    assert.equal(give(6n * UNIT + 1n), 'txFailed(createClaimableBalanceUnderfunded)');
    assert.equal(give(6n * UNIT), 'txSuccess');
    const all = net.available(alice) - 100n;
    const native = (stroops: bigint) => net.outcome(alice, [world.give(Asset.native(), stroops, bob)]);
    assert.equal(native(all + 1n), 'txFailed(createClaimableBalanceUnderfunded)');
    // The amount is debited before the reserve for the balance is checked.
    assert.equal(native(all - 100n), 'txFailed(createClaimableBalanceLowReserve)');
    assert.equal(native(all - 200n - 5_000_000n), 'txSuccess');
    assert.equal(net.available(alice), 0n);
    assertConsistent(net.network);
  });

  test('refuse to create what is malformed', () => {
    const world = new AssetWorld();
    const { net, alice, bob } = world;
    const outcome = (change: Partial<xdr.CreateClaimableBalanceOpWire>) =>
      net.outcome(alice, [
        changedBody(world.give(Asset.native(), UNIT, bob), 14, (body) => ({
          ...body,
          createClaimableBalanceOp: { ...body.createClaimableBalanceOp, ...change },
        })),
      ]);
    const claimant = new Claimant(bob.publicKey()).toXdrObject().toXdrObject();
    assert.ok(claimant.type === 0);
    const never = { ...claimant, v0: { ...claimant.v0, predicate: { type: 4, absBefore: -1n } as const } };
    assert.equal(outcome({ amount: 0n }), 'txFailed(createClaimableBalanceMalformed)');
    assert.equal(outcome({ claimants: [claimant, claimant] }), 'txFailed(createClaimableBalanceMalformed)');
    assert.equal(outcome({ claimants: [never] }), 'txFailed(createClaimableBalanceMalformed)');
  });

  test('a claim needs to be among the claimants, in time, and authorized', () => {
    const world = new AssetWorld(AUTH_REQUIRED | AUTH_REVOCABLE);
    const { net, issuer, alice, bob } = world;
    const soon = new Claimant(alice.publicKey(), Claimant.predicateBeforeRelativeTime('100'));
    const id = make(world, issuer, world.give(world.usd, UNIT, soon));
    assert.equal(net.outcome(bob, [claim(id)]), 'txFailed(claimClaimableBalanceCannotClaim)');
    net.must(alice, [world.trust(UNIT)]);
    assert.equal(net.outcome(alice, [claim(id)]), 'txFailed(claimClaimableBalanceNotAuthorized)');
    net.must(issuer, [world.authorize(alice, { authorized: true })]);
    const predicate = balanceOf(world, id)?.claimants[0]?.v0.predicate;
    assert.ok(
      predicate?.type === 4 && predicate.absBefore > BigInt(START_S + 100),
      'kept as an absolute time',
    );
    void net.clock.advance(200_000);
    assert.equal(net.outcome(alice, [claim(id)]), 'txFailed(claimClaimableBalanceCannotClaim)');
  });

  test('a native amount does not fit an account that open offers fill', () => {
    const world = new AssetWorld();
    const { net, alice, bob, usd } = world;
    world.hold(alice, 1_000n * UNIT, INT64_MAX);
    // Her balance and what the offer buys fill an int64 up to a rest smaller than 90 units.
    const price = { n: 1_000_000_000, d: 1 };
    const amount = units((INT64_MAX - (net.balance(alice) - 100n)) / BigInt(price.n));
    net.must(alice, [Operation.manageSellOffer({ selling: usd, buying: Asset.native(), amount, price })]);
    const id = make(world, bob, world.give(Asset.native(), 90n * UNIT, alice));
    assert.equal(net.outcome(alice, [claim(id)]), 'txFailed(claimClaimableBalanceLineFull)');
  });

  test('inside a sponsorship the sponsor of the creator pays', () => {
    const world = new AssetWorld();
    const { net, issuer, alice, bob } = world;
    const operations = [
      Operation.beginSponsoringFutureReserves({ sponsoredId: alice.publicKey(), source: issuer.publicKey() }),
      world.give(Asset.native(), UNIT, bob),
      Operation.endSponsoringFutureReserves({}),
    ];
    net.must(alice, operations, [alice, issuer]);
    assert.deepEqual(sponsorships(net, issuer), { sponsoring: 1, sponsored: 0 });
    assert.deepEqual(sponsorships(net, alice), { sponsoring: 0, sponsored: 0 });
    assertConsistent(net.network);
  });
});

describe('clawback and clawback_claimable_balance', () => {
  const clawback = ({ usd, alice }: AssetWorld, amount: string) =>
    Operation.clawback({ asset: usd, from: alice.publicKey(), amount });
  const clawbackBalance = (balanceId: string) => Operation.clawbackClaimableBalance({ balanceId });

  test('take back what a line holds beyond its offers, authorized or not', () => {
    const world = new AssetWorld(CLAWBACK);
    const { net, issuer, alice } = world;
    assert.equal(net.outcome(issuer, [clawback(world, '1')]), 'txFailed(clawbackNoTrust)');
    world.hold(alice, 10n * UNIT);
    net.must(alice, [world.offer(world.usd, Asset.native(), 4n * UNIT)]);
    assert.equal(net.outcome(issuer, [clawback(world, '6.0000001')]), 'txFailed(clawbackUnderfunded)');
    assert.equal(net.outcome(issuer, [clawback(world, '6')]), 'txSuccess');
    net.must(issuer, [world.authorize(alice, { authorized: false })]);
    assert.equal(net.outcome(issuer, [clawback(world, '1')]), 'txSuccess');
    assert.equal(world.held(alice), 3n * UNIT);
    assertConsistent(net.network);
  });

  test('need clawback enabled when the line was opened', () => {
    const world = new AssetWorld();
    world.hold(world.alice, UNIT);
    world.net.must(world.issuer, [Operation.setOptions({ setFlags: CLAWBACK as 2 })]);
    const outcome = world.net.outcome(world.issuer, [clawback(world, '1')]);
    assert.equal(outcome, 'txFailed(clawbackNotClawbackEnabled)');
  });

  test("are malformed of other issuers' assets, of nothing, and from the issuer itself", () => {
    const world = new AssetWorld(CLAWBACK);
    const { net, issuer, alice, bob } = world;
    const change = (fields: Partial<xdr.ClawbackOpWire>) =>
      changedBody(clawback(world, '1'), 19, (body) => ({
        ...body,
        clawbackOp: { ...body.clawbackOp, ...fields },
      }));
    const self = { type: 0, ed25519: issuer.rawPublicKey() } as const;
    const outcomes = [
      net.outcome(bob, [clawback(world, '1')]),
      net.outcome(issuer, [change({ amount: 0n })]),
      net.outcome(issuer, [change({ asset: { type: 0 } })]),
      net.outcome(issuer, [change({ from: self })]),
    ];
    assert.deepEqual(outcomes, Array(4).fill('txFailed(clawbackMalformed)'));
    const muxed = { type: 256, med25519: { id: 1n, ed25519: issuer.rawPublicKey() } } as const;
    assert.equal(net.outcome(issuer, [change({ from: muxed })]), 'txFailed(clawbackNoTrust)');
    assert.equal(world.held(alice), -1n);
  });

  test('take back balances that came from a line or an issuer with clawback, and no others', () => {
    const world = new AssetWorld(CLAWBACK);
    const { net, issuer, alice, bob } = world;
    world.hold(alice, 10n * UNIT);
    const fromIssuer = make(world, issuer, world.give(world.usd, UNIT, bob));
    const fromLine = make(world, alice, world.give(world.usd, UNIT, bob));
    const native = make(world, alice, world.give(Asset.native(), UNIT, bob));
    const never = new Claimant(bob.publicKey());
    net.must(issuer, [
      changedBody(world.authorize(alice, { authorized: true }), 21, (body) => ({
        ...body,
        setTrustLineFlagsOp: { ...body.setTrustLineFlagsOp, setFlags: 0, clearFlags: 4 },
      })),
    ]);
    const cleared = make(world, alice, world.give(world.usd, UNIT, never));
    assert.equal(
      net.outcome(alice, [clawbackBalance(fromLine)]),
      'txFailed(clawbackClaimableBalanceNotIssuer)',
    );
    assert.equal(
      net.outcome(issuer, [clawbackBalance(native)]),
      'txFailed(clawbackClaimableBalanceNotIssuer)',
    );
    const refused = net.outcome(issuer, [clawbackBalance(cleared)]);
    assert.equal(refused, 'txFailed(clawbackClaimableBalanceNotClawbackEnabled)');
    net.must(issuer, [clawbackBalance(fromIssuer), clawbackBalance(fromLine)]);
    assert.equal(balanceOf(world, fromLine), undefined);
    const again = net.outcome(issuer, [clawbackBalance(fromLine)]);
    assert.equal(again, 'txFailed(clawbackClaimableBalanceDoesNotExist)');
    assertConsistent(net.network);
  });
});
