import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk/base';
import { Asset, Operation } from '@stellar/stellar-sdk/base';
import { effectsOf } from '../effects.ts';
import { accountEntry, applied, change, party } from '../testing/applied.ts';

const alice = party(1);
const bob = party(2);
const issuer = party(3);
const usd = new Asset('USD', issuer.address);
const USD_WIRE = usd.toXdrObject().toXdrObject();
const USD = { asset_type: 'credit_alphanum4', asset_code: 'USD', asset_issuer: issuer.address };

test('a payment credits, then debits, each under the muxed account that was meant', () => {
  const destination = bob.muxed(2n ** 64n - 1n);
  const payment = Operation.payment({ destination, asset: usd, amount: '2' });
  assert.deepEqual(effectsOf(applied(payment, { source: alice, muxedId: 9n })), [
    {
      account: bob.address,
      account_muxed: destination,
      account_muxed_id: '18446744073709551615',
      type: 'account_credited',
      type_i: 2,
      ...USD,
      amount: '2.0000000',
    },
    {
      account: alice.address,
      account_muxed: alice.muxed(9n),
      account_muxed_id: '9',
      type: 'account_debited',
      type_i: 3,
      ...USD,
      amount: '2.0000000',
    },
  ]);
});

test('a failed transaction has no effects', () => {
  const payment = Operation.payment({ destination: bob.address, asset: usd, amount: '2' });
  assert.deepEqual(effectsOf(applied(payment, { source: alice, failed: true })), []);
});

test('an account is created with its key as signer; a sponsor of its reserve comes last', () => {
  const operation = Operation.createAccount({ destination: bob.address, startingBalance: '0' });
  const changes = change(null, accountEntry(bob, {}, alice));
  assert.deepEqual(effectsOf(applied(operation, { source: alice, changes })), [
    { account: bob.address, type: 'account_created', type_i: 0, starting_balance: '0.0000000' },
    { account: alice.address, type: 'account_debited', type_i: 3, asset_type: 'native', amount: '0.0000000' },
    { account: bob.address, type: 'signer_created', type_i: 10, weight: 1, public_key: bob.address, key: '' },
    { account: bob.address, type: 'account_sponsorship_created', type_i: 60, sponsor: alice.address },
  ]);
});

test('a merge debits and credits the whole balance and removes the account', () => {
  const tr: xdr.OperationResultTrWire = {
    type: 8,
    accountMergeResult: { code: 0, sourceAccountBalance: 15_000_000n },
  };
  const operation = Operation.accountMerge({ destination: bob.address });
  const changes = change(accountEntry(alice, {}, issuer), null);
  const moved = { asset_type: 'native', amount: '1.5000000' };
  assert.deepEqual(effectsOf(applied(operation, { source: alice, tr, changes })), [
    { account: alice.address, type: 'account_debited', type_i: 3, ...moved },
    { account: bob.address, type: 'account_credited', type_i: 2, ...moved },
    { account: alice.address, type: 'account_removed', type_i: 1 },
    {
      account: alice.address,
      type: 'account_sponsorship_removed',
      type_i: 62,
      former_sponsor: issuer.address,
    },
  ]);
});

test('a trade has an effect for each side, each naming the other as seller; an empty claim has none', () => {
  const claim = {
    sellerId: bob.id,
    offerId: 7n,
    assetSold: USD_WIRE,
    amountSold: 40n,
    assetBought: { type: 0 },
    amountBought: 20n,
  } as const;
  const offersClaimed: xdr.ClaimAtomWire[] = [
    { type: 1, orderBook: claim },
    { type: 1, orderBook: { ...claim, amountSold: 0n, amountBought: 0n } },
  ];
  const tr: xdr.OperationResultTrWire = {
    type: 3,
    manageSellOfferResult: { code: 0, success: { offersClaimed, offer: { effect: 2 } } },
  };
  const operation = Operation.manageSellOffer({
    selling: Asset.native(),
    buying: usd,
    amount: '1',
    price: '2',
  });
  const trade = { type: 'trade', type_i: 33, offer_id: '7' };
  assert.deepEqual(effectsOf(applied(operation, { source: alice, tr })), [
    {
      account: alice.address,
      ...trade,
      seller: bob.address,
      sold_amount: '0.0000020',
      sold_asset_type: 'native',
      bought_amount: '0.0000040',
      bought_asset_type: 'credit_alphanum4',
      bought_asset_code: 'USD',
      bought_asset_issuer: issuer.address,
    },
    {
      account: bob.address,
      ...trade,
      seller: alice.address,
      sold_amount: '0.0000040',
      sold_asset_type: 'credit_alphanum4',
      sold_asset_code: 'USD',
      sold_asset_issuer: issuer.address,
      bought_amount: '0.0000020',
      bought_asset_type: 'native',
    },
  ]);
});

test('a clawback burns, and credits the issuer all the same', () => {
  const operation = Operation.clawback({ asset: usd, from: bob.muxed(5n), amount: '3' });
  assert.deepEqual(effectsOf(applied(operation, { source: issuer })), [
    { account: issuer.address, type: 'account_credited', type_i: 2, ...USD, amount: '3.0000000' },
    {
      account: bob.address,
      account_muxed: bob.muxed(5n),
      account_muxed_id: '5',
      type: 'account_debited',
      type_i: 3,
      ...USD,
      amount: '3.0000000',
    },
  ]);
});

test('inflation credits each who is paid out', () => {
  const payouts = [{ destination: bob.id, amount: 7n }];
  const tr: xdr.OperationResultTrWire = { type: 9, inflationResult: { code: 0, payouts } };
  assert.deepEqual(effectsOf(applied(Operation.inflation({}), { source: alice, tr })), [
    { account: bob.address, type: 'account_credited', type_i: 2, asset_type: 'native', amount: '0.0000007' },
  ]);
});
