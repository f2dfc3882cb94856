import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk/base';
import { Asset, Claimant, Operation } from '@stellar/stellar-sdk/base';
import { effectsOf } from '../effects.ts';
import { applied, change, entry, party } from '../testing/applied.ts';

const alice = party(1);
const bob = party(2);
const issuer = party(3);
const usd = new Asset('USD', issuer.address);
const USD_WIRE = usd.toXdrObject().toXdrObject();
const USD = { asset_type: 'credit_alphanum4', asset_code: 'USD', asset_issuer: issuer.address };
const BALANCE_ID = `00000000${'ab'.repeat(32)}`;
const balanceId: xdr.ClaimableBalanceIdWire = { type: 0, v0: Buffer.alloc(32, 0xab) };
const claimants: xdr.ClaimantWire[] = [
  { type: 0, v0: { destination: bob.id, predicate: { type: 4, absBefore: 600n } } },
];
const balanceEntry = entry(
  { type: 4, claimableBalance: { balanceId, claimants, asset: USD_WIRE, amount: 5n, ext: { v: 0 } } },
  alice,
);

const balance = { asset: `USD:${issuer.address}`, balance_id: BALANCE_ID, amount: '0.0000005' };

const removed = change(balanceEntry, null);

const unsponsored = { balance_id: BALANCE_ID, former_sponsor: alice.address };

test('a claimable balance is created for its claimants, with the predicates as submitted', () => {
  const operation = Operation.createClaimableBalance({
    asset: usd,
    amount: '0.0000005',
    claimants: [new Claimant(bob.address, Claimant.predicateBeforeRelativeTime('600'))],
  });
  assert.deepEqual(effectsOf(applied(operation, { source: alice, changes: change(null, balanceEntry) })), [
    { account: alice.address, type: 'claimable_balance_created', type_i: 50, ...balance },
    {
      account: bob.address,
      type: 'claimable_balance_claimant_created',
      type_i: 51,
      ...balance,
      predicate: { rel_before: '600' },
    },
    { account: alice.address, type: 'account_debited', type_i: 3, ...USD, amount: '0.0000005' },
    {
      account: alice.address,
      type: 'claimable_balance_sponsorship_created',
      type_i: 69,
      balance_id: BALANCE_ID,
      sponsor: alice.address,
    },
  ]);
});

test('a claimable balance is claimed, which ends its sponsorship', () => {
  const operation = Operation.claimClaimableBalance({ balanceId: BALANCE_ID });
  assert.deepEqual(effectsOf(applied(operation, { source: bob, changes: removed })), [
    { account: bob.address, type: 'claimable_balance_claimed', type_i: 52, ...balance },
    { account: bob.address, type: 'account_credited', type_i: 2, ...USD, amount: '0.0000005' },
    { account: bob.address, type: 'claimable_balance_sponsorship_removed', type_i: 71, ...unsponsored },
  ]);
});

test('a claimable balance is clawed back', () => {
  const operation = Operation.clawbackClaimableBalance({ balanceId: BALANCE_ID });
  assert.deepEqual(effectsOf(applied(operation, { source: issuer, changes: removed })), [
    { account: issuer.address, type: 'claimable_balance_clawed_back', type_i: 80, balance_id: BALANCE_ID },
    { account: issuer.address, type: 'account_credited', type_i: 2, ...USD, amount: '0.0000005' },
    { account: issuer.address, type: 'claimable_balance_sponsorship_removed', type_i: 71, ...unsponsored },
  ]);
});
