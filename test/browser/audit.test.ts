/** The audit log in the dashboard. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import { setUp, signIn } from './setting.ts';
import { settled, WIDE } from './tab.ts';

const PASSWORD = 'a long enough secret';

suite('the audit log', { skip: whySkipped() }, () => {
  const set = setUp();

  test('an owner finds what somebody did, reads it as a sentence, and sends a link to the entry', async (context) => {
    const wallet = await set.world.newWallet();
    const change = { token: set.world.token, body: { name: 'Payroll' } };
    assert.equal((await set.world.api('PATCH', `/v1/wallets/${wallet.id}`, change)).status, 200);
    const page = await set.open(context);
    await page.getByRole('link', { name: 'Audit log' }).click();
    const rows = page.getByRole('table', { name: 'Audit log' });
    await rows.getByText('signed in').first().waitFor();
    await check(page, 'audit');
    await page.setViewportSize(WIDE);

    // The filter finds an action by a part of its words.
    const action = page.getByRole('combobox', { name: 'What' });
    await action.click();
    await page.getByRole('group', { name: 'Developers' }).waitFor();
    await check(page, 'audit, filter');
    await page.setViewportSize(WIDE);
    await action.fill('wallet ch');
    await page.getByRole('option', { name: 'Wallet changed' }).click();
    await page.waitForURL('**/audit?action=wallet.changed');
    await rows.getByText('signed in').first().waitFor({ state: 'detached' });

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    assert.ok(text.startsWith('\ufeffseq,'), 'a spreadsheet knows that it is UTF-8');
    assert.equal(text.split('\r\n').length, 3, 'the head, the one entry that the filters show, and the end');

    const row = rows.getByRole('link', { name: /^Entry \d+: .*Demo.* changed the wallet .*Payroll/ });
    await rows.getByText(/: name .* → .*Payroll/).waitFor();
    await row.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/audit\?action=wallet\.changed&entry=\d+$/);
    const entry = page.getByRole('dialog');
    await entry.getByRole('row', { name: /^Who .*demo@example\.com/ }).waitFor();
    await entry.getByText('"name": "Payroll"').waitFor();
    await check(page, 'audit, entry');
    await page.setViewportSize(WIDE);
    await page.reload();
    await entry.getByRole('row', { name: /^Who .*demo@example\.com/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL('**/audit?action=wallet.changed');

    await page.getByRole('button', { name: 'Clear' }).click();
    await rows.getByText('signed in').first().waitFor();
    await rows
      .getByRole('link', { name: /^\u2068Payroll\u2069$/ })
      .first()
      .click();
    await page.waitForURL(`**/wallets/${wallet.id}`);

    const named = { token: set.world.token, body: { name: 'Shop', scopes: ['read'] } };
    assert.equal((await set.world.api('POST', `/v1/wallets/${wallet.id}/api-keys`, named)).status, 201);
    await page.goto('/audit');
    await rows.getByRole('link', { name: /^\u2068?Shop\u2069?$/ }).click();
    await page.waitForURL(`**/wallets/${wallet.id}/developers?tab=keys`);
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
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/audit');
    await page.getByText('Your role cannot read the audit log').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Export CSV' }).count(), 0);
    await settled(page);
    assert.ok(!asked.includes('/v1/audit'), 'what would be refused is not asked for');
  });
});
