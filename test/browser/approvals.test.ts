/** Approvals in the dashboard: who may decide finds what awaits, reads what will be paid, and decides; nobody else is offered it. */

import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { haveOwnPassword } from '../support/own-password.ts';
import { unique, type Wallet } from '../support/running-service.ts';
import { whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import { fillWithdrawal, heading, setUp, signIn } from './setting.ts';
import { settled, WIDE } from './tab.ts';

const PASSWORD = 'a long enough secret';

suite('approvals', { skip: whySkipped() }, () => {
  const set = setUp();

  async function asked(method: string, path: string, body: object, token = set.world.token) {
    const answer = await set.world.api(method, path, { token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  }

  async function newMember(role: string) {
    const email = `${unique('member')}@example.com`;
    await asked('POST', '/v1/team/members', { email, name: `The ${role}`, password: PASSWORD, role });
    await haveOwnPassword(set.world, email);
    return email;
  }

  const openAs = async (test: TestContext, email: string, more = {}): Promise<Page> => {
    const page = await set.open(test, { signed_in: false, ...more });
    await signIn(page, PASSWORD, email);
    return page;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const ask = (wallet: Wallet, kinds: string[]) =>
    asked('PATCH', `/v1/wallets/${wallet.id}/policy`, {
      approvals: { required: 1, for: kinds, without_factor: true },
    });
  /** Waits until it says for which wallet, and who asked. */
  const namesBoth = async (dialog: Locator, wallet: Wallet) => {
    await dialog.getByText(`Wallet: ⁨${wallet.name}⁩`).waitFor();
    await dialog.getByText(/Requested by .*Demo/).waitFor();
  };
  const inOrderOfTime = async (page: Page) => {
    const times = await page
      .getByRole('list', { name: 'History' })
      .locator('time')
      .evaluateAll((all) => all.map((time) => (time as unknown as { dateTime: string }).dateTime));
    assert.ok(times.length > 2);
    assert.deepEqual(times, times.toSorted());
  };
  const pay = async (wallet: Wallet) => {
    const destination = (await set.world.ledger.fund()).publicKey();
    const body = { destination, amount_stroops: 12_345_678n, memo_id: 9005n, reference: 'Invoice 77' };
    const answer = await set.world.withdraw(wallet, body, { key: unique('key') });
    assert.equal(answer.status, 202, answer.text);
    return { ...answer.body.data, destination };
  };

  test('an approver finds the withdrawal by the badge, reads all of it, and approves it with a comment: it is paid', async (context) => {
    const wallet = await set.world.newWallet();
    const email = await newMember('approver');
    await ask(wallet, ['withdrawals']);
    const { id, destination } = await pay(wallet);
    // The page may ask once more what the payment would do, which is 404 once it is approved.
    const page = await openAs(context, email, { refusals: true });
    await page.getByLabel('1 await your decision').first().waitFor();
    await page.getByRole('link', { name: /^Approvals/ }).click();
    await page.getByText('Awaits you').waitFor();
    await page.getByText('with memo id 9005').waitFor();
    await page.getByText('Reference: ⁨Invoice 77⁩').waitFor();
    await check(page, 'approvals');
    await page.getByRole('link', { name: 'Open the withdrawal' }).click();
    await page.getByText('It can be paid now').waitFor();
    const section = page.getByRole('region', { name: 'Awaits approvals' });
    await section.getByText(destination, { exact: true }).waitFor();
    await section.getByText('1.2345678').first().waitFor();
    const sum = section.getByRole('table', { name: 'Available before and after' });
    await sum.getByRole('cell', { name: '−1.2345678 XLM' }).waitFor();
    await sum.getByText('Available after, at least').waitFor();
    await check(page, 'approval of a withdrawal');
    await button(page, 'Approve').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(destination, { exact: true }).waitFor();
    await dialog.getByText('Reference: ⁨Invoice 77⁩').waitFor();
    await namesBoth(dialog, wallet);
    await dialog.getByLabel('Comment').fill('The invoice is right.');
    await check(page, 'approve dialog');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('confirmed').first().waitFor();
    const history = page.getByRole('list', { name: 'History' });
    await history.getByText('“The invoice is right.”').waitFor();
    await history.getByText(/Requested by .*Demo/).waitFor();
    await history.getByText(/Approved by .*The approver/).waitFor();
    await inOrderOfTime(page);
    await check(page, 'withdrawal that was approved');
    const path = `/v1/wallets/${wallet.id}/withdrawals/${id}`;
    const { body } = await set.world.api('GET', path, { token: set.world.token });
    assert.equal(body.data.status, 'confirmed');
    await page.goto('/approvals');
    await page.getByText('Nothing awaits approval').waitFor();
  });

  test('one page is enough: cards are decided by keyboard, and the other tab says who decided what', async (context) => {
    const wallet = await set.world.newWallet();
    const email = await newMember('approver');
    await ask(wallet, ['withdrawals']);
    await pay(wallet);
    await pay(wallet);
    // A dialog may ask once more what the payment would do, which is 404 once it is approved.
    const page = await openAs(context, email, { refusals: true });
    await page.goto('/approvals');
    await page.getByRole('tab', { name: 'Waiting (2)' }).waitFor();
    const cards = page.getByRole('tabpanel').getByRole('listitem');
    assert.match((await cards.first().textContent()) ?? '', /with memo id 9005/);
    const dialog = page.getByRole('dialog');
    const has_focus = page.locator(':focus');
    for (const key of ['j', 'a', 'r']) await page.keyboard.press(key);
    assert.equal(await dialog.count(), 0, 'the focus is not in the list');
    assert.equal(await page.locator('.cards :focus').count(), 0);
    await cards.first().getByRole('link').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('j');
    await cards.nth(1).and(has_focus).waitFor();
    await page.keyboard.press('k');
    await cards.first().and(has_focus).waitFor();
    assert.equal(await dialog.count(), 0, 'the key has a modifier');
    await page.keyboard.press('a');
    await dialog.getByText('Approve this withdrawal?').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).and(has_focus).waitFor();
    await page.keyboard.press('r');
    await dialog.getByText('with memo id 9005').waitFor();
    await dialog.getByLabel('Comment').fill('a just reward');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('tab', { name: 'Waiting (1)' }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await cards.first().and(has_focus).waitFor();
    await page.keyboard.press('r');
    await dialog.getByText('Reject this withdrawal?').waitFor();
    await dialog.getByLabel('Comment').fill('unknown payee');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Nothing awaits approval').waitFor();
    await page.getByRole('tab', { name: 'Decided' }).click();
    await page.waitForURL('**/approvals?tab=decided');
    await page.reload();
    for (const [outcome, comment] of [
      ['Approved', 'a just reward'],
      ['Rejected', 'unknown payee'],
    ] as const) {
      const card = cards.filter({ hasText: comment });
      await card.getByText(outcome, { exact: true }).waitFor();
      await card.getByText(new RegExp(`${outcome} by .*The approver`)).waitFor();
      await card.getByText('with memo id 9005').waitFor();
    }
    await check(page, 'decided approvals');
  });

  test('a card shows what a payout and a change of the policy are about; on a phone its buttons are for a thumb', async (context) => {
    const wallet = await set.world.newWallet();
    const email = await newMember('approver');
    await asked('PATCH', `/v1/wallets/${wallet.id}/policy`, { max_withdrawal_stroops: 100_000_000n });
    await ask(wallet, ['withdrawals', 'policies']);
    const destination = (await set.world.ledger.fund()).publicKey();
    const rows = [1n, 2n, 3n, 4n, 5n, 6n, 7n].map((number) => ({
      idempotency_key: unique('row'),
      destination,
      amount_stroops: number * 10_000_000n,
      memo_id: 500n + number,
      reference: `Invoice ${number}`,
    }));
    const { id } = await asked('POST', `/v1/wallets/${wallet.id}/payouts`, { name: 'May', rows });
    await asked('POST', `/v1/wallets/${wallet.id}/payouts/${id}/start`, {});
    await asked('PATCH', `/v1/wallets/${wallet.id}/policy`, { max_withdrawal_stroops: 200_000_000n });
    const page = await openAs(context, email);
    const wallets = Promise.withResolvers<void>();
    await page.route(/\/v1\/wallets(\?|$)/, async (route) => {
      await wallets.promise;
      await route.continue();
    });
    await page.goto('/approvals');
    const dialog = page.getByRole('dialog');
    const payout = page.getByRole('listitem').filter({ hasText: 'Open the payout' });
    await payout.getByText('28 XLM').waitFor();
    await payout.getByText('in 7 rows of').waitFor();
    await payout.getByText('and 2 more rows').waitFor();
    const payees = await payout
      .getByRole('list', { name: 'First payees' })
      .getByRole('listitem')
      .allTextContents();
    assert.deepEqual(
      payees.map((text) => /with memo id .*Invoice ./.exec(text)?.[0]),
      [1, 2, 3, 4, 5, undefined].map((row) => row && `with memo id 50${row}, ⁨Invoice ${row}`),
    );
    await payout.getByText('Wallet:').waitFor();
    await payout.getByRole('button', { name: 'Approve' }).click();
    const approve = dialog.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    assert.ok(await approve.isDisabled(), 'the name of the wallet is not known yet');
    wallets.resolve();
    await namesBoth(dialog, wallet);
    await approve.and(page.locator(':enabled')).waitFor();
    await check(page, 'approve dialog of a payout');
    await page.setViewportSize(WIDE);
    await dialog.getByText('You decide about all 7 rows.').waitFor();
    await dialog.getByRole('link', { name: 'Look at all 7 rows' }).click();
    await page.getByRole('table', { name: 'Rows' }).getByText('Invoice 7').waitFor();
    assert.equal(await dialog.count(), 0);
    await page.goto('/approvals');
    const change = page.getByRole('listitem').filter({ hasText: 'Open the policies' });
    await change.getByText('The limit of XLM per withdrawal is 10 XLM').waitFor();
    await change.getByText('The limit of XLM per withdrawal will be 20 XLM').waitFor();
    const shortcuts = page.getByText('next, ');
    await shortcuts.waitFor();
    await check(page, 'cards of approvals');
    assert.ok(await shortcuts.isHidden());
    const button_box = await change.getByRole('button', { name: 'Approve' }).boundingBox();
    assert.ok(button_box && button_box.height >= 44);
    await page.setViewportSize(WIDE);
    await change.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByText('The limit of XLM per withdrawal is 10 XLM').waitFor();
    await namesBoth(dialog, wallet);
    await approve.click();
    await change.waitFor({ state: 'detached' });
    await payout.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Nothing awaits approval').waitFor();
  });

  test('who asked, and who may not approve, see that it awaits others, and no button; a rejection says that nothing was paid', async (context) => {
    const wallet = await set.world.newWallet();
    const [approver, viewer] = [await newMember('approver'), await newMember('viewer')];
    await ask(wallet, ['withdrawals']);
    const { id } = await pay(wallet);
    const path = `/wallets/${wallet.id}/withdrawals/${id}`;
    // These pages stay open while another member rejects it: they may ask once more what it would do, which is 404 by then.
    for (const page of [
      await set.open(context, { refusals: true }),
      await openAs(context, viewer, { refusals: true }),
    ]) {
      await page.goto(path);
      await heading(page, 'Awaits approvals').waitFor();
      await settled(page);
      for (const name of ['Approve', 'Reject']) assert.equal(await button(page, name).count(), 0);
    }
    const page = await openAs(context, approver);
    await page.goto(path);
    await button(page, 'Reject').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Failed: nothing was paid').waitFor();
  });

  test('the page of policies asks for approvals; a looser rule awaits another member, who approves it there', async (context) => {
    const wallet = await set.world.newWallet();
    const admin = await newMember('admin');
    const owner = await set.open(context);
    await owner.goto(`/wallets/${wallet.id}/policies`);
    await button(owner, 'Ask for approvals').click();
    const dialog = owner.getByRole('dialog');
    await dialog.getByLabel('Above, in XLM').fill('100');
    await dialog.getByLabel('Members without a second factor may decide').waitFor();
    await check(owner, 'approvals dialog');
    await dialog.getByRole('button', { name: 'Ask for approvals' }).click();
    await owner.getByText('1 approval for withdrawals above 100 XLM').waitFor();
    await button(owner, 'Remove the approvals').click();
    await dialog.getByRole('button', { name: 'Remove the approvals' }).click();
    await owner.getByText('No approvals will be asked for').waitFor();
    await settled(owner);
    assert.equal(await button(owner, 'Approve').count(), 0);
    const page = await openAs(context, admin);
    await page.goto('/approvals');
    await page.getByText('No approvals will be asked for').waitFor();
    await check(page, 'approvals with a change of a policy');
    await page.goto(`/wallets/${wallet.id}/policies`);
    await page.getByRole('link', { name: 'Add a second factor' }).waitFor();
    assert.equal(await button(page, 'Approve').count(), 0);
    await set.world.query(
      `update wallet_policies set approvals = approvals || '{"without_factor": true}' where wallet_id = $1`,
      [wallet.id],
    );
    await button(page, 'Approve').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('None: every member acts alone').waitFor();
  });

  test('an API key waits for another member; its requester carries it out and gets the key, once', async (context) => {
    const wallet = await set.world.newWallet();
    const email = await newMember('approver');
    await ask(wallet, ['api_keys']);
    const owner = await set.open(context);
    await owner.goto(`/wallets/${wallet.id}/developers?tab=keys`);
    await button(owner, 'New key').click();
    await owner.getByRole('dialog').getByLabel('Name').fill('shop');
    await owner.getByRole('dialog').getByRole('button', { name: 'Create the key' }).click();
    await owner.getByText('Other members must approve this first.').waitFor();
    await check(owner, 'API key that awaits approvals');
    await owner.getByRole('link', { name: 'The approvals of the team' }).click();
    await heading(owner, 'Approvals').waitFor();
    await owner.getByText('Make an API key').waitFor();
    await button(owner, 'Take back').waitFor();
    await settled(owner);
    for (const name of ['Approve', 'Reject', 'Carry out']) assert.equal(await button(owner, name).count(), 0);

    const approver = await openAs(context, email);
    await approver.getByLabel('1 await your decision').first().waitFor();
    await approver.goto('/approvals');
    await approver.getByText('shop', { exact: true }).waitFor();
    await check(approver, 'change of access');
    await button(approver, 'Approve').click();
    await namesBoth(approver.getByRole('dialog'), wallet);
    await approver.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await approver.getByText('It is approved. Its requester can carry it out.').waitFor();

    await button(owner, 'Carry out').click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Carry out' }).click();
    const key = await owner.getByRole('dialog').getByLabel('API key', { exact: true }).textContent();
    assert.match(key ?? '', /^svc_sk_/);
    await check(owner, 'key of an approved request');
    await owner.getByLabel('I have stored the API key in a safe place').check();
    await button(owner, 'Done').click();
    await owner.getByText('Nothing awaits approval').waitFor();
    const read = await set.world.api('GET', `/v1/wallets/${wallet.id}`, { token: key?.trim() ?? '' });
    assert.equal(read.status, 200, read.text);
  });

  test('before it is asked for, a withdrawal above the threshold says what it needs, and its figures add up', async (context) => {
    const wallet = await set.world.newWallet();
    await newMember('approver');
    await asked('PATCH', `/v1/wallets/${wallet.id}/policy`, {
      approvals: {
        required: 1,
        for: ['withdrawals'],
        above: [{ asset_code: 'native', asset_issuer: null, amount_stroops: 1_000_000_000n }],
        without_factor: true,
      },
    });
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    await page.getByLabel('Destination').fill((await set.world.ledger.fund()).publicKey());
    await page.getByLabel('Amount').fill('50');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Available after').waitFor();
    assert.equal(await preview.getByText('Needs 1 approval').count(), 0);
    await page.getByLabel('Amount').fill('250.75');
    await preview.getByText('Needs 1 approval').waitFor();
    await preview.getByText(/These members may approve: .*The approver/).waitFor();
    const cells = preview.getByRole('table', { name: 'Available before and after' }).getByRole('cell');
    const shown = (await cells.allInnerTexts()).map((text) => text.replace(' XLM', ''));
    assert.equal(new Set(shown.map((text) => text.split('.')[1]?.length)).size, 1, 'decimals are aligned');
    const figures = shown.map((text) => BigInt(text.replace('−', '-').replace(/[,.]/g, '')));
    assert.equal(
      figures.slice(0, -1).reduce((sum, each) => sum + each, 0n),
      figures.at(-1),
    );
    await check(page, 'withdrawal that needs approvals');
    await button(page, 'Review').and(page.locator(':enabled')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Ask for approval of 250.75 XLM?').waitFor();
    await dialog.getByText('Nothing is signed or sent before.').waitFor();
    await check(page, 'review of a withdrawal that needs approvals');
    assert.equal(await dialog.getByText('cannot be undone').count(), 0);
    await dialog.getByRole('button', { name: 'Ask for approval' }).click();
    await heading(page, 'Awaits approvals: nothing is signed').waitFor();
  });

  test('a payout above the threshold says what it needs before it is asked for, and names who asked and who approved afterwards', async (context) => {
    const wallet = await set.world.newWallet();
    const email = await newMember('approver');
    const above = [{ asset_code: 'native', asset_issuer: null, amount_stroops: 1_000_000_000n }];
    await asked('PATCH', `/v1/wallets/${wallet.id}/policy`, {
      approvals: { required: 1, for: ['withdrawals'], above, without_factor: true },
    });
    const page = await set.open(context);
    const draft = async (amount_stroops: bigint) => {
      const destination = (await set.world.ledger.fund()).publicKey();
      const rows = [{ idempotency_key: unique('row'), destination, amount_stroops }];
      const { id } = await asked('POST', `/v1/wallets/${wallet.id}/payouts`, { name: 'Affiliates', rows });
      await page.goto(`/wallets/${wallet.id}/payouts/${id}`);
    };
    const dialog = page.getByRole('dialog');
    await draft(500_000_000n);
    await button(page, 'Start').click();
    await dialog.getByRole('button', { name: 'Start' }).waitFor();
    assert.equal(await dialog.getByText('Needs').count(), 0);
    await draft(2_507_500_000n);
    await button(page, 'Ask for approval').click();
    await dialog.getByText('Ask for approval of this payout?').waitFor();
    await dialog.getByText('Needs 1 approval').waitFor();
    await dialog.getByText('more than the wallet pays without approvals').waitFor();
    await dialog.getByText(/These members may approve: .*The approver/).waitFor();
    await check(page, 'start of a payout that needs approvals');
    assert.equal(await dialog.getByText('cannot be taken back').count(), 0);
    await dialog.getByRole('button', { name: 'Ask for approval' }).click();
    await heading(page, 'Awaits approvals').waitFor();
    await page
      .getByText(/Requested by .*Demo/)
      .first()
      .waitFor();
    await check(page, 'payout that awaits approvals');

    const approver = await openAs(context, email);
    await approver.goto(new URL(page.url()).pathname);
    await button(approver, 'Approve').click();
    await approver.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await approver.getByText('1 confirmed').waitFor();
    const history = approver.getByRole('list', { name: 'History' });
    for (const step of [/Created by .*Demo/, /Requested by .*Demo/, /Approved by .*The approver/, 'Started'])
      await history.getByText(step).waitFor();
    await inOrderOfTime(approver);
    await check(approver, 'payout that was approved');
    await approver.getByRole('table', { name: 'Rows' }).getByRole('link').click();
    await history.getByText('Confirmed').waitFor();
    for (const step of [/Requested by .*Demo/, /Approved by .*The approver/])
      await history.getByText(step).waitFor();
    await inOrderOfTime(approver);
    await approver.setViewportSize(WIDE);
    await approver.goto(`/wallets/${wallet.id}/payouts`);
    await approver.getByRole('row', { name: /Affiliates.*Demo.*The approver/ }).waitFor();
    await check(approver, 'payouts with names');

    await newMember('approver'); // somebody must be left to approve
    const { items } = (await set.world.api('GET', '/v1/team/members', set.world)).body.data;
    const { user_id } = items.find((member: { email: string }) => member.email === email);
    await approver.goto('about:blank'); // its page asks again and again
    await asked('DELETE', `/v1/team/members/${user_id}`, {});
    await page.reload();
    await page.getByText(new RegExp(`The approver.* \\(${email}, has left the team\\)`)).waitFor();
    await check(page, 'payout that a former member approved');
  });

  test('the requester of a withdrawal takes it back', async (context) => {
    const wallet = await set.world.newWallet();
    await newMember('approver');
    await ask(wallet, ['withdrawals']);
    const { id } = await pay(wallet);
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/withdrawals/${id}`);
    await button(page, 'Take back').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await page.getByText('Failed: nothing was paid').waitFor();
  });

  test('a payee is saved after a payment, paid by its name, put on an allow list; the approver reads the name and that it is new', async (context) => {
    const wallet = await set.world.newWallet();
    const destination = (await set.world.ledger.fund()).publicKey();
    const page = await set.open(context, { refusals: true });
    const dialog = page.getByRole('dialog');
    await page.goto('/payees');
    await page.getByText('No payees yet').waitFor();
    await check(page, 'payees-empty');
    await page.setViewportSize(WIDE);
    const first = await fillWithdrawal(page, wallet, { destination, amount: '2', memo_id: '9005' });
    await first.click();
    await button(page, 'Save as payee').click();
    await dialog.getByLabel('Name').fill('Northwind Traders');
    assert.equal(await dialog.getByLabel('Address').inputValue(), destination);
    assert.equal(await dialog.getByLabel('Memo id').inputValue(), '9005');
    await dialog.getByLabel('Note').fill('Invoices of the first of the month');
    await check(page, 'payee-new');
    await page.setViewportSize(WIDE);
    await button(page, 'Add payee').click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('⁨Northwind Traders⁩').first().waitFor();
    await page.goto(`/wallets/${wallet.id}/transactions`);
    await page.getByRole('link', { name: 'Northwind Traders' }).waitFor();
    await page.goto(`/wallets/${wallet.id}`);
    await page.getByRole('link', { name: 'Northwind Traders' }).waitFor();

    const pinned = { name: 'Pinned to USDC', destination: wallet.account, memo_id: 5 };
    const usdc = { asset_code: 'USDC', asset_issuer: destination };
    await asked('POST', '/v1/team/payees', { ...pinned, ...usdc });
    const email = await newMember('approver');
    await ask(wallet, ['withdrawals', 'destinations']);
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    const field = page.locator('#destination');
    const asset = page.getByLabel('Asset');
    await field.fill('pinned');
    await page.getByRole('option', { name: 'Pinned to USDC' }).click();
    assert.equal(await asset.inputValue(), `USDC:${destination}`);
    await field.fill(destination);
    assert.equal(await asset.inputValue(), 'native', 'another recipient is paid in what was chosen');
    assert.equal(await page.getByLabel('Memo id').inputValue(), '');
    await field.fill('north');
    await page.getByRole('option', { name: 'Northwind Traders' }).click();
    assert.equal(await field.inputValue(), destination);
    assert.equal(await page.getByLabel('Memo id').inputValue(), '9005');
    await page.getByText('New payee', { exact: true }).waitFor();
    await page.getByLabel('Memo id').fill('9006');
    await page.getByText('⁨Northwind Traders⁩ is paid with memo 9005.').waitFor();
    await page.getByLabel('Memo id').fill('9005');
    await page.getByLabel('Amount').fill('3');
    await check(page, 'withdraw-to-payee');
    await page.setViewportSize(WIDE);
    await button(page, 'Review').click();
    await dialog.getByText('⁨Northwind Traders⁩').waitFor();
    await dialog.getByText('New payee').waitFor();
    await dialog.getByRole('button', { name: 'Ask for approval' }).click();
    await heading(page, 'Awaits approvals: nothing is signed').waitFor();

    const approver = await openAs(context, email, { refusals: true });
    await approver.goto('/approvals');
    const card = approver.getByRole('listitem').filter({ hasText: destination });
    await card.getByText('⁨Northwind Traders⁩').waitFor();
    await card.getByText('New payee').waitFor();
    await check(approver, 'approvals-payee');

    await button(page, 'New withdrawal').first().waitFor();
    await page.goto('/payees');
    await button(page, 'New payee').click();
    await dialog.getByLabel('Name').fill('Northwind Traders (Berlin)');
    await dialog.getByLabel('Address').fill(destination);
    await dialog.getByLabel('Memo id').fill('9005');
    await button(page, 'Add payee').click();
    await dialog.getByText('It is of another payee.').waitFor();
    await dialog.getByLabel('Memo id').fill('9006');
    await button(page, 'Add payee').click();
    await dialog.getByText('Other members must approve this first.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await check(page, 'payees');
    await page.setViewportSize(WIDE);

    await page.goto(`/wallets/${wallet.id}/policies`);
    await button(page, 'Restrict destinations').click();
    await dialog.getByLabel('Payees').click();
    await page.getByRole('option', { name: 'Northwind Traders' }).click();
    await dialog.getByLabel('Addresses').focus(); // the list of payees closes
    await check(page, 'policies-payee');
    await page.setViewportSize(WIDE);
    await dialog.getByRole('button', { name: 'Allow only these' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('⁨Northwind Traders⁩').waitFor();
    await page.goto('/payees');
    await page.getByRole('button', { name: 'Manage the payee Northwind Traders' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Take the payee off the list first.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Northwind Traders' }).click();
    await heading(page, '⁨Northwind Traders⁩').waitFor();
    await page.getByText('⁨Invoices of the first of the month⁩').waitFor();
    await check(page, 'payee');
    await page.setViewportSize(WIDE);
    await page.goto('/payees/pye_none');
    await heading(page, 'Payee not found').waitFor();

    await page.goto('/audit?action=policy.changed');
    const entry = page.getByRole('link', { name: /: destinations .*payee “⁨Northwind Traders⁩” \(pye_\w+, G/ });
    await entry.waitFor();
    await check(page, 'audit-payee');
    await page.getByRole('link', { name: /^⁨Northwind Traders⁩$/ }).click();
    await heading(page, '⁨Northwind Traders⁩').waitFor();
  });
});
