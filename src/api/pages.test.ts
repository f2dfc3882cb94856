import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createHttpApp } from '../http/http-app.ts';
import { createLog } from '../lib/log.ts';
import { dashboardPages, referencePages } from './pages.ts';

const newApp = () => createHttpApp(createLog('silent', false), { loopback_only: false });

function builtDashboard(): string {
  const dir = mkdtempSync(join(tmpdir(), 'dashboard-'));
  mkdirSync(join(dir, 'assets'));
  const html = '<!doctype html><title>Stellar Teller</title>';
  for (const [name, text] of Object.entries({ 'index.html': html, 'assets/index-1a2b.js': SCRIPT })) {
    writeFileSync(join(dir, name), text);
    writeFileSync(join(dir, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(dir, `${name}.gz`), gzipSync(text));
  }
  writeFileSync(join(dir, 'assets', 'inter-3c4d.woff2'), 'a font');
  return dir;
}

const SCRIPT = 'console.log(1);'.repeat(100);

test('every path of the dashboard is its one page, which may ask this service only and is never framed', async () => {
  const app = newApp();
  await dashboardPages(app, builtDashboard());
  for (const url of [
    '/',
    '/login',
    '/invitation',
    '/account',
    '/security',
    '/team',
    '/payees',
    '/audit',
    '/wallets/wal_1/transactions?search=a',
  ]) {
    const answer = await app.inject({ url });
    assert.equal(answer.statusCode, 200, url);
    assert.match(answer.body, /^<!doctype html>/);
    assert.equal(answer.headers['cache-control'], 'no-cache');
    const policy = String(answer.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.match(policy, /connect-src 'self';.*frame-ancestors 'none'/);
  }
});

test('a file is kept for ever under its name; one that is not there, and any other path, is 404 in JSON', async () => {
  const app = newApp();
  await dashboardPages(app, builtDashboard());
  const script = await app.inject({ url: '/assets/index-1a2b.js' });
  assert.equal(script.statusCode, 200);
  assert.match(String(script.headers['content-type']), /javascript/);
  assert.match(String(script.headers['cache-control']), /max-age=31536000, immutable/);
  for (const url of ['/assets/index-0000.js', '/assets/../index.html', '/assets/', '/walletsx', '/v1/none']) {
    const answer = await app.inject({ url });
    assert.equal(answer.statusCode, 404, url);
    assert.equal(answer.json().error.code, 'not_found');
  }
});

test('a browser that opens a path that is not there gets the page, which says so, with 404; nobody else does', async () => {
  const app = newApp();
  await dashboardPages(app, builtDashboard());
  await referencePages(app, 'https://pay.example.com');
  app.post('/v1/wallets', async () => ({}));
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
  const ask = (url: string, accept?: string, more = {}) =>
    app.inject({ url, ...more, headers: accept === undefined ? {} : { accept } });
  const index = (await ask('/')).body;
  for (const url of [
    '/nope',
    '/nope?a=1',
    '/Wallets',
    '/walletsx',
    '/login/',
    '/v1x',
    '/docsx/a',
    '/a/v1/b',
  ]) {
    for (const accept of [browser, 'TEXT/HTML', 'application/json;q=0.9, text/html; charset=utf-8']) {
      const { statusCode, headers, body } = await ask(url, accept);
      assert.deepEqual([statusCode, body], [404, index], `${url} for ${accept}`);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.match(String(headers['content-security-policy']), /script-src 'self'.*frame-ancestors 'none'/);
      assert.equal(headers['cache-control'], 'no-cache');
      assert.equal(headers.etag, undefined, 'a copy is never asked about');
      assert.equal(headers.vary, 'accept');
    }
  }
  const assertJson = async (url: string, accept?: string, more?: object) => {
    const { statusCode, json } = await ask(url, accept, more);
    assert.deepEqual([statusCode, json().error.code], [404, 'not_found'], `${url} for ${accept}`);
  };
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'application/json, text/html',
    'application/json, text/html;q=0.9',
    'text/html;q=0',
    'text/*',
  ])
    await assertJson('/nope', accept);
  for (const url of ['/v1', '/v1/', '/v1?a', '/v1/none', '/docs/none', '/assets', '/assets/none.js'])
    await assertJson(url, browser);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) await assertJson('/nope', browser, { method });
  const { statusCode: status, headers: told } = await ask('/v1/wallets', browser);
  assert.deepEqual([status, told.allow], [405, 'POST'], 'a path with other methods says which');
  const head = await ask('/nope', browser, { method: 'HEAD' });
  assert.deepEqual([head.statusCode, head.body], [404, '']);
});

test('a script and the page are sent compressed to whoever takes it, and mean the same', async () => {
  const app = newApp();
  await dashboardPages(app, builtDashboard());
  const as = async (url: string, accept?: string) => {
    const given = accept === undefined ? {} : { 'accept-encoding': accept };
    const { headers, rawPayload, statusCode } = await app.inject({ url, headers: given });
    assert.equal(statusCode, 200);
    assert.equal(headers.vary, 'accept-encoding');
    assert.equal(headers['content-length'], `${rawPayload.length}`);
    return { headers, rawPayload };
  };
  for (const url of ['/assets/index-1a2b.js', '/wallets']) {
    const plain = await as(url);
    assert.equal(plain.headers['content-encoding'], undefined);
    const tags = [plain.headers.etag];
    for (const [accept, encoding, read] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip, deflate', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const sent = await as(url, accept);
      assert.equal(sent.headers['content-encoding'], encoding, accept);
      assert.deepEqual(read(sent.rawPayload), plain.rawPayload);
      for (const header of ['content-type', 'cache-control', 'content-security-policy'])
        assert.equal(sent.headers[header], plain.headers[header], header);
      tags.push(sent.headers.etag);
    }
    assert.equal(new Set(tags).size, 3, 'plain, br and gzip have different tags');
  }
  assert.equal((await as('/assets/inter-3c4d.woff2', 'br')).headers['content-encoding'], undefined);
  assert.equal((await app.inject({ url: '/assets/index-1a2b.js.br' })).statusCode, 404);
});

test('answers to HEAD, for a part, and for a copy that is still right are about the compressed file', async () => {
  const app = newApp();
  await dashboardPages(app, builtDashboard());
  for (const url of ['/assets/index-1a2b.js', '/wallets']) {
    const ask = (method: 'GET' | 'HEAD', headers: Record<string, string> = {}) =>
      app.inject({ url, method, headers: { 'accept-encoding': 'br', ...headers } });
    const whole = await ask('GET');
    const head = await ask('HEAD');
    assert.equal(head.rawPayload.length, 0);
    for (const header of ['content-length', 'content-encoding', 'content-type', 'etag', 'vary'])
      assert.equal(head.headers[header], whole.headers[header], header);
    const part = await ask('GET', { range: 'bytes=3-6' });
    assert.equal(part.statusCode, 206);
    assert.equal(part.headers['content-encoding'], 'br');
    assert.deepEqual(part.rawPayload, whole.rawPayload.subarray(3, 7));
    const known = await ask('GET', { 'if-none-match': String(whole.headers.etag) });
    assert.equal(known.statusCode, 304);
    assert.equal(known.rawPayload.length, 0);
    assert.equal(known.headers.vary, 'accept-encoding');
  }
});

test('where no dashboard was built, / says how', async () => {
  const app = newApp();
  await dashboardPages(app, mkdtempSync(join(tmpdir(), 'dashboard-')));
  const answer = await app.inject({ url: '/' });
  assert.match(answer.body, /npm run dashboard/);
  const other = await app.inject({ url: '/wallets', headers: { accept: 'text/html' } });
  assert.equal(other.json().error.code, 'not_found');
});

test('the reference of the API runs its own scripts only and reads /openapi.json here', async () => {
  const app = newApp();
  await referencePages(app, 'https://pay.example.com');
  const answer = await app.inject({ url: '/docs/' });
  assert.equal(answer.statusCode, 200);
  const policy = String(answer.headers['content-security-policy']);
  const [, nonce] = /script-src 'self' 'nonce-([^']+)'/.exec(policy) ?? [];
  assert(nonce);
  const scripts = [...answer.body.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes ?? '');
  assert.ok(scripts.length > 0);
  for (const attributes of scripts) assert.ok(attributes.includes(`nonce="${nonce}"`), attributes);
  assert.match(answer.body, /\/openapi\.json/);
  assert.doesNotMatch(answer.body, /https?:\/\//);
  const { statusCode, headers } = await app.inject({ url: '/docs' });
  assert.deepEqual([statusCode, headers.location], [301, '/docs/']);
});

test('the commands of the guides in the reference have the address of the service', async () => {
  const app = newApp();
  const document = {
    info: { description: 'URL=http://localhost:3000' },
    components: { schemas: {} },
  };
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json').serializer(String).send(JSON.stringify(document)),
  );
  await referencePages(app, 'https://pay.example.com');
  const answer = await app.inject({ url: '/docs/openapi.json' });
  assert.equal(answer.json().info.description, 'URL=https://pay.example.com');
});

test('/llms.txt names the document and the reference, and is a page at most', async () => {
  const app = newApp();
  await referencePages(app, 'https://pay.example.com');
  const { statusCode, headers, body } = await app.inject({ url: '/llms.txt' });
  assert.deepEqual([statusCode, headers['content-type']], [200, 'text/plain; charset=utf-8']);
  for (const path of ['/openapi.json', '/docs/']) assert.ok(body.includes(`](${path})`), path);
  assert.match(body, /^# Stellar Teller\n\n> .*\n\n/);
  assert.ok(Buffer.byteLength(body) < 4096);
});

test('the script of the reference is sent compressed to whoever takes it, and means the same', async () => {
  const app = newApp();
  await referencePages(app, 'https://pay.example.com');
  const { body: page } = await app.inject({ url: '/docs/' });
  const [, src] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
  const { pathname: url } = new URL(src ?? '', 'http://localhost/docs/');
  const as = (accept?: string) =>
    app.inject({ url, headers: accept === undefined ? {} : { 'accept-encoding': accept } });
  const plain = await as();
  assert.equal(plain.statusCode, 200);
  assert.match(String(plain.headers['content-type']), /javascript/);
  for (const accept of ['gzip', 'gzip, deflate, br, zstd', 'br;q=1.0, GZIP ; q=0.5']) {
    const { headers, rawPayload } = await as(accept);
    assert.equal(headers['content-encoding'], 'gzip', accept);
    assert.equal(headers['content-type'], plain.headers['content-type']);
    assert.equal(headers.vary, 'accept-encoding');
    assert.ok(rawPayload.length < plain.rawPayload.length / 3);
    assert.ok(gunzipSync(rawPayload).equals(plain.rawPayload));
  }
  for (const accept of [undefined, '', 'identity', 'br', 'gzip;q=0', 'deflate, gzip; q=0.000', 'xgzip']) {
    const { headers, rawPayload } = await as(accept);
    assert.equal(headers['content-encoding'], undefined, accept);
    assert.equal(headers.vary, 'accept-encoding');
    assert.ok(rawPayload.equals(plain.rawPayload));
  }
});

test('a browser that looks for the icon of a page that names none gets the dashboard’s', async () => {
  const app = newApp();
  await referencePages(app, 'https://pay.example.com');
  const { statusCode, headers, body } = await app.inject({ url: '/favicon.ico' });
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'image/svg+xml');
  assert.match(body, /^<svg /);
});
