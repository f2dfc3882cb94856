import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { startReceiver } from '../../../test/support/receiver.ts';
import { startWebhookWorld } from '../../../test/support/webhooks.ts';
import { newId } from '../../lib/ids.ts';
import { Deliverer } from '../delivery/deliverer.ts';
import { enqueueEvents } from './enqueue.ts';

const world = await startWebhookWorld();
const { api, deps, clock } = world;
const receiver = await startReceiver();
after(async () => {
  await receiver.close();
  await world.close();
});

const HOOKS = '/v1/wallets/:id/webhooks';
const EVENTS = '/v1/wallets/:id/events';

const idsOf = (items: { body: string }[]) => items.map(({ body }) => JSON.parse(body).data.id);
const numbers = (items: { sequence: bigint }[]) => items.map(({ sequence }) => Number(sequence));

async function deliverDue(): Promise<void> {
  const deliverer = new Deliverer(deps);
  while (await deliverer.step()) await deliverer.idle();
  await deliverer.stop();
}

test('the wallet’s events come oldest first, a page at a time, and next_after continues them', async () => {
  const empty = await api('GET', EVENTS);
  assert.equal(empty.status, 200);
  assert.deepEqual(empty.body.data, { items: [], next_after: 0n });
  for (const id of ['dep_1', 'dep_2', 'dep_3']) await world.deposit({ id });
  const first = (await api('GET', `${EVENTS}?limit=2`)).body.data;
  assert.deepEqual(idsOf(first.items), ['dep_1', 'dep_2']);
  assert.deepEqual(numbers(first.items), [1, 2]);
  assert.equal(first.next_after, 2n);
  const [item] = first.items;
  assert.equal(item.body, '{"event":"deposit.created","data":{"id":"dep_1"}}');
  assert.deepEqual(item, {
    id: item.id,
    event: 'deposit.created',
    sequence: 1n,
    created_at: clock.now().toISOString(),
    body: item.body,
    headers: null,
  });
  const second = (await api('GET', `${EVENTS}?limit=2&after=2`)).body.data;
  assert.deepEqual(idsOf(second.items), ['dep_3']);
  assert.deepEqual((await api('GET', `${EVENTS}?after=3`)).body.data, { items: [], next_after: 3n });
  assert.deepEqual((await api('GET', `${EVENTS}?after=latest`)).body.data, { items: [], next_after: 3n });
});

test('an endpoint’s events equal its deliveries: the same bytes, id, number and signed headers', async () => {
  receiver.requests.length = 0;
  const endpoint = await world.register(receiver.url);
  await world.deposit({ id: 'dep_4', amount_stroops: 9223372036854775807n });
  await api('POST', `${HOOKS}/${endpoint.id}/test`);
  await deliverDue();
  const { items, next_after } = (await api('GET', `${EVENTS}?webhook_id=${endpoint.id}`)).body.data;
  assert.deepEqual(numbers(items), [1, 2], 'none of those from before the endpoint');
  assert.equal(next_after, 2n);
  for (const item of items) {
    const sent = receiver.requests.find(({ headers }) => headers['webhook-id'] === item.id);
    assert.equal(item.body, `${sent?.body}`);
    // The clock stands still, so that the signatures are over the same time.
    for (const [name, value] of Object.entries(item.headers))
      assert.equal(value, sent?.headers[name.toLowerCase()], name);
    const own = ['host', 'connection', 'content-length'];
    assert.deepEqual(
      Object.keys(sent?.headers ?? {})
        .filter((name) => !own.includes(name))
        .sort(),
      Object.keys(item.headers)
        .map((name) => name.toLowerCase())
        .sort(),
    );
  }
});

test('after a rotation both secrets sign fetched events and retries for 24 hours, then only the new one', async () => {
  const target = await startReceiver(500);
  const endpoint = await world.register(target.url);
  await world.deposit();
  const signatures = async () => {
    // Otherwise the failed delivery waits for a later step.
    await api('POST', `${HOOKS}/${endpoint.id}/replay`, { body: { since: '2026-01-01T00:00:00Z' } });
    await deliverDue();
    const [event] = (await api('GET', `${EVENTS}?webhook_id=${endpoint.id}`)).body.data.items;
    const sent = target.requests.at(-1)?.headers;
    const signature: string = event.headers['webhook-signature'];
    assert.equal(sent?.['webhook-signature'], signature);
    assert.equal(sent?.['x-svc-signature'], event.headers['X-Svc-Signature']);
    return signature.split(' ').length;
  };
  assert.equal(await signatures(), 1);
  await api('POST', `${HOOKS}/${endpoint.id}/rotate-secret`, { as: await world.login() });
  assert.equal(await signatures(), 2);
  clock.advance(24 * 3_600_000 - 1);
  assert.equal(await signatures(), 2);
  clock.advance(1);
  assert.equal(await signatures(), 1);
  assert.equal(target.requests.length, 4);
  await api('DELETE', `${HOOKS}/${endpoint.id}`, { as: await world.login() });
  await target.close();
});

test('a disabled endpoint’s events can be fetched; of a deleted or unknown one they are 404', async () => {
  const endpoint = await world.register(receiver.url);
  const path = `${HOOKS}/${endpoint.id}`;
  await api('PATCH', path, { as: await world.login(), body: { enabled: false } });
  await world.deposit({ id: 'dep_disabled' });
  const of = (id: string) => api('GET', `${EVENTS}?webhook_id=${id}`);
  assert.deepEqual(idsOf((await of(endpoint.id)).body.data.items), ['dep_disabled']);
  await api('DELETE', path, { as: await world.login() });
  for (const id of [endpoint.id, 'whe_unknown', 'nonsense', '%00']) assert.equal((await of(id)).status, 404);
  const other = await world.addWallet();
  const theirs = `/v1/wallets/${other.id}/events?webhook_id=${endpoint.id}`;
  assert.equal((await api('GET', theirs, { as: other.api_key })).status, 404);
  assert.equal((await api('GET', EVENTS, { as: other.api_key })).status, 404);
});

test('a number that no event has had is refused, not waited for: after a restore events would be missed', async () => {
  const { next_after } = (await api('GET', `${EVENTS}?after=latest`)).body.data;
  const { status, body } = await api('GET', `${EVENTS}?after=${next_after + 1n}&wait_seconds=30`);
  assert.equal(status, 422);
  assert.equal(body.error.code, 'sequence_unknown');
});

test('an invalid number, limit or wait and an unknown parameter are 400', async () => {
  const refused = [
    'after=-1',
    'after=01',
    'after=1.0',
    'after=last',
    `after=${'9'.repeat(19)}`,
    'limit=0',
    'limit=201',
  ];
  const waits = ['wait_seconds=31', 'wait_seconds=-1', 'wait_seconds=1.5', 'wait_seconds=100', 'cursor=x'];
  for (const query of [...refused, ...waits]) {
    assert.equal((await api('GET', `${EVENTS}?${query}`)).status, 400, query);
  }
});

test('a reader gets every event once and in order while many transactions write', async () => {
  const busy = await world.addWallet();
  const body = { url: receiver.url };
  const made = await api('POST', `/v1/wallets/${busy.id}/webhooks`, { as: busy.login, body });
  const WRITERS = 8;
  const EACH = 25;
  let written = 0;
  let running = WRITERS;
  const write = async (writer: number) => {
    for (let n = 0; n < EACH; n++) {
      const event = (index: number) => ({
        wallet_id: busy.id,
        type: 'deposit.created' as const,
        about: `${writer}-${n}-${index}`,
        deposit_id: newId('dep', clock.now()),
        data: { id: `${writer}-${n}-${index}` },
        now: clock.now(),
      });
      const commit = deps.db.transaction().execute(async (trx) => {
        await enqueueEvents(trx, [event(0), event(1)]);
        // Some take longer from their numbers to their commit than others, and some roll back.
        await trx.executeQuery({
          sql: `select pg_sleep(${((writer + n) % 4) / 1000})`,
          parameters: [],
        } as never);
        if ((writer + n) % 5 === 0) throw new Error('changed my mind');
      });
      await commit.then(
        () => {
          written += 2;
        },
        () => {},
      );
    }
    running--;
  };
  const read = async (query: string) => {
    const seen: any[] = [];
    for (let after = 0n; ; ) {
      const finished = running === 0;
      const path = `/v1/wallets/${busy.id}/events?limit=7&after=${after}${query}`;
      const { items, next_after } = (await api('GET', path, { as: busy.api_key })).body.data;
      seen.push(...items);
      after = next_after;
      if (finished && items.length === 0) return seen;
    }
  };
  const [ofWallet, ofEndpoint] = await Promise.all([
    read(''),
    read(`&webhook_id=${made.body.data.id}`),
    ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
  ]);
  assert(written > WRITERS * EACH);
  for (const seen of [ofWallet, ofEndpoint]) {
    assert.deepEqual(
      numbers(seen),
      Array.from({ length: written }, (_, n) => n + 1),
    );
    assert.equal(new Set(idsOf(seen)).size, written);
  }
});
