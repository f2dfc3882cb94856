/** What a page says of money and of the service is so, also while something fails, and whole on the smallest phone. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { suite, test } from 'node:test';
import { Keypair, StrKey } from '@stellar/stellar-sdk/base';
import type { Page } from 'playwright-core';
import { whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import { fillWithdrawal, heading, setUp } from './setting.ts';
import { assertAccessible, assertFits, WIDE } from './tab.ts';

const SMALLEST = { width: 320, height: 640 };
const XLM = 10_000_000n;

suite('what the pages say', { skip: whySkipped() }, () => {
  const set = setUp();
  const main = (page: Page) => page.locator('main');
  const alert = (page: Page, words: string) => main(page).getByRole('alert').filter({ hasText: words });

  async function setPolicy(id: string, body: object): Promise<void> {
    const { status, text } = await set.world.api('PATCH', `/v1/wallets/${id}/policy`, {
      token: set.world.token,
      body,
    });
    assert.equal(status, 200, text);
  }

  test('an amount of billions is whole on a phone of 320 px, and so is a name without a space', async (context) => {
    const wallet = await set.world.newWallet();
    const { ledger, api, token } = set.world;
    await ledger.pay(ledger.root, wallet.account, 1_234_567_890_1234567n);
    const body = { label: 'W'.repeat(200) };
    const address = await api('POST', `/v1/wallets/${wallet.id}/addresses`, { token, body });
    const page = await set.open(context);
    await page.setViewportSize(SMALLEST);
    await page.goto(`/wallets/${wallet.id}`);
    const balance = main(page).getByText('1,234,577,890.1234567 XLM').first();
    await balance.waitFor();
    const box = await balance.boundingBox();
    assert.ok(box && box.x + box.width <= SMALLEST.width, 'nothing of it is cut off');
    await assertFits(page, 'overview');
    await page.goto(`/wallets/${wallet.id}/addresses/${address.body.data.id}`);
    await page.getByText('QR code').first().waitFor();
    await assertFits(page, 'address');
  });

  test('a failure stays in sight while the page asks again, and goes when the service answers', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    let asked = 0;
    await page.route(/\/transactions\?/, (route) => {
      asked++;
      return route.fulfill({ status: 500, body: '' });
    });
    await page.goto(`/wallets/${id}/transactions`);
    const failure = alert(page, 'The service responded with status 500');
    await failure.waitFor();
    // Gone for a moment would be gone: whatever is in the page is looked at as it changes.
    await page.evaluate(`(() => {
      window.gone = 0;
      const look = () => document.querySelector('main [role=alert]') || window.gone++;
      new MutationObserver(look).observe(document.querySelector('main'), { subtree: true, childList: true });
    })()`);
    const before = asked;
    await page.waitForResponse(/\/transactions\?/);
    await page.waitForResponse(/\/transactions\?/);
    assert.ok(asked > before);
    assert.equal(await page.evaluate('window.gone'), 0);
    await page.unroute(/\/transactions\?/);
    await main(page).getByText('+10,000 XLM').waitFor();
    await failure.waitFor({ state: 'detached' });
  });

  test('a browser that takes itself to be offline asks all the same, and says that nothing is new', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    await page.goto(`/wallets/${id}/transactions`);
    await main(page).getByText('+10,000 XLM').waitFor();
    await page.context().setOffline(true);
    await alert(page, 'cannot be reached').waitFor();
    await page.context().setOffline(false);
    await alert(page, 'cannot be reached').waitFor({ state: 'detached' });
  });

  test('the days of the chart survive a reload, and so do the colours that a user chooses', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context);
    await page.goto(`/wallets/${id}`);
    await page.getByText('90 days').click();
    await page.waitForURL(/[?]days=90$/);
    await page.reload();
    await page.locator('input[type=radio][value="90"]:checked').waitFor({ state: 'attached' });
    const dark = page.getByRole('menuitemradio', { name: 'Dark' });
    await page.getByRole('button', { name: 'Your account' }).click();
    await dark.click();
    await page.reload();
    await page.locator('[data-mantine-color-scheme=dark]').waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    assert.equal(await dark.getAttribute('aria-checked'), 'true');
    await assertAccessible(page, 'menu of the user');
  });

  test('a wallet is renamed, and has its new name everywhere', async (context) => {
    const { id, api_key } = await set.world.newWallet();
    const page = await set.open(context);
    await page.goto(`/wallets/${id}`);
    await page.getByRole('button', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop in the south');
    await dialog.getByRole('switch').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Shop in the south').waitFor();
    await page.getByRole('button', { name: 'Wallet Shop in the south, switch' }).waitFor();
    const { body } = await set.world.api('GET', `/v1/wallets/${id}`, { token: api_key });
    assert.equal(body.data.name, 'Shop in the south');
    assert.equal(body.data.numeric_memo_text, true);
  });

  test('a number and a time are the same in every browser, in the English of the pages', async (context) => {
    const { id } = await set.world.newWallet();
    for (const locale of ['de-DE', 'ar-EG', 'en-IN', 'en-US']) {
      const page = await set.open(context, { locale });
      await page.goto(`/wallets/${id}/transactions`);
      await main(page).getByText('+10,000 XLM').waitFor();
      assert.match(
        await main(page).locator('time').first().innerText(),
        /^\d{1,2} \w{3,4} 20\d\d, \d\d:\d\d$/,
        locale,
      );
      await page.goto(`/wallets/${id}/withdraw`);
      await page.getByLabel('Amount').fill('1,234,567.5 XLM');
      await main(page).getByText('1,234,567.5 XLM, 12,345,675,000,000 stroops').waitFor();
    }
  });

  test('that a wallet is frozen is in sight on each of its pages, before a withdrawal is entered', async (context) => {
    const wallet = await set.world.newWallet();
    await setPolicy(wallet.id, { frozen: true });
    const page = await set.open(context);
    for (const size of [WIDE, SMALLEST]) {
      await page.setViewportSize(size);
      for (const path of [
        '',
        '/transactions',
        '/inbox',
        '/addresses',
        '/withdraw',
        '/policies',
        '/developers',
      ]) {
        await page.goto(`/wallets/${wallet.id}${path}`);
        const notice = main(page).getByRole('status').filter({ hasText: 'Withdrawals are frozen' });
        await notice.getByText('The wallet is frozen: it accepts no new withdrawals.').waitFor();
        await main(page).getByRole('heading', { level: 1 }).waitFor();
        if (path === '/withdraw')
          await page.getByRole('button', { name: 'Review' }).and(page.locator(':disabled')).waitFor();
        const box = await notice.boundingBox();
        assert.ok(box && box.y + box.height <= size.height, `${path} at ${size.width}`);
      }
    }
    await page.setViewportSize(WIDE);
    await page.getByRole('button', { name: /^Wallet .*, switch$/ }).click();
    const { name } = (await set.world.api('GET', `/v1/wallets/${wallet.id}`, set.world)).body.data;
    await page.getByRole('menuitem', { name: `${name} Frozen` }).waitFor();
    await page.goto('/wallets');
    await page.getByRole('listitem').filter({ hasText: name }).getByText('Frozen', { exact: true }).waitFor();
    await check(page, 'wallets with a frozen one');
    await page.setViewportSize(WIDE);
    for (const path of ['/approvals', '/team', '/payees', '/audit', '/security']) {
      await page.goto(path);
      const notice = main(page).getByRole('status').filter({ hasText: 'A wallet needs attention' });
      await notice.getByText('The wallet is frozen: it accepts no new withdrawals.').waitFor();
      if (path === '/payees') await check(page, 'payees while a wallet is frozen');
      await page.setViewportSize(WIDE);
    }
    await setPolicy(wallet.id, { frozen: false });
    const read = page.waitForResponse(`**/v1/wallets/${wallet.id}/health`);
    await page.reload();
    await read;
    await main(page).getByText('A wallet needs attention').waitFor({ state: 'detached' });
  });

  test('the rest of a limit is shown in XLM, and a frozen wallet is not said to be well', async (context) => {
    const wallet = await set.world.newWallet();
    await setPolicy(wallet.id, { max_rolling_24h_stroops: 5n * XLM });
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    await page.getByLabel('Destination').fill(Keypair.random().publicKey());
    await page.getByLabel('Amount').fill('6');
    await main(page).getByText('allows 5 XLM in 24 hours, with 5 XLM left').waitFor();
    await setPolicy(wallet.id, { frozen: true });
    await page.getByLabel('Amount').fill('');
    await main(page).getByText('The wallet is frozen').waitFor();
    await page.goto(`/wallets/${wallet.id}`);
    await main(page).getByText('The wallet is frozen').nth(1).waitFor();
    assert.equal(await main(page).getByText('Withdrawals are not blocked').count(), 0);
  });

  test('who reads 1.000 as a thousand is asked which amount is meant, and never of one that stood there', async (context) => {
    const wallet = await set.world.newWallet();
    await setPolicy(wallet.id, { max_withdrawal_stroops: 12_340_000n });
    const page = await set.open(context, { locale: 'de-DE' });
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    await page.getByLabel('Amount').fill('1.000');
    await page.getByLabel('Amount').blur();
    await main(page).getByText('The amount is ambiguous: write 1000 or 1.0000.').waitFor();
    await page.getByLabel('Amount').fill('1000');
    await main(page).getByText('1,000 XLM, 10,000,000,000 stroops').waitFor();
    await page.goto(`/wallets/${wallet.id}/policies`);
    await page.getByRole('button', { name: 'Change the limits of XLM' }).click();
    await page.getByRole('dialog').getByText('These limits are already in force.').waitFor();
    assert.equal(await page.getByRole('dialog').getByLabel('Maximum per withdrawal').inputValue(), '1.2340');
  });

  test('a limit of one asset says what it refuses, before it is set and while it is in force', async (context) => {
    const wallet = await set.world.newWallet();
    const issuer = (await set.world.ledger.fund()).publicKey();
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/policies`);
    await page.getByRole('button', { name: 'Set the limits of XLM' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Maximum in 24 hours').fill('12.5');
    await dialog.getByText('Every other asset: withdrawals are refused.').waitFor();
    await dialog.getByRole('button', { name: 'Set the limits' }).click();
    await main(page).getByText('0 XLM paid in the last 24 hours, 12.5 XLM left').waitFor();
    await setPolicy(wallet.id, {
      limits: [{ asset_code: 'USDC', asset_issuer: issuer, max_withdrawal_stroops: XLM }],
    });
    await main(page).getByText('Refused: XLM has no limit, and other assets have limits').waitFor();
    const limits = page.getByRole('region', {
      name: `Limits of USDC (${issuer.slice(0, 4)}…${issuer.slice(-4)})`,
    });
    await limits.getByText('1 USDC', { exact: true }).waitFor();
    await limits.getByText('Issued by').waitFor();
  });

  test('a path that is not there is 404, and a page that leads on', async (context) => {
    const page = await set.open(context, { refusals: true });
    for (const path of ['/Wallets', '/nope/at/all?a=1']) {
      assert.equal((await page.goto(path))?.status(), 404);
      await heading(page, 'Page not found').waitFor();
      await page.getByRole('button', { name: 'Your account' }).waitFor(); // in the frame
    }
    await page.getByRole('link', { name: 'Go to your wallets' }).click();
    await page.waitForURL('**/wallets');
  });

  test('what a wallet does not have is named inside its frame, with a way back to where such things are', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    for (const [path, title, back] of [
      ['/nowhere', 'Page not found', 'Go to the overview of the wallet'],
      ['/nowhere/below', 'Page not found', 'Go to the overview of the wallet'],
      ['/deposits/dep_none', 'Deposit not found', 'Go to the transactions'],
      ['/withdrawals/wd_none', 'Withdrawal not found', 'Go to the transactions'],
      ['/addresses/adr_none', 'Deposit address not found', 'Go to the deposit addresses'],
    ] as const) {
      await page.goto(`/wallets/${id}${path}`);
      await heading(page, title).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' }).waitFor();
      await page.getByRole('button', { name: /^Wallet wallet-.*, switch$/ }).waitFor();
      await page.getByRole('link', { name: back }).click();
      await page.waitForURL(/\/wallets\/wal_\w+(\/(transactions|addresses))?$/);
      await heading(page, title).waitFor({ state: 'detached' });
    }
    await page.goto('/wallets/wal_none');
    await heading(page, 'Wallet not found').waitFor();
    await page.getByRole('button', { name: 'Your account' }).waitFor();
    await page.getByRole('link', { name: 'Go to your wallets' }).click();
    await page.waitForURL('**/wallets');
  });

  test('one navigation is beside every page: it leads back to the last wallet, and counts what waits', async (context) => {
    const wallet = await set.world.newWallet();
    const { id, account } = wallet;
    const page = await set.open(context, { refusals: true });
    const link = (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
    await page.goto(`/wallets/${id}`);
    await page.getByText('Not shown: 10,000 XLM own funds').waitFor();
    await link('Inbox').waitFor();
    await check(page, 'wallet-fresh');
    await page.setViewportSize(WIDE);
    const payment = await set.world.ledger.pay(await set.world.ledger.fund(), account, 5n);
    await set.world.depositsOf(wallet, payment.hash);
    await link('Inbox 1 unattributed').waitFor();
    await page.getByRole('region', { name: 'To do' }).getByRole('link').click();
    await page.waitForURL('**/inbox');
    for (const [path, current] of [
      ['/approvals', 'Approvals'],
      ['/team', 'Members'],
      ['/security', 'Security'],
      ['/nowhere', null],
    ] as const) {
      await page.goto(path);
      assert.equal(await link('Overview').getAttribute('href'), `/wallets/${id}`);
      if (current) assert.equal(await link(current).getAttribute('aria-current'), 'page');
    }
    for (const path of ['/approvals', `/wallets/${id}`]) {
      await page.goto(path);
      await page.setViewportSize(SMALLEST);
      await page.getByRole('img', { name: 'Network: Sandbox' }).waitFor();
      const { height } = (await page.getByRole('banner').boundingBox()) ?? assert.fail('no header');
      assert.ok(height <= 56, `${path}: ${height} px`);
      await page.getByRole('button', { name: 'Navigation' }).click();
      await link('Inbox 1 unattributed').waitFor();
      await check(page, `navigation of ${path === '/approvals' ? 'the team' : 'a wallet'}`);
      await page.setViewportSize(WIDE);
    }
  });

  test('a review of a payment that has become forbidden says so', async (context) => {
    const wallet = await set.world.newWallet();
    const page = await set.open(context);
    const order = { destination: Keypair.random().publicKey(), amount: '5' };
    const pay = await fillWithdrawal(page, wallet, order);
    await pay.waitFor();
    await setPolicy(wallet.id, { frozen: true });
    await page.getByRole('dialog').getByText('The wallet is frozen').waitFor();
    assert.ok(await pay.isDisabled());
  });

  test('what is said of a retry stays true while nothing else changes, and of one that waits for its endpoint', async (context) => {
    const wallet = await set.world.newWallet();
    const token = wallet.api_key;
    const path = `/v1/wallets/${wallet.id}`;
    const { api, ledger } = set.world;
    const hook = await api('POST', `${path}/webhooks`, { token, body: { url: 'https://hook.example.com/' } });
    const made = await api('POST', `${path}/addresses`, { token, body: {} });
    const { hash } = await ledger.pay(ledger.root, made.body.data.address, 10_000_000n);
    const [deposit] = await set.world.depositsOf(wallet, hash);
    const page = await set.open(context);
    const due = new Date(Date.now() + 270_000).toISOString();
    let said: string | undefined;
    await page.route(/\/deposits\/[^/]+\/deliveries$/, async (route) => {
      const response = await route.fetch();
      // The answer is the same each time, whatever attempts there are.
      said ??= (await response.text()).replace(/"next_attempt_at":"[^"]*"/, `"next_attempt_at":"${due}"`);
      await route.fulfill({ response, body: said });
    });
    await page.clock.install();
    await page.goto(`/wallets/${wallet.id}/deposits/${deposit.id}`);
    await main(page).getByText('the host name has no address, retry in 4 min.').waitFor();
    await page.clock.fastForward(60_000);
    await main(page).getByText('the host name has no address, retry in 3 min.').waitFor();
    const endpoint = `${path}/webhooks/${hook.body.data.id}`;
    await api('PATCH', endpoint, { token: set.world.token, body: { enabled: false } });
    await page.goto(page.url());
    await main(page).getByText('waiting for the endpoint to be enabled').waitFor();
    await page.goto(`/wallets/${wallet.id}/developers/webhooks/${hook.body.data.id}`);
    await main(page).getByRole('cell', { name: 'when enabled' }).waitFor();
  });

  test('a withdrawal to an M… address leads to its account in the explorer, and its page names nothing that it does not have', async (context) => {
    const wallet = await set.world.newWallet();
    const { address: destination } = (
      await set.world.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token: set.world.token, body: {} })
    ).body.data;
    const { body } = await set.world.withdraw(wallet, { destination, amount_stroops: XLM });
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/withdrawals/${body.data.id}`);
    const link = page.getByRole('link', { name: 'Open the account in the explorer' });
    assert.equal((await link.getAttribute('href'))?.split('/').at(-1), wallet.account);
    await link.waitFor();
    assert.deepEqual(
      (await main(page).getByRole('rowheader').allInnerTexts()).map((text) => text.trim()),
      ['Amount', 'Destination', 'Transaction', 'Fee', 'Requested by', 'Idempotency-Key'],
    );
    await page.getByText('Technical details').click();
    await page.getByRole('row', { name: /^Withdrawal id/ }).waitFor();
    assert.equal(await main(page).getByText('Memo id').count(), 0);
    assert.equal(await main(page).getByText('—').count(), 0);
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await heading(page, 'Transactions').waitFor();
  });

  test('a wallet is said to be without funds until it has some, and no longer', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context);
    const wallet = new RegExp(`/v1/wallets/${id}$`);
    await page.route(wallet, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('"active"', '"unfunded"');
      await route.fulfill({ response: answer, body });
    });
    await page.goto(`/wallets/${id}`);
    await main(page).getByText('The account is not funded yet').waitFor();
    await page.unroute(wallet);
    await main(page).getByText('The account is not funded yet').waitFor({ state: 'detached' });
  });

  test('the fee of a transfer that the network cannot try is not known, and no figure stands for it', async (context) => {
    const wallet = await set.world.newWallet();
    const page = await set.open(context);
    const destination = StrKey.encodeContract(randomBytes(32));
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    await page.getByLabel('Destination').fill(destination);
    await page.getByLabel('Amount').fill('5');
    await main(page).getByText('No contract exists at this address').waitFor();
    await main(page).getByText('Not known, because the network cannot try the transfer now').waitFor();
    assert.equal(await main(page).getByText('is set aside').count(), 0);
  });

  test('a payment of a wallet to itself is warned of, and a review that lost the service says so', async (context) => {
    const wallet = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    const pay = await fillWithdrawal(page, wallet, { destination: wallet.account, amount: '5' });
    await page.getByRole('dialog').getByText('This wallet would pay itself').waitFor();
    await pay.waitFor();
    await page.route(/\/withdraw\/preview$/, (route) => route.abort('connectionrefused'));
    await page.getByRole('dialog').getByText('The service cannot be reached').waitFor();
    assert.ok(await pay.isDisabled());
  });
});
