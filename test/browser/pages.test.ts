/**
 * Every page in both colour schemes, on a wide window and on a phone: axe finds nothing, nothing is wider than its window, the
 * console stays empty, and nobody else is asked. Their pictures, for a person to look at, go to test/browser/screenshots/.
 */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk/base';
import type { Page } from 'playwright-core';
import { DASHBOARD_DIR } from '../../src/api/pages.ts';
import type { Receiver } from '../support/receiver.ts';
import { whySkipped } from './chromium.ts';
import { type Lived, liveIn } from './lived-in.ts';
import { type AssetsLived, liveWithAssets } from './lived-in-assets.ts';
import { check, SCREENSHOTS } from './looks.ts';
import { fillWithdrawal, heading, setUp, signIn } from './setting.ts';
import { openTab, PHONE, WIDE } from './tab.ts';

type Shown = {
  name: string;
  path: (lived: Lived) => string;
  /** A text of the page once it is there. */
  with: string;
  /** What is opened on it. */
  click?: string;
};

const inWallet = (name: string, path: string | ((lived: Lived) => string), text: string): Shown => ({
  name,
  path: (lived) => `/wallets/${lived.wallet.id}${typeof path === 'string' ? path : path(lived)}`,
  with: text,
});
const inEmpty = (name: string, path: string, text: string): Shown => ({
  name: `${name}, empty`,
  path: ({ empty }) => `/wallets/${empty.id}${path}`,
  with: text,
});

const PAGES: Shown[] = [
  { name: 'wallets', path: () => '/wallets', with: 'New and empty' },
  { name: 'wallet, new', path: () => '/wallets', with: 'New and empty', click: 'New wallet' },
  { name: 'account', path: () => '/account', with: 'Change password' },
  { name: 'security', path: () => '/security', with: 'this session' },
  inWallet('overview', '', 'Latest activity'),
  inEmpty('overview', '', 'Latest activity'),
  { ...inWallet('wallet, settings', '', 'Latest activity'), click: 'Settings' },
  inWallet('transactions', '/transactions', '−15 XLM'),
  inWallet('transactions, nothing found', '/transactions?search=nowhere', 'No results'),
  inWallet('transactions, explain', '/transactions?explain=', 'A customer says they paid'),
  inWallet('deposit', ({ deposit }) => `/deposits/${deposit}`, 'Acknowledged by'),
  inWallet('deposit of no address', ({ unattributed }) => `/deposits/${unattributed}`, 'Open the inbox'),
  inWallet('withdrawal', ({ paid }) => `/withdrawals/${paid}`, 'Technical details'),
  inWallet('withdrawal, failed', ({ failed }) => `/withdrawals/${failed}`, 'Failed: nothing was paid'),
  inWallet('inbox', '/inbox', 'invoice 7'),
  { ...inWallet('inbox, assign', '/inbox', 'invoice 7'), click: 'Assign' },
  { ...inWallet('inbox, refund', '/inbox', 'invoice 7'), click: 'Refund' },
  inWallet('addresses', '/addresses', 'Ada Lovelace'),
  inEmpty('addresses', '/addresses', 'No deposit addresses yet'),
  { ...inWallet('address, new', '/addresses', 'Ada Lovelace'), click: 'New address' },
  inWallet('address', ({ address }) => `/addresses/${address}`, 'QR code'),
  {
    ...inWallet('address, pay', ({ address }) => `/addresses/${address}`, 'QR code'),
    click: 'Pay this address',
  },
  inWallet('withdraw', '/withdraw', 'before you send it'),
  inWallet('policies', '/policies', 'Maximum per withdrawal'),
  { ...inWallet('policies, freeze', '/policies', 'Maximum per withdrawal'), click: 'Freeze' },
  inWallet('developers', '/developers', 'Books deposits to customers'),
  inEmpty('developers', '/developers', 'No endpoints yet'),
  inWallet('api keys', '/developers?tab=keys', 'Last used'),
  inWallet('examples', '/developers?tab=examples', 'Local development'),
  { ...inWallet('api key, regenerate', '/developers?tab=keys', 'Last used'), click: 'Regenerate' },
  {
    ...inWallet('endpoint, add', '/developers', 'Books deposits to customers'),
    click: 'Add endpoint',
  },
  inWallet('endpoint', ({ endpoint }) => `/developers/webhooks/${endpoint}`, 'deposit.created'),
  inWallet('endpoint, failing', ({ failing }) => `/developers/webhooks/${failing}`, 'Every attempt since'),
  inWallet(
    'delivery',
    ({ failing, delivery }) => `/developers/webhooks/${failing}?delivery=${delivery}`,
    'down for maintenance',
  ),
  inWallet('nothing here', '/nowhere', 'Page not found'),
];

suite('every page of the dashboard', { skip: whySkipped() }, () => {
  const set = setUp();
  const there = {} as { lived: Lived; receiver: Receiver; assets: AssetsLived };

  before(async () => {
    Object.assign(there, await liveIn(set.world), { assets: await liveWithAssets(set.world) });
  });
  after(async () => {
    await there.receiver?.close();
    console.log(`Pictures of every page, to look at: ${SCREENSHOTS}`);
  });

  test('the sign-in is accessible in both schemes, and fits on a phone', async (context) => {
    const page = await set.open(context, { signed_in: false });
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await check(page, 'sign-in');
  });

  // Half of the time one tab waits. Without the option its tests would wait for those of the other.
  test('the pages are accessible in both schemes, and fit on a phone', {
    concurrency: 2,
  }, async (context) => {
    const left = PAGES.values();
    await Promise.all(
      [1, 2].map(async () => {
        const page = await set.open(context);
        for (const shown of left) await context.test(shown.name, () => visit(page, shown));
      }),
    );
  });

  test('so is what is shown where a page cannot be loaded, which names it and leads back', async (context) => {
    const { page, problems } = await openTab(set.browser, set.world.service.url, { refusals: true });
    context.after(() => page.context().close());
    await signIn(page, set.password);
    const chunk = '**/assets/account-*.js';
    await page.route(chunk, (route) => route.abort('connectionreset'));
    await page.goto('/account');
    await heading(page, 'This page could not be loaded').waitFor();
    assert.equal(await page.getByRole('main').count(), 1);
    await check(page, 'not shown');
    await page.unroute(chunk);
    await page.getByRole('button', { name: 'Reload' }).click();
    await heading(page, 'Account').waitFor();
    assert.notEqual(problems.length, 0, 'the console tells it');
    // The navigation asks for the module, and so does loadAllPages, sooner or later.
    for (const problem of problems) assert.match(problem, /^console: .*\/assets\/account-.*\.js/);
  });

  test('who was paid has a name in every list of transactions and in an explanation, on a phone too', async (context) => {
    const page = await set.open(context);
    const { wallet, deposit, endpoint } = there.lived;
    const path = `/v1/wallets/${wallet.id}/deposits/${deposit}`;
    const { body } = await set.world.api('GET', path, { token: set.world.token });
    for (const size of [WIDE, PHONE]) {
      await page.setViewportSize(size);
      for (const list of ['', '/transactions']) {
        await page.goto(`/wallets/${wallet.id}${list}`);
        await page.getByRole('link', { name: 'Ada Lovelace' }).first().waitFor();
      }
      await page
        .getByText(/^Deposit from G\w{5}….*memo \d+$/)
        .first()
        .waitFor();
      await page.goto(`/wallets/${wallet.id}/transactions?explain=${body.data.stellar_tx_hash}`);
      await page.getByRole('dialog').getByText('Ada Lovelace').first().waitFor();
      await page.goto(`/wallets/${wallet.id}/developers/webhooks/${endpoint}`);
      await page.getByRole('link', { name: 'Ada Lovelace' }).first().click();
      const drawer = page.getByRole('dialog', { name: 'Delivery' });
      await drawer.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    }
  });

  test('so are the last look before a payment, its outcome, and a secret that is shown once', async (context) => {
    const page = await set.open(context);
    const { wallet } = there.lived;
    const destination = Keypair.random().publicKey();
    const order = { destination, amount: '5', memo_id: '7', reference: 'Order 4711' };
    const pay = await fillWithdrawal(page, wallet, order);
    await page.getByRole('dialog').getByRole('row', { name: 'Reference ⁨Order 4711⁩' }).waitFor();
    await check(page, 'withdraw, review');
    await pay.click();
    await heading(page, 'Paid').waitFor();
    await page.getByText('Reference: ⁨Order 4711⁩').waitFor();
    await check(page, 'withdraw, paid');

    await page.goto(`/wallets/${wallet.id}`);
    await page.getByRole('listitem').getByText('· ⁨Order 4711⁩').waitFor();
    await page.goto(`/wallets/${wallet.id}/developers?tab=keys`);
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('button', { name: 'Regenerate and revoke the old key' }).click();
    await page.getByText('Nobody can show this again').waitFor();
    await check(page, 'api key, shown once');
  });

  test('so is what shows issued assets: thirty of them, a look-alike, one that is not approved', async (context) => {
    const page = await set.open(context);
    const { wallet, address, usdc, fake, many, customer, issuer } = there.assets;
    const dialog = page.getByRole('dialog');
    const at = async (path: string, text: string) => {
      await page.setViewportSize(WIDE);
      await page.goto(`/wallets/${wallet.id}${path}`);
      await page.getByText(text).first().waitFor();
    };
    await page.goto('/wallets');
    await page.getByText('look-alike').first().waitFor();
    await check(page, 'assets, wallets');
    await at(`?asset=${usdc}`, 'Deposits (2)');
    await check(page, 'assets, overview');
    await page.setViewportSize(WIDE);
    await page.goto(`/wallets/${many.id}`);
    await page.getByRole('button', { name: 'Show all 31' }).click();
    await check(page, 'assets, overview with thirty');
    await page.goto(`/wallets/${many.id}/assets`);
    await page.getByText('M29').first().waitFor();
    await check(page, 'assets, thirty');
    await at('/assets', 'not approved');
    await check(page, 'assets');
    for (const [name, chosen] of [
      ['look-alike', fake],
      ['clawback', { asset_code: 'CLAWUSD', asset_issuer: issuer('CLAWUSD') }],
    ] as const) {
      await page.setViewportSize(WIDE);
      await page.reload();
      await page.getByRole('button', { name: 'Add asset' }).click();
      await dialog.getByLabel('Code').fill(chosen.asset_code);
      await dialog.getByLabel('Issuer').fill(chosen.asset_issuer);
      await dialog.getByText('Issued by').waitFor();
      await check(page, `assets, add ${name}`);
    }
    await at('/assets', 'not approved');
    await page
      .getByRole('button', { name: /^Remove USDC of/ })
      .first()
      .click();
    await check(page, 'assets, remove');
    await at('/transactions', 'look-alike');
    await check(page, 'assets, transactions');
    await at('/inbox', 'look-alike');
    await check(page, 'assets, inbox');
    await page
      .getByRole('button', { name: /^Refund / })
      .first()
      .click();
    await check(page, 'assets, refund');
    await at(`/addresses/${address}`, 'QR code');
    await page.getByLabel('Asset', { exact: true }).selectOption(usdc);
    await page.getByText('Open the payment link for USDC').waitFor();
    await check(page, 'assets, address');
    await at('/withdraw', 'before you send it');
    await page.getByLabel('Asset', { exact: true }).selectOption(usdc);
    await page.getByLabel('Destination').fill(issuer('USDC'));
    await page.getByLabel('Amount').fill('2');
    await page.getByText('Tick the box').waitFor();
    await check(page, 'assets, withdraw to the issuer');
    await page.getByLabel('Destination').fill(customer);
    await page.getByText('Enough at the destination').waitFor();
    await page.getByRole('button', { name: 'Review' }).and(page.locator(':enabled')).click();
    await check(page, 'assets, withdraw, review');
    await dialog.getByRole('button', { name: 'Pay 2 USDC' }).click();
    await heading(page, 'Paid').waitFor();
    await check(page, 'assets, withdraw, paid');
  });

  async function visit(page: Page, { name, path, with: text, click }: Shown): Promise<void> {
    await page.setViewportSize(WIDE);
    await page.goto(path(there.lived));
    await page.getByText(text).first().waitFor();
    if (click) await page.getByRole('button', { name: click }).first().click();
    await check(page, name);
  }

  test('they come with a policy that lets them load from and ask the service alone', async () => {
    const { headers } = await fetch(`${set.world.service.url}/wallets`);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'(;|$)/);
    assert.match(policy, /connect-src 'self'(;|$)/);
    assert.match(policy, /frame-ancestors 'none'/);
  });
});

const INITIAL_MAX_BYTES = 200_000;

test('what index.html loads is at most 200 kB of compressed JavaScript', { skip: whySkipped() }, () => {
  const html = readFileSync(join(DASHBOARD_DIR, 'index.html'), 'utf8');
  const scripts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(
    ([, path]) => path as string,
  );
  assert.ok(scripts.length > 0);
  const bytes = scripts.map((path) => statSync(join(DASHBOARD_DIR, `${path}.gz`)).size);
  const total = bytes.reduce((sum, one) => sum + one, 0);
  assert.ok(total <= INITIAL_MAX_BYTES, `${total} bytes in ${scripts.length} files`);
});
