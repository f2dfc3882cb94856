import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { startReceiver } from '../../test/support/receiver.ts';
import { startWebhookWorld } from '../../test/support/webhooks.ts';
import { DAY_MS } from '../lib/clock.ts';
import { Deliverer } from './delivery/deliverer.ts';
import { giveUpBatch } from './endpoints/endpoints.ts';
import { deleteExpiredSecrets } from './store/endpoint-store.ts';
import { pruneLog, startUpkeep } from './upkeep.ts';

const world = await startWebhookWorld({ WEBHOOK_LOG_DAYS: '7', WEBHOOK_RETRY_SECONDS: '5' });
const { api, deps, clock } = world;
const receiver = await startReceiver((response, { body }) =>
  response.writeHead(body.includes('dep_bad') ? 500 : 200).end(),
);
const { id } = await world.register(receiver.url);
const deliverer = new Deliverer(deps, { random: () => 0.5 });
after(async () => {
  await deliverer.stop();
  await receiver.close();
  await world.close();
});

const PATH = `/v1/wallets/:id/webhooks/${id}`;

async function deliverDue(): Promise<void> {
  while (await deliverer.step()) await deliverer.idle();
}

/** Deliveries as the log shows them, by the name of their deposit. */
async function log(): Promise<Record<string, any>> {
  const { rows } = await deps.pool.query(
    `select delivery.id, convert_from(body, 'UTF8') as body from webhook_deliveries delivery
       join webhook_events event on event.id = event_id`,
  );
  const shown = rows.map(async (row) => [
    JSON.parse(row.body).data.id,
    (await api('GET', `${PATH}/deliveries/${row.id}`)).body.data,
  ]);
  return Object.fromEntries(await Promise.all(shown));
}

const prune = async () => {
  while (await pruneLog(deps));
};

test('only attempts of deliveries acknowledged more than WEBHOOK_LOG_DAYS ago are deleted', async () => {
  await world.deposit({ id: 'dep_good' });
  await world.deposit({ id: 'dep_bad_1' });
  await deliverDue();
  clock.advance(5_000);
  await deliverDue(); // dep_bad_1 is given up
  await world.deposit({ id: 'dep_bad_2' });
  await deliverDue(); // dep_bad_2 is pending, and its endpoint is disabled for the rest
  await api('PATCH', PATH, { as: await world.login(), body: { enabled: false } });
  clock.advance(7 * DAY_MS - 10_000);
  await prune();
  const before = await log();
  assert.deepEqual(
    Object.values(before).map((delivery) => delivery.attempt_log.length),
    [1, 2, 1],
    'seven days are not over',
  );
  clock.advance(10_001);
  await prune();
  const after = await log();
  assert.deepEqual(after.dep_good, { ...before.dep_good, attempt_log: [] });
  assert.equal(after.dep_good.body.data.id, 'dep_good', 'the event stays');
  assert.deepEqual(after.dep_bad_1, before.dep_bad_1, 'given up: not acknowledged');
  assert.deepEqual(after.dep_bad_2, before.dep_bad_2, 'pending');
  clock.advance(1_000 * DAY_MS);
  await prune();
  assert.deepEqual((await log()).dep_bad_1, before.dep_bad_1);
});

test('a delivery with a pruned log is redelivered with its attempts counted on, and none appears as unrecorded', async () => {
  await api('PATCH', PATH, { as: await world.login(), body: { enabled: true } });
  const { dep_good } = await log();
  await api('POST', `${PATH}/deliveries/${dep_good.id}/redeliver`);
  await deliverDue();
  const again = (await log()).dep_good;
  assert.equal(again.status, 'delivered');
  assert.equal(again.attempts, 2n);
  assert.deepEqual(
    again.attempt_log.map(({ number, status_code }: any) => [number, status_code]),
    [[2n, 200n]],
  );
  clock.advance(7 * DAY_MS + 1);
  await prune();
  assert.deepEqual((await log()).dep_good.attempt_log, [], 'and pruned again in its turn');
});

test('two processes prune everything at once, without waiting for each other or for a locked delivery', async () => {
  await deps.pool.query(`
    insert into webhook_deliveries (id, event_id, endpoint_id, sequence, status, attempts, settled_at)
    select 'dlv_many' || n, (select event_id from webhook_deliveries limit 1), (select endpoint_id from webhook_deliveries limit 1),
           1000 + n, 'delivered', 1, '2026-01-01' from generate_series(1, 2500) n`);
  await deps.pool.query(`
    insert into webhook_attempts (delivery_id, number, started_at, duration_ms)
    select id, 1, settled_at, 5 from webhook_deliveries where id like 'dlv_many%'`);
  const holder = await deps.pool.connect();
  await holder.query("begin; select from webhook_deliveries where id = 'dlv_many7' for update");
  await Promise.all([prune(), prune()]);
  const left = async () =>
    (await deps.pool.query("select delivery_id from webhook_attempts where delivery_id like 'dlv_many%'"))
      .rows;
  assert.deepEqual(await left(), [{ delivery_id: 'dlv_many7' }]);
  await holder.query('commit');
  holder.release();
  await prune();
  assert.deepEqual(await left(), []);
});

test('one probe of an index finds that nothing is to be pruned, however many deliveries there are', async () => {
  await deps.pool.query(`
    insert into webhook_deliveries (id, event_id, endpoint_id, sequence, status, attempts, log_pruned, settled_at)
    select 'dlv_pruned' || n, event_id, endpoint_id, 100000 + n, 'delivered', 1, true, '2026-01-01'
      from generate_series(1, 50000) n, (select event_id, endpoint_id from webhook_deliveries limit 1) as one`);
  await deps.pool.query('vacuum analyze webhook_deliveries');
  const { rows } = await deps.pool.query(`
    explain (analyze, buffers, format json)
    select id from webhook_deliveries
     where status = 'delivered' and not log_pruned and settled_at < now()
     order by settled_at limit 500 for update skip locked`);
  const { Plan: plan } = rows[0]['QUERY PLAN'][0];
  const scan = JSON.stringify(plan);
  assert.match(scan, /webhook_deliveries_prunable/);
  assert(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] < 20, scan);
});

test('deliveries left by an interrupted deletion are not sent but given up, except those being recorded', async () => {
  const { id: gone } = await world.register(receiver.url);
  for (let n = 0; n < 3; n++) await world.deposit({ id: `dep_left_${n}` });
  await deps.db
    .updateTable('webhook_endpoints')
    .set({ deleted_at: clock.now() })
    .where('id', '=', gone)
    .execute();
  const statuses = async () => {
    const rows = await deps.db
      .selectFrom('webhook_deliveries')
      .select('status')
      .where('endpoint_id', '=', gone)
      .orderBy('id')
      .execute();
    return rows.map(({ status }) => status);
  };
  await deliverDue();
  assert.deepEqual(await statuses(), ['pending', 'pending', 'pending']);
  await deps.db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('endpoint_id', '=', gone)
      .orderBy('id')
      .limit(1)
      .forNoKeyUpdate()
      .execute();
    while (await giveUpBatch(deps));
    assert.deepEqual(await statuses(), ['pending', 'failed', 'failed']);
  });
  const upkeep = startUpkeep(deps);
  await eventually('the rest', async () => (await statuses()).every((status) => status === 'failed'));
  await upkeep.stop();
});

test('secrets that no longer sign are deleted', async () => {
  const rotate = async () => api('POST', `${PATH}/rotate-secret`, { as: await world.login() });
  const old = () => deps.db.selectFrom('webhook_old_secrets').selectAll().orderBy('id').execute();
  await rotate();
  clock.advance(1);
  await rotate();
  const before = await old();
  assert.equal(before.length, 2);
  clock.advance(DAY_MS - 2);
  await deleteExpiredSecrets(deps.db, clock.now());
  assert.deepEqual(await old(), before, 'they sign for 24 h');
  clock.advance(1);
  await deleteExpiredSecrets(deps.db, clock.now());
  assert.deepEqual(await old(), before.slice(1));
  clock.advance(1);
  const upkeep = startUpkeep(deps);
  await eventually('both are gone', async () => (await old()).length === 0);
  await upkeep.stop();
});

test('the metrics say how many endpoints are disabled, and by whom; deleted ones do not count', async () => {
  const [owners, failing, deleted] = [
    await world.register(receiver.url),
    await world.register(receiver.url),
    await world.register(receiver.url),
  ];
  const disable = { as: await world.login(), body: { enabled: false } };
  await api('PATCH', `/v1/wallets/:id/webhooks/${owners.id}`, disable);
  await deps.db
    .updateTable('webhook_endpoints')
    .set({ enabled: false, disabled_reason: 'Every delivery for five days failed.' })
    .where('id', 'in', [failing.id, deleted.id])
    .execute();
  await api('DELETE', `/v1/wallets/:id/webhooks/${deleted.id}`, { as: disable.as });
  const upkeep = startUpkeep(deps);
  await eventually('the gauge', async () => {
    const text = await deps.metrics.registry.getSingleMetricAsString('teller_webhook_endpoints_disabled');
    return text.includes('{by="failures"} 1') && text.includes('{by="owner"} 1');
  });
  await upkeep.stop();
});
