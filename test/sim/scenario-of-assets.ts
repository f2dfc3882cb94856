/** A wallet gets a trust line and is paid an issued asset at once; then it pays of that asset, and the trust line is removed. */

import { type Asset, type Keypair, Memo, Operation } from '@stellar/stellar-sdk/base';
import { createAddress } from '../../src/deposits/addresses/create-address.ts';
import { onId } from '../support/acting.ts';
import type { SimulatedWallet } from './accounts.ts';
import { askForAsset } from './asset-users.ts';
import { ask } from './clients.ts';
import { pastAllGates, type Scenario, SMALLEST } from './exhaustive.ts';
import type { SimulatedService } from './simulated-service.ts';

const TRIES = 10;
const PAUSE_MS = 3_000;
const PAID_IN = '3';
const PAID_OUT_STROOPS = 20_000_001n;

export const scenarioOfAssets: Scenario = {
  name: 'assets',
  setting: {
    ...SMALLEST,
    env: { CHANNELS_MAX: '0', WITHDRAW_VALID_SECONDS: '30', WITHDRAW_WAIT_SECONDS: '60' },
    channels: 1,
    roles: ['settler', 'ingester'],
  },
  async play(world) {
    const { accounts } = world;
    const [wallet] = accounts.wallets;
    const [, payer] = accounts.payers;
    const [, usd] = accounts.assets;
    if (!wallet || !payer) throw new Error('the accounts are missing');
    const line = { wallet, asset: accounts.spare.asset };
    await Promise.all([changeLine(world, { ...line, wish: 'add' }), payIn(world, wallet, payer, usd)]);
    await Promise.all([payOut(world, wallet, usd), changeLine(world, { ...line, wish: 'remove' })]);
  },
};

/** Until it is so: a removal whose answer was lost finds no trust line. */
async function changeLine(
  { desk, scheduler, world }: SimulatedService,
  wished: Parameters<typeof askForAsset>[1],
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await askForAsset(desk, wished);
    if (answer && (answer.status < 300 || answer.code === 'not_found')) return;
    await scheduler.sleep(world, PAUSE_MS);
  }
}

async function payIn(
  world: SimulatedService,
  { id: wallet_id, account }: SimulatedWallet,
  payer: Keypair,
  asset: Asset,
): Promise<void> {
  const { desk, network, scheduler, office } = world;
  const metadata = '{"customer":1}';
  const address = await pastAllGates(world, (deps) =>
    createAddress(deps, onId(wallet_id), { label: null, metadata }),
  );
  desk.addresses.push({ id: address.id, wallet_id, account, memo_id: address.memo_id, metadata });
  const operations = [Operation.payment({ destination: account, asset, amount: PAID_IN })];
  network.submit(network.build(payer, { operations, memo: Memo.id(`${address.memo_id}`) }));
  const isThere = async () => (await office.ask('select id from deposits')).length > 0;
  while (!(await isThere())) await scheduler.sleep(world.world, 500);
}

async function payOut({ desk, scheduler, world }: SimulatedService, wallet: SimulatedWallet, asset: Asset) {
  const order = {
    key: 'key-1',
    serial: 1,
    wallet_id: wallet.id,
    asset: asset.toString(),
    memo_id: 1n,
    destination: desk.accounts.receivers[1]?.publicKey() ?? '',
    amount_stroops: PAID_OUT_STROOPS,
  };
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await ask(desk, order);
    if (answer && answer.status < 500 && answer.code !== 'idempotency_key_in_flight') return;
    await scheduler.sleep(world, PAUSE_MS);
  }
}
