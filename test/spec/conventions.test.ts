/** What every request and every answer have in common. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type RawAnswer, rawCall } from '../support/raw-http.ts';
import { assertError, assertFault, joinService } from '../support/running-service.ts';

const world = await joinService();
after(() => world.stop());
const wallet = await world.newWallet();

const addresses = () => `/v1/wallets/${wallet.id}/addresses`;
const create = (body: unknown, headers?: Record<string, string>) =>
  world.api('POST', addresses(), { token: wallet.api_key, body, ...(headers && { headers }) });

/** With exactly these headers, besides the credential. */
const send = (path: string, body: string | Buffer | undefined, headers: Record<string, string> = {}) =>
  rawCall(world.service.url, 'POST', path, {
    headers: { authorization: `Bearer ${world.token}`, ...headers },
    ...(body !== undefined && { body }),
  });

function assertRefused(answer: RawAnswer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.statusCode, BigInt(status));
  assert.equal(answer.body.error.code, code);
  assert.equal(answer.body.error.request_id, answer.headers['x-request-id']);
}

describe('every response carries X-Request-Id and Teller-Version', () => {
  it('whatever its status, and each its own id', async () => {
    const { api, token } = world;
    const answers = [
      await api('GET', '/healthz'),
      await api('GET', '/readyz'),
      await api('GET', '/openapi.json'),
      await api('GET', '/v1/wallets', { token }),
      await api('GET', '/v1/wallets'),
      await api('GET', '/v1/nothing'),
      await api('PUT', '/v1/wallets', { token }),
      await create('{'),
      await create('x', { 'content-type': 'text/plain' }),
      await create({ label: 'x'.repeat(70_000) }),
    ];
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) assert.match(id ?? '', /^[\w-]{8,}$/);
    assert.equal(new Set(ids).size, ids.length);
    for (const { headers } of answers) assert.match(headers.get('teller-version') ?? '', /^\d+\.\d+\.\d+/);
  });

  it('a request’s own X-Request-Id cannot smuggle anything into the answer', async () => {
    const answer = await rawCall(world.service.url, 'GET', '/healthz', {
      headers: { 'x-request-id': '<script>"\\' },
    });
    assert.match(`${answer.headers['x-request-id']}`, /^[\w-]{8,}$/);
  });
});

describe('an error has statusCode, message and error with code and request_id', () => {
  it('for an unknown path and an unknown method', async () => {
    assertError(await world.api('GET', '/v1/nothing', { token: world.token }), 404, 'not_found');
    assertError(await world.api('GET', '/v2/wallets', { token: world.token }), 404, 'not_found');
    const { status } = await world.api('PUT', '/v1/wallets', { token: world.token, body: {} });
    assert.ok(status === 404 || status === 405);
  });

  it('details name every field at fault by its path, a JSON Pointer', async () => {
    const answer = await world.withdraw(wallet, { destination: 5, amount_stroops: '1', memo_id: -1 });
    const paths = assertError(answer, 400, 'invalid_request').map(({ path }) => path);
    assert.deepEqual(paths.sort(), ['/amount_stroops', '/destination', '/memo_id']);
  });

  it('its code is one that the OpenAPI document lists', async () => {
    const document = (await world.api('GET', '/openapi.json')).body;
    const codes: string[] = document.components.schemas.ErrorCode.enum;
    for (const answer of [await create('{'), await create({ x: 1 }), await world.api('GET', '/v1/wallets')]) {
      assert.ok(codes.includes(answer.body.error.code));
    }
  });
});

describe('a body', () => {
  it('malformed JSON: 400 invalid_json', async () => {
    for (const body of [
      '{',
      '{"label":}',
      "{'label':1}",
      '{"label":"a",}',
      '{"a":1} x',
      'undefined',
      '\ufeff{}',
      '{"a":"\u0001"}',
    ]) {
      const answer = await create(body);
      assertError(answer, 400, 'invalid_json');
    }
  });

  it('bytes that are no UTF-8: 400', async () => {
    const body = Buffer.concat([
      Buffer.from('{"label":"'),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from('"}'),
    ]);
    assertRefused(await send(addresses(), body, { 'content-type': 'application/json' }), 400, 'invalid_json');
  });

  it('a member given twice: 400', async () => {
    for (const body of [
      '{"label":"a","label":"b"}',
      '{"label":"a","label":"a"}',
      '{"label":"a","l\\u0061bel":"b"}',
    ]) {
      assertError(await create(body), 400);
    }
  });

  it('nested too deeply does no harm', async () => {
    const deep = `{"metadata":{"a":${'['.repeat(8000)}${']'.repeat(8000)}}}`;
    const { status } = await create(deep);
    assert.ok(status === 400 || status === 201);
  });

  it('over 64 KiB: 413; up to that it is read', async () => {
    const padded = (bytes: number) => `{${' '.repeat(bytes - 2)}}`;
    assert.equal((await create(padded(65_536))).status, 201);
    assertError(await create(padded(65_537)), 413, 'body_too_large');
    assertError(await create(padded(1_000_000)), 413, 'body_too_large');
  });

  it('over 64 KiB without a Content-Length: 413', async () => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    assertRefused(await send(addresses(), `{${' '.repeat(70_000)}}`, headers), 413, 'body_too_large');
  });

  it('of another content type: 415', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'nonsense',
      'application/jsonx',
    ]) {
      assertError(await create('{}', { 'content-type': type }), 415, 'unsupported_media_type');
    }
    assertRefused(await send(addresses(), '{}'), 415, 'unsupported_media_type');
  });

  it('application/json with a charset, in any case, is JSON', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json;charset="UTF-8"',
    ]) {
      assert.equal((await create('{}', { 'content-type': type })).status, 201, type);
    }
  });

  it('empty is accepted with any content type where no field is required', async () => {
    for (const headers of [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json' },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ]) {
      const answer = await send(addresses(), undefined, { ...headers, 'content-length': '0' });
      assert.equal(answer.status, 201, answer.text);
    }
  });

  it('empty where a field is required: 400', async () => {
    assertError(await world.api('POST', '/v1/wallets', { token: world.token }), 400);
    assertRefused(
      await send('/v1/wallets', undefined, { 'content-type': 'text/plain' }),
      400,
      'invalid_request',
    );
  });

  it('a label of nothing but spaces is no label', async () => {
    for (const label of ['', '  ']) assert.equal((await create({ label })).body.data.label, null);
    assert.equal((await create({ label: ' Order 7 ' })).body.data.label, 'Order 7');
  });

  it('an unknown field: 400, with its path', async () => {
    assertFault(await create({ lable: 'x' }), '/lable');
  });

  it('null means absent', async () => {
    const answer = await create({ label: null, metadata: null });
    assert.equal(answer.status, 201);
    assert.equal(answer.body.data.label, null);
    assertFault(
      await world.api('POST', '/v1/wallets', { token: world.token, body: { name: null } }),
      '/name',
    );
  });

  it('of another shape than an object: 400', async () => {
    for (const body of ['[]', '"x"', '1', 'true', 'null']) {
      const { status } = await create(body);
      assert.ok(status === 400 || (body === 'null' && status === 201), body);
    }
  });

  it('no type is coerced', async () => {
    for (const body of [
      { label: 5 },
      { label: true },
      { label: ['x'] },
      { metadata: '{}' },
      { metadata: [] },
      { metadata: 1 },
    ]) {
      assertFault(await create(body), `/${Object.keys(body)[0]}`);
    }
  });
});

describe('success', () => {
  it('statusCode equals the HTTP status, message is the reason phrase', async () => {
    const made = await create({});
    assert.deepEqual([made.body.statusCode, made.body.message], [201n, 'Created']);
    const read = await world.api('GET', addresses(), { token: wallet.api_key });
    assert.deepEqual([read.body.statusCode, read.body.message], [200n, 'OK']);
    assert.match(read.headers.get('content-type') ?? '', /^application\/json/);
  });

  it('ids have a prefix that tells the kind, and times are RFC 3339 UTC', async () => {
    const { body } = await create({});
    assert.match(body.data.id, /^adr_[0-9a-z]{20,}$/);
    assert.match(wallet.id, /^wal_[0-9a-z]{20,}$/);
    assert.match(body.data.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  });

  it('responses with secrets are not to be stored by caches', async () => {
    const { token, api } = world;
    const answers = [
      await api('POST', '/v1/wallets', { token, body: { name: 'secret' } }),
      await api('POST', `/v1/wallets/${wallet.id}/api-key/regenerate`, { token }),
    ];
    for (const { headers } of answers) assert.match(headers.get('cache-control') ?? '', /no-store/);
    wallet.api_key = answers[1]?.body.data.api_key;
  });

  it('there is no CORS', async () => {
    const headers = { origin: 'https://evil.example' };
    const answer = await world.api('GET', '/v1/wallets', { token: world.token, headers });
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    const preflight = await rawCall(world.service.url, 'OPTIONS', '/v1/wallets', {
      headers: { ...headers, 'access-control-request-method': 'POST' },
    });
    assert.equal(preflight.headers['access-control-allow-origin'], undefined);
  });

  it('the Host header is checked: a page of another name cannot reach the service by DNS rebinding', async () => {
    const headers = { host: 'evil.example', authorization: `Bearer ${world.token}` };
    const answer = await rawCall(world.service.url, 'GET', '/v1/wallets', { headers });
    assert.equal(answer.status, 421);
    assert.equal(answer.body.error.code, 'misdirected_request');
  });
});
