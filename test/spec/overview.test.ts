/** What a dashboard shows beside the lists: the service's network, a wallet's days and health, search, deliveries of a deposit. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { memoId } from '../support/ledger.ts';
import { mistyped } from '../support/mistyped.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  assertError,
  assertFault,
  type RunningService,
  startRunningService,
  type Wallet,
} from '../support/running-service.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const UNIT = 10_000_000n;
/** No other memo id and no hash of a run contains it. */
const RARE_MEMO_ID = 31_337_000_000_001n;

let world: RunningService;
let receiver: Receiver;
let wallet: Wallet;
before(async () => {
  world = await startRunningService({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '1,86400' });
  receiver = await startReceiver();
  wallet = await world.newWallet();
});
after(async () => {
  await receiver.close();
  await world.stop();
});

const base = (of = wallet) => `/v1/wallets/${of.id}`;

async function get(path: string, token = world.token): Promise<any> {
  const answer = await world.api('GET', path, { token });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function post(path: string, body: unknown = {}): Promise<any> {
  const answer = await world.api('POST', path, { token: world.token, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data;
}

const pay = (body: unknown, token = world.token) => world.api('POST', '/v1/sandbox/pay', { token, body });

const OWN_FUNDS = ['own_funds_count', 'own_funds_stroops'];

/** Adds up these members of all days. */
function sumsOf(days: Record<string, bigint>[], names: string[]): bigint[] {
  return names.map((name) => days.reduce((total, day) => total + (day[name] ?? 0n), 0n));
}

describe('the service', () => {
  it('tells anyone its name, version and network, and where transactions can be looked up', async () => {
    const { status, body } = await world.api('GET', '/v1/service');
    assert.equal(status, 200);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const page = new URL(world.service.rpc_url).origin;
    const { test_assets: _, sources, ...data } = body.data; // test-assets.test.ts looks at them
    assert.deepEqual(sources, [{ source: 1n, network_protocol: 30n, supported_protocol: 30n }]);
    assert.deepEqual(data, {
      name: 'Stellar Teller',
      version,
      network: 'sandbox',
      passphrase: 'Standalone Network ; February 2017',
      explorer: {
        transaction: `${page}/#/transactions/{hash}`,
        account: `${page}/#/accounts/{account}`,
      },
      known_assets: [],
      network_protocol: 30n,
      known_protocol: 30n,
    });
    const headers = { accept: 'text/html' };
    assert.match(await (await fetch(page, { headers })).text(), /<html/, 'which is a page for people');
  });
});

describe('a payment on the sandbox', () => {
  it('pays a deposit address as a customer would, with the hash of the deposit', async () => {
    const address = await post(`${base()}/addresses`);
    const paid = await pay({ destination: address.address, amount_stroops: 25n * UNIT });
    assert.equal(paid.status, 201, paid.text);
    const hash = paid.body.data.stellar_tx_hash;
    const [deposit] = await world.depositsOf(wallet, hash);
    assert.deepEqual([deposit.address_id, deposit.amount_stroops], [address.id, 25n * UNIT]);
  });

  it('pays an account with a memo id, which may exceed 2^53', async () => {
    const memo_id = 2n ** 64n - 1n;
    const { body } = await pay({ destination: wallet.account, amount_stroops: 1, memo_id });
    const [deposit] = await world.depositsOf(wallet, body.data.stellar_tx_hash);
    assert.equal(deposit.memo_id, memo_id);
  });

  it('refuses what is no address or amount with 400, an API key with 401, and says why nothing was paid', async () => {
    const destination = wallet.account;
    assertFault(await pay({ destination: mistyped(destination), amount_stroops: 1 }), '/destination');
    assertFault(await pay({ destination, amount_stroops: 0 }), '/amount_stroops');
    assertFault(await pay({ destination, amount_stroops: 1, memo: 1 }), '/memo');
    assertError(await pay({ destination, amount_stroops: 1 }, wallet.api_key), 401, 'login_required');
    const too_much = await pay({ destination, amount_stroops: 9_223_372_036_854_775_807n });
    assertError(too_much, 422, 'sandbox_payment_failed');
    assert.match(too_much.body.message, /must not be above/);
  });
});

describe('a deposit address', () => {
  it('tells what it has received, by asset, and only when it is read itself', async () => {
    const address = await post(`${base()}/addresses`);
    const path = `${base()}/addresses/${address.id}`;
    assert.deepEqual((await get(path)).received, []);
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, address.address, 5n);
    const memo = memoId(address.memo_id);
    const second = await world.ledger.pay(payer, wallet.account, 7n, { memo });
    await Promise.all([world.depositsOf(wallet, hash), world.depositsOf(wallet, second.hash)]);
    const read = await get(path, wallet.api_key);
    const native = { asset_code: 'native', asset_issuer: null };
    assert.deepEqual(read.received, [{ ...native, count: 2n, amount_stroops: 12n }]);
    const [last] = (await get(`${base()}/deposits?address_id=${address.id}&limit=1`)).items;
    const { received, ...rest } = read;
    assert.deepEqual(rest, { ...address, last_deposit_at: last.created_at });
    const inList = async (query: string) =>
      (await get(`${base()}/addresses?${query}`)).items.find(({ id }: { id: string }) => id === address.id);
    assert.deepEqual(await inList('limit=200'), { ...rest, received: null });
    for (const query of ['', '&order=last_deposit', `&search=${address.id}`])
      assert.deepEqual(await inList(`received_days=30${query}`), read, query);
    for (const days of ['0', '91', 'x'])
      assertFault(
        await world.api('GET', `${base()}/addresses?received_days=${days}`, { token: world.token }),
        'received_days',
      );
  });

  it('is listed by its last deposit, the newest first, then those without one, page by page, an assignment by hand included', async () => {
    const own = await world.newWallet();
    const made = [];
    for (let count = 0; count < 5; count++) made.push((await post(`${base(own)}/addresses`)).id);
    const [a, b, c, d, e] = made;
    const payer = await world.ledger.fund();
    const deposit = async (id: string | null) => {
      const to = id === null ? own.account : (await get(`${base(own)}/addresses/${id}`)).address;
      const { hash } = await world.ledger.pay(payer, to, 3n);
      return (await world.depositsOf(own, hash))[0].id;
    };
    await deposit(b);
    const unknown = await deposit(null);
    for (const id of [d, a, d]) await deposit(id);
    const order = async () => {
      const ids = [];
      for (let cursor = ''; ; ) {
        const page = await get(`${base(own)}/addresses?order=last_deposit&limit=2${cursor}`, own.api_key);
        ids.push(...page.items.map(({ id }: { id: string }) => id));
        if (page.next_cursor === null) return ids;
        cursor = `&cursor=${page.next_cursor}`;
      }
    };
    assert.deepEqual(await order(), [d, a, b, e, c]);
    await post(`${base(own)}/deposits/${unknown}/assign`, { address_id: c });
    assert.deepEqual(await order(), [d, a, c, b, e], 'the time of the deposit counts');
    for (const other of ['search=x', 'since=2026-01-01T00:00:00Z', 'until=2026-01-01T00:00:00Z'])
      assertFault(
        await world.api('GET', `${base()}/addresses?order=last_deposit&${other}`, { token: world.token }),
        other.split('=')[0] as string,
      );
    const wrong = await world.api('GET', `${base()}/addresses?order=last_deposit&cursor=abc`, {
      token: world.token,
    });
    assertFault(wrong, 'cursor');
  });

  it('is found in the list by label, metadata, memo id and M… address', async () => {
    const address = await post(`${base()}/addresses`, {
      label: 'Corner shop',
      metadata: { mail: 'Zoë@x.example' },
    });
    for (const search of ['corner', 'zoë@X', `${address.memo_id}`, address.address, address.id]) {
      const { items } = await get(`${base()}/addresses?${new URLSearchParams({ search })}`);
      assert.deepEqual(items, [{ ...address, received: null }], search);
    }
    assert.deepEqual((await get(`${base()}/addresses?search=corner%25shop`)).items, []);
    for (const search of ['', '%20', 'x'.repeat(101), 'a%00b'])
      assertError(
        await world.api('GET', `${base()}/addresses?search=${search}`, { token: world.token }),
        400,
      );
  });
});

describe('the list of transactions', () => {
  it('is searched, by time too; what is malformed gets 400', async () => {
    const payer = await world.ledger.fund();
    const paid = await world.withdraw(wallet, {
      destination: payer.publicKey(),
      amount_stroops: 1,
      memo_id: RARE_MEMO_ID,
    });
    const { id, stellar_tx_hash, created_at } = paid.body.data;
    const idsOf = async (query: Record<string, string>) => {
      const { items } = await get(`${base()}/transactions?${new URLSearchParams(query)}`, wallet.api_key);
      return items.map((item: any) => item.id);
    };
    for (const search of [stellar_tx_hash.slice(0, 12), payer.publicKey(), `${RARE_MEMO_ID}`, id])
      assert.deepEqual(await idsOf({ search }), [id], search);
    assert.deepEqual(await idsOf({ search: `${RARE_MEMO_ID}`, since: created_at }), [id]);
    assert.deepEqual(await idsOf({ search: `${RARE_MEMO_ID}`, until: created_at }), []);
    const elsewhere = created_at.replace('Z', '+00:00');
    assert.deepEqual(await idsOf({ since: elsewhere, type: 'withdrawal' }), [id]);
    assert.deepEqual(
      await idsOf({
        type: 'withdrawal',
        asset: 'native',
        min_amount_stroops: `${paid.body.data.amount_stroops}`,
      }),
      [id],
    );
    assert.ok(!(await idsOf({ attributed: 'false' })).includes(id));
    const ends_before_it_begins = 'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z';
    const wrong = ['since=yesterday', 'until=2026-01-01', 'attributed=1', 'search=', 'since=%00'];
    const no_amounts = [
      'min_amount_stroops=2&max_amount_stroops=1',
      'max_amount_stroops=9223372036854775808',
    ];
    no_amounts.push('min_amount_stroops=1.5', 'max_amount_stroops=-1', 'asset=USDC', 'asset=');
    for (const query of [...wrong, ...no_amounts, ends_before_it_begins]) {
      const answer = await world.api('GET', `${base()}/transactions?${query}`, { token: world.token });
      assertFault(answer, query.split('=')[0] as string);
    }
  });
});

describe('a withdrawal', () => {
  it('tells when it was signed and first sent, in the order in which that happens, and how often it was fee-bumped', async () => {
    const payer = await world.ledger.fund();
    const { body } = await world.withdraw(wallet, { destination: payer.publicKey(), amount_stroops: 1 });
    const { created_at, signed_at, committed_at, settled_at, fee_bumps } = body.data;
    const times = [created_at, signed_at, committed_at, settled_at];
    assert.ok(
      times.every((time) => typeof time === 'string'),
      `${times}`,
    );
    assert.deepEqual(times, times.toSorted());
    assert.equal(fee_bumps, 0n);
    assert.deepEqual(await get(`${base()}/withdrawals/${body.data.id}`), body.data, 'the row has the same');
  });
});

describe('statistics', () => {
  it('are of the last 30 days unless told otherwise, today at the end, with what was paid in and out', async () => {
    const fresh = await world.newWallet();
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, fresh.account, 5n);
    await world.depositsOf(fresh, hash);
    const paid = await world.withdraw(fresh, { destination: payer.publicKey(), amount_stroops: 3 });
    assert.equal(paid.body.data.status, 'confirmed');
    // What made the account is a deposit too.
    const funded = (await get(`${base(fresh)}/deposits`)).items.at(-1);
    const { days } = await get(`${base(fresh)}/statistics`, fresh.api_key);
    assert.equal(days.length, 30);
    assert.deepEqual(
      sumsOf(days, [
        'deposits_count',
        'deposits_stroops',
        'withdrawals_count',
        'withdrawals_stroops',
        'fees_stroops',
      ]),
      [2n, funded.amount_stroops + 5n, 1n, 3n, paid.body.data.fee_stroops],
    );
    assert.deepEqual(sumsOf(days, OWN_FUNDS), [1n, funded.amount_stroops]);
    assert.equal((await get(`${base(fresh)}/statistics?days=366`)).days.length, 366);
    for (const wrong of ['0', '367', '-1', '1.5', 'x', ''])
      assertFault(
        await world.api('GET', `${base()}/statistics?days=${wrong}`, { token: world.token }),
        'days',
      );
  });
});

describe('own funds', () => {
  it('are what made the account, and what wallets of the team pay in, unless an address or a memo names a customer', async () => {
    const [fresh, sibling] = [await world.newWallet(), await world.newWallet()];
    const address = await post(`${base(fresh)}/addresses`);
    const given = (await get(`${base(fresh)}/deposits`)).items.at(-1).amount_stroops;
    const read = async () => {
      const { days } = await get(`${base(fresh)}/statistics`);
      return sumsOf(days, ['deposits_count', ...OWN_FUNDS]);
    };
    assert.deepEqual(await read(), [1n, 1n, given]);
    const send = async (order: { destination: string; amount_stroops: bigint; memo_id?: bigint }) => {
      const { body } = await world.withdraw(sibling, order);
      return (await world.depositsOf(fresh, body.data.stellar_tx_hash))[0];
    };
    const own = await send({ destination: fresh.account, amount_stroops: 5n });
    assert.deepEqual(await read(), [2n, 2n, given + 5n]);
    await send({ destination: address.address, amount_stroops: 7n });
    await send({ destination: fresh.account, amount_stroops: 11n, memo_id: RARE_MEMO_ID });
    const stranger = await world.ledger.fund();
    const { hash } = await world.ledger.pay(stranger, fresh.account, 13n);
    await world.depositsOf(fresh, hash);
    assert.deepEqual(await read(), [5n, 2n, given + 5n]);
    await post(`${base(fresh)}/deposits/${own.id}/assign`, { address_id: address.id });
    assert.deepEqual(await read(), [5n, 1n, given], 'the money of a customer from now on');
  });
});

describe('the deliveries of a deposit', () => {
  it('are those of its event to each endpoint, with URL and attempts, a deleted endpoint’s too; none before it has an address', async () => {
    const fresh = await world.newWallet();
    const urls = [`${receiver.url}/a`, 'http://127.0.0.1:9/b'];
    const hooks = await Promise.all(urls.map((url) => post(`${base(fresh)}/webhooks`, { url })));
    const address = await post(`${base(fresh)}/addresses`);
    const { body } = await pay({ destination: fresh.account, amount_stroops: 5 });
    const [deposit] = await world.depositsOf(fresh, body.data.stellar_tx_hash);
    const path = `${base(fresh)}/deposits/${deposit.id}/deliveries`;
    assert.deepEqual(await get(path), { items: [], next_cursor: null });
    await post(`${base(fresh)}/deposits/${deposit.id}/assign`, { address_id: address.id });
    // Another deposit and a test event do not concern this list.
    await pay({ destination: address.address, amount_stroops: 6 });
    await post(`${base(fresh)}/webhooks/${hooks[0].id}/test`);
    const items: any[] = await eventually('both were tried', async () => {
      const found = (await get(path, fresh.api_key)).items;
      return found.length > 0 && found.every((item: any) => item.attempt_log.length > 0) ? found : null;
    });
    const seen = items.map((item) => [item.webhook_id, item.url, item.event, item.status]).sort();
    const [delivered, failing] = hooks.map(({ id }) => id);
    assert.deepEqual(
      seen,
      [
        [delivered, urls[0], 'deposit.created', 'delivered'],
        [failing, urls[1], 'deposit.created', 'pending'],
      ].sort(),
    );
    assert.equal(new Set(items.map(({ event_id }) => event_id)).size, 1);
    const remove = await world.api('DELETE', `${base(fresh)}/webhooks/${failing}`, { token: world.token });
    assert.equal(remove.status, 200);
    assert.equal((await get(path)).items.length, 2);
    assertError(await world.api('GET', path.replace(fresh.id, wallet.id), { token: world.token }), 404);
  });
});

describe('the health of a wallet', () => {
  it('says that all is well, and counts its inbox without what was refunded or assigned', async () => {
    const fresh = await world.newWallet();
    const payer = await world.ledger.fund();
    const deposits = [];
    for (const amount of [3n * UNIT, 2n, 1n]) {
      const { hash } = await world.ledger.pay(payer, fresh.account, amount);
      deposits.push((await world.depositsOf(fresh, hash))[0]);
    }
    const health = () => get(`${base(fresh)}/health`, fresh.api_key);
    const first = await eventually('a reader of ledgers that keeps up', async () => {
      const told = await health();
      return told.deposits.ok ? told : null;
    });
    assert.deepEqual(Object.keys(first), [
      'deposits',
      'withdrawals',
      'webhooks',
      'channels',
      'reconciliation',
      'protocol',
      'inbox',
    ]);
    for (const name of ['deposits', 'withdrawals', 'webhooks', 'channels', 'reconciliation', 'protocol']) {
      assert.equal(first[name].ok, true, `${name}: ${first[name].message}`);
      assert.notEqual(first[name].message, '');
    }
    assert.equal(typeof first.deposits.lag_seconds, 'bigint');
    assert.deepEqual(first.inbox, { unattributed: 4n, own_funds: 1n }, 'what made the account is both');
    await post(`${base(fresh)}/deposits/${deposits[0].id}/refund`);
    const address = await post(`${base(fresh)}/addresses`);
    await post(`${base(fresh)}/deposits/${deposits[1].id}/assign`, { address_id: address.id });
    assert.deepEqual((await health()).inbox, { unattributed: 2n, own_funds: 1n });
  });

  it('says which endpoints fail or were disabled by the service, not those that their owner disabled', async () => {
    const fresh = await world.newWallet();
    const failing = await post(`${base(fresh)}/webhooks`, { url: 'http://127.0.0.1:9/' });
    assert.equal(failing.failing_since, null);
    await post(`${base(fresh)}/webhooks/${failing.id}/test`);
    const read = () => get(`${base(fresh)}/webhooks/${failing.id}`, fresh.api_key);
    const noticed: any = await eventually('it is failing', async () => {
      const endpoint = await read();
      return endpoint.failing_since === null ? null : endpoint;
    });
    assert.match(noticed.failing_since, /Z$/);
    const webhooks = async () => (await get(`${base(fresh)}/health`)).webhooks;
    const { message, ...counts } = await webhooks();
    assert.deepEqual(counts, { ok: false, total: 1n, failing: 1n, disabled: 0n });
    assert.match(message, /failing: 1/);
    await world.query(
      "update webhook_endpoints set enabled = false, disabled_reason = 'days' where id = $1",
      [failing.id],
    );
    assert.deepEqual(
      { ...(await webhooks()), message: '' },
      { ok: false, message: '', total: 1n, failing: 0n, disabled: 1n },
    );
    await world.query('update webhook_endpoints set disabled_reason = null where id = $1', [failing.id]);
    assert.equal((await webhooks()).ok, true);
  });

  it('says that the wallet is frozen, and that it is no more', async () => {
    const fresh = await world.newWallet();
    const change = (frozen: boolean) =>
      world.api('PATCH', `${base(fresh)}/policy`, { token: world.token, body: { frozen } });
    const withdrawals = async () => (await get(`${base(fresh)}/health`)).withdrawals;
    assert.equal((await change(true)).status, 200);
    assert.equal((await withdrawals()).ok, false);
    assert.match((await withdrawals()).message, /frozen/);
    assert.equal((await change(false)).status, 200);
    assert.equal((await withdrawals()).ok, true);
  });

  it('says what keeps the wallet from paying, that its books differ, and that a channel account stands still', async () => {
    const fresh = await world.newWallet();
    const health = () => get(`${base(fresh)}/health`);
    const unmatched =
      "insert into unmatched_transactions (hash, wallet_id, ledger, envelope_xdr, result_xdr) values ($1, $2, 1, '', '')";
    await world.query(unmatched, ['f'.repeat(64), fresh.id]);
    const held = (await health()).withdrawals;
    assert.equal(held.ok, false);
    assert.match(held.message, /1 outgoing transactions match no withdrawal/);
    assert.equal((await get(`${base()}/health`)).withdrawals.ok, true, 'another wallet is not held');
    await world.query('delete from unmatched_transactions');

    await world.query(
      "insert into tx_sources (account, blocked_reason) values ($1, 'The account is not on the network.')",
      [fresh.account],
    );
    assert.deepEqual((await health()).withdrawals, {
      ok: false,
      message: 'The account is not on the network.',
    });
    await world.query('delete from tx_sources where account = $1', [fresh.account]);

    const { total } = (await health()).channels;
    await world.query(
      "insert into tx_sources (account, kind, blocked_reason) values ('GX', 'channel', 'ahead'), ('GY', 'channel', null)",
    );
    const channels = (await health()).channels;
    assert.deepEqual([channels.ok, channels.total], [false, total + 2n]);
    await world.query("delete from tx_sources where account in ('GX', 'GY')");

    // The service compares a new wallet by itself; done, nobody compares this one again before half a minute.
    await eventually('its first comparison', async () => {
      const sql = 'select from reconciliations where wallet_id = $1';
      return (await world.query(sql, [fresh.id])).length > 0;
    });
    const compared = await get(`${base(fresh)}/reconciliation`);
    const { ledger, checked_at } = (await health()).reconciliation;
    assert.deepEqual([ledger, checked_at], [compared.ledger, compared.checked_at]);
    await world.query('update reconciliations set difference_stroops = 1 where wallet_id = $1', [fresh.id]);
    const books = (await health()).reconciliation;
    assert.equal(books.ok, false);
    assert.match(books.message, /native/);

    const asset = `USDC:${fresh.account}`;
    await world.query(
      `insert into reconciliations
         select (jsonb_populate_record(row, jsonb_build_object('asset_code', 'USDC', 'asset_issuer', $2::text))).*
           from reconciliations as row where wallet_id = $1`,
      [fresh.id, fresh.account],
    );
    const { message } = (await health()).reconciliation;
    assert.ok(message.includes(`native, ${asset}`), message);
  });
});
