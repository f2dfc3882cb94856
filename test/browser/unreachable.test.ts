/** While the service cannot be reached: nothing waits without a word, and nothing from before passes for now. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk/base';
import type { Page } from 'playwright-core';
import { DASHBOARD_DIR } from '../../src/api/pages.ts';
import { eventually } from '../support/eventually.ts';
import { whySkipped } from './chromium.ts';
import { setUp } from './setting.ts';

const SCRIPTS = readdirSync(join(DASHBOARD_DIR, 'assets')).filter((name) => name.endsWith('.js'));

/** A page whose code is not there cannot say anything. It is loaded soon after the first page. */
async function allCode(page: Page): Promise<void> {
  const loaded = `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length`;
  await eventually('the code of every page', async () => (await page.evaluate(loaded)) === SCRIPTS.length);
}

const PAGES = [
  'Overview',
  'Transactions',
  'Inbox',
  'Deposit addresses',
  'Withdraw',
  'Policies',
  'Developers',
] as const;

suite('a service that cannot be reached', { skip: whySkipped() }, () => {
  const set = setUp();
  const main = (page: Page) => page.locator('main');
  const notice = (page: Page) =>
    main(page).getByRole('alert').filter({ hasText: 'The page shows what was read before' });
  const skeleton = (page: Page) => main(page).locator('.mantine-Skeleton-root').first();
  const readAt = (page: Page) => main(page).getByText(/^Read at \d{1,2} \w{3,4} 20\d\d, \d\d:\d\d:\d\d\./);

  test('is said on every page in place of a skeleton, and each page goes on by itself', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    await page.goto(`/wallets/${id}`);
    await main(page).getByText('10,000 XLM').first().waitFor();
    await allCode(page);
    for (const name of PAGES) {
      await page.context().setOffline(true);
      await page
        .getByRole('link', { name: new RegExp(`^${name}( \\d|$)`) })
        .first()
        .click();
      await notice(page).getByText('This browser is offline.').waitFor();
      await skeleton(page).waitFor({ state: 'detached' });
      await page.context().setOffline(false);
      await notice(page).waitFor({ state: 'detached' });
      await main(page).getByText('cannot be reached').first().waitFor({ state: 'detached' });
      await skeleton(page).waitFor({ state: 'detached' });
    }
  });

  test('is said too where it takes a request and never answers', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    await page.goto(`/wallets/${id}`);
    await main(page).getByText('10,000 XLM').first().waitFor();
    await allCode(page);
    await page.route('**/v1/**', () => undefined);
    await page.getByRole('link', { name: 'Transactions', exact: true }).click();
    await notice(page).waitFor();
    await skeleton(page).waitFor({ state: 'detached' });
    await page.unroute('**/v1/**');
    await notice(page).waitFor({ state: 'detached' });
    await main(page).getByText('+10,000 XLM').waitFor();
  });

  test('leaves the rows that were read, with their time, and no rows under a filter that they were not read for', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    await page.goto(`/wallets/${id}/transactions`);
    await main(page).getByText('+10,000 XLM').waitFor();
    await page.context().setOffline(true);
    await readAt(page).waitFor();
    await main(page).getByText('+10,000 XLM').waitFor();
    await page.getByLabel('Type').selectOption('withdrawal');
    await page.waitForURL('**/transactions?type=withdrawal');
    await main(page).getByText('+10,000 XLM').waitFor({ state: 'detached' });
    await page.evaluate(`(() => {
      window.shown = 0;
      const look = () => document.querySelector('main table') && window.shown++;
      new MutationObserver(look).observe(document.querySelector('main'), { subtree: true, childList: true });
    })()`);
    await page.waitForEvent('requestfailed', (request) => request.url().includes('type=withdrawal'));
    await page.waitForEvent('requestfailed', (request) => request.url().includes('type=withdrawal'));
    assert.equal(await page.evaluate('window.shown'), 0);
    await page.context().setOffline(false);
    await main(page).getByText('No results').waitFor();
  });

  test('gives no preview of an amount, and no review: a preview of an earlier amount does not count', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    await page.goto(`/wallets/${id}/withdraw`);
    await page.getByLabel('Destination').fill(Keypair.random().publicKey());
    await page.getByLabel('Amount').fill('5');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Available after').waitFor();
    const review = page.getByRole('button', { name: 'Review' });
    assert.ok(await review.isEnabled());
    await page.context().setOffline(true);
    await page.getByLabel('Amount').fill('6');
    await preview.getByText('The preview cannot be worked out now').waitFor();
    assert.equal(await preview.getByText('Available after').count(), 0);
    assert.ok(await review.isDisabled());
    // The same holds while the page asks for the preview again.
    await page.waitForEvent('requestfailed', (request) => request.url().endsWith('/preview'));
    await page.waitForEvent('requestfailed', (request) => request.url().endsWith('/preview'));
    assert.equal(await preview.getByText('Available after').count(), 0);
    await page.context().setOffline(false);
    await preview.getByText('Available after').waitFor();
    await review.and(page.locator(':enabled')).waitFor();
    assert.equal(await page.getByLabel('Amount').inputValue(), '6');
  });

  test('takes the ticks of the health with it, until they are known again', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    await page.goto(`/wallets/${id}`);
    const ticks = main(page).getByRole('img', { name: 'OK' });
    await ticks.first().waitFor();
    await page.context().setOffline(true);
    await main(page).getByText('Not known now. Last read at').waitFor();
    assert.equal(await ticks.count(), 0);
    assert.equal(
      await main(page).getByRole('img', { name: 'Deposits and withdrawals by day' }).count(),
      1,
      'the chart stays',
    );
    assert.equal(await main(page).getByText('behind the ledger').count(), 0);
    await page.context().setOffline(false);
    await ticks.first().waitFor();
  });
});
