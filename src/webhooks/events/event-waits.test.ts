import { strict as assert } from 'node:assert';
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { startWebhookWorld } from '../../../test/support/webhooks.ts';
import { buildApp } from '../../api/app.ts';
import { newId } from '../../lib/ids.ts';
import { enqueueEvents } from './enqueue.ts';
import { createEventWaits } from './event-waits.ts';

const world = await startWebhookWorld();
const { api, deps, clock, wallet } = world;
after(() => world.close());

const EVENTS = '/v1/wallets/:id/events';

const idsOf = (items: { body: string }[]) => items.map(({ body }) => JSON.parse(body).data.id);

/** The real app on its own port: `inject` cannot show broken connections and a stop. */
async function listening() {
  const app = await buildApp(deps, {} as Parameters<typeof buildApp>[1]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/wallets/${wallet.id}/events`;
  return {
    app,
    get: async (query: string, options: { signal?: AbortSignal } = {}) => {
      const headers = { authorization: `Bearer ${wallet.api_key}` };
      const response = await fetch(`${url}?${query}`, { headers, ...options });
      return { status: response.status, headers: response.headers, body: (await response.json()) as any };
    },
  };
}

/** How many connections listen for events. */
async function listeners(): Promise<number> {
  const { rows } = await deps.pool.query(
    `select from pg_stat_activity
      where query = 'listen webhook_due' and state = 'idle' and datname = current_database()`,
  );
  return rows.length;
}

/** Resolves when so many requests wait, each for 30 s: a request that is not there yet would miss what follows. */
const waitFor = (count: number) => eventually(`${count} that wait`, () => clock.asleep(30_000) === count);

test('a waiting request is answered when an event is committed, and holds no database connection until then', async () => {
  const { app, get } = await listening();
  const waiting = Array.from({ length: 20 }, () => get('after=latest&wait_seconds=30'));
  await waitFor(20);
  const connections = () => deps.pool.totalCount - deps.pool.idleCount;
  await eventually('one connection that listens', async () => (await listeners()) === 1);
  await eventually('none that works', () => connections() === 0);
  const { next_after } = (await api('GET', `${EVENTS}?after=latest`)).body.data;
  await world.deposit({ id: 'dep_awaited' });
  for (const { status, body } of await Promise.all(waiting)) {
    assert.equal(status, 200);
    assert.deepEqual(idsOf(body.data.items), ['dep_awaited']);
    assert.equal(body.data.next_after, Number(next_after) + 1);
  }
  await app.close();
});

/** Advances the clock until there is an answer. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let answered = false;
  const end = () => {
    answered = true;
  };
  answer.then(end, end);
  await eventually('an answer', () => {
    clock.advance(5_000);
    return answered;
  });
  return answer;
}

test('after wait_seconds without an event the answer is empty, with where to go on', async () => {
  const { app, get } = await listening();
  const { status, body } = await inTime(get('after=latest&wait_seconds=30'));
  assert.equal(status, 200);
  assert.deepEqual(body.data.items, []);
  await app.close();
});

test('an event between the look and the wait is not missed, even without another announcement', async () => {
  const waits = createEventWaits(deps);
  const never = new AbortController().signal;
  const wait = (owner_id: string) =>
    waits.wait({ team_id: wallet.owner_id, wallet_id: wallet.id, owner_id, after: 0n }, 30_000, never);
  const number = (owner_id: string) =>
    deps.pool.query('insert into webhook_sequences (owner_id, last) values ($1, 1)', [owner_id]);
  await number('whe_first');
  await wait('whe_first');
  await eventually(
    'its connection listens, which is a reason to look too',
    async () => (await listeners()) === 1,
  );
  await number('whe_second');
  await wait('whe_second'); // the clock stands still: only the event ends it
  await waits.stop();
  await wait('whe_third'); // nor does anybody wait after a stop
});

test('a stop ends all waits at once', async () => {
  const { app, get } = await listening();
  const waiting = Array.from({ length: 5 }, () => get('after=latest&wait_seconds=30'));
  await waitFor(5);
  app.drain(); // as the service does: else connections that are kept alive delay the end
  await app.close(); // the clock stands still: it would never end by itself
  for (const { status, body } of await Promise.all(waiting)) {
    assert.equal(status, 200);
    assert.deepEqual(body.data.items, []);
  }
});

test('the 21st waiting request of a wallet is answered at once, empty and with Retry-After; one that hangs up frees its place', async () => {
  const { app, get } = await listening();
  const hangUp = new AbortController();
  const wait = () => get('after=latest&wait_seconds=30', { signal: hangUp.signal });
  const waiting = Array.from({ length: 21 }, wait);
  const refused = await Promise.race(waiting); // the clock stands still: the others wait
  assert.equal(refused.status, 200);
  assert.deepEqual(refused.body.data.items, []);
  assert.equal(refused.headers.get('retry-after'), '1');
  hangUp.abort();
  assert.equal((await Promise.allSettled(waiting)).filter(({ status }) => status === 'rejected').length, 20);
  await eventually('their places, before their time is over', () => clock.asleep(30_000) === 0);
  assert.equal((await inTime(get('after=latest&wait_seconds=30'))).status, 200);
  await app.close();
});

test('a key that is regenerated while its request waits gets 401, and no event', async () => {
  const another = await world.addWallet();
  const { app } = await listening();
  const path = `/v1/wallets/${another.id}`;
  const waiting = app.inject({
    method: 'GET',
    url: `${path}/events?wait_seconds=30`,
    headers: { authorization: `Bearer ${another.api_key}` },
  });
  await waitFor(1);
  const login = { as: another.login };
  assert.equal((await api('POST', `${path}/api-key/regenerate`, login)).status, 201);
  await deps.db.transaction().execute((trx) =>
    enqueueEvents(trx, [
      {
        wallet_id: another.id,
        type: 'deposit.created',
        about: 'anything',
        deposit_id: newId('dep', clock.now()),
        data: {},
        now: clock.now(),
      },
    ]),
  );
  assert.equal((await waiting).statusCode, 401);
  await app.close();
});

test('an event after a rotation is signed with the new secret, also for a request that was waiting before', async () => {
  const endpoint = await world.register('http://127.0.0.1:9/');
  const { app, get } = await listening();
  const waiting = get(`webhook_id=${endpoint.id}&wait_seconds=30`);
  await waitFor(1);
  const path = `/v1/wallets/:id/webhooks/${endpoint.id}/rotate-secret`;
  const { signing_secret } = (await api('POST', path, { as: await world.login() })).body.data;
  await world.deposit();
  const [{ body, headers }] = (await waiting).body.data.items;
  await app.close();
  assert.equal(headers['X-Svc-Signature'], createHmac('sha256', signing_secret).update(body).digest('hex'));
});
