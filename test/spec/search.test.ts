/** GET /v1/search: what is found in all wallets that a member may use, and nothing of other wallets. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Memo } from '@stellar/stellar-sdk/base';
import { muxedAddress } from '../../src/stellar/address.ts';
import { newIssuer } from '../support/issuers.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { assertError, joinService, type User, unique, type Wallet } from '../support/running-service.ts';

const world = await joinService('receivers');
let receiver: Receiver;
let owner: User;
let wallet: Wallet;
let other: Wallet;
/** What the wallet has, by kind. */
let has: Record<string, any>;
before(async () => {
  receiver = await startReceiver();
  owner = await world.newUser();
  [wallet, other] = [await world.newWallet(owner.token), await world.newWallet(owner.token)];
  has = await fill();
});
after(async () => {
  await receiver.close();
  await world.stop();
});

const post = async (path: string, body: unknown = {}, headers?: Record<string, string>): Promise<any> => {
  const answer = await world.api('POST', `/v1/wallets/${wallet.id}${path}`, {
    token: owner.token,
    body,
    ...(headers && { headers }),
  });
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data;
};

/** One of each kind. The deposit has the memo `Rent %`, and is delivered once. */
async function fill() {
  const { signing_secret: _, ...webhook } = await post('/webhooks', {
    url: `${receiver.url}/orders-of-zoe`,
    events: ['deposit.created'],
  });
  const address = await post('/addresses', { label: 'Corner shop', metadata: { mail: 'zoe@x.example' } });
  const payer = await world.ledger.fund();
  const { hash } = await world.ledger.pay(payer, address.address, 123_450_000n, {
    memo: Memo.text('Rent %'),
  });
  const [deposit] = await world.depositsOf(wallet, hash);
  const key = unique('salary-7');
  const withdrawal = await post(
    '/withdraw',
    { destination: payer.publicKey(), amount_stroops: 77_770_000, reference: 'Affiliate 9' },
    { 'idempotency-key': key },
  );
  const row = { idempotency_key: unique('row'), destination: payer.publicKey(), amount_stroops: 1 };
  const payout = await post('/payouts', { name: 'Northern affiliates', rows: [row] });
  const { items } = (await get(`/v1/wallets/${wallet.id}/deposits/${deposit.id}/deliveries`)).body.data;
  return { webhook, address, payer, deposit, withdrawal, key, payout, delivery: items[0] };
}

const get = (path: string, token = owner.token) => world.api('GET', path, { token });

async function search(text: string, token = owner.token): Promise<any[]> {
  const answer = await get(`/v1/search?${new URLSearchParams({ search: text })}`, token);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.items;
}

const found = async (text: string, token?: string) =>
  (await search(text, token)).map(({ kind, id }) => `${kind} ${id}`).sort();

/** Texts, and the kinds of what they find. */
const texts = (): [string, ...string[]][] => [
  [wallet.id, 'wallet'],
  [has.address.id, 'address'],
  [has.deposit.id, 'deposit'],
  [has.withdrawal.id, 'withdrawal'],
  [has.payout.id, 'payout'],
  [has.webhook.id, 'webhook'],
  [has.delivery.id, 'delivery'],
  [has.delivery.event_id, 'delivery', 'deposit'],
  [has.deposit.stellar_tx_hash, 'deposit'],
  [has.withdrawal.stellar_tx_hash.slice(0, 20), 'withdrawal'],
  [wallet.account, 'wallet'],
  [has.payer.publicKey(), 'deposit', 'withdrawal'],
  [has.address.address, 'address', 'deposit'],
  [`${has.address.memo_id}`, 'address', 'deposit'],
  ['rent %', 'deposit'],
  ['corner', 'address'],
  ['ZOE@x', 'address'],
  ['orders-of-zoe', 'webhook'],
  ['north', 'payout'],
  ['affiliate 9', 'withdrawal'],
  [has.key, 'withdrawal'],
  ['12.345', 'deposit'],
  ['7.777', 'withdrawal'],
];

describe('the search over wallets', () => {
  it('finds each kind by its id, and by the texts that people know', async () => {
    const id: Record<string, string> = {
      ...Object.fromEntries(Object.entries(has).map(([kind, row]) => [kind, row.id])),
      wallet: wallet.id,
    };
    for (const [text, ...kinds] of texts())
      assert.deepEqual(await found(text), kinds.map((kind) => `${kind} ${id[kind]}`).sort(), text);
  });

  it('says of each what a list shows, and where it is', async () => {
    const none = { webhook_id: null, name: null, asset_code: null, asset_issuer: null, amount_stroops: null };
    const of_wallet = { ...none, counterparty: null, wallet_id: wallet.id };
    const { deposit, delivery, address } = has;
    assert.deepEqual(await search(deposit.id), [
      {
        ...of_wallet,
        kind: 'deposit',
        id: deposit.id,
        name: 'Corner shop',
        asset_code: 'native',
        amount_stroops: 123_450_000n,
        counterparty: deposit.source_account,
        created_at: deposit.created_at,
      },
    ]);
    assert.deepEqual(await search(delivery.id), [
      {
        ...of_wallet,
        kind: 'delivery',
        id: delivery.id,
        webhook_id: has.webhook.id,
        name: 'deposit.created',
        created_at: delivery.created_at,
      },
    ]);
    assert.deepEqual(await search(address.id), [
      { ...of_wallet, kind: 'address', id: address.id, name: 'Corner shop', created_at: null },
    ]);
  });

  it('finds nothing in a wallet that the member may not use, and nothing of another team', async () => {
    const member = await world.newMember('viewer', owner.token);
    const limit = await world.api('PATCH', `/v1/team/members/${member.id}`, {
      token: owner.token,
      body: { wallet_ids: [other.id] },
    });
    assert.equal(limit.status, 200, limit.text);
    const stranger = await world.newUser();
    for (const [text] of texts())
      for (const token of [member.token, stranger.token])
        assert.deepEqual(await found(text, token), [], text);
    assert.deepEqual(await found(other.id, member.token), [`wallet ${other.id}`]);
  });

  it('finds payees of the team, for every member of it, as they list them; a deleted one is gone', async () => {
    const { token: viewer, id } = await world.newMember('viewer', owner.token);
    const only_other = await world.api('PATCH', `/v1/team/members/${id}`, {
      token: owner.token,
      body: { wallet_ids: [other.id] },
    });
    assert.equal(only_other.status, 200, only_other.text);
    const stranger = await world.newUser();
    const destination = (await world.ledger.fund()).publicKey();
    const made = await world.api('POST', '/v1/team/payees', {
      token: owner.token,
      body: { name: 'Quayside Traders', destination, memo_id: 90_051_234 },
    });
    assert.equal(made.status, 201, made.text);
    const { id: payee_id, created_at } = made.body.data;
    const muxed = muxedAddress(destination, 90_051_234n);
    for (const text of ['SIDE trad', muxed, destination, destination.slice(0, 12), '9005123', payee_id]) {
      for (const token of [owner.token, viewer])
        assert.deepEqual(await found(text, token), [`payee ${payee_id}`], text);
      assert.deepEqual(await found(text, stranger.token), [], text);
    }
    assert.deepEqual(await search(payee_id), [
      {
        kind: 'payee',
        id: payee_id,
        wallet_id: null,
        webhook_id: null,
        name: 'Quayside Traders',
        asset_code: null,
        asset_issuer: null,
        amount_stroops: null,
        counterparty: destination,
        created_at,
      },
    ]);
    await world.api('DELETE', `/v1/team/payees/${payee_id}`, { token: owner.token });
    assert.deepEqual(await found('quayside'), []);
  });

  it('finds the same for a viewer of all wallets', async () => {
    const { token } = await world.newMember('viewer', owner.token);
    for (const [text] of texts()) assert.deepEqual(await found(text, token), await found(text), text);
  });

  it('finds the asset of a trust line, and shows five of a kind, the newest', async () => {
    const { fields } = await newIssuer(world.ledger);
    await post('/assets', fields);
    const asset = `${fields.asset_code}:${fields.asset_issuer}`;
    for (const text of [asset, fields.asset_issuer, fields.asset_code.toLowerCase()])
      assert.deepEqual(await found(text), [`asset ${asset}`], text);
    const made = [];
    for (let n = 0; n < 6; n++) made.push(await post('/addresses', { label: 'Seventh street' }));
    assert.deepEqual(
      (await search('seventh')).map(({ id }) => id),
      made
        .map(({ id }) => id)
        .reverse()
        .slice(0, 5),
    );
  });

  it('finds no deliveries of an endpoint that was deleted, which has no page', async () => {
    const deleted = await world.api('DELETE', `/v1/wallets/${wallet.id}/webhooks/${has.webhook.id}`, {
      token: owner.token,
    });
    assert.equal(deleted.status, 200, deleted.text);
    for (const text of [has.webhook.id, has.delivery.id, 'orders-of-zoe'])
      assert.deepEqual(await found(text), []);
    assert.deepEqual(await found(has.delivery.event_id), [`deposit ${has.deposit.id}`]);
  });

  it('400 for a text that is no search, 401 for an API key', async () => {
    for (const query of [
      '',
      'search=',
      'search=%20',
      `search=${'x'.repeat(101)}`,
      'search=a%00b',
      'search=a&search=b',
      'q=a',
    ])
      assertError(await get(`/v1/search?${query}`), 400, 'invalid_request');
    assertError(await get('/v1/search?search=a', wallet.api_key), 401, 'login_required');
  });
});
