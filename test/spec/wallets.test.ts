/** Wallets, their balances and deposit addresses. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MuxedAccount } from '@stellar/stellar-sdk/base';
import { fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { whileOutcomesWait } from '../support/held-outcomes.ts';
import { memoId } from '../support/ledger.ts';
import { assertError, assertFault, joinService } from '../support/running-service.ts';

const UNIT = 10_000_000n;
const KIB = 1024;

const world = await joinService();
after(() => world.stop());
const stranger = await world.newUser();
const wallet = await world.newWallet();

const get = (path: string, token = wallet.api_key) =>
  world.api('GET', `/v1/wallets/${wallet.id}${path}`, { token });
const newAddress = (body?: unknown) =>
  world.api('POST', `/v1/wallets/${wallet.id}/addresses`, {
    token: wallet.api_key,
    ...(body !== undefined && { body }),
  });

describe('a wallet', () => {
  it('is created by a login: 201 with its API key, shown this once, its account funded by friendbot', async () => {
    const answer = await world.api('POST', '/v1/wallets', { token: world.token, body: { name: 'Shop ☕' } });
    assert.equal(answer.status, 201);
    const { id, account, created_at, api_key, ...rest } = answer.body.data;
    assert.deepEqual(rest, {
      name: 'Shop ☕',
      network: 'sandbox',
      status: 'active',
      numeric_memo_text: false,
    });
    assert.match(id, /^wal_/);
    assert.match(account, /^G[A-Z2-7]{55}$/);
    assert.match(created_at, /Z$/);
    assert.match(api_key, /^svc_sk_test_/);
    assert.equal((await world.ledger.account(account))?.balance, 10_000n * UNIT);
    const read = await world.api('GET', `/v1/wallets/${id}`, { token: api_key });
    assert.deepEqual(read.body.data, {
      id,
      name: 'Shop ☕',
      network: 'sandbox',
      account,
      status: 'active',
      numeric_memo_text: false,
      created_at,
    });
  });

  it('needs a name', async () => {
    const create = (body: unknown) => world.api('POST', '/v1/wallets', { token: world.token, body });
    assertFault(await create({}), '/name');
    assertFault(await create({ name: 5 }), '/name');
    assertFault(await create({ name: 'x'.repeat(10_000) }), '/name');
    assertError(await create({ name: 'x', network: 'public' }), 400);
  });

  it('its name and its settings are changed by a login, each alone or together, and nothing else is', async () => {
    const mine = await world.newWallet();
    const path = `/v1/wallets/${mine.id}`;
    const change = (body?: unknown, token = world.token) =>
      world.api('PATCH', path, { token, ...(body !== undefined && { body }) });
    const before = (await world.api('GET', path, { token: mine.api_key })).body.data;
    const steps: [unknown, object][] = [
      [undefined, {}],
      [{}, {}],
      [{ name: null }, {}],
      [{ name: '  Till 2 ' }, { name: 'Till 2' }],
      [{ numeric_memo_text: true }, { name: 'Till 2', numeric_memo_text: true }],
      [
        { name: 'Till', numeric_memo_text: false },
        { name: 'Till', numeric_memo_text: false },
      ],
    ];
    for (const [body, changed] of steps) {
      const answer = await change(body);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body.data, { ...before, ...changed });
      const read = await world.api('GET', path, { token: mine.api_key });
      assert.deepEqual(read.body.data, answer.body.data);
    }
    assertFault(await change({ name: '' }), '/name');
    assertFault(await change({ name: 'x'.repeat(101) }), '/name');
    for (const wrong of ['true', 1, {}]) {
      assertFault(await change({ numeric_memo_text: wrong }), '/numeric_memo_text');
    }
    assertError(await change({ name: 'x', account: wallet.account }), 400);
    assertError(await change({ name: 'x' }, mine.api_key), 401, 'login_required');
    assertError(await change({ name: 'x' }, stranger.token), 404, 'not_found');
    assert.equal((await world.api('GET', path, { token: mine.api_key })).body.data.name, 'Till');
  });

  it('is listed for its owner only', async () => {
    const theirs = await world.newWallet(stranger.token);
    const [own, other] = await Promise.all(
      [world.token, stranger.token].map((token) => world.api('GET', '/v1/wallets?limit=200', { token })),
    );
    const ids = (answer: typeof own) => answer?.body.data.items.map(({ id }: any) => id);
    assert.ok(ids(own).includes(wallet.id) && !ids(own).includes(theirs.id));
    assert.deepEqual(ids(other), [theirs.id]);
    assert.ok(!own?.text.includes('svc_sk_'));
  });

  it('the secret seed is neither in the database nor in the log in clear', async () => {
    const [row] = await world.query('select t::text as text from wallets t where id = $1', [wallet.id]);
    assert.ok(!/\bS[A-Z2-7]{55}\b/.test(row.text));
    assert.ok(!/\bS[A-Z2-7]{55}\b/.test(world.service.output()));
  });
});

describe('balances', () => {
  it('are those of the ledger; available is less the reserve', async () => {
    const balance = (await world.ledger.account(wallet.account))?.balance as bigint;
    const { body } = await get('/balances');
    assert.deepEqual(body.data.items, [
      {
        asset_code: 'native',
        asset_issuer: null,
        amount_stroops: balance,
        available_stroops: balance - UNIT,
        reserved_stroops: UNIT,
        in_flight_stroops: 0n,
        status: 'active',
      },
    ]);
  });

  it('beyond 2^53 are exact', async () => {
    const rich = await world.newWallet();
    await world.ledger.pay(world.ledger.root, rich.account, 9007199254740993n);
    const { body } = await world.api('GET', `/v1/wallets/${rich.id}/balances`, { token: rich.api_key });
    assert.equal(body.data.items[0].amount_stroops, 9007199254740993n + 10_000n * UNIT);
    assert.equal(body.data.items[0].available_stroops, 9007199254740993n + 9_999n * UNIT);
  });

  it('available is less the withdrawals in flight too', async () => {
    const payee = (await world.ledger.fund()).publicKey();
    type Sums = Record<
      'amount_stroops' | 'available_stroops' | 'reserved_stroops' | 'in_flight_stroops',
      bigint
    >;
    const balance = async (): Promise<Sums> => (await get('/balances')).body.data.items[0];
    const before = await balance();
    const sent = await whileOutcomesWait(world, async () => {
      const begun = Array.from({ length: 6 }, () =>
        world.withdraw(wallet, { destination: payee, amount_stroops: 100n * UNIT }),
      );
      await eventually('all of them in flight', async () => {
        const { amount_stroops, available_stroops, reserved_stroops, in_flight_stroops } = await balance();
        if (amount_stroops - available_stroops !== 601n * UNIT) return false;
        assert.deepEqual([reserved_stroops, in_flight_stroops], [UNIT, 600n * UNIT]);
        return true;
      });
      return begun;
    });
    let done = false;
    const all = Promise.all(sent).finally(() => {
      done = true;
    });
    while (!done) assert.ok((await balance()).available_stroops <= before.available_stroops);
    await all;
    const after = await balance();
    assert.equal(after.amount_stroops - after.available_stroops, UNIT);
  });
});

describe('a deposit address', () => {
  it('201: address (M…), account (G…), memo_id, SEP-7 uri, label, metadata', async () => {
    const answer = await newAddress({ label: 'Order 7', metadata: { order: 7 } });
    assert.equal(answer.status, 201);
    const { id, address, account, memo_id, uri, created_at, ...rest } = answer.body.data;
    const given = { label: 'Order 7', metadata: { order: 7n } };
    assert.deepEqual(rest, { wallet_id: wallet.id, ...given, last_deposit_at: null });
    assert.match(id, /^adr_/);
    assert.match(created_at, /Z$/);
    assert.equal(account, wallet.account);
    const muxed = MuxedAccount.fromAddress(address, '0');
    assert.equal(muxed.baseAccount().accountId(), wallet.account, 'muxes the wallet’s account');
    assert.equal(muxed.id(), `${memo_id}`, 'with memo_id');
    const link = new URL(uri);
    assert.equal(link.protocol, 'web+stellar:');
    assert.equal(link.pathname, 'pay');
    const { destination, memo, memo_type, network_passphrase } = Object.fromEntries(link.searchParams);
    assert.equal(network_passphrase, world.ledger.passphrase, 'no link for the public network');
    assert.ok(
      destination === address ||
        (destination === account && memo === `${memo_id}` && memo_type === 'MEMO_ID'),
    );
    const read = await get(`/addresses/${id}`);
    assert.deepEqual(read.body.data, { ...answer.body.data, received: [] });
  });

  it('ids are 1 to 2^53−1, unique, and not guessable in sequence', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, () => newAddress()));
    const ids: bigint[] = made.map(({ body }) => body.data.memo_id);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.ok(id >= 1n && id <= 9007199254740991n);
    const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1));
    const gaps = sorted.slice(1).map((id, index) => id - (sorted[index] as bigint));
    assert.ok(gaps.every((gap) => gap > 1_000_000n));
  });

  it('a deposit to it shows it with its metadata', async () => {
    const { body } = await newAddress({ metadata: {} });
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, body.data.account, 5n, {
      memo: memoId(body.data.memo_id),
    });
    const [deposit] = await world.depositsOf(wallet, hash);
    assert.equal(deposit.address_id, body.data.id);
    assert.deepEqual(deposit.metadata, {});
    const { body: list } = await get('/transactions?type=deposit&limit=1');
    assert.deepEqual(list.data.items[0], {
      type: 'deposit',
      id: deposit.id,
      status: 'confirmed',
      reason: null,
      asset_code: 'native',
      asset_issuer: null,
      amount_stroops: 5n,
      fee_stroops: null,
      counterparty: payer.publicKey(),
      address_label: null,
      stellar_tx_hash: hash,
      memo_id: body.data.memo_id,
      memo_text: null,
      reference: null,
      payout_id: null,
      payout_row: null,
      below_minimum: false,
      created_at: deposit.created_at,
    });
  });
});

describe('metadata is returned exactly', () => {
  const exact = [
    '{}',
    '{ }',
    '{"b":1,"a":2,"10":3,"9":4}',
    '{"n":12345678901234567890123,"e":1E+2,"z":-0,"f":1.10}',
    '{"é":"\\u00e9\\ud83d\\ude00😀","quote":"\\"","slash":"\\/"}',
    '{\n\t"deep" : { "a" : [ [ ], { } , null , true ] }\r\n}',
    '{"__proto__":{"x":1},"constructor":1,"toString":null}',
    '{"amount_stroops":"1","memo_id":1.5}',
    '{"html":"</script><!--","sql":"\'; drop table deposits; --"}',
  ];
  for (const metadata of exact) {
    it(JSON.stringify(metadata), async () => {
      const made = await newAddress(`{"metadata":${metadata}}`);
      assert.equal(made.status, 201, made.text);
      assert.ok(made.text.includes(`"metadata":${metadata}`), made.text);
      const read = await get(`/addresses/${made.body.data.id}`);
      assert.ok(read.text.includes(`"metadata":${metadata}`), read.text);
    });
  }

  it('up to 16 KiB, in bytes; beyond that 400', async () => {
    const ascii = (bytes: number) => `{"k":"${'x'.repeat(bytes - 8)}"}`;
    const made = await newAddress(`{"metadata":${ascii(16 * KIB)}}`);
    assert.equal(made.status, 201);
    assert.ok(made.text.includes(ascii(16 * KIB)));
    assertFault(await newAddress(`{"metadata":${ascii(16 * KIB + 1)}}`), '/metadata');
    const accented = `{"k":"${'é'.repeat(8 * KIB)}"}`;
    assertFault(await newAddress(`{"metadata":${accented}}`), '/metadata');
  });

  it('nested in 31 levels at most, which with the body are 32; beyond that 400', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    const made = await newAddress(`{"metadata":${nested(31)}}`);
    assert.equal(made.status, 201, made.text);
    assert.ok(made.text.includes(nested(31)));
    for (const levels of [32, 33, 1000, 3000]) {
      const answer = await newAddress(`{"metadata":${nested(levels)}}`);
      assertError(answer, 400, 'invalid_json');
      assert.match(answer.body.message, /nested/);
    }
    const arrays = `{"metadata":{"a":${'['.repeat(31)}${']'.repeat(31)}}}`;
    assertError(await newAddress(arrays), 400, 'invalid_json');
  });

  it('of any other kind gets 400', async () => {
    for (const metadata of ['"{}"', '1', '[]', '[{}]', 'true'])
      assertFault(await newAddress(`{"metadata":${metadata}}`), '/metadata');
    assert.equal((await newAddress('{"metadata":null}')).status, 201, 'null is as if it were not given');
  });

  it('not given, it is an empty object', async () => {
    const { text } = await newAddress();
    assert.deepEqual((fromJson(text) as any).data.metadata, {});
  });
});
