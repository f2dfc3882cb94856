/** Whatever happens between the browser and the service, a withdrawal is paid once, and the page tells its outcome. */
import assert from 'node:assert/strict';
import { after, before, suite, type TestContext, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk/base';
import type { Browser, Page } from 'playwright-core';
import { type ControlledService, paymentsOf, startControlledService } from '../crash/controlled-service.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { seededRandom, seedOfRun } from '../support/random.ts';
import { launchChromium, whySkipped } from './chromium.ts';
import { fillWithdrawal, heading, passwordIn, setUp, signIn, signOut, storedIn } from './setting.ts';
import { openTab } from './tab.ts';

const ORDER = /\/v1\/wallets\/[^/]+\/withdraw$/;
const paid = (page: Page) => heading(page, 'Paid').waitFor();

suite('a withdrawal from the browser', { skip: whySkipped() }, () => {
  const set = setUp();

  async function assertPaidOnce({ id }: { id: string }, destination: string) {
    const path = `/v1/wallets/${id}/withdrawals`;
    const { body } = await set.world.api('GET', path, { token: set.world.token });
    assert.equal(body.data.items.length, 1);
    assert.equal((await set.world.ledger.account(destination))?.balance, 50_000_000n);
  }

  async function newOrder(page: Page) {
    const wallet = await set.world.newWallet();
    const destination = Keypair.random().publicKey();
    const pay = await fillWithdrawal(page, wallet, { destination, amount: '5' });
    return { pay, paidOnce: () => assertPaidOnce(wallet, destination) };
  }

  test('is paid once by a double click', async (context) => {
    const page = await set.open(context);
    const { pay, paidOnce } = await newOrder(page);
    await pay.evaluate((button: { click(): void }) => {
      for (let click = 0; click < 5; click++) button.click();
    });
    await paid(page);
    await paidOnce();
  });

  test('is paid once when its answer is lost, and the page finds its outcome', async (context) => {
    const page = await set.open(context, { refusals: true });
    const { pay, paidOnce } = await newOrder(page);
    await page.route(ORDER, async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await pay.click();
    await paid(page);
    await paidOnce();
  });

  test('that never arrived is paid once when it is sent again, after a reload, under its first key', async (context) => {
    const page = await set.open(context, { refusals: true });
    const { pay, paidOnce } = await newOrder(page);
    const keys = keysSentBy(page);
    await page.route(ORDER, (route) => route.abort('connectionreset'));
    await pay.click();
    await page.getByText('The response of the service was lost').waitFor();
    await page.reload();
    await page.unroute(ORDER);
    await page.getByRole('button', { name: 'Send again' }).click();
    await paid(page);
    await paidOnce();
    assert.equal(keys.length, 2);
    assert.equal(new Set(keys).size, 1);
  });

  test('is not said to be unpaid when its answer was lost, and the service refuses it when it is sent again', async (context) => {
    const page = await set.open(context, { refusals: true });
    const { pay, paidOnce } = await newOrder(page);
    const refusal = { code: 'database_unavailable', request_id: 'req_1' };
    const json = { statusCode: 503, message: 'The database cannot be reached.', error: refusal };
    const away = /\/withdrawals\?/;
    await page.route(away, (route) => route.fulfill({ status: 503, json }));
    await page.route(ORDER, async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await pay.click();
    await page.getByText('The response of the service was lost').waitFor();
    await page.unroute(ORDER);
    await page.route(ORDER, (route) => route.fulfill({ status: 503, json }));
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The database cannot be reached.').waitFor();
    await page.getByText('The response to an earlier attempt was lost').waitFor();
    assert.equal(await page.getByText('Nothing was paid.').count(), 0);
    await page.unroute(away);
    await paid(page);
    await paidOnce();
  });

  test('that was under way when its user signed out is paid once, though its user signs in and enters it again', async (context) => {
    const page = await set.open(context, { refusals: true });
    const wallet = await set.world.newWallet();
    const order = { destination: Keypair.random().publicKey(), amount: '5' };
    const keys = keysSentBy(page);
    await page.route(ORDER, (route) => route.abort('connectionreset'));
    await (await fillWithdrawal(page, wallet, order)).click();
    await page.getByText('The response of the service was lost').waitFor();
    await signOut(page);
    assert.ok(!(await storedIn(page)).includes(order.destination), 'only its key is left in the tab');
    await signIn(page, set.password);
    await page.unroute(ORDER);
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await (await fillWithdrawal(page, wallet, order)).click();
    await paid(page);
    await assertPaidOnce(wallet, order.destination);
    assert.equal(keys.length, 2);
    assert.equal(new Set(keys).size, 1);
  });
});

/** The Idempotency-Key of each order, from now on. */
function keysSentBy(page: Page): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (ORDER.test(request.url())) keys.push(request.headers()['idempotency-key']);
  });
  return keys;
}

suite('a withdrawal whose service is killed', { skip: whySkipped() }, () => {
  let stage: ControlledService;
  let browser: Browser;
  let last_memo = 2n ** 63n;
  before(async () => {
    browser = await launchChromium();
    // The browser finds it again at the same address.
    stage = await startControlledService({ PORT: `${await freePort(seededRandom(seedOfRun()))}` });
  });
  after(async () => {
    await browser?.close();
    await stage?.stop();
  });

  test('before the network has it is paid once after the restart, and the open page finds its outcome', async (context) => {
    await paidOnceAfterKill(context, async (ordered) => {
      const sent = stage.proxy.hold('sendTransaction', 'request');
      await ordered();
      await sent;
    });
  });

  test('after the network has paid it is not paid again, and the open page finds its outcome', async (context) => {
    await paidOnceAfterKill(context, async (ordered, memo) => {
      stage.proxy.treat('sendTransaction', async (call) => {
        // From here on the service reads no ledger. A read that has begun may still get the next one.
        for (const method of ['getHealth', 'getLatestLedger', 'getLedgers', 'getTransactions'])
          stage.proxy.treat(method, () => undefined);
        call.reply(await call.forward());
      });
      await ordered();
      await eventually('its ledger', async () => (await paymentsOf(stage, { memo })).length > 0);
    });
  });

  async function paidOnceAfterKill(
    context: TestContext,
    reach: (ordered: () => Promise<void>, memo: string) => Promise<void>,
  ): Promise<void> {
    const wallet = await stage.newWallet();
    const { page, problems } = await openTab(browser, stage.service.url, { refusals: true });
    context.after(() => page.context().close());
    await signIn(page, passwordIn(stage.service.data_dir));
    const memo = `${++last_memo}`;
    const pay = await fillWithdrawal(page, wallet, { destination: stage.sink, amount: '5', memo_id: memo });

    await reach(() => pay.click(), memo);
    await heading(page, 'Pending').waitFor();
    await stage.kill();
    await stage.restart();
    await stage.endLeases();
    await paid(page);

    const payments = await paymentsOf(stage, { memo });
    assert.equal(payments.length, 1);
    assert.equal(payments[0]?.successful, true);
    assert.deepEqual(problems, []);
  }
});
