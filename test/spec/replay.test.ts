/** An endpoint's life: failing, disabled, enabled again, replayed. Nothing vanishes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  assertError,
  type RunningService,
  startRunningService,
  type Wallet,
} from '../support/running-service.ts';

let world: RunningService;
let wallet: Wallet;
const receivers: Receiver[] = [];
before(async () => {
  world = await startRunningService({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '600' });
  wallet = await world.newWallet();
});
after(async () => {
  for (const receiver of receivers) await receiver.close();
  await world.stop();
});

async function setUp(status: number) {
  const receiver = await startReceiver(status);
  receivers.push(receiver);
  const base = `/v1/wallets/${wallet.id}/webhooks`;
  const { body } = await world.api('POST', base, { token: wallet.api_key, body: { url: receiver.url } });
  const path = `${base}/${body.data.id}`;
  return {
    path,
    receiver,
    replay: (order: object) => world.api('POST', `${path}/replay`, { token: wallet.api_key, body: order }),
    patch: (change: object) => world.api('PATCH', path, { token: world.token, body: change }),
    /** Each with how many of its attempts are recorded: `attempts` counts one that has only begun. */
    states: async (): Promise<string[]> => {
      const answer = await world.api('GET', `${path}/deliveries`, { token: wallet.api_key });
      return answer.body.data.items.map(({ status, attempt_log }: any) => `${status} ${attempt_log.length}`);
    },
    remove: () => world.api('DELETE', path, { token: world.token }),
  };
}

async function deposit(): Promise<string> {
  const token = wallet.api_key;
  const { body } = await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token });
  return (await world.ledger.pay(await world.ledger.fund(), body.data.address, 5n)).hash;
}

describe('POST …/webhooks/:id/replay', () => {
  it('202 with how many: what failed since then is sent again at once, with the same bytes, id and number', async () => {
    const at = await setUp(500);
    const since = new Date().toISOString();
    await deposit();
    await deposit();
    await eventually('both have failed', async () => (await at.states()).join() === 'pending 1,pending 1');
    const first = at.receiver.requests.splice(0);
    at.receiver.answer(200);
    const answer = await at.replay({ since });
    assert.equal(answer.status, 202, answer.text);
    assert.deepEqual(answer.body.data, { count: 2n });
    await eventually(
      'both are delivered',
      async () => (await at.states()).join() === 'delivered 2,delivered 2',
    );
    for (const { body, headers } of at.receiver.requests) {
      const before = first.find((request) => request.headers['webhook-id'] === headers['webhook-id']);
      assert.deepEqual(body, before?.body);
      assert.equal(headers['webhook-sequence'], before?.headers['webhook-sequence']);
    }
    assert.deepEqual((await at.replay({ since })).body.data, { count: 0n });
    assert.deepEqual((await at.replay({ since, include_delivered: true })).body.data, { count: 2n });
    await at.receiver.received(4);
    await at.remove();
  });

  it('wants a time: without one, or with an invalid one, it is 400; for an endpoint that is not there it is 404', async () => {
    const at = await setUp(200);
    for (const order of [
      {},
      { since: 'yesterday' },
      { since: 1 },
      { since: '2026-01-01T00:00:00Z', until: 'x' },
    ]) {
      assertError(await at.replay(order), 400);
    }
    await at.remove();
    assertError(await at.replay({ since: '2026-01-01T00:00:00Z' }), 404);
  });
});

describe('an endpoint that is disabled', () => {
  it('keeps what comes, and gets it by itself once it is enabled', async () => {
    const at = await setUp(200);
    await at.patch({ enabled: false });
    const hashes = [await deposit(), await deposit()];
    await eventually('two wait', async () => (await at.states()).join() === 'pending 0,pending 0');
    assert.equal(at.receiver.requests.length, 0);
    await at.patch({ enabled: true });
    await at.receiver.received(2);
    assert.deepEqual(
      at.receiver.requests.map(({ body }) => JSON.parse(`${body}`).data.stellar_tx_hash).sort(),
      hashes.sort(),
    );
    await at.remove();
  });

  it('by five days of nothing but failures says why, and what failed goes at once when it is enabled', async () => {
    const at = await setUp(500);
    await deposit();
    await eventually('it has failed', async () => (await at.states()).join() === 'pending 1');
    await world.query("update webhook_endpoints set failing_since = now() - interval '5 days 1 minute'");
    await deposit();
    const read = async () => (await world.api('GET', at.path, { token: wallet.api_key })).body.data;
    const disabled = await eventually('it is disabled', async () => {
      const endpoint = await read();
      return endpoint.enabled === false && endpoint;
    });
    assert.match(disabled.disabled_reason, /five days/);
    await eventually('its line in the log', () => /webhook endpoint disabled/.test(world.service.output()));
    at.receiver.answer(200);
    await at.patch({ enabled: true });
    await eventually(
      'both are delivered',
      async () => (await at.states()).join() === 'delivered 2,delivered 2',
    );
    assert.equal((await read()).disabled_reason, null);
    await at.remove();
  });
});

describe('the delivery log', () => {
  it('shows the number of each delivery, its body, and of each attempt the headers that were sent', async () => {
    const at = await setUp(200);
    await deposit();
    await deposit();
    await eventually(
      'both are delivered',
      async () => (await at.states()).join() === 'delivered 1,delivered 1',
    );
    const { body } = await world.api('GET', `${at.path}/deliveries`, { token: wallet.api_key });
    assert.deepEqual(
      body.data.items.map(({ sequence }: any) => sequence),
      [2n, 1n],
    );
    const [{ id, event_id }] = body.data.items;
    const one = await world.api('GET', `${at.path}/deliveries/${id}`, { token: wallet.api_key });
    const sent = at.receiver.requests.find(({ headers }) => headers['webhook-id'] === event_id);
    assert.ok(one.text.includes(`"body":${sent?.body}`), 'the exact text');
    const [{ request_headers }] = one.body.data.attempt_log;
    // Null for an attempt whose sender did not record them.
    for (const [name, value] of Object.entries(request_headers ?? {}))
      assert.equal(sent?.headers[name.toLowerCase()], value);
    await at.remove();
  });
});
