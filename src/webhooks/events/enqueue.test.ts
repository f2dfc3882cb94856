import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { startWebhookWorld } from '../../../test/support/webhooks.ts';
import { newId } from '../../lib/ids.ts';
import { type EventType, enqueueEvents, type OutgoingEvent, walletsToTell } from './enqueue.ts';

const world = await startWebhookWorld({ WEBHOOK_ALLOWED_HOSTS: 'receiver.test' });
const { deps, clock, wallet } = world;
const { db } = deps;
after(() => world.close());

let serial = 0;
const created = (wallet_id: string, data: object, about = `${++serial}`) =>
  ({
    wallet_id,
    type: 'deposit.created',
    about,
    deposit_id: newId('dep', clock.now()),
    data,
    now: clock.now(),
  }) as const;

test('an event gets one delivery for each endpoint of its wallet, disabled ones too, deleted ones not', async () => {
  const other = await world.addWallet();
  const urls = [
    'http://receiver.example.com/1',
    'http://receiver.example.com/2',
    'http://receiver.example.com/3',
  ];
  const [kept, disabled, deleted] = await Promise.all(urls.map((url) => world.register(url)));
  await world.api('PATCH', `/v1/wallets/:id/webhooks/${disabled?.id}`, {
    as: wallet.login,
    body: { enabled: false },
  });
  await world.api('DELETE', `/v1/wallets/:id/webhooks/${deleted?.id}`, { as: wallet.login });
  await db
    .transaction()
    .execute((trx) =>
      enqueueEvents(trx, [
        created(wallet.id, { n: 1n }),
        created(other.id, { n: 2n }),
        created(wallet.id, { n: 3n }),
      ]),
    );
  const rows = await db
    .selectFrom('webhook_events as event')
    .leftJoin('webhook_deliveries as delivery', 'delivery.event_id', 'event.id')
    .select(['event.wallet_id', 'event.body', 'delivery.endpoint_id', 'delivery.status'])
    .execute();
  const seen = rows.map((row) => `${row.body} ${row.endpoint_id ?? 'nobody'} ${row.status}`).sort();
  const expected = [kept?.id, disabled?.id].flatMap((id) => [
    `{"event":"deposit.created","data":{"n":1}} ${id} pending`,
    `{"event":"deposit.created","data":{"n":3}} ${id} pending`,
  ]);
  assert.deepEqual(seen, [...expected, '{"event":"deposit.created","data":{"n":2}} nobody null'].sort());
});

test('events about the same subject have the same id in every database, and are recorded once in each', async () => {
  const { id: endpoint_id } = await world.register('http://receiver.example.com/5');
  const make = (...events: ReturnType<typeof created>[]) =>
    db.transaction().execute((trx) => enqueueEvents(trx, events));
  const made = async () =>
    db
      .selectFrom('webhook_deliveries as delivery')
      .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
      .select(['event.id', 'event.body'])
      .where('delivery.endpoint_id', '=', endpoint_id)
      .orderBy('delivery.id')
      .execute();
  await make(created(wallet.id, { n: 5n }, 'the same'));
  const [first] = await made();
  assert.match(first?.id ?? '', /^evt_[0-9a-hjkmnp-tv-z]{26}$/);
  await make(created(wallet.id, { n: 6n }, 'the same'), created(wallet.id, { n: 7n }, 'another'));
  const [, other, ...more] = await made();
  assert.deepEqual(
    [`${first?.body}`.includes('"n":5'), `${other?.body}`.includes('"n":7'), more],
    [true, true, []],
  );
  assert.notEqual(other?.id, first?.id);
  // As in a database restored from an older copy.
  await db.deleteFrom('webhook_deliveries').where('endpoint_id', '=', endpoint_id).execute();
  await db
    .deleteFrom('webhook_deliveries')
    .where('event_id', '=', first?.id ?? '')
    .execute();
  await db
    .deleteFrom('webhook_events')
    .where('id', '=', first?.id ?? '')
    .execute();
  await make(created(wallet.id, { n: 5n }, 'the same'));
  assert.deepEqual(await made(), [first]);
});

test('an event is gone when its transaction rolls back', async () => {
  const count = async () => (await db.selectFrom('webhook_events').select('id').execute()).length;
  const before = await count();
  const rolledBack = db.transaction().execute(async (trx) => {
    await enqueueEvents(trx, [created(wallet.id, { n: 9n })]);
    throw new Error('changed my mind');
  });
  await assert.rejects(rolledBack, /changed my mind/);
  assert.equal(await count(), before);
});

test('an endpoint that is deleted while an event is being recorded leaves no delivery pending for ever', async () => {
  const { id } = await world.register('http://receiver.example.com/4');
  let deletion: Promise<unknown> | undefined;
  await db.transaction().execute(async (trx) => {
    await enqueueEvents(trx, [created(wallet.id, { n: 4n })]);
    deletion = world.api('DELETE', `/v1/wallets/:id/webhooks/${id}`, { as: wallet.login });
    // The deletion waits for this transaction: until it does, the two have not met.
    let deleted = false;
    const end = () => {
      deleted = true;
    };
    deletion.then(end, end); // its outcome is awaited below
    while ((await world.blocked()).length === 0) assert(!deleted, 'it did not wait');
  });
  await deletion;
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('status')
    .where('endpoint_id', '=', id)
    .execute();
  assert.deepEqual(rows, [{ status: 'failed' }]);
});

test('two transactions that record events of the same wallets in opposite order do not deadlock', async () => {
  const [first, second] = [wallet.id, (await world.addWallet()).id];
  const record = (...wallet_ids: string[]) =>
    db.transaction().execute((trx) =>
      enqueueEvents(
        trx,
        wallet_ids.map((id) => created(id, {})),
      ),
    );
  await record(first, second);
  const recording: Promise<void>[] = [];
  await db.transaction().execute(async (holder) => {
    await holder
      .selectFrom('webhook_sequences')
      .select('last')
      .where('owner_id', '=', second)
      .forUpdate()
      .execute();
    recording.push(record(second, first));
    await eventually('it waits', async () => (await world.blocked()).length === 1);
    recording.push(record(first, second));
    await eventually('so does the other', async () => (await world.blocked()).length === 2);
  });
  await Promise.all(recording);
});

test('events and deliveries are numbered without a gap, in the order of their commits, also when some roll back', async () => {
  const many = await world.addWallet();
  const register = (url: string) =>
    world.api('POST', `/v1/wallets/${many.id}/webhooks`, { as: many.login, body: { url } });
  await Promise.all([register('http://receiver.example.com/a'), register('http://receiver.example.com/b')]);
  const enqueue = (n: number, fails: boolean) =>
    db.transaction().execute(async (trx) => {
      await enqueueEvents(trx, [created(many.id, { n }), created(many.id, { n: n + 1 })]);
      if (fails) throw new Error('changed my mind');
    });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) => enqueue(index * 2, index % 3 === 0)),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 20);
  const rows = await db
    .selectFrom('webhook_events as event')
    .innerJoin('webhook_deliveries as delivery', 'delivery.event_id', 'event.id')
    .select(['event.sequence as event', 'delivery.endpoint_id', 'delivery.sequence as delivery'])
    .where('event.wallet_id', '=', many.id)
    .orderBy('event.sequence')
    .execute();
  const expected = Array.from({ length: 40 }, (_, index) => BigInt(index + 1));
  const lists = [...Map.groupBy(rows, ({ endpoint_id }) => endpoint_id).values()];
  assert.equal(lists.length, 2);
  for (const list of lists) {
    assert.deepEqual(
      list.map(({ event }) => event),
      expected,
    );
    assert.deepEqual(
      list.map(({ delivery }) => delivery),
      expected,
    );
  }
});

const confirmed = (wallet_id: string, type: EventType = 'withdrawal.confirmed'): OutgoingEvent => ({
  wallet_id,
  type,
  about: `${++serial}`,
  deposit_id: null,
  data: { n: BigInt(serial) },
  now: clock.now(),
});

test('an endpoint gets the types that it chose and no other, and both keep their numbers without a gap', async () => {
  const one = await world.addWallet();
  const choose = async (path: string, events?: EventType[]) => {
    const body = { url: `http://receiver.example.com/${path}`, ...(events ? { events } : {}) };
    return (await world.api('POST', `/v1/wallets/${one.id}/webhooks`, { as: one.login, body })).body.data.id;
  };
  const [as_before, outcomes, all] = [
    await choose('before'),
    await choose('outcomes', ['withdrawal.confirmed', 'withdrawal.failed']),
    await choose('all', ['deposit.created', 'withdrawal.confirmed']),
  ];
  await db
    .transaction()
    .execute((trx) =>
      enqueueEvents(trx, [
        created(one.id, { n: 1n }),
        confirmed(one.id),
        confirmed(one.id, 'asset.changed'),
        confirmed(one.id, 'withdrawal.failed'),
      ]),
    );
  const rows = await db
    .selectFrom('webhook_events as event')
    .innerJoin('webhook_deliveries as delivery', 'delivery.event_id', 'event.id')
    .select(['event.type', 'event.sequence as number', 'delivery.endpoint_id', 'delivery.sequence'])
    .where('event.wallet_id', '=', one.id)
    .orderBy('delivery.id')
    .execute();
  const seen = (id: string) =>
    rows
      .filter(({ endpoint_id }) => endpoint_id === id)
      .map(({ type, number, sequence }) => `${number} ${type} ${sequence}`);
  assert.deepEqual(seen(as_before), ['1 deposit.created 1']);
  assert.deepEqual(seen(outcomes), ['2 withdrawal.confirmed 1', '3 withdrawal.failed 2']);
  assert.deepEqual(seen(all), ['1 deposit.created 1', '2 withdrawal.confirmed 2']);
  const types = await db
    .selectFrom('webhook_events')
    .select('type')
    .where('wallet_id', '=', one.id)
    .execute();
  assert.equal(types.length, 3, 'nobody chose asset.changed, so it is not recorded');
});

test('a wallet gets an event only while one of its endpoints has chosen the type', async () => {
  const [chosen, other] = [await world.addWallet(), await world.addWallet()];
  const toTell = () =>
    db
      .transaction()
      .execute(async (trx) => [
        ...(await walletsToTell(trx, [chosen.id, other.id, chosen.id], ['withdrawal.failed'])),
      ]);
  assert.deepEqual(await toTell(), []);
  const body = { url: 'http://receiver.example.com/6', events: ['withdrawal.failed'] };
  const { id } = (await world.api('POST', `/v1/wallets/${chosen.id}/webhooks`, { as: chosen.login, body }))
    .body.data;
  assert.deepEqual(await toTell(), [chosen.id]);
  await world.api('DELETE', `/v1/wallets/${chosen.id}/webhooks/${id}`, { as: chosen.login });
  assert.deepEqual(await toTell(), []);
});
