/**
 * Where a delivery may connect to. 127.0.0.2, in an exempt block, plays a public address; 127.0.0.1 plays a private one,
 * to which nothing may connect.
 */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import {
  answering,
  type HostileReceiver,
  startHostileReceiver,
} from '../../test/support/hostile-receivers.ts';
import { HOSTILE_URLS } from '../../test/support/webhook-urls.ts';
import { manualClock } from '../../test/support/webhooks.ts';
import { type Config, readConfig } from '../config.ts';
import { AppError } from '../lib/errors.ts';
import { createPoster, type PostResult } from './post.ts';
import { parseExemptions } from './public-url.ts';
import { requirePublicUrl } from './require-public-url.ts';
import type { Resolve } from './resolve-host.ts';

const OUTSIDE = '127.0.0.2';
const INSIDE = '127.0.0.1';
const REFUSED = { error: 'not sent: the host has an address that is not public' };
const NOTHING: Resolve = async () => [];

const closers: (() => Promise<void>)[] = [];
after(() => Promise.all(closers.map((close) => close())));

const clock = manualClock();

/** Answers 200 and closes, so that every delivery makes a new connection. */
const okAndClose = answering('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');

async function receiverAt(host: string, port?: number, answer = okAndClose): Promise<HostileReceiver> {
  const started = await startHostileReceiver(answer, { host, port });
  closers.push(started.close);
  return started;
}

/** A public and a private receiver, on the same port. */
async function bothSides(answer = okAndClose) {
  for (;;) {
    const outside = await receiverAt(OUTSIDE, undefined, answer);
    try {
      return { outside, inside: await receiverAt(INSIDE, outside.port) };
    } catch (error) {
      // The port was free at the first address only.
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

function posterFor({
  allowed = [`${OUTSIDE}/32`],
  resolve = NOTHING,
}: {
  allowed?: string[];
  resolve?: Resolve;
}) {
  const exemptions = parseExemptions(allowed);
  const poster = createPoster({ exemptions, show_exempt_answers: true, resolve, clock });
  closers.push(poster.close);
  return (url: string) => poster.post({ url, headers: {}, body: Buffer.from('{}') });
}

const statusOf = (result: PostResult) => ('status_code' in result ? result.status_code : result);

/** Gives the answers one after the other, then the last one always. */
function inTurn(...answers: string[][]): Resolve & { calls: number } {
  const resolve = async () => answers[Math.min(resolve.calls++, answers.length - 1)] ?? [];
  resolve.calls = 0;
  return resolve;
}

function register(url: string, resolve: Resolve, allowed = `${OUTSIDE}/32`): Promise<void> {
  const config = readConfig({ WEBHOOK_ALLOWED_HOSTS: allowed }) as Config;
  return requirePublicUrl({ config, clock }, url, resolve);
}

test('no hostile URL is registered; one that is stored all the same is neither resolved nor connected to', async () => {
  const never: Resolve = async () => assert.fail('resolved');
  const post = posterFor({ allowed: [], resolve: never });
  for (const { refused, urls } of HOSTILE_URLS) {
    for (const url of urls) {
      assert.deepEqual(await post(url), { error: `not sent: the url ${refused}` }, url);
      await assert.rejects(register(url, never, ''), (error) => {
        return (
          error instanceof AppError &&
          error.code === 'webhook_url_not_public' &&
          error.message.includes(refused)
        );
      });
    }
  }
});

test('a name that was public at registration is connected to only while it is public', async () => {
  const { outside, inside } = await bothSides();
  const url = `http://hooks.example.com:${outside.port}/`;
  const resolve = inTurn([OUTSIDE], [OUTSIDE], [INSIDE], [OUTSIDE, INSIDE], [OUTSIDE]);
  await register(url, resolve);
  const post = posterFor({ resolve });
  assert.equal(statusOf(await post(url)), 200);
  assert.deepEqual(await post(url), REFUSED, 'the name was bound to the inside after the check');
  assert.deepEqual(await post(url), REFUSED, 'one of two answers');
  assert.equal(statusOf(await post(url)), 200, 'public again');
  assert.equal(resolve.calls, 5, 'one look-up for each connection: what was checked is what is connected to');
  assert.equal(outside.connections.total, 2);
  assert.equal(inside.connections.total, 0);
});

test('a name with public and private addresses is refused before the connect, in either order and family', async () => {
  const { outside, inside } = await bothSides();
  const url = `http://hooks.example.com:${outside.port}/`;
  for (const answer of [
    [OUTSIDE, INSIDE],
    [INSIDE, OUTSIDE],
    [OUTSIDE, '::1'],
    [OUTSIDE, '::ffff:127.0.0.1'],
    [OUTSIDE, '64:ff9b::7f00:1'],
    [OUTSIDE, '2606:4700::5efe:7f00:1'],
    [OUTSIDE, '169.254.169.254'],
    [OUTSIDE, 'fe80::1%lo'],
    [OUTSIDE, '2606:4700::1%1'],
    [OUTSIDE, '0.0.0.0'],
    [OUTSIDE, 'localhost'],
    [OUTSIDE, ''],
  ]) {
    const resolve = inTurn(answer);
    assert.deepEqual(await posterFor({ resolve })(url), REFUSED, answer.join());
    await assert.rejects(register(url, resolve), AppError, answer.join());
  }
  assert.equal(outside.connections.total + inside.connections.total, 0);
});

test('a redirect to a private address is a failure, whatever its status, and is not followed', async () => {
  const inside = await receiverAt(INSIDE);
  for (const status of [300, 301, 302, 303, 304, 305, 307, 308]) {
    const head = `HTTP/1.1 ${status} Go\r\nlocation: ${inside.url}\r\nrefresh: 0; url=${inside.url}\r\n`;
    const outside = await receiverAt(OUTSIDE, undefined, answering(`${head}content-length: 0\r\n\r\n`));
    assert.equal(statusOf(await posterFor({})(outside.url)), status);
  }
  assert.equal(inside.connections.total, 0);
});

test('an address in the URL is checked at the connect too, without a lookup', async () => {
  const { outside, inside } = await bothSides();
  const post = posterFor({ resolve: async () => assert.fail('resolved') });
  assert.equal(statusOf(await post(outside.url)), 200);
  assert.deepEqual(await post(inside.url), { error: 'not sent: the url is not a public address' });
  assert.equal(inside.connections.total, 0);
});

test('a peer with another address than the checked one gets nothing', async () => {
  let requests = 0;
  const inside = await receiverAt(INSIDE, undefined, async (socket, request) => {
    await request;
    requests++;
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  // Linux connects 0.0.0.0 to this machine: the address is allowed, but the peer is 127.0.0.1.
  const post = posterFor({ allowed: ['0.0.0.0/32'], resolve: inTurn(['0.0.0.0']) });
  for (const host of ['hooks.example.com', '0.0.0.0']) {
    assert.deepEqual(await post(`http://${host}:${inside.port}/`), REFUSED, host);
  }
  // The sender may close the connection before the receiver knows of it.
  await eventually('both have come', () => inside.connections.total === 2);
  await eventually('both are gone', () => inside.connections.open.size === 0);
  assert.equal(requests, 0);
});

test('an exemption allows only itself at the connect: no other port, and no address of another name', async () => {
  const { outside, inside } = await bothSides();
  const other = await receiverAt(INSIDE);
  const allowed = [`${INSIDE}:${inside.port}`];
  const post = posterFor({ allowed, resolve: inTurn([INSIDE]) });
  assert.equal(statusOf(await post(inside.url)), 200);
  assert.deepEqual(await post(other.url), { error: 'not sent: the url is not a public address' });
  assert.deepEqual(await post(outside.url), { error: 'not sent: the url is not a public address' });
  assert.deepEqual(
    await post(`http://hooks.example.com:${inside.port}/`),
    REFUSED,
    'an address by another name',
  );
  assert.equal(inside.connections.total, 1);
  assert.equal(other.connections.total + outside.connections.total, 0);
});

test('a name without an answer within 2 s is registered, and is not connected to until it has one', async () => {
  const outside = await receiverAt(OUTSIDE);
  const url = `http://hooks.example.com:${outside.port}/`;
  const late = register(url, () => new Promise(() => undefined));
  let registered = false;
  void late.then(() => {
    registered = true;
  });
  clock.advance(1_999);
  await new Promise(setImmediate);
  assert(!registered);
  clock.advance(1);
  await late;
  await register(url, NOTHING);
  const post = posterFor({ resolve: inTurn([], [INSIDE], [OUTSIDE]) });
  assert.deepEqual(await post(url), { error: 'the host name has no address' });
  assert.deepEqual(await post(url), REFUSED);
  assert.equal(statusOf(await post(url)), 200);
});

test('a checked connection is reused for its own URL only', async () => {
  const keeping = answering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', { keep: true });
  const { outside, inside } = await bothSides(keeping);
  const post = posterFor({ resolve: inTurn([OUTSIDE], [INSIDE]) });
  assert.equal(statusOf(await post(`http://a.example.com:${outside.port}/`)), 200);
  assert.deepEqual(await post(`http://b.example.com:${outside.port}/`), REFUSED);
  assert.equal(outside.connections.total, 1);
  assert.equal(inside.connections.total, 0);
});
