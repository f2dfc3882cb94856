/** The API reference: it begins with the guides, rounds nothing, looks like the dashboard and leads back to it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { whySkipped } from './chromium.ts';
import { SCREENSHOTS } from './looks.ts';
import { setUp } from './setting.ts';
import { assertAccessible, assertFits, PHONE, settled, WIDE } from './tab.ts';

suite('the API reference', { skip: whySkipped() }, () => {
  const set = setUp();

  test('begins with the guides, in both colour schemes and sizes, for everybody', async (context) => {
    const page = await set.open(context, { signed_in: false });
    for (const [look, size, colorScheme] of [
      ['light', WIDE, 'light'],
      ['dark', WIDE, 'dark'],
      ['phone', PHONE, 'light'],
    ] as const) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      await page.goto('/docs/', { waitUntil: 'domcontentloaded' });
      for (const guide of ['First deposit', 'Verifying webhooks', 'Idempotency', 'Payouts', 'Going live'])
        await page.getByRole('heading', { name: guide, exact: true }).first().waitFor();
      await settled(page);
      await page.screenshot({ path: join(SCREENSHOTS, `docs.${look}.png`) });
      await assertFits(page, look);
      await assertAccessible(page, `the reference, ${look}`);
      const font = await page.evaluate(`getComputedStyle(document.querySelector('h1')).fontFamily`);
      assert.match(String(font), /Inter Variable/);
    }
  });

  test('says bounds of 64 bits as they are', async (context) => {
    const page = await set.open(context, { signed_in: false });
    await page.goto('/docs/');
    await page.getByRole('heading', { name: 'First deposit' }).first().waitFor();
    const text = await (await page.request.get('/docs/openapi.json')).text();
    assert.match(text, /From 1 to 9223372036854775807\./);
    assert.match(text, /From 0 to 18446744073709551615\./);
    assert.doesNotMatch(text, /9223372036854776|18446744073709552/);
    await page.goto('/docs/#tag/withdrawals/POST/v1/wallets/{id}/withdraw');
    await page
      .getByText('the muxed contract (W…) with this id. From 0 to 18446744073709551615.')
      .first()
      .waitFor();
  });

  test('shows each example whole, in its card', async (context) => {
    const page = await set.open(context, { signed_in: false });
    for (const size of [WIDE, PHONE]) {
      await page.setViewportSize(size);
      await page.goto('/docs/#tag/withdrawals/POST/v1/wallets/{id}/withdraw');
      await page.getByRole('heading', { name: 'Create withdrawal' }).first().waitFor();
      await page.locator('.response-card pre').first().waitFor();
      await settled(page);
      const outside = await page.evaluate(`[...document.querySelectorAll('.scalar-card')].flatMap((card) => {
        const edge = card.getBoundingClientRect();
        return [...card.querySelectorAll('pre')].filter((code) => {
          const { right, bottom } = code.getBoundingClientRect();
          const is_cut = code.parentElement.scrollWidth > code.parentElement.clientWidth + 1;
          return is_cut || right > edge.right + 1 || bottom > edge.bottom + 1;
        }).map((code) => code.textContent.slice(0, 60));
      })`);
      assert.deepEqual(outside, []);
    }
  });

  test('leads back to the dashboard', async (context) => {
    const page = await set.open(context, { signed_in: false });
    await page.goto('/docs/');
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await page.waitForURL((url) => !url.pathname.startsWith('/docs'));
    await page.getByLabel('E-mail').waitFor();
  });
});
