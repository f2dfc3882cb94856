import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk';
import { Asset, Claimant, Keypair, Operation } from '@stellar/stellar-sdk';
import { built, get, horizonFor, submitted } from '../testing/horizon-client.ts';
import { fund } from '../testing/rpc-client.ts';

/** An issuer with its asset, two holders of it, and a way to apply operations. */
async function issuedAsset(t: TestContext) {
  const { sandbox, horizon, url } = await horizonFor(t);
  const [issuer, alice, bob] = (await fund(sandbox, 3)) as [Keypair, Keypair, Keypair];
  const asset = new Asset('USD', issuer.publicKey());
  const apply = async (source: Keypair, operations: xdr.Operation[], signers = [source]) =>
    await submitted(sandbox, horizon, await built(horizon, source, operations, { signers }));
  for (const holder of [alice, bob]) await apply(holder, [Operation.changeTrust({ asset })]);
  const pay = (to: Keypair, amount: string) =>
    Operation.payment({ destination: to.publicKey(), asset, amount });
  await apply(issuer, [pay(alice, '100'), pay(bob, '50')]);
  const records = async (path: string) =>
    (await get(`${url}${path}?order=desc&limit=200`)).json._embedded.records as Record<string, unknown>[];
  const of = async (key: Keypair, what: string) => await records(`/accounts/${key.publicKey()}/${what}`);
  return { horizon, issuer, alice, bob, asset, apply, of };
}

const typesOf = (records: Record<string, unknown>[]) => records.map(({ type }) => type);

test('a trust line shows among the balances of its owner', async (t) => {
  const { horizon, alice, asset } = await issuedAsset(t);
  const { balances } = await horizon.loadAccount(alice.publicKey());
  const [line] = balances as unknown as Record<string, unknown>[];
  assert.deepEqual(
    [line?.asset_code, line?.asset_issuer, line?.balance, line?.is_authorized],
    ['USD', asset.getIssuer(), '100.0000000', true],
  );
});

test('a claimed balance is no payment: only effects tell of it', async (t) => {
  const { alice, bob, asset, apply, of } = await issuedAsset(t);
  const before = (await of(bob, 'payments')).length;
  const claimants = [new Claimant(bob.publicKey())];
  await apply(alice, [Operation.createClaimableBalance({ asset, amount: '5', claimants })]);
  const [creation] = await of(bob, 'effects');
  assert.equal(
    creation?.type,
    'claimable_balance_claimant_created',
    'the claimant takes part in its creation',
  );
  const balanceId = String(creation?.balance_id);
  await apply(bob, [Operation.claimClaimableBalance({ balanceId })]);
  assert.equal((await of(bob, 'payments')).length, before);
  assert.ok(typesOf(await of(bob, 'effects')).includes('claimable_balance_claimed'));
  assert.equal((await of(bob, 'operations'))[0]?.type, 'claim_claimable_balance');
});

test('who had an offer taken sees the trade among its effects, and no transaction', async (t) => {
  const { alice, bob, asset, issuer, apply, of } = await issuedAsset(t);
  const selling = { selling: asset, buying: Asset.native(), price: '2' };
  await apply(alice, [Operation.manageSellOffer({ ...selling, amount: '10' })]);
  const transactions = (await of(alice, 'transactions')).length;
  const path = { sendAsset: Asset.native(), sendMax: '20', destAsset: asset, destAmount: '4', path: [] };
  await apply(bob, [Operation.pathPaymentStrictReceive({ ...path, destination: bob.publicKey() })]);
  assert.equal((await of(alice, 'transactions')).length, transactions);
  const [trade] = await of(alice, 'effects');
  assert.deepEqual([trade?.type, trade?.seller], ['trade', bob.publicKey()]);
  const [payment] = await of(bob, 'payments');
  assert.deepEqual([payment?.type, payment?.amount], ['path_payment_strict_receive', '4.0000000']);
  assert.equal((await of(issuer, 'payments')).length, 3, 'its asset moving does not concern an issuer');
});

test('a merge is a payment without an amount, and the history of what is gone stays', async (t) => {
  const { horizon, alice, apply, of } = await issuedAsset(t);
  const spare = Keypair.random();
  const destination = spare.publicKey();
  await apply(alice, [Operation.createAccount({ destination, startingBalance: '5' })]);
  await apply(spare, [Operation.accountMerge({ destination: alice.publicKey() })]);
  const [merge] = await of(alice, 'payments');
  assert.deepEqual(
    [merge?.type, merge?.account, 'amount' in (merge ?? {})],
    ['account_merge', destination, false],
  );
  await assert.rejects(horizon.loadAccount(destination));
  assert.deepEqual(typesOf(await of(spare, 'payments')), ['account_merge', 'create_account']);
});

test('a sponsor takes part in what it pays the reserve of, and is named there', async (t) => {
  const { horizon, alice, apply, of } = await issuedAsset(t);
  const channel = Keypair.random();
  const destination = channel.publicKey();
  const sandwich = [
    Operation.beginSponsoringFutureReserves({ sponsoredId: destination }),
    Operation.createAccount({ destination, startingBalance: '0' }),
    Operation.endSponsoringFutureReserves({ source: destination }),
  ];
  await apply(alice, sandwich, [alice, channel]);
  const [end, creation] = await of(alice, 'operations');
  assert.deepEqual([end?.type, end?.begin_sponsor], ['end_sponsoring_future_reserves', alice.publicKey()]);
  assert.deepEqual([creation?.type, creation?.sponsor], ['create_account', alice.publicKey()]);
  const account = (await horizon.loadAccount(destination)) as unknown as Record<string, unknown>;
  assert.deepEqual([account.sponsor, account.num_sponsored], [alice.publicKey(), 2]);
  const { num_sponsoring } = (await horizon.loadAccount(alice.publicKey())) as unknown as Record<
    string,
    unknown
  >;
  assert.equal(num_sponsoring, 2);
});
