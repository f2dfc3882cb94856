/** A wallet that has seen what happens with issued assets, and one that has thirty of them. */
import assert from 'node:assert/strict';
import { Asset, Operation } from '@stellar/stellar-sdk/base';
import { issuerKeypair } from '../../sandbox/test-assets.ts';
import { newIssuer } from '../support/issuers.ts';
import { toUnits } from '../support/ledger.ts';
import type { RunningService, Wallet } from '../support/running-service.ts';

export type AssetsLived = {
  wallet: Wallet;
  many: Wallet;
  /** Id of a deposit address of `wallet`. */
  address: string;
  /** CODE:ISSUER of the test asset. */
  usdc: string;
  /** Looks like it. */
  fake: { asset_code: string; asset_issuer: string };
  /** Holds the test asset. */
  customer: string;
  issuer(code: string): string;
};

const UNIT = 10_000_000n;
const MANY = 30;

export async function liveWithAssets(world: RunningService): Promise<AssetsLived> {
  const { ledger, token } = world;
  const issuer = (code: string) => issuerKeypair(ledger.passphrase, code).publicKey();
  const testAsset = (asset_code: string) => ({ asset_code, asset_issuer: issuer(asset_code) });
  const [wallet, many] = [await create(world, 'Dollars and euros'), await create(world, 'Thirty assets')];
  const add = async ({ id }: Wallet, body: object) => {
    const { status, text } = await world.api('POST', `/v1/wallets/${id}/assets`, { token, body });
    assert.equal(status, 201, text);
  };
  const fake = await newIssuer(ledger, 'USDC');
  const all = [testAsset('USDC'), testAsset('AUTHUSD'), testAsset('CLAWUSD'), fake.fields];
  await Promise.all(all.map((asset) => add(wallet, asset)));
  const codes = Array.from({ length: MANY }, (_, index) => `M${index}`);
  await Promise.all(codes.map((asset_code) => add(many, { ...fake.fields, asset_code })));

  const made = await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, {
    token,
    body: { label: 'Grace Hopper' },
  });
  const { id, address } = made.body.data;
  const pay = async (destination: string, code: string, stroops: bigint) => {
    const body = { destination, amount_stroops: stroops, ...testAsset(code) };
    const { status, text } = await world.api('POST', '/v1/sandbox/pay', { token, body });
    assert.equal(status, 201, text);
  };
  await pay(address, 'USDC', 1_234_567n * UNIT);
  await pay(address, 'CLAWUSD', 5n * UNIT);
  await fake.pay(wallet.account, 7n * UNIT);
  const customer = await ledger.fund();
  const usdc = new Asset('USDC', issuer('USDC'));
  await ledger.apply(customer, [Operation.changeTrust({ asset: usdc })]);
  const amount = toUnits(42n * UNIT);
  await pay(customer.publicKey(), 'USDC', 42n * UNIT);
  const { hash } = await ledger.apply(customer, [
    Operation.payment({ destination: wallet.account, asset: usdc, amount }),
  ]);
  await world.depositsOf(wallet, hash);
  return {
    wallet,
    many,
    address: id,
    issuer,
    usdc: `USDC:${issuer('USDC')}`,
    fake: fake.fields,
    customer: customer.publicKey(),
  };
}

async function create(world: RunningService, name: string): Promise<Wallet> {
  const { status, text, body } = await world.api('POST', '/v1/wallets', {
    token: world.token,
    body: { name },
  });
  assert.equal(status, 201, text);
  return body.data;
}
