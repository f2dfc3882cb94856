/** One browser has one session: its tabs share a sign-in and a sign-out, and no script can read the token. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { startRunningService } from '../support/running-service.ts';
import { launchChromium, whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import {
  EMAIL,
  endSession,
  fillPassword,
  fillWithdrawal,
  heading,
  passwordIn,
  sessionToken,
  setUp,
  signIn,
  signOut,
  storedIn,
} from './setting.ts';

const ended = (page: Page) => page.getByRole('heading', { name: 'Your session has ended' });
const anotherTab = (page: Page) => page.context().newPage();

suite('the tabs of one browser', { skip: whySkipped() }, () => {
  const set = setUp();

  test('a new tab is signed in, and a sign-out in one tab signs out all', async (context) => {
    const page = await set.open(context, { refusals: true });
    const other = await anotherTab(page);
    await other.goto('/team');
    await heading(other, 'Members').waitFor();
    const token = await sessionToken(page);
    await signOut(page);
    await other.waitForURL('**/login');
    assert.ok(!(await storedIn(other)).includes(EMAIL));
    assert.equal(await sessionToken(page), '');
    const third = await anotherTab(page);
    await third.goto('/wallets');
    await third.waitForURL('**/login?next=*');
    // A cookie that was copied before is worth nothing.
    const name = `__Host-teller-session-${new URL(set.world.service.url).port}`;
    const answer = await set.world.api('GET', '/v1/auth/me', { headers: { cookie: `${name}=${token}` } });
    assert.equal(answer.status, 401);
  });

  test('no script can read the token, and nothing of it is stored or on the page', async (context) => {
    const page = await set.open(context);
    const token = await sessionToken(page);
    assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name.includes('session'));
    const { httpOnly, secure, sameSite } = cookie ?? {};
    assert.deepEqual({ httpOnly, secure, sameSite }, { httpOnly: true, secure: true, sameSite: 'Strict' });
    const readable = `${await storedIn(page)} ${await page.evaluate('document.cookie')} ${await page.content()}`;
    assert.ok(!readable.includes(token) && !readable.includes('eyJ'), readable);
  });

  test('a link of another site, in a new tab, arrives signed in, although the page itself comes without the cookie', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context);
    const link = `${set.world.service.url}/wallets/${id}/inbox`;
    const site = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(`<a href="${link}">Look</a>`),
    );
    site.listen(0, '127.0.0.1');
    context.after(() => site.close());
    const mail = await anotherTab(page);
    const cookies: (string | undefined)[] = [];
    mail.on('response', async (response) => {
      if (response.url() === link) cookies.push((await response.request().allHeaders()).cookie);
    });
    // Another site than localhost, where the service is.
    await mail.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await mail.getByRole('link').click();
    await heading(mail, 'Inbox').waitFor();
    assert.equal(mail.url(), link);
    await mail.reload();
    await heading(mail, 'Inbox').waitFor();
    await eventually('both requests for the page', async () => cookies.length === 2);
    assert.equal(cookies[0], undefined, 'a browser asks for the page without the cookie');
  });

  test('a session that has ended is asked for in every tab, and goes on in all when one has signed in; what was typed stays', async (context) => {
    const wallet = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    await fillWithdrawal(page, wallet, { destination: `G${'A'.repeat(55)}`, amount: '5' });
    const other = await anotherTab(page);
    await other.goto(`/wallets/${wallet.id}/addresses`);
    await other.getByRole('button', { name: 'New address' }).first().click();
    await other.getByLabel('Label').fill('Half typed');
    await endSession(set, page);
    for (const tab of [page, other]) {
      await tab.bringToFront();
      await ended(tab).waitFor();
    }
    await fillPassword(other, set.password);
    for (const tab of [page, other]) await ended(tab).waitFor({ state: 'detached' });
    assert.equal(await other.getByLabel('Label').inputValue(), 'Half typed');
    await other.getByRole('button', { name: 'Create address' }).click();
    await heading(other, 'Half typed').waitFor();
  });

  test('another user who signs in takes over every tab; nothing is sent for that user from a page of the one before', async (context) => {
    const wallet = await set.world.newWallet();
    const other_user = await set.world.newUser();
    const page = await set.open(context, { refusals: true });
    const destination = `G${'A'.repeat(55)}`;
    await fillWithdrawal(page, wallet, { destination, amount: '5' });
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    const tab = await anotherTab(page);
    await tab.goto('/wallets');
    await signOutSilently(tab);
    await signIn(tab, other_user.password, other_user.email);
    await page.waitForURL('**/wallets');
    await page.getByText('No wallets yet').waitFor();
    const stored = await storedIn(page);
    assert.ok(stored.includes(other_user.email));
    for (const private_text of [destination, EMAIL]) assert.ok(!stored.includes(private_text), private_text);
    for (const request of requests.filter((each) => each.url().includes(wallet.id)))
      assert.equal(request.method(), 'GET');
  });

  /** Signs out as if this tab had been closed: the other tabs hear nothing. */
  async function signOutSilently(tab: Page): Promise<void> {
    await tab.evaluate(`sessionStorage.clear(); localStorage.clear()`);
  }

  test('a page that nobody uses says so with every request, until somebody moves again', async (context) => {
    const page = await set.open(context);
    await page.clock.install();
    await page.goto('/wallets');
    await page.mouse.move(10, 10);
    const said = async () => {
      const asked = page.waitForRequest((request) => request.url().endsWith('/v1/auth/me'));
      let waits = true;
      const end = () => {
        waits = false;
      };
      asked.then(end, end);
      // In steps: the page leaves a request out that is due while the one before is under way.
      while (waits) await page.clock.runFor(1_000);
      return (await asked).headers()['teller-browser'];
    };
    assert.equal(await said(), 'active');
    await page.clock.runFor(60_000);
    assert.equal(await said(), 'idle');
    await page.mouse.move(20, 20);
    assert.equal(await said(), 'active');
  });

  test('the page Security lists the sessions, ends one, and ends all others', async (context) => {
    const user = await set.world.newUser();
    const open = async (test: TestContext) => {
      const page = await set.open(test, { signed_in: false, refusals: true });
      await signIn(page, user.password, user.email);
      return page;
    };
    const [page, other] = [await open(context), await open(context)];
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Security' }).click();
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    const own = rows.filter({ hasText: 'this session' });
    await own.getByText('Chrome on Linux').waitFor();
    await rows.filter({ hasText: 'program' }).getByText('node').waitFor();
    await own.getByRole('cell', { name: '127.0.0.1', exact: true }).waitFor();
    assert.equal(await own.getByRole('button', { name: /^End the session/ }).count(), 0);
    await check(page, 'security');

    await page.getByRole('button', { name: 'End the session of node' }).click();
    await check(page, 'security, end session');
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await rows.filter({ hasText: 'program' }).waitFor({ state: 'detached' });
    const { status } = await set.world.api('GET', '/v1/auth/me', { token: user.token });
    assert.equal(status, 401);

    await page.getByRole('button', { name: 'End all others' }).click();
    await check(page, 'security, end others');
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await page.getByText('One session has ended.').waitFor();
    await other.goto('/team');
    await ended(other).waitFor();
    await page.goto('/team');
    await heading(page, 'Members').waitFor();
  });
});

suite('a service that is reached over plain HTTP', { skip: whySkipped() }, () => {
  test('says why nobody can sign in there, and takes no password', async () => {
    const world = await startRunningService({ HOST: '0.0.0.0' });
    const { port } = new URL(world.service.url);
    const browser = await launchChromium(['--host-resolver-rules=MAP teller.lan 127.0.0.1']);
    try {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`http://teller.lan:${port}/wallets`);
      await page.getByText('Sign in over HTTPS').waitFor();
      await page.getByText(`teller.lan:${port}`).waitFor();
      assert.equal(await page.locator('[name=password]').count(), 0);
      // The link of an invitation works once: it must not be used up here.
      await page.goto(`http://teller.lan:${port}/invitation#token`);
      await page.getByText('Sign in over HTTPS').waitFor();
      assert.equal(await page.locator('[name=password]').count(), 0);
      await page.goto(`http://localhost:${port}/wallets`);
      await page.getByLabel('E-mail').fill(EMAIL);
      await fillPassword(page, passwordIn(world.service.data_dir));
      await page.waitForURL('**/wallets');
    } finally {
      await browser.close();
      await world.stop();
    }
  });

  test('a browser that keeps no cookie says so after the password was right', async () => {
    const world = await startRunningService();
    const browser = await launchChromium();
    try {
      const page = await (await browser.newContext()).newPage();
      await page.route('**/v1/auth/login', async (route) => {
        const response = await route.fetch();
        await page.context().clearCookies(); // `fetch` has kept them
        const { 'set-cookie': _, ...headers } = response.headers();
        await route.fulfill({ response, headers });
      });
      await page.goto(`${world.service.url}/login`);
      await page.getByLabel('E-mail').fill(EMAIL);
      await fillPassword(page, passwordIn(world.service.data_dir));
      await page.getByText('this browser did not keep its cookie').waitFor();
    } finally {
      await browser.close();
      await world.stop();
    }
  });
});
