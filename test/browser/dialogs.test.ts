/** Dialogs: a secret that is shown once cannot be missed, and whoever works by keyboard is never lost behind one. */
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk/base';
import type { Page } from 'playwright-core';
import { whySkipped } from './chromium.ts';
import { fillWithdrawal, heading, setUp } from './setting.ts';
import { PHONE, settled } from './tab.ts';

suite('a secret that is on its way', { skip: whySkipped() }, () => {
  const set = setUp();

  /** Holds the answer to the request of `order`, tries everything that could leave the dialog, then lets the answer come. */
  async function tryToMiss(page: Page, url: string | RegExp, order: () => Promise<void>): Promise<void> {
    const answer = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route(url, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      asked.resolve();
      await answer.promise;
      await route.continue();
    });
    await order();
    await asked.promise;
    const { pathname } = new URL(page.url());
    await page.keyboard.press('Escape');
    await page.mouse.click(4, 400);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
    await page.goBack();
    await page.waitForURL(`**${pathname}`);
    answer.resolve();
  }

  async function stored(page: Page, what: string): Promise<string> {
    const secret = await page.getByRole('dialog').getByLabel(what, { exact: true }).innerText();
    await page.getByLabel(`I have stored the ${what}`).check();
    await page.getByRole('dialog').getByRole('button').last().click();
    return secret;
  }

  test('is shown, whatever is pressed before the answer: the API key of a new wallet, and a regenerated one', async (context) => {
    const page = await set.open(context);
    const status = async (id: string, token: string) =>
      (await set.world.api('GET', `/v1/wallets/${id}`, { token })).status;
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Account and password' }).click();
    await heading(page, 'Account').waitFor();
    await page.getByRole('link', { name: 'Stellar Teller, all wallets' }).click();
    await page.getByRole('button', { name: 'New wallet' }).click();
    await page.getByLabel('Name').fill('Not missed');
    await tryToMiss(page, /\/v1\/wallets$/, () =>
      page.getByRole('button', { name: 'Create wallet' }).click(),
    );
    const first = await stored(page, 'API key');
    await page.waitForURL('**/wallets/wal_*');
    const id = new URL(page.url()).pathname.split('/').at(-1) as string;
    assert.equal(await status(id, first), 200);

    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('tab', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await tryToMiss(page, '**/api-key/regenerate', () =>
      page.getByRole('button', { name: 'Regenerate and revoke the old key' }).click(),
    );
    const second = await stored(page, 'API key');
    assert.equal(await status(id, first), 401);
    assert.equal(await status(id, second), 200);
  });

  test('is shown, whatever is pressed before the answer: the signing secret of a new endpoint, and a rotated one', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context);
    await page.goto(`/wallets/${id}`);
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://hook.example.com/');
    await tryToMiss(page, '**/webhooks', () => dialog.getByRole('button', { name: 'Add endpoint' }).click());
    const first = await stored(page, 'signing secret');
    await page.getByRole('link', { name: 'https://hook.example.com/' }).click();
    await page.getByRole('button', { name: 'Manage' }).click();
    await page.getByRole('menuitem', { name: 'Rotate signing secret' }).click();
    await tryToMiss(page, '**/rotate-secret', () => dialog.getByRole('button', { name: 'Rotate' }).click());
    const second = await stored(page, 'signing secret');
    assert.match(second, /^whsec_/);
    assert.notEqual(second, first);
  });

  test('is shown though Escape comes in the same moment as the click that asks for it', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context);
    await page.goto(`/wallets/${id}/developers?tab=keys`);
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('button', { name: 'Regenerate and revoke the old key' }).waitFor();
    await page.evaluate(`(() => {
      const regenerate = [...document.querySelectorAll('[role=dialog] button')].at(-1);
      regenerate.click();
      regenerate.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    })()`);
    assert.match(await stored(page, 'API key'), /^svc_sk_/);
  });

  test('that may be made, though a proxy gave the answer, is said to be', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    await page.goto(`/wallets/${id}/developers?tab=keys`);
    await page.route('**/api-key/regenerate', (route) =>
      route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }),
    );
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('button', { name: 'Regenerate and revoke the old key' }).click();
    await page.getByText('The old key may no longer work').waitFor();
  });

  test('is copied where browsers give pages no clipboard, too: over http in a private network', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context);
    await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await page.goto(`/wallets/${id}/developers?tab=keys`);
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('button', { name: 'Regenerate and revoke the old key' }).click();
    await page.getByRole('button', { name: 'Copy the API key' }).click();
    await page.getByRole('button', { name: 'Copied the API key' }).waitFor();
    const api_key = await stored(page, 'API key');
    await page.goto(`/wallets/${id}/addresses`);
    const field = page.getByRole('searchbox');
    await field.focus();
    await page.keyboard.press('Control+V');
    assert.equal(await field.inputValue(), api_key);
  });
});

suite('by keyboard', { skip: whySkipped() }, () => {
  const set = setUp();
  const paths = {} as { wallet: string; address: string; endpoint: string };
  before(async () => {
    const { id, api_key: token } = await set.world.newWallet();
    const make = async (what: string, body: object) =>
      (await set.world.api('POST', `/v1/wallets/${id}/${what}`, { token, body })).body.data.id;
    const wallet = `/wallets/${id}`;
    Object.assign(paths, {
      wallet,
      address: `${wallet}/addresses/${await make('addresses', {})}`,
      endpoint: `${wallet}/developers/webhooks/${await make('webhooks', { url: 'https://hook.example.com/' })}`,
    });
    await set.world.ledger.pay(set.world.ledger.root, await accountOf(id), 10_000_000n);
  });

  async function accountOf(id: string): Promise<string> {
    return (await set.world.api('GET', `/v1/wallets/${id}`, { token: set.world.token })).body.data.account;
  }

  const focused = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();

  for (const [name, path] of [
    ['New wallet', () => '/wallets'],
    ['Settings', () => paths.wallet],
    ['New address', () => `${paths.wallet}/addresses`],
    ['Pay this address', () => paths.address],
    ['Freeze', () => `${paths.wallet}/policies`],
    ['Regenerate', () => `${paths.wallet}/developers?tab=keys`],
    ['Add endpoint', () => `${paths.wallet}/developers`],
    ['Replay', () => paths.endpoint],
  ] as [string, () => string][])
    test(`who closes the dialog of “${name}” is again at its button`, async (context) => {
      const page = await set.open(context);
      await page.goto(path());
      const button = page.getByRole('button', { name, exact: true }).first();
      // “Pay this address” is disabled until the address is loaded, and takes no focus before.
      await button.and(page.locator(':enabled')).waitFor();
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await settled(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await focused(page, name);
    });

  test('who closes a dialog that a menu has opened is at the button of the menu', async (context) => {
    const page = await set.open(context);
    await page.goto(paths.endpoint);
    await page.getByRole('button', { name: 'Manage' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Edit' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Edit the endpoint' }).waitFor();
    await settled(page);
    await page.keyboard.press('Escape');
    await focused(page, 'Manage');
  });

  test('who has stored a key, or looked a payment over, goes on where it began', async (context) => {
    const page = await set.open(context);
    await page.goto(`${paths.wallet}/developers?tab=keys`);
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('button', { name: 'Regenerate and revoke the old key' }).click();
    await page.getByLabel('I have stored the API key').check();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('dialog', { name: 'Endpoints of the key' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await focused(page, 'Regenerate');
    const id = paths.wallet.split('/').at(-1) as string;
    await fillWithdrawal(page, { id }, { destination: Keypair.random().publicKey(), amount: '5' });
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.closest("form") !== null'), true);
  });

  test('a row that is opened leads to the heading of its page', async (context) => {
    const page = await set.open(context);
    await page.goto(`${paths.wallet}/addresses`);
    await page.locator('.row-link').first().focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Deposit address').and(page.locator(':focus')).waitFor();
  });

  test('Tab leads to nothing that a narrow window does not show', async (context) => {
    const page = await set.open(context);
    await page.setViewportSize(PHONE);
    await page.goto(paths.wallet);
    await heading(page, 'Latest activity').waitFor();
    const in_navigation = `document.activeElement.closest('nav') !== null`;
    for (let step = 0; step < 8; step++) {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(in_navigation), false, `after ${step + 1} times`);
    }
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('link', { name: 'Policies' }).click();
    await heading(page, 'Policies').waitFor();
  });
});
