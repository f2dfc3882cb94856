/** Receivers with the TypeScript client, and events that are read without one, on the real service. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import express from 'express';
import fastify from 'fastify';
import {
  isEvent,
  NotPossibleError,
  TellerClient,
  type VerifiedWebhook,
} from '../../clients/typescript/src/index.ts';
import { webhookHandler as expressHandler } from '../../clients/typescript/src/webhooks/express.ts';
import { webhookPlugin } from '../../clients/typescript/src/webhooks/fastify.ts';
import {
  webhookHandler as fetchHandler,
  type WebhookHandlerOptions,
} from '../../clients/typescript/src/webhooks/fetch.ts';
import { eventually, PATIENCE_MS } from '../support/eventually.ts';
import { startRunningService } from '../support/running-service.ts';
import { listening } from './listening.ts';

const world = await startRunningService({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '1' });
after(() => world.stop());
const base_url = world.service.url;
const owner = new TellerClient({ base_url, token: world.token });
const wallet = await world.newWallet();
const shop = new TellerClient({ base_url, api_key: wallet.api_key });

describe('events', () => {
  it('are followed from a number on, as they come, exactly', async () => {
    const { metadata_text, ...address } = await shop.addresses.create(wallet.id, {
      metadata_text: '{"order": 9007199254740993}',
    });
    const stop = new AbortController();
    const following = shop.events.follow(wallet.id, { after: 0n }, { signal: stop.signal });
    const coming = following.next();
    await owner.sandbox.pay({ destination: address.address, amount_stroops: 55_000_000n });
    const { value } = await coming;
    assert.ok(value);
    const { parsed, sequence } = value;
    assert.equal(sequence, 1n);
    assert.ok(isEvent(parsed, 'deposit.created'));
    assert.equal(parsed.data.amount_stroops, 55_000_000n);
    assert.equal(parsed.data.address_id, address.id);
    assert.equal(parsed.data.metadata_text, metadata_text);
    const next = following.next();
    stop.abort(new RangeError('enough'));
    await assert.rejects(next, new RangeError('enough'));
  });

  it('are followed from the latest on, and none is lost with the answer that had it', async () => {
    const address = await shop.addresses.create(wallet.id);
    const waits = Promise.withResolvers<void>();
    let lost = 0;
    const client = new TellerClient({
      base_url,
      api_key: wallet.api_key,
      async fetch(input, init) {
        const answering = fetch(input, init);
        if (lost > 0 || !String(input).includes('wait_seconds')) return answering;
        waits.resolve();
        await answering;
        lost++;
        throw new TypeError('the connection has ended');
      },
    });
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const coming = client.events.follow(wallet.id, { after: 'latest' }, { signal }).next();
    await waits.promise;
    await owner.sandbox.pay({ destination: address.address, amount_stroops: 77n });
    const { value } = await coming;
    assert.ok(value && isEvent(value.parsed, 'deposit.created'));
    assert.equal(value.parsed.data.amount_stroops, 77n);
    assert.equal(lost, 1);
  });

  it('a number that no event has had is an error and not an endless wait', async () => {
    const following = shop.events.follow(wallet.id, { after: 9_007_199_254_740_993n });
    await assert.rejects(following.next(), NotPossibleError);
  });
});

type Running = { url: string; stop(): unknown };
type Starting = (
  options: WebhookHandlerOptions,
  take: (delivery: VerifiedWebhook) => void,
) => Promise<Running>;

describe('receivers', () => {
  it('one of node:http takes deliveries', () =>
    takesDeliveries(async (options, take) => {
      const handle = expressHandler(options, take);
      const server = createServer(
        (request, answer) =>
          void handle(request, answer, (error) => answer.writeHead(500).end(String(error))),
      );
      return listening(server);
    }));

  it('one of express takes deliveries', () =>
    takesDeliveries(async (options, take) => {
      const app = express();
      app.post('/hooks', expressHandler(options, take));
      app.use(express.json());
      return listening(createServer(app));
    }));

  it('one of express whose bytes express.raw() has read takes deliveries', () =>
    takesDeliveries(async (options, take) => {
      const app = express();
      app.post('/hooks', express.raw({ type: '*/*' }), expressHandler(options, take));
      return listening(createServer(app));
    }));

  it('one of fastify takes deliveries, and its other routes keep their parser', () =>
    takesDeliveries(async (options, take) => {
      const app = fastify();
      app.register(webhookPlugin, { ...options, path: '/hooks', onEvent: take });
      app.post('/other', async ({ body }) => body);
      const other = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } });
      assert.deepEqual(other.json(), { a: 1 });
      return { url: await app.listen({ port: 0, host: '127.0.0.1' }), stop: () => app.close() };
    }));

  it('one of the Fetch API takes deliveries', () =>
    takesDeliveries(async (options, take) => {
      const handle = fetchHandler(options, take);
      const answered = async (request: IncomingMessage) => {
        const headers = request.headers as Record<string, string>;
        const body = await buffer(request);
        return handle(new Request('http://receiver/hooks', { method: 'POST', headers, body }));
      };
      const server = createServer(
        (request, answer) =>
          void answered(request).then(
            ({ status }) => answer.writeHead(status).end(),
            () => answer.writeHead(500).end(),
          ),
      );
      return listening(server);
    }));

  it('one of express behind express.json() says what is wrong', async () => {
    const app = express().set('env', 'test'); // else it prints the error
    app.use(express.json());
    app.post(
      '/hooks',
      expressHandler({ secret: `whsec_${Buffer.alloc(32).toString('base64')}` }, () => assert.fail()),
    );
    const { url, stop } = await listening(createServer(app));
    const { status, text } = await posted(url, '{"event":"ping","data":{}}', {});
    assert.equal(status, 500);
    assert.match(text, /express\.json\(\)/);
    stop();
  });

  it('a delivery is not acknowledged while the receiver fails, and comes again', () => {
    let failures = 0;
    return takesDeliveries(async (options, take) => {
      const handle = expressHandler(options, (delivery) => {
        if (failures++ === 0) throw new RangeError('the database is away');
        take(delivery);
      });
      const server = createServer(
        (request, answer) => void handle(request, answer, () => answer.writeHead(500).end()),
      );
      return listening(server);
    });
  });
});

/** Registers an endpoint at the receiver and sends a ping to it; then tries what is not signed. */
async function takesDeliveries(start: Starting): Promise<void> {
  const taken: VerifiedWebhook[] = [];
  const refused: string[] = [];
  const secret: string[] = [];
  const options = { secret, onRefused: ({ reason }: { reason: string }) => void refused.push(reason) };
  const { url, stop } = await start(options, (delivery) => void taken.push(delivery));
  const { id, signing_secret } = await shop.webhooks.register(wallet.id, { url: `${url}/hooks` });
  secret.push(String(signing_secret));
  await shop.webhooks.test(wallet.id, id, { event: 'ping' });
  await eventually('the ping is acknowledged', async () => {
    const { items } = await shop.webhooks.listDeliveries(wallet.id, id).first();
    return items[0]?.status === 'delivered' ? items : null;
  });
  const [delivery] = taken;
  assert.ok(delivery && isEvent(delivery, 'ping'));
  assert.equal(delivery.data.webhook_id, id);
  assert.equal(delivery.sequence, 1n);
  assert.deepEqual(refused, []);
  assert.equal((await posted(url, delivery.text, { 'webhook-id': 'evt_1' })).status, 401);
  assert.deepEqual(refused, ['headers_missing']);
  assert.equal(taken.length, 1);
  await owner.webhooks.delete(wallet.id, id);
  await stop();
}

async function posted(url: string, body: string, headers: Record<string, string>) {
  const answer = await fetch(`${url}/hooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}
