import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sampleOf } from '../../test/support/metrics-text.ts';
import { startReceiver } from '../../test/support/receiver.ts';
import { startWebhookWorld } from '../../test/support/webhooks.ts';
import { openDatabase } from '../db/database.ts';
import { createMetrics } from '../lib/metrics.ts';
import { createDatabaseGauges } from './database-gauges.ts';

const world = await startWebhookWorld();
const receiver = await startReceiver();
after(async () => {
  await receiver.close();
  await world.close();
});
const { clock } = world;

/** A process with metrics of its own. */
function gauges() {
  const metrics = createMetrics();
  const refresh = createDatabaseGauges({ ...world.deps, metrics });
  const read = async (name: string, labels: Record<string, string> = {}) =>
    sampleOf(await metrics.registry.metrics(), name, labels);
  return { refresh, read };
}

test('deliveries count while their endpoint is enabled, and age from their turn until they are claimed', async () => {
  const { id } = await world.register(`${receiver.url}/a`);
  await world.register(`${receiver.url}/b`);
  await world.deposit();
  await world.deposit();
  const { refresh, read } = gauges();
  clock.advance(40_000);
  await refresh();
  assert.equal(await read('teller_deliveries_pending'), 4);
  assert.equal(await read('teller_delivery_due_age_seconds'), 40);

  await world.deps.db.updateTable('webhook_endpoints').set({ enabled: false }).where('id', '=', id).execute();
  clock.advance(1_000);
  await refresh();
  assert.equal(await read('teller_deliveries_pending'), 4, 'read at most every five seconds');
  clock.advance(5_000);
  await refresh();
  assert.equal(await read('teller_deliveries_pending'), 2);

  const leased_until = new Date(clock.now().getTime() + 60_000);
  await world.deps.db.updateTable('webhook_deliveries').set({ leased_until }).execute();
  clock.advance(5_000);
  await refresh();
  assert.equal(await read('teller_deliveries_pending'), 2);
  assert.equal(await read('teller_delivery_due_age_seconds'), 0);
});

test('figures of a database that went away are NaN, and the time of the last read stays', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none', world.deps.log);
  const of = { ...world.deps, metrics: createMetrics() };
  const refresh = createDatabaseGauges(of);
  await refresh();
  const read_at = clock.now().getTime() / 1000;
  of.reads = away.db; // createDatabaseGauges reads its pool at each look
  clock.advance(5_000);
  await refresh();
  const text = await of.metrics.registry.metrics();
  for (const state of ['awaiting_approval', 'queued', 'assigned', 'signed'])
    assert.match(text, new RegExp(`^teller_withdrawals_open{state="${state}"} Nan$`, 'm'));
  assert.match(text, /^teller_deliveries_pending Nan$/m);
  assert.equal(sampleOf(text, 'teller_database_read_timestamp_seconds'), read_at);
  await away.close();
});

test('a scrape does not wait for a database that hangs', async () => {
  const client = await world.deps.pool.connect();
  await client.query('begin');
  await client.query('lock table withdrawals in access exclusive mode');
  const { refresh, read } = gauges();
  let scraped = false;
  const done = refresh().then(() => {
    scraped = true;
  });
  for (; !scraped; await setImmediate()) clock.advance(1_000);
  await done;
  assert.ok(Number.isNaN(await read('teller_deliveries_pending')));
  await client.query('rollback');
  client.release();
});
