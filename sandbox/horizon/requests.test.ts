import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { rootKeypair } from '../ledger/genesis.ts';
import type { NodeCondition } from '../node.ts';
import { StellarNode, UP_TO_DATE } from '../node.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { get, horizonFor } from '../testing/horizon-client.ts';
import { fund } from '../testing/rpc-client.ts';
import { pay, TestNetwork, UNIT } from '../testing/test-network.ts';
import { registerHorizon } from './routes.ts';

const ROOT = rootKeypair(SANDBOX_PASSPHRASE).publicKey();

describe('parameters', () => {
  test('that cannot be used are named with the reason that Horizon gives', async (t) => {
    const { url } = await horizonFor(t);
    const reasonOf = async (path: string) => {
      const { status, json } = await get(url + path);
      return [status, json.extras?.invalid_field, json.extras?.reason];
    };
    const page = '/payments';
    const cursor = [400, 'cursor', 'cursor: invalid value'];
    assert.deepEqual(await reasonOf(`${page}?cursor=abc`), cursor);
    assert.deepEqual(await reasonOf(`${page}?cursor=1-x`), cursor);
    assert.deepEqual(await reasonOf(`${page}?cursor=9223372036854775808`), cursor);
    assert.deepEqual(await reasonOf(`${page}?cursor=-5`), [
      400,
      'cursor',
      'the cursor -5 is a negative number: ',
    ]);
    assert.deepEqual(await reasonOf(`${page}?cursor=%ff`), [400, 'cursor', 'invalid value']);
    assert.deepEqual(await reasonOf(`${page}?order=up`), [400, 'order', 'order: invalid value']);
    assert.deepEqual(await reasonOf(`${page}?limit=x`), [400, 'limit', 'unparseable value']);
    const tooSmall = [400, 'limit', 'invalid limit: non-positive value provided'];
    assert.deepEqual(await reasonOf(`${page}?limit=0`), tooSmall);
    assert.deepEqual(await reasonOf(`${page}?limit=-1`), tooSmall);
    const tooLarge = [400, 'limit', 'invalid limit: value provided that is over limit max of 200'];
    assert.deepEqual(await reasonOf(`${page}?limit=201`), tooLarge);
    assert.deepEqual(await reasonOf(`${page}?join=effects`), [400, 'join', 'Accepted values: transactions']);
    const notBoolean = [400, 'include_failed', 'Filter should be true or false'];
    assert.deepEqual(await reasonOf(`${page}?include_failed=maybe`), notBoolean);
    const account = [400, 'account_id', 'Account ID must start with `G` and contain 56 alphanum characters'];
    for (const path of ['', '/payments', '/effects']) {
      assert.deepEqual(await reasonOf(`/accounts/${'M'.repeat(69)}${path}`), account, path);
    }
    const hash = [400, 'tx_id', 'Transaction hash must be a hex-encoded, lowercase SHA-256 hash'];
    assert.deepEqual(await reasonOf(`/transactions/${'AB'.repeat(32)}`), hash);
    assert.deepEqual(await reasonOf('/transactions/xyz/operations'), hash);
    const ledger = [400, 'ledger_id', 'Ledger ID must be an integer higher than 0'];
    assert.deepEqual(await reasonOf('/ledgers/4294967296'), ledger);
    assert.deepEqual(await reasonOf('/ledgers/one/payments'), ledger);
    assert.deepEqual(await reasonOf('/operations/x/effects'), [
      400,
      'op_id',
      'Operation ID must be an integer higher than 0',
    ]);
  });

  test('given twice count once, the first; those that nobody knows are kept in the links', async (t) => {
    const { sandbox, url } = await horizonFor(t);
    await fund(sandbox, 3);
    const { json } = await get(`${url}/payments?limit=2&limit=7&order=desc&colour=blue&order=up`);
    assert.equal(json._embedded.records.length, 2);
    const self = new URL(json._links.self.href);
    assert.deepEqual([...self.searchParams.keys()], [...self.searchParams.keys()].toSorted());
    assert.deepEqual([self.searchParams.get('limit'), self.searchParams.get('colour')], ['2', 'blue']);
  });
});

test('whatever else is asked for gets 404, under any method', async (t) => {
  const { url } = await horizonFor(t);
  for (const path of [
    '/nothing',
    '/accounts',
    '/ledgers/1/trades',
    '/rpc/x',
    '/assets',
    '/%00',
    '/..%2f..%2fetc',
  ]) {
    const { status, json, headers } = await get(url + path);
    assert.deepEqual([status, json.title], [404, 'Resource Missing'], path);
    assert.equal(headers.get('content-type'), 'application/problem+json; charset=utf-8');
  }
  for (const method of ['DELETE', 'PUT', 'POST']) {
    assert.equal((await fetch(`${url}/ledgers`, { method })).status, 404, method);
  }
});

test('answers say when they were given and up to which ledger; HEAD says the same without the answer', async (t) => {
  const { sandbox, url } = await horizonFor(t);
  const { sequence } = sandbox.closeLedger();
  for (const path of ['/', '/ledgers?limit=1', '/fee_stats', '/transactions/x']) {
    const { headers } = await get(url + path);
    assert.equal(headers.get('latest-ledger'), `${sequence}`);
    assert.ok(Number.isFinite(Date.parse(headers.get('date') ?? '')));
    const head = await fetch(url + path, { method: 'HEAD' });
    assert.equal(await head.text(), '');
    assert.equal(head.headers.get('content-type'), headers.get('content-type'));
  }
});

test('gives JSON to whoever takes it, the page at the root to browsers, and 406 to whoever takes neither', async (t) => {
  const { url } = await horizonFor(t);
  const typeFor = async (accept: string) => (await get(url, { accept })).headers.get('content-type');
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  for (const accept of [
    '',
    '*/*',
    'application/json',
    'application/*;q=0.1',
    'application/json, text/html',
  ]) {
    assert.equal(await typeFor(accept), 'application/hal+json; charset=utf-8', accept);
  }
  for (const accept of [browser, 'text/html']) {
    assert.equal(await typeFor(accept), 'text/html; charset=utf-8', accept);
  }
  const elsewhere = await get(`${url}/ledgers`, { accept: browser });
  assert.equal(elsewhere.headers.get('content-type'), 'application/hal+json; charset=utf-8');
  assert.equal((await get(`${url}/ledgers`, { accept: 'image/png' })).status, 406);
});

test('odd and oversized requests are answered, and the ledger stays as it is', async (t) => {
  const { sandbox, url } = await horizonFor(t);
  const { hash } = sandbox.closeLedger();
  const statuses = await Promise.all(
    [
      `/payments?cursor=${'9'.repeat(5_000)}`,
      `/accounts/${'%F0%9F%98%80'.repeat(50)}/payments`,
      '/accounts/%00/effects',
      '/transactions/%zz',
      '/ledgers/-1',
      '/ledgers/1e3/operations',
      '/operations/99999999999999999999',
      '/effects?cursor=9223372036854775807-9223372036854775808',
      `/ledgers?${'limit=1&'.repeat(900)}limit=x&order`,
    ].map(async (path) => (await get(url + path)).status),
  );
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 400, 400, 400, 200]);
  const undecodable = await get(`${url}/accounts/%ff`);
  assert.equal(undecodable.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  assert.deepEqual([undecodable.status, undecodable.json.extras.invalid_field], [400, 'path']);
  const tooLong = await get(`${url}/ledgers?x=${'x'.repeat(20_000)}`);
  assert.equal(tooLong.status, 431);
  const { json } = await get(`${url}/ledgers?order=desc&limit=1`);
  assert.equal(json._embedded.records[0].hash, hash);
});

test('is reached only under a local host name (DNS rebinding)', async (t) => {
  const { sandbox } = await horizonFor(t);
  const options = {
    host: '127.0.0.1',
    port: sandbox.port,
    path: '/ledgers',
    headers: { host: 'evil.example' },
  };
  const status = await new Promise((resolve) => {
    request(options, (response) => resolve(response.resume().statusCode)).end();
  });
  assert.equal(status, 403);
});

describe('a node that was pruned or lags', () => {
  /** Ten ledgers with one payment each, shown by a node in this condition. */
  async function shownBy(condition: Partial<NodeCondition>) {
    const network = new TestNetwork();
    const [from, to] = network.accounts(1000n * UNIT, 5n * UNIT) as [Keypair, Keypair];
    for (let ledger = 0; ledger < 10; ledger++) network.applied(network.build(from, [pay(to, UNIT)]));
    const node = new StellarNode(network.network, () => ({ ...UP_TO_DATE, ...condition }));
    const server = fastify();
    registerHorizon(server, { nodeOf: () => node, network: network.network, log: pino({ level: 'silent' }) });
    const ask = async (path: string) => {
      const { statusCode, payload } = await server.inject({ url: path, headers: { host: 'localhost' } });
      return { status: statusCode, json: JSON.parse(payload) };
    };
    return { ask, latest: network.network.latest.header.ledgerSeq, to: to.publicKey() };
  }

  test('answers 410 for history before its oldest ledger', async () => {
    const { ask, latest, to } = await shownBy({ oldest_ledger: 8 });
    const answers410 = async (path: string) => {
      const { status, json } = await ask(path);
      assert.deepEqual([status, json.type], [410, 'https://stellar.org/horizon-errors/before_history'], path);
    };
    await answers410('/ledgers/7');
    await answers410(`/operations/${7n << 32n}`);
    await answers410(`/payments?order=desc&cursor=${7n << 32n}`);
    await answers410('/effects?order=desc&cursor=1-1');
    assert.equal((await ask('/ledgers/7/payments')).status, 404);
    const { json } = await ask(`/accounts/${to}/payments?cursor=1`);
    assert.equal(json._embedded.records.length, latest - 8 + 1, 'upwards it begins with the oldest');
    assert.equal((await ask(`/accounts/${ROOT}/payments`)).status, 404, 'what it did is pruned');
    assert.equal((await ask('/')).json.history_elder_ledger, 8);
  });

  test('knows nothing of the ledgers that it has not seen', async () => {
    const { ask, latest, to } = await shownBy({ lag_ledgers: 4 });
    assert.equal((await ask('/')).json.history_latest_ledger, latest - 4);
    assert.equal((await ask(`/ledgers/${latest}`)).status, 404);
    const { json } = await ask(`/accounts/${to}/payments?order=desc&limit=1`);
    assert.equal(BigInt(json._embedded.records[0].id) >> 32n, BigInt(latest - 4));
    assert.equal((await ask(`/accounts/${to}`)).json.balances[0].balance, '11.0000000');
    assert.equal((await ask('/fee_stats')).json.last_ledger, `${latest - 4}`);
  });
});
