/** The service as a user starts it, a browser, and somebody who works with both. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type RunningService, startRunningService, type Wallet } from '../support/running-service.ts';
import { launchChromium } from './chromium.ts';
import { describePage, openTab } from './tab.ts';

export type Setting = {
  world: RunningService;
  browser: Browser;
  /** The demo user's. */
  password: string;
  /** A new tab, signed in. Its console and requests are checked when the test ends. */
  open(
    test: TestContext,
    options?: { refusals?: boolean; locale?: string; signed_in?: boolean },
  ): Promise<Page>;
};

/** For the tests of a suite. The service may call receivers on this machine. `env`: more of its configuration. */
export function setUp(env: Record<string, string> = {}): Setting {
  const set = {} as Setting;
  before(async () => {
    set.world = await startRunningService({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', ...env });
    set.browser = await launchChromium();
    set.password = passwordIn(set.world.service.data_dir);
  });
  set.open = async (test, { signed_in = true, ...options } = {}) => {
    const { page, problems } = await openTab(set.browser, set.world.service.url, options);
    test.after(async () => {
      const { error } = test as TestContext & { error?: Error | null }; // Node has it, its types do not
      // The runner prints what an error has. A page that is stuck is another fault than one that shows something else.
      if (error) Object.assign(error.cause ?? error, { page: await describePage(page) });
      await page.context().close();
      assert.deepEqual(problems, []);
    });
    if (signed_in) await signIn(page, set.password);
    return page;
  };
  after(async () => {
    await set.browser?.close();
    await set.world?.stop();
  });
  return set;
}

export const EMAIL = 'demo@example.com';

export function passwordIn(data_dir: string): string {
  return JSON.parse(readFileSync(join(data_dir, 'demo-login'), 'utf8')).password;
}

export async function signIn(page: Page, password: string, email = EMAIL): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await fillPassword(page, password);
  await page.waitForURL('**/wallets');
}

/** In the form that is open: the page's own, or the one over a page whose session has ended. */
export async function fillPassword(page: Page, password: string): Promise<void> {
  await page.locator('[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click();
  const told = page.waitForResponse('**/v1/auth/logout');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  await told;
}

/** Ends the session in the database, as at the end of its time. The page does not know that yet. */
export async function endSession({ world }: Setting, page: Page): Promise<void> {
  const { jti } = JSON.parse(
    Buffer.from((await sessionToken(page)).split('.')[1] ?? '', 'base64url').toString(),
  );
  const ended = await world.query('delete from sessions where id = $1 returning id', [jti]);
  assert.equal(ended.length, 1);
}

/** What the browser keeps and no script can read. */
export async function sessionToken(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name.startsWith('__Host-teller-session'))?.value ?? '';
}

/** From the form to the last button before the money goes, which it gives. */
export async function fillWithdrawal(
  page: Page,
  wallet: Pick<Wallet, 'id'>,
  {
    destination,
    amount,
    memo_id = '',
    reference = '',
  }: { destination: string; amount: string; memo_id?: string; reference?: string },
) {
  await page.goto(`/wallets/${wallet.id}/withdraw`);
  await page.getByLabel('Destination').fill(destination);
  await page.getByLabel('Amount').fill(amount);
  await page.getByLabel('Memo id').fill(memo_id);
  await page.getByLabel('Reference').fill(reference);
  await page.getByRole('button', { name: 'Review' }).click();
  return page.getByRole('dialog').getByRole('button', { name: `Pay ${amount} XLM` });
}

/** All that the tab keeps, as text. */
export const storedIn = (page: Page) =>
  page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])') as Promise<string>;

export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
