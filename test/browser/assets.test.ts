/** What somebody who works with USDC sees in a browser: from adding the asset to its last withdrawal. */
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk/base';
import type { Page } from 'playwright-core';
import { issuerKeypair } from '../../sandbox/test-assets.ts';
import { eventually } from '../support/eventually.ts';
import { newIssuer } from '../support/issuers.ts';
import { toUnits } from '../support/ledger.ts';
import type { Wallet } from '../support/running-service.ts';
import { whySkipped } from './chromium.ts';
import { heading, setUp } from './setting.ts';

const UNIT = 10_000_000n;

suite('issued assets in the dashboard', { skip: whySkipped() }, () => {
  const set = setUp();
  const issuers = new Map<string, Keypair>();
  before(() => {
    for (const code of ['USDC', 'AUTHUSD', 'CLAWUSD'])
      issuers.set(code, issuerKeypair(set.world.ledger.passphrase, code));
  });

  const issuerOf = (code: string): Keypair => issuers.get(code) as Keypair;
  const assetOf = (code: string) => new Asset(code, issuerOf(code).publicKey());
  const fieldsOf = (code: string) => ({ asset_code: code, asset_issuer: issuerOf(code).publicKey() });
  const textOf = (code: string) => `${code}:${issuerOf(code).publicKey()}`;

  async function add(wallet: Wallet, body: object): Promise<void> {
    const path = `/v1/wallets/${wallet.id}/assets`;
    const { status, text } = await set.world.api('POST', path, { token: set.world.token, body });
    assert.equal(status, 201, text);
  }

  async function payTest(destination: string, code: string, stroops: bigint): Promise<void> {
    const body = { destination, amount_stroops: stroops, ...fieldsOf(code) };
    const { status, text } = await set.world.api('POST', '/v1/sandbox/pay', { token: set.world.token, body });
    assert.equal(status, 201, text);
  }

  /** A customer with so much of a test asset. */
  async function holder(code: string, stroops: bigint): Promise<Keypair> {
    const key = await set.world.ledger.fund();
    await set.world.ledger.apply(key, [Operation.changeTrust({ asset: assetOf(code) })]);
    if (stroops > 0n) await payTest(key.publicKey(), code, stroops);
    return key;
  }

  async function balanceOf(account: string, code: string): Promise<bigint> {
    const line = await set.world.ledger.server.getTrustline(account, assetOf(code));
    return BigInt(`${line.balance}`);
  }

  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) });

  test('USDC is added, taken, given back and paid, and every page names it', async (context) => {
    const wallet = await set.world.newWallet();
    const customer = await holder('USDC', 5n * UNIT);
    const page = await set.open(context);
    const dialog = page.getByRole('dialog');
    await page.goto(`/wallets/${wallet.id}/assets`);
    await button(page, 'Add asset').click();
    await dialog.getByRole('button', { name: /^USDC of / }).click();
    await dialog.getByText('can neither block nor take back').waitFor();
    await button(page, 'Add asset').last().click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('listitem', { name: /^USDC of / })
      .getByText('active')
      .waitFor();
    assert.equal(await balanceOf(wallet.account, 'USDC'), 0n);

    await page.getByRole('link', { name: 'Deposit addresses' }).click();
    await button(page, 'New address').first().click();
    await page.getByLabel('Label').fill('Ada Lovelace');
    await button(page, 'Create address').click();
    await page.getByLabel('Asset', { exact: true }).selectOption(textOf('USDC'));
    const link = page.getByRole('link', { name: 'Open the payment link for USDC' });
    const { searchParams } = new URL((await link.getAttribute('href')) ?? '');
    assert.deepEqual(
      [searchParams.get('asset_code'), searchParams.get('asset_issuer'), searchParams.get('destination')],
      ['USDC', issuerOf('USDC').publicKey(), wallet.account],
    );
    await button(page, 'Pay this address').click();
    await dialog.getByLabel('Amount').fill('25.5');
    await dialog.getByRole('button', { name: 'Pay', exact: true }).click();
    await dialog.getByText('Paid').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: '25.5 USDC' }).click();
    await page.getByRole('heading', { name: /^25\.5 USDC from/ }).waitFor();
    await page.getByRole('row', { name: /^Issuer/ }).waitFor();

    // The overview shows the asset that is chosen, and keeps it over a reload.
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'USDC', exact: true }).click();
    await page.waitForURL(`**/wallets/${wallet.id}?asset=USDC*`);
    await page.reload();
    await page.getByText('Deposits (1)').waitFor();
    await page.getByText('Confirmed USDC payments by UTC day').waitFor();
    await page.getByText('25.5 USDC').nth(3).waitFor(); // each part of the page is read for itself
    assert.equal(await page.getByText('25.5 USDC').count(), 4, 'balance, available, sum and activity');
    assert.equal(await page.getByText('Fees', { exact: true }).count(), 0, 'fees are in XLM');

    // A deposit of nobody is given back in the same asset.
    const operation = Operation.payment({
      destination: wallet.account,
      asset: assetOf('USDC'),
      amount: toUnits(5n * UNIT),
    });
    await set.world.ledger.apply(customer, [operation]);
    await page.getByRole('link', { name: /^Inbox/ }).click();
    await button(page, /^Refund 5 USDC of .* from/).click();
    await dialog.getByText('5 USDC').waitFor();
    await dialog.getByLabel('Reference').fill('x'.repeat(101));
    await dialog.getByText('A reference has at most 100 characters.').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Refund', exact: true }).isDisabled());
    await dialog.getByLabel('Reference').fill('Case 12');
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByText('It is in a closed ledger.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    assert.equal(await balanceOf(customer.publicKey(), 'USDC'), 5n * UNIT);
    await page.getByRole('link', { name: 'Transactions', exact: true }).click();
    await page.getByText('⁨Case 12⁩').waitFor();

    await page.getByRole('link', { name: 'Withdraw', exact: true }).click();
    await page.getByLabel('Asset', { exact: true }).selectOption(textOf('USDC'));
    await page.getByLabel('Destination').fill(customer.publicKey());
    await button(page, 'Max: 25.5 USDC').click();
    await page.getByText('Enough at the destination').waitFor();
    await button(page, 'Review').click();
    await dialog.getByText(issuerOf('USDC').publicKey()).waitFor();
    await dialog.getByRole('button', { name: 'Pay 25.5 USDC' }).click();
    await heading(page, 'Paid').waitFor();
    await page.getByText(issuerOf('USDC').publicKey()).waitFor();
    assert.equal(await balanceOf(customer.publicKey(), 'USDC'), 305_000_000n);
    assert.equal(await balanceOf(wallet.account, 'USDC'), 0n);

    await page.getByRole('link', { name: 'Transactions' }).click();
    for (const amount of ['+25.5 USDC', '−25.5 USDC', '+5 USDC', '−5 USDC'])
      await page.getByText(amount).first().waitFor();

    await page.getByRole('link', { name: 'Assets', exact: true }).click();
    await button(page, /^Remove USDC of /).click();
    await dialog.getByRole('button', { name: 'Remove USDC' }).click();
    await page.getByText('No issued assets yet').waitFor();
  });

  test('what an issuer can do is said before the asset is added; its approval appears by itself', async (context) => {
    const wallet = await set.world.newWallet();
    const page = await set.open(context);
    const dialog = page.getByRole('dialog');
    await page.goto(`/wallets/${wallet.id}/assets`);
    await button(page, 'Add asset').click();
    await dialog.getByRole('button', { name: /^CLAWUSD of / }).click();
    await dialog.getByText('The issuer can take back what the wallet holds (clawback).').waitFor();
    await dialog.getByText('sandbox.invalid').waitFor();
    await dialog.getByRole('button', { name: /^AUTHUSD of / }).click();
    await dialog.getByText('The issuer must approve each holder: until then').waitFor();
    await button(page, 'Add asset').last().click();
    const card = page.getByRole('listitem', { name: /^AUTHUSD of / });
    await card.getByText('not approved', { exact: true }).waitFor();
    await card.getByText('ask the issuer').waitFor();
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    await page.getByLabel('Asset', { exact: true }).selectOption({ label: await optionOf(page, 'AUTHUSD') });
    await page.getByText('ask the issuer').waitFor();

    await page.goto(`/wallets/${wallet.id}/assets`);
    await card.getByText('not approved', { exact: true }).waitFor();
    await set.world.ledger.apply(issuerOf('AUTHUSD'), [
      Operation.setTrustLineFlags({
        trustor: wallet.account,
        asset: assetOf('AUTHUSD'),
        flags: { authorized: true },
      }),
    ]);
    await card.getByText('active').waitFor();
  });

  const optionOf = async (page: Page, code: string): Promise<string> => {
    const options = page.getByLabel('Asset', { exact: true }).locator('option');
    return eventually(`the option of ${code}`, async () =>
      (await options.allInnerTexts()).find(
        (text) => text.startsWith(`${code} of `) && text.includes('not approved'),
      ),
    );
  };

  test('a look-alike is never shown without its issuer and a warning', async (context) => {
    const fake = await newIssuer(set.world.ledger, 'USDC');
    const native = await newIssuer(set.world.ledger, 'XLM');
    const wallet = await set.world.newWallet();
    await add(wallet, fieldsOf('USDC'));
    const page = await set.open(context);
    const dialog = page.getByRole('dialog');
    await page.goto(`/wallets/${wallet.id}/assets`);
    await button(page, 'Add asset').click();
    await dialog.getByLabel('Code').fill('USDC');
    await dialog.getByLabel('Issuer').fill(fake.fields.asset_issuer);
    await dialog.getByText('Looks like another asset').waitFor();
    await dialog.getByText(issuerOf('USDC').publicKey()).waitFor();
    await dialog.getByRole('button', { name: 'Add it anyway' }).click();
    await dialog.waitFor({ state: 'detached' });
    await add(wallet, native.fields);
    await fake.pay(wallet.account, 7n * UNIT);
    await native.pay(wallet.account, 9n * UNIT);

    const short = ({ asset_issuer }: { asset_issuer: string }) =>
      `${asset_issuer.slice(0, 4)}…${asset_issuer.slice(-4)}`;
    for (const path of ['', '/transactions', '/inbox']) {
      await page.goto(`/wallets/${wallet.id}${path}`);
      await page
        .getByText(/^\+?7 USDC$/)
        .first()
        .waitFor();
      // The options of a filter have the same texts, and are not seen.
      const seen = (text: string) => page.getByText(text).filter({ visible: true }).first();
      await seen(short(fake.fields)).waitFor();
      await seen('look-alike').waitFor();
      await seen(`9 XLM of ${short(native.fields)}`).waitFor();
      assert.equal(await page.getByText(/^\+?9 XLM$/).count(), 0, 'no issued asset is shown as XLM');
    }
    await page.goto('/wallets');
    const card = page.getByRole('listitem').filter({ hasText: '7 USDC' });
    await card.getByText('look-alike').first().waitFor();
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    await page.getByLabel('Asset', { exact: true }).selectOption(fake.text);
    await page.getByText(`This is not the USDC of ${issuerOf('USDC').publicKey()}`).waitFor();
  });

  test('an addition whose answer is a 504, or is lost, is followed until its outcome is known', async (context) => {
    const page = await set.open(context, { refusals: true });
    const dialog = page.getByRole('dialog');
    const adds = /\/v1\/wallets\/[^/]+\/assets$/;
    for (const lose of [true, false]) {
      const wallet = await set.world.newWallet();
      await page.goto(`/wallets/${wallet.id}/assets`);
      await page.route(adds, async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        await route.fetch();
        const error = { code: 'outcome_pending', request_id: 'req_1' };
        const json = { statusCode: 504, message: 'It has no outcome yet.', error };
        return lose ? route.abort('connectionreset') : route.fulfill({ status: 504, json });
      });
      await button(page, 'Add asset').click();
      await dialog.getByRole('button', { name: /^USDC of / }).click();
      await dialog.getByText('can neither block').waitFor();
      await button(page, 'Add asset').last().click();
      await dialog.getByText('The wallet can take and pay USDC.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await page
        .getByRole('listitem', { name: /^USDC of / })
        .getByText('active')
        .waitFor();
      await page.unroute(adds);
    }
  });

  test('an addition that the wallet cannot pay says in XLM what is needed, and adds nothing', async (context) => {
    const wallet = await set.world.newWallet();
    const { balance } = (await set.world.ledger.account(wallet.account)) as { balance: bigint };
    const destination = (await set.world.ledger.fund()).publicKey();
    // What is left above the reserve is one more reserve, and no fee.
    const amount_stroops = balance - 15_000_000n - 100n;
    const { body } = await set.world.withdraw(wallet, { destination, amount_stroops });
    assert.equal(body.data.status, 'confirmed');
    const page = await set.open(context, { refusals: true });
    const dialog = page.getByRole('dialog');
    await page.goto(`/wallets/${wallet.id}/assets`);
    await button(page, 'Add asset').click();
    await dialog.getByRole('button', { name: /^USDC of / }).click();
    await dialog.getByText('can neither block').waitFor();
    await button(page, 'Add asset').last().click();
    await dialog
      .getByText(/The wallet needs 0\.5\d+ XLM above its reserve, and lacks 0\.0000\d+ XLM/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('No issued assets yet').waitFor();
  });

  test('a removal says before why it is not possible, and what the service refuses', async (context) => {
    const wallet = await set.world.newWallet();
    await add(wallet, fieldsOf('USDC'));
    const page = await set.open(context, { refusals: true });
    const dialog = page.getByRole('dialog');
    await page.goto(`/wallets/${wallet.id}/assets`);
    await button(page, /^Remove USDC of /).click();
    await dialog.getByText('Payments of USDC to this wallet fail from then on.').waitFor();
    // A payment arrives now. The service refuses to remove the asset, or the dialog sees the payment: nothing is removed.
    await payTest(wallet.account, 'USDC', 3n * UNIT);
    await dialog.getByText('It cannot be removed: the wallet holds 3 USDC').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Remove USDC' }).isDisabled());
    assert.equal(await balanceOf(wallet.account, 'USDC'), 3n * UNIT);
  });

  test('what is paid to the issuer needs a tick, and the last look says that it is destroyed', async (context) => {
    const wallet = await set.world.newWallet();
    await add(wallet, fieldsOf('USDC'));
    await payTest(wallet.account, 'USDC', 8n * UNIT);
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    await page.getByLabel('Asset', { exact: true }).selectOption(textOf('USDC'));
    await page.getByLabel('Destination').fill(issuerOf('USDC').publicKey());
    await page.getByLabel('Amount').fill('8');
    await page.getByText('what is paid to it is destroyed. Tick the box').waitFor();
    assert.ok(await button(page, 'Review').isDisabled());
    const tick = page.getByLabel(/^Destroy this payment/);
    await tick.check();
    await button(page, 'Review').and(page.locator(':enabled')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('the amount is destroyed and reaches').waitFor();
    await dialog.getByRole('button', { name: 'Destroy 8 USDC' }).click();
    await heading(page, 'Paid').waitFor();
    assert.equal(await balanceOf(wallet.account, 'USDC'), 0n);
  });

  test('USDC that never arrived is paid once when it is sent again, after a reload, as the same asset', async (context) => {
    const wallet = await set.world.newWallet();
    const customer = (await holder('USDC', 0n)).publicKey();
    await add(wallet, fieldsOf('USDC'));
    await payTest(wallet.account, 'USDC', 8n * UNIT);
    const page = await set.open(context, { refusals: true });
    const orders = /\/v1\/wallets\/[^/]+\/withdraw$/;
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (orders.test(request.url())) keys.push(request.headers()['idempotency-key']);
    });
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    await page.getByLabel('Asset', { exact: true }).selectOption(textOf('USDC'));
    await page.getByLabel('Destination').fill(customer);
    await page.getByLabel('Amount').fill('3');
    await button(page, 'Review').and(page.locator(':enabled')).click();
    await page.route(orders, (route) => route.abort('connectionreset'));
    await page.getByRole('dialog').getByRole('button', { name: 'Pay 3 USDC' }).click();
    await page.getByText('The response of the service was lost').waitFor();
    await page.reload();
    await page.unroute(orders);
    await page.getByText(issuerOf('USDC').publicKey()).waitFor();
    await button(page, 'Send again').click();
    await heading(page, 'Paid').waitFor();
    assert.equal(await balanceOf(customer, 'USDC'), 3n * UNIT);
    assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
  });

  test('the preview says in words of the asset why the network would fail it', async (context) => {
    const wallet = await set.world.newWallet();
    await add(wallet, fieldsOf('USDC'));
    await payTest(wallet.account, 'USDC', 8n * UNIT);
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    await page.getByLabel('Asset', { exact: true }).selectOption(textOf('USDC'));
    await page.getByLabel('Amount').fill('2');
    await page.getByLabel('Destination').fill(Keypair.random().publicKey());
    await page.getByText('does not exist, and USDC cannot create it').waitFor();
    await page.getByLabel('Destination').fill((await set.world.ledger.fund()).publicKey());
    await page.getByText('The destination has no trust line for USDC of').waitFor();
    await page.getByLabel('Destination').fill((await holder('USDC', 0n)).publicKey());
    await page.getByLabel('Amount').fill('9');
    await page.getByText('The wallet does not hold this much USDC').waitFor();
  });
});
