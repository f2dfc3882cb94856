/** Credentials that end while somebody works: the session's, and the API key's. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk/base';
import { whySkipped } from './chromium.ts';
import {
  EMAIL,
  endSession,
  fillPassword,
  fillWithdrawal,
  heading,
  setUp,
  signIn,
  signOut,
  storedIn,
} from './setting.ts';

suite('credentials that end', { skip: whySkipped() }, () => {
  const set = setUp();

  test('a session that ends over a half filled form asks for the password above it, and what was typed stays', async (context) => {
    const { id } = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    const ended = page.getByRole('heading', { name: 'Your session has ended' });
    await page.goto(`/wallets/${id}/addresses`);
    await page.getByRole('button', { name: 'New address' }).first().click();
    await page.getByLabel('Label').fill('Half typed');
    await page.getByLabel('Metadata').fill('{"customer": 18446744073709551615}');
    await endSession(set, page);
    await ended.waitFor();
    await page.keyboard.press('Escape');
    await fillPassword(page, 'not the password');
    // The page behind tells of its own refusals, too.
    await page.getByRole('dialog', { name: 'Your session has ended' }).getByRole('alert').waitFor();
    await fillPassword(page, set.password);
    await ended.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Label').inputValue(), 'Half typed');
    await page.getByRole('button', { name: 'Create address' }).click();
    await heading(page, 'Half typed').waitFor();
    await page.getByText('18446744073709551615').first().waitFor();
  });

  test('a session that ends as a withdrawal is sent pays nothing, and pays once after signing in again', async (context) => {
    const wallet = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    const destination = Keypair.random().publicKey();
    const pay = await fillWithdrawal(page, wallet, { destination, amount: '5' });
    await endSession(set, page);
    // The page may have noticed by itself, and asks for the password above the button. The click was on its way then.
    await pay.dispatchEvent('click');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    assert.equal(await set.world.ledger.account(destination), null);
    await fillPassword(page, set.password);
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Destination').inputValue(), destination);
    if (!(await pay.isVisible())) await page.getByRole('button', { name: 'Review' }).click();
    await pay.click();
    await heading(page, 'Paid').waitFor();
    assert.equal((await set.world.ledger.account(destination))?.balance, 50_000_000n);
  });

  test('what was typed into a withdrawal survives a reload and an expired session, and is gone after signing out', async (context) => {
    const wallet = await set.world.newWallet();
    const page = await set.open(context, { refusals: true });
    const destination = Keypair.random().publicKey();
    await fillWithdrawal(page, wallet, { destination, amount: '5' });
    await page.reload();
    assert.equal(await page.getByLabel('Destination').inputValue(), destination);
    await endSession(set, page);
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await page.reload();
    await fillPassword(page, set.password);
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Destination').inputValue(), destination);
    await signOut(page);
    assert.ok(!(await storedIn(page)).includes(destination));
    await signIn(page, set.password);
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    assert.equal(await page.getByLabel('Destination').inputValue(), '');
  });

  test('another user who signs in after an expired session finds nothing of what was typed', async (context) => {
    const wallet = await set.world.newWallet();
    const other = await set.world.newUser();
    const page = await set.open(context, { refusals: true });
    const destination = Keypair.random().publicKey();
    await fillWithdrawal(page, wallet, { destination, amount: '5' });
    await endSession(set, page);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('E-mail').fill(other.email);
    await fillPassword(page, other.password);
    await page.waitForURL('**/wallets');
    const stored = await storedIn(page);
    assert.ok(stored.includes(other.email));
    for (const private_text of [destination, EMAIL]) assert.ok(!stored.includes(private_text), private_text);
  });

  test('a key that is regenerated is dead at once, and the one that is shown works', async (context) => {
    const { id, api_key: old_key } = await set.world.newWallet();
    const status = async (token: string) =>
      (await set.world.api('GET', `/v1/wallets/${id}`, { token })).status;
    const page = await set.open(context);
    await page.goto(`/wallets/${id}/developers?tab=keys`);
    await page.getByText(`…${old_key.slice(-4)}`).waitFor();
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByText('stops working at once').waitFor();
    assert.equal(await status(old_key), 200, 'nothing happens before it is confirmed');
    await page.getByRole('button', { name: 'Regenerate and revoke the old key' }).click();
    const shown = page.getByRole('dialog').getByLabel('API key', { exact: true });
    const new_key = await shown.innerText();
    assert.equal(await status(old_key), 401);
    assert.equal(await status(new_key), 200);
    await page.getByLabel('I have stored the API key').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText(`…${new_key.slice(-4)}`).waitFor();
  });
});
