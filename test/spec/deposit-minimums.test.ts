/** Deposits below the minimum of their wallet: recorded, listed and counted like any other, and announced by nothing. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk/base';
import { eventually } from '../support/eventually.ts';
import { toUnits } from '../support/ledger.ts';
import { startReceiver } from '../support/receiver.ts';
import { assertError, assertFault, joinService, type Wallet } from '../support/running-service.ts';

const ISSUER = Keypair.random().publicKey();
const TRANSACTIONS = 20;
const OPERATIONS = 100;

const world = await joinService('receivers');
const receiver = await startReceiver();
const payer = await world.ledger.fund();
after(async () => {
  await receiver.close();
  await world.stop();
});

const minimumsOf = ({ id }: Wallet) => `/v1/wallets/${id}/deposit-minimums`;
const set = (wallet: Wallet, items: unknown, token = world.token) =>
  world.api('PUT', minimumsOf(wallet), { token, body: { items } });

async function newAddress(wallet: Wallet): Promise<any> {
  return (await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token: wallet.api_key })).body.data;
}

const rowsOf = async (table: string, wallet: Wallet) =>
  Number((await world.query(`select count(*) from ${table} where wallet_id = $1`, [wallet.id]))[0].count);

describe('the minimums of a wallet', () => {
  it('do not exist at first, are replaced as a whole, and are read with the API key', async () => {
    const wallet = await world.newWallet();
    const read = async () =>
      (await world.api('GET', minimumsOf(wallet), { token: wallet.api_key })).body.data.items;
    assert.deepEqual(await read(), []);
    const native = { asset_code: 'native', asset_issuer: null, amount_stroops: 9223372036854775807n };
    const issued = { asset_code: 'USDC', asset_issuer: ISSUER, amount_stroops: 5n };
    const answer = await set(wallet, [issued, { amount_stroops: native.amount_stroops }]);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data.items, [native, issued]);
    assert.deepEqual(await read(), [native, issued]);
    assert.equal((await set(wallet, [])).status, 200);
    assert.deepEqual(await read(), []);
  });

  it('are changed by owners and admins only, and the audit log tells it', async () => {
    const wallet = await world.newWallet();
    assertError(await set(wallet, [], wallet.api_key), 401, 'login_required');
    assertError(await set(wallet, [], (await world.newUser()).token), 404, 'not_found');
    assert.equal((await set(wallet, [{ amount_stroops: 7n }])).status, 200);
    const path = `/v1/audit?action=deposit_minimums.changed&wallet_id=${wallet.id}`;
    const { body } = await world.api('GET', path, { token: world.token });
    const { before, after: now } = body.data.items[0];
    assert.deepEqual(before, { minimums: [] });
    assert.deepEqual(now, { minimums: [{ asset_code: 'native', asset_issuer: null, amount_stroops: 7n }] });
  });

  it('400 for an amount of 0, half an asset, an asset twice, and what is no list', async () => {
    const wallet = await world.newWallet();
    assertFault(await set(wallet, [{ amount_stroops: 0n }]), '/items/0/amount_stroops');
    assertFault(await set(wallet, [{ asset_code: 'USDC', amount_stroops: 1n }]), '/items/0/asset_issuer');
    const twice = [{ amount_stroops: 1n }, { asset_code: 'native', amount_stroops: 2n }];
    assertFault(await set(wallet, twice), '/items/1');
    assertFault(await set(wallet, { amount_stroops: 1n }), '/items');
    assert.equal(await rowsOf('deposit_minimums', wallet), 0);
  });
});

describe('deposits below the minimum', () => {
  it('20 transactions of 100 payments of dust make 2,000 deposits, no event and no delivery to any of 5 endpoints', async () => {
    const wallet = await world.newWallet();
    const address = await newAddress(wallet);
    for (let n = 0; n < 5; n++) {
      const body = { url: `${receiver.url}/dust/${n}` };
      const { status } = await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, {
        token: wallet.api_key,
        body,
      });
      assert.equal(status, 201);
    }
    await set(wallet, [{ amount_stroops: 100n }]);
    const paid = (amount: bigint) =>
      Operation.payment({ destination: address.address, asset: Asset.native(), amount: toUnits(amount) });
    for (let n = 0; n < TRANSACTIONS; n++)
      await world.ledger.apply(
        payer,
        Array.from({ length: OPERATIONS }, () => paid(99n)),
      );
    await world.ledger.apply(payer, [paid(100n)]);
    const [announced] = await eventually('the deposit that is just large enough', async () => {
      const found = receiver.requests.filter(({ path }) => path.startsWith('/dust/'));
      return found.length === 5 ? found : null;
    });
    assert.match(`${announced?.body}`, /"amount_stroops":100,.*"below_minimum":false/);

    // Ledgers are recorded in order: all of the dust is there.
    const count = TRANSACTIONS * OPERATIONS;
    const dust = await world.query(
      'select count(*) from deposits where wallet_id = $1 and attributed and below_minimum and amount_stroops = 99',
      [wallet.id],
    );
    assert.equal(Number(dust[0].count), count);
    assert.equal(await rowsOf('webhook_events', wallet), 1);
    const deliveries = await world.query(
      'select count(*) from webhook_deliveries join webhook_events on webhook_events.id = event_id where wallet_id = $1',
      [wallet.id],
    );
    assert.equal(Number(deliveries[0].count), 5);
    assert.deepEqual(
      receiver.requests.filter(({ body }) => body.includes('"amount_stroops":99,')),
      [],
    );

    const token = wallet.api_key;
    const list = await world.api('GET', `/v1/wallets/${wallet.id}/deposits?limit=2`, { token });
    assert.deepEqual(
      list.body.data.items.map(({ below_minimum, amount_stroops }: any) => [below_minimum, amount_stroops]),
      [
        [false, 100n],
        [true, 99n],
      ],
    );
    const transactions = await world.api('GET', `/v1/wallets/${wallet.id}/transactions?limit=2`, { token });
    assert.deepEqual(
      transactions.body.data.items.map(({ below_minimum }: any) => below_minimum),
      [false, true],
    );
    const { received } = (
      await world.api('GET', `/v1/wallets/${wallet.id}/addresses/${address.id}`, { token })
    ).body.data;
    assert.equal(received[0].amount_stroops, 99n * BigInt(count) + 100n);
    const books = await eventually('books of that ledger', async () => {
      const { status, body } = await world.api('GET', `/v1/wallets/${wallet.id}/reconciliation`, { token });
      const [native] = body.data?.items ?? [];
      return status === 200 && native ? native : null;
    });
    assert.equal(books.difference_stroops, 0n);
  });

  it('one that is assigned by hand is announced: a person has chosen it', async () => {
    const wallet = await world.newWallet();
    const address = await newAddress(wallet);
    await set(wallet, [{ amount_stroops: 100n }]);
    const { hash } = await world.ledger.pay(payer, wallet.account, 99n);
    const [deposit] = await world.depositsOf(wallet, hash);
    assert.equal(deposit.below_minimum, true);
    const assigned = await eventually('the assignment, once the ledger is processed', async () => {
      const path = `/v1/wallets/${wallet.id}/deposits/${deposit.id}/assign`;
      const answer = await world.api('POST', path, { token: world.token, body: { address_id: address.id } });
      return answer.status === 503 ? null : answer;
    });
    assert.equal(assigned.status, 200, assigned.text);
    assert.equal(assigned.body.data.below_minimum, false);
    assert.equal(await rowsOf('webhook_events', wallet), 1);
  });

  it('the minimum is that of the asset and of the wallet; a change holds for what comes after it', async () => {
    const [wallet, other] = [await world.newWallet(), await world.newWallet()];
    await set(wallet, [{ asset_code: 'USDC', asset_issuer: ISSUER, amount_stroops: 1_000n }]);
    await set(other, [{ amount_stroops: 1_000n }]);
    const address = await newAddress(wallet);
    const pay = async () => {
      const { hash } = await world.ledger.pay(payer, address.address, 5n);
      const [deposit] = await world.depositsOf(wallet, hash);
      return deposit;
    };
    const first = await pay();
    assert.equal(first.below_minimum, false);
    await set(wallet, [{ amount_stroops: 6n }]);
    assert.equal((await pay()).below_minimum, true);
    const { body } = await world.api('GET', `/v1/wallets/${wallet.id}/deposits/${first.id}`, {
      token: wallet.api_key,
    });
    assert.equal(body.data.below_minimum, false);
    assert.equal(await rowsOf('webhook_events', wallet), 1);
  });
});
