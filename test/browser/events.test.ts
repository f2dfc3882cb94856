/** The choice of events at an endpoint, and the changes of a deposit address, in the dashboard. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startReceiver } from '../support/receiver.ts';
import { whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import { heading, setUp } from './setting.ts';
import { WIDE } from './tab.ts';

suite('events and addresses', { skip: whySkipped() }, () => {
  const set = setUp();
  const dialog = (page: Page) => page.getByRole('dialog');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('an endpoint: events are chosen when it is added, shown, and chosen again', async (context) => {
    const wallet = await set.world.newWallet();
    const receiver = await startReceiver();
    context.after(() => receiver.close());
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/developers`);
    await button(page, 'Add endpoint').click();
    await dialog(page).getByLabel('URL').fill(receiver.url);
    const box = (name: string) => dialog(page).getByLabel(name, { exact: true });
    assert.ok(await box('deposit.created').isChecked());
    assert.ok(!(await box('withdrawal.confirmed').isChecked()));
    await check(page, 'endpoint, choice of events');
    await box('deposit.created').uncheck();
    await button(page, 'Add endpoint').last().click();
    await dialog(page).getByText('Choose at least one event.').waitFor();
    await box('withdrawal.failed').check();
    await box('withdrawal.confirmed').check();
    await dialog(page).getByRole('button', { name: 'Add endpoint' }).click();
    await dialog(page).getByLabel('I have stored the signing secret').check();
    await button(page, 'Done').click();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText('withdrawal.confirmed, withdrawal.failed').waitFor();
    await button(page, 'Manage').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    assert.ok(await box('withdrawal.failed').isChecked());
    await box('withdrawal.failed').uncheck();
    await box('asset.changed').check();
    await button(page, 'Save').click();
    await page.getByText('withdrawal.confirmed, asset.changed').waitFor();
    await button(page, 'Send a test event').click();
    await page.getByRole('menuitem', { name: 'payout.completed.test' }).click();
    await receiver.received(1);
    assert.match(`${receiver.requests[0]?.body}`, /^\{"event":"payout\.completed\.test"/);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
    await page.getByText('Last 24 h: 100 %').waitFor();
    await page.getByText(/^p95: \d+ ms$/).waitFor();
    await page.setViewportSize(WIDE);
    const row = page.getByRole('row', { name: 'payout.completed.test' });
    await row.getByRole('cell', { name: 'Delivered' }).waitFor(); // the page reads it and the figures each for itself
    assert.deepEqual((await row.getByRole('cell').allInnerTexts()).slice(1), ['Delivered', '1', '200', '']);
    await check(page, 'endpoint, events');
  });

  test('a deposit address: label and metadata change; metadata that nobody touched stays to the byte', async (context) => {
    const wallet = await set.world.newWallet();
    const metadata = '{"b":1.0,"a":12345678901234567890}';
    const made = await set.world.api('POST', `/v1/wallets/${wallet.id}/addresses`, {
      token: wallet.api_key,
      body: `{"label":"Ada","metadata":${metadata}}`,
    });
    const path = `/wallets/${wallet.id}/addresses/${made.body.data.id}`;
    const read = () => set.world.api('GET', `/v1${path}`, { token: wallet.api_key });
    const page = await set.open(context);
    await page.goto(path);
    await button(page, 'Edit').click();
    await dialog(page).getByLabel('Label').fill('Grace');
    await check(page, 'address, edit');
    await button(page, 'Save').click();
    await heading(page, 'Grace').waitFor();
    assert.ok((await read()).text.includes(`"metadata":${metadata}`));
    await button(page, 'Edit').click();
    await dialog(page).getByLabel('Metadata').fill('{"order":18446744073709551615}');
    await button(page, 'Save').click();
    await dialog(page).waitFor({ state: 'detached' });
    assert.ok((await read()).text.includes('"metadata":{"order":18446744073709551615}'));
    await check(page, 'address, changed');
  });
});
