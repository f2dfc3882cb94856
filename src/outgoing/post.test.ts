/** What a request contains and what is kept of the answer. Addresses: connect.test.ts; bad answers: hostile.test.ts. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { type Answering, type Receiver, startReceiver } from '../../test/support/receiver.ts';
import { manualClock } from '../../test/support/webhooks.ts';
import { createPoster, type Poster } from './post.ts';
import { parseExemptions } from './public-url.ts';
import type { Resolve } from './resolve-host.ts';

const unresolved: Resolve = async () => [];
const closers: (() => Promise<void>)[] = [];
after(() => Promise.all(closers.map((close) => close())));

async function receiver(answer: number | Answering): Promise<Receiver> {
  const started = await startReceiver(answer);
  closers.push(started.close);
  return started;
}

function poster(options: {
  allowed?: string[];
  resolve?: Resolve;
  show?: boolean;
  clock?: ReturnType<typeof manualClock>;
}): Poster {
  const { allowed = ['127.0.0.1'], resolve = unresolved, show = true, clock = manualClock() } = options;
  const made = createPoster({
    exemptions: parseExemptions(allowed),
    show_exempt_answers: show,
    resolve,
    clock,
  });
  closers.push(made.close);
  return made;
}

const post = (by: Poster, url: string) =>
  by.post({ url, headers: { 'X-Test': 'yes' }, body: Buffer.from('{"n":9007199254740993}') });

test('the bytes are sent as they are, to path and query, without the fragment', async () => {
  const target = await receiver(204);
  const result = await post(poster({}), `${target.url}/a%20b?x=1#fragment`);
  assert.deepEqual(result, { status_code: 204, retry_after: null, response_body: '' });
  const [request] = target.requests;
  assert.equal(request?.method, 'POST');
  assert.equal(request?.path, '/a%20b?x=1');
  assert.equal(request?.body.toString(), '{"n":9007199254740993}');
  assert(request?.raw_headers.includes('X-Test'));
});

const INFORMATIONAL: Record<string, string> = {
  '100': 'HTTP/1.1 100 Continue\r\n\r\n',
  '100 with fields': 'HTTP/1.1 100 Continue\r\ndate: x\r\nx: HTTP/1.1 500 no\r\n\r\n',
  '100 without a reason': 'HTTP/1.1 100\r\n\r\n',
  '100 of HTTP/1.0 with bare line ends': 'HTTP/1.0 100 Continue\n\n',
  '100 behind an empty line': '\r\nHTTP/1.1 100 Continue\r\n\r\n',
  '102': 'HTTP/1.1 102 Processing\r\n\r\n',
  '103': 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n',
  '199, which nobody has named': 'HTTP/1.1 199 Later\r\n\r\n',
};

/** Each part in a packet of its own, as far as that is up to the sender. */
async function answerAfter(parts: string[], response: Parameters<Answering>[0]): Promise<void> {
  for (const part of parts) {
    response.socket?.write(part, 'latin1');
    await new Promise(setImmediate);
  }
  response.writeHead(299, { 'content-length': 2 }).end('ok');
}

test('informational answers are skipped, asked for or not, also several, in pieces and on a connection that is kept', async () => {
  const all = Object.values(INFORMATIONAL).join('');
  for (const [name, text] of Object.entries({ ...INFORMATIONAL, 'all of them, twice': all + all })) {
    const pieces: Record<string, string[]> = { whole: [text], bytes: [...text] };
    for (const [how, parts] of Object.entries(pieces)) {
      const target = await receiver((response) => void answerAfter(parts, response));
      const by = poster({});
      for (const time of ['first', 'second']) {
        assert.deepEqual(
          await post(by, target.url),
          { status_code: 299, retry_after: null, response_body: 'ok' },
          `${name}, ${how}, ${time}`,
        );
        await new Promise(setImmediate); // until the connection is known to be free
      }
      assert.equal(target.connections.total, 1, name);
    }
  }
});

test('a body that looks like a 100 is a body, and a 101 that nobody asked for is no answer', async () => {
  const looks = INFORMATIONAL['100'] ?? '';
  const target = await receiver((response) => response.writeHead(200).end(looks));
  assert.deepEqual(await post(poster({}), target.url), {
    status_code: 200,
    retry_after: null,
    response_body: looks,
  });
  const other = await receiver((response) =>
    response.socket?.end(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
    ),
  );
  assert('error' in (await post(poster({}), other.url)));
});

test('an answer is kept as text that a database can hold: no NUL, valid UTF-8, not decompressed', async () => {
  const cases: [Buffer, string][] = [
    [Buffer.from('a\0b'), 'a\uFFFDb'],
    [Buffer.of(0x61, 0xff, 0x62), 'a\uFFFDb'],
    [Buffer.from(`${'x'.repeat(1023)}é`), 'x'.repeat(1023)], // cut inside of a character
    [Buffer.of(0x1f, 0x8b, 0x08, 0x61), '\u001f\uFFFD\ba'],
  ];
  for (const [bytes, expected] of cases) {
    const target = await receiver((response) =>
      response.writeHead(500, { 'content-encoding': 'gzip' }).end(bytes),
    );
    const result = await post(poster({}), target.url);
    assert.deepEqual(result, { status_code: 500, retry_after: null, response_body: expected });
  }
});

test('an attempt ends after 15 s without an answer, also when headers come byte by byte', async () => {
  const answers: Answering[] = [
    () => {},
    (response) => response.socket?.write('HTTP/1.1 200 OK\r\nx-slow: '),
  ];
  for (const answer of answers) {
    const clock = manualClock();
    const target = await receiver(answer);
    const result = post(poster({ clock }), target.url);
    await target.received(1);
    clock.advance(14_999);
    assert.equal(
      await Promise.race([result, new Promise((done) => setImmediate(done, 'waiting'))]),
      'waiting',
    );
    clock.advance(1);
    assert.deepEqual(await result, { error: 'no answer within 15 s' });
    while (target.connections.open.size > 0) await new Promise(setImmediate);
  }
});

test('a request that ended while it waited for a connection is not sent later', async () => {
  const clock = manualClock();
  const target = await receiver(204);
  let resolved = (_: string[]) => {};
  const resolving = new Promise<string[]>((done) => {
    resolved = done;
  });
  const by = poster({ allowed: ['127.0.0.0/8'], resolve: () => resolving, clock });
  const send = (body: string) =>
    by.post({ url: `http://hooks.example.com:${target.port}/`, headers: {}, body: Buffer.from(body) });
  const late = send('late');
  clock.advance(15_000);
  assert.deepEqual(await late, { error: 'no answer within 15 s' });
  resolved(['127.0.0.1']);
  await eventually('the connection', () => target.connections.total === 1);
  assert.deepEqual(await send('next'), { status_code: 204, retry_after: null, response_body: '' });
  assert.deepEqual(
    target.requests.map(({ body }) => `${body}`),
    ['next'],
  );
});

test('a status counts even when the rest of the answer never ends', async () => {
  const clock = manualClock();
  const target = await receiver((response) => response.writeHead(200).write('first'));
  const result = post(poster({ clock }), target.url);
  await target.received(1);
  let settled = false;
  const end = () => {
    settled = true;
  };
  result.then(end, end); // its outcome is awaited below
  while (!settled) {
    clock.advance(1_000);
    await new Promise(setImmediate);
  }
  const answer = await result;
  assert(!('abandoned' in answer));
  if ('status_code' in answer) assert.equal(answer.status_code, 200);
});

test('the log distinguishes broken receivers', async () => {
  const nobody = 'http://127.0.0.1:1/'; // a port that was free a moment ago may be another test's by now
  const resets = await receiver((response) => response.socket?.resetAndDestroy());
  const closes = await receiver((response) => response.socket?.end());
  const headers = await receiver((response) =>
    response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`),
  );
  const garbage = await receiver((response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'));
  const no_status = await receiver((response) => response.socket?.end('HTTP/1.1 099 OK\r\n\r\n'));
  const by = poster({});
  assert.deepEqual(await post(by, nobody), { error: 'the connection was refused' });
  assert.deepEqual(await post(by, resets.url), { error: 'the connection was reset' });
  assert.deepEqual(await post(by, closes.url), { error: 'the connection was closed before an answer came' });
  assert.deepEqual(await post(by, headers.url), { error: 'no answer within 64 KiB' });
  assert.deepEqual(await post(by, garbage.url), { error: 'the answer is not HTTP' });
  assert.deepEqual(await post(by, no_status.url), { error: 'the answer is not HTTP' });
});

test('answers of exempt hosts and blocks are dropped unless they may be shown', async () => {
  const target = await receiver((response) => response.end('inner secret'));
  const byName = { allowed: ['127.0.0.1'] };
  const byBlock = { allowed: ['127.0.0.0/8'], resolve: async () => ['127.0.0.1'] };
  const url = { byName: target.url, byBlock: `http://hooks.example.com:${target.port}/` };
  const shown = { status_code: 200, retry_after: null, response_body: 'inner secret' };
  assert.deepEqual(await post(poster(byName), url.byName), shown);
  assert.deepEqual(await post(poster(byBlock), url.byBlock), shown);
  assert.deepEqual(await post(poster({ ...byName, show: false }), url.byName), {
    ...shown,
    response_body: null,
  });
  const hidden = poster({ ...byBlock, show: false });
  for (let again = 0; again < 2; again++) {
    assert.deepEqual(await post(hidden, url.byBlock), { ...shown, response_body: null });
  }
});

test('a connection is reused, and proxies of the environment are ignored', async () => {
  const proxy = await receiver(200);
  const target = await receiver(200);
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
  for (const name of names) process.env[name] = proxy.url;
  const by = poster({});
  for (let i = 0; i < 5; i++) await post(by, target.url);
  for (const name of names) delete process.env[name];
  assert.equal(target.requests.length, 5);
  // The second request may come before the first connection is known to be free.
  assert(target.connections.total <= 2, `${target.connections.total} connections`);
  assert.equal(proxy.connections.total, 0);
});

test('an attempt that is abandoned has no outcome', async () => {
  const target = await receiver(() => {});
  const by = poster({});
  const result = post(by, target.url);
  await target.received(1);
  await by.close();
  assert.deepEqual(await result, { abandoned: true });
  assert.deepEqual(await post(by, target.url), { abandoned: true }, 'and a later one is not sent');
  assert.equal(target.requests.length, 1);
});

test('informational answers are not taken for the final answer', async () => {
  const target = await receiver((response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.writeHead(204).end();
  });
  const result = await post(poster({}), target.url);
  assert.deepEqual(result, { status_code: 204, retry_after: null, response_body: '' });
});

test('after the clock was set back, requests that hang end within one timeout, all at once', async () => {
  const timers = manualClock(); // a timer runs on whatever becomes of the clock
  let put_back_ms = 0;
  const clock = { ...timers, now: () => new Date(timers.now().getTime() - put_back_ms) };
  const target = await receiver(() => {});
  const by = poster({ clock });
  let ended = 0;
  for (let n = 1; n <= 5; n++) {
    void post(by, target.url).then(() => ended++);
    await target.received(n);
    timers.advance(10);
  }
  put_back_ms = 3_600_000;
  timers.advance(15_000);
  await eventually('the oldest has ended, whose time had begun before', () => ended === 1);
  await eventually('one sleep for the others', () => timers.asleep(15_000) === 1);
  timers.advance(15_000);
  await eventually('all have ended', () => ended === 5);
});
