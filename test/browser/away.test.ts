/** A service that is away or silent while somebody works, and addresses of pages that nobody of ours has made. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { DASHBOARD_DIR } from '../../src/api/pages.ts';
import { eventually } from '../support/eventually.ts';
import { whySkipped } from './chromium.ts';
import { EMAIL, heading, setUp, storedIn } from './setting.ts';
import { assertFits, settled } from './tab.ts';

suite('a service that is away, a link that is wrong', { skip: whySkipped() }, () => {
  const set = setUp();

  test('a page that was never opened can be opened while the service is away, and goes on when it is back', async (context) => {
    const scripts = readdirSync(join(DASHBOARD_DIR, 'assets')).filter((name) => name.endsWith('.js')).length;
    const { id } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    await page.goto(`/wallets/${id}`);
    const loaded = `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length`;
    await eventually('the code of every page', async () => (await page.evaluate(loaded)) === scripts);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Policies' }).click();
    await heading(page, 'Policies').waitFor();
    await page.getByText('The service cannot be reached.').first().waitFor();
    await page.context().setOffline(false);
    await page.getByText('The service cannot be reached.').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Freeze' }).waitFor();
  });

  test('who signs out is signed out here, also while the service is silent', async (context) => {
    const page = await set.open(context);
    await heading(page, 'Wallets').waitFor();
    await page.route('**/v1/auth/logout', () => undefined);
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    assert.ok(!(await storedIn(page)).includes(EMAIL));
  });

  test('what a list cannot make sense of in the address of its page is left out, as if it were not there', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context);
    const nonsense = 'status=done&type=5&since=yesterday&until=2026-99-99&attributed=x&more=1';
    await page.goto(`/wallets/${id}/transactions?${nonsense}&search=18446744073709551615`);
    await page.getByText('No results').waitFor();
    assert.equal(new URL(page.url()).search, '?search=18446744073709551615');
  });

  test('the e-mail address can be typed at once where one signs in', async (context) => {
    const page = await set.open(context, { signed_in: false });
    await page.goto('/login');
    await page.getByLabel('E-mail').and(page.locator(':focus')).waitFor();
  });

  test('a deposit whose webhook has failed fits on the narrowest phone', async (context) => {
    const wallet = await set.world.newWallet();
    const token = wallet.api_key;
    const path = `/v1/wallets/${wallet.id}`;
    await set.world.api('POST', `${path}/webhooks`, { token, body: { url: 'https://hook.example.com/' } });
    const made = await set.world.api('POST', `${path}/addresses`, { token, body: {} });
    const { ledger } = set.world;
    const { hash } = await ledger.pay(ledger.root, made.body.data.address, 10_000_000n);
    const [deposit] = await set.world.depositsOf(wallet, hash);
    const page = await set.open(context);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(`/wallets/${wallet.id}/deposits/${deposit.id}`);
    await page.getByRole('cell', { name: 'the host name has no address' }).first().waitFor();
    await settled(page);
    await assertFits(page, 'the deposit');
  });
});
