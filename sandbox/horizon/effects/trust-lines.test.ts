import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, Operation } from '@stellar/stellar-sdk/base';
import { effectsOf } from '../effects.ts';
import { applied, change, party, trustLineEntry } from '../testing/applied.ts';

const alice = party(1);
const bob = party(2);
const issuer = party(3);
const usd = new Asset('USD', issuer.address);
const USD_WIRE = usd.toXdrObject().toXdrObject();
const USD = { asset_type: 'credit_alphanum4', asset_code: 'USD', asset_issuer: issuer.address };

for (const [name, before, after, type, type_i] of [
  ['created', null, trustLineEntry(alice, USD_WIRE), 'trustline_created', 20],
  ['updated', trustLineEntry(alice, USD_WIRE), trustLineEntry(alice, USD_WIRE), 'trustline_updated', 22],
  ['removed', trustLineEntry(alice, USD_WIRE), null, 'trustline_removed', 21],
] as const) {
  test(`a trust line is ${name}`, () => {
    const operation = Operation.changeTrust({ asset: usd, limit: '10' });
    assert.deepEqual(effectsOf(applied(operation, { source: alice, changes: change(before, after) })), [
      { account: alice.address, type, type_i, ...USD, limit: '10.0000000' },
    ]);
  });
}

for (const [authorize, own, flags] of [
  [1, { type: 'trustline_authorized', type_i: 23 }, { authorized_flag: true }],
  [2, { type: 'trustline_authorized_to_maintain_liabilities', type_i: 25 }, {}],
  [0, { type: 'trustline_deauthorized', type_i: 24 }, { authorized_flag: false }],
] as const) {
  test(`allow_trust ${authorize} has the old effect and the new one`, () => {
    const operation = Operation.allowTrust({ trustor: bob.address, assetCode: 'USD', authorize });
    const { asset_issuer: _, ...named } = USD;
    assert.deepEqual(effectsOf(applied(operation, { source: issuer })), [
      { account: issuer.address, ...own, trustor: bob.address, ...named },
      {
        account: issuer.address,
        type: 'trustline_flags_updated',
        type_i: 26,
        ...USD,
        trustor: bob.address,
        ...flags,
      },
    ]);
  });
}

test('set_trust_line_flags shows the flags set and cleared, but not the one to maintain liabilities', () => {
  const operation = Operation.setTrustLineFlags({
    trustor: bob.address,
    asset: usd,
    flags: { authorized: true, authorizedToMaintainLiabilities: false, clawbackEnabled: false },
  });
  assert.deepEqual(effectsOf(applied(operation, { source: issuer })), [
    {
      account: issuer.address,
      type: 'trustline_flags_updated',
      type_i: 26,
      ...USD,
      trustor: bob.address,
      authorized_flag: true,
      clawback_enabled_flag: false,
    },
  ]);
});
