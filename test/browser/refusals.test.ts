/** A wrong input is named at its field, and nothing is sent. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Account, Keypair, MuxedAccount } from '@stellar/stellar-sdk/base';
import type { Page } from 'playwright-core';
import { mistyped } from '../support/mistyped.ts';
import { whySkipped } from './chromium.ts';
import { EMAIL, fillPassword, heading, setUp, storedIn } from './setting.ts';
import { settled } from './tab.ts';

/** What a screen reader says of the field, besides its name. */
async function errorOf(page: Page, label: string): Promise<string> {
  // A text field, or the one with the names of payees.
  const field = page.getByLabel(label).and(page.locator('input, textarea'));
  await field.and(page.locator('[aria-invalid=true]')).waitFor();
  const ids = (await field.getAttribute('aria-describedby')) ?? '';
  const error = ids.split(' ').find((id) => id.endsWith('-error')) ?? 'no-error';
  return page.locator(`[id="${error}"]`).innerText();
}

suite('wrong input', { skip: whySkipped() }, () => {
  const set = setUp();

  test('a wrong password is refused without a word on whether the user exists, and the right one goes in', async (context) => {
    const page = await set.open(context, { signed_in: false, refusals: true });
    await page.goto('/login');
    const refusals: string[] = [];
    for (const email of ['nobody@example.com', EMAIL]) {
      await page.getByLabel('E-mail').fill(email);
      const answered = page.waitForResponse('**/v1/auth/login');
      await fillPassword(page, 'not the password');
      assert.equal((await answered).status(), 401);
      refusals.push((await page.getByRole('alert').locator('p').first().innerText()).trim());
    }
    assert.equal(refusals[0], refusals[1]);
    await fillPassword(page, set.password);
    await heading(page, 'Wallets').waitFor();
  });

  test('metadata that is no JSON object is refused with its line, and no address is made', async (context) => {
    const { id, api_key } = await set.world.newWallet();
    const page = await set.open(context);
    await page.goto(`/wallets/${id}/addresses`);
    await page.getByRole('button', { name: 'New address' }).first().click();
    const metadata = page.getByLabel('Metadata');
    await metadata.fill('{\n  "customer": 42,\n  "twice": 1,,\n}');
    await page.getByRole('button', { name: 'Create address' }).click();
    assert.match(await errorOf(page, 'Metadata'), /^Line 3, column 14: A name /);
    await metadata.and(page.locator(':focus')).waitFor();
    const { body } = await set.world.api('GET', `/v1/wallets/${id}/addresses`, { token: api_key });
    assert.deepEqual(body.data.items, []);
  });

  test('a destination with a wrong checksum, a contradicting memo id and too many decimals are refused before anything is sent', async (context) => {
    const { id, account } = await set.world.newWallet();
    const page = await set.open(context);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/v1\/.*\/withdraw/.test(request.url())) asked.push(request.url());
    });
    await page.goto(`/wallets/${id}/withdraw`);
    const destination = Keypair.random().publicKey();
    await page.getByLabel('Destination').fill(mistyped(destination));
    assert.match(await errorOf(page, 'Destination'), /checksum|mistyped/i);
    const muxed = new MuxedAccount(new Account(account, '1'), '12345678901234567890').accountId();
    await page.getByLabel('Destination').fill(muxed);
    await page.getByLabel('Memo id').fill('7');
    assert.match(await errorOf(page, 'Memo id'), /12345678901234567890/);
    await page.getByLabel('Amount').fill('1.00000001');
    await page.getByRole('button', { name: 'Review' }).click();
    assert.match(await errorOf(page, 'Amount'), /decimal/);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(asked, []);
  });

  test('a button takes the press that leaves a wrong field: the message there does not push it away', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context);
    await page.goto(`/wallets/${id}/withdraw`);
    await page.getByLabel('Destination').fill('GABC');
    const review = page.getByRole('button', { name: 'Review' });
    // At its upper edge: one line more above it is enough to miss it there.
    const { x, y } = (await review.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 20, y + 3);
    await page.mouse.down();
    await settled(page);
    await page.mouse.up();
    // All fields are checked, not only the one that was left.
    assert.match(await errorOf(page, 'Amount'), /required/);
    assert.match(await errorOf(page, 'Destination'), /address/);
    await page.getByLabel('Destination').and(page.locator(':focus')).waitFor();
  });

  test('a secret seed as a destination is refused at once, and stored nowhere', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context);
    await page.goto(`/wallets/${id}/withdraw`);
    const seed = Keypair.random().secret();
    await page.getByLabel('Destination').fill(seed);
    assert.match(await errorOf(page, 'Destination'), /secret|seed/i);
    assert.ok(!(await storedIn(page)).includes(seed));
  });

  test('a webhook URL that is invalid, or leads into the private network, is named at its field', async (context) => {
    const { id, api_key } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    await page.goto(`/wallets/${id}/developers`);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    for (const [url, problem] of [
      ['example', /URL/],
      ['http://10.0.0.1/hook', /public/],
    ] as const) {
      await dialog.getByLabel('URL').fill(url);
      const answered = page.waitForResponse('**/webhooks');
      await dialog.getByRole('button', { name: 'Add endpoint' }).click();
      assert.equal((await answered).status(), 400);
      assert.match(await errorOf(page, 'URL'), problem);
    }
    const { body } = await set.world.api('GET', `/v1/wallets/${id}/webhooks`, { token: api_key });
    assert.deepEqual(body.data.items, []);
  });
});
