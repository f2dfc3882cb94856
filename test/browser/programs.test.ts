/** Access for programs in the dashboard: service users of the team, named API keys of a wallet, and what a key has registered. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import type { Page } from 'playwright-core';
import { whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import { setUp, signIn } from './setting.ts';
import { settled } from './tab.ts';

const PASSWORD = 'a long enough secret';

suite('access for programs', { skip: whySkipped() }, () => {
  const set = setUp();

  async function asked(method: string, path: string, body: object, token = set.world.token) {
    const answer = await set.world.api(method, path, { token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const dialog = (page: Page) => page.getByRole('dialog');

  async function stored(page: Page, what: string): Promise<string> {
    const secret = await dialog(page).getByLabel(what, { exact: true }).innerText();
    await dialog(page).getByLabel(`I have stored the ${what}`).check();
    return secret;
  }

  async function closed(page: Page): Promise<void> {
    await dialog(page).waitFor({ state: 'detached' });
  }

  const exchange = (client_id: string, client_secret: string) =>
    set.world.api('POST', '/v1/auth/token', {
      body: { grant_type: 'client_credentials', client_id, client_secret },
    });

  async function manage(page: Page, name: string, item: string): Promise<void> {
    await button(page, `Manage the service user ${name}`).click();
    await page.getByRole('menuitem', { name: item }).click();
  }

  test('a service user: made, its secret shown once; another secret, the first one retired; disabled, enabled, removed, with the offer to disable its endpoint', async (context) => {
    const page = await set.open(context);
    await page.goto('/team');
    await button(page, 'New service user').click();
    await dialog(page).getByLabel('Name').fill('Payouts');
    await dialog(page).getByRole('radio', { name: 'Operator' }).check();
    await dialog(page).getByLabel('Addresses').fill('127.0.0.0/8\n::1');
    assert.equal(
      await dialog(page)
        .getByRole('radio', { name: /^Owner/ })
        .count(),
      0,
    );
    await check(page, 'service users, new');
    await button(page, 'Create').click();
    await check(page, 'service users, secret');
    const client_id = await dialog(page).locator('code', { hasText: /^svu_/ }).innerText();
    const first = await stored(page, 'client secret');
    await button(page, 'Done').click();
    await closed(page);
    assert.equal((await exchange(client_id, first)).status, 200);
    await page.getByText(`secret …${first.slice(-4)}`).waitFor();

    await manage(page, 'Payouts', 'Secrets');
    await button(page, 'Add a secret').click();
    const second = await stored(page, 'client secret');
    await button(page, 'Done').click();
    await closed(page);
    assert.equal((await exchange(client_id, first)).status, 200);
    await manage(page, 'Payouts', 'Secrets');
    await button(page, `Retire the secret …${second.slice(-4)}`).waitFor();
    assert.ok(await button(page, 'Add a secret').isDisabled());
    await check(page, 'service users, secrets');
    await button(page, `Retire the secret …${first.slice(-4)}`).click();
    await button(page, `Retire the secret …${first.slice(-4)}`).waitFor({ state: 'detached' });
    await button(page, 'Done').click();
    await closed(page);
    assert.equal((await exchange(client_id, first)).status, 401);
    const { access_token } = (await exchange(client_id, second)).body;

    await manage(page, 'Payouts', 'Change');
    await dialog(page).getByRole('radio', { name: 'Viewer' }).check();
    await dialog(page).getByLabel('Addresses').fill('');
    await check(page, 'service users, change');
    await button(page, 'Save').click();
    await closed(page);
    await page.getByText('Viewer · All wallets · from every address').waitFor();

    await manage(page, 'Payouts', 'Change');
    await dialog(page).getByRole('radio', { name: 'Developer' }).check();
    await button(page, 'Save').click();
    await closed(page);
    const wallet = await set.world.newWallet();
    const url = 'http://127.0.0.1:9/of-a-program';
    await asked('POST', `/v1/wallets/${wallet.id}/webhooks`, { url }, access_token);

    await manage(page, 'Payouts', 'Disable');
    await dialog(page).getByText('Its tokens end').waitFor();
    await dialog(page).getByRole('button', { name: 'Disable' }).click();
    await dialog(page).getByText('These endpoints go on').waitFor();
    await button(page, `Disable ${url}`).waitFor();
    await check(page, 'service users, endpoints');
    await button(page, 'Done').click();
    await closed(page);
    await page.getByText('disabled', { exact: true }).waitFor();
    const me = await set.world.api('GET', '/v1/auth/me', { token: access_token });
    assert.equal(me.status, 401);
    await check(page, 'service users');
    await manage(page, 'Payouts', 'Enable');
    await dialog(page).getByRole('button', { name: 'Enable' }).click();
    await closed(page);
    assert.equal((await exchange(client_id, second)).status, 200);
    await manage(page, 'Payouts', 'Remove');
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No service users yet').waitFor();
    await button(page, `Disable ${url}`).click();
    await dialog(page).getByRole('status').waitFor();
    await button(page, 'Done').click();
    await closed(page);
    await page.getByText('No service users yet').waitFor();
    assert.equal((await exchange(client_id, second)).status, 401);
  });

  test('a service user with a public key; what is wrong with the key or an address is said at its field', async (context) => {
    const { publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const jwk = await exportJWK(publicKey);
    const page = await set.open(context, { refusals: true });
    await page.goto('/team');
    await button(page, 'New service user').click();
    await dialog(page).getByLabel('Name').fill('Ledger');
    await dialog(page).getByRole('radio', { name: 'Operator' }).check();
    await dialog(page).getByLabel('A public key of yours').check();
    const keys = dialog(page).getByLabel('Public keys');
    await keys.fill('no key');
    await button(page, 'Create').click();
    await dialog(page).getByText('This is no JSON Web Key.').waitFor();
    await keys.fill(JSON.stringify({ keys: [{ ...jwk, d: 'secret' }] }));
    await button(page, 'Create').click();
    await dialog(page).getByText('Key 1, d: is not a known field.').waitFor();
    await keys.fill(JSON.stringify(jwk));
    await dialog(page).getByLabel('Addresses').fill('203.0.113.0/24 localhost');
    await button(page, 'Create').click();
    await dialog(page).getByText('localhost must be an address or a CIDR block').waitFor();
    await check(page, 'service users, wrong address');
    await dialog(page).getByLabel('Addresses').fill('203.0.113.0/24');
    await button(page, 'Create').click();
    assert.match(await stored(page, 'client id'), /^svu_/);
    await button(page, 'Done').click();
    await closed(page);
    await page.getByText(/EdDSA key/).waitFor();
  });

  test('a named key: made with its rights, shown once, listed with who made it, and deleted with the offer to disable its endpoint', async (context) => {
    const wallet = await set.world.newWallet();
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/developers?tab=keys`);
    await page.getByText('No named keys yet').waitFor();
    await button(page, 'New key').click();
    await dialog(page).getByLabel('Name').fill('Shop');
    for (const right of ['Read', 'Addresses', 'Webhooks'])
      await dialog(page).getByRole('checkbox', { name: right }).uncheck();
    await button(page, 'Create the key').click();
    await dialog(page).getByText('Choose at least one right.').waitFor();
    await dialog(page).getByRole('checkbox', { name: 'Webhooks' }).check();
    await check(page, 'named keys, new');
    await button(page, 'Create the key').click();
    const api_key = await stored(page, 'API key');
    await button(page, 'Done').click();
    await closed(page);
    await page.getByText('Webhooks · from every address').waitFor();
    await page.getByText('Created by').waitFor();
    const url = 'http://127.0.0.1:9/stolen';
    const { id } = await asked('POST', `/v1/wallets/${wallet.id}/webhooks`, { url }, api_key);
    await check(page, 'named keys');

    await button(page, 'Delete the key Shop').click();
    await dialog(page).getByText('stops working at once').waitFor();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByText('These endpoints go on').waitFor();
    await check(page, 'named keys, endpoints');
    await button(page, `Disable ${url}`).click();
    await dialog(page).getByRole('status').waitFor();
    await button(page, 'Done').click();
    await closed(page);
    await page.getByText('No named keys yet').waitFor();
    await page.goto(`/wallets/${wallet.id}/developers/webhooks/${id}`);
    await page.getByText('Disabled by you').waitFor();
    await page.getByText('API key \u2068Shop\u2069').waitFor();
  });

  test('after a regeneration the endpoints of the old key are listed, and say that a replaced key registered them', async (context) => {
    const wallet = await set.world.newWallet();
    const url = 'http://127.0.0.1:9/unknown';
    const { id } = await asked('POST', `/v1/wallets/${wallet.id}/webhooks`, { url }, wallet.api_key);
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/developers/webhooks/${id}`);
    await page.getByText('The main API key', { exact: true }).waitFor();
    await page.goto(`/wallets/${wallet.id}/developers?tab=keys`);
    await button(page, 'Regenerate').click();
    await button(page, 'Regenerate and revoke the old key').click();
    await stored(page, 'API key');
    await button(page, 'Next').click();
    await button(page, `Disable ${url}`).click();
    await dialog(page).getByRole('status').waitFor();
    await button(page, 'Done').click();
    await closed(page);
    await page.goto(`/wallets/${wallet.id}/developers/webhooks/${id}`);
    await page.getByText('A main API key that was replaced since').waitFor();
    await page.getByText('Disabled by you').waitFor();
  });

  test('a viewer is offered none of this; a developer makes keys, and sees no service users', async (context) => {
    const wallet = await set.world.newWallet();
    await asked('POST', `/v1/wallets/${wallet.id}/api-keys`, { name: 'Old', scopes: ['read'] });
    for (const role of ['viewer', 'developer']) {
      const email = `${role}@example.com`;
      await asked('POST', '/v1/team/members', { email, name: role, password: PASSWORD, role });
      const page = await set.open(context, { signed_in: false });
      await signIn(page, PASSWORD, email);
      await page.goto('/team');
      await page.getByText(`Your role: ${role}`).waitFor();
      await settled(page);
      assert.equal(await page.getByText('Service users').count(), 0);
      await page.goto(`/wallets/${wallet.id}/developers?tab=keys`);
      await page.getByText('Old', { exact: true }).waitFor();
      await button(page, 'Your account').click();
      await page.getByRole('menu').getByText(' of ').waitFor();
      await page.keyboard.press('Escape');
      await settled(page);
      const offered = role === 'developer' ? 1 : 0;
      assert.equal(await button(page, 'New key').count(), offered);
      assert.equal(await button(page, 'Delete the key Old').count(), offered);
    }
  });
});
