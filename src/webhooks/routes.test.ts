import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type { z } from 'zod';
import { toJson } from '../../test/support/api.ts';
import { startReceiver } from '../../test/support/receiver.ts';
import { startWebhookWorld } from '../../test/support/webhooks.ts';
import { sampleData } from '../api/reference/events.ts';
import { insertAddress } from '../deposits/addresses/address-store.ts';
import { DepositResource } from '../deposits/recorded/deposit-schema.ts';
import { newId } from '../lib/ids.ts';
import { WithdrawalResource } from '../withdrawals/answers/schema.ts';
import { AssetResource } from '../withdrawals/trust-lines/asset-schema.ts';
import { Deliverer } from './delivery/deliverer.ts';
import { EndpointResource } from './endpoints/endpoint-schema.ts';
import type { TestEvent } from './store/event-types.ts';

const world = await startWebhookWorld();
const { api, wallet, deps, clock } = world;
const receiver = await startReceiver();
const other = await world.addWallet();
after(async () => {
  await receiver.close();
  await world.close();
});

const HOOKS = '/v1/wallets/:id/webhooks';

async function deliverDue(): Promise<void> {
  const deliverer = new Deliverer(deps);
  while (await deliverer.step()) await deliverer.idle();
  await deliverer.stop();
}

test('a registration answers 201 with the endpoint and a signing secret that no other answer shows', async () => {
  const url = `${receiver.url}/a`;
  const { status, headers, body } = await api('POST', HOOKS, { body: { url, description: 'Orders' } });
  assert.equal(status, 201);
  assert.equal(headers['cache-control'], 'no-store');
  const { signing_secret, ...shown } = body.data;
  assert.match(signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(shown, {
    id: shown.id,
    wallet_id: wallet.id,
    url,
    description: 'Orders',
    events: ['deposit.created'],
    enabled: true,
    disabled_reason: null,
    failing_since: null,
    exam_passed_at: null,
    created_by: { kind: 'api_key', id: shown.created_by.id, name: null },
    created_at: clock.now().toISOString(),
  });
  const list = await api('GET', HOOKS);
  const one = await api('GET', `${HOOKS}/${shown.id}`);
  const changed = await api('PATCH', `${HOOKS}/${shown.id}`, { as: wallet.login, body: {} });
  assert.deepEqual(one.body.data, shown);
  assert.deepEqual(changed.body.data, shown);
  assert.deepEqual(list.body.data, { items: [shown], next_cursor: null });
  const stored = await deps.db.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow();
  assert(!stored.sealed_secret.includes(signing_secret), 'sealed at rest');
});

test('the statistics of an endpoint tell how it has answered in the last 24 hours; 404 once it is deleted', async () => {
  const made = await api('POST', HOOKS, { body: { url: `${receiver.url}/statistics` } });
  const path = `${HOOKS}/${made.body.data.id}`;
  const none = { deliveries: 0n, attempts: 0n, acknowledged: 0n, p95_ms: null };
  const since = () => new Date(clock.now().getTime() - 86_400_000).toISOString();
  const read = async () => (await api('GET', `${path}/statistics`)).body.data;
  assert.deepEqual(await read(), { since: since(), ...none });
  await api('POST', `${path}/test`, { body: {} });
  await deliverDue();
  const { p95_ms, ...counts } = await read();
  assert.deepEqual(counts, { since: since(), deliveries: 1n, attempts: 1n, acknowledged: 1n });
  assert(p95_ms >= 0n);
  assert.equal((await api('DELETE', path, { as: wallet.login })).status, 200);
  assert.equal((await api('GET', `${path}/statistics`)).status, 404);
});

test('a URL that is not public http(s) is 400 webhook_url_not_public; one that is no URL text at all is invalid_request', async () => {
  const refused = [
    'http://localhost/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'ftp://example.com/',
    'nonsense',
    '',
  ];
  for (const url of refused) {
    const { status, body } = await api('POST', HOOKS, { body: { url } });
    assert.equal(status, 400, url);
    assert.equal(body.error.code, 'webhook_url_not_public', url);
    assert.equal(body.error.details[0].path, '/url');
  }
  const invalid = [{}, { url: 5n }, { url: null }, { url: `http://example.com/${'x'.repeat(2048)}` }];
  const fields = [{ description: 'x'.repeat(201) }, { urls: 'x' }];
  for (const body of [...invalid, ...fields.map((more) => ({ url: 'http://example.com', ...more }))]) {
    const answer = await api('POST', HOOKS, { body });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.code, 'invalid_request');
  }
});

test('another wallet’s key or login gets 404 on every operation, and another wallet’s endpoint is 404 under one’s own', async () => {
  const endpoint = await world.register(receiver.url);
  const { body } = await api('POST', `${HOOKS}/${endpoint.id}/test`, { body: {} });
  const delivery = body.data.id;
  const operations: [string, string, unknown?][] = [
    ['GET', ''],
    ['PATCH', '', {}],
    ['DELETE', ''],
    ['POST', '/rotate-secret', {}],
    ['POST', '/test', {}],
    ['GET', '/deliveries'],
    ['GET', `/deliveries/${delivery}`],
    ['POST', `/deliveries/${delivery}/redeliver`, {}],
    ['POST', '/replay', { since: '2026-01-01T00:00:00Z' }],
  ];
  for (const [method, path, sent] of operations) {
    const options = sent === undefined ? {} : { body: sent };
    const theirs = await api(method, `${HOOKS}/${endpoint.id}${path}`, { as: other.login, ...options });
    assert.equal(theirs.status, 404, `${method} ${path}`);
    const own = `/v1/wallets/${other.id}/webhooks/${endpoint.id}${path}`;
    const crossed = await api(method, own, { as: other.login, ...options });
    assert.equal(crossed.status, 404, `${method} ${own}`);
    for (const id of ['whe_unknown', 'nonsense', '%00']) {
      const unknown = await api(method, `${HOOKS}/${id}${path}`, { as: wallet.login, ...options });
      assert.equal(unknown.status, 404, `${method} ${id} ${path}`);
    }
  }
  assert.equal((await api('GET', HOOKS, { as: other.api_key })).status, 404);
  assert.equal((await api('POST', HOOKS, { as: other.api_key, body: { url: receiver.url } })).status, 404);
  const unknown = await api('GET', `${HOOKS}/${endpoint.id}/deliveries/dlv_unknown`);
  assert.equal(unknown.status, 404);
});

test('changing, deleting and rotating need a login: an API key gets 401', async () => {
  const endpoint = await world.register(receiver.url);
  for (const [method, path] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
  ] as const) {
    const { status, body } = await api(method, `${HOOKS}/${endpoint.id}${path}`, { body: {} });
    assert.equal(status, 401);
    assert.equal(body.error.code, 'login_required');
  }
});

test('PATCH changes only the given fields; an empty description removes it', async () => {
  const endpoint = await world.register(receiver.url);
  const patch = (body: object) => api('PATCH', `${HOOKS}/${endpoint.id}`, { as: wallet.login, body });
  assert.equal((await patch({ description: 'x' })).body.data.description, 'x');
  assert.equal((await patch({ url: `${receiver.url}/new` })).body.data.description, 'x');
  assert.equal((await patch({ description: '' })).body.data.description, null);
  assert.equal((await patch({ enabled: false })).body.data.enabled, false);
  assert.equal((await patch({ url: 'http://localhost/' })).body.error.code, 'webhook_url_not_public');
  assert.equal((await patch({ enabled: 'yes' })).status, 400);
  const { data } = (await api('GET', `${HOOKS}/${endpoint.id}`)).body;
  assert.equal(data.url, `${receiver.url}/new`);
  assert.equal(data.disabled_reason, null);
});

test('a wallet has at most 20 endpoints, however many registrations run at once; a deleted one makes room', async () => {
  const register = () =>
    api('POST', `/v1/wallets/${other.id}/webhooks`, { as: other.api_key, body: { url: receiver.url } });
  const answers = await Promise.all(Array.from({ length: 30 }, register));
  const refused = answers.filter(({ status }) => status === 422);
  assert.equal(answers.filter(({ status }) => status === 201).length, 20);
  assert.equal(refused.length, 10);
  assert.equal(refused[0]?.body.error.code, 'too_many_endpoints');
  const [first] = answers.filter(({ status }) => status === 201);
  await api('DELETE', `/v1/wallets/${other.id}/webhooks/${first?.body.data.id}`, { as: other.login });
  assert.equal((await register()).status, 201);
});

test('a deleted endpoint gets nothing more, and its pending deliveries are visibly given up', async () => {
  const target = await startReceiver(500);
  const endpoint = await world.register(target.url);
  await world.deposit();
  await deliverDue();
  const deleted = await api('DELETE', `${HOOKS}/${endpoint.id}`, { as: wallet.login });
  assert.equal(deleted.status, 200);
  assert.equal(deleted.body.data.id, endpoint.id);
  assert.equal((await api('GET', `${HOOKS}/${endpoint.id}`)).status, 404);
  assert.equal((await api('DELETE', `${HOOKS}/${endpoint.id}`, { as: wallet.login })).status, 404);
  assert.equal((await api('POST', `${HOOKS}/${endpoint.id}/test`, { body: {} })).status, 404);
  await world.deposit();
  clock.advance(3_600_000);
  await deliverDue();
  assert.equal(target.requests.length, 1);
  const { body } = await api('GET', `${HOOKS}/${endpoint.id}/deliveries`);
  assert.equal(body.data.items.length, 1);
  assert.equal(body.data.items[0].status, 'failed');
  await target.close();
});

test('ping and deposit.test go to that endpoint only, and deposit.created cannot be asked for', async () => {
  const target = await startReceiver();
  const endpoint = await world.register(target.url);
  const elsewhere = receiver.requests.length;
  const ping = await api('POST', `${HOOKS}/${endpoint.id}/test`);
  assert.equal(ping.status, 202);
  assert.equal(ping.body.data.event, 'ping');
  assert.equal(ping.body.data.status, 'pending');
  const sample = await api('POST', `${HOOKS}/${endpoint.id}/test`, { body: { event: 'deposit.test' } });
  assert.equal(sample.status, 202);
  const forged = await api('POST', `${HOOKS}/${endpoint.id}/test`, { body: { event: 'deposit.created' } });
  assert.equal(forged.status, 400);
  await deliverDue();
  assert.equal(target.requests.length, 2);
  assert.equal(receiver.requests.length, elsewhere);
  const bodies = target.requests.map(({ body }) => JSON.parse(body.toString()));
  const deposit = bodies.find(({ event }) => event === 'deposit.test').data;
  assert.deepEqual(Object.keys(deposit).sort(), Object.keys(DepositResource.shape).sort());
  assert.equal(deposit.wallet_id, wallet.id);

  await api('PATCH', `${HOOKS}/${endpoint.id}`, { as: await world.login(), body: { enabled: false } });
  const disabled = await api('POST', `${HOOKS}/${endpoint.id}/test`);
  assert.equal(disabled.status, 422);
  assert.equal(disabled.body.error.code, 'endpoint_disabled');
  await target.close();
});

test('a sample has the fields of its resource, and values that a receiver cannot book', () => {
  const of = { wallet_id: wallet.id, endpoint_id: 'whe_1', at: clock.now().toISOString() };
  const resources: [TestEvent, z.ZodObject][] = [
    ['deposit.created.test', DepositResource],
    ['deposit.unattributed.test', DepositResource],
    ['withdrawal.confirmed.test', WithdrawalResource],
    ['withdrawal.failed.test', WithdrawalResource],
    ['withdrawal.awaiting_approval.test', WithdrawalResource],
    ['asset.changed.test', AssetResource],
    ['endpoint.disabled.test', EndpointResource],
  ];
  for (const [type, resource] of resources) {
    const data = sampleData(type, of);
    assert.deepEqual(Object.keys(data).sort(), Object.keys(resource.shape).sort(), type);
    assert.match(toJson(data), /_sample|SAMPLE/);
  }
});

test('a delivery names what its event tells of: a deposit by the label of its address, as it is now', async () => {
  const endpoint = await world.register(receiver.url);
  const address = { id: newId('adr', clock.now()), wallet_id: wallet.id };
  await insertAddress(deps.db, { ...address, memo_id: 7n, label: 'Ada' });
  const asset = { asset_code: 'native', asset_issuer: null };
  const deposit = { id: 'dep_named', ...asset, amount_stroops: 164300000n };
  await world.deposit({ ...deposit, address_id: address.id });
  await api('POST', `${HOOKS}/${endpoint.id}/test`, { body: { event: 'deposit.test' } });
  const path = `${HOOKS}/${endpoint.id}/deliveries`;
  const [sample, delivery] = (await api('GET', path)).body.data.items;
  assert.equal(sample.subject, null);
  assert.deepEqual(delivery.subject, { type: 'deposit', name: 'Ada', ...deposit });
  await deps.db.updateTable('deposit_addresses').set({ label: 'Ada Lovelace' }).execute();
  const one = (await api('GET', `${path}/${delivery.id}`)).body.data;
  assert.deepEqual(one.subject, { ...delivery.subject, name: 'Ada Lovelace' });
});

test('deliveries are listed newest first with their attempts, by status and page by page; one is read with its exact body', async () => {
  const target = await startReceiver((response, { body }) =>
    response.writeHead(body.includes('dep_bad') ? 500 : 200).end('thanks'),
  );
  const endpoint = await world.register(target.url);
  const path = `${HOOKS}/${endpoint.id}/deliveries`;
  for (const id of ['dep_good', 'dep_bad', 'dep_good']) {
    await world.deposit({ id, amount_stroops: 9223372036854775807n });
    clock.advance(1);
  }
  await deliverDue();
  const all = (await api('GET', path)).body.data.items;
  assert.equal(all.length, 3);
  assert(all[0].created_at > all[1].created_at && all[1].created_at > all[2].created_at);
  const pending = (await api('GET', `${path}?status=pending`)).body.data.items;
  assert.deepEqual(pending, [all[1]]);
  assert.equal((await api('GET', `${path}?status=delivered`)).body.data.items.length, 2);
  assert.equal((await api('GET', `${path}?status=sent`)).status, 400);
  const first = (await api('GET', `${path}?limit=2`)).body.data;
  const second = (await api('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).body.data;
  assert.deepEqual([...first.items, ...second.items], all);
  assert.equal(second.next_cursor, null);

  const { body } = await api('GET', `${path}/${all[1].id}`);
  assert.equal(body.data.body.data.amount_stroops, 9223372036854775807n);
  const { body: sent, ...rest } = body.data;
  assert.equal(sent.event, 'deposit.created');
  assert.deepEqual(rest, {
    ...all[1],
    webhook_id: endpoint.id,
    event: 'deposit.created',
    status: 'pending',
    attempts: 1n,
    settled_at: null,
    attempt_log: [
      {
        number: 1n,
        started_at: clock.now().toISOString(),
        duration_ms: 0n,
        request_headers: all[1].attempt_log[0].request_headers,
        status_code: 500n,
        error: null,
        response_body: 'thanks',
      },
    ],
  });
  await target.close();
});
