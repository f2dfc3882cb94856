/** The TypeScript client on the real service: what it sends and reads, its credentials, lists and errors. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import { readAnswer } from '../../clients/typescript/src/answers.ts';
import { AuthenticationError, newIdempotencyKey, TellerClient } from '../../clients/typescript/src/index.ts';
import { operations } from '../../scripts/client/document.ts';
import { startRunningService, unique } from '../support/running-service.ts';
import { camelCase, readCases } from './cases.ts';
import { startCuttingProxy } from './cutting-proxy.ts';

const PUBLIC_URL = 'https://teller.example.com';
const world = await startRunningService({ PUBLIC_URL });
after(() => world.stop());
const base_url = world.service.url;
const owner = new TellerClient({ base_url, token: world.token });
const wallet = await world.newWallet();
const payee = await world.newWallet();
const shop = new TellerClient({ base_url, api_key: wallet.api_key });

describe('every operation of the document', () => {
  for (const { operation } of operations) {
    const { operationId, 'x-client': client } = operation;
    it(`${operationId} is ${camelCase(client.method)}`, () => {
      const [group = '', method = ''] = camelCase(client.method).split('.');
      const found = (owner as unknown as Record<string, Record<string, unknown>>)[group]?.[method];
      assert.equal(typeof found, 'function');
    });
  }
});

describe('exact values', () => {
  const text = '{"b": 1.10, "2":9007199254740993,"1":[1e3]}';

  it('metadata comes back with the text that was sent, in every answer', async () => {
    const made = await shop.addresses.create(wallet.id, { label: 'exact', metadata_text: text });
    assert.equal(made.metadata_text, text);
    assert.deepEqual(made.metadata, { b: 1.1, 2: 9007199254740993n, 1: [1000] });
    assert.equal((await shop.addresses.get(wallet.id, made.id)).metadata_text, text);
    const { items } = await shop.addresses.list(wallet.id, { search: 'exact' }).first();
    assert.equal(items[0]?.metadata_text, text);
  });

  it('metadata given as values keeps integers beyond 2^53', async () => {
    const metadata = { customer: 18446744073709551615n };
    const made = await shop.addresses.create(wallet.id, { metadata: metadata as never });
    assert.equal(made.metadata_text, '{"customer":18446744073709551615}');
    assert.deepEqual(made.metadata, metadata);
  });

  it('memo ids beyond 2^53 are bigint both ways', async () => {
    const order = { destination: payee.account, amount_stroops: 1n, memo_id: 18446744073709551615n };
    const paid = await owner.withdrawals.withdraw(wallet.id, {
      ...order,
      idempotency_key: newIdempotencyKey(),
    });
    assert.equal(paid.status, 'confirmed');
    assert.equal(paid.memo_id, 18446744073709551615n);
    assert.equal(paid.amount_stroops, 1n);
    assert.equal(typeof paid.ledger, 'number');
  });
});

describe('lists', () => {
  it('are read page after page, and no item is missing or there twice', async () => {
    const own = await world.newWallet();
    const client = new TellerClient({ base_url, api_key: own.api_key });
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.push((await client.addresses.create(own.id)).id);
    const read: string[] = [];
    for await (const { id } of client.addresses.list(own.id, { limit: 2 })) read.push(id);
    assert.deepEqual(read, made.reverse());
    const list = client.addresses.list(own.id, { limit: 2 });
    const sizes: number[] = [];
    for await (const { items } of list.pages()) sizes.push(items.length);
    assert.deepEqual(sizes, [2, 2, 1]);
    assert.deepEqual(
      (await list.all()).map(({ id }) => id),
      read,
    );
    assert.equal((await list.all({ at_most: read.length })).length, read.length);
    await assert.rejects(list.all({ at_most: read.length - 1 }), RangeError);
  });
});

describe('lists that are read while they grow', () => {
  it('show each item once, and none of those that came later', async () => {
    const own = await world.newWallet();
    const client = new TellerClient({ base_url, api_key: own.api_key });
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.push((await client.addresses.create(own.id)).id);
    const read: string[] = [];
    for await (const { id } of client.addresses.list(own.id, { limit: 2 })) {
      read.push(id);
      await client.addresses.create(own.id);
    }
    assert.deepEqual(read, made.reverse());
  });

  it('end with the reason of a signal, in the middle too, and ask for no further page', async () => {
    const own = await world.newWallet();
    const creator = new TellerClient({ base_url, api_key: own.api_key });
    for (let count = 0; count < 3; count++) await creator.addresses.create(own.id);
    const proxy = await startCuttingProxy(base_url, []);
    const client = new TellerClient({ base_url: proxy.url, api_key: own.api_key });
    const stop = new AbortController();
    const read: string[] = [];
    const reading = async () => {
      for await (const { id } of client.addresses.list(own.id, { limit: 1 }, { signal: stop.signal })) {
        read.push(id);
        stop.abort(new RangeError('enough'));
      }
    };
    await assert.rejects(reading(), new RangeError('enough'));
    assert.equal(read.length, 1);
    assert.equal(proxy.sent().match(/GET /g)?.length, 1);
    await proxy.close();
  });
});

describe('credentials', () => {
  it('a login gives a token that withdraws', async () => {
    const { email, password, id } = await world.newUser();
    const { token } = await new TellerClient({ base_url }).auth.login({ email, password });
    assert.equal((await new TellerClient({ base_url, token }).auth.me()).id, id);
  });

  it('an API key cannot withdraw: the code says so', async () => {
    const refused = shop.withdrawals.withdraw(wallet.id, {
      destination: payee.account,
      amount_stroops: 1n,
      idempotency_key: newIdempotencyKey(),
    });
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof AuthenticationError);
      assert.equal(error.code, 'login_required');
      assert.match(error.request_id ?? '', /^req_/);
      return true;
    });
  });

  it('a service user exchanges its secret once for many calls, and again when the token has ended', async () => {
    const made = await owner.serviceUsers.create({ name: unique('payer'), role: 'operator' });
    assert.ok('client_id' in made && made.client_secret !== null);
    const { client_id, client_secret } = made;
    const client = new TellerClient({ base_url, client_id, client_secret });
    const seen = await Promise.all([1, 2, 3].map(() => client.auth.me()));
    assert.deepEqual(
      seen.map(({ id }) => id),
      [client_id, client_id, client_id],
    );
    const exchanges = () => exchangesOf(client_id);
    assert.equal(await exchanges(), 1);
    await owner.serviceUsers.change(client_id, { enabled: false }); // ends its tokens
    await owner.serviceUsers.change(client_id, { enabled: true });
    await client.auth.me();
    assert.equal(await exchanges(), 2);
    await owner.serviceUsers.remove(client_id);
    await assert.rejects(client.auth.me(), { code: 'invalid_client' });
  });

  for (const [alg, crv] of [
    ['EdDSA', 'Ed25519'],
    ['ES256', 'P-256'],
  ] as const)
    it(`a service user signs assertions with a key of ${crv}`, async () => {
      const { publicKey, privateKey } = await generateKeyPair(alg, { crv, extractable: true });
      const public_key = { ...(await exportJWK(publicKey)) } as never;
      const made = await owner.serviceUsers.create({
        name: unique('signer'),
        role: 'operator',
        public_keys: [public_key],
      });
      const private_key = (await exportJWK(privateKey)) as never;
      const client = new TellerClient({ base_url, client_id: made.id, private_key, audience: PUBLIC_URL });
      assert.equal((await client.auth.me()).id, made.id);
    });

  it('a number that may have been rounded is never sent, in a query either', async () => {
    const after = 9_007_199_254_740_992 as never;
    await assert.rejects(shop.events.list(wallet.id, { after }), TypeError);
  });

  it('a limit that is no number is refused before any request', async () => {
    for (const timeout_ms of [Number.NaN, 0, -1])
      await assert.rejects(owner.auth.me({ timeout_ms }), TypeError);
  });

  it('what cannot work is refused before any request', () => {
    for (const base_url of ['ftp://a', 'http://user:word@a', 'http://a/?b=1', 'http://a/#b', 'http://[::1'])
      assert.throws(() => new TellerClient({ base_url }), TypeError, base_url);
    for (const value of ['svc_sk_test_a\n', ' a', 'é', '']) {
      assert.throws(() => new TellerClient({ api_key: value }), TypeError);
      assert.throws(() => new TellerClient({ token: value }), TypeError);
      assert.throws(() => new TellerClient({ client_id: 'usr_1', client_secret: value }), TypeError);
    }
    // @ts-expect-error: the types take one credential, too
    assert.throws(() => new TellerClient({ api_key: 'a', token: 'b' }), TypeError);
  });
});

describe('errors of the real service', () => {
  type Real = {
    name: string;
    as: 'nobody' | 'login' | 'api_key';
    method: string;
    path: string;
    idempotency_key?: string;
    body?: string;
    kind: string;
    code: string;
  };
  const tokens = { nobody: undefined, login: world.token, api_key: wallet.api_key };
  for (const { name, as, method, path, idempotency_key, body, kind, code } of readCases<{ real: Real[] }>(
    'errors',
  ).real)
    it(name, async () => {
      const answer = await fetch(base_url + path.replace('{wallet}', wallet.id), {
        method,
        headers: {
          ...(tokens[as] !== undefined && { authorization: `Bearer ${tokens[as]}` }),
          ...(idempotency_key !== undefined && { 'idempotency-key': idempotency_key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      });
      const read = { status: answer.status, headers: answer.headers, bytes: await answer.bytes() };
      assert.throws(() => readAnswer(read), { name: kind, code });
    });
});

/** Exchanges of a service user for a token, by the audit log. */
async function exchangesOf(client_id: string): Promise<number> {
  const entries = owner.audit.list({ actor_id: client_id });
  return (await entries.all()).filter(({ action }) => action === 'service_user.token_given').length;
}
