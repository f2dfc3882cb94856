/** What strangers send to receivers: every adapter refuses it with 4xx, and takes the next good delivery. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import express from 'express';
import fastify from 'fastify';
import type { VerifiedWebhook } from '../../clients/typescript/src/index.ts';
import { webhookHandler as expressHandler } from '../../clients/typescript/src/webhooks/express.ts';
import { webhookPlugin } from '../../clients/typescript/src/webhooks/fastify.ts';
import { webhookHandler as fetchHandler } from '../../clients/typescript/src/webhooks/fetch.ts';
import { listening } from './listening.ts';

const KEY = Buffer.alloc(32, 7);
const secret = `whsec_${KEY.toString('base64')}`;
const MEBIBYTE = 1_048_576;

type Receiver = { url: string; stop(): unknown };
type Take = (delivery: VerifiedWebhook) => void;

const RECEIVERS: Record<string, (take: Take) => Promise<Receiver>> = {
  'node:http': (take) => {
    const handle = expressHandler({ secret }, take);
    const failed = (error: unknown) => assert.fail(String(error));
    return listening(createServer((request, answer) => void handle(request, answer, failed)));
  },
  express: (take) => {
    const app = express().set('env', 'test');
    app.post('/hooks', expressHandler({ secret }, take));
    return listening(createServer(app));
  },
  'express with express.raw()': (take) => {
    const app = express().set('env', 'test');
    app.post('/hooks', express.raw({ type: 'application/json' }), expressHandler({ secret }, take));
    return listening(createServer(app));
  },
  fastify: (take) => fastifyReceiver(take, false),
  'fastify with parsers of its own': (take) => fastifyReceiver(take, true),
  'Fetch API': (take) => {
    const handle = fetchHandler({ secret }, take);
    return listening(
      createServer(
        (request, answer) =>
          void handle(fetchRequest(request)).then(
            ({ status }) => answer.writeHead(status).end(),
            () => answer.writeHead(500).end(),
          ),
      ),
    );
  },
};

async function fastifyReceiver(take: Take, has_parsers: boolean): Promise<Receiver> {
  const app = fastify();
  if (has_parsers) {
    app.addContentTypeParser('application/x-www-form-urlencoded', async () => ({ parsed: true }));
    app.addContentTypeParser('*', async () => ({ parsed: true }));
  }
  app.register(webhookPlugin, { path: '/hooks', secret, onEvent: take });
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), stop: () => app.close() };
}

function fetchRequest(request: IncomingMessage): Request {
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = Readable.toWeb(request) as ReadableStream<Uint8Array>;
  return new Request('http://receiver/hooks', { method: 'POST', headers, body, duplex: 'half' });
}

type Sent = { headers: [string, string][]; body: Buffer };

const now = () => String(Math.floor(Date.now() / 1_000));

function signed(body: Buffer, { id = 'evt_1', time = now() } = {}): Sent {
  const mac = createHmac('sha256', KEY).update(`${id}.${time}.`).update(body).digest('base64');
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    ['webhook-id', id],
    ['webhook-timestamp', time],
    ['webhook-signature', `v1,${mac}`],
  ];
  return { headers, body };
}

const PING = Buffer.from('{"event":"ping","data":{"webhook_id":"whe_1"}}');

/** The good delivery with one header changed; undefined: without it. */
function changed(name: string, value: string | undefined, delivery = signed(PING)): Sent {
  const others = delivery.headers.filter(([given]) => given !== name);
  return { ...delivery, headers: value === undefined ? others : [...others, [name, value]] };
}

const TIMES = ['-1', '0', '1', 'NaN', 'Infinity', '1e9', '99999999999', '999999999999', '9'.repeat(400), ''];
const TYPES = [
  undefined,
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'application/json; charset=none',
  'application/json; charset="',
  'application/octet-stream',
  ';;',
  'a',
];
const BODIES: [string, Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), PING])],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ['UTF-16', Buffer.from('{"event":"ping","data":{}}', 'utf16le')],
  ['no JSON', Buffer.from('{"event":')],
  ['null', Buffer.from('null')],
  ['an array', Buffer.from('[]')],
  ['a NUL', Buffer.from('{"event":"ping\0","data":{}}')],
  ['deep nesting', Buffer.from('['.repeat(100_000))],
  ['a member twice', Buffer.from('{"event":"ping","data":{},"event":"deposit.created"}')],
  ['__proto__', Buffer.from('{"__proto__":{"event":"ping","data":{}}}')],
];

const HOSTILE: [string, Sent][] = [
  ...TIMES.map((time): [string, Sent] => [`the time ${time.slice(0, 20)}`, signed(PING, { time })]),
  ...TYPES.flatMap((type): [string, Sent][] => [
    [
      `an unsigned body of type ${type}`,
      changed('webhook-signature', 'v1,AAAA', changed('content-type', type)),
    ],
    [
      `a signed body that is no event, of type ${type}`,
      changed('content-type', type, signed(Buffer.from('{}'))),
    ],
  ]),
  ...BODIES.map(([name, body]): [string, Sent] => [`a signed body: ${name}`, signed(body)]),
  ...[
    'zzz',
    'v1,é',
    'v1,',
    'v1',
    ',',
    'v1,v1,v1',
    'v1a,AAAA',
    '=',
    'v1,'.repeat(4_000),
    'v1,AA '.repeat(2_000),
  ].map((signature): [string, Sent] => [
    `the signature ${signature.slice(0, 10)}… of ${signature.length}`,
    changed('webhook-signature', signature),
  ]),
  ['no id', changed('webhook-id', undefined)],
  ['an id with a point', changed('webhook-id', 'evt_1.1')],
  ['the time twice', { ...signed(PING), headers: [...signed(PING).headers, ['webhook-timestamp', now()]] }],
  ['the id twice', { ...signed(PING), headers: [...signed(PING).headers, ['Webhook-Id', 'evt_2']] }],
  ['a header of 1 MB', changed('webhook-signature', 'v'.repeat(1_000_000))],
  ['a NUL in a header', changed('webhook-signature', 'v1,\0')],
  ['a broken encoding', changed('content-encoding', 'gzip', changed('webhook-signature', 'v1,A'))],
  ['an unknown encoding', changed('content-encoding', 'rot13', changed('webhook-signature', 'v1,A'))],
  ['a body of 2 MiB', signed(Buffer.alloc(2 * MEBIBYTE, 0x20))],
];

for (const [name, start] of Object.entries(RECEIVERS))
  describe(`a receiver of ${name}`, () => {
    it('refuses what strangers send, and still takes the next good delivery', async () => {
      const taken: VerifiedWebhook[] = [];
      const { url, stop } = await start((delivery) => void taken.push(delivery));
      try {
        for (const [what, sent] of HOSTILE) {
          const status = await post(url, sent);
          assert.ok(status >= 400 && status < 500, `${what}: ${status}`);
        }
        assert.equal(await postInChunks(url, 2 * MEBIBYTE), 413, 'a body without a length');
        await sendHalf(url);
        assert.deepEqual(taken, []);
        assert.equal(await post(url, signed(PING)), 204);
        assert.equal(taken.length, 1);
      } finally {
        await stop();
      }
    });
  });

function head({ headers }: Pick<Sent, 'headers'>, more: string[]): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const text = ['POST /hooks HTTP/1.1', 'host: receiver', 'connection: close', ...lines, ...more, '', ''];
  return Buffer.from(text.join('\r\n'), 'latin1');
}

async function post(url: string, sent: Sent): Promise<number> {
  const length = `content-length: ${sent.body.length}`;
  return exchange(url, Buffer.concat([head(sent, [length]), sent.body]));
}

function postInChunks(url: string, length: number): Promise<number> {
  const body = Buffer.from(`${length.toString(16)}\r\n${' '.repeat(length)}\r\n0\r\n\r\n`);
  return exchange(url, Buffer.concat([head(signed(PING), ['transfer-encoding: chunked']), body]));
}

/** The connection ends in the middle of the body; no answer can come. */
async function sendHalf(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.end(Buffer.concat([head(signed(PING), [`content-length: ${PING.length}`]), PING.subarray(0, 9)]));
  socket.resume();
  await closed(socket);
}

/** The status; 0 when the connection ends without an answer. */
async function exchange(url: string, bytes: Buffer): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined); // a receiver may close before it has read everything
  let answer = '';
  socket.on('data', (more) => {
    answer += more.toString('latin1');
  });
  socket.write(bytes);
  await closed(socket);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}

/** Also when it ends with an error, which `once` would throw. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once('close', () => resolve()));
