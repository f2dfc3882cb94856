import { strict as assert } from 'node:assert';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../test/support/eventually.ts';
import { type Receiver, startReceiver } from '../../test/support/receiver.ts';
import { startWebhookWorld } from '../../test/support/webhooks.ts';
import { RawJson } from '../http/exact-json.ts';
import { createDeliverer, type Deliverer } from './deliver.ts';
import { claimDue } from './delivery-store.ts';
import { registerEndpoint } from './endpoints.ts';

const world = await startWebhookWorld();
const { deps, clock } = world;
const DAY_MS = 86_400_000;

let receiver: Receiver;
let deliverer: Deliverer;
let endpoint: { id: string; signing_secret: string };

beforeEach(async () => {
  await receiver?.close();
  // Endpoints of earlier tests are out of the way.
  await deps.db.updateTable('webhook_endpoints').set({ deleted_at: clock.now() }).execute();
  receiver = await startReceiver();
  deliverer = createDeliverer(deps, { random: () => 0.5 });
  endpoint = await world.register(`${receiver.url}/hook`);
});
after(async () => {
  await receiver.close();
  await world.close();
});

/** Everything that is due now, sent and recorded. */
async function deliverDue(by = deliverer): Promise<void> {
  while (await by.step()) await by.idle();
}

async function deliveries() {
  const { body } = await world.api('GET', `/v1/wallets/:id/webhooks/${endpoint.id}/deliveries`);
  return body.data.items;
}

const readEndpoint = async () =>
  (await world.api('GET', `/v1/wallets/:id/webhooks/${endpoint.id}`)).body.data;

const hmacOf = (body: Buffer, secret: string) => createHmac('sha256', secret).update(body).digest('hex');

test('a deposit.created event is POSTed as exactly {"event":…,"data":…} and signed over those bytes, big integers too', async () => {
  await world.deposit({
    id: 'dep_1',
    amount_stroops: 9223372036854775807n,
    memo_id: 18446744073709551615n,
    metadata: new RawJson('{ "n": 12345678901234567890, "z":1.0, "a":"é" }'),
  });
  await deliverDue();
  const [request] = receiver.requests;
  assert(request);
  assert.equal(request.method, 'POST');
  assert.equal(request.path, '/hook');
  assert.equal(
    request.body.toString(),
    '{"event":"deposit.created","data":{"id":"dep_1","amount_stroops":9223372036854775807,' +
      '"memo_id":18446744073709551615,"metadata":{ "n": 12345678901234567890, "z":1.0, "a":"é" }}}',
  );
  assert.equal(request.headers['content-type'], 'application/json');
  assert.equal(request.headers['x-svc-signature'], hmacOf(request.body, endpoint.signing_secret));
  assert(request.raw_headers.includes('X-Svc-Signature'));
  assert.match(request.headers['user-agent'] ?? '', /^Stellar-Teller\//);
  const [delivery] = await deliveries();
  assert.equal(request.headers['webhook-id'], delivery.event_id);
  assert.equal(delivery.status, 'delivered');
});

test('what waits for a slot when the secret is rotated, is not sent as it was claimed', async () => {
  receiver.answer(200);
  for (let n = 0; n < 6; n++) {
    await world.deposit();
    await deliverDue(); // slots are earned
  }
  const held: ServerResponse[] = [];
  receiver.answer((response) => void held.push(response));
  for (let n = 0; n < 40; n++) await world.deposit();
  await deliverer.step();
  await eventually('all slots are taken', async () => held.length === 16);
  const change = { as: world.wallet.login };
  const path = `/v1/wallets/:id/webhooks/${endpoint.id}`;
  const { signing_secret } = (await world.api('POST', `${path}/rotate-secret`, change)).body.data;
  deliverer.letGo(endpoint.id);
  const sent_before = receiver.requests.length;
  receiver.answer(200);
  for (const response of held) response.writeHead(200).end();
  await deliverer.idle();
  await deliverDue();
  const later = receiver.requests.slice(sent_before);
  assert.equal(later.length, 40 - 16);
  for (const { body, headers } of later)
    assert.equal(headers['x-svc-signature'], hmacOf(body, signing_secret));
});

test('what was being claimed when its endpoint changed is not sent as it was', async () => {
  await deliverMany(40);
  let change: (() => Promise<void>) | undefined;
  const db = deps.db.withPlugin({
    transformQuery: ({ node }) => node,
    /** What was read of the endpoint is on its way. */
    async transformResult({ result }) {
      if (result.rows.some((row) => 'sealed_secret' in row)) await change?.();
      return result;
    },
  });
  const claiming = createDeliverer({ ...deps, db });
  const before = receiver.requests.length;
  for (let n = 0; n < 10; n++) await world.deposit();
  let signing_secret = '';
  change = async () => {
    change = undefined;
    const path = `/v1/wallets/:id/webhooks/${endpoint.id}/rotate-secret`;
    ({ signing_secret } = (await world.api('POST', path, { as: await world.login() })).body.data);
    claiming.letGo(endpoint.id);
  };
  await deliverDue(claiming);
  const sent = receiver.requests.slice(before);
  assert.equal(sent.length, 10);
  for (const { body, headers } of sent)
    assert.equal(headers['x-svc-signature'], hmacOf(body, signing_secret));
});

test('any 2xx acknowledges, and nothing is sent after it', async () => {
  for (const status of [200, 201, 202, 204, 299]) {
    receiver.answer(status);
    await world.deposit();
    await deliverDue();
  }
  clock.advance(10 * DAY_MS);
  await deliverDue();
  assert.equal(receiver.requests.length, 5);
  assert((await deliveries()).every((delivery: { status: string }) => delivery.status === 'delivered'));
});

test('a non-2xx answer is retried on the schedule with the same bytes, every attempt is logged, and after the last it is given up', async () => {
  receiver.answer((response) => response.writeHead(500).end('no, thanks'));
  await world.deposit({ amount_stroops: 9007199254740993n });
  await deliverDue();
  for (const [index, seconds] of deps.config.webhook_retry_seconds.entries()) {
    clock.advance(seconds * 1000 - 1);
    await deliverDue();
    assert.equal(receiver.requests.length, index + 1, 'not before its time');
    clock.advance(1);
    await deliverDue();
    assert.equal(receiver.requests.length, index + 2);
  }
  clock.advance(30 * DAY_MS);
  await deliverDue();
  assert.equal(receiver.requests.length, 12);
  assert.equal(new Set(receiver.requests.map(({ body }) => body.toString())).size, 1);
  assert.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, 1);
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

test('Retry-After of a 503 puts the next attempt off', async () => {
  receiver.answer((response) => response.writeHead(503, { 'retry-after': '20' }).end());
  await world.deposit();
  await deliverDue();
  clock.advance(19_999);
  await deliverDue();
  assert.equal(receiver.requests.length, 1);
  clock.advance(1);
  await deliverDue();
  assert.equal(receiver.requests.length, 2);
});

test('410 is retried like any failure', async () => {
  receiver.answer(410);
  await world.deposit();
  await deliverDue();
  receiver.answer(200);
  clock.advance(5_000);
  await deliverDue();
  assert.equal((await deliveries())[0].status, 'delivered');
});

test('a sender that dies after its claim: nothing before the lease ends, then it is sent, and the lost attempt is in the log', async () => {
  await world.deposit();
  const now = clock.now();
  const lease_until = new Date(now.getTime() + 60_000);
  const claim = { now, lease_until, room: 64, free: new Map() };
  const [lost] = await claimDue(deps.db, claim);
  assert.equal(lost?.number, 1);
  clock.advance(59_999);
  await deliverDue();
  assert.equal(receiver.requests.length, 0);
  clock.advance(1);
  await deliverDue();
  assert.equal(receiver.requests.length, 1);
  const [delivery] = await deliveries();
  assert.equal(delivery.status, 'delivered');
  assert.equal(delivery.attempts, 2n);
  assert.match(delivery.attempt_log[0].error, /stopped before it recorded/);
  assert.equal(delivery.attempt_log[0].started_at, now.toISOString());
  assert.equal(delivery.attempt_log[1].status_code, 200n);
});

test('a sender that wakes after its lease was taken over logs its attempt and changes nothing else', async () => {
  let release = () => {};
  receiver.answer((response) => {
    release = () => response.writeHead(500).end();
  });
  await world.deposit();
  await deliverer.step();
  await receiver.received(1);
  const slow = release;
  // Its clock does not move, so it does not time out; the other process's does.
  const other = createDeliverer({
    ...deps,
    clock: { ...clock, now: () => new Date(clock.now().getTime() + 60_001) },
  });
  receiver.answer(200);
  await other.step();
  await other.idle();
  slow();
  await deliverer.idle();
  const [delivery] = await deliveries();
  assert.equal(delivery.status, 'delivered');
  const statuses = delivery.attempt_log.map((attempt: { status_code: bigint }) => attempt.status_code);
  assert.deepEqual(statuses, [500n, 200n]);
});

test('an outcome that cannot be recorded costs none of those in the same statement, and is sent again after the lease', async () => {
  for (let i = 0; i < 8; i++) await world.deposit({ id: `dep_${i}` });
  await deliverDue(); // which earns the endpoint its slots
  for (let i = 8; i < 16; i++) await world.deposit({ id: `dep_${i}` });
  const unlucky = await deps.db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('status', '=', 'pending')
    .where('endpoint_id', '=', endpoint.id)
    .executeTakeFirstOrThrow();
  await sql`alter table webhook_attempts add constraint unlucky check (delivery_id <> ${sql.lit(unlucky.id)}) not valid`.execute(
    deps.db,
  );
  await deliverDue();
  const pending = (await deliveries()).filter(({ status }: { status: string }) => status === 'pending');
  assert.deepEqual(
    pending.map(({ id }: { id: string }) => id),
    [unlucky.id],
  );
  assert.equal(receiver.requests.length, 16);
  await sql`alter table webhook_attempts drop constraint unlucky`.execute(deps.db);
  clock.advance(60_000);
  await deliverDue();
  assert.equal(receiver.requests.length, 17);
  assert((await deliveries()).every(({ status }: { status: string }) => status === 'delivered'));
});

/** The endpoint has earned as many slots as this takes. */
async function deliverMany(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await world.deposit();
  await deliverDue();
}

const rowsOf = () =>
  deps.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'status', 'attempts', 'leased_until'])
    .where('endpoint_id', '=', endpoint.id)
    .where('status', '=', 'pending')
    .execute();

test('stopping gives back what was claimed and not sent: it is not counted, and another process sends it at once', async () => {
  await deliverMany(40);
  receiver.answer(() => {});
  for (let i = 0; i < 40; i++) await world.deposit();
  await deliverer.step();
  await receiver.received(56);
  assert.equal((await rowsOf()).filter(({ leased_until }) => leased_until).length, 40, 'all are claimed');
  const stopped = deliverer.stop();
  receiver.answer(200);
  await eventually('the unsent ones', async () => {
    await deliverDue(createDeliverer(deps));
    return receiver.requests.length === 80;
  });
  clock.advance(5_000);
  await stopped;
  const abandoned = await rowsOf();
  assert.equal(abandoned.length, 16);
  clock.advance(60_000);
  await deliverDue(createDeliverer(deps));
  assert.equal(receiver.requests.length, 96);
  const { items } = (await world.api('GET', `/v1/wallets/:id/webhooks/${endpoint.id}/deliveries?limit=200`))
    .body.data;
  assert.deepEqual(
    items
      .filter(({ attempts }: { attempts: bigint }) => attempts > 1n)
      .map(({ id }: { id: string }) => id)
      .sort(),
    abandoned.map(({ id }) => id).sort(),
  );
});

test('an endpoint that begins to hang is left with one slot, and what waited for the others is given back', async () => {
  await deliverMany(40);
  receiver.answer(() => {});
  for (let i = 0; i < 40; i++) await world.deposit();
  await deliverer.step();
  await receiver.received(56);
  clock.advance(15_000);
  await deliverer.idle();
  assert((await rowsOf()).every(({ leased_until }) => leased_until === null));
  await deliverer.step();
  await receiver.received(57);
  assert.equal((await rowsOf()).filter(({ leased_until }) => leased_until).length, 1);
  receiver.answer(200);
  clock.advance(15_000);
  await deliverer.idle();
  clock.advance(5_000);
  await deliverDue();
  assert.deepEqual(await rowsOf(), []);
});

test('endpoints on one host do not share connections: one that hangs takes none of the other’s', async () => {
  receiver.answer((response, { path }) => void (path === '/hook' || response.end()));
  const other = await world.register(`${receiver.url}/other`);
  for (let i = 0; i < 40; i++) await world.deposit();
  const delivered = async () =>
    (await world.api('GET', `/v1/wallets/:id/webhooks/${other.id}/deliveries?limit=200&status=delivered`))
      .body.data.items;
  await eventually('what the healthy one gets', async () => {
    await deliverer.step();
    return (await delivered()).length === 40;
  });
  assert.equal(receiver.requests.filter(({ path }) => path === '/hook').length, 1);
  clock.advance(15_000);
  await deliverer.idle();
});

test('answers of bytes that are no text are recorded with all the others', async () => {
  await deliverMany(8);
  let count = 0;
  receiver.answer((response) =>
    response.end(Buffer.of(0x61, [0x00, 0xff, 0xed, 0x62][count++ % 4] ?? 0, 0x22, 0x5c)),
  );
  for (let i = 0; i < 8; i++) await world.deposit();
  await deliverDue();
  assert.deepEqual(await rowsOf(), []);
  const bodies = (await deliveries()).map(({ attempt_log }: any) => attempt_log[0].response_body);
  assert(bodies.includes('a\uFFFD"\\') && bodies.includes('ab"\\'));
});

test('an attempt is logged with the headers that were sent', async () => {
  await world.deposit();
  await deliverDue();
  const [attempt] = await deps.db
    .selectFrom('webhook_attempts')
    .innerJoin('webhook_deliveries', 'webhook_deliveries.id', 'delivery_id')
    .select('request_headers')
    .where('endpoint_id', '=', endpoint.id)
    .execute();
  const sent = Object.entries(attempt?.request_headers ?? {});
  assert.deepEqual(
    sent.map(([name]) => name),
    [
      ...['Content-Type', 'User-Agent', 'X-Svc-Signature', 'webhook-id', 'webhook-timestamp'],
      ...['webhook-sequence', 'webhook-signature'],
    ],
  );
  for (const [name, value] of sent) assert.equal(receiver.requests[0]?.headers[name.toLowerCase()], value);
});

for (const [what, by] of [
  ['goes away', 'pg_terminate_backend'],
  ['refuses for a moment', 'pg_cancel_backend'],
])
  test(`a database that ${what} while an outcome is recorded does not cost it: nothing is sent twice`, async () => {
    await world.deposit();
    const client = await deps.pool.connect();
    let answer = () => {};
    receiver.answer((response) => {
      answer = () => response.end();
    });
    await deliverer.step();
    await receiver.received(1);
    await client.query('begin');
    await client.query('lock table webhook_attempts in share mode');
    answer();
    const blocked = async () =>
      (
        await client.query(
          `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rows;
    await eventually('the statement', async () => (await blocked()).length === 1);
    await client.query(`select ${by}($1)`, [(await blocked())[0].pid]);
    await client.query('rollback');
    client.release();
    await eventually('the next try', async () => {
      clock.advance(1_000);
      return (await rowsOf()).length === 0;
    });
    await deliverer.idle();
    assert.equal(receiver.requests.length, 1);
    assert.equal((await deliveries())[0].attempts, 1n);
  });

/** A failed attempt now, at the end, and every day between. */
async function failFor(ms: number): Promise<void> {
  for (let left_ms = ms; ; left_ms -= DAY_MS) {
    await world.deposit();
    await deliverDue();
    if (left_ms <= 0) return;
    clock.advance(Math.min(left_ms, DAY_MS));
  }
}

test('days in which nothing was sent are no days of failures: the five days begin anew after them', async () => {
  receiver.answer(500);
  await world.deposit();
  await deliverDue();
  const { failing_since } = await readEndpoint();
  assert.equal(failing_since, clock.now().toISOString());
  await deps.db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed' })
    .where('endpoint_id', '=', endpoint.id)
    .execute();
  clock.advance(30 * DAY_MS);
  await world.deposit();
  await deliverDue();
  assert.equal((await readEndpoint()).failing_since, clock.now().toISOString());
  clock.advance(DAY_MS);
  await failFor(4 * DAY_MS - 1);
  assert.equal((await readEndpoint()).enabled, true);
  clock.advance(1);
  await world.deposit();
  await deliverDue();
  assert.equal((await readEndpoint()).enabled, false);
});

test('five days of nothing but failures disable the endpoint, with a reason; its events wait until it is enabled again', async () => {
  receiver.answer(500);
  await failFor(5 * DAY_MS - 1);
  assert.equal((await readEndpoint()).enabled, true);
  clock.advance(1);
  await world.deposit();
  await deliverDue();
  const disabled = await readEndpoint();
  assert.equal(disabled.enabled, false);
  assert.match(disabled.disabled_reason, /five days/);

  await world.deposit();
  clock.advance(40 * DAY_MS);
  await deliverDue();
  const sent = receiver.requests.length;
  const enabled = await world.api('PATCH', `/v1/wallets/:id/webhooks/${endpoint.id}`, {
    as: await world.login(),
    body: { enabled: true },
  });
  assert.equal(enabled.body.data.enabled, true);
  assert.equal(enabled.body.data.disabled_reason, null);
  receiver.answer(200);
  await deliverDue();
  assert(receiver.requests.length > sent);
  assert((await deliveries()).every((delivery: { status: string }) => delivery.status === 'delivered'));
});

test('a success ends the count of failing days', async () => {
  receiver.answer(500);
  await world.deposit();
  await deliverDue();
  clock.advance(4 * DAY_MS);
  receiver.answer(200);
  await deliverDue();
  clock.advance(4 * DAY_MS);
  receiver.answer(500);
  await world.deposit();
  await deliverDue();
  assert.equal((await readEndpoint()).enabled, true);
});

test('a name that was public at registration and is loopback at connect is refused', async () => {
  const url = `http://rebound.example.com:${receiver.port}/`;
  const order = { wallet_id: world.wallet.id, url, description: null };
  const registered = await registerEndpoint(deps, order, async () => ['1.1.1.1']);
  const rebound = createDeliverer(deps, { resolve: async () => ['127.0.0.1'] });
  await world.api('POST', `/v1/wallets/:id/webhooks/${registered.endpoint.id}/test`, { body: {} });
  await rebound.step();
  await rebound.idle();
  assert.equal(receiver.connections.total, 0);
  const { body } = await world.api('GET', `/v1/wallets/:id/webhooks/${registered.endpoint.id}/deliveries`);
  assert.equal(body.data.items[0].status, 'pending');
  assert.match(body.data.items[0].attempt_log[0].error, /not public/);
});

test('after a rotation X-Svc-Signature is the new secret’s, on retries too, and the old one signs beside it for 24 h', async () => {
  receiver.answer(500);
  await world.deposit();
  await deliverDue();
  const path = `/v1/wallets/:id/webhooks/${endpoint.id}/rotate-secret`;
  const rotated = await world.api('POST', path, { as: await world.login(), body: {} });
  const { signing_secret } = rotated.body.data;
  assert.equal(rotated.status, 201);
  assert.notEqual(signing_secret, endpoint.signing_secret);
  clock.advance(5_000);
  await deliverDue();
  clock.advance(DAY_MS - 5_001);
  await world.deposit();
  await deliverDue();
  clock.advance(1);
  await world.deposit();
  await deliverDue();
  const [before, retried, ...rest] = receiver.requests;
  assert.equal(before?.headers['x-svc-signature'], hmacOf(before?.body as Buffer, endpoint.signing_secret));
  for (const request of [retried, ...rest]) {
    assert.equal(request?.headers['x-svc-signature'], hmacOf(request?.body as Buffer, signing_secret));
  }
  const counts = receiver.requests.map(
    ({ headers }) => String(headers['webhook-signature']).split(' ').length,
  );
  assert.deepEqual([counts[0], counts[1], counts.at(-1)], [1, 2, 1]);
});

test('stopping lets attempts finish; one that takes too long is sent again after the lease', async () => {
  receiver.answer(() => {});
  await world.deposit();
  await deliverer.step();
  await receiver.received(1);
  const stopped = deliverer.stop();
  clock.advance(5_000);
  await stopped;
  assert.equal((await deliveries())[0].status, 'pending');
  receiver.answer(200);
  clock.advance(60_000);
  await deliverDue(createDeliverer(deps));
  assert.equal((await deliveries())[0].status, 'delivered');
});

test('without faults every event reaches every endpoint exactly once, with two deliverers at work', async () => {
  const second = createDeliverer(deps);
  const other = await startReceiver();
  await world.register(other.url);
  for (let i = 0; i < 100; i++) await world.deposit({ id: `dep_${i}` });
  await Promise.all([deliverDue(), deliverDue(second)]);
  await deliverDue();
  for (const { requests } of [receiver, other]) {
    assert.equal(requests.length, 100);
    assert.equal(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, 100);
  }
  await other.close();
});
