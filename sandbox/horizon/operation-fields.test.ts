import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, Claimant, Operation, StrKey, type xdr } from '@stellar/stellar-sdk/base';
import { operationFields } from './operation-fields.ts';
import { applied, party } from './testing/applied.ts';

const alice = party(1);
const bob = party(2);
const issuer = party(3);
const usd = new Asset('USD', issuer.address);
const long = new Asset('LONGASSET12', issuer.address);
const USD = { asset_type: 'credit_alphanum4', asset_code: 'USD', asset_issuer: issuer.address };
const LONG = { asset_type: 'credit_alphanum12', asset_code: 'LONGASSET12', asset_issuer: issuer.address };

/** Every expectation is a record as Horizon gives it. */
const CASES: [name: string, operation: xdr.Operation, expected: Record<string, unknown>][] = [
  [
    'create_account',
    Operation.createAccount({ destination: bob.address, startingBalance: '4' }),
    {
      type: 'create_account',
      type_i: 0,
      starting_balance: '4.0000000',
      funder: alice.address,
      account: bob.address,
    },
  ],
  [
    'payment to a muxed account with the largest id',
    Operation.payment({ destination: bob.muxed(2n ** 64n - 1n), asset: usd, amount: '0.0000001' }),
    {
      type: 'payment',
      type_i: 1,
      ...USD,
      from: alice.address,
      to: bob.address,
      to_muxed: bob.muxed(2n ** 64n - 1n),
      to_muxed_id: '18446744073709551615',
      amount: '0.0000001',
    },
  ],
  [
    'payment to a muxed account with the id 0, which Horizon leaves out',
    Operation.payment({ destination: bob.muxed(0n), asset: Asset.native(), amount: '1' }),
    {
      type: 'payment',
      type_i: 1,
      asset_type: 'native',
      from: alice.address,
      to: bob.address,
      to_muxed: bob.muxed(0n),
      amount: '1.0000000',
    },
  ],
  [
    'manage_buy_offer',
    Operation.manageBuyOffer({
      selling: usd,
      buying: Asset.native(),
      buyAmount: '389.4340658',
      price: { n: 5_764_667, d: 2_500_000 },
      offerId: '7',
    }),
    {
      type: 'manage_buy_offer',
      type_i: 12,
      amount: '389.4340658',
      price: '2.3058668',
      price_r: { n: 5_764_667, d: 2_500_000 },
      buying_asset_type: 'native',
      selling_asset_type: 'credit_alphanum4',
      selling_asset_code: 'USD',
      selling_asset_issuer: issuer.address,
      offer_id: '7',
    },
  ],
  [
    'set_options with everything',
    Operation.setOptions({
      inflationDest: bob.address,
      clearFlags: 2,
      setFlags: 9,
      masterWeight: 10,
      lowThreshold: 0,
      medThreshold: 10,
      highThreshold: 20,
      homeDomain: 'example.com',
      signer: { ed25519PublicKey: bob.address, weight: 0 },
    }),
    {
      type: 'set_options',
      type_i: 5,
      home_domain: 'example.com',
      inflation_dest: bob.address,
      master_key_weight: 10,
      signer_key: bob.address,
      signer_weight: 0,
      set_flags: [1, 8],
      set_flags_s: ['auth_required', 'auth_clawback_enabled'],
      clear_flags: [2],
      clear_flags_s: ['auth_revocable'],
      low_threshold: 0,
      med_threshold: 10,
      high_threshold: 20,
    },
  ],
  [
    'set_options that only empties the home domain',
    Operation.setOptions({ homeDomain: '' }),
    { type: 'set_options', type_i: 5 },
  ],
  [
    'change_trust',
    Operation.changeTrust({ asset: long }),
    {
      type: 'change_trust',
      type_i: 6,
      ...LONG,
      limit: '922337203685.4775807',
      trustee: issuer.address,
      trustor: alice.address,
    },
  ],
  [
    'allow_trust, full authorization including the lesser one',
    Operation.allowTrust({ trustor: bob.address, assetCode: 'USD', authorize: 1 }),
    {
      type: 'allow_trust',
      type_i: 7,
      ...USD,
      asset_issuer: alice.address,
      trustee: alice.address,
      trustor: bob.address,
      authorize: true,
      authorize_to_maintain_liabilities: true,
    },
  ],
  [
    'manage_data that removes',
    Operation.manageData({ name: 'config.memo_required', value: null }),
    { type: 'manage_data', type_i: 10, name: 'config.memo_required', value: '' },
  ],
  [
    'manage_data that sets',
    Operation.manageData({ name: 'config.memo_required', value: '1' }),
    { type: 'manage_data', type_i: 10, name: 'config.memo_required', value: 'MQ==' },
  ],
  ['inflation', Operation.inflation({}), { type: 'inflation', type_i: 9 }],
  [
    'bump_sequence',
    Operation.bumpSequence({ bumpTo: '136025045943191412' }),
    { type: 'bump_sequence', type_i: 11, bump_to: '136025045943191412' },
  ],
  [
    'create_claimable_balance',
    Operation.createClaimableBalance({
      asset: usd,
      amount: '900',
      claimants: [new Claimant(bob.address, Claimant.predicateBeforeRelativeTime('300'))],
    }),
    {
      type: 'create_claimable_balance',
      type_i: 14,
      asset: `USD:${issuer.address}`,
      amount: '900.0000000',
      claimants: [{ destination: bob.address, predicate: { rel_before: '300' } }],
    },
  ],
  [
    'clawback from a muxed account',
    Operation.clawback({ asset: usd, amount: '1234', from: bob.muxed(5n) }),
    {
      type: 'clawback',
      type_i: 19,
      ...USD,
      from: bob.address,
      from_muxed: bob.muxed(5n),
      from_muxed_id: '5',
      amount: '1234.0000000',
    },
  ],
  [
    'set_trust_line_flags',
    Operation.setTrustLineFlags({
      trustor: bob.address,
      asset: usd,
      flags: { authorized: false, authorizedToMaintainLiabilities: true },
    }),
    {
      type: 'set_trust_line_flags',
      type_i: 21,
      ...USD,
      trustor: bob.address,
      set_flags: [2],
      set_flags_s: ['authorized_to_maintain_liabilites'],
      clear_flags: [1],
      clear_flags_s: ['authorized'],
    },
  ],
  [
    'revoke_sponsorship of a signer',
    Operation.revokeSignerSponsorship({
      account: bob.address,
      signer: { sha256Hash: Buffer.alloc(32, 9).toString('hex') },
    }),
    {
      type: 'revoke_sponsorship',
      type_i: 18,
      signer_account_id: bob.address,
      signer_key: StrKey.encodeSha256Hash(Buffer.alloc(32, 9)),
    },
  ],
  [
    'revoke_sponsorship of a trust line',
    Operation.revokeTrustlineSponsorship({ account: bob.address, asset: usd }),
    {
      type: 'revoke_sponsorship',
      type_i: 18,
      trustline_account_id: bob.address,
      trustline_asset: `USD:${issuer.address}`,
    },
  ],
  [
    'account_merge, which does not tell the amount',
    Operation.accountMerge({ destination: bob.muxed(77n) }),
    {
      type: 'account_merge',
      type_i: 8,
      account: alice.address,
      into: bob.address,
      into_muxed: bob.muxed(77n),
      into_muxed_id: '77',
    },
  ],
];

for (const [name, operation, expected] of CASES) {
  test(`shows ${name}`, () => {
    assert.deepEqual(operationFields(applied(operation, { source: alice })), expected);
  });
}

const strictReceive = Operation.pathPaymentStrictReceive({
  sendAsset: Asset.native(),
  sendMax: '10',
  destination: bob.address,
  destAsset: long,
  destAmount: '4',
  path: [usd],
});
const pathFields = {
  ...LONG,
  from: alice.address,
  to: bob.address,
  path: [USD],
  source_asset_type: 'native',
};

test('shows of a path payment what the offers of the first hop took', () => {
  const offer = (sold: Asset, bought: Asset, amountBought: bigint): xdr.ClaimAtomWire => ({
    type: 1,
    orderBook: {
      sellerId: issuer.id,
      offerId: 1n,
      assetSold: wireOf(sold),
      amountSold: 1n,
      assetBought: wireOf(bought),
      amountBought,
    },
  });
  const offers = [
    offer(usd, Asset.native(), 15_000_000n),
    offer(usd, Asset.native(), 5_000_000n),
    offer(long, usd, 99n),
  ];
  const last = { destination: bob.id, asset: wireOf(long), amount: 40_000_000n };
  const tr: xdr.OperationResultTrWire = {
    type: 2,
    pathPaymentStrictReceiveResult: { code: 0, success: { offers, last } },
  };
  assert.deepEqual(operationFields(applied(strictReceive, { source: alice, tr })), {
    type: 'path_payment_strict_receive',
    type_i: 2,
    ...pathFields,
    amount: '4.0000000',
    source_amount: '2.0000000',
    source_max: '10.0000000',
  });
});

test('shows of a failed path payment nothing sent, or nothing arrived', () => {
  assert.deepEqual(operationFields(applied(strictReceive, { source: alice, failed: true })), {
    type: 'path_payment_strict_receive',
    type_i: 2,
    ...pathFields,
    amount: '4.0000000',
    source_amount: '0.0000000',
    source_max: '10.0000000',
  });
  const strictSend = Operation.pathPaymentStrictSend({
    sendAsset: Asset.native(),
    sendAmount: '1',
    destination: bob.address,
    destAsset: long,
    destMin: '0.5',
    path: [usd],
  });
  assert.deepEqual(operationFields(applied(strictSend, { source: alice, failed: true })), {
    type: 'path_payment_strict_send',
    type_i: 13,
    ...pathFields,
    amount: '0.0000000',
    source_amount: '1.0000000',
    destination_min: '0.5000000',
  });
});

test('names who began the sponsorship that ends, if the transaction succeeded', () => {
  const begin = Operation.beginSponsoringFutureReserves({ sponsoredId: alice.address, source: bob.address });
  const end = applied(Operation.endSponsoringFutureReserves({}), { source: alice });
  const transaction = {
    ...end.transaction,
    operations: [begin.toXdrObject(), end.operation],
  };
  const type = { type: 'end_sponsoring_future_reserves', type_i: 17 };
  assert.deepEqual(operationFields({ ...end, transaction, index: 1 }), {
    ...type,
    begin_sponsor: bob.address,
  });
  assert.deepEqual(operationFields({ ...end, transaction, index: 1, successful: false, meta: null }), type);
});

function wireOf(asset: Asset): xdr.AssetWire {
  return asset.toXdrObject().toXdrObject();
}
