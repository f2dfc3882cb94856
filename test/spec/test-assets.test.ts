/** The sandbox's test assets, as the service names and pays them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Asset, type Keypair, Operation } from '@stellar/stellar-sdk/base';
import { eventually } from '../support/eventually.ts';
import { mistyped } from '../support/mistyped.ts';
import {
  assertError,
  assertFault,
  type RunningService,
  startRunningService,
} from '../support/running-service.ts';
import { teller } from '../support/service.ts';

const UNIT = 10_000_000n;

type TestAsset = { asset_code: string; asset_issuer: string; note: string };

let world: RunningService;
let assets: TestAsset[];
let holder: Keypair;
before(async () => {
  world = await startRunningService();
  assets = (await world.api('GET', '/v1/service')).body.data.test_assets;
  holder = await world.ledger.fund();
});
after(() => world.stop());

const named = ([code]: TemplateStringsArray) => {
  const found = assets.find(({ asset_code }) => asset_code === code);
  assert.ok(found, code);
  const { note: _, ...asset } = found;
  return asset;
};
const pay = (body: object) => world.api('POST', '/v1/sandbox/pay', { token: world.token, body });

function lineOf({ asset_code, asset_issuer }: Omit<TestAsset, 'note'>) {
  return world.ledger.server.getTrustline(holder.publicKey(), new Asset(asset_code, asset_issuer));
}

/** The issuers come with the first ledgers. A trust line is refused as long as they are not there. */
async function trust({ asset_code, asset_issuer }: Omit<TestAsset, 'note'>): Promise<void> {
  await eventually(`the issuer of ${asset_code}`, () => world.ledger.account(asset_issuer));
  const operation = Operation.changeTrust({ asset: new Asset(asset_code, asset_issuer) });
  const { successful } = await world.ledger.apply(holder, [operation]);
  assert.ok(successful);
}

async function command(...args: string[]): Promise<{ code: number | null; output: string }> {
  return await teller(['sandbox', ...args], { DATA_DIR: world.service.data_dir });
}

describe('the test assets of the sandbox', () => {
  it('are listed for anyone: one is free to hold, one needs authorization, one can be clawed back', () => {
    assert.deepEqual(
      assets.map(({ asset_code }) => asset_code),
      ['USDC', 'AUTHUSD', 'CLAWUSD'],
    );
    for (const { asset_issuer, note } of assets) {
      assert.match(asset_issuer, /^G[A-Z2-7]{55}$/);
      assert.notEqual(note, '');
    }
  });

  it('are paid by their issuers to an address with a trust line, with a memo id', async () => {
    await trust(named`USDC`);
    const memo_id = 2n ** 64n - 1n;
    const order = { destination: holder.publicKey(), amount_stroops: 25n * UNIT, memo_id, ...named`USDC` };
    const paid = await pay(order);
    assert.equal(paid.status, 201, paid.text);
    const { envelope } = await world.ledger.transaction(paid.body.data.stellar_tx_hash);
    assert.equal(`${envelope.memo.value}`, `${memo_id}`);
    assert.equal((await lineOf(named`USDC`)).balance, 25n * UNIT);
  });

  it('are not paid where the network refuses it: 422 with its reason', async () => {
    const without = {
      destination: (await world.ledger.fund()).publicKey(),
      amount_stroops: 1,
      ...named`USDC`,
    };
    const answer = await pay(without);
    assertError(answer, 422, 'sandbox_payment_failed');
    assert.match(answer.body.message, /the receiver has no trust line for the asset/);
  });

  it('are named by code and issuer together; another asset gets 400', async () => {
    const order = { destination: holder.publicKey(), amount_stroops: 1 };
    const { asset_code, asset_issuer } = named`USDC`;
    assertFault(await pay({ ...order, asset_code }), '/asset_issuer');
    assertFault(await pay({ ...order, asset_issuer }), '/asset_code');
    assertFault(await pay({ ...order, asset_code, asset_issuer: mistyped(asset_issuer) }), '/asset_issuer');
    assertFault(await pay({ ...order, asset_code: 'EURC', asset_issuer }), '/asset_issuer');
    assertFault(await pay({ ...order, asset_code, asset_issuer: holder.publicKey() }), '/asset_issuer');
  });

  it('are paid, authorized, revoked and clawed back by commands', async () => {
    const address = holder.publicKey();
    await trust(named`AUTHUSD`);
    const refused = await command('pay', address, '2', '--asset', 'AUTHUSD');
    assert.equal(refused.code, 1);
    assert.match(refused.output, /^Nothing was done\. Refused: the receiver is not authorized/);
    const authorized = await command('authorize', address, '--asset', 'AUTHUSD');
    assert.match(
      authorized.output,
      /^Authorized AUTHUSD for G\w+ in ledger \d+, transaction [0-9a-f]{64}\.$/m,
    );
    const paid = await command('pay', address, '2', '--asset', `AUTHUSD:${named`AUTHUSD`.asset_issuer}`);
    assert.match(paid.output, /^Paid 2 AUTHUSD to G/);
    assert.match((await command('revoke', address, '--asset', 'AUTHUSD')).output, /^Revoked AUTHUSD for G/);
    assert.equal((await lineOf(named`AUTHUSD`)).flags, 0);

    await trust(named`CLAWUSD`);
    await command('pay', address, '2', '--asset', 'CLAWUSD');
    const clawed = await command('claw-back', address, '0.5', '--asset', 'CLAWUSD');
    assert.match(clawed.output, /^Clawed back 0\.5 CLAWUSD from G/);
    assert.equal((await lineOf(named`CLAWUSD`)).balance, (3n * UNIT) / 2n);
  });

  it('are the only ones that commands know', async () => {
    const { code, output } = await command('pay', holder.publicKey(), '1', '--asset', 'EURC');
    assert.equal(code, 1);
    assert.match(output, /^EURC is not a test asset\. This network has USDC, AUTHUSD, CLAWUSD\.$/m);
  });
});
