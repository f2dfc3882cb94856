import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keypair, Operation } from '@stellar/stellar-sdk/base';
import { AssetWorld } from '../../testing/asset-world.ts';
import { assertConsistent } from '../../testing/ledger-invariants.ts';
import { UNIT } from '../../testing/test-network.ts';
import { AUTH_REQUIRED, AUTH_REVOCABLE } from '../account.ts';

describe('payment of an issued asset', () => {
  test('is created by the issuer, moves between lines, and ceases to exist at the issuer', () => {
    const world = new AssetWorld();
    world.hold(world.alice, 10n * UNIT);
    world.hold(world.bob, 0n);
    world.net.must(world.alice, [world.pay(world.bob, 4n * UNIT)]);
    world.net.must(world.bob, [world.pay(world.issuer, UNIT)]);
    assert.deepEqual([world.held(world.alice), world.held(world.bob)], [6n * UNIT, 3n * UNIT]);
    assertConsistent(world.net.network);
  });

  type Case = [
    expected: string,
    from: 'issuer' | 'alice' | 'bob',
    to: Keypair | 'issuer' | 'alice' | 'bob',
    stroops: bigint,
  ];
  const nobody = Keypair.random();
  const cases: Case[] = [
    ['txFailed(paymentNoDestination)', 'alice', nobody, 1n],
    ['txFailed(paymentNoTrust)', 'alice', 'bob', 1n],
    ['txFailed(paymentSrcNoTrust)', 'bob', 'alice', 1n],
    ['txFailed(paymentNoTrust)', 'bob', 'bob', 1n],
    ['txFailed(paymentUnderfunded)', 'alice', 'issuer', 10n * UNIT + 1n],
    ['txFailed(paymentLineFull)', 'issuer', 'alice', 5n * UNIT + 1n],
    ['txSuccess', 'issuer', 'alice', 5n * UNIT],
    ['txSuccess', 'issuer', 'issuer', 1_000_000n * UNIT],
    ['txSuccess', 'alice', 'alice', 5n * UNIT],
    // The line is credited first, so its own payment does not make room.
    ['txFailed(paymentLineFull)', 'alice', 'alice', 5n * UNIT + 1n],
  ];
  for (const [expected, from, to, stroops] of cases) {
    const name = to instanceof Keypair ? 'nobody' : to;
    test(`${stroops} stroops from ${from} to ${name}: ${expected}`, () => {
      const world = new AssetWorld();
      world.hold(world.alice, 10n * UNIT, 15n * UNIT);
      const destination = to instanceof Keypair ? to : world[to];
      assert.equal(world.net.outcome(world[from], [world.pay(destination, stroops)]), expected);
      assertConsistent(world.net.network);
    });
  }

  test('needs both lines authorized, but for the issuer as an end', () => {
    const world = new AssetWorld(AUTH_REQUIRED | AUTH_REVOCABLE);
    const { net, issuer, alice, bob } = world;
    for (const owner of [alice, bob]) net.must(owner, [world.trust(100n * UNIT)]);
    assert.equal(net.outcome(issuer, [world.pay(alice, UNIT)]), 'txFailed(paymentNotAuthorized)');
    net.must(issuer, [world.authorize(alice, { authorized: true }), world.pay(alice, UNIT)]);
    assert.equal(net.outcome(alice, [world.pay(bob, 1n)]), 'txFailed(paymentNotAuthorized)');
    net.must(issuer, [world.authorize(bob, { authorized: true })]);
    const onlyMaintain = { authorized: false, authorizedToMaintainLiabilities: true };
    net.must(issuer, [world.authorize(alice, onlyMaintain)]);
    assert.equal(net.outcome(alice, [world.pay(bob, 1n)]), 'txFailed(paymentSrcNotAuthorized)');
    assert.equal(net.outcome(alice, [world.pay(issuer, 1n)]), 'txFailed(paymentSrcNotAuthorized)');
  });

  test('reaches an issuer whose account no longer exists', () => {
    const world = new AssetWorld();
    const { net, issuer, alice, bob } = world;
    world.hold(alice, 10n * UNIT);
    net.must(issuer, [Operation.accountMerge({ destination: bob.publicKey() })]);
    net.must(alice, [world.pay(issuer, UNIT)]);
    assert.equal(world.held(alice), 9n * UNIT);
  });
});
