import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { type Answering, startReceiver } from '../../../test/support/receiver.ts';
import { startWebhookWorld } from '../../../test/support/webhooks.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { enqueueEvents } from '../events/enqueue.ts';
import { Deliverer } from './deliverer.ts';

const world = await startWebhookWorld({ WEBHOOK_RETRY_SECONDS: '5,30' });
const { api, deps, clock } = world;
after(() => world.close());

const HOOKS = '/v1/wallets/:id/webhooks';

/** An endpoint of its own for each test, and a deliverer that sends one request at a time. */
async function setUp(answering: number | Answering) {
  await deps.db.updateTable('webhook_endpoints').set({ deleted_at: clock.now() }).execute();
  const receiver = await startReceiver(answering);
  const { id } = await world.register(receiver.url);
  const deliverer = new Deliverer(deps, { random: () => 0.5 });
  const path = `${HOOKS}/${id}`;
  return {
    id,
    receiver,
    deliverer,
    path,
    async deliverDue() {
      while (await deliverer.step()) await deliverer.idle();
    },
    replay: (since: Date, more: object = {}) =>
      api('POST', `${path}/replay`, { body: { since: since.toISOString(), ...more } }),
    enable: async (enabled: boolean) =>
      assert.equal((await api('PATCH', path, { as: await world.login(), body: { enabled } })).status, 200),
    deliveries: async (): Promise<any[]> =>
      (await api('GET', `${path}/deliveries?limit=200`)).body.data.items,
    async [Symbol.asyncDispose]() {
      await deliverer.stop();
      await receiver.close();
    },
  };
}

/** Deposits one after the other, a second apart. */
async function deposit(...ids: string[]): Promise<void> {
  for (const id of ids) {
    await world.deposit({ id });
    clock.advance(1_000);
  }
}

const idsOf = (requests: { body: Buffer }[]) => requests.map(({ body }) => JSON.parse(`${body}`).data.id);

test('only unacknowledged deliveries since then are sent again, in order, with the same bytes, id and number', async () => {
  await using at = await setUp(500);
  await deposit('dep_before');
  const since = clock.now();
  await deposit('dep_1', 'dep_2', 'dep_3');
  for (const wait_ms of [0, 5_000, 30_000]) {
    clock.advance(wait_ms);
    await at.deliverDue();
  }
  assert((await at.deliveries()).every(({ status }) => status === 'failed'));
  at.receiver.answer(200);
  await deposit('dep_4');
  await at.deliverDue();
  const first = at.receiver.requests.splice(0);
  const { status, body } = await at.replay(since);
  assert.equal(status, 202);
  assert.deepEqual(body.data, { count: 3n });
  await at.deliverDue();
  const again = at.receiver.requests;
  assert.deepEqual(idsOf(again).sort(), ['dep_1', 'dep_2', 'dep_3']);
  for (const { body, headers } of again) {
    const before = first.find((request) => request.headers['webhook-id'] === headers['webhook-id']);
    assert.deepEqual(body, before?.body);
    assert.equal(headers['webhook-sequence'], before?.headers['webhook-sequence']);
  }
  const states = (await at.deliveries()).map(({ status, attempts }) => `${status} ${attempts}`);
  assert.deepEqual(states, ['delivered 1', 'delivered 4', 'delivered 4', 'delivered 4', 'failed 3']);
});

test('the oldest delivery is sent first, also before newer ones that are due', async () => {
  await using at = await setUp(500);
  const since = clock.now();
  await deposit('dep_1', 'dep_2');
  await at.deliverDue();
  at.receiver.requests.length = 0;
  await deposit('dep_3');
  await at.replay(since);
  const rows = await deps.db
    .selectFrom('webhook_deliveries')
    .select('sequence')
    .where('endpoint_id', '=', at.id)
    .where('next_attempt_at', '<=', clock.now())
    .orderBy('next_attempt_at')
    .execute();
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    [1n, 2n, 3n],
  );
});

test('with include_delivered acknowledged deliveries are sent again too, once', async () => {
  await using at = await setUp(200);
  const since = clock.now();
  await deposit('dep_1', 'dep_2');
  await at.deliverDue();
  assert.deepEqual((await at.replay(since)).body.data, { count: 0n });
  await at.deliverDue();
  assert.equal(at.receiver.requests.length, 2);
  assert.deepEqual((await at.replay(since, { include_delivered: true })).body.data, { count: 2n });
  await at.deliverDue();
  assert.deepEqual(idsOf(at.receiver.requests).sort(), ['dep_1', 'dep_1', 'dep_2', 'dep_2']);
});

test('many replays at once send each delivery once', async () => {
  await using at = await setUp(500);
  const since = clock.now();
  await deposit('dep_1', 'dep_2', 'dep_3');
  await at.deliverDue();
  at.receiver.requests.length = 0;
  at.receiver.answer(200);
  const answers = await Promise.all(Array.from({ length: 10 }, () => at.replay(since)));
  assert(answers.every(({ body }) => body.data.count === 3n));
  await at.deliverDue();
  assert.equal(at.receiver.requests.length, 3);
});

test('an attempt that is under way is not made twice', async () => {
  let finish = () => {};
  await using at = await setUp((response) => {
    finish = () => response.writeHead(200).end();
  });
  const since = clock.now();
  await deposit('dep_1');
  const deliverer = new Deliverer(deps);
  await deliverer.step();
  await at.receiver.received(1);
  assert.deepEqual((await at.replay(since)).body.data, { count: 1n });
  assert.equal(await deliverer.step(), false);
  finish();
  await deliverer.idle();
  assert.equal(at.receiver.requests.length, 1);
  assert.equal((await at.deliveries())[0].status, 'delivered');
  await deliverer.stop();
});

/** Records events of invented deposits in one transaction; `about` distinguishes them from other tests' events. */
async function enqueueMany(about: string, count: number): Promise<void> {
  const now = clock.now();
  const events = Array.from({ length: count }, (_, n) => ({
    wallet_id: world.wallet.id,
    type: 'deposit.created' as const,
    about: `${about} ${n}`,
    deposit_id: newId('dep', now),
    data: { id: `dep_${n}` },
    now,
  }));
  await deps.db.transaction().execute((trx) => enqueueEvents(trx, events));
}

test('a replay of several batches leaves none out', async () => {
  await using at = await setUp(200);
  const since = clock.now();
  await enqueueMany(at.id, 1_203);
  await deps.db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', settled_at: since, attempts: 12 })
    .where('endpoint_id', '=', at.id)
    .execute();
  assert.deepEqual((await at.replay(since)).body.data, { count: 1_203n });
  const { rows } = await deps.pool.query(
    'select status, count(*) from webhook_deliveries where endpoint_id = $1 group by 1',
    [at.id],
  );
  assert.deepEqual(rows, [{ status: 'pending', count: 1_203n }]);
});

test('of many replays at once only two use database connections', async () => {
  await using at = await setUp(200);
  const since = clock.now();
  await deposit('dep_1');
  const answers = await deps.db.transaction().execute(async (holder) => {
    await holder.selectFrom('webhook_deliveries').select('id').forUpdate().execute();
    const asked = Array.from({ length: 30 }, () => at.replay(since));
    await eventually('two that wait for the row', async () => (await world.blocked()).length === 2);
    for (let n = 0; n < 5; n++) assert.equal((await api('GET', at.path)).status, 200);
    assert.equal((await world.blocked()).length, 2);
    assert.equal(deps.pool.waitingCount, 0);
    return asked;
  });
  for (const { body } of await Promise.all(answers)) assert.deepEqual(body.data, { count: 1n });
});

/** Makes present failures look as if they had lasted for five days. */
async function haveFailedForFiveDays(endpoint_id: string): Promise<void> {
  await deps.db
    .updateTable('webhook_endpoints')
    .set({ failing_since: new Date(clock.now().getTime() - 5 * DAY_MS) })
    .where('id', '=', endpoint_id)
    .execute();
}

test('events of a disabled endpoint wait, whoever disabled it, and are sent once it is enabled', async () => {
  await using at = await setUp(500);
  await deposit('dep_0');
  await at.deliverDue();
  await haveFailedForFiveDays(at.id);
  await deposit('dep_1');
  await at.deliverDue();
  const disabled = (await api('GET', at.path)).body.data;
  assert.equal(disabled.enabled, false, 'after five days of nothing but failures');
  assert.match(disabled.disabled_reason, /five days/);
  at.receiver.requests.length = 0;
  at.receiver.answer(200);
  await deposit('dep_2');
  clock.advance(10 * DAY_MS);
  await at.deliverDue();
  assert.equal(at.receiver.requests.length, 0);
  const waiting = (await at.deliveries()).filter(({ status }) => status === 'pending');
  assert.equal(waiting.length, 3, 'nothing is given up');

  await at.enable(true);
  assert.equal((await api('GET', at.path)).body.data.disabled_reason, null);
  await at.deliverDue();
  assert.deepEqual(idsOf(at.receiver.requests).sort(), ['dep_0', 'dep_1', 'dep_2']);

  await at.enable(false);
  assert.equal((await api('GET', at.path)).body.data.disabled_reason, null);
  await deposit('dep_3');
  assert.deepEqual((await at.replay(new Date(0))).body.data, { count: 1n });
  await at.deliverDue();
  assert.equal(at.receiver.requests.length, 3);
  await at.enable(true);
  await at.deliverDue();
  assert.equal(idsOf(at.receiver.requests).at(-1), 'dep_3');
});

test('after enabling or another URL the next failure does not disable the endpoint', async () => {
  for (const change of [{ enabled: true }, { url: 'http://127.0.0.1:9/' }]) {
    await using at = await setUp(500);
    await deposit('dep_1');
    await at.deliverDue();
    await haveFailedForFiveDays(at.id);
    assert.equal((await api('PATCH', at.path, { as: await world.login(), body: change })).status, 200);
    await at.deliverDue();
    assert.equal((await api('GET', at.path)).body.data.enabled, true);
    assert.equal((await at.deliveries())[0].attempts, 2n);
  }
});

test('enabling or another URL sends failed deliveries at once', async () => {
  await using at = await setUp(500);
  await deposit('dep_1', 'dep_2');
  await at.deliverDue();
  clock.advance(5_000);
  await at.deliverDue();
  at.receiver.requests.length = 0;
  at.receiver.answer(200);
  const body = { url: `${at.receiver.url}/mended` };
  assert.equal((await api('PATCH', at.path, { as: await world.login(), body })).status, 200);
  await at.deliverDue();
  assert.deepEqual(
    at.receiver.requests.map(({ path }) => path),
    ['/mended', '/mended'],
  );
});

test('deliveries that became due while the endpoint was disabled get their whole schedule when it is enabled, in order', async () => {
  await using at = await setUp(500);
  await deposit('dep_1');
  await at.deliverDue();
  clock.advance(5_000);
  await at.deliverDue();
  await deposit('dep_2');
  await at.deliverDue();
  await at.enable(false);
  await deposit('dep_3');
  clock.advance(10 * DAY_MS);
  await at.enable(true);
  at.receiver.requests.length = 0;
  for (const wait_ms of [0, 5_000, 30_000]) {
    clock.advance(wait_ms);
    await at.deliverDue();
  }
  const ids = ['dep_1', 'dep_2', 'dep_3'];
  assert.deepEqual(idsOf(at.receiver.requests.slice(0, 3)), ids);
  assert.deepEqual(idsOf(at.receiver.requests).sort(), [...ids, ...ids, ...ids].sort());
  assert((await at.deliveries()).every(({ status }) => status === 'failed'));
});

test('enabling restarts every delivery of several batches, those that wait and those that are due', async () => {
  await using at = await setUp(200);
  await at.enable(false);
  const now = clock.now();
  await enqueueMany(at.id, 1_203);
  await deps.pool.query(
    `update webhook_deliveries set schedule_step = 1, next_attempt_at = created_at + (sequence % 7) * interval '1 hour'
      where endpoint_id = $1`,
    [at.id],
  );
  clock.advance(3 * 3_600_000);
  await at.enable(true);
  const { rows } = await deps.pool.query(
    'select schedule_step, next_attempt_at, count(*) from webhook_deliveries where endpoint_id = $1 group by 1, 2',
    [at.id],
  );
  assert.deepEqual(rows, [{ schedule_step: 0, next_attempt_at: now, count: 1_203n }]);
});

test('a delivery in its last attempt during a change of the URL is not given up: the new URL gets it after the first step', async () => {
  await using at = await setUp(500);
  await deposit('dep_1');
  await at.deliverDue();
  clock.advance(5_000);
  await at.deliverDue();
  let answer = () => {};
  at.receiver.answer((response) => {
    answer = () => response.writeHead(500).end();
  });
  clock.advance(30_000);
  await at.deliverer.step();
  await at.receiver.received(3);
  const body = { url: `${at.receiver.url}/mended` };
  assert.equal((await api('PATCH', at.path, { as: await world.login(), body })).status, 200);
  answer();
  await at.deliverer.idle();
  at.receiver.answer(200);
  await at.deliverDue();
  assert.equal(at.receiver.requests.length, 3, 'not at once: the attempt may have arrived');
  clock.advance(5_000);
  await at.deliverDue();
  assert.equal(at.receiver.requests.at(-1)?.path, '/mended');
  assert.equal((await at.deliveries())[0].status, 'delivered');
});

test('a description leaves the schedule as it is', async () => {
  await using at = await setUp(500);
  await deposit('dep_1');
  await at.deliverDue();
  const before = await at.deliveries();
  await api('PATCH', at.path, { as: await world.login(), body: { description: 'mine' } });
  assert.deepEqual(await at.deliveries(), before);
});

test('an invalid or missing time is 400; a deleted endpoint is 404', async () => {
  await using at = await setUp(200);
  for (const since of [undefined, 'yesterday', '2026-01-01', 5n, null]) {
    const { status, body } = await api('POST', `${at.path}/replay`, { body: { since } });
    assert.equal(status, 400, `${since}`);
    assert.equal(body.error.details[0].path, '/since');
    assert.match(body.message, /^since (is required|must be .*)\.$/);
  }
  const unknown = { since: clock.now().toISOString(), until: clock.now().toISOString() };
  assert.equal((await api('POST', `${at.path}/replay`, { body: unknown })).status, 400);
  for (const since of ['0000-01-01T00:00:00Z', '1969-12-31T23:00:00+02:00', '9999-12-31T23:59:59Z'])
    assert.equal((await api('POST', `${at.path}/replay`, { body: { since } })).status, 202, since);
  await api('DELETE', at.path, { as: await world.login() });
  assert.equal((await at.replay(new Date(0))).status, 404);
});
