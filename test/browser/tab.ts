/** A tab on the dashboard that notes whatever a tab must not do, and what is asked of every page in it. */
import assert from 'node:assert/strict';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { PATIENCE_MS } from '../support/eventually.ts';

export type Tab = {
  page: Page;
  /** Errors on its console and requests to other sites, so far. */
  problems: string[];
};

export const WIDE = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

/** What the browser says of every answer from 400 on, and of a connection that breaks. */
const REFUSED = /^Failed to load resource: /;

/**
 * `refusals`: the test has the service refuse something, or breaks the connection; the browser notes that on the
 * console by itself.
 */
export async function openTab(
  browser: Browser,
  origin: string,
  { refusals = false, locale = 'en-US' }: { refusals?: boolean; locale?: string } = {},
): Promise<Tab> {
  const context = await browser.newContext({ baseURL: origin, viewport: WIDE, locale });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (refusals && REFUSED.test(message.text())) return;
    problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:') problems.push(`request: ${url}`);
  });
  return { page, problems };
}

/** Once everything is loaded, and nothing moves any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.mantine-Skeleton-root, [aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.evaluate(`(async () => {
    await document.fonts.ready;
    // A transition begins in the second frame after what causes it.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const passing = document.getAnimations().filter((one) => one.effect.getTiming().iterations !== Infinity);
    await Promise.all(passing.map((one) => one.finished.catch(() => undefined)));
  })()`);
}

/** axe finds nothing on a page that is settled. `what` names the page where it does. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  // The rest of its report is a third of a megabyte.
  const run = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as AxeResults['violations'];
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)}`,
  );
  assert.deepEqual(found, [], what);
}

/** Of the page, of every card on it, and of every heading. Dialogs and menus are raised, and have a colour of their own. */
const COLOURS = {
  light: { page: 'rgb(255, 255, 255)', cards: 'rgb(255, 255, 255)', headings: 'rgb(0, 0, 0)' },
  dark: { page: 'rgb(26, 28, 31)', cards: 'rgb(35, 38, 42)', headings: 'rgb(255, 255, 255)' },
};

/** Every page has the same three colours in a scheme. `what` names the page where it does not. */
export async function assertColours(page: Page, scheme: keyof typeof COLOURS, what: string): Promise<void> {
  const found = (await page.evaluate(`(() => {
    const all = (selector, property) =>
      [...new Set([...document.querySelectorAll(selector)].map((one) => getComputedStyle(one)[property]))];
    return {
      page: all('body', 'backgroundColor').join(),
      cards: all('.mantine-Paper-root:not([style*=background])', 'backgroundColor').join(),
      headings: all('h1, h2:not([role] *), h3', 'color').join(),
    };
  })()`)) as (typeof COLOURS)['dark'];
  const { cards, headings } = found;
  assert.deepEqual(
    { ...found, cards: cards || COLOURS[scheme].cards, headings: headings || COLOURS[scheme].headings },
    COLOURS[scheme],
    what,
  );
}

/** Nothing of a page that is settled has to be scrolled sideways. */
export async function assertFits(page: Page, what: string): Promise<void> {
  const too_wide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  assert.equal(too_wide, 0, `${what} is wider than its window`);
}

/** How long a page may take to say what it shows. A page that is stuck never says it. */
const ANSWER_MS = 10_000;

/** Returns what a page shows, and whether its scripts and its drawing still run: for a test that failed. */
export async function describePage(page: Page): Promise<string> {
  const said = (expression: string) =>
    Promise.race([
      page.evaluate(expression).catch((error: Error) => error.message),
      new Promise((done) => setTimeout(done, ANSWER_MS, 'no answer')),
    ]);
  const frames = await said(`new Promise((done) => requestAnimationFrame(() => done('drawn')))`);
  return `${page.url()}: next frame: ${frames}; text: ${await said('JSON.stringify(document.body.innerText)')}`;
}
