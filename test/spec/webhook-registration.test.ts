/** Webhook endpoints: registered, listed, changed, deleted. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Answer } from '../support/api.ts';
import { assertError, assertFault, joinService } from '../support/running-service.ts';

const world = await joinService();
after(() => world.stop());
const stranger = await world.newUser();
const wallet = await world.newWallet();

const register = (body: unknown, token = wallet.api_key): Promise<Answer> =>
  world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, { token, body });
const mainKeyId = async () =>
  (await world.api('GET', `/v1/wallets/${wallet.id}/api-key`, { token: world.token })).body.data.id;
const endpoint = (id: string, rest = '') => `/v1/wallets/${wallet.id}/webhooks/${id}${rest}`;

describe('registration', () => {
  it('with the wallet’s API key: 201, the endpoint and its signing secret, not to be stored by caches', async () => {
    const answer = await register({ url: 'https://example.com/hook?a=1', description: 'Shop' });
    assert.equal(answer.status, 201);
    const { id, created_at, signing_secret, ...rest } = answer.body.data;
    assert.deepEqual(rest, {
      wallet_id: wallet.id,
      url: 'https://example.com/hook?a=1',
      description: 'Shop',
      events: ['deposit.created'],
      enabled: true,
      disabled_reason: null,
      failing_since: null,
      exam_passed_at: null,
      created_by: { kind: 'api_key', id: await mainKeyId(), name: null },
    });
    assert.match(id, /^whe_/);
    assert.match(created_at, /Z$/);
    assert.match(signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/, 'whsec_ and 32 bytes in base64');
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
  });

  it('a login token of the wallet’s owner also authorizes it', async () => {
    assert.equal((await register({ url: 'https://example.com/owner' }, world.token)).status, 201);
  });

  it('another user’s login, and another wallet’s key: 404', async () => {
    const other = await world.newWallet();
    assertError(await register({ url: 'https://example.com/' }, stranger.token), 404);
    assertError(await register({ url: 'https://example.com/' }, other.api_key), 404);
  });

  it('the secret is shown once: neither reading, listing nor changing tells it', async () => {
    const { body } = await register({ url: 'https://example.com/secret' });
    const { id, signing_secret } = body.data;
    const answers = [
      await world.api('GET', endpoint(id), { token: wallet.api_key }),
      await world.api('GET', `/v1/wallets/${wallet.id}/webhooks`, { token: world.token }),
      await world.api('PATCH', endpoint(id), { token: world.token, body: { description: 'x' } }),
      await world.api('DELETE', endpoint(id), { token: world.token }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 200);
      assert.ok(!answer.text.includes(signing_secret));
      assert.ok(!answer.text.includes('signing_secret'));
    }
  });

  it('is kept sealed: the secret is nowhere in the database', async () => {
    const { body } = await register({ url: 'https://example.com/sealed' });
    const secret = body.data.signing_secret as string;
    const [row] = await world.query(
      'select t::text as text, sealed_secret from webhook_endpoints t where id = $1',
      [body.data.id],
    );
    assert.ok(!row.text.includes(secret));
    assert.ok(!row.sealed_secret.includes(Buffer.from(secret)));
    assert.ok(!row.sealed_secret.includes(Buffer.from(secret.slice(6), 'base64')));
  });
});

describe('a URL that is not public http(s) is rejected with 400 webhook_url_not_public', () => {
  const urls = [
    'http://localhost/',
    'https://localhost:8443/x',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://a.localhost/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1:80/',
    'http://127.255.255.254/',
    'http://0.0.0.0/',
    'http://0/',
    'http://10.0.0.1/',
    'http://10.255.255.255/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://192.0.0.1/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd12:3456::1]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://[2002:a00:1::1]/',
    'http://[2001::1]/',
    'http://[fec0::1]/',
    'http://[100::1]/',
    'http://[64:ff9b:1::1]/',
    'http://user@example.com/',
    'http://user:password@example.com/',
    'https://example.com@127.0.0.1/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'ws://example.com/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'blob:https://example.com/1',
    'mailto:a@example.com',
    'http://printer.local/',
    'http://db.internal/',
    'http://router.home.arpa/',
    'http://intranet/',
    'http://db.INTERNAL./',
    'http:///x',
    '//example.com/',
    'example.com',
    '',
    ' ',
    'http://',
    'https://exa mple.com/',
    'http://[::1',
    'http://a:99999/',
    'http://%31%32%37.0.0.1/',
    'http://127.0.0.1%2f@example.com/',
    'http:\\\\127.0.0.1\\',
    'http://\t127.0.0.1/',
  ];
  for (const url of urls) {
    it(JSON.stringify(url), async () => {
      const before = await world.countOf('webhook_endpoints');
      const answer = await register({ url });
      assertError(answer, 400);
      if (URL.canParse(url)) assertError(answer, 400, 'webhook_url_not_public');
      assert.equal(await world.countOf('webhook_endpoints'), before);
    });
  }

  it('also when an endpoint is changed', async () => {
    const { body } = await register({ url: 'https://example.com/change' });
    for (const url of ['http://127.0.0.1/', 'http://localhost/', 'http://[::1]/']) {
      const answer = await world.api('PATCH', endpoint(body.data.id), { token: world.token, body: { url } });
      assertError(answer, 400, 'webhook_url_not_public');
    }
    const read = await world.api('GET', endpoint(body.data.id), { token: wallet.api_key });
    assert.equal(read.body.data.url, 'https://example.com/change');
  });

  it('public ones are fine: example.com, a port, a public address, a name that does not resolve', async () => {
    const accepted = [
      'http://example.com/',
      'https://example.com:8443/a?b=c',
      'http://8.8.8.8/',
      'https://no-such-name.example.com/',
    ];
    const other = await world.newWallet();
    for (const url of accepted) {
      const answer = await world.api('POST', `/v1/wallets/${other.id}/webhooks`, {
        token: world.token,
        body: { url },
      });
      assert.equal(answer.status, 201, answer.text);
    }
  });
});

describe('the body of a registration', () => {
  it('url is required and a string; unknown fields are refused', async () => {
    assertFault(await register({}), '/url');
    assertFault(await register({ url: 5 }), '/url');
    assertFault(await register({ url: null }), '/url');
    assertFault(await register({ url: 'https://example.com/', description: 5 }), '/description');
    assertError(await register({ url: 'https://example.com/', events: ['x'] }), 400);
    assertError(await register({ url: `https://example.com/${'x'.repeat(60_000)}` }), 400);
  });

  it('at most 20 endpoints for each wallet, then 422, and a deleted one makes room; also at once', async () => {
    const other = await world.newWallet();
    const add = () =>
      world.api('POST', `/v1/wallets/${other.id}/webhooks`, {
        token: other.api_key,
        body: { url: 'https://example.com/many' },
      });
    const answers = await Promise.all(Array.from({ length: 25 }, add));
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(made.length, 20);
    for (const answer of answers) if (answer.status !== 201) assertError(answer, 422, 'too_many_endpoints');
    const path = `/v1/wallets/${other.id}/webhooks/${made[0]?.body.data.id}`;
    assert.equal((await world.api('DELETE', path, { token: world.token })).status, 200);
    assert.equal((await add()).status, 201);
  });
});

describe('an endpoint', () => {
  it('is changed by a login: url, description, enabled', async () => {
    const { body } = await register({ url: 'https://example.com/one', description: 'one' });
    const change = { url: 'https://example.com/two', description: 'two', enabled: false };
    const changed = await world.api('PATCH', endpoint(body.data.id), { token: world.token, body: change });
    const { signing_secret: _, ...shown } = body.data;
    assert.equal(changed.status, 200);
    assert.deepEqual({ ...changed.body.data, disabled_reason: null }, { ...shown, ...change });
    const read = await world.api('GET', endpoint(body.data.id), { token: wallet.api_key });
    assert.deepEqual(read.body.data, changed.body.data);
  });

  it('DELETE answers 200 with the resource; afterwards it is 404 and not listed', async () => {
    const { body } = await register({ url: 'https://example.com/gone' });
    const deleted = await world.api('DELETE', endpoint(body.data.id), { token: world.token });
    assert.equal(deleted.status, 200);
    assert.equal(deleted.body.data.id, body.data.id);
    assertError(await world.api('GET', endpoint(body.data.id), { token: wallet.api_key }), 404);
    assertError(await world.api('DELETE', endpoint(body.data.id), { token: world.token }), 404);
    const list = await world.api('GET', `/v1/wallets/${wallet.id}/webhooks?limit=200`, {
      token: wallet.api_key,
    });
    assert.ok(!list.text.includes(body.data.id));
  });

  it('PATCH, DELETE and rotate-secret with an API key: 401 login_required', async () => {
    const { body } = await register({ url: 'https://example.com/login-only' });
    const { id } = body.data;
    for (const [method, path] of [
      ['PATCH', endpoint(id)],
      ['DELETE', endpoint(id)],
      ['POST', endpoint(id, '/rotate-secret')],
    ] as const) {
      const answer = await world.api(method, path, {
        token: wallet.api_key,
        ...(method === 'PATCH' && { body: {} }),
      });
      assertError(answer, 401, 'login_required');
    }
    await world.api('DELETE', endpoint(id), { token: world.token });
  });

  it('rotate-secret answers 201 with a new secret, not to be stored by caches', async () => {
    const { body } = await register({ url: 'https://example.com/rotate' });
    const answer = await world.api('POST', endpoint(body.data.id, '/rotate-secret'), { token: world.token });
    assert.equal(answer.status, 201);
    assert.match(answer.body.data.signing_secret, /^whsec_/);
    assert.notEqual(answer.body.data.signing_secret, body.data.signing_secret);
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
  });
});
