/** The rows of the dashboard's tables, as they are opened by mouse and keyboard. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { Receiver } from '../support/receiver.ts';
import { whySkipped } from './chromium.ts';
import { type Lived, liveIn } from './lived-in.ts';
import { setUp } from './setting.ts';
import { settled } from './tab.ts';

suite('a row of a table', { skip: whySkipped() }, () => {
  const set = setUp();
  const there = {} as { lived: Lived; receiver: Receiver };
  before(async () => Object.assign(there, await liveIn(set.world)));
  after(() => there.receiver?.close());

  /** The first: by a click in its far corner, by Enter on its link, and by the middle button, in another tab. */
  async function opensEverywhere(page: Page, path: string, opened: RegExp): Promise<void> {
    const rows = page.locator('.infinite-table tbody tr:not(.spacer)');
    const shows = () => page.waitForURL(opened);
    const at = async (row: number) => {
      await page.goto(path);
      await rows.nth(row).waitFor();
      await settled(page);
      return rows.nth(row);
    };

    const { width, height } = (await (await at(0)).boundingBox()) ?? { width: 0, height: 0 };
    await rows.first().click({ position: { x: width - 4, y: height - 4 } });
    await shows();

    const link = (await at(0)).getByRole('link').first();
    await link.focus();
    await page.keyboard.press('Enter');
    await shows();

    await at(0);
    assert.match(new URL((await link.getAttribute('href')) ?? '', page.url()).href, opened);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      rows.first().click({ button: 'middle', position: { x: width - 4, y: 4 } }),
    ]);
    await tab.waitForURL(opened);
    await tab.close();
    assert.doesNotMatch(page.url(), opened, 'this tab stays where it is');
  }

  for (const [table, path, opened] of [
    ['transactions', () => '/transactions', /\/(deposits|withdrawals)\/\w+$/],
    ['deposit addresses', () => '/addresses', /\/addresses\/adr_\w+$/],
    ['what an address has received', ({ address }) => `/addresses/${address}`, /\/deposits\/dep_\w+$/],
    ['deliveries', ({ failing }) => `/developers/webhooks/${failing}`, /\?delivery=\w+$/],
  ] as [string, (lived: Lived) => string, RegExp][])
    test(`of ${table} opens wherever it is clicked, by Enter, and in a new tab`, async (context) => {
      const page = await set.open(context);
      await opensEverywhere(page, `/wallets/${there.lived.wallet.id}${path(there.lived)}`, opened);
    });

  test('is the same whole link while what it opens is shown beside it', async (context) => {
    const { wallet, failing, delivery } = there.lived;
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/developers/webhooks/${failing}?delivery=${delivery}`);
    await page.getByRole('dialog').waitFor();
    const link = page.locator(`a[href*="${delivery}"]`);
    assert.match((await link.getAttribute('class')) ?? '', /\brow-link\b/);
  });

  test('of the filter before is shown as such until those of the new one are there', async (context) => {
    const page = await set.open(context);
    await page.goto(`/wallets/${there.lived.wallet.id}/transactions`);
    const table = page.getByRole('table', { name: 'Transactions' });
    await table.waitFor();
    const answer = Promise.withResolvers<void>();
    await page.route(/status=failed/, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.getByLabel('Status').selectOption('failed');
    await table.and(page.locator('[aria-busy=true]')).waitFor();
    answer.resolve();
    await table.and(page.locator('[aria-busy=false]')).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Amount from').fill('10');
    await page.waitForURL(/[?]min=10$/);
    await table.getByText('+3 XLM').waitFor({ state: 'detached' });
    await table.getByText('+25.5 XLM').waitFor();
    await page.getByLabel('Amount to').fill('9');
    await page.getByText('The amount must be at least 10.').waitFor();
    await page.getByLabel('Amount to').fill('20');
    await table.getByText('+25.5 XLM').waitFor({ state: 'detached' });
    await table.getByText('−15 XLM').waitFor();
    await page.getByLabel('Asset').selectOption('XLM');
    await page.waitForURL(/[?]min=10&max=20&asset=native$/);
    await page.reload();
    await table.getByText('−15 XLM').waitFor();
    assert.equal(await page.getByLabel('Amount to').inputValue(), '20');
  });

  test('is there wherever one jumps to in a long one, and others on both sides once it is held', async (context) => {
    const page = await set.open(context);
    const { api, token, newWallet } = set.world;
    const { id } = await newWallet();
    await Promise.all(
      Array.from({ length: 100 }, () => api('POST', `/v1/wallets/${id}/addresses`, { token, body: {} })),
    );
    await page.goto(`/wallets/${id}/addresses`);
    await page.locator('.infinite-table tbody tr').nth(10).waitFor();
    await settled(page);
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight / 2)');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const back = await page.getByRole('button', { name: 'Back to the newest rows' }).boundingBox();
    const headings = await page.locator('.infinite-table thead tr').boundingBox();
    assert.ok(back && headings && back.y + back.height <= headings.y + headings.height, 'it covers no row');
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    const printed = await rowsOf(page);
    assert.equal(printed.above + printed.in_view + printed.below, 100, 'paper has every loaded row');
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    await page.locator('.infinite-table .spacer').first().waitFor({ state: 'attached' });
    const { in_view } = await rowsOf(page);
    assert.ok(in_view >= 10, `${in_view} rows are in view`);
    await eventually('rows on both sides', async () => {
      const { above, below } = await rowsOf(page);
      return above >= 4 && below >= 4;
    });
  });
});

/** How many of a table's rendered rows lie wholly above the window, in it, and wholly below. */
function rowsOf(page: Page): Promise<{ above: number; in_view: number; below: number }> {
  return page.evaluate(`(() => {
    const rows = { above: 0, in_view: 0, below: 0 };
    for (const row of document.querySelectorAll('.infinite-table tbody tr:not(.spacer)')) {
      const { top, bottom } = row.getBoundingClientRect();
      rows[bottom <= 0 ? 'above' : top >= innerHeight ? 'below' : 'in_view']++;
    }
    return rows;
  })()`);
}
