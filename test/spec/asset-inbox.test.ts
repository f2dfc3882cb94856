/** API.md section 5: what lists, sums, search and explain say of deposits of issued assets, and the inbox by asset. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Keypair, Operation } from '@stellar/stellar-sdk/base';
import { eventually } from '../support/eventually.ts';
import { newIssuer, REQUIRED } from '../support/issuers.ts';
import { memoId, toUnits } from '../support/ledger.ts';
import { startReceiver } from '../support/receiver.ts';
import { assertError, joinService } from '../support/running-service.ts';

const world = await joinService('receivers');
const { ledger } = world;
const receiver = await startReceiver();
after(async () => {
  await receiver.close();
  await world.stop();
});
const usdc = await newIssuer(ledger);
/** The same code from somebody else: never the same asset. */
const alike = await newIssuer(ledger);
const wallet = await world.newWallet();
const call = (method: string, path: string, body?: unknown, token = world.token) =>
  world.api(method, `/v1/wallets/${wallet.id}${path}`, { token, ...(body !== undefined && { body }) });
const read = async (path: string): Promise<any> => (await call('GET', path)).body.data;
assert.equal((await call('POST', '/assets', usdc.fields)).status, 201);
assert.equal((await call('POST', '/webhooks', { url: receiver.url })).status, 201);
const address = (await call('POST', '/addresses', { metadata: { customer: '42' } })).body.data;
const payer = await usdc.holder(1_000n);

const payment = (destination: string, stroops: bigint, asset = usdc.asset) =>
  Operation.payment({ destination, asset, amount: toUnits(stroops) });

describe('what the API says of these deposits is by asset', () => {
  it('sums of a deposit address, statistics and balances keep apart what has the same code', async () => {
    const own = await world.newWallet();
    const at = async (rest: string) =>
      (await world.api('GET', `/v1/wallets/${own.id}${rest}`, { token: own.api_key })).body.data;
    const { id, address: paid } = (
      await world.api('POST', `/v1/wallets/${own.id}/addresses`, { token: own.api_key, body: {} })
    ).body.data;
    for (const issuer of [usdc, alike]) {
      const body = issuer.fields;
      await world.api('POST', `/v1/wallets/${own.id}/assets`, { token: world.token, body });
    }
    const hashes = [
      await usdc.pay(paid, 7n),
      await usdc.pay(paid, 8n),
      await alike.pay(paid, 100n),
      (await ledger.pay(payer, paid, 9n)).hash,
    ];
    for (const hash of hashes) await world.depositsOf(own, hash);
    const received = (await at(`/addresses/${id}`)).received.map((sum: any) => [
      sum.asset_code,
      sum.asset_issuer,
      sum.count,
      sum.amount_stroops,
    ]);
    assert.deepEqual(
      new Set(received.map(String)),
      new Set([
        String(['native', null, 1n, 9n]),
        String(['USDC', usdc.fields.asset_issuer, 2n, 15n]),
        String(['USDC', alike.fields.asset_issuer, 1n, 100n]),
      ]),
    );
    const statistics = async (asset: string) => {
      // Two days: midnight may have passed.
      const { days } = await at(`/statistics?days=2&asset=${encodeURIComponent(asset)}`);
      return ['deposits_count', 'deposits_stroops', 'fees_stroops'].map((name): bigint =>
        days.reduce((total: bigint, day: any) => total + day[name], 0n),
      );
    };
    assert.deepEqual(await statistics(usdc.text), [2n, 15n, 0n]);
    assert.deepEqual(await statistics(alike.text), [1n, 100n, 0n]);
    const [count, , fees = 0n] = await statistics('native');
    assert.deepEqual([count, fees > 0n], [2n, true], 'friendbot’s and the payer’s; fees of two trust lines');
    const balances = (await at('/balances')).items.slice(1);
    assert.deepEqual(
      balances.map((each: any) => [each.asset_issuer, each.amount_stroops, each.status]).sort(),
      [
        [usdc.fields.asset_issuer, 15n, 'active'],
        [alike.fields.asset_issuer, 100n, 'active'],
      ].sort(),
    );
  });

  it('a balance says when the issuer does not let the wallet use it: nothing of it is available', async () => {
    const careful = await newIssuer(ledger, 'CAREFUL', REQUIRED);
    const own = await world.newWallet();
    const token = world.token;
    await world.api('POST', `/v1/wallets/${own.id}/assets`, { token, body: careful.fields });
    const balance = async () => {
      const { items } = (await world.api('GET', `/v1/wallets/${own.id}/balances`, { token })).body.data;
      const { status, amount_stroops, available_stroops, reserved_stroops } = items[1];
      return [status, amount_stroops, available_stroops, reserved_stroops];
    };
    assert.deepEqual(await balance(), ['unauthorized', 0n, 0n, 0n]);
    await careful.authorize(own.account, 'full');
    await careful.pay(own.account, 5n);
    assert.deepEqual(await balance(), ['active', 5n, 5n, 0n]);
    await careful.authorize(own.account, 'maintain_liabilities');
    assert.deepEqual(await balance(), ['maintain_liabilities', 5n, 0n, 5n]);
  });

  it('the search finds them by hash, sender and memo, and shows the asset', async () => {
    const sender = await usdc.holder(11n);
    const memo = memoId(987_654_321n);
    const { hash } = await ledger.apply(sender, [payment(wallet.account, 11n)], { memo });
    await world.depositsOf(wallet, hash);
    for (const text of [hash.slice(0, 20), sender.publicKey().slice(0, 20), '987654321']) {
      const { items } = await read(`/transactions?search=${text}`);
      assert.deepEqual(
        items.map(({ asset_code, asset_issuer, amount_stroops }: any) => [
          asset_code,
          asset_issuer,
          amount_stroops,
        ]),
        [['USDC', usdc.fields.asset_issuer, 11n]],
        text,
      );
    }
  });

  it('explain names the asset of a payment, and says which trust line a failed one lacked', async () => {
    const { hash } = await ledger.apply(payer, [payment(address.address, 12n)]);
    await world.depositsOf(wallet, hash);
    const [paid] = (await read(`/explain/${hash}`)).operations;
    assert.match(paid.message, new RegExp(`It paid the account\\. The asset is ${usdc.text}\\.`));
    const [deposit] = paid.deposits;
    assert.deepEqual([deposit.asset_code, deposit.asset_issuer], ['USDC', usdc.fields.asset_issuer]);

    const other = await newIssuer(ledger, 'EURC');
    const failed = await ledger.apply(other.key, [payment(wallet.account, 5n, other.asset)]);
    assert.equal(failed.successful, false);
    const [refused] = (await read(`/explain/${failed.hash}`)).operations;
    assert.equal(refused.reason, 'operation_failed');
    assert.match(
      refused.message,
      new RegExp(`\\(op_no_trust\\) The asset is ${other.text}\\. The account has no trust line`),
    );
  });
});

describe('the inbox, by asset', () => {
  async function unattributed(from: Keypair, stroops: bigint): Promise<any> {
    const { hash } = await ledger.apply(from, [payment(wallet.account, stroops)]);
    const [deposit] = await world.depositsOf(wallet, hash);
    assert.equal(deposit.attributed, false);
    return deposit;
  }

  it('assign: one event with the same bytes as the answer, which names the asset', async () => {
    const deposit = await unattributed(payer, 13n);
    const assigned = await call('POST', `/deposits/${deposit.id}/assign`, { address_id: address.id });
    assert.equal(assigned.status, 200, assigned.text);
    const { body } = await eventually('the event', () =>
      receiver.requests.find((request) => request.body.includes(deposit.stellar_tx_hash)),
    );
    const data = assigned.text.slice(assigned.text.indexOf('"data":{') + 7, -1);
    assert.equal(`${body}`, `{"event":"deposit.created","data":${data}}`);
    assert.ok(
      body.includes(`"asset_code":"USDC","asset_issuer":"${usdc.fields.asset_issuer}","amount_stroops":13,`),
    );
  });

  it('refund: the sender gets the same asset back, once', async () => {
    const sender = await usdc.holder(14n);
    const deposit = await unattributed(sender, 14n);
    assert.equal(await usdc.balanceOf(sender.publicKey()), 0n);
    const refund = await call('POST', `/deposits/${deposit.id}/refund`);
    assert.equal(refund.status, 201, refund.text);
    const { status, asset_code, asset_issuer, amount_stroops, refund_of } = refund.body.data;
    assert.deepEqual(
      [status, asset_code, asset_issuer, amount_stroops, refund_of],
      ['confirmed', 'USDC', usdc.fields.asset_issuer, 14n, deposit.id],
    );
    assert.equal(await usdc.balanceOf(sender.publicKey()), 14n);
    assertError(await call('POST', `/deposits/${deposit.id}/refund`), 409, 'deposit_refunded');
    assert.equal(await usdc.balanceOf(sender.publicKey()), 14n);
  });

  it('refund to a sender who has no trust line any more fails with the network’s word, and can be made later', async () => {
    const sender = await usdc.holder(15n);
    const deposit = await unattributed(sender, 15n);
    await ledger.apply(sender, [Operation.changeTrust({ asset: usdc.asset, limit: '0' })]);
    const failed = await call('POST', `/deposits/${deposit.id}/refund`);
    assert.deepEqual(
      [failed.status, failed.body.data.status, failed.body.data.failure.code],
      [201, 'failed', 'op_no_trust'],
    );
    await ledger.apply(sender, [Operation.changeTrust({ asset: usdc.asset })]);
    const again = await call('POST', `/deposits/${deposit.id}/refund`);
    assert.equal(again.body.data.status, 'confirmed', again.text);
    assert.equal(await usdc.balanceOf(sender.publicKey()), 15n);
  });

  it('refund of what the issuer itself has paid goes back to it, without a question', async () => {
    const hash = await usdc.pay(wallet.account, 16n);
    const [deposit] = await world.depositsOf(wallet, hash);
    const before = await usdc.balanceOf(wallet.account);
    const refund = await call('POST', `/deposits/${deposit.id}/refund`);
    assert.deepEqual(
      [refund.body.data.status, refund.body.data.destination],
      ['confirmed', usdc.fields.asset_issuer],
    );
    assert.equal(await usdc.balanceOf(wallet.account), (before ?? 0n) - 16n);
  });
});
