/** API.md section 5: deposits of issued assets, in every way in which they can be paid, in the API and in the event's bytes. */
import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { after, describe, it } from 'node:test';
import {
  Asset,
  Claimant,
  type FeeBumpTransaction,
  type Keypair,
  Operation,
  type Transaction,
} from '@stellar/stellar-sdk/base';
import { contractWallet, prepareTransfer, walletPayment } from '../../sandbox/testing/contract-wallet.ts';
import { fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { newIssuer } from '../support/issuers.ts';
import { type Applied, memoId, type Paying, toUnits } from '../support/ledger.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { joinService } from '../support/running-service.ts';

const BEYOND_DOUBLE = 9_007_199_254_740_993n;

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
for (const { fields } of [usdc, alike]) assert.equal((await call('POST', '/assets', fields)).status, 201);
const secret = (await call('POST', '/webhooks', { url: receiver.url })).body.data.signing_secret;
const address = (await call('POST', '/addresses', { metadata: { customer: '42' } })).body.data;
const payer = await usdc.holder(4n * BEYOND_DOUBLE);
await ledger.apply(usdc.key, [
  Operation.manageSellOffer({ selling: usdc.asset, buying: Asset.native(), amount: '1000', price: '1' }),
]);

const payment = (destination: string, stroops: bigint, asset = usdc.asset) =>
  Operation.payment({ destination, asset, amount: toUnits(stroops) });
const path = { sendAsset: Asset.native(), destAsset: usdc.asset, path: [] };

/** A transaction that calls a contract. */
async function send(transaction: Transaction | FeeBumpTransaction): Promise<Applied> {
  const { status, errorResult } = await ledger.server.sendTransaction(transaction);
  assert.equal(status, 'PENDING', JSON.stringify(errorResult));
  const hash = Buffer.from(transaction.hash()).toString('hex');
  const found = await eventually(`transaction ${hash}`, async () => {
    const answer = await ledger.server.getTransaction(hash);
    return answer.status === 'NOT_FOUND' ? null : answer;
  });
  assert.equal(found.status, 'SUCCESS');
  return { hash, ledger: found.ledger, successful: true };
}

async function transfer(from: Keypair, to: string, amount: bigint): Promise<Applied> {
  const order = { asset: usdc.asset, from: from.publicKey(), to, amount };
  const transaction = await prepareTransfer(ledger.server, from, order);
  transaction.sign(from);
  return send(transaction);
}

/** The event that came for the transaction, whose signature is that of its bytes. */
async function eventOf(hash: string): Promise<Received> {
  const request = await eventually(`the event of ${hash}`, () =>
    receiver.requests.find(({ body }) => body.includes(hash)),
  );
  const expected = createHmac('sha256', secret).update(request.body).digest();
  const given = Buffer.from(request.headers['x-svc-signature'] as string, 'hex');
  assert.ok(timingSafeEqual(expected, given), 'the signature is that of the bytes');
  return request;
}

type Way = {
  kind: string;
  stroops: bigint;
  pay: () => Promise<Applied>;
  source?: () => string;
  memo_type?: string;
};
const classic = (operation: () => Parameters<typeof ledger.apply>[1][number], options?: Paying) => () =>
  ledger.apply(payer, [operation()], options);

const wayOf: Record<string, Way> = {
  'a payment to M…, exact beyond 2^53': {
    kind: 'payment',
    stroops: BEYOND_DOUBLE,
    pay: classic(() => payment(address.address, BEYOND_DOUBLE)),
  },
  'a payment to the account with MEMO_ID': {
    kind: 'payment',
    stroops: 1n,
    memo_type: 'id',
    pay: classic(() => payment(wallet.account, 1n), { memo: memoId(address.memo_id) }),
  },
  'a payment by the issuer, which makes the amount': {
    kind: 'payment',
    stroops: 2n,
    source: () => usdc.fields.asset_issuer,
    pay: () => ledger.apply(usdc.key, [payment(address.address, 2n)]),
  },
  'a path payment that sends exactly so much XLM': {
    kind: 'path_payment_strict_send',
    stroops: 30n,
    pay: classic(() =>
      Operation.pathPaymentStrictSend({
        ...path,
        destination: address.address,
        sendAmount: toUnits(30n),
        destMin: toUnits(1n),
      }),
    ),
  },
  'a path payment that delivers exactly so much': {
    kind: 'path_payment_strict_receive',
    stroops: 40n,
    pay: classic(() =>
      Operation.pathPaymentStrictReceive({
        ...path,
        destination: address.address,
        sendMax: toUnits(90n),
        destAmount: toUnits(40n),
      }),
    ),
  },
  'a transfer by the contract of the asset': {
    kind: 'contract_transfer',
    stroops: 50n,
    pay: () => transfer(payer, address.address, 50n),
  },
  'a transfer of the issuer by the contract, which mints': {
    kind: 'contract_mint',
    stroops: 60n,
    source: () => usdc.fields.asset_issuer,
    pay: () => transfer(usdc.key, address.address, 60n),
  },
};

describe('a deposit of an issued asset names it in the API, and in the bytes of the event', () => {
  for (const [name, { kind, stroops, pay, source, memo_type = 'none' }] of Object.entries(wayOf))
    it(name, async () => {
      const { hash, successful } = await pay();
      assert.ok(successful);
      const { body } = await eventOf(hash);
      const named = `"asset_code":"USDC","asset_issuer":"${usdc.fields.asset_issuer}","amount_stroops":${stroops},`;
      assert.ok(body.includes(named), `${body}`);
      const { event, data } = fromJson(`${body}`) as any;
      assert.equal(event, 'deposit.created');
      assert.deepEqual(
        [data.kind, data.source_account, data.memo_type, data.memo_id, data.attributed],
        [kind, source?.() ?? payer.publicKey(), memo_type, address.memo_id, true],
      );
      assert.deepEqual(data.metadata, { customer: '42' });
      const shown = await call('GET', `/deposits/${data.id}`, undefined, wallet.api_key);
      assert.deepEqual(shown.body.data, data);
      assert.ok(body.includes(shown.text.slice(shown.text.indexOf('"data":{') + 7, -1)), 'the same bytes');
    });

  it('a transfer out of a contract, whose address is the source', async () => {
    const smart = contractWallet(payer);
    await transfer(payer, smart.address, 700n);
    const order = { asset: usdc.asset, to: address.address, amount: 70n };
    const { hash } = await send(await walletPayment(ledger.server, payer, smart, order));
    const { data } = fromJson(`${(await eventOf(hash)).body}`) as any;
    assert.deepEqual(
      [data.kind, data.source_account, data.asset_code, data.asset_issuer, data.amount_stroops],
      ['contract_transfer', smart.address, 'USDC', usdc.fields.asset_issuer, 70n],
    );
  });

  it('a payment in a fee-bump, of another source than the transaction', async () => {
    const [channel, sponsor] = await Promise.all([ledger.fund(), ledger.fund()]);
    const amount = toUnits(80n);
    const source = payer.publicKey();
    const paid = Operation.payment({ destination: address.address, asset: usdc.asset, amount, source });
    const { hash } = await ledger.apply(channel, [paid], { source: payer, fee_bump: sponsor });
    const { data } = fromJson(`${(await eventOf(hash)).body}`) as any;
    assert.deepEqual(
      [data.source_account, data.stellar_tx_hash, data.asset_issuer],
      [source, hash, usdc.fields.asset_issuer],
    );
  });

  it('a withdrawal of another wallet of the service', async () => {
    const other = await world.newWallet();
    const assets = `/v1/wallets/${other.id}/assets`;
    assert.equal((await world.api('POST', assets, { token: world.token, body: usdc.fields })).status, 201);
    await usdc.pay(other.account, 90n);
    const order = { ...usdc.fields, destination: address.address, amount_stroops: 90n };
    const { body } = await world.withdraw(other, order);
    assert.equal(body.data.status, 'confirmed');
    const { data } = fromJson(`${(await eventOf(body.data.stellar_tx_hash)).body}`) as any;
    assert.deepEqual(
      [data.source_account, data.asset_code, data.amount_stroops],
      [other.account, 'USDC', 90n],
    );
  });

  it('one transaction with XLM and two assets of one code is three deposits, each with its own asset', async () => {
    const rich = await usdc.holder(10n);
    await ledger.apply(rich, [Operation.changeTrust({ asset: alike.asset })]);
    await alike.pay(rich.publicKey(), 10n);
    const { hash } = await ledger.apply(rich, [
      payment(address.address, 3n, Asset.native()),
      payment(address.address, 4n),
      payment(address.address, 5n, alike.asset),
    ]);
    const deposits = await world.depositsOf(wallet, hash, 3);
    assert.deepEqual(
      deposits
        .map(({ asset_code, asset_issuer, amount_stroops }) => [asset_code, asset_issuer, amount_stroops])
        .sort(([, , a], [, , b]) => Number(a - b)),
      [
        ['native', null, 3n],
        ['USDC', usdc.fields.asset_issuer, 4n],
        ['USDC', alike.fields.asset_issuer, 5n],
      ],
    );
  });

  it('a claimable balance is no deposit, and neither is its creation', async () => {
    const before = (await read('/deposits?limit=200')).items.length;
    const claimants = [new Claimant(wallet.account)];
    const { hash, successful } = await ledger.apply(payer, [
      Operation.createClaimableBalance({ asset: usdc.asset, amount: '1', claimants }),
    ]);
    assert.ok(successful);
    const { operations } = await eventually('it is read', async () => {
      const explained = await read(`/explain/${hash}`);
      return explained.read ? explained : null;
    });
    assert.deepEqual([operations[0].credited, operations[0].reason], [false, 'claimable_balance']);
    assert.match(operations[0].message, new RegExp(`The asset is ${usdc.text}\\.`));
    assert.equal((await read('/deposits?limit=200')).items.length, before);
  });
});
