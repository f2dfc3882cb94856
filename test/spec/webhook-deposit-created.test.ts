/** The deposit.created event, as a receiver sees it. */
import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { Account, Asset, MuxedAccount, Operation } from '@stellar/stellar-sdk/base';
import { fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { memoId, toUnits } from '../support/ledger.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { joinService } from '../support/running-service.ts';

const BEYOND_DOUBLE = 9007199254740993n;
const METADATA =
  '{"z":1,"a" : 12345678901234567890,"nested":{"b":[1.0, 2e3,\t-0],"":null},"u":"\\u00e9é\\/","10":2,"2":1}';

const world = await joinService('receivers');
const receiver = await startReceiver();
const wallet = await world.newWallet();
const answer = await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, {
  token: wallet.api_key,
  body: { url: `${receiver.url}/hook?shop=1` },
});
const secret = answer.body.data.signing_secret;
after(async () => {
  await receiver.close();
  await world.stop();
});

async function newAddress(body: unknown = {}, of = wallet): Promise<any> {
  const answer = await world.api('POST', `/v1/wallets/${of.id}/addresses`, { token: of.api_key, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

/** The events that came for the transaction, once there are as many as expected. */
const eventsOf = (hash: string, count = 1): Promise<Received[]> =>
  eventually(`${count} events of ${hash}`, () => {
    const found = receiver.requests.filter(({ body }) => body.includes(hash));
    return found.length >= count ? found : null;
  });

const dataOf = (request: Received | undefined): any => (fromJson(`${request?.body}`) as any).data;

/** As docs/webhooks.md tells a receiver to do: over the exact bytes, in constant time. */
function isAuthentic({ body, headers }: Received, key: string): boolean {
  const signature = headers['x-svc-signature'] as string;
  assert.match(signature, /^[0-9a-f]{64}$/, 'lowercase hex');
  const expected = createHmac('sha256', key).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

describe('a deposit to an address of the integration', () => {
  it('is one HTTP POST to the registered URL, signed over its raw bytes, with the documented body', async () => {
    const address = await newAddress(`{"metadata":${METADATA}}`);
    const payer = await world.ledger.fund();
    const { hash, ledger } = await world.ledger.pay(payer, address.address, 1234567n);
    const [request, ...more] = await eventsOf(hash);
    assert.ok(request);
    assert.equal(more.length, 0);
    assert.equal(request.method, 'POST');
    assert.equal(request.path, '/hook?shop=1');
    assert.equal(request.headers['content-type'], 'application/json');
    assert.ok(isAuthentic(request, secret), 'the signature is that of the bytes');
    assert.ok(!isAuthentic({ ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) }, secret));

    const text = request.body.toString('utf8');
    assert.ok(text.startsWith('{"event":"deposit.created","data":{'));
    assert.deepEqual(Object.keys(fromJson(text) as object), ['event', 'data']);
    const { id, created_at, metadata, ...data } = dataOf(request);
    assert.deepEqual(data, {
      wallet_id: wallet.id,
      address_id: address.id,
      asset_code: 'native',
      asset_issuer: null,
      amount_stroops: 1234567n,
      source_account: payer.publicKey(),
      source_account_muxed: null,
      stellar_tx_hash: hash,
      operation_index: 0n,
      event_index: 0n,
      kind: 'payment',
      memo_id: address.memo_id,
      memo_type: 'none',
      memo: null,
      ledger: BigInt(ledger),
      status: 'confirmed',
      attributed: true,
      assigned_by_hand: false,
      below_minimum: false,
      refund_withdrawal_id: null,
    });
    assert.match(id, /^dep_/);
    assert.match(created_at, /Z$/);
    assert.deepEqual(metadata, fromJson(METADATA));
  });

  it('its metadata is exactly what was attached: in the address, in the deposit and in the event', async () => {
    const address = await newAddress(`{"metadata":${METADATA}}`);
    const { hash } = await world.ledger.pay(await world.ledger.fund(), address.address, 5n);
    const [request] = await eventsOf(hash);
    assert.ok(request?.body.toString('utf8').includes(`"metadata":${METADATA}`));
    const token = wallet.api_key;
    const base = `/v1/wallets/${wallet.id}`;
    const { id } = dataOf(request);
    for (const path of [`addresses/${address.id}`, 'addresses', `deposits/${id}`, 'deposits']) {
      const { text } = await world.api('GET', `${base}/${path}`, { token });
      assert.ok(text.includes(`"metadata":${METADATA}`), path);
    }
  });

  it('the event’s data is the deposit that the API shows', async () => {
    const address = await newAddress();
    const { hash } = await world.ledger.pay(await world.ledger.fund(), address.address, 5n);
    const [request] = await eventsOf(hash);
    const data = dataOf(request);
    const read = await world.api('GET', `/v1/wallets/${wallet.id}/deposits/${data.id}`, {
      token: wallet.api_key,
    });
    assert.deepEqual(read.body.data, data);
    assert.ok(request?.body.toString().includes(read.text.slice(read.text.indexOf('"data":{') + 7, -1)));
  });

  it('an amount beyond 2^53 is exact in bytes, API and database', async () => {
    const address = await newAddress();
    const { hash } = await world.ledger.pay(world.ledger.root, address.address, BEYOND_DOUBLE);
    const [request] = await eventsOf(hash);
    assert.ok(request?.body.includes(`"amount_stroops":${BEYOND_DOUBLE},`));
    const { id } = dataOf(request);
    const read = await world.api('GET', `/v1/wallets/${wallet.id}/deposits/${id}`, { token: wallet.api_key });
    assert.ok(read.text.includes(`"amount_stroops":${BEYOND_DOUBLE},`));
    const [row] = await world.query('select amount_stroops from deposits where id = $1', [id]);
    assert.equal(row.amount_stroops, `${BEYOND_DOUBLE}`);
    const list = await world.api('GET', `/v1/wallets/${wallet.id}/transactions?type=deposit`, {
      token: wallet.api_key,
    });
    assert.ok(list.text.includes(`"amount_stroops":${BEYOND_DOUBLE},`));
  });

  it('by the account and MEMO_ID is attributed too', async () => {
    const address = await newAddress();
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, address.account, 5n, { memo: memoId(address.memo_id) });
    const [request] = await eventsOf(hash);
    assert.equal(dataOf(request).address_id, address.id);
    assert.equal(dataOf(request).memo_id, address.memo_id);
  });

  it('the muxed id goes before MEMO_ID', async () => {
    const [address, other] = [await newAddress(), await newAddress()];
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, address.address, 5n, { memo: memoId(other.memo_id) });
    const [request] = await eventsOf(hash);
    assert.equal(dataOf(request).address_id, address.id);
    assert.equal(dataOf(request).memo_id, address.memo_id);
  });

  it('several payments of one transaction are several deposits, each with its event', async () => {
    const [address, other] = [await newAddress(), await newAddress()];
    const payer = await world.ledger.fund();
    const payment = (destination: string, stroops: bigint) =>
      Operation.payment({ destination, asset: Asset.native(), amount: toUnits(stroops) });
    const { hash } = await world.ledger.apply(payer, [
      payment(address.address, 1n),
      payment(address.address, 1n),
      payment(other.address, 2n),
      payment(payer.publicKey(), 3n),
    ]);
    const events = await eventsOf(hash, 3);
    assert.equal(new Set(events.map((event) => dataOf(event).id)).size, 3);
    const paid = events
      .map((event) => [dataOf(event).address_id, dataOf(event).amount_stroops].join())
      .sort();
    assert.deepEqual(paid, [`${address.id},1`, `${address.id},1`, `${other.id},2`].sort());
  });

  it('source_account is the paying operation’s source, never a channel or a fee source', async () => {
    const address = await newAddress();
    const [channel, payer, sponsor] = await Promise.all([
      world.ledger.fund(),
      world.ledger.fund(),
      world.ledger.fund(),
    ]);
    const options = { source: payer, fee_bump: sponsor };
    const { hash } = await world.ledger.pay(channel, address.address, 5n, options);
    const [request] = await eventsOf(hash);
    assert.equal(dataOf(request).source_account, payer.publicKey());
    assert.equal(dataOf(request).stellar_tx_hash, hash, 'the outer hash of a fee-bump');
  });

  it('a payment from another wallet of the service is a deposit like any other', async () => {
    const address = await newAddress();
    const other = await world.newWallet();
    const { body } = await world.withdraw(other, { destination: address.address, amount_stroops: 9 });
    const [request] = await eventsOf(body.data.stellar_tx_hash);
    assert.equal(dataOf(request).source_account, other.account);
    assert.equal(dataOf(request).amount_stroops, 9n);
  });
});

describe('no event is fired', () => {
  it('for a deposit that is not attributed; it is recorded, memo_id 18446744073709551615 exact', async () => {
    const payer = await world.ledger.fund();
    const memo = memoId(18446744073709551615n);
    const muxed = new MuxedAccount(new Account(wallet.account, '0'), '18446744073709551614').accountId();
    const paid = [
      await world.ledger.pay(payer, wallet.account, 5n),
      await world.ledger.pay(payer, wallet.account, 5n, { memo }),
      await world.ledger.pay(payer, muxed, 5n),
    ];
    const deposits = (await Promise.all(paid.map(({ hash }) => world.depositsOf(wallet, hash)))).flat();
    assert.deepEqual(
      deposits.map(({ memo_id, attributed, address_id, metadata }) => [
        memo_id,
        attributed,
        address_id,
        metadata,
      ]),
      [
        [null, false, null, null],
        [18446744073709551615n, false, null, null],
        [18446744073709551614n, false, null, null],
      ],
    );
    const rows = await world.query(
      'select memo_id from deposits where wallet_id = $1 and memo_id is not null order by memo_id desc limit 2',
      [wallet.id],
    );
    assert.deepEqual(
      rows.map(({ memo_id }) => memo_id),
      ['18446744073709551615', '18446744073709551614'],
    );
    // A later attributed one has come: whatever there was to send for these would have come before.
    const address = await newAddress();
    const { hash } = await world.ledger.pay(payer, address.address, 5n);
    await eventsOf(hash);
    for (const each of paid) assert.ok(!receiver.requests.some(({ body }) => body.includes(each.hash)));
    const sql = `select 1 from webhook_events where body like '%"attributed":false%'::bytea`;
    assert.equal((await world.query(sql)).length, 0);
  });

  it('for a payment that failed on the ledger, which is no deposit', async () => {
    const address = await newAddress();
    const payer = await world.ledger.fund();
    const failed = await world.ledger.pay(payer, address.address, 10n ** 15n);
    assert.equal(failed.successful, false);
    const { hash } = await world.ledger.pay(payer, address.address, 5n);
    await eventsOf(hash);
    assert.equal(
      (await world.query('select 1 from deposits where stellar_tx_hash = $1', [failed.hash])).length,
      0,
    );
    assert.ok(!receiver.requests.some(({ body }) => body.includes(failed.hash)));
  });

  it('by an id of another wallet’s address', async () => {
    const other = await world.newWallet();
    const address = await newAddress({}, other);
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, wallet.account, 5n, { memo: memoId(address.memo_id) });
    const [deposit] = await world.depositsOf(wallet, hash);
    assert.equal(deposit.attributed, false);
    assert.equal(deposit.memo_id, address.memo_id);
  });
});
