/** Deliveries of events: acknowledged, retried, logged, redelivered. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { assertError, startRunningService } from '../support/running-service.ts';

type Endpoint = { id: string; signing_secret: string; receiver: Receiver };

const receivers: Receiver[] = [];
const world = await startRunningService({
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1,600',
});
const wallet = await world.newWallet();
after(async () => {
  for (const receiver of receivers) await receiver.close();
  await world.stop();
});

const at = ({ id }: { id: string }, rest = '') => `/v1/wallets/${wallet.id}/webhooks/${id}${rest}`;

async function register(answering: Parameters<typeof startReceiver>[0] = 200, path = ''): Promise<Endpoint> {
  const receiver = await startReceiver(answering);
  receivers.push(receiver);
  const answer = await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, {
    token: wallet.api_key,
    body: { url: receiver.url + path },
  });
  assert.equal(answer.status, 201, answer.text);
  return { ...answer.body.data, receiver };
}

const remove = async (endpoint: Endpoint) =>
  assert.equal((await world.api('DELETE', at(endpoint), { token: world.token })).status, 200);

async function deposit(): Promise<string> {
  const token = wallet.api_key;
  const { body } = await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token });
  return (await world.ledger.pay(await world.ledger.fund(), body.data.address, 5n)).hash;
}

const sign = (secret: string, body: Buffer) => createHmac('sha256', secret).update(body).digest('hex');

const deliveries = async (endpoint: Endpoint): Promise<any[]> => {
  const { body } = await world.api('GET', at(endpoint, '/deliveries'), { token: wallet.api_key });
  return body.data.items;
};

const settled = (endpoint: Endpoint, status: string) =>
  eventually(`a delivery ${status}`, async () => {
    const [delivery] = await deliveries(endpoint);
    if (delivery?.status !== status) return null;
    const { body } = await world.api('GET', at(endpoint, `/deliveries/${delivery.id}`), {
      token: wallet.api_key,
    });
    return body.data as any;
  });

describe('delivery', () => {
  it('goes to each registered URL, with the same bytes and each endpoint’s own signature', async () => {
    const [one, other] = [await register(200, '/one'), await register(204, '/other')];
    const hash = await deposit();
    await Promise.all([one.receiver.received(1), other.receiver.received(1)]);
    const [first, second] = [one.receiver.requests[0], other.receiver.requests[0]] as [Received, Received];
    assert.deepEqual(first.body, second.body);
    assert.ok(first.body.includes(hash));
    assert.equal(first.headers['x-svc-signature'], sign(one.signing_secret, first.body));
    assert.equal(second.headers['x-svc-signature'], sign(other.signing_secret, second.body));
    await remove(one);
    await remove(other);
  });

  it('a 2xx acknowledges it: delivered, one attempt, logged with time, duration, status and answer', async () => {
    const endpoint = await register((response) => response.writeHead(202).end('thank you'));
    await deposit();
    const delivery = await settled(endpoint, 'delivered');
    assert.match(delivery.id, /^dlv_/);
    assert.equal(delivery.attempt_log.length, 1);
    const [attempt] = delivery.attempt_log;
    assert.equal(attempt.status_code, 202n);
    assert.equal(attempt.response_body, 'thank you');
    assert.equal(attempt.error, null);
    assert.equal(typeof attempt.duration_ms, 'bigint');
    assert.match(attempt.started_at, /Z$/);
    assert.equal(endpoint.receiver.requests.length, 1);
    await remove(endpoint);
  });

  it('a non-2xx causes retries with the same bytes until a 2xx; every attempt is logged', async () => {
    const endpoint = await register((response) => {
      const status = [500, 301, 410][endpoint.receiver.requests.length - 1] ?? 200;
      response.writeHead(status, status === 301 ? { location: '/elsewhere' } : {}).end(`answer ${status}`);
    });
    await deposit();
    const delivery = await settled(endpoint, 'delivered');
    const { requests } = endpoint.receiver;
    assert.equal(requests.length, 4);
    for (const { body, path, headers } of requests) {
      assert.deepEqual(body, requests[0]?.body);
      assert.equal(path, '/', 'no redirect is followed');
      assert.equal(headers['x-svc-signature'], sign(endpoint.signing_secret, body));
      assert.equal(headers['webhook-id'], requests[0]?.headers['webhook-id']);
    }
    assert.deepEqual(
      delivery.attempt_log.map((attempt: any) => [attempt.status_code, attempt.response_body]).sort(),
      [
        [200n, 'answer 200'],
        [301n, 'answer 301'],
        [410n, 'answer 410'],
        [500n, 'answer 500'],
      ],
    );
    await remove(endpoint);
  });

  it('a receiver that breaks the connection is a failure, logged with its error, and retried', async () => {
    const endpoint = await register((response) => {
      if (endpoint.receiver.requests.length === 1) response.destroy();
      else response.writeHead(200).end();
    });
    await deposit();
    const delivery = await settled(endpoint, 'delivered');
    assert.equal(delivery.attempt_log.length, 2);
    const broken = delivery.attempt_log.find((attempt: any) => attempt.status_code === null);
    assert.equal(typeof broken.error, 'string');
    await remove(endpoint);
  });

  it('keeps the first 1 KiB of the answer, NUL bytes and broken UTF-8 too', async () => {
    const endpoint = await register((response) => {
      response
        .writeHead(200)
        .end(Buffer.concat([Buffer.from([0, 255, 254, 0xc3]), Buffer.alloc(100_000, 'é')]));
    });
    await deposit();
    const delivery = await settled(endpoint, 'delivered');
    assert.equal(delivery.attempt_log.length, 1);
    const { response_body } = delivery.attempt_log[0];
    assert.ok(response_body.length > 0 && Buffer.byteLength(response_body) <= 3 * 1024);
    await remove(endpoint);
  });

  it('carries the Standard Webhooks headers and a User-Agent', async () => {
    const endpoint = await register();
    await deposit();
    await endpoint.receiver.received(1);
    const { headers, body } = endpoint.receiver.requests[0] as Received;
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(endpoint.signing_secret.slice('whsec_'.length), 'base64');
    const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    assert.equal(headers['webhook-signature'], expected);
    const age = Date.now() / 1000 - Number(headers['webhook-timestamp']);
    assert.ok(age > -5 && age < 60);
    assert.ok((headers['user-agent'] ?? '').length > 0);
    await remove(endpoint);
  });
});

describe('redelivery', () => {
  it('202, and the same bytes again', async () => {
    const endpoint = await register();
    await deposit();
    const { id } = await settled(endpoint, 'delivered');
    for (const token of [wallet.api_key, world.token]) {
      const count = endpoint.receiver.requests.length;
      const answer = await world.api('POST', at(endpoint, `/deliveries/${id}/redeliver`), { token });
      assert.equal(answer.status, 202, answer.text);
      await endpoint.receiver.received(count + 1);
      await settled(endpoint, 'delivered');
    }
    const [first, ...again] = endpoint.receiver.requests;
    for (const { body } of again) assert.deepEqual(body, first?.body);
    await remove(endpoint);
  });
});

describe('rotating the secret', () => {
  it('X-Svc-Signature uses the new one at once, retries too; webhook-signature has both', async () => {
    const endpoint = await register(500);
    await deposit();
    await endpoint.receiver.received(1);
    const { body } = await world.api('POST', at(endpoint, '/rotate-secret'), { token: world.token });
    const { signing_secret } = body.data;
    // The next one may have been signed before; the one after it was not.
    await endpoint.receiver.received(endpoint.receiver.requests.length + 2);
    const request = endpoint.receiver.requests.at(-1) as Received;
    assert.deepEqual(request.body, endpoint.receiver.requests[0]?.body);
    assert.equal(request.headers['x-svc-signature'], sign(signing_secret, request.body));
    assert.equal((request.headers['webhook-signature'] as string).split(' ').length, 2);
    await remove(endpoint);
  });
});

describe('a test of an endpoint', () => {
  it('queues a signed ping, or deposit.test; deposit.created is signed only for a real deposit', async () => {
    const endpoint = await register();
    const test = (body?: unknown) =>
      world.api('POST', at(endpoint, '/test'), {
        token: wallet.api_key,
        ...(body !== undefined && { body }),
      });
    const ping = await test();
    assert.ok(ping.status === 202, ping.text);
    await endpoint.receiver.received(1);
    const [request] = endpoint.receiver.requests as [Received];
    assert.equal((fromJson(`${request.body}`) as any).event, 'ping');
    assert.equal(request.headers['x-svc-signature'], sign(endpoint.signing_secret, request.body));
    for (const field of ['event', 'type']) {
      const answer = await test({ [field]: 'deposit.created' });
      assertError(answer, 400);
    }
    await remove(endpoint);
  });
});

describe('an endpoint that is gone or disabled gets nothing', () => {
  it('neither new events nor the retries of old ones', async () => {
    const [gone, off, alive] = [await register(500), await register(500), await register(200)];
    await deposit();
    await Promise.all([gone.receiver.received(1), off.receiver.received(1)]);
    await remove(gone);
    const disable = { token: world.token, body: { enabled: false } };
    assert.equal((await world.api('PATCH', at(off), disable)).status, 200);
    await eventually('nothing that began before is under way', async () => {
      const sql = `select from webhook_deliveries delivery where endpoint_id in ($1, $2) and attempts >
                     (select count(*) from webhook_attempts where delivery_id = delivery.id)`;
      return (await world.query(sql, [gone.id, off.id])).length === 0;
    });
    const before = [gone.receiver.requests.length, off.receiver.requests.length];
    const hash = await deposit();
    await eventually('the third endpoint’s event', () =>
      alive.receiver.requests.some(({ body }) => body.includes(hash)),
    );
    await eventually('two further steps of the schedule', async () => {
      const sql = "select now() > max(created_at) + interval '2.5 seconds' as passed from webhook_deliveries";
      return (await world.query(sql))[0].passed;
    });
    assert.deepEqual([gone.receiver.requests.length, off.receiver.requests.length], before);
    await remove(alive);
  });
});
