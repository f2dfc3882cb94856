/** What somebody sees who pays a file: its mistakes by line, its progress, and its result. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk/base';
import type { Page } from 'playwright-core';
import { unique } from '../support/running-service.ts';
import { whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import { heading, setUp, signOut } from './setting.ts';

suite('payouts in the dashboard', { skip: whySkipped() }, () => {
  const set = setUp();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('a file is mended, kept, started and paid, and its result saved', async (context) => {
    const wallet = await set.world.newWallet();
    const payee = (await set.world.ledger.fund()).publicKey();
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/payouts`);
    await page.getByText('No payouts yet').waitFor();
    await page.getByRole('link', { name: 'New payout' }).click();
    await heading(page, 'New payout').waitFor();
    const header = 'idempotency_key,destination,amount,reference';
    const key = unique('row');
    const wrong = [1, 2, 3].map((number) => `${key}-${number},${payee},€5,Ada`);
    await page.getByLabel('Or paste the rows').fill(`${header}\n${wrong.join('\n')}\n,${payee},1,Ada\n`);
    await button(page, 'Check the file').click();
    await page.getByText('4 errors').waitFor();
    await page.getByRole('row', { name: /^Lines 2–4 amount must be a number of units/ }).waitFor();
    await page.getByRole('row', { name: 'Line 5 idempotency_key is required' }).waitFor();
    for (const name of ['Fees', 'Approvals needed', 'All rows'])
      assert.equal(await page.getByText(name).count(), 0);
    await check(page, 'new-payout-with-errors');
    const rows = [1, 2, 3].map((number) => `${key}-${number},${payee},1.5,Ada`);
    await page.locator('input[type=file]').setInputFiles({
      name: 'May.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${header}\n${rows.join('\n')}\n`),
    });
    await button(page, 'Check the file').click();
    await page.getByText('No errors').waitFor();
    assert.equal(await page.getByLabel('Name').inputValue(), 'May');
    assert.ok(await button(page, 'Keep as draft').isDisabled(), 'the same payment twice must be confirmed');
    await page.getByLabel('The same payment more than once in this file is meant').check();
    await check(page, 'new-payout');
    await button(page, 'Keep as draft').click();
    await heading(page, 'May').waitFor();
    await page.getByText('3 waiting').waitFor();
    await button(page, 'Start').click();
    await page.getByRole('dialog').getByText('4.5 XLM').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await page.getByText('3 confirmed').waitFor();
    await page.getByText('Completed', { exact: true }).first().waitFor();
    await check(page, 'payout');
    const saved = page.waitForEvent('download');
    await button(page, 'Result as CSV').click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    assert.ok(text.startsWith('\ufeffrow,'), 'a spreadsheet knows that it is UTF-8');
    assert.equal(text.split('\r\n').filter((line) => line.includes(',confirmed,wd_')).length, 3);
    await page.goto(`/wallets/${wallet.id}/payouts`);
    await page.getByRole('link', { name: 'May' }).waitFor();
    await check(page, 'payouts');
    // From a payment in the list of transactions back to its row.
    await page.goto(`/wallets/${wallet.id}/transactions`);
    const table = page.getByRole('table', { name: 'Transactions' });
    await table.getByText('⁨Ada⁩ · Payout row 3').waitFor();
    await check(page, 'transactions of a payout');
    await table
      .getByRole('row', { name: /Payout row 3/ })
      .getByRole('link')
      .click();
    await page.getByRole('row', { name: 'Reference ⁨Ada⁩' }).waitFor();
    await page.getByRole('link', { name: 'Row 3 of ⁨May⁩' }).waitFor();
    await check(page, 'withdrawal of a payout');
    await page.getByRole('link', { name: 'Row 3 of ⁨May⁩' }).click();
    await heading(page, 'May').waitFor();
  });

  test('what an amount is, is asked once for a file, and the page says how each was read', async (context) => {
    const wallet = await set.world.newWallet();
    const payee = (await set.world.ledger.fund()).publicKey();
    const key = unique('row');
    const amounts = ['12,50', '12,50', '1.234,50', '1.000'];
    const rows = amounts.map((amount, at) => `${key}-${at};${payee};${amount};Ada ${at}`);
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/payouts/new`);
    const file = page.getByLabel('Or paste the rows');
    await file.fill(`sep=;\nidempotency_key;destination;amount;reference\n${rows.join('\n')}\n`);
    await button(page, 'Check the file').click();
    await page.getByText('One error').waitFor();
    await page.getByRole('row', { name: /^Line 6 amount can be read in two ways/ }).waitFor();
    for (const mark of ['A comma: 1.234,50', 'A point: 1,234.50'])
      assert.equal(await page.getByLabel(mark).isChecked(), false, 'no answer is chosen before');
    await check(page, 'new-payout-which-mark');
    await page.getByLabel('A point: 1,234.50').check();
    await page.getByText('3 errors').waitFor();
    await page.getByLabel('A comma: 1.234,50').check();
    await page.getByText('No errors').waitFor();
    const read = page.getByRole('table', { name: 'How amounts were read' });
    for (const row of [
      /^Lines 3–4 Read .12,50. as 12.5$/,
      /^Line 5 .*as 1234.5$/,
      /^Line 6 Read .1.000. as 1000$/,
    ])
      await read.getByRole('row', { name: row }).waitFor();
    await page.getByRole('row', { name: /^All rows 2,259.5 XLM/ }).waitFor();
    await page.getByRole('row', { name: /^Largest row 1,234.5 XLM.*Ada 2.*line 5$/ }).waitFor();
    await page.getByRole('row', { name: 'New payees 1: this wallet has never paid it' }).waitFor();
    await check(page, 'new-payout-amounts-read');
    // What is kept must be what was checked.
    await page.getByLabel('Name', { exact: true }).fill('Commas');
    await page.getByLabel('The same payment more than once in this file is meant').check();
    await button(page, 'Keep as draft').click();
    await heading(page, 'Commas').waitFor();
    await page.getByText('2,259.5 XLM').first().waitFor();
    await page.goto(`/wallets/${wallet.id}/payouts/new`);
    await file.fill('idempotency_key,destination,amount\n');
    await button(page, 'Check the file').click();
    await page.getByText('One error').waitFor();
    assert.equal(await page.getByText('Which mark').count(), 0, 'another file asks again');
  });

  test('columns are named once, keys are made, and a file that is paid again under another name must be confirmed', async (context) => {
    const wallet = await set.world.newWallet();
    const payee = (await set.world.ledger.fund()).publicKey();
    const page = await set.open(context);
    const name = unique('M\u00e4rz');
    const rows = [1, 2].map((number) => `Ada ${number};${payee};${number},5;x`);
    const open = async (text: string) => {
      await page.goto(`/wallets/${wallet.id}/payouts/new`);
      await page.getByLabel('Or paste the rows').fill(text);
      await button(page, 'Check the file').click();
    };
    const file = `Wer;Empf\u00e4nger;Betrag;Notiz\n${rows.join('\n')}\n`;
    await open(file);
    const step = page.getByRole('heading', { name: 'What are the columns of this file?' });
    await step.waitFor();
    const select = (column: string) => page.getByRole('combobox', { name: column, exact: true });
    assert.equal(await select('Empf\u00e4nger').inputValue(), 'payee');
    assert.equal(await select('Wer').inputValue(), '', 'what is not known is left out');
    assert.equal(await page.getByText('unknown column').count(), 0);
    await select('Wer').selectOption('Name');
    await check(page, 'new-payout-columns');
    await button(page, 'Use these columns').click();
    await page.getByRole('row', { name: /^The file name is required/ }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await button(page, 'Check the file').click();
    await page.getByText('The file has no keys.').waitFor();
    await page.getByRole('row', { name: /^.?Ada 1.* 1.5 XLM$/ }).waitFor();
    await check(page, 'new-payout-keys-made');
    await button(page, 'Keep as draft').click();
    await heading(page, name).waitFor();
    // The same header again: nothing is asked.
    await open(file);
    await page.getByLabel('Name', { exact: true }).fill(`${name} copy`);
    await button(page, 'Check the file').click();
    await page.getByText(/was paid by this wallet in the last 31 days, or is planned/).waitFor();
    assert.equal(await select('Wer').inputValue(), 'reference');
    assert.ok(await button(page, 'Keep as draft').isDisabled(), 'the same payments must be confirmed');
    // Each question has its own tick.
    const again = page.getByLabel(
      'Payments that were made before, or are planned, are meant to be made again',
    );
    const twice = page.getByLabel('The same payment more than once in this file is meant');
    assert.deepEqual([await again.count(), await twice.count()], [1, 0]);
    await page.getByLabel('Or paste the rows').fill(`${file}${rows[0]}\n`);
    await button(page, 'Check the file').click();
    await twice.check();
    assert.ok(await button(page, 'Keep as draft').isDisabled());
    await again.check();
    assert.ok(await button(page, 'Keep as draft').isEnabled());
    await check(page, 'new-payout-questions');
    await page.getByLabel('Or paste the rows').fill(file.replace('Notiz', 'Betrag'));
    await button(page, 'Check the file').click();
    await page.getByText(/several columns with the name .*Betrag/).waitFor();
    await page.getByLabel('Or paste the rows').fill(file);
    await button(page, 'Check the file').click();
    await again.waitFor();
    const kept = () =>
      page.evaluate('Object.keys(localStorage).filter((name) => name.includes("payout")).length');
    assert.equal(await kept(), 1);
    await signOut(page);
    assert.equal(await kept(), 0, 'forgotten with the user');
  });

  test('a payout that ended with failures says how many, opens with them, and offers to retry them', async (context) => {
    const wallet = await set.world.newWallet();
    const { token, api, ledger } = set.world;
    const pay = (amount_stroops: bigint, reference: string, destination: string) => {
      return { idempotency_key: unique('row'), destination, amount_stroops, reference };
    };
    const rows = [
      pay(20_000_000n, 'Ada Lovelace', (await ledger.fund()).publicKey()),
      pay(4_000_000n, 'Charles Babbage', Keypair.random().publicKey()),
    ];
    const path = `/v1/wallets/${wallet.id}/payouts`;
    const made = await api('POST', path, { token, body: { name: 'June', rows } });
    assert.equal(made.status, 201, made.text);
    const { id } = made.body.data;
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/payouts/${id}`);
    await button(page, 'Start').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await page.getByText('1 paid, 1 failed', { exact: true }).waitFor();
    await page.goto(`/wallets/${wallet.id}/payouts`);
    await page.getByRole('row', { name: /June.*1 paid, 1 failed.*2.4 XLM.*2 XLM paid/ }).waitFor();
    await check(page, 'payouts with failures');
    await page.getByRole('link', { name: 'June' }).click();
    await button(page, 'Retry 1 failed row').waitFor();
    const table = page.getByRole('table', { name: 'Rows' });
    await table.getByText('Charles Babbage').waitFor();
    await table.getByText(/does not exist, and 0[.]4 XLM did not create it[.].*1 XLM/).waitFor();
    assert.equal(await table.getByText('Ada Lovelace').count(), 0);
    await check(page, 'payout with failures');
    await page.goto(`/wallets/${wallet.id}/payouts/${id}?status=all`);
    await table.getByText('Ada Lovelace').waitFor();
  });

  test('the template and the result are files for spreadsheets, and the template pays nobody', async (context) => {
    const wallet = await set.world.newWallet();
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/payouts/new`);
    const saved = page.waitForEvent('download');
    await button(page, 'Download a template').click();
    const template = await saved;
    assert.equal(template.suggestedFilename(), 'payout-template.csv');
    const path = await template.path();
    assert.ok(readFileSync(path, 'utf8').startsWith('\ufeffidempotency_key,destination,amount,'));
    await page.locator('input[type=file]').setInputFiles(path);
    await button(page, 'Check the file').click();
    await page.getByText('One error').waitFor();
    await page.getByRole('row', { name: /^Line 2 destination/ }).waitFor();
  });

  test('a file is read as it is: refused when it is no UTF-8, read again when it was mended, quick when it is long', async (context) => {
    const wallet = await set.world.newWallet();
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/payouts/new`);
    await heading(page, 'New payout').waitFor();
    const header = 'idempotency_key,destination,amount,reference\n';
    const path = join(mkdtempSync(join(tmpdir(), 'payouts-')), 'June.csv');
    const choose = async (content: Buffer | string) => {
      writeFileSync(path, content);
      const chooser = page.waitForEvent('filechooser');
      await page.getByText(/Choose a file|June[.]csv/).click();
      await (await chooser).setFiles(path);
    };
    await choose(Buffer.from(`${header}a,GA,1,M\xfcller\n`, 'latin1'));
    await page.getByText('The file is not UTF-8').waitFor();
    await check(page, 'new-payout-not-utf8');
    assert.ok(await button(page, 'Check the file').isDisabled());
    await dropFiles(page, `${header}a,GA,1,Müller\n`, header);
    await page.getByText('Drop one file').waitFor();
    assert.equal(await page.getByLabel('Or paste the rows').inputValue(), '');
    await dropFiles(page, `${header}a,GA,1,Müller\nb,GA,1,Meier\n`);
    await page.getByText('Drop one file').waitFor({ state: 'detached' });
    await button(page, 'Check the file').click();
    await page.getByText('2 errors').waitFor();
    await choose(`${header}a,GA,1,Müller\n`);
    await button(page, 'Check the file').click();
    await page.getByText('One error').waitFor();
    assert.equal(await page.getByText('The file is not UTF-8').count(), 0);
    await choose(`${header}a,GA,1,Müller\nb,GA,1,Meier\n`);
    await page.getByText('One error').waitFor({ state: 'detached' });
    await button(page, 'Check the file').click();
    await page.getByText('2 errors').waitFor();
    const destination = Keypair.random().publicKey();
    const rows = Array.from({ length: 10_000 }, (_, index) => `row-${index},${destination},${index + 1},Ada`);
    const begun = performance.now();
    await choose(header + rows.join('\n'));
    await button(page, 'Check the file').click();
    await page.getByText('10000 rows can be kept').waitFor();
    context.diagnostic(`10,000 rows are checked after ${Math.round(performance.now() - begun)} ms`);
  });
});

/** Drops files on the field for one. */
async function dropFiles(page: Page, ...contents: string[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const dropped = new DataTransfer();
    for (const text of ${JSON.stringify(contents)})
      dropped.items.add(new File([text], 'July.csv', { type: 'text/csv' }));
    return dropped;
  })()`);
  const field = page.getByText('Drop it here, or choose it.');
  await field.dispatchEvent('dragover', { dataTransfer });
  await field.dispatchEvent('drop', { dataTransfer });
}
