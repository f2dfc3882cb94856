/** The palette: pages, actions, and whatever is in the wallets of the team, by keyboard. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Receiver } from '../support/receiver.ts';
import { unique } from '../support/running-service.ts';
import { whySkipped } from './chromium.ts';
import { type Lived, liveIn } from './lived-in.ts';
import { check } from './looks.ts';
import { heading, setUp, signIn } from './setting.ts';
import { assertAccessible, PHONE, settled, WIDE } from './tab.ts';

suite('the palette', { skip: whySkipped() }, () => {
  const set = setUp();
  const there = {} as { lived: Lived; receiver: Receiver };
  before(async () => Object.assign(there, await liveIn(set.world)));
  after(() => there.receiver?.close());

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search', exact: true });
  const options = (page: Page) => page.getByRole('option');
  const read = async (path: string): Promise<any> => {
    const { body } = await set.world.api('GET', `/v1/wallets/${there.lived.wallet.id}${path}`, {
      token: set.world.token,
    });
    return body.data;
  };

  test('opens the page of each id, hash and text that is pasted, and nothing else is pressed than Enter', async (context) => {
    const page = await set.open(context);
    const { wallet, address, deposit, unattributed, paid, endpoint, failing, delivery } = there.lived;
    const key = unique('palette');
    const order = { destination: wallet.account, amount_stroops: 12_300_000, reference: 'Palette 7' };
    const withdrawal = (await set.world.withdraw(wallet, order, { key })).body.data;
    const payout = await set.world.api('POST', `/v1/wallets/${wallet.id}/payouts`, {
      token: set.world.token,
      body: {
        name: 'Affiliates of spring',
        rows: [{ idempotency_key: unique('row'), destination: wallet.account, amount_stroops: 1 }],
      },
    });
    const payee = await set.world.api('POST', '/v1/team/payees', {
      token: set.world.token,
      body: { name: 'Harbour Supplies', destination: (await set.world.ledger.fund()).publicKey() },
    });
    await set.world.withdraw(wallet, { payee_id: payee.body.data.id, amount_stroops: 70_000_000 });
    const { stellar_tx_hash, source_account } = await read(`/deposits/${unattributed}`);
    const to_deposit = `/deposits/${deposit}`;
    const to_withdrawal = `/withdrawals/${withdrawal.id}`;
    const to_delivery = `/developers/webhooks/${failing}?delivery=${delivery}`;
    const event = (await read(`/webhooks/${failing}/deliveries/${delivery}`)).event_id;
    const to_payee = new RegExp(`/payees/${payee.body.data.id}$`);
    const cases: [string, string | RegExp][] = [
      [wallet.id, ''],
      [wallet.account, ''],
      [address, `/addresses/${address}`],
      [(await read(`/addresses/${address}`)).address, `/addresses/${address}`],
      ['customer 44', /\/addresses\/adr_\w+$/],
      [deposit, to_deposit],
      [stellar_tx_hash, `/deposits/${unattributed}`],
      ['invoice 7', `/deposits/${unattributed}`],
      ['25.5', to_deposit],
      [paid, `/withdrawals/${paid}`],
      [withdrawal.stellar_tx_hash, /\/(withdrawals|deposits)\/\w+$/],
      [key, to_withdrawal],
      ['palette 7', to_withdrawal],
      [payout.body.data.id, `/payouts/${payout.body.data.id}`],
      ['of spring', `/payouts/${payout.body.data.id}`],
      [endpoint, `/developers/webhooks/${endpoint}`],
      [delivery, to_delivery],
      [event, /\/developers\/webhooks\/\w+\?delivery=dlv_\w+$/],
      [source_account, /\/deposits\/dep_\w+$/],
      ['harbour', to_payee],
      [payee.body.data.destination, to_payee], // before the withdrawal to it
      [payee.body.data.id, to_payee],
    ];
    for (const [text, opened] of cases) {
      await page.goto('/account');
      await heading(page, 'Account').waitFor();
      await page.keyboard.press('Control+k');
      await field(page).waitFor();
      await page.keyboard.insertText(` ${text} `); // as it was copied
      await page.keyboard.press('Enter');
      const path = `/wallets/${wallet.id}${opened}`;
      await page.waitForURL(
        opened instanceof RegExp ? opened : (url) => `${url.pathname}${url.search}` === path,
      );
      await field(page).waitFor({ state: 'detached' });
    }
    await heading(page, '⁨Harbour Supplies⁩').waitFor();
    await page.getByRole('row', { name: 'Paid since it is a payee 7 XLM' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill('supplies');
    await page.getByRole('option', { name: 'Harbour Supplies' }).waitFor();
    await check(page, 'palette-payee');
  });

  test('offers to explain a hash that the service does not know', async (context) => {
    const page = await set.open(context);
    const hash = 'ab'.repeat(32);
    await page.goto(`/wallets/${there.lived.wallet.id}/addresses`);
    await page.getByRole('button', { name: 'Search…' }).click();
    await field(page).fill(hash.toUpperCase());
    await page.getByRole('option', { name: 'Explain this transaction' }).waitFor();
    await settled(page);
    await assertAccessible(page, 'an unknown hash');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/transactions?explain=${hash}`);
    await page.getByText('Not found', { exact: true }).waitFor();
  });

  test('is used by keyboard alone: arrows choose, Escape goes back, / opens it, and ? lists the keys', async (context) => {
    const page = await set.open(context);
    await page.goto(`/wallets/${there.lived.wallet.id}/withdraw`);
    const reference = page.getByLabel('Reference');
    await reference.fill('');
    await reference.press('/');
    await reference.press('?');
    assert.equal(await reference.inputValue(), '/?');
    assert.equal(await page.getByRole('dialog').count(), 0, 'in a field these are letters');

    const button = page.getByRole('button', { name: 'Search…' });
    await button.focus();
    await page.keyboard.press('/');
    await page.locator('[role=combobox]:focus').waitFor();
    assert.equal(await field(page).inputValue(), '');
    const active = async () => page.locator('[role=option][aria-selected=true]').innerText();
    assert.match(await active(), /^Withdraw/);
    await page.keyboard.press('ArrowDown');
    assert.match(await active(), /^New address/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    assert.match(await active(), /^Security/, 'the last one');
    const id = await field(page).getAttribute('aria-activedescendant');
    assert.equal(await page.locator('[role=option][aria-selected=true]').getAttribute('id'), id);
    await check(page, 'palette');
    await page.setViewportSize(WIDE);
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    const focused = page.locator(':focus');
    assert.equal(await focused.innerText(), await button.innerText());

    await page.keyboard.press('Control+k');
    await field(page).fill('address new');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New deposit address' }).waitFor();
    await page.keyboard.press('Control+k');
    assert.equal(await page.getByRole('dialog').count(), 1, 'nothing opens above a dialog');
    await page.keyboard.press('Escape');

    await page.goto('/approvals');
    await heading(page, 'Approvals').waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.getByText('Go to the next card').waitFor();
    await check(page, 'shortcuts');
    await keys.getByLabel('Use / and ? as shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.setViewportSize(WIDE);
    // The field has no focus yet in the first moments: the key closes the search all the same.
    await page.getByRole('button', { name: 'Shortcuts', exact: true }).focus();
    await page.keyboard.press('Control+k');
    await field(page).waitFor({ state: 'detached' });
  });

  test('says that nothing was found, and that the search failed; a phone has a button for it', async (context) => {
    const page = await set.open(context, { refusals: true });
    await page.goto(`/wallets/${there.lived.wallet.id}/addresses`);
    await page.setViewportSize(PHONE);
    await page.getByRole('banner').getByRole('button', { name: 'Search', exact: true }).click();
    await field(page).fill('no such thing');
    await page.getByText('Nothing has “no such thing”').waitFor();
    await check(page, 'palette, nothing found');
    await page.route('**/v1/search?**', (route) =>
      route.fulfill({
        status: 429,
        json: { statusCode: 429, message: 'Too many searches at once.', error: { code: 'too_many_waiting' } },
      }),
    );
    await field(page).fill('polic');
    await page.getByRole('dialog').getByText('Too many searches at once.').waitFor();
    await field(page).press('Enter');
    await page.waitForURL('**/policies');
  });

  test('offers a viewer no action that the role may not do, and finds what the viewer may see', async (context) => {
    const viewer = await set.world.newMember('viewer');
    const page = await set.open(context, { signed_in: false });
    await signIn(page, 'a long enough secret', viewer.email);
    await page.goto(`/wallets/${there.lived.wallet.id}/addresses`);
    await heading(page, 'Deposit addresses').waitFor();
    await page.keyboard.press('Control+k');
    await options(page).first().waitFor();
    const actions = await page.getByRole('group', { name: 'Actions' }).getByRole('option').allInnerTexts();
    assert.deepEqual(
      actions.map((text) => text.split('\n')[0]),
      ['Explain a transaction'],
    );
    assert.equal(await page.getByRole('option', { name: 'Audit log' }).count(), 0);
    await field(page).fill('lovelace');
    await page.getByRole('group', { name: 'Deposit addresses' }).getByRole('option').first().waitFor();
    await field(page).press('Enter');
    await page.waitForURL(`**/addresses/${there.lived.address}`);
  });
});
