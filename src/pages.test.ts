import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHttpApp } from './http/http-app.ts';
import { createLog } from './lib/log.ts';
import { dashboardPages, referencePages } from './pages.ts';

const newApp = () => createHttpApp(createLog('silent', false), { loopback_only: false });

function builtDashboard(): string {
  const dir = mkdtempSync(join(tmpdir(), 'dashboard-'));
  mkdirSync(join(dir, 'assets'));
  writeFileSync(join(dir, 'index.html'), '<!doctype html><title>Stellar Teller</title>');
  writeFileSync(join(dir, 'assets', 'index-1a2b.js'), 'console.log(1)');
  return dir;
}

test('every path of the dashboard is its one page, which may ask this service only and is never framed', async () => {
  const app = newApp();
  await dashboardPages(app, builtDashboard());
  for (const url of ['/', '/login', '/account', '/wallets', '/wallets/wal_1/transactions?search=a']) {
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

test('where no dashboard was built, / says how', async () => {
  const app = newApp();
  await dashboardPages(app, mkdtempSync(join(tmpdir(), 'dashboard-')));
  const answer = await app.inject({ url: '/' });
  assert.match(answer.body, /npm run dashboard/);
});

test('the reference of the API runs its own scripts only and reads /openapi.json here', async () => {
  const app = newApp();
  await referencePages(app);
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
  assert.equal((await app.inject({ url: '/docs/js/scalar.js' })).statusCode, 200);
});
