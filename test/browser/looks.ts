/** The pictures of a page, and what is asked of the page in each. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { assertAccessible, assertColours, assertFits, PHONE, settled, WIDE } from './tab.ts';

export const SCREENSHOTS = join(import.meta.dirname, 'screenshots');

/** Checks the page that is open, in both colour schemes and sizes, and takes its pictures. */
export async function check(page: Page, name: string): Promise<void> {
  const looks = [
    ['light', WIDE, 'light'],
    ['dark', WIDE, 'dark'],
    ['phone-dark', PHONE, 'dark'],
    ['phone', PHONE, 'light'],
  ] as const;
  for (const [look, size, colorScheme] of looks) {
    await page.setViewportSize(size);
    // Away from what the test has clicked: the tooltip of whatever has come there is of no page.
    await page.mouse.move(0, 0);
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await assertFits(page, `${name}, ${look}`);
    await assertAccessible(page, `${name}, ${look}`);
    await assertColours(page, colorScheme, `${name}, ${look}`);
    const file = `${name.replaceAll(/[^a-z]+/g, '-')}.${look}.png`;
    // Behind a dialog lies only what the window shows.
    const fullPage = (await page.getByRole('dialog').count()) === 0;
    // The window that grows to the whole page sets the navigation in motion.
    await page.screenshot({ path: join(SCREENSHOTS, file), fullPage, animations: 'disabled' });
  }
}
