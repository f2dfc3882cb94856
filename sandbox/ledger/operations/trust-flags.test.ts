import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Asset, Operation } from '@stellar/stellar-sdk/base';
import { AssetWorld } from '../../testing/asset-world.ts';
import { assertConsistent } from '../../testing/ledger-invariants.ts';
import { changedBody, UNIT } from '../../testing/test-network.ts';
import { AUTH_CLAWBACK_ENABLED, AUTH_REQUIRED, AUTH_REVOCABLE } from '../account.ts';
import { AUTHORIZED, AUTHORIZED_TO_MAINTAIN_LIABILITIES, CLAWBACK_ENABLED } from '../trust-line.ts';

const MAINTAIN = AUTHORIZED_TO_MAINTAIN_LIABILITIES;
const CLAWBACK = CLAWBACK_ENABLED;
const STRICT = AUTH_REQUIRED | AUTH_REVOCABLE;

/** The operation with raw flags, because the SDK does not build all of them. */
function setFlags(world: AssetWorld, set: number, clear: number, trustor = world.alice) {
  return changedBody(world.authorize(trustor, { authorized: true }), 21, (body) => ({
    ...body,
    setTrustLineFlagsOp: { ...body.setTrustLineFlagsOp, setFlags: set, clearFlags: clear },
  }));
}

function allowTrust(world: AssetWorld, authorize: 0 | 1 | 2, trustor = world.alice) {
  return Operation.allowTrust({ trustor: trustor.publicKey(), assetCode: 'USD', authorize });
}

describe('set_trust_line_flags', () => {
  type Case = [issuer: number, before: number, set: number, clear: number, after: number | string];
  const cases: Case[] = [
    [STRICT, 0, AUTHORIZED, 0, AUTHORIZED],
    [STRICT, AUTHORIZED, MAINTAIN, AUTHORIZED, MAINTAIN],
    [STRICT, AUTHORIZED, 0, AUTHORIZED, 0],
    [STRICT, MAINTAIN, AUTHORIZED, MAINTAIN, AUTHORIZED],
    [STRICT, AUTHORIZED, 0, 0, AUTHORIZED],
    [STRICT, AUTHORIZED, MAINTAIN, 0, 'setTrustLineFlagsInvalidState'],
    [AUTH_REQUIRED, AUTHORIZED, 0, AUTHORIZED, 'setTrustLineFlagsCantRevoke'],
    [AUTH_REQUIRED, AUTHORIZED, MAINTAIN, AUTHORIZED, 'setTrustLineFlagsCantRevoke'],
    [AUTH_REQUIRED, 0, MAINTAIN, 0, MAINTAIN],
    [AUTH_REQUIRED, MAINTAIN, AUTHORIZED, MAINTAIN, AUTHORIZED],
    [AUTH_REVOCABLE | AUTH_CLAWBACK_ENABLED, AUTHORIZED | CLAWBACK, 0, CLAWBACK, AUTHORIZED],
    [STRICT, 0, AUTHORIZED | MAINTAIN, 0, 'setTrustLineFlagsMalformed'],
    [STRICT, 0, AUTHORIZED, AUTHORIZED, 'setTrustLineFlagsMalformed'],
    [STRICT, 0, CLAWBACK, 0, 'setTrustLineFlagsMalformed'],
    [STRICT, 0, 8, 0, 'setTrustLineFlagsMalformed'],
    [STRICT, 0, 0, 2 ** 31, 'setTrustLineFlagsMalformed'],
  ];
  for (const [issuerFlags, before, set, clear, after] of cases) {
    test(`of an issuer with ${issuerFlags}, line at ${before}: set ${set}, clear ${clear} gives ${after}`, () => {
      const world = new AssetWorld(issuerFlags);
      const { net, issuer, alice } = world;
      net.must(alice, [world.trust(10n * UNIT)]);
      if ((before & (AUTHORIZED | MAINTAIN)) !== 0 && world.line(alice)?.flags !== before) {
        net.must(issuer, [setFlags(world, before, 0)]);
      }
      assert.equal(world.line(alice)?.flags, before);
      const outcome = net.outcome(issuer, [setFlags(world, set, clear)]);
      assert.equal(outcome, typeof after === 'string' ? `txFailed(${after})` : 'txSuccess');
      assert.equal(world.line(alice)?.flags, typeof after === 'string' ? before : after);
    });
  }

  test("is malformed of another issuer's asset, of the native one, and on oneself", () => {
    const world = new AssetWorld();
    const { net, issuer, alice, bob } = world;
    net.must(alice, [world.trust(UNIT)]);
    const native = changedBody(world.authorize(alice, { authorized: true }), 21, (body) => ({
      ...body,
      setTrustLineFlagsOp: { ...body.setTrustLineFlagsOp, asset: { type: 0 } },
    }));
    const outcomes = [
      net.outcome(bob, [setFlags(world, AUTHORIZED, 0)]),
      net.outcome(issuer, [native]),
      net.outcome(issuer, [setFlags(world, AUTHORIZED, 0, issuer)]),
    ];
    assert.deepEqual(outcomes, Array(3).fill('txFailed(setTrustLineFlagsMalformed)'));
  });

  test('needs a line; a missing right to revoke is reported first', () => {
    const world = new AssetWorld();
    const { net, issuer } = world;
    const authorized = net.outcome(issuer, [setFlags(world, AUTHORIZED, 0)]);
    assert.equal(authorized, 'txFailed(setTrustLineFlagsNoTrustLine)');
    const revoked = net.outcome(issuer, [setFlags(world, 0, AUTHORIZED)]);
    assert.equal(revoked, 'txFailed(setTrustLineFlagsCantRevoke)');
  });

  test('takes the offers of a line that loses every authorization out of the book, and leaves others', () => {
    const world = new AssetWorld(AUTH_REVOCABLE);
    const { net, issuer, alice, bob, usd } = world;
    world.hold(alice, 10n * UNIT);
    world.hold(bob, 10n * UNIT);
    const eur = new Asset('EUR', issuer.publicKey());
    net.must(alice, [Operation.changeTrust({ asset: eur })]);
    net.must(alice, [
      world.offer(usd, Asset.native(), UNIT),
      world.offer(usd, Asset.native(), 2n * UNIT),
      world.offer(Asset.native(), eur, UNIT),
    ]);
    net.must(bob, [world.offer(usd, Asset.native(), UNIT)]);
    net.must(issuer, [setFlags(world, MAINTAIN, AUTHORIZED)]);
    assert.equal(net.account(alice).numSubEntries, 5, 'offers may stay while liabilities are maintained');
    assertConsistent(net.network);
    net.must(issuer, [setFlags(world, 0, MAINTAIN)]);
    assert.equal(net.account(alice).numSubEntries, 3);
    assert.equal(net.account(bob).numSubEntries, 2);
    assertConsistent(net.network);
  });
});

describe('allow_trust', () => {
  test('sets and lowers authorization by the flags of the issuer', () => {
    const world = new AssetWorld(AUTH_REQUIRED);
    const { net, issuer, alice } = world;
    assert.equal(net.outcome(issuer, [allowTrust(world, 1)]), 'txFailed(allowTrustNoTrustLine)');
    net.must(alice, [world.trust(UNIT)]);
    net.must(issuer, [allowTrust(world, 2)]);
    assert.equal(world.line(alice)?.flags, MAINTAIN);
    net.must(issuer, [allowTrust(world, 1)]);
    assert.equal(world.line(alice)?.flags, AUTHORIZED);
    assert.equal(net.outcome(issuer, [allowTrust(world, 2)]), 'txFailed(allowTrustCantRevoke)');
    assert.equal(net.outcome(issuer, [allowTrust(world, 0)]), 'txFailed(allowTrustCantRevoke)');
    net.must(issuer, [Operation.setOptions({ setFlags: AUTH_REVOCABLE })]);
    net.must(issuer, [allowTrust(world, 2)]);
    net.must(issuer, [allowTrust(world, 0)]);
    assert.equal(world.line(alice)?.flags, 0);
  });

  test('is malformed on oneself and with other flags than those of authorization', () => {
    const world = new AssetWorld();
    const { net, issuer } = world;
    assert.equal(net.outcome(issuer, [allowTrust(world, 1, issuer)]), 'txFailed(allowTrustMalformed)');
    const tooMuch = changedBody(allowTrust(world, 1), 7, (body) => ({
      ...body,
      allowTrustOp: { ...body.allowTrustOp, authorize: 3 },
    }));
    assert.equal(net.outcome(issuer, [tooMuch]), 'txFailed(allowTrustMalformed)');
  });
});
