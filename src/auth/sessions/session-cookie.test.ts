import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type BrowserHeaders, faultOfCookieUse, readSessionToken, sessionCookie } from './session-cookie.ts';

test('the name has the port of the address, so that each service of a host reads its own cookie', () => {
  const nameAt = (host: string) => sessionCookie(host, 'token').split('=')[0];
  assert.equal(nameAt('teller.example.com'), '__Host-teller-session');
  assert.equal(nameAt('teller.example.com:8443'), '__Host-teller-session-8443');
  assert.equal(nameAt('[::1]:3000'), '__Host-teller-session-3000');
  assert.equal(nameAt('[::1]'), '__Host-teller-session');
  const jar =
    'a=b; __Host-teller-session=one;__Host-teller-session-3000=two ; __Host-teller-session-30=three';
  assert.equal(readSessionToken(jar, 'localhost'), 'one');
  assert.equal(readSessionToken(jar, 'localhost:3000'), 'two');
  assert.equal(readSessionToken(jar, 'localhost:4000'), null);
  assert.equal(readSessionToken('__Host-teller-session=', 'localhost'), null);
  assert.equal(readSessionToken(undefined, 'localhost'), null);
});

test('without Sec-Fetch-Site, Origin must be the address of the service, whatever the scheme that a proxy ends', () => {
  const isRefused = (more: Partial<BrowserHeaders>) =>
    faultOfCookieUse({
      method: 'POST',
      host: 'Teller.example.com',
      browser: 'idle',
      site: undefined,
      origin: undefined,
      ...more,
    }) !== null;
  assert.equal(isRefused({ origin: 'https://teller.example.com' }), false);
  assert.equal(isRefused({ site: 'same-origin', origin: 'https://example.com' }), false);
  for (const origin of ['https://teller.example.com:8443', 'https://example.com', 'null', 'nonsense'])
    assert.equal(isRefused({ origin }), true, origin);
  for (const site of ['same-site', 'cross-site', 'nonsense']) assert.equal(isRefused({ site }), true, site);
  assert.equal(isRefused({ browser: undefined }), true);
  for (const method of ['GET', 'HEAD']) assert.equal(isRefused({ method, browser: undefined }), false);
});
