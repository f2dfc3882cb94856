import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Asset, Keypair, LiquidityPoolAsset, Operation } from '@stellar/stellar-sdk/base';
import { AssetWorld } from '../../testing/asset-world.ts';
import { assertConsistent } from '../../testing/ledger-invariants.ts';
import { changedBody, TestNetwork, UNIT } from '../../testing/test-network.ts';
import { AUTH_CLAWBACK_ENABLED, AUTH_REQUIRED, AUTH_REVOCABLE } from '../account.ts';
import { INT64_MAX } from '../bytes.ts';
import { AUTHORIZED, CLAWBACK_ENABLED } from '../trust-line.ts';

const RESERVE = 5_000_000n;

describe('change_trust', () => {
  test('opens a line, changes its limit and closes it, and counts it in the reserve', () => {
    const world = new AssetWorld();
    const { net, alice } = world;
    net.must(alice, [world.trust(5n * UNIT)]);
    assert.deepEqual(
      [world.line(alice)?.limit, world.line(alice)?.balance, world.line(alice)?.flags],
      [5n * UNIT, 0n, AUTHORIZED],
    );
    assert.equal(net.account(alice).numSubEntries, 1);
    net.must(alice, [world.trust(INT64_MAX)]);
    assert.equal(world.line(alice)?.limit, INT64_MAX);
    net.must(alice, [world.trust(0n)]);
    assert.equal(world.line(alice), undefined);
    assert.equal(net.account(alice).numSubEntries, 0);
    assertConsistent(net.network);
  });

  test('takes authorization and clawback of a new line from the issuer', () => {
    const flagsUnder = (flags: number) => {
      const world = new AssetWorld(flags);
      world.net.must(world.alice, [world.trust(1n)]);
      return world.line(world.alice)?.flags;
    };
    assert.equal(flagsUnder(AUTH_REQUIRED), 0);
    assert.equal(flagsUnder(AUTH_REVOCABLE | AUTH_CLAWBACK_ENABLED), AUTHORIZED | CLAWBACK_ENABLED);
    const strict = AUTH_REQUIRED | AUTH_REVOCABLE | AUTH_CLAWBACK_ENABLED;
    assert.equal(flagsUnder(strict), CLAWBACK_ENABLED);
  });

  test('refuses a limit below balance and buying liabilities, and to close a line that does not exist', () => {
    const world = new AssetWorld();
    const { net, alice } = world;
    assert.equal(net.outcome(alice, [world.trust(0n)]), 'txFailed(changeTrustInvalidLimit)');
    world.hold(alice, 10n * UNIT, 30n * UNIT);
    net.must(alice, [world.offer(Asset.native(), world.usd, 5n * UNIT)]);
    assert.equal(net.outcome(alice, [world.trust(15n * UNIT - 1n)]), 'txFailed(changeTrustInvalidLimit)');
    assert.equal(net.outcome(alice, [world.trust(0n)]), 'txFailed(changeTrustInvalidLimit)');
    assert.equal(net.outcome(alice, [world.trust(15n * UNIT)]), 'txSuccess');
    assertConsistent(net.network);
  });

  test('cannot close an empty line that an offer would still fill', () => {
    const world = new AssetWorld();
    const { net, alice } = world;
    world.hold(alice, 0n);
    net.must(alice, [world.offer(Asset.native(), world.usd, UNIT)]);
    assert.equal(net.outcome(alice, [world.trust(0n)]), 'txFailed(changeTrustInvalidLimit)');
  });

  test('needs an issuer to open or change a line, and none to close it', () => {
    const world = new AssetWorld();
    const { net, issuer, alice, bob } = world;
    world.hold(alice, 0n);
    net.must(issuer, [Operation.accountMerge({ destination: bob.publicKey() })]);
    assert.equal(net.outcome(bob, [world.trust(1n)]), 'txFailed(changeTrustNoIssuer)');
    assert.equal(net.outcome(alice, [world.trust(1n)]), 'txFailed(changeTrustNoIssuer)');
    assert.equal(net.outcome(alice, [world.trust(0n)]), 'txSuccess');
  });

  test('needs the reserve for one more entry, to the stroop', () => {
    const world = new AssetWorld();
    const { net } = world;
    const [poor, enough] = net.accounts(3n * RESERVE + 99n, 3n * RESERVE + 100n) as [Keypair, Keypair];
    assert.equal(net.outcome(poor, [world.trust(1n)]), 'txFailed(changeTrustLowReserve)');
    assert.equal(net.outcome(enough, [world.trust(1n)]), 'txSuccess');
  });

  test('is malformed of the native asset, of an asset of its own, and with a negative limit', () => {
    const world = new AssetWorld();
    const { net, issuer, alice } = world;
    const trust = world.trust(1n);
    const own = net.outcome(issuer, [trust]);
    const native = changedBody(trust, 6, (body) => ({
      ...body,
      changeTrustOp: { ...body.changeTrustOp, line: { type: 0 } },
    }));
    const negative = changedBody(trust, 6, (body) => ({
      ...body,
      changeTrustOp: { ...body.changeTrustOp, limit: -1n },
    }));
    const outcomes = [own, net.outcome(alice, [native]), net.outcome(alice, [negative])];
    assert.deepEqual(outcomes, Array(3).fill('txFailed(changeTrustMalformed)'));
  });

  test('does not support shares of liquidity pools', () => {
    const world = new AssetWorld();
    const asset = new LiquidityPoolAsset(Asset.native(), world.usd, 30);
    const outcome = world.net.outcome(world.alice, [Operation.changeTrust({ asset })]);
    assert.equal(outcome, 'txFailed(opNotSupported)');
  });

  test('stops at a thousand subentries, sponsored ones included: opTOO_MANY_SUBENTRIES', () => {
    const net = new TestNetwork();
    const [issuer, owner] = net.accounts(100n * UNIT, 10_000n * UNIT) as [Keypair, Keypair];
    const trust = (index: number) =>
      Operation.changeTrust({ asset: new Asset(`A${index}`, issuer.publicKey()), limit: '1' });
    for (let from = 0; from < 1000; from += 100) {
      net.must(
        owner,
        Array.from({ length: 100 }, (_, index) => trust(from + index)),
      );
    }
    assert.equal(net.account(owner).numSubEntries, 1000);
    assert.equal(net.outcome(owner, [trust(1000)]), 'txFailed(opTooManySubentries)');
    const data = Operation.manageData({ name: 'a', value: 'b' });
    assert.equal(net.outcome(owner, [data]), 'txFailed(opTooManySubentries)');
    const signer = { ed25519PublicKey: Keypair.random().publicKey(), weight: 1 };
    assert.equal(net.outcome(owner, [Operation.setOptions({ signer })]), 'txFailed(opTooManySubentries)');
    const sandwich = [
      Operation.beginSponsoringFutureReserves({ sponsoredId: owner.publicKey(), source: issuer.publicKey() }),
      data,
      Operation.endSponsoringFutureReserves({}),
    ];
    assert.match(net.outcome(owner, sandwich, [owner, issuer]), /opTooManySubentries/);
  });
});
