import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import type { Deps } from '../../deps.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import { lineKey, type TrustLine } from '../../stellar/stellar.ts';
import { checkPayout } from '../payouts/check-payout.ts';
import { previewWithdrawal } from './preview.ts';
import type { PreviewOrder } from './preview-answer.ts';
import { PreviewResource } from './preview-routes.ts';

let world: InProcessService;
before(async () => {
  world = await startInProcess({ FEE_MAX_STROOPS: '5000' }, { faults: true });
});
after(() => world.close());

const orderOf = async () => ({
  wallet: await world.wallet(),
  destination: Keypair.random().publicKey(),
  amount_stroops: 20_000_000n,
  memo_id: null,
  memo_return: null,
  allow_issuer: false,
  asset_code: 'native',
  asset_issuer: null,
});

test('a wallet whose account is not on the network is unfunded, and that is all there is to say', async () => {
  const order = await orderOf();
  const wallet = { ...order.wallet, account: Keypair.random().publicKey() };
  const preview = await previewWithdrawal(world.deps, { ...order, wallet });
  assert.deepEqual(
    preview.problems.map(({ code }) => code),
    ['wallet_unfunded'],
  );
  const { would_send, balance_stroops, available_stroops, balance_after_stroops } = preview;
  assert.deepEqual(
    { would_send, balance_stroops, available_stroops, balance_after_stroops },
    { would_send: false, balance_stroops: 0n, available_stroops: 0n, balance_after_stroops: null },
  );
});

test('the fee follows the network, and a fee-bump at that rate stays within FEE_MAX_STROOPS', async () => {
  const order = await orderOf();
  for (const [asked, fee_stroops] of [
    [700n, 700n],
    [1_000_000n, 2_500n],
  ]) {
    const stellar: Deps['stellar'] = { ...world.deps.stellar, feePerOperation: async () => asked ?? 0n };
    const preview = await previewWithdrawal({ ...world.deps, stellar }, order);
    assert.deepEqual([preview.fee_stroops, preview.fee_max_stroops], [fee_stroops, 5_000n]);
  }
});

test('without CREATE_MISSING_ACCOUNTS a missing account is paid, and the network says no', async () => {
  const config = { ...world.deps.config, create_missing_accounts: false };
  const preview = await previewWithdrawal({ ...world.deps, config }, await orderOf());
  assert.equal(preview.operation, 'payment');
  assert.deepEqual(
    preview.problems.map(({ code }) => code),
    ['op_no_destination'],
  );
});

test('what is in flight is not available any more, and counts as paid in the balance after', async () => {
  const order = await orderOf();
  const { wallet } = order;
  await world.deps.db
    .insertInto('withdrawals')
    .values({
      id: 'wd_inflight',
      wallet_id: wallet.id,
      owner_id: wallet.owner_id,
      idempotency_key: 'in flight',
      status: 'queued',
      approvals_required: 0,
      operation: 'payment',
      destination: order.destination,
      amount_stroops: 1_000n,
      tx_source: wallet.account,
      leased_until: new Date(),
    })
    .execute();
  const preview = await previewWithdrawal(world.deps, order);
  const { balance_stroops, reserve_stroops, fee_stroops } = preview;
  assert.equal(preview.available_stroops, balance_stroops - reserve_stroops - 1_000n);
  assert.equal(preview.balance_after_stroops, balance_stroops - 1_000n - 20_000_000n - fee_stroops);
});

test('a payment of an asset to the wallet itself leaves no balance below 0, whatever is in flight', async () => {
  const { wallet, ...order } = await orderOf();
  const asset = { asset_code: 'USDC', asset_issuer: Keypair.random().publicKey() };
  await world.deps.db
    .insertInto('withdrawals')
    .values({
      id: 'wd_issued',
      wallet_id: wallet.id,
      owner_id: wallet.owner_id,
      idempotency_key: 'issued in flight',
      status: 'queued',
      approvals_required: 0,
      operation: 'asset_payment',
      ...asset,
      destination: order.destination,
      amount_stroops: 60n,
      tx_source: wallet.account,
      leased_until: new Date(),
    })
    .execute();
  const name = { account: wallet.account, asset: { code: asset.asset_code, issuer: asset.asset_issuer } };
  const line: TrustLine = {
    balance_stroops: 50n,
    limit_stroops: 1_000n,
    buying_liabilities_stroops: 0n,
    selling_liabilities_stroops: 0n,
    authorization: 'full',
    clawback_enabled: false,
  };
  const stellar: Deps['stellar'] = {
    ...world.deps.stellar,
    readAccounts: async (...asked) => {
      const read = await world.deps.stellar.readAccounts(...asked);
      return { ...read, lines: new Map([[lineKey(name), line]]) };
    },
  };
  const toItself = { ...order, ...asset, wallet, destination: wallet.account, amount_stroops: 1n };
  const preview = await previewWithdrawal({ ...world.deps, stellar }, toItself);
  assert.deepEqual([preview.problems, preview.balance_after_stroops], [[], 0n]);
});

test('a network that cannot be read is network_unavailable, not a guess', async () => {
  const stellar: Deps['stellar'] = {
    ...world.deps.stellar,
    readAccounts: async () => {
      throw new NetworkUnavailable('away');
    },
  };
  const order = await orderOf();
  await assert.rejects(previewWithdrawal({ ...world.deps, stellar }, order), { name: 'NetworkUnavailable' });
});

test('a frozen account or trust line is named before anything is sent, where the network would refuse the payment', async () => {
  const { network } = world.sandbox.faults ?? assert.fail('faults are off');
  const asset = { code: 'USD', issuer: Keypair.random().publicKey() };
  const native = await orderOf();
  const issued = { ...native, asset_code: asset.code, asset_issuer: asset.issuer };
  const [payee, { account }] = [native.destination, native.wallet];
  const line = `${asset.code}:${asset.issuer}`;
  const codesOf = async (order: PreviewOrder) => {
    const { problems } = await previewWithdrawal(world.another(), order); // which has read no settings yet
    return problems.filter(({ code }) => code === 'tx_frozen_key_accessed').map(({ message }) => message);
  };
  const said = [
    'The network has frozen an account or a trust line that the transaction touches. Only a vote of the network ends that.',
  ];
  for (const [frozen, order, expected] of [
    [{ account: payee }, native, said],
    [{ account }, native, said],
    [{ account: Keypair.random().publicKey() }, native, []],
    [{ account: payee, asset: line }, issued, said],
    [{ account, asset: line }, issued, said],
    [{ account: payee, asset: line }, native, []],
    [{ account: payee }, issued, []],
  ] as const) {
    network.freeze(frozen);
    assert.deepEqual(await codesOf(order), expected, JSON.stringify(frozen));
    network.thaw(frozen);
  }
});

test('the check of a payout warns of each row whose payee is frozen, and once of what is frozen of the wallet', async () => {
  const { network } = world.sandbox.faults ?? assert.fail('faults are off');
  const [{ wallet, destination: payee }, { wallet: other }] = [await orderOf(), await orderOf()];
  const asset = { asset_code: 'USD', asset_issuer: other.account };
  const line = `${asset.asset_code}:${asset.asset_issuer}`;
  const terms = { amount_stroops: 20_000_000n };
  const known = [
    { idempotency_key: 'native', destination: payee, ...terms },
    { idempotency_key: 'issued', destination: payee, ...asset, ...terms },
    { idempotency_key: 'redeemed', destination: other.account, ...asset, ...terms },
  ];
  for (const [frozen, expected] of [
    [{ account: payee }, [1]],
    [{ account: payee, asset: line }, [2]],
    [{ account: wallet.account }, [null]],
    [{ account: wallet.account, asset: line }, [null]],
    [{ account: other.account }, []],
  ] as const) {
    network.freeze(frozen);
    const deps = world.another(); // which has read no settings yet
    let reads = 0;
    const frozenKeys = () => {
      reads++;
      return deps.stellar.frozenKeys();
    };
    const { report } = await checkPayout({ ...deps, stellar: { ...deps.stellar, frozenKeys } }, wallet, {
      known,
    });
    const warned = report.warnings.filter(({ code }) => code === 'tx_frozen_key_accessed');
    assert.deepEqual([warned.map(({ row }) => row), reads], [expected, 1], JSON.stringify(frozen));
    network.thaw(frozen);
  }
});

test('payments of a day may come to more than one payment can be', async () => {
  const preview = await previewWithdrawal(world.deps, await orderOf());
  const shown = { ...preview, unapproved_stroops: 2n ** 64n };
  assert.equal(PreviewResource.parse(shown).unapproved_stroops, 2n ** 64n);
});
