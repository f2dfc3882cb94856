import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { startWebhookWorld } from '../../../test/support/webhooks.ts';
import { Deliverer } from './deliverer.ts';

const world = await startWebhookWorld({ WEBHOOK_RETRY_SECONDS: '5,30' });
const { api, deps, clock } = world;
const receiver = await startReceiver();
const { id } = await world.register(receiver.url);
const deliverer = new Deliverer(deps, { random: () => 0.5 });
after(async () => {
  await receiver.close();
  await world.close();
});

const PATH = `/v1/wallets/:id/webhooks/${id}/deliveries`;

async function deliverDue(): Promise<void> {
  while (await deliverer.step()) await deliverer.idle();
}

async function newDelivery() {
  await world.deposit();
  receiver.requests.length = 0;
  clock.advance(1); // its id is the newest
  return (await api('GET', PATH)).body.data.items[0];
}

const read = async (delivery: { id: string }) => (await api('GET', `${PATH}/${delivery.id}`)).body.data;
const redeliver = (delivery: { id: string }) => api('POST', `${PATH}/${delivery.id}/redeliver`);

test('an acknowledged delivery is sent again with the same bytes and id, and its attempts are counted on', async () => {
  const delivery = await newDelivery();
  receiver.answer(200);
  await deliverDue();
  const { status, body } = await redeliver(delivery);
  assert.equal(status, 202);
  assert.equal(body.data.status, 'pending');
  assert.equal(body.data.settled_at, null);
  await deliverDue();
  const [first, second] = receiver.requests;
  assert.deepEqual(first?.body, second?.body);
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  const after = await read(delivery);
  assert.equal(after.status, 'delivered');
  assert.equal(after.attempts, 2n);
});

test('a delivery that was given up gets its whole schedule again', async () => {
  const delivery = await newDelivery();
  receiver.answer(500);
  for (const wait_ms of [0, 5_000, 30_000]) {
    clock.advance(wait_ms);
    await deliverDue();
  }
  assert.equal((await read(delivery)).status, 'failed');
  await redeliver(delivery);
  for (const wait_ms of [0, 5_000, 30_000]) {
    clock.advance(wait_ms);
    await deliverDue();
  }
  const after = await read(delivery);
  assert.equal(after.status, 'failed');
  assert.equal(after.attempts, 6n);
});

test('a delivery that waits for its next step becomes due now', async () => {
  const delivery = await newDelivery();
  receiver.answer(500);
  await deliverDue();
  receiver.answer(200);
  await deliverDue();
  assert.equal(receiver.requests.length, 1);
  await redeliver(delivery);
  await deliverDue();
  assert.equal(receiver.requests.length, 2);
  assert.equal((await read(delivery)).status, 'delivered');
});

test('many redeliveries at once send it once', async () => {
  const delivery = await newDelivery();
  receiver.answer(200);
  await deliverDue();
  const answers = await Promise.all(Array.from({ length: 20 }, () => redeliver(delivery)));
  assert(answers.every(({ status }) => status === 202));
  await deliverDue();
  assert.equal(receiver.requests.length, 2);
});

test('while an attempt is under way no second one starts; if it fails, the schedule starts from its first step', async () => {
  const delivery = await newDelivery();
  receiver.answer(500);
  await deliverDue();
  clock.advance(5_000);
  let finish = () => {};
  receiver.answer((response) => {
    finish = () => response.writeHead(500).end();
  });
  await deliverer.step();
  await receiver.received(2);
  await redeliver(delivery);
  assert.equal(await deliverer.step(), false);
  finish();
  await deliverer.idle();
  const failed = await read(delivery);
  assert.equal(failed.next_attempt_at, new Date(clock.now().getTime() + 5_000).toISOString());
  receiver.answer(200);
  clock.advance(5_000);
  await deliverDue();
  assert.equal((await read(delivery)).status, 'delivered');
});

test('a disabled endpoint gets the delivery once it is enabled', async () => {
  const delivery = await newDelivery();
  receiver.answer(200);
  await deliverDue();
  const enable = (enabled: boolean) =>
    api('PATCH', `/v1/wallets/:id/webhooks/${id}`, { as: world.wallet.login, body: { enabled } });
  await enable(false);
  assert.equal((await redeliver(delivery)).status, 202);
  await deliverDue();
  assert.equal(receiver.requests.length, 1);
  await enable(true);
  await deliverDue();
  assert.equal(receiver.requests.length, 2);
});

test('a delivery of a deleted endpoint is 404', async () => {
  const target = await startReceiver();
  const endpoint = await world.register(target.url);
  const path = `/v1/wallets/:id/webhooks/${endpoint.id}`;
  const { body } = await api('POST', `${path}/test`);
  await api('DELETE', path, { as: world.wallet.login });
  assert.equal((await api('POST', `${path}/deliveries/${body.data.id}/redeliver`)).status, 404);
  await target.close();
});

test('a redelivery during the deletion of its endpoint does not stay pending', async () => {
  const endpoint = await world.register(receiver.url);
  const path = `/v1/wallets/:id/webhooks/${endpoint.id}`;
  const { id } = (await api('POST', `${path}/test`)).body.data;
  receiver.answer(200);
  await deliverDue();
  let [asked, deleted]: Promise<unknown>[] = [];
  await deps.db.transaction().execute(async (holder) => {
    await holder.selectFrom('webhook_deliveries').select('id').where('id', '=', id).forUpdate().execute();
    asked = api('POST', `${path}/deliveries/${id}/redeliver`);
    await eventually('it has seen the endpoint and waits', async () => (await world.blocked()).length === 1);
    let done = false;
    deleted = api('DELETE', path, { as: await world.login() }).then(() => {
      done = true;
    });
    await eventually('the deletion', async () => done || (await world.blocked()).length === 2);
  });
  await Promise.all([asked, deleted]);
  assert.equal((await api('GET', `${path}/deliveries/${id}`)).body.data.status, 'failed');
});
