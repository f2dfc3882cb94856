import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { z } from 'zod';
import { eventually } from '../../test/support/eventually.ts';
import { rawCall } from '../../test/support/raw-http.ts';
import { AppError } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';
import { version } from '../lib/version.ts';
import { envelope, envelopeSchema } from './envelope.ts';
import { createHttpApp, type HttpApp } from './http-app.ts';
import { Flag, ListQuery, MemoId, Metadata, Search, Stroops } from './schemas.ts';

const Body = z.strictObject({
  amount_stroops: Stroops,
  memo_id: MemoId.optional(),
  metadata: Metadata.optional(),
});

let app: HttpApp;
before(async () => {
  app = createHttpApp(createLog('silent', false), { loopback_only: true });
  const response = { 200: envelopeSchema(z.object(Body.shape)) };
  app.post('/echo', { schema: { body: Body, response } }, async (request, reply) =>
    reply.code(200).send(envelope(200, { ...request.body, secret: 'not in the schema' })),
  );
  const querystring = ListQuery.extend({ flag: Flag.optional(), search: Search.optional() });
  app.get('/list', { schema: { querystring } }, async () => ({}));
  app.get('/broken', { schema: { response } }, async () => Promise.reject(new Error('password=hunter2')));
  await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

const post = (payload: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/echo',
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });

test('the largest integers go in and come out as they are; only what the schema names comes out', async () => {
  const sent =
    '{"amount_stroops":9223372036854775807,"memo_id":18446744073709551615,"metadata":{"2":1,"1":1e400}}';
  const { statusCode, body } = await post(sent);
  assert.equal(statusCode, 200);
  assert.equal(body, `{"statusCode":200,"message":"OK","data":${sent}}`);
});

test('400 names the field at fault, in words', async () => {
  const cases: [string, string, RegExp][] = [
    ['{}', '/amount_stroops', /is required/],
    ['{"amount_stroops":1.0}', '/amount_stroops', /integer/],
    ['{"amount_stroops":1e7}', '/amount_stroops', /integer/],
    ['{"amount_stroops":"1"}', '/amount_stroops', /integer/],
    ['{"amount_stroops":true}', '/amount_stroops', /integer/],
    ['{"amount_stroops":{}}', '/amount_stroops', /integer/],
    ['{"amount_stroops":0}', '/amount_stroops', /greater than 0/],
    ['{"amount_stroops":-1}', '/amount_stroops', /greater than 0/],
    ['{"amount_stroops":9223372036854775808}', '/amount_stroops', /at most 9223372036854775807/],
    ['{"amount_stroops":1,"memo_id":18446744073709551616}', '/memo_id', /at most 18446744073709551615/],
    ['{"amount_stroops":1,"memo_id":-1}', '/memo_id', /at least 0/],
    ['{"amount_stroops":1,"memoid":7}', '/memoid', /not a known field/],
    ['{"amount_stroops":1,"metadata":[]}', '/metadata', /must be a JSON object/],
    ['{"amount_stroops":1,"metadata":"x"}', '/metadata', /must be a JSON object/],
  ];
  for (const [payload, path, message] of cases) {
    const { statusCode, json } = await post(payload);
    const { error } = json();
    assert.equal(statusCode, 400, payload);
    assert.equal(error.code, 'invalid_request');
    assert.equal(error.details[0].path, path, payload);
    assert.match(error.details[0].message, message);
  }
});

test('400 says of a query parameter that it is given more than once, whatever it must be', async () => {
  const details = async (query: string) => {
    const { statusCode, json } = await app.inject({ url: `/list?${query}` });
    assert.equal(statusCode, 400, query);
    return json().error.details;
  };
  const message = 'is given more than once';
  assert.deepEqual(await details('limit=1&limit=2'), [{ path: 'limit', message }]);
  assert.deepEqual(await details('flag=true&flag=true'), [{ path: 'flag', message }]);
  assert.deepEqual(await details('flag=maybe&search=a&search=a&search=b'), [
    { path: 'flag', message: 'must be "true" or "false"' },
    { path: 'search', message },
  ]);
  assert.deepEqual(await details('a=1&a=2'), [{ path: 'a', message: 'is not a known field' }]);
});

test('metadata may have 16 KiB and no byte more', async () => {
  const metadata = (bytes: number) => `{"amount_stroops":1,"metadata":{"a":"${'x'.repeat(bytes - 8)}"}}`;
  assert.equal((await post(metadata(16 * 1024))).statusCode, 200);
  assert.equal((await post(metadata(16 * 1024 + 1))).statusCode, 400);
});

test('what is not one JSON object is 400, another content type 415, more than 64 KiB 413', async () => {
  for (const payload of ['[1]', '{', 'null', '{"amount_stroops":1,"amount_stroops":2}']) {
    const { statusCode, json } = await post(payload);
    assert.deepEqual([statusCode, json().error.code], [400, 'invalid_json'], payload);
  }
  assert.equal((await post('x', { 'content-type': 'text/plain' })).statusCode, 415);
  const { statusCode, json } = await post(`{"amount_stroops":1,"metadata":{"a":"${'x'.repeat(65_536)}"}}`);
  assert.deepEqual([statusCode, json().error.code], [413, 'body_too_large']);
});

test('an empty body is an empty object, whatever its content type', async () => {
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    const { statusCode, json } = await post('', { 'content-type': type });
    assert.deepEqual([statusCode, json().error.details[0].message], [400, 'is required'], type);
  }
});

test('an error of ours tells nothing of its cause', async () => {
  const { statusCode, body } = await app.inject({ url: '/broken' });
  assert.equal(statusCode, 500);
  assert.doesNotMatch(body, /hunter2/);
});

test('every answer has its own request id, and the version that gave it; errors too', async () => {
  const answers = await Promise.all([
    post('{"amount_stroops":1}'),
    post('{'),
    app.inject({ url: '/none' }),
    app.inject({ url: '/%zz' }),
  ]);
  const ids = answers.map(({ headers }) => headers['x-request-id']);
  assert.equal(new Set(ids).size, 4);
  assert(ids.every((id) => typeof id === 'string' && id.startsWith('req_')));
  for (const { headers } of answers) assert.equal(headers['teller-version'], version);
});

test('on loopback another Host is refused: a page that rebinds its name to us gets nothing', async () => {
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io:3000']) {
    assert.equal((await post('{"amount_stroops":1}', { host })).statusCode, 421, host);
  }
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
    assert.equal((await post('{"amount_stroops":1}', { host })).statusCode, 200, host);
  }
});

test('a connection on which nothing was asked does not hold up the end', async () => {
  const short = createHttpApp(createLog('silent', false), { loopback_only: true });
  await short.listen({ port: 0, host: '127.0.0.1' });
  const connected = once(short.server, 'connection');
  const spare = connect((short.server.address() as AddressInfo).port, '127.0.0.1');
  const ended = once(spare, 'close');
  await connected;
  await short.close();
  await ended;
});

test('bytes that are not HTTP get our error body', async () => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GARBAGE\r\n\r\n');
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  assert.match(
    bytes.toString(),
    /^HTTP\/1\.1 400 .*x-request-id: req_.*teller-version: \d.*"code":"invalid_request"/s,
  );
  socket.destroy();
});

test('a path that cannot be decoded is 404, like an id that nobody has', async () => {
  for (const url of ['/%zz', '/list/%ff%fe', '/%', '/list/%ed%a0%80']) {
    const { statusCode, json } = await app.inject({ url });
    assert.deepEqual([statusCode, json().error.code], [404, 'not_found'], url);
  }
});

/** Sends text as it is, and gives what comes back until the end. */
async function exchange(sent: string, to: Pick<typeof app, 'server'> = app): Promise<string> {
  const socket = connect((to.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(sent);
  return text(socket);
}

test('two Host headers are 400, whichever comes first', async () => {
  for (const hosts of [
    ['localhost', 'evil.example'],
    ['localhost', 'localhost'],
  ]) {
    const lines = ['GET /list HTTP/1.1', ...hosts.map((host) => `Host: ${host}`), 'Connection: close'];
    const answer = await exchange(`${lines.join('\r\n')}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /Host header is given more than once/);
  }
});

test('on loopback it answers to localhost names and to the host name of PUBLIC_URL, with any port, and to no other', async () => {
  const own = createHttpApp(createLog('silent', false), {
    loopback_only: true,
    public_host: 'teller.example',
  });
  for (const path of ['/here', '/healthz', '/readyz']) own.get(path, async () => 'here');
  const statusOf = async (host: string) =>
    (await own.inject({ method: 'GET', url: '/here', headers: { host } })).statusCode;
  for (const host of ['localhost:1', '127.0.0.1', '[::1]:3000', 'teller.example', 'teller.example:8443'])
    assert.equal(await statusOf(host), 200, host);
  for (const host of ['evil.example', 'teller.example.evil.example', 'x.teller.example', 'teller.example.'])
    assert.equal(await statusOf(host), 421, host);
  // What a load balancer asks, often without a Host, tells nothing to a web page.
  await own.listen({ port: 0, host: '127.0.0.1' });
  for (const [path, status] of [
    ['/healthz', 200],
    ['/readyz', 200],
    ['/here', 421],
  ] as const)
    for (const lines of [
      `GET ${path} HTTP/1.0`,
      `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close`,
    ])
      assert.match(await exchange(`${lines}\r\n\r\n`, own), new RegExp(`^HTTP/1.1 ${status} `), lines);
  await own.close();
});

test('a client that goes away in the midst of its body is no fault in the log', async () => {
  const lines: string[] = [];
  const own = createHttpApp(pino({ level: 'warn' }, { write: (line) => void lines.push(line) }), {
    loopback_only: true,
  });
  const response = { 200: envelopeSchema(z.object({})) };
  own.post('/echo', { schema: { body: Body, response } }, async () =>
    assert.fail('half a body is no request'),
  );
  await own.listen({ port: 0, host: '127.0.0.1' });
  const { port } = own.server.address() as AddressInfo;
  const head =
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';
  for (const leave of [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.end()]) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const asked = once(own.server, 'request') as Promise<[IncomingMessage]>;
    socket.write(head);
    const [request] = await asked;
    const gone = new Promise((resolve) => request.once('close', resolve));
    leave(socket.resume());
    await gone;
  }
  await own.close();
  assert.deepEqual(lines, []);
});

test('refusals of an outage are one warning without a stack, whatever their number; a fault is an error each time', async () => {
  const lines: string[] = [];
  const own = createHttpApp(pino({ level: 'warn' }, { write: (line) => void lines.push(line) }), {
    loopback_only: true,
  });
  own.get('/refused', async () => {
    throw new AppError('treasury_unfunded', 'The treasury has nothing.', {
      cause: new Error('as the test says'),
    });
  });
  own.get('/broken', async () => assert.fail('a fault of the service'));
  for (let asked = 0; asked < 50; asked++) await own.inject('/refused');
  for (let asked = 0; asked < 2; asked++) await own.inject('/broken');
  await own.close();
  const [refused, ...broken] = lines.map((line) => JSON.parse(line));
  const { level, code, times, reason, cause, err } = refused;
  assert.deepEqual(
    { level, code, times, reason, cause, err },
    {
      level: 40,
      code: 'treasury_unfunded',
      times: 1,
      reason: 'The treasury has nothing.',
      cause: 'as the test says',
      err: undefined,
    },
  );
  assert.deepEqual(
    broken.map((line) => [line.level, line.msg]),
    Array(2).fill([50, 'request failed']),
  );
});

test('a request that comes too slowly is cut off after 30 s and a second at most', () => {
  const limits = app.server as Server & { connectionsCheckingInterval: number };
  assert.equal(limits.requestTimeout, 30_000);
  assert.equal(limits.headersTimeout, 30_000);
  assert.equal(limits.connectionsCheckingInterval, 1_000);
});

test('a connection that sends nothing in that time ends without an answer; one that began a request gets the error', async () => {
  const own = createHttpApp(createLog('silent', false), { loopback_only: true });
  Object.assign(own.server, { connectionsCheckingInterval: 1 });
  await own.listen({ port: 0, host: '127.0.0.1' });
  const { port } = own.server.address() as AddressInfo;
  const answerTo = async (head: string) => {
    own.server.headersTimeout = 30_000;
    const accepted = once(own.server, 'connection') as Promise<[Socket]>;
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    const [connection] = await accepted;
    await eventually('the request has begun', () => connection.bytesRead === head.length);
    own.server.headersTimeout = 1;
    return await text(socket);
  };
  assert.equal(await answerTo(''), '');
  assert.match(await answerTo('GET / HTTP/1.1\r\n'), /^HTTP\/1\.1 400 .*"code":"invalid_request"/s);
  await own.close();
});

test('405 names the methods of a path, whatever the method and before a body is read; 404 where there are none', async () => {
  const app = createHttpApp(createLog('silent', false), { loopback_only: false });
  app.get('/things', async () => ({}));
  app.post('/things', async () => ({}));
  app.delete('/things/:id', async () => ({}));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const ask = async (method: string, path: string) => {
    const { status, headers } = await rawCall(`http://127.0.0.1:${port}`, method, path);
    return [status, headers.allow];
  };
  for (const method of ['QUERY', 'TRACE', 'PUT', 'OPTIONS', 'DELETE'])
    assert.deepEqual(await ask(method, '/things'), [405, 'GET, HEAD, POST'], method);
  assert.deepEqual(await ask('GET', '/things/1?a=b'), [405, 'DELETE']);
  assert.deepEqual(await ask('QUERY', '/nothing'), [404, undefined]);
  await app.close();
});
