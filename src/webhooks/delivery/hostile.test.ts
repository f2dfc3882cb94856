/** A receiver can cost its sender 64 KiB of reading, 15 s and one slot, and other deliveries nothing. */
import { strict as assert } from 'node:assert';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { eventually } from '../../../test/support/eventually.ts';
import {
  answering,
  BROKEN,
  ENDLESS,
  GARBAGE,
  type HostileReceiver,
  type Misbehaving,
  SLOW,
  startHostileReceiver,
} from '../../../test/support/hostile-receivers.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { TEST_CERTIFICATE } from '../../../test/support/test-certificate.ts';
import { manualClock, startWebhookWorld } from '../../../test/support/webhooks.ts';
import { systemClock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { createPoster, type PostResult } from '../../outgoing/post.ts';
import { parseExemptions } from '../../outgoing/public-url.ts';
import { enqueueEvents } from '../events/enqueue.ts';
import { Deliverer } from './deliverer.ts';

/** 64 KiB and one more read of the socket. */
const READ_MAX_BYTES = 2 * 64 * 1024;
const OK = 'HTTP/1.1 200 OK\r\n';

/** Every connection that a delivery makes, by its receiver's port. */
const sockets = new Map<number, Socket[]>();
subscribe('undici:client:connected', (message) => {
  const { socket } = message as { socket: Socket };
  const port = socket.remotePort ?? 0;
  sockets.set(port, [...(sockets.get(port) ?? []), socket]);
});

const closers: (() => Promise<void>)[] = [];
after(() => Promise.all(closers.map((close) => close())));

async function receiver(misbehave: Misbehaving, tls?: typeof TEST_CERTIFICATE): Promise<HostileReceiver> {
  const started = await startHostileReceiver(misbehave, tls ? { tls } : {});
  closers.push(started.close);
  return started;
}

function poster(clock = systemClock) {
  const made = createPoster({
    exemptions: parseExemptions(['127.0.0.0/8']),
    show_exempt_answers: true,
    resolve: async () => ['127.0.0.1'],
    clock,
  });
  closers.push(made.close);
  return (url: string, body = '{}') => made.post({ url, headers: {}, body: Buffer.from(body) });
}

function assertOutcome(result: PostResult, status: number | undefined, what: string): void {
  if (status !== undefined) assert.equal('status_code' in result && result.status_code, status, what);
  else
    assert('error' in result && !/UND_ERR|failed/.test(result.error), `${what}: ${JSON.stringify(result)}`);
}

/** Of all connections to the receiver; the sender has closed them. */
async function readBytes({ port }: HostileReceiver): Promise<number> {
  const made = sockets.get(port) ?? [];
  await eventually('our side closes', () => made.every((socket) => socket.destroyed));
  return made.reduce((sum, socket) => sum + socket.bytesRead, 0);
}

const withTls = (url: string) => url.replace('127.0.0.1', 'hooks.example.com');

describe('a hostile receiver', { concurrency: true }, () => {
  test('whose answer has no end costs 64 KiB of reading and no memory, wherever it goes on for ever', async () => {
    const before_bytes = process.memoryUsage.rss();
    for (const [what, { misbehave, status }] of Object.entries(ENDLESS)) {
      const target = await receiver(misbehave);
      const result = await poster()(target.url);
      assertOutcome(result, status, what);
      if ('status_code' in result) assert((result.response_body?.length ?? 0) <= 1024, what);
      const read_bytes = await readBytes(target);
      assert(read_bytes <= READ_MAX_BYTES, `${what}: ${read_bytes} bytes`);
      assert.equal(target.connections.total, 1, what);
    }
    const grown_bytes = process.memoryUsage.rss() - before_bytes;
    assert(grown_bytes < 96 * 1024 * 1024, `${grown_bytes} bytes more`);
  });

  test('is limited per answer: many usual answers on one connection may be longer together', async () => {
    const target = await receiver(
      answering(`${OK}content-length: 8192\r\n\r\n${'x'.repeat(8192)}`, { keep: true }),
    );
    const post = poster();
    for (let delivery = 0; delivery < 40; delivery++) {
      assertOutcome(await post(target.url), 200, `delivery ${delivery}`);
      await new Promise(setImmediate); // until the connection is known to be free
    }
    assert(target.connections.total <= 2, `${target.connections.total} connections`);
  });

  test('that takes its time byte by byte costs 15 s, to the millisecond, and one connection', async () => {
    const clock = manualClock();
    const attempts = await Promise.all(
      Object.entries(SLOW).map(async ([what, { misbehave, status }]) => {
        const target = await receiver(misbehave);
        const attempt = { what, status, target, result: undefined as PostResult | undefined };
        void poster(clock)(target.url).then((result) => {
          attempt.result = result;
        });
        return attempt;
      }),
    );
    for (const { target, status } of attempts) {
      const head_came = () => (sockets.get(target.port)?.[0]?.bytesRead ?? 0) > (status ? 100 : -1);
      await eventually('a connection, and the head that comes', head_came);
    }
    clock.advance(14_999);
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    for (const { what, result } of attempts) assert.equal(result, undefined, what);
    clock.advance(1);
    for (const attempt of attempts) {
      const { what, status, target } = attempt;
      const result = await eventually(what, () => attempt.result);
      if (status === undefined) assert.deepEqual(result, { error: 'no answer within 15 s' }, what);
      else assertOutcome(result, status, what);
      assert((await readBytes(target)) <= READ_MAX_BYTES, what);
      assert.equal(target.connections.total, 1, what);
    }
  });

  test('that breaks off at any stage is answered for by its status, if it got so far, and is not asked twice', async () => {
    for (const [what, { misbehave, status }] of Object.entries(BROKEN)) {
      const target = await receiver(misbehave);
      assertOutcome(await poster()(target.url), status, what);
      await readBytes(target);
      assert.equal(target.connections.total, 1, what);
    }
  });

  test('that does not speak HTTP has not acknowledged, and its connection is closed', async () => {
    for (const [what, text] of Object.entries(GARBAGE)) {
      const target = await receiver(answering(text, { keep: true }));
      assertOutcome(await poster()(target.url), undefined, what);
      await readBytes(target);
      assert.equal(target.connections.total, 1, what);
    }
  });

  test('that answers before it has read the request has answered', async () => {
    const target = await receiver((socket) => {
      socket.pause();
      socket.write(`${OK}content-length: 2\r\n\r\nok`);
    });
    const result = await poster()(target.url, 'x'.repeat(64 * 1024));
    assert.deepEqual(result, { status_code: 200, retry_after: null, response_body: 'ok' });
  });

  test('that closes kept connections while they are idle loses no delivery', async () => {
    let answered = 0;
    const target = await receiver(async (socket, request) => {
      await request;
      answered++;
      socket.write(`${OK}content-length: 0\r\nkeep-alive: timeout=60\r\n\r\n`);
      await new Promise(setImmediate);
      if (answered % 2 === 0) socket.end();
      else socket.resetAndDestroy();
    });
    const post = poster();
    for (let delivery = 1; delivery <= 20; delivery++) {
      assertOutcome(await post(target.url), 200, `delivery ${delivery}`);
      await eventually('the receiver closes', () => target.connections.open.size === 0);
    }
    assert.equal(answered, 20);
  });

  test('that says more than it was asked for does not answer for the next delivery', async () => {
    const twice = `${OK}content-length: 0\r\n\r\nHTTP/1.1 503 no\r\ncontent-length: 0\r\n\r\n`;
    const target = await receiver(answering(twice, { keep: true }));
    const post = poster();
    for (let delivery = 0; delivery < 3; delivery++) {
      assertOutcome(await post(target.url), 200, `delivery ${delivery}`);
      await readBytes(target);
    }
    assert.equal(target.connections.total, 3);
  });

  test('that never ends its TLS handshake costs 5 s', async () => {
    const target = await receiver(() => undefined);
    const began_ms = performance.now();
    const result = await poster()(withTls(target.url.replace('http:', 'https:')));
    assert.deepEqual(result, { error: 'could not connect within 5 s' });
    const took_ms = performance.now() - began_ms;
    assert(took_ms > 4_500 && took_ms < 60_000, `${took_ms} ms`); // a slow machine says so late
    await eventually('the connection is closed', () => target.connections.open.size === 0);
  });

  test('whose TLS is not that of the name, or of nobody whom we trust, gets no request', async () => {
    let requests = 0;
    const answer: Misbehaving = async (socket, request) => {
      await request;
      requests++;
      socket.end(`${OK}content-length: 0\r\n\r\n`);
    };
    const target = await receiver(answer, TEST_CERTIFICATE);
    const untrusted = await poster()(withTls(target.url));
    assert.match('error' in untrusted ? untrusted.error : '', /DEPTH_ZERO_SELF_SIGNED_CERT/);
    setDefaultCACertificates([...getCACertificates('default'), TEST_CERTIFICATE.cert]);
    const named_otherwise = await poster()(target.url.replace('127.0.0.1', 'other.example.com'));
    assert.match('error' in named_otherwise ? named_otherwise.error : '', /ALTNAME_INVALID/);
    assert.equal(requests, 0);
    assertOutcome(await poster()(withTls(target.url)), 200, 'its own name');

    const endless = await receiver(ENDLESS['a status line']?.misbehave ?? answer, TEST_CERTIFICATE);
    assert.deepEqual(await poster()(withTls(endless.url)), { error: 'no answer within 64 KiB' });
    assert((await readBytes(endless)) <= READ_MAX_BYTES);
  });

  test('has one slot: beside twenty of them a healthy endpoint gets every event, and waits for none', async () => {
    const world = await startWebhookWorld();
    closers.push(world.close);
    const { deps, clock } = world;
    const other = await world.addWallet();
    const kinds = [...Object.values(SLOW), ...Object.values(ENDLESS)].slice(0, 20);
    const hostile = await Promise.all(kinds.map(({ misbehave }) => receiver(misbehave)));
    for (const { url } of hostile) {
      const { status } = await world.api('POST', `/v1/wallets/${other.id}/webhooks`, {
        as: other.api_key,
        body: { url },
      });
      assert.equal(status, 201);
    }
    const healthy = await startReceiver();
    closers.push(healthy.close);
    await world.register(healthy.url);
    for (let event = 0; event < 40; event++) {
      const now = clock.now();
      const wallets = event < 8 ? [world.wallet.id, other.id] : [world.wallet.id];
      const events = wallets.map((wallet_id) => {
        const about = newId('dep', now);
        return {
          type: 'deposit.created',
          about,
          deposit_id: about,
          wallet_id,
          data: { id: about },
          now,
        } as const;
      });
      await deps.db.transaction().execute((trx) => enqueueEvents(trx, events));
    }

    const deliverer = new Deliverer(deps);
    await eventually('the healthy endpoint has all', async () => {
      await deliverer.step();
      return healthy.requests.length === 40; // and no time has passed: nobody's end was waited for
    });
    assert.equal(new Set(healthy.requests.map(({ headers }) => headers['webhook-id'])).size, 40);
    for (const [at, target] of hostile.entries()) {
      await eventually('it was tried', () => target.connections.total > 0);
      if (at < Object.keys(SLOW).length) assert.equal(target.connections.total, 1, 'one slot');
    }
    clock.advance(15_000);
    await deliverer.idle();
    await deliverer.stop();
    for (const target of hostile) {
      const made = sockets.get(target.port) ?? [];
      for (const socket of made) assert(socket.bytesRead <= READ_MAX_BYTES, `${socket.bytesRead} bytes`);
    }
    const { rows } = await deps.pool.query<{ unrecorded: bigint }>(
      'select count(*) as unrecorded from webhook_deliveries d where attempts > (select count(*) from webhook_attempts where delivery_id = d.id)',
    );
    assert.equal(Number(rows[0]?.unrecorded), 0, 'every attempt is in the log');
  });
});
