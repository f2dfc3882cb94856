/** Lists are { items, next_cursor }, newest first, by limit and cursor, with filters. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Asset, Memo, Operation } from '@stellar/stellar-sdk/base';
import { toUnits } from '../support/ledger.ts';
import { assertError, joinService, type User, unique, type Wallet } from '../support/running-service.ts';

const COUNT = 7;

const world = await joinService('receivers');
let owner: User;
let wallet: Wallet;
let lists: Record<string, string>;
before(async () => {
  owner = await world.newUser();
  wallet = await world.newWallet(owner.token);
  lists = await fill();
});
after(() => world.stop());

const post = async (path: string, body?: unknown, headers?: Record<string, string>): Promise<any> => {
  const options = { token: owner.token, ...(body !== undefined && { body }), ...(headers && { headers }) };
  const answer = await world.api('POST', path, options);
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data;
};

/** At least COUNT of everything that is listed; gives the lists' paths. */
async function fill(): Promise<Record<string, string>> {
  const base = `/v1/wallets/${wallet.id}`;
  const payer = await world.ledger.fund();
  const times = Array.from({ length: COUNT });
  const address = await post(`${base}/addresses`, { label: 'first' });
  for (const _ of times.slice(1)) await post(`${base}/addresses`);
  await Promise.all(times.map(() => world.newWallet(owner.token)));
  const webhook = await post(`${base}/webhooks`, { url: 'http://127.0.0.1:9/' });
  for (const _ of times.slice(1)) await post(`${base}/webhooks`, { url: 'http://127.0.0.1:9/' });
  for (const _ of times) await post(`${base}/webhooks/${webhook.id}/test`);
  await Promise.all(
    times.map((_, index) =>
      post(
        `${base}/withdraw`,
        { destination: payer.publicKey(), amount_stroops: index + 1, reference: `Order ${index}` },
        { 'idempotency-key': unique('list') },
      ),
    ),
  );
  const pay = (destination: string) =>
    Operation.payment({ destination, asset: Asset.native(), amount: toUnits(5n) });
  for (const _ of times.slice(4)) await world.ledger.apply(payer, [pay(wallet.account)]);
  const { hash } = await world.ledger.apply(
    payer,
    [pay(wallet.account), pay(address.address), pay(wallet.account)],
    { memo: Memo.text('invoice 7') },
  );
  await world.depositsOf(wallet, hash, 3);
  return {
    wallets: '/v1/wallets',
    addresses: `${base}/addresses`,
    deposits: `${base}/deposits`,
    transactions: `${base}/transactions`,
    withdrawals: `${base}/withdrawals`,
    webhooks: `${base}/webhooks`,
    deliveries: `${base}/webhooks/${webhook.id}/deliveries`,
  };
}

const get = (path: string) => world.api('GET', path, { token: owner.token });

async function pagesOf(path: string, limit: number): Promise<any[][]> {
  const pages: any[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: `${limit}`, ...(cursor && { cursor }) });
    const { status, body, text } = await get(`${path}${path.includes('?') ? '&' : '?'}${query}`);
    assert.equal(status, 200, text);
    assert.deepEqual(Object.keys(body.data).sort(), ['items', 'next_cursor']);
    pages.push(body.data.items);
    cursor = body.data.next_cursor;
    assert.ok(cursor === null || typeof cursor === 'string');
    assert.ok(pages.length < 50, 'the pages end');
  }
  return pages;
}

for (const name of [
  'wallets',
  'addresses',
  'deposits',
  'transactions',
  'withdrawals',
  'webhooks',
  'deliveries',
]) {
  describe(`the list of ${name}`, () => {
    it('by pages is the list in one, without a gap or repetition, newest first', async () => {
      const path = lists[name] as string;
      const { body } = await get(path);
      const all: any[] = body.data.items;
      assert.ok(all.length >= COUNT, `${all.length}`);
      assert.equal(body.data.next_cursor, null);
      for (const limit of [1, 3, all.length, 200]) {
        const pages = await pagesOf(path, limit);
        assert.deepEqual(
          pages.flat().map(({ id }) => id),
          all.map(({ id }) => id),
        );
        assert.ok(pages.every((page) => page.length <= limit));
        assert.equal(pages.length, Math.ceil(all.length / limit), `no empty last page at limit ${limit}`);
      }
      const times = all.map(({ created_at }) => Date.parse(created_at));
      assert.deepEqual(
        times,
        times.toSorted((a, b) => b - a),
      );
    });

    it('refuses a bad limit, a parameter given twice and an unknown one with 400', async () => {
      const path = lists[name] as string;
      for (const limit of ['0', '-1', '201', '1.5', '1e1', 'x', '', '%00', '99999999999999999999']) {
        assertError(await get(`${path}?limit=${limit}`), 400);
      }
      assertError(await get(`${path}?limit=1&limit=2`), 400);
      assertError(await get(`${path}?limti=1`), 400);
    });

    it('refuses an invalid cursor with 400', async () => {
      for (const cursor of ['%00', '%ff', 'x', '1', '..%2f', "'", 'e30', '%F0%9F%92%A9', 'x'.repeat(2000)]) {
        assertError(await get(`${lists[name]}?cursor=${cursor}`), 400);
      }
    });

    it('refuses a cursor that it never gave with 400, instead of showing a wrong part of the list', async () => {
      for (const made_up of ['null', '1', 'zzz', 'usr_0', 'adr']) {
        const cursor = Buffer.from(made_up).toString('base64url');
        const { status, text } = await get(`${lists[name]}?cursor=${cursor}`);
        assert.equal(status, 400, `${made_up} gave ${text.slice(0, 200)}`);
      }
    });
  });
}

for (const name of ['addresses', 'deposits', 'withdrawals'])
  describe(`${name} of a span of time`, () => {
    const idsOf = async (query: string) =>
      (await pagesOf(`${lists[name]}${query}`, 2)).flat().map(({ id }) => id);

    it('are those created at `since` or later, and before `until`, over all pages', async () => {
      const all: any[] = (await pagesOf(lists[name] as string, 200)).flat();
      const made = (isOf: (created_at: string) => boolean) =>
        all.filter(({ created_at }) => isOf(created_at)).map(({ id }) => id);
      const [until, since] = [all[1].created_at, all.at(-2).created_at];
      assert.deepEqual(
        await idsOf(`?since=${since}`),
        made((at) => at >= since),
      );
      assert.deepEqual(
        await idsOf(`?until=${until}`),
        made((at) => at < until),
      );
      assert.deepEqual(
        await idsOf(`?since=${since}&until=${until}`),
        made((at) => at >= since && at < until),
      );
      assert.deepEqual(await idsOf(`?since=${since}&until=${since}`), []);
      assert.deepEqual(await idsOf('?since=2020-01-01T01:00:00%2B01:00&until=2020-01-01T00:00:00Z'), []);
    });

    it('400 for what is no time, and for a span that ends before it begins', async () => {
      for (const query of ['since=yesterday', 'until=2026-01-01', 'since=1767225600', 'until='])
        assertError(await get(`${lists[name]}?${query}`), 400, 'invalid_request');
      const span = 'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z';
      const details = assertError(await get(`${lists[name]}?${span}`), 400, 'invalid_request');
      assert.deepEqual(details[0]?.path, 'since');
    });
  });

describe('addresses that a search finds', () => {
  it('are limited to a span of time too', async () => {
    const found = (span: string) => get(`${lists.addresses}?search=first${span}`);
    const [{ id, created_at }] = (await found('')).body.data.items;
    const idsOf = async (span: string) => (await found(span)).body.data.items.map((each: any) => each.id);
    assert.deepEqual(await idsOf(`&since=${created_at}`), [id]);
    assert.deepEqual(await idsOf(`&until=${created_at}`), []);
  });
});

describe('deposits', () => {
  it('are listed by ledger, the newest first, those of one transaction too', async () => {
    const { body } = await get(lists.deposits as string);
    const ledgers = body.data.items.map(({ ledger }: any) => Number(ledger));
    assert.deepEqual(
      ledgers,
      ledgers.toSorted((a: number, b: number) => b - a),
    );
    const operations = await world.query(
      'select operation_index from deposits where wallet_id = $1 order by ledger desc, id desc limit 3',
      [wallet.id],
    );
    assert.deepEqual(
      operations.map((row) => row.operation_index),
      [2, 1, 0],
    );
  });

  it('are filtered by attributed and by address_id', async () => {
    const all = (await get(lists.deposits as string)).body.data.items;
    for (const attributed of [true, false]) {
      const { body } = await get(`${lists.deposits}?attributed=${attributed}`);
      const ids = body.data.items.map(({ id }: any) => id);
      const expected = all.filter((item: any) => item.attributed === attributed).map(({ id }: any) => id);
      assert.ok(ids.length > 0);
      assert.deepEqual(ids, expected);
    }
    const { address_id } = all.find((item: any) => item.attributed);
    const { body } = await get(`${lists.deposits}?address_id=${address_id}`);
    assert.deepEqual(
      body.data.items.map((item: any) => item.address_id),
      [address_id],
    );
    assertError(await get(`${lists.deposits}?attributed=maybe`), 400);
  });
});

describe('transactions', () => {
  it('are deposits and withdrawals in one list, filtered by type and status', async () => {
    const ids = async (path: string) => (await get(path)).body.data.items.map(({ id }: any) => id).sort();
    const [deposits, withdrawals] = [
      await ids(lists.deposits as string),
      await ids(lists.withdrawals as string),
    ];
    assert.deepEqual(await ids(lists.transactions as string), [...deposits, ...withdrawals].sort());
    assert.deepEqual(await ids(`${lists.transactions}?type=deposit`), deposits);
    assert.deepEqual(await ids(`${lists.transactions}?type=withdrawal`), withdrawals);
    assert.deepEqual(await ids(`${lists.transactions}?status=failed`), []);
    assert.deepEqual(await ids(`${lists.transactions}?status=confirmed&type=withdrawal`), withdrawals);
    assertError(await get(`${lists.transactions}?type=x`), 400);
    assertError(await get(`${lists.transactions}?status=x`), 400);
    assert.equal((await pagesOf(`${lists.transactions}?type=withdrawal`, 2)).length, 4);
  });

  it('say type, id, status, asset, amount, fee, counterparty, label, hash, memo and time', async () => {
    const { body } = await get(`${lists.transactions}?limit=200`);
    for (const item of body.data.items) {
      assert.deepEqual(Object.keys(item).sort(), [
        'address_label', 'amount_stroops', 'asset_code', 'asset_issuer', 'below_minimum', 'counterparty', 'created_at', 'fee_stroops', 'id',
        'memo_id', 'memo_text', 'payout_id', 'payout_row', 'reason', 'reference', 'status', 'stellar_tx_hash', 'type',
      ]); // biome-ignore format: one line
      assert.match(item.counterparty, /^G/);
    }
  });

  it('say of each what its own resource says, and the label of its address', async () => {
    const all = async (name: string) => (await pagesOf(lists[name] as string, 200)).flat();
    const labels = new Map((await all('addresses')).map(({ id, label }) => [id, label]));
    const own = new Map<string, any>();
    const no_withdrawal = { reference: null, payout_id: null, payout_row: null };
    for (const row of await all('deposits')) {
      const memo_text = row.memo_type === 'text' ? row.memo : null;
      const address_label = labels.get(row.address_id) ?? null;
      const { source_account: counterparty } = row;
      const more = { reason: null, fee_stroops: null, address_label, memo_text, ...no_withdrawal };
      own.set(row.id, { ...row, type: 'deposit', counterparty, ...more });
    }
    const none = {
      asset_issuer: null,
      reason: null,
      address_label: null,
      memo_text: null,
      below_minimum: false,
    };
    for (const row of await all('withdrawals'))
      own.set(row.id, {
        ...row,
        ...none,
        type: 'withdrawal',
        asset_code: 'native',
        counterparty: row.destination,
      });
    const transactions = await all('transactions');
    assert.equal(transactions.length, own.size);
    for (const row of transactions)
      assert.deepEqual({ ...own.get(row.id), ...row }, own.get(row.id), 'nothing else than there');
    assert.ok(transactions.some((row) => row.address_label === 'first' && row.memo_text === 'invoice 7'));
    assert.ok(transactions.some((row) => row.reference === 'Order 0'));
    assert.ok(
      transactions.some((row) => row.fee_stroops > 0n),
      'the one that the wallet’s own account sent',
    );
  });
});

describe('a cursor', () => {
  it('of one list is not taken by another wallet’s', async () => {
    const { body } = await get(`${lists.deposits}?limit=1`);
    const other = await world.newWallet(owner.token);
    const query = new URLSearchParams({ cursor: body.data.next_cursor });
    const { status, body: answer } = await get(`/v1/wallets/${other.id}/deposits?${query}`);
    if (status === 200) assert.ok(answer.data.items.every((item: any) => item.wallet_id === other.id));
    else assert.equal(status, 400);
  });

  it('stands still when something newer comes', async () => {
    const first = (await get(`${lists.addresses}?limit=3`)).body.data;
    const before = (await get(lists.addresses as string)).body.data.items.map(({ id }: any) => id);
    await post(lists.addresses as string);
    const query = new URLSearchParams({ limit: '200', cursor: first.next_cursor });
    const rest = (await get(`${lists.addresses}?${query}`)).body.data.items.map(({ id }: any) => id);
    assert.deepEqual(rest, before.slice(3));
  });
});
