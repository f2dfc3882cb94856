/** The audit log in the dashboard. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import { setUp, signIn } from './setting.ts';

const PASSWORD = 'a long enough secret';

suite('the audit log', { skip: whySkipped() }, () => {
  const set = setUp();

  test('an owner finds what somebody did by action and person, and sees before and after', async (context) => {
    const wallet = await set.world.newWallet();
    const change = { token: set.world.token, body: { name: 'Renamed wallet' } };
    assert.equal((await set.world.api('PATCH', `/v1/wallets/${wallet.id}`, change)).status, 200);
    const page = await set.open(context);
    await page.getByRole('link', { name: 'Audit log' }).click();
    const rows = page.getByRole('table', { name: 'Audit log' });
    await rows.getByText('Wallet changed').waitFor();
    await rows.getByText('Wallet made').first().waitFor();
    await check(page, 'audit');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByLabel('What').selectOption('Wallet changed');
    await page.waitForURL('**/audit?action=wallet.changed');
    await rows.getByText('Wallet made').first().waitFor({ state: 'detached' });
    await rows.getByRole('button', { name: /Show entry \d+: Wallet changed/ }).click();
    const entry = page.getByRole('dialog');
    await entry.getByText('"name": "Renamed wallet"').waitFor();
    await entry.getByText('demo@example.com').waitFor();
    await check(page, 'audit, entry');
    await page.reload();
    await rows.getByText('Wallet changed').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await rows.getByText('Wallet made').first().waitFor();
  });

  test('is not offered to a member who may not read it', async (context) => {
    const email = 'viewer@example.com';
    const body = { email, name: 'Viewer', password: PASSWORD, role: 'viewer' };
    const { status } = await set.world.api('POST', '/v1/team/members', { token: set.world.token, body });
    assert.equal(status, 201);
    const page = await set.open(context, { signed_in: false });
    await signIn(page, PASSWORD, email);
    await page.getByRole('link', { name: 'Members' }).waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menu').getByText('Viewer of').waitFor();
    assert.equal(await page.getByText('Audit log').count(), 0);
    await page.goto('/audit');
    await page.getByText('Your role cannot read the audit log').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Export CSV' }).count(), 0);
  });
});
