import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keypair, Operation, type xdr } from '@stellar/stellar-sdk/base';
import { assertConsistent } from '../../testing/ledger-invariants.ts';
import { changedBody, TestNetwork, UNIT } from '../../testing/test-network.ts';
import { AUTH_CLAWBACK_ENABLED, AUTH_IMMUTABLE, AUTH_REQUIRED, AUTH_REVOCABLE } from '../account.ts';

const RESERVE = 5_000_000n;

/** set_options with raw fields, because the SDK does not build all of them. */
function options(fields: Partial<xdr.SetOptionsOpWire>): xdr.Operation {
  return changedBody(Operation.setOptions({}), 5, (body) => ({
    ...body,
    setOptionsOp: { ...body.setOptionsOp, ...fields },
  }));
}

const signer = (weight: number, key = Keypair.random()) =>
  options({ signer: { key: { type: 0, ed25519: key.rawPublicKey() }, weight } });

function owner(stroops = 100n * UNIT) {
  const net = new TestNetwork();
  const [key] = net.accounts(stroops) as [Keypair];
  return { net, key };
}

describe('set_options', () => {
  const malformed: [fields: Partial<xdr.SetOptionsOpWire>, code: string][] = [
    [{ setFlags: 16 }, 'setOptionsUnknownFlag'],
    [{ clearFlags: 2 ** 31 }, 'setOptionsUnknownFlag'],
    [{ setFlags: AUTH_REQUIRED, clearFlags: AUTH_REQUIRED }, 'setOptionsBadFlags'],
    [{ masterWeight: 256 }, 'setOptionsThresholdOutOfRange'],
    [{ highThreshold: 256 }, 'setOptionsThresholdOutOfRange'],
  ];
  for (const [fields, code] of malformed) {
    test(`${JSON.stringify(fields)} is ${code} at submission`, () => {
      const { net, key } = owner();
      assert.equal(net.outcome(key, [options(fields)]), `txFailed(${code})`);
    });
  }

  test('a signer of more than 255, and one with an empty payload, is a bad one', () => {
    const { net, key } = owner();
    assert.equal(net.outcome(key, [signer(256)]), 'txFailed(setOptionsBadSigner)');
    const ed25519SignedPayload = { ed25519: key.rawPublicKey(), payload: new Uint8Array() };
    const empty = options({ signer: { key: { type: 3, ed25519SignedPayload }, weight: 1 } });
    assert.equal(net.outcome(key, [empty]), 'txFailed(setOptionsBadSigner)');
  });

  test('signers are sorted by kind and key, payloads byte by byte and not by length', () => {
    const { net, key } = owner();
    const signed = (...bytes: number[]): xdr.SignerKeyWire => ({
      type: 3,
      ed25519SignedPayload: { ed25519: key.rawPublicKey(), payload: new Uint8Array(bytes) },
    });
    const sorted: xdr.SignerKeyWire[] = [
      { type: 0, ed25519: net.root.rawPublicKey() },
      { type: 2, hashX: new Uint8Array(32) },
      signed(1),
      signed(1, 0),
      signed(1, 2, 3),
      signed(2),
      signed(2, 1),
      signed(255),
    ];
    net.must(
      key,
      sorted.toReversed().map((each) => options({ signer: { key: each, weight: 1 } })),
    );
    assert.deepEqual(
      net.account(key).signers.map((each) => each.key),
      sorted,
    );
  });

  test('the flags of an immutable account cannot be changed', () => {
    const { net, key } = owner();
    net.must(key, [options({ setFlags: AUTH_IMMUTABLE })]);
    for (const fields of [{ setFlags: AUTH_REQUIRED }, { clearFlags: AUTH_IMMUTABLE }]) {
      assert.equal(net.outcome(key, [options(fields)]), 'txFailed(setOptionsCantChange)');
    }
    assert.equal(net.outcome(key, [options({ setFlags: 0, masterWeight: 2 })]), 'txSuccess');
  });

  test('clawback needs revocable, before and after', () => {
    const { net, key } = owner();
    const alone = options({ setFlags: AUTH_CLAWBACK_ENABLED });
    assert.equal(net.outcome(key, [alone]), 'txFailed(setOptionsAuthRevocableRequired)');
    net.must(key, [options({ setFlags: AUTH_CLAWBACK_ENABLED | AUTH_REVOCABLE })]);
    const without = options({ clearFlags: AUTH_REVOCABLE });
    assert.equal(net.outcome(key, [without]), 'txFailed(setOptionsAuthRevocableRequired)');
    assert.equal(
      net.outcome(key, [options({ clearFlags: AUTH_CLAWBACK_ENABLED | AUTH_REVOCABLE })]),
      'txSuccess',
    );
  });

  test('an inflation destination must exist', () => {
    const { net, key } = owner();
    const to = (destination: Keypair) =>
      options({ inflationDest: { type: 0, ed25519: destination.rawPublicKey() } });
    assert.equal(net.outcome(key, [to(Keypair.random())]), 'txFailed(setOptionsInvalidInflation)');
    assert.equal(net.outcome(key, [to(net.root)]), 'txSuccess');
  });

  test('twenty signers are enough, and each needs its reserve', () => {
    const { net, key } = owner();
    net.must(
      key,
      Array.from({ length: 20 }, () => signer(1)),
    );
    assert.equal(net.outcome(key, [signer(1)]), 'txFailed(setOptionsTooManySigners)');
    const poor = owner(3n * RESERVE - 1n + 100n);
    assert.equal(poor.net.outcome(poor.key, [signer(1)]), 'txFailed(setOptionsLowReserve)');
    const enough = owner(3n * RESERVE + 100n);
    assert.equal(enough.net.outcome(enough.key, [signer(1)]), 'txSuccess');
    assertConsistent(net.network);
  });

  test('removing a key that is not a signer changes nothing, and succeeds', () => {
    const { net, key } = owner();
    assert.equal(net.outcome(key, [signer(0)]), 'txSuccess');
    assert.equal(net.account(key).numSubEntries, 0);
  });
});
