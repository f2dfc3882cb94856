import { strict as assert } from 'node:assert';
import type { ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../test/support/eventually.ts';
import { type Receiver, startReceiver } from '../../../test/support/receiver.ts';
import { startWebhookWorld } from '../../../test/support/webhooks.ts';
import { claimDue } from '../store/delivery-store.ts';
import { Deliverer, startDeliverer } from './deliverer.ts';
import { STALLED_MS } from './endpoint-sender.ts';

const world = await startWebhookWorld();
const { deps, clock } = world;
const receivers: Receiver[] = [];
after(async () => {
  for (const receiver of receivers) await receiver.close();
  await world.close();
});

async function receiver(answer: Parameters<typeof startReceiver>[0] = 200): Promise<Receiver> {
  const started = await startReceiver(answer);
  receivers.push(started);
  return started;
}

async function freshStart(): Promise<void> {
  await deps.db.updateTable('webhook_deliveries').set({ status: 'failed' }).execute();
  await deps.db.updateTable('webhook_endpoints').set({ deleted_at: clock.now() }).execute();
}

async function countOf(endpoint_id: string, status: 'pending' | 'delivered'): Promise<number> {
  const rows = await deps.db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('endpoint_id', '=', endpoint_id)
    .where('status', '=', status)
    .execute();
  return rows.length;
}

/** Every attempt that was claimed has been recorded. */
async function nothingUnderWay(): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_deliveries delivery
     where status = 'pending' and attempts > (
       select count(*) from webhook_attempts where delivery_id = delivery.id)
  `.execute(deps.db);
  return rows.length === 0;
}

test('endpoints that hang occupy only their own slots: a healthy one still gets all its events', async () => {
  await freshStart();
  const hanging = await Promise.all(Array.from({ length: 5 }, () => receiver(() => {})));
  const healthy = await receiver();
  for (const { url } of hanging) await world.register(url);
  const endpoint = await world.register(healthy.url);
  for (let i = 0; i < 40; i++) await world.deposit();

  const deliverer = new Deliverer(deps);
  while ((await countOf(endpoint.id, 'delivered')) < 40) await deliverer.step();
  for (const each of hanging) {
    await each.received(1);
    assert.equal(each.requests.length, 1, 'an endpoint that never answered has one slot');
  }
  clock.advance(15_000); // they time out
  await deliverer.idle();
  assert.equal(healthy.requests.length, 40);
  const { body } = await world.api('GET', '/v1/wallets/:id/webhooks?limit=200');
  assert(body.data.items.every((item: { enabled: boolean }) => item.enabled));
});

test('a claim takes an equal share from every endpoint, however long a backlog one has', async () => {
  await freshStart();
  const { id: long } = await world.register((await receiver()).url);
  for (let i = 0; i < 200; i++) await world.deposit();
  clock.advance(1_000);
  const { id: short } = await world.register((await receiver()).url);
  await world.deposit();
  const now = clock.now();
  const lease_until = new Date(now.getTime() + 60_000);
  const claimed = await claimDue(deps.db, { now, lease_until, room: 4, free: new Map([[long, 8]]) });
  assert.equal(claimed.filter((delivery) => delivery.endpoint_id === short).length, 1);
  assert.equal(claimed.filter((delivery) => delivery.endpoint_id === long).length, 2);

  const free = new Map([[long, 0]]);
  const rest = await claimDue(deps.db, { now, lease_until, room: 64, free });
  assert.equal(rest.length, 0, 'an endpoint without a free slot is passed over');
});

test('claims at the same time never take the same delivery', async () => {
  await freshStart();
  const { id } = await world.register((await receiver()).url);
  for (let i = 0; i < 60; i++) await world.deposit();
  const now = clock.now();
  const lease_until = new Date(now.getTime() + 60_000);
  const free = new Map([[id, 8]]);
  const claim = { now, lease_until, room: 64, free };
  const ids: string[] = [];
  while (ids.length < 60) {
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimDue(deps.db, claim)));
    for (const claimed of claims) {
      assert(claimed.length <= 8);
      for (const delivery of claimed) {
        assert.equal(delivery.number, 1);
        ids.push(delivery.id);
      }
    }
  }
  assert.equal(new Set(ids).size, 60);
});

test('a locked delivery delays no claim: the claim skips it and takes the others', async () => {
  await freshStart();
  const { id } = await world.register((await receiver()).url);
  for (let i = 0; i < 3; i++) await world.deposit();
  await deps.db.transaction().execute(async (holder) => {
    const [locked] = await holder
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('endpoint_id', '=', id)
      .limit(1)
      .forUpdate()
      .execute();
    const claimed = await deps.db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '2s'`.execute(trx); // instead of waiting for ever
      const now = clock.now();
      const lease_until = new Date(now.getTime() + 60_000);
      return claimDue(trx, { now, lease_until, room: 64, free: new Map([[id, 8]]) });
    });
    assert.equal(claimed.length, 2);
    assert(claimed.every((delivery) => delivery.id !== locked?.id));
  });
});

test('a delivery that waits for a slot until half its lease is over is given back, and sent once by the next claim', async () => {
  await freshStart();
  const target = await receiver(200);
  const { id } = await world.register(target.url);
  const deliverer = new Deliverer(deps);
  for (let i = 0; i < 60; i++) await world.deposit();
  while (await deliverer.step()) await deliverer.idle(); // raises the limit
  assert.equal(target.requests.length, 60);

  const held: ServerResponse[] = [];
  target.answer((response) => void held.push(response));
  for (let i = 0; i < 50; i++) await world.deposit();
  assert(await deliverer.step());
  for (const sent of [16, 32, 48]) {
    await target.received(60 + sent);
    if (sent === 48) target.answer(200);
    clock.advance(14_000);
    for (const response of held.splice(0)) response.end();
  }
  await deliverer.idle();
  assert.equal(target.requests.length, 60 + 48);
  const given_back = await deps.db
    .selectFrom('webhook_deliveries')
    .select(['attempts', 'leased_until'])
    .where('endpoint_id', '=', id)
    .where('status', '=', 'pending')
    .execute();
  assert.deepEqual(given_back, Array(2).fill({ attempts: 0, leased_until: null }));

  while (await deliverer.step()) await deliverer.idle();
  const ids = target.requests.map(({ headers }) => headers['webhook-id']);
  assert.equal(ids.length, 110);
  assert.equal(new Set(ids).size, 110);
});

test('a running deliverer sends what a commit announces, even while its clock stands still', async () => {
  await freshStart();
  const target = await receiver();
  await world.register(target.url);
  const deliverer = startDeliverer(deps);
  await world.deposit();
  await target.received(1);
  for (let i = 0; i < 30; i++) await world.deposit();
  await target.received(31);
  await deliverer.stop();
  assert.equal(target.requests.length, 31);
});

/** Twenty endpoints of one receiver, each at its highest limit, with a backlog above the limit of a process. */
async function twentyWithBacklog(target: Receiver): Promise<{ unanswered: ServerResponse[] }> {
  for (let n = 0; n < 20; n++) await world.register(`${target.url}/${n}`);
  for (let earned = 1; earned <= 9; earned++) {
    await world.deposit();
    await target.received(20 * earned);
  }
  await eventually('all of that is recorded', nothingUnderWay);
  const unanswered: ServerResponse[] = [];
  target.answer((response) => void unanswered.push(response));
  await deps.db.transaction().execute(async (holder) => {
    await sql`lock table webhook_attempts in share mode`.execute(holder); // blocks claims, which log unrecorded attempts
    for (let i = 0; i < 250; i++) await world.deposit();
  });
  await eventually('no room is left', async () => (await countLeased()) === 4_096);
  return { unanswered };
}

const leased = sql`from webhook_deliveries where status = 'pending' and leased_until is not null`;
const countLeased = async () => (await sql`select ${leased}`.execute(deps.db)).rows.length;

test('a backlog above the limit of a process continues when outcomes are recorded, even while the clock stands still', async () => {
  await freshStart();
  const target = await receiver();
  const deliverer = startDeliverer(deps);
  const { unanswered } = await twentyWithBacklog(target);
  await deps.db.transaction().execute(async (holder) => {
    await sql`select ${leased} for no key update`.execute(holder);
    target.answer(200);
    for (const response of unanswered) response.end();
    await target.received(20 * 9 + 4_096); // and none of them is recorded
  });
  await eventually('the rest', () => target.requests.length >= 20 * 259);
  await deliverer.stop();
  assert.equal(target.requests.length, 20 * 259);
});

test('endpoints that were quick and now hang with all the room of a process do not delay the others', async () => {
  await freshStart();
  const target = await receiver();
  const deliverer = startDeliverer(deps);
  const { unanswered } = await twentyWithBacklog(target);
  await target.received(20 * (9 + 16));

  const healthy = await receiver();
  const { id, api_key } = await world.addWallet();
  const hooks = `/v1/wallets/${id}/webhooks`;
  const { body } = await world.api('POST', hooks, { as: api_key, body: { url: healthy.url } });
  await world.api('POST', `${hooks}/${body.data.id}/test`, { as: api_key });
  await eventually('it looks again soon', () => clock.asleep(STALLED_MS) > 0);
  clock.advance(STALLED_MS);
  await healthy.received(1);
  await eventually(
    'endpoints that hang keep only their requests in flight',
    async () => (await countLeased()) === 20 * 16,
  );

  target.answer(200);
  for (const response of unanswered) response.end();
  await eventually('the rest', () => target.requests.length >= 20 * 259);
  await deliverer.stop();
  assert.equal(target.requests.length, 20 * 259);
});

test('a running deliverer finds deliveries that nobody announced', async () => {
  await freshStart();
  const target = await receiver(500);
  await world.register(target.url);
  const deliverer = startDeliverer(deps);
  await world.deposit();
  for (let attempt = 1; attempt <= 3; attempt++) {
    await target.received(attempt);
    // Only the clock makes the retry due. It advances while no attempt is under way.
    while (target.requests.length === attempt) if (await nothingUnderWay()) clock.advance(1_000);
  }
  await deliverer.stop();
  assert(target.requests.length >= 4);
});
