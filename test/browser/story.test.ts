/** What the owner of a wallet does on the first day, in a browser, from the first sign-in to a withdrawal. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk/base';
import { Webhook } from 'standardwebhooks';
import { fromJson } from '../support/api.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import { EMAIL, fillPassword, fillWithdrawal, heading, sessionToken, setUp, signOut } from './setting.ts';
import { settled, WIDE } from './tab.ts';

suite('the first day with the dashboard', { skip: whySkipped() }, () => {
  const set = setUp();
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver?.close());

  test('sign in, wallet, address, endpoint, a deposit that appears and is announced, a withdrawal that is proven', async (context) => {
    const page = await set.open(context, { signed_in: false });
    const button = (name: string) => page.getByRole('button', { name, exact: true });

    // A visitor signs in first, and then comes to the page that was asked for.
    await page.goto('/account');
    await page.getByLabel('E-mail').fill(EMAIL);
    await fillPassword(page, set.password);
    await heading(page, 'Account').waitFor();

    await page.goto('/wallets');
    await button('New wallet').click();
    await page.getByLabel('Name').fill('Shop');
    await button('Create wallet').click();
    const api_key = await page.getByLabel('API key', { exact: true }).innerText();
    assert.ok(await button('Open the wallet').isDisabled(), 'nobody goes on before the key is stored');
    await page.keyboard.press('Escape');
    await page.getByLabel('I have stored the API key').check();
    await button('Open the wallet').click();
    await page.waitForURL('**/wallets/wal_*');
    const id = new URL(page.url()).pathname.split('/').at(-1) as string;
    const path = `/v1/wallets/${id}`;
    assert.equal(
      (await set.world.api('GET', path, { token: api_key })).status,
      200,
      'the key that was shown',
    );
    await page.getByRole('banner').getByLabel('Network: Sandbox').waitFor();

    const first_steps = page.getByRole('region', { name: 'First steps' });
    await first_steps.getByText('0 of 6 done').waitFor();
    await check(page, 'overview, first steps');
    await page.setViewportSize(WIDE);
    const guide = first_steps.getByRole('link', { name: 'Going live' });
    assert.match(`${await guide.getAttribute('href')}`, /^\/docs\/#/);

    const wallet_pages = page.getByRole('navigation', { name: 'Main' });
    await first_steps.getByRole('link', { name: 'Add a webhook endpoint' }).click();
    await button('Add endpoint').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(`${receiver.url}/hook`);
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    const secret = await page.getByLabel('signing secret', { exact: true }).innerText();
    await page.getByLabel('I have stored the signing secret').check();
    await button('Done').click();

    await wallet_pages.getByRole('link', { name: 'Deposit addresses' }).click();
    await button('New address').first().click();
    await page.getByLabel('Label').fill('Ada Lovelace');
    await page.getByLabel('Metadata').fill('{"customer": 18446744073709551615}');
    await button('Create address').click();
    await heading(page, 'Ada Lovelace').waitFor();
    await button('Pay this address').click();
    await dialog.getByLabel('Amount').fill('25.5');
    await dialog.getByRole('button', { name: 'Pay', exact: true }).click();
    await dialog.getByText('Paid').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    // The deposit comes by itself, and leads to its own page, which shows its delivery.
    const deposits = page.getByRole('table', { name: 'Deposits to this address' });
    await deposits.getByText('Delivered').waitFor();
    await page.getByRole('region', { name: 'Received' }).getByText('25.5 XLM').waitFor();
    await page.getByRole('link', { name: '25.5 XLM' }).click();
    await page.getByRole('heading', { name: /^25\.5 XLM from .*Ada Lovelace/ }).waitFor();
    assert.equal(await page.title(), '25.5 XLM · Deposit · Stellar Teller');
    await receiver.received(1);
    const [{ headers, body }] = receiver.requests as [(typeof receiver.requests)[0]];
    new Webhook(secret).verify(body, headers as Record<string, string>);
    const { data } = fromJson(body.toString()) as any;
    assert.equal(data.amount_stroops, 255_000_000n);
    assert.deepEqual(data.metadata, { customer: 18_446_744_073_709_551_615n });
    await page.getByText('Acknowledged by 1 of 1 endpoints.').waitFor();

    await wallet_pages.getByRole('link', { name: 'Deposit addresses' }).click();
    const customer = page.getByRole('row', { name: 'Ada Lovelace' });
    await customer.getByText('25.5 XLM').last().waitFor();
    await customer.getByText('customer: 18446744073709551615').waitFor();

    const destination = Keypair.random().publicKey();
    await (await fillWithdrawal(page, { id }, { destination, amount: '12.5' })).click();
    await heading(page, 'Paid').waitFor();
    assert.equal((await set.world.ledger.account(destination))?.balance, 125_000_000n);

    // Its outcome was seen: the page is for the next one, and says what became of the last.
    await wallet_pages.getByRole('link', { name: 'Overview' }).click();
    await heading(page, 'Latest activity').waitFor();
    await first_steps.getByText('3 of 6 done').waitFor();
    assert.deepEqual(await first_steps.getByRole('listitem').getByRole('link').allInnerTexts(), [
      'Let your receiver pass the exam',
      'Invite a colleague',
      'Add a second factor to your login',
    ]);
    await button('Close the first steps').click();
    await first_steps.waitFor({ state: 'detached' });
    await page.reload();
    await heading(page, 'Latest activity').waitFor();
    await settled(page);
    assert.equal(await first_steps.count(), 0, 'it stays closed in this browser');
    await wallet_pages.getByRole('link', { name: 'Withdraw' }).click();
    const last = page.getByRole('region', { name: 'The last withdrawal' });
    await last.getByText(/^Paid 12.5 XLM to G/).waitFor();
    assert.equal(await page.evaluate('document.activeElement.labels[0].textContent'), 'Destination *');
    assert.equal(await page.getByLabel('Destination').inputValue(), '');
    await check(page, 'withdraw after a withdrawal');
    await page.setViewportSize(WIDE);
    await page.getByLabel('Destination').fill(destination);
    await page.getByLabel('Amount').fill('99999999');
    await page.getByText('It cannot be sent').waitFor();
    const review = button('Review');
    assert.ok(await review.isDisabled());
    const reason = page.locator(`#${await review.getAttribute('aria-describedby')}`);
    assert.match(await reason.innerText(), /does not hold enough/);
    await check(page, 'withdraw more than there is');
    await page.setViewportSize(WIDE);

    await wallet_pages.getByRole('link', { name: 'Transactions' }).click();
    for (const amount of ['+25.5 XLM', '−12.5 XLM']) await page.getByText(amount).first().waitFor();

    await signOut(page);
    assert.equal(await sessionToken(page), '', 'no token is left in the browser');
  });

  test('a deposit appears on the open overview by itself within seconds of its ledger', async (context) => {
    const wallet = await set.world.newWallet();
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}`);
    await heading(page, 'Latest activity').waitFor();
    await settled(page);
    const payer = await set.world.ledger.fund();
    await set.world.ledger.pay(payer, wallet.account, 70_000_001n);
    await page.getByText('+7.0000001 XLM').last().waitFor();
    await page.getByText('Not shown: 10,000 XLM own funds').waitFor();
    await page.getByText('Deposits (1)').waitFor();
  });
});
