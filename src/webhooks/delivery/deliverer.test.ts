/** What is sent, with which signatures and when, and what follows an acknowledgement or a failure. */

import { strict as assert } from 'node:assert';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { onId } from '../../../test/support/acting.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { startDeliveries } from '../../../test/support/webhooks.ts';
import { RawJson } from '../../http/read-json.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { registerEndpoint } from '../endpoints/endpoints.ts';
import { Deliverer } from './deliverer.ts';

const at = await startDeliveries();
const { world, deliverDue, deliverMany, deliveries } = at;
const { deps, clock } = world;

const hmacOf = (body: Buffer, secret: string) => createHmac('sha256', secret).update(body).digest('hex');

test('a deposit.created event is POSTed as exactly {"event":…,"data":…} and signed over those bytes, big integers too', async () => {
  await world.deposit({
    id: 'dep_1',
    amount_stroops: 9223372036854775807n,
    memo_id: 18446744073709551615n,
    metadata: new RawJson('{ "n": 12345678901234567890, "z":1.0, "a":"é" }'),
  });
  await deliverDue();
  const [request] = at.receiver.requests;
  assert(request);
  assert.equal(request.method, 'POST');
  assert.equal(request.path, '/hook');
  assert.equal(
    request.body.toString(),
    '{"event":"deposit.created","data":{"id":"dep_1","amount_stroops":9223372036854775807,' +
      '"memo_id":18446744073709551615,"metadata":{ "n": 12345678901234567890, "z":1.0, "a":"é" }}}',
  );
  assert.equal(request.headers['content-type'], 'application/json');
  assert.equal(request.headers['x-svc-signature'], hmacOf(request.body, at.endpoint.signing_secret));
  assert(request.raw_headers.includes('X-Svc-Signature'));
  assert.match(request.headers['user-agent'] ?? '', /^Stellar-Teller\//);
  const [delivery] = await deliveries();
  assert.equal(request.headers['webhook-id'], delivery.event_id);
  assert.equal(delivery.status, 'delivered');
});

test('a delivery that was being claimed while its endpoint changed is sent to the endpoint as it is now', async () => {
  await deliverMany(40);
  let change: (() => Promise<void>) | undefined;
  const db = deps.db.withPlugin({
    transformQuery: ({ node }) => node,
    /** Runs `change` between the claim's read of the endpoint and its use. */
    async transformResult({ result }) {
      if (result.rows.some((row) => 'sealed_secret' in row)) await change?.();
      return result;
    },
  });
  const claiming = new Deliverer({ ...deps, db });
  const before = at.receiver.requests.length;
  for (let n = 0; n < 10; n++) await world.deposit();
  let signing_secret = '';
  change = async () => {
    change = undefined;
    const path = `/v1/wallets/:id/webhooks/${at.endpoint.id}/rotate-secret`;
    ({ signing_secret } = (await world.api('POST', path, { as: await world.login() })).body.data);
    claiming.endpointChanged(at.endpoint.id);
  };
  await deliverDue(claiming);
  const sent = at.receiver.requests.slice(before);
  assert.equal(sent.length, 10);
  for (const { body, headers } of sent)
    assert.equal(headers['x-svc-signature'], hmacOf(body, signing_secret));
});

test('any 2xx acknowledges, and nothing is sent after it', async () => {
  for (const status of [200, 201, 202, 204, 299]) {
    at.receiver.answer(status);
    await world.deposit();
    await deliverDue();
  }
  clock.advance(10 * DAY_MS);
  await deliverDue();
  assert.equal(at.receiver.requests.length, 5);
  assert((await deliveries()).every((delivery) => delivery.status === 'delivered'));
});

test('a non-2xx answer is retried on the schedule with the same bytes, every attempt is logged, and after the last it is given up', async () => {
  at.receiver.answer((response) => response.writeHead(500).end('no, thanks'));
  await world.deposit({ amount_stroops: 9007199254740993n });
  await deliverDue();
  for (const [index, seconds] of deps.config.webhook_retry_seconds.entries()) {
    clock.advance(seconds * 1000 - 1);
    await deliverDue();
    assert.equal(at.receiver.requests.length, index + 1, 'not before its time');
    clock.advance(1);
    await deliverDue();
    assert.equal(at.receiver.requests.length, index + 2);
  }
  clock.advance(30 * DAY_MS);
  await deliverDue();
  assert.equal(at.receiver.requests.length, 12);
  assert.equal(new Set(at.receiver.requests.map(({ body }) => body.toString())).size, 1);
  assert.equal(new Set(at.receiver.requests.map(({ headers }) => headers['webhook-id'])).size, 1);
  const [delivery] = await deliveries();
  assert.equal(delivery.status, 'failed');
  assert.equal(delivery.next_attempt_at, null);
  assert.deepEqual(
    delivery.attempt_log.map(({ number }: { number: bigint }) => number),
    Array.from({ length: 12 }, (_, index) => BigInt(index + 1)),
  );
  assert.equal(delivery.attempt_log[0].status_code, 500n);
  assert.equal(delivery.attempt_log[0].response_body, 'no, thanks');
  assert.equal(delivery.attempt_log[0].error, null);
});

test('Retry-After of a 503 delays the next attempt', async () => {
  at.receiver.answer((response) => response.writeHead(503, { 'retry-after': '20' }).end());
  await world.deposit();
  await deliverDue();
  clock.advance(19_999);
  await deliverDue();
  assert.equal(at.receiver.requests.length, 1);
  clock.advance(1);
  await deliverDue();
  assert.equal(at.receiver.requests.length, 2);
});

test('410 is retried like any failure', async () => {
  at.receiver.answer(410);
  await world.deposit();
  await deliverDue();
  at.receiver.answer(200);
  clock.advance(5_000);
  await deliverDue();
  assert.equal((await deliveries())[0].status, 'delivered');
});

test('a name that was public at registration and is loopback at connect is refused', async () => {
  const url = `http://rebound.example.com:${at.receiver.port}/`;
  const order = { url, description: null };
  const registered = await registerEndpoint(deps, onId(world.wallet.id), order, async () => ['1.1.1.1']);
  const rebound = new Deliverer(deps, { resolve: async () => ['127.0.0.1'] });
  await world.api('POST', `/v1/wallets/:id/webhooks/${registered.endpoint.id}/test`, { body: {} });
  await rebound.step();
  await rebound.idle();
  assert.equal(at.receiver.connections.total, 0);
  const { body } = await world.api('GET', `/v1/wallets/:id/webhooks/${registered.endpoint.id}/deliveries`);
  assert.equal(body.data.items[0].status, 'pending');
  assert.match(body.data.items[0].attempt_log[0].error, /not public/);
});

test('after a rotation the new secret makes X-Svc-Signature, on retries too, and the old one also signs for 24 h', async () => {
  at.receiver.answer(500);
  await world.deposit();
  await deliverDue();
  const path = `/v1/wallets/:id/webhooks/${at.endpoint.id}/rotate-secret`;
  const rotated = await world.api('POST', path, { as: await world.login(), body: {} });
  const { signing_secret } = rotated.body.data;
  assert.equal(rotated.status, 201);
  assert.notEqual(signing_secret, at.endpoint.signing_secret);
  clock.advance(5_000);
  await deliverDue();
  clock.advance(DAY_MS - 5_001);
  await world.deposit();
  await deliverDue();
  clock.advance(1);
  await world.deposit();
  await deliverDue();
  const [before, retried, ...rest] = at.receiver.requests;
  assert.equal(
    before?.headers['x-svc-signature'],
    hmacOf(before?.body as Buffer, at.endpoint.signing_secret),
  );
  for (const request of [retried, ...rest]) {
    assert.equal(request?.headers['x-svc-signature'], hmacOf(request?.body as Buffer, signing_secret));
  }
  const counts = at.receiver.requests.map(
    ({ headers }) => String(headers['webhook-signature']).split(' ').length,
  );
  assert.deepEqual([counts[0], counts[1], counts.at(-1)], [1, 2, 1]);
});

test('without faults every event reaches every endpoint exactly once, with two deliverers at work', async () => {
  const second = new Deliverer(deps);
  const other = await startReceiver();
  await world.register(other.url);
  for (let i = 0; i < 100; i++) await world.deposit({ id: `dep_${i}` });
  await Promise.all([deliverDue(), deliverDue(second)]);
  await deliverDue();
  for (const { requests } of [at.receiver, other]) {
    assert.equal(requests.length, 100);
    assert.equal(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, 100);
  }
  await other.close();
});
