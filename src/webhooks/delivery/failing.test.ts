/** When an endpoint that fails is disabled. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { startReceiver } from '../../../test/support/receiver.ts';
import { startDeliveries } from '../../../test/support/webhooks.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { type ClaimedDelivery, claimDue } from '../store/delivery-store.ts';
import { createRecorder } from './recorder.ts';

const at = await startDeliveries();
const { world, deliverDue, deliveries, readEndpoint } = at;
const { deps, clock } = world;

/** Makes a failed attempt now, at the end, and every day between. */
async function failFor(ms: number): Promise<void> {
  for (let left_ms = ms; ; left_ms -= DAY_MS) {
    await world.deposit();
    await deliverDue();
    if (left_ms <= 0) return;
    clock.advance(Math.min(left_ms, DAY_MS));
  }
}

test('days without attempts do not count as failures: the five days start again after them', async () => {
  at.receiver.answer(500);
  await world.deposit();
  await deliverDue();
  const { failing_since } = await readEndpoint();
  assert.equal(failing_since, clock.now().toISOString());
  await deps.db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed' })
    .where('endpoint_id', '=', at.endpoint.id)
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

test('five days of failures only disable the endpoint, with a reason; its events wait until it is enabled again', async () => {
  at.receiver.answer(500);
  await failFor(5 * DAY_MS - 1);
  assert.equal((await readEndpoint()).enabled, true);
  clock.advance(1);
  await world.deposit();
  await deliverDue();
  const disabled = await readEndpoint();
  assert.equal(disabled.enabled, false);
  assert.match(disabled.disabled_reason, /five days/);
  const { body: log } = await world.api('GET', '/v1/audit?action=endpoint.changed', {
    as: await world.login(),
  });
  const by_service = log.data.items.filter(({ actor }: any) => actor.kind === 'service');
  assert.deepEqual(by_service.map(({ target, before, after }: any) => [target.id, before, after]).at(0), [
    at.endpoint.id,
    { enabled: true },
    { enabled: false, disabled_reason: disabled.disabled_reason },
  ]);

  await world.deposit();
  clock.advance(40 * DAY_MS);
  await deliverDue();
  const sent = at.receiver.requests.length;
  const enabled = await world.api('PATCH', `/v1/wallets/:id/webhooks/${at.endpoint.id}`, {
    as: await world.login(),
    body: { enabled: true },
  });
  assert.equal(enabled.body.data.enabled, true);
  assert.equal(enabled.body.data.disabled_reason, null);
  at.receiver.answer(200);
  await deliverDue();
  assert(at.receiver.requests.length > sent);
  assert((await deliveries()).every((delivery) => delivery.status === 'delivered'));
});

test('a success ends the count of failing days', async () => {
  at.receiver.answer(500);
  await world.deposit();
  await deliverDue();
  clock.advance(4 * DAY_MS);
  at.receiver.answer(200);
  await deliverDue();
  clock.advance(4 * DAY_MS);
  at.receiver.answer(500);
  await world.deposit();
  await deliverDue();
  assert.equal((await readEndpoint()).enabled, true);
});

test('an endpoint with failures and one acknowledgement at the same moment is healthy', async () => {
  at.receiver.answer(500);
  await failFor(5 * DAY_MS - 1);
  clock.advance(1);
  await world.deposit();
  await world.deposit();
  const now = clock.now();
  const lease_until = new Date(now.getTime() + 60_000);
  const free = new Map([[at.endpoint.id, 64]]);
  const claimed = await claimDue(deps.db, { now, lease_until, room: 64, free });
  const recorder = createRecorder(deps, () => 0.5, new AbortController().signal);
  const recordSent = (delivery: ClaimedDelivery, n: number) => {
    const result = { status_code: n === 0 ? 200 : 500, retry_after: null, response_body: '' };
    return recorder.record({ delivery, started_at: now, finished_at: now, request_headers: {}, result });
  };
  await Promise.all(claimed.map(recordSent));
  const { enabled, failing_since } = await readEndpoint();
  assert.deepEqual({ enabled, failing_since }, { enabled: true, failing_since: null });
});

test('an endpoint that its owner disabled gets no reason from attempts that were under way', async () => {
  at.receiver.answer(500);
  await failFor(5 * DAY_MS - 1);
  clock.advance(1);
  let answer = () => {};
  at.receiver.answer((response) => {
    answer = () => response.writeHead(500).end();
  });
  await world.deposit();
  const sent = at.receiver.requests.length;
  await at.deliverer.step();
  await at.receiver.received(sent + 1);
  const change = { as: await world.login(), body: { enabled: false } };
  await world.api('PATCH', `/v1/wallets/:id/webhooks/${at.endpoint.id}`, change);
  answer();
  await at.deliverer.idle();
  assert.equal((await readEndpoint()).disabled_reason, null);
});

test('the other endpoints of the wallet that chose it get one event of the disabling, with the endpoint as GET shows it', async () => {
  const watcher = await startReceiver();
  after(() => watcher.close());
  await world.register(watcher.url, ['endpoint.disabled']);
  await world.api('PATCH', `/v1/wallets/:id/webhooks/${at.endpoint.id}`, {
    as: await world.login(),
    body: { events: ['deposit.created', 'endpoint.disabled'] },
  });
  at.receiver.answer(500);
  await failFor(5 * DAY_MS - 1);
  assert.equal(watcher.requests.length, 0);
  clock.advance(1);
  await world.deposit();
  await deliverDue();
  await deliverDue();
  const disabled = await readEndpoint();
  assert.equal(disabled.enabled, false);
  assert.equal(watcher.requests.length, 1);
  const told = JSON.parse(`${watcher.requests[0]?.body}`);
  assert.deepEqual(told, { event: 'endpoint.disabled', data: disabled });
  const own = (await deliveries()).filter(({ event }) => event === 'endpoint.disabled');
  assert.deepEqual(own, [], 'it would get that once somebody enables it');
});
