/** What a process keeps of an endpoint: its limit, connections, keys and waiting deliveries. */
import { strict as assert } from 'node:assert';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { startDeliveries } from '../../../test/support/webhooks.ts';
import { newSigningSecret } from '../../outgoing/sign.ts';
import { Deliverer } from './deliverer.ts';
import { createEndpointSenders } from './endpoint-sender.ts';

const at = await startDeliveries();
const { world, deliverDue, deliverMany, deliveries, pending } = at;
const { deps, clock } = world;

const hmacOf = (body: Buffer, secret: string) => createHmac('sha256', secret).update(body).digest('hex');

test('deliveries that wait for a slot during a rotation are signed with the new secret', async () => {
  at.receiver.answer(200);
  for (let n = 0; n < 6; n++) {
    await world.deposit();
    await deliverDue(); // raises the limit
  }
  const held: ServerResponse[] = [];
  at.receiver.answer((response) => void held.push(response));
  for (let n = 0; n < 40; n++) await world.deposit();
  await at.deliverer.step();
  await eventually('all slots are taken', async () => held.length === 16);
  const change = { as: world.wallet.login };
  const path = `/v1/wallets/:id/webhooks/${at.endpoint.id}`;
  const { signing_secret } = (await world.api('POST', `${path}/rotate-secret`, change)).body.data;
  at.deliverer.endpointChanged(at.endpoint.id);
  const sent_before = at.receiver.requests.length;
  at.receiver.answer(200);
  for (const response of held) response.writeHead(200).end();
  await at.deliverer.idle();
  await deliverDue();
  const later = at.receiver.requests.slice(sent_before);
  assert.equal(later.length, 40 - 16);
  for (const { body, headers } of later)
    assert.equal(headers['x-svc-signature'], hmacOf(body, signing_secret));
});

test('the limit doubles after an acknowledgement and halves after a failure', async () => {
  await deliverMany(3);
  at.receiver.answer(500);
  await deliverMany(1);
  at.receiver.answer(() => {});
  for (let i = 0; i < 10; i++) await world.deposit();
  await at.deliverer.step();
  assert.equal((await pending()).filter(({ leased_until }) => leased_until).length, 4);
  clock.advance(15_000);
  await at.deliverer.idle();
});

test('an endpoint that begins to hang keeps one slot, and its waiting deliveries are given back', async () => {
  await deliverMany(40);
  at.receiver.answer(() => {});
  for (let i = 0; i < 40; i++) await world.deposit();
  await at.deliverer.step();
  await at.receiver.received(56);
  clock.advance(15_000);
  await at.deliverer.idle();
  assert((await pending()).every(({ leased_until }) => leased_until === null));
  await at.deliverer.step();
  await at.receiver.received(57);
  assert.equal((await pending()).filter(({ leased_until }) => leased_until).length, 1);
  at.receiver.answer(200);
  clock.advance(15_000);
  await at.deliverer.idle();
  clock.advance(5_000);
  await deliverDue();
  assert.deepEqual(await pending(), []);
});

test('deliveries that a claim skipped, because few slots were free, are claimed when the slots are free', async () => {
  let asked = 0;
  at.deliverer = new Deliverer(deps, { on_room: () => void asked++ });
  await deliverMany(3); // eight slots
  const held: ServerResponse[] = [];
  at.receiver.answer((response) => void held.push(response));
  for (let i = 0; i < 7; i++) await world.deposit();
  await at.deliverer.step();
  await at.receiver.received(10);
  await world.deposit();
  assert.equal(await at.deliverer.step(), false, 'a claim for one slot is not worth it');
  const asked_before = asked;
  at.receiver.answer(200);
  for (const response of held) response.end();
  await at.deliverer.idle();
  assert.equal(asked, asked_before + 1);
});

test('endpoints on one host do not share connections: one that hangs occupies none of the other’s', async () => {
  at.receiver.answer((response, { path }) => void (path === '/hook' || response.end()));
  const other = await world.register(`${at.receiver.url}/other`);
  for (let i = 0; i < 40; i++) await world.deposit();
  const delivered = async () =>
    (await world.api('GET', `/v1/wallets/:id/webhooks/${other.id}/deliveries?limit=200&status=delivered`))
      .body.data.items;
  await eventually('what the healthy one gets', async () => {
    await at.deliverer.step();
    return (await delivered()).length === 40;
  });
  assert.equal(at.receiver.requests.filter(({ path }) => path === '/hook').length, 1);
  clock.advance(15_000);
  await at.deliverer.idle();
});

test('a stop gives back unsent deliveries: no attempt is counted, and another process sends them at once', async () => {
  await deliverMany(40);
  at.receiver.answer(() => {});
  for (let i = 0; i < 40; i++) await world.deposit();
  await at.deliverer.step();
  await at.receiver.received(56);
  assert.equal((await pending()).filter(({ leased_until }) => leased_until).length, 40, 'all are claimed');
  const stopped = at.deliverer.stop();
  at.receiver.answer(200);
  await eventually('the unsent ones', async () => {
    await deliverDue(new Deliverer(deps));
    return at.receiver.requests.length === 80;
  });
  clock.advance(5_000);
  await stopped;
  const abandoned = await pending();
  assert.equal(abandoned.length, 16);
  clock.advance(60_000);
  await deliverDue(new Deliverer(deps));
  assert.equal(at.receiver.requests.length, 96);
  const twice = (await deliveries(200)).filter(({ attempts }) => attempts > 1n);
  assert.deepEqual(twice.map(({ id }) => id).sort(), abandoned.map(({ id }) => id).sort());
});

test('an attempt during which the machine slept is ended and logged before the next attempt', async () => {
  at.receiver.answer(() => {});
  await world.deposit();
  await at.deliverer.step();
  await at.receiver.received(1);
  at.receiver.answer(200);
  clock.advance(60_001);
  await at.deliverer.step(); // its sender was not used for so long that it would be gone if it were idle
  await at.deliverer.idle();
  assert.equal(at.receiver.requests.length, 1);
  const [{ attempt_log }] = await deliveries();
  assert.equal(attempt_log[0].error, 'no answer within 15 s');
});

/** Senders of a process that has sent nothing yet, without a database. */
function newSenders() {
  const senders = createEndpointSenders(deps, { resolve: async () => [] });
  const unsigned = { sealed_secret: Buffer.alloc(0), old_sealed_secrets: [] };
  return {
    senders,
    sender: (endpoint_id: string) => senders.of({ endpoint_id, url: at.receiver.url, ...unsigned }),
  };
}

test('slow endpoints together have at most 2,048 requests, and the other endpoints are not affected', async () => {
  const { senders, sender } = newSenders();
  sender('proven').adjustLimit({ status_code: 200, retry_after: null, response_body: null }, 0);
  sender('unproven');
  const free = () => Object.fromEntries([...senders.free(clock.now())].slice(0, 2));
  for (let n = 1; n < 2_048; n++) sender(`hanging ${n}`).in_flight = 1;
  assert.deepEqual(free(), { proven: 2, unproven: 1 });
  sender('hanging 2048').in_flight = 1;
  assert.deepEqual(free(), { proven: 2, unproven: 0 });
  await senders.close();
});

test('slow endpoints share one limit equally, however many they are, and a prompt endpoint keeps its own', async () => {
  const { senders, sender } = newSenders();
  const learn = (name: string, duration_ms: number) => {
    for (let n = 0; n < 5; n++)
      sender(name).adjustLimit({ status_code: 200, retry_after: null, response_body: null }, duration_ms);
  };
  learn('prompt', 999);
  for (let n = 0; n < 100; n++) learn(`slow ${n}`, 14_000);
  const free = (name: string) => senders.free(clock.now()).get(name);
  assert.deepEqual([free('prompt'), free('slow 0')], [32, 16]);
  for (let n = 100; n < 256; n++) learn(`slow ${n}`, 14_000);
  assert.deepEqual([free('prompt'), free('slow 0')], [32, 8]);
  for (let n = 0; n < 256; n++) sender(`slow ${n}`).in_flight = 8;
  assert.deepEqual([free('prompt'), free('slow 0')], [32, 0]);
  sender('slow 1').in_flight = 0;
  assert.deepEqual([free('prompt'), free('slow 1')], [32, 1]);
  await senders.close();
});

test('a secret is opened once, and no more stay open than can sign', async () => {
  const { senders, sender } = newSenders();
  const rotated = sender('whe_rotated');
  const seal = () => deps.secrets.seal('whe_rotated', newSigningSecret());
  const [oldest, ...newer] = [seal(), seal(), seal(), seal(), seal()] as const;
  const opened = rotated.openKeys(oldest);
  for (const secret of newer) rotated.openKeys(secret);
  assert.equal(rotated.openKeys(oldest), opened);
  rotated.openKeys(seal());
  assert.notEqual(rotated.openKeys(oldest), opened);
  await senders.close();
});
