import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk/base';
import { Asset, Claimant, Operation } from '@stellar/stellar-sdk/base';
import { effectsOf } from './effects.ts';
import { accountEntry, applied, change, entry, party, trustLineEntry } from './testing/applied.ts';

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

test('set_options tells what it set in a fixed order; thresholds left alone show as 0', () => {
  const operation = Operation.setOptions({
    homeDomain: 'example.com',
    medThreshold: 2,
    setFlags: 1,
    inflationDest: bob.address,
  });
  const changes = change(accountEntry(alice, {}), accountEntry(alice, { homeDomain: 'example.com' }));
  assert.deepEqual(effectsOf(applied(operation, { source: alice, changes })), [
    { account: alice.address, type: 'account_home_domain_updated', type_i: 5, home_domain: 'example.com' },
    {
      account: alice.address,
      type: 'account_thresholds_updated',
      type_i: 4,
      low_threshold: 0,
      med_threshold: 2,
      high_threshold: 0,
    },
    { account: alice.address, type: 'account_flags_updated', type_i: 6, auth_required_flag: true },
    { account: alice.address, type: 'account_inflation_destination_updated', type_i: 7 },
  ]);
});

test('signers, the master key among them, are removed, reweighted, then added, by address', () => {
  const [carol, dave] = [party(4), party(5)];
  const before = accountEntry(alice, {
    masterWeight: 1,
    signers: [
      [bob, 1],
      [carol, 2],
    ],
  });
  const after = accountEntry(
    alice,
    {
      masterWeight: 0,
      signers: [
        [carol, 3],
        [dave, 4],
      ],
    },
    null,
    [null, issuer],
  );
  const operation = Operation.setOptions({ signer: { ed25519PublicKey: dave.address, weight: 4 } });
  const seen = effectsOf(applied(operation, { source: alice, changes: change(before, after) }));
  const lost = [
    { type: 'signer_removed', type_i: 11, weight: 0, public_key: alice.address },
    { type: 'signer_removed', type_i: 11, weight: 0, public_key: bob.address },
    { type: 'signer_updated', type_i: 12, weight: 3, public_key: carol.address },
  ].sort((a, b) => (a.public_key < b.public_key ? -1 : 1));
  assert.deepEqual(seen, [
    ...lost.map((fields) => ({ account: alice.address, ...fields, key: '' })),
    {
      account: alice.address,
      type: 'signer_created',
      type_i: 10,
      weight: 4,
      public_key: dave.address,
      key: '',
    },
    {
      account: alice.address,
      type: 'signer_sponsorship_created',
      type_i: 72,
      signer: dave.address,
      sponsor: issuer.address,
    },
  ]);
});

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

test('a sponsorship moves from one sponsor to another: entry and signers, in the order of ledger keys', () => {
  const lineBefore = trustLineEntry(bob, USD_WIRE, alice);
  const lineAfter = trustLineEntry(bob, USD_WIRE, issuer);
  const signers: [typeof alice, number][] = [[party(4), 1]];
  const accountBefore = accountEntry(bob, { signers }, alice, [alice]);
  const accountAfter = accountEntry(bob, { signers }, issuer, [issuer]);
  const changes = [...change(lineBefore, lineAfter), ...change(accountBefore, accountAfter)];
  const operation = Operation.revokeAccountSponsorship({ account: bob.address });
  const moved = { former_sponsor: alice.address, new_sponsor: issuer.address };
  assert.deepEqual(effectsOf(applied(operation, { source: alice, changes })), [
    { account: bob.address, type: 'account_sponsorship_updated', type_i: 61, ...moved },
    {
      account: bob.address,
      type: 'signer_sponsorship_updated',
      type_i: 73,
      signer: party(4).address,
      ...moved,
    },
    {
      account: bob.address,
      type: 'trustline_sponsorship_updated',
      type_i: 64,
      asset_type: 'credit_alphanum4',
      asset: `USD:${issuer.address}`,
      ...moved,
    },
  ]);
});

test('bump_sequence has an effect only when the number changes', () => {
  const operation = Operation.bumpSequence({ bumpTo: '9' });
  const at = (seqNum: bigint) => accountEntry(alice, { seqNum });
  assert.deepEqual(effectsOf(applied(operation, { source: alice, changes: change(at(8n), at(9n)) })), [
    { account: alice.address, type: 'sequence_bumped', type_i: 43, new_seq: '9' },
  ]);
  assert.deepEqual(effectsOf(applied(operation, { source: alice, changes: change(at(9n), at(9n)) })), []);
});
