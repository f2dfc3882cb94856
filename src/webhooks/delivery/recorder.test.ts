/** How attempts are recorded, and what is sent again when a sender stops, dies or ends late. */
import { strict as assert } from 'node:assert';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../test/support/eventually.ts';
import { startDeliveries } from '../../../test/support/webhooks.ts';
import { openDatabase } from '../../db/database.ts';
import { claimDue, release } from '../store/delivery-store.ts';
import { Deliverer } from './deliverer.ts';
import { createRecorder } from './recorder.ts';

const at = await startDeliveries();
const { world, deliverDue, deliverMany, deliveries, pending } = at;
const { deps, clock } = world;

function claim() {
  const now = clock.now();
  const lease_until = new Date(now.getTime() + 60_000);
  return claimDue(deps.db, { now, lease_until, room: 64, free: new Map([[at.endpoint.id, 64]]) });
}

/** A claim of another process at a time when the present leases are over. */
const laterDeliverer = () =>
  new Deliverer({ ...deps, clock: { ...clock, now: () => new Date(clock.now().getTime() + 60_001) } });

/** Collects the requests; the test answers them later. */
function heldResponses(): ServerResponse[] {
  const held: ServerResponse[] = [];
  at.receiver.answer((response) => void held.push(response));
  return held;
}

test('after a sender died with a claim, the delivery is sent when the lease ends, and the lost attempt is in the log', async () => {
  await world.deposit();
  const now = clock.now();
  const [lost] = await claim();
  assert.equal(lost?.number, 1);
  clock.advance(59_999);
  await deliverDue();
  assert.equal(at.receiver.requests.length, 0);
  clock.advance(1);
  await deliverDue();
  assert.equal(at.receiver.requests.length, 1);
  const [delivery] = await deliveries();
  assert.equal(delivery.status, 'delivered');
  assert.equal(delivery.attempts, 2n);
  assert.match(delivery.attempt_log[0].error, /stopped before it recorded/);
  assert.equal(delivery.attempt_log[0].started_at, now.toISOString());
  assert.equal(delivery.attempt_log[1].status_code, 200n);
});

test('a sender that ends after its lease was taken over logs its attempt and changes nothing else', async () => {
  const held = heldResponses();
  await world.deposit();
  await at.deliverer.step();
  await at.receiver.received(1);
  const other = laterDeliverer();
  at.receiver.answer(200);
  await other.step();
  await other.idle();
  held[0]?.writeHead(500).end();
  await at.deliverer.idle();
  const [delivery] = await deliveries();
  assert.equal(delivery.status, 'delivered');
  const statuses = delivery.attempt_log.map((attempt: { status_code: bigint }) => attempt.status_code);
  assert.deepEqual(statuses, [500n, 200n]);
});

test('a sender that ends during its successor’s attempt causes no third attempt', async () => {
  const held = heldResponses();
  await world.deposit();
  await at.deliverer.step();
  await at.receiver.received(1);
  const other = laterDeliverer();
  await other.step();
  await at.receiver.received(2);
  const claimed = await pending();
  held[0]?.writeHead(500).end();
  await at.deliverer.idle();
  assert.deepEqual(await pending(), claimed);
  held[1]?.writeHead(200).end();
  await other.idle();
  assert.equal((await deliveries())[0].status, 'delivered');
});

test('a delivery that is given back after its lease was taken over stays with the successor', async () => {
  await world.deposit();
  const late = await claim();
  clock.advance(60_000);
  const [taken] = await claim();
  await release(deps.db, late);
  assert.deepEqual(await pending(), [{ id: taken?.id, attempts: 2, leased_until: taken?.leased_until }]);
});

test('a 2xx that comes after the endpoint was deleted still counts: delivered, not given up', async () => {
  const held = heldResponses();
  await world.deposit();
  await at.deliverer.step();
  await at.receiver.received(1);
  await world.api('DELETE', `/v1/wallets/:id/webhooks/${at.endpoint.id}`, { as: await world.login() });
  assert.equal((await deliveries())[0].status, 'failed');
  held[0]?.writeHead(200).end();
  await at.deliverer.idle();
  assert.equal((await deliveries())[0].status, 'delivered');
});

test('a failure that is recorded twice, because the connection broke after the commit, takes one step of the schedule', async () => {
  let breaking = false;
  const db = deps.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!breaking) return result;
      breaking = false;
      throw new Error('Connection terminated unexpectedly');
    },
  });
  const sender = new Deliverer({ ...deps, db }, { random: () => 0.5 });
  at.receiver.answer(500);
  await world.deposit();
  await deliverDue(sender);
  clock.advance(5_000);
  const held = heldResponses();
  await sender.step();
  await at.receiver.received(2);
  breaking = true;
  held[0]?.writeHead(500).end();
  await eventually('the broken connection', () => !breaking);
  clock.advance(1_000); // it is recorded again
  await sender.idle();
  const [{ attempt_log, next_attempt_at }] = await deliveries();
  assert.equal(Date.parse(next_attempt_at) - Date.parse(attempt_log[1].started_at), 30_000);
});

test('without a database an outcome is kept until its lease ends, then the attempt is made again', async () => {
  await world.deposit();
  const [delivery] = await claim();
  assert(delivery);
  const away = openDatabase('postgres://teller@127.0.0.1:1/teller', deps.log); // nobody is there
  const recorder = createRecorder({ ...deps, db: away.db }, Math.random, new AbortController().signal);
  const now = clock.now();
  const result = { status_code: 200, retry_after: null, response_body: '' };
  let given_up = false;
  void recorder
    .record({ delivery, started_at: now, finished_at: now, request_headers: {}, result })
    .then(() => {
      given_up = true;
    });
  const tries = () => {
    clock.advance(10_000);
    return given_up;
  };
  await eventually('it is given up', tries);
  assert(clock.now() >= delivery.leased_until);
  await away.close();
  await deliverDue();
  assert.equal(at.receiver.requests.length, 1);
});

test('an outcome that cannot be recorded does not affect the others in its statement, and its delivery is sent again after the lease', async () => {
  for (let i = 0; i < 8; i++) await world.deposit({ id: `dep_${i}` });
  await deliverDue(); // which earns the endpoint its slots
  for (let i = 8; i < 16; i++) await world.deposit({ id: `dep_${i}` });
  const [unlucky] = await pending();
  assert(unlucky);
  await sql`alter table webhook_attempts add constraint unlucky check (delivery_id <> ${sql.lit(unlucky.id)}) not valid`.execute(
    deps.db,
  );
  await deliverDue();
  assert.deepEqual(
    (await pending()).map(({ id }) => id),
    [unlucky.id],
  );
  assert.equal(at.receiver.requests.length, 16);
  await sql`alter table webhook_attempts drop constraint unlucky`.execute(deps.db);
  clock.advance(60_000);
  await deliverDue();
  assert.equal(at.receiver.requests.length, 17);
  assert((await deliveries()).every(({ status }) => status === 'delivered'));
});

test('answers whose bytes are no text are recorded like all others', async () => {
  await deliverMany(8);
  let count = 0;
  at.receiver.answer((response) =>
    response.end(Buffer.of(0x61, [0x00, 0xff, 0xed, 0x62][count++ % 4] ?? 0, 0x22, 0x5c)),
  );
  for (let i = 0; i < 8; i++) await world.deposit();
  await deliverDue();
  assert.deepEqual(await pending(), []);
  const bodies = (await deliveries()).map(({ attempt_log }) => attempt_log[0].response_body);
  assert(bodies.includes('a\uFFFD"\\') && bodies.includes('ab"\\'));
});

test('an attempt is logged with the headers that were sent', async () => {
  await world.deposit();
  await deliverDue();
  const [attempt] = await deps.db
    .selectFrom('webhook_attempts')
    .innerJoin('webhook_deliveries', 'webhook_deliveries.id', 'delivery_id')
    .select('request_headers')
    .where('endpoint_id', '=', at.endpoint.id)
    .execute();
  const sent = Object.entries(attempt?.request_headers ?? {});
  assert.deepEqual(
    sent.map(([name]) => name),
    [
      'Content-Type',
      'User-Agent',
      'X-Svc-Signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-sequence',
      'webhook-signature',
    ],
  );
  for (const [name, value] of sent) assert.equal(at.receiver.requests[0]?.headers[name.toLowerCase()], value);
});

for (const [what, by] of [
  ['goes away', 'pg_terminate_backend'],
  ['refuses for a moment', 'pg_cancel_backend'],
])
  test(`a database that ${what} while an outcome is recorded does not cost it: nothing is sent twice`, async () => {
    await world.deposit();
    const client = await deps.pool.connect();
    let answer = () => {};
    at.receiver.answer((response) => {
      answer = () => response.end();
    });
    await at.deliverer.step();
    await at.receiver.received(1);
    await client.query('begin');
    await client.query('lock table webhook_attempts in share mode');
    answer();
    const [pid] = await eventually('the statement', async () => {
      const blocked = await world.blocked();
      return blocked.length === 1 && blocked;
    });
    await client.query(`select ${by}($1)`, [pid]);
    await client.query('rollback');
    client.release();
    let recorded = false;
    void at.deliverer.idle().then(() => {
      recorded = true;
    });
    // It may be given the broken connection once more. Time moves on only while it waits: the lease runs.
    await eventually('a next try', () => {
      if (clock.asleep(1_000) === 1) clock.advance(1_000);
      return recorded;
    });
    assert.deepEqual(await pending(), []);
    assert.equal(at.receiver.requests.length, 1);
    assert.equal((await deliveries())[0].attempts, 1n);
  });

test('a stop lets attempts finish; a delivery that takes too long is sent again after the lease', async () => {
  at.receiver.answer(() => {});
  await world.deposit();
  await at.deliverer.step();
  await at.receiver.received(1);
  const stopped = at.deliverer.stop();
  clock.advance(5_000);
  await stopped;
  assert.equal((await deliveries())[0].status, 'pending');
  at.receiver.answer(200);
  clock.advance(60_000);
  await deliverDue(new Deliverer(deps));
  assert.equal((await deliveries())[0].status, 'delivered');
});
