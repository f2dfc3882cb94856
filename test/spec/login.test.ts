/** Sessions of dashboard users. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { assertError, assertFault, joinService, unique } from '../support/running-service.ts';

const world = await joinService();
after(() => world.stop());
const user = await world.newUser();

const logIn = (body: unknown) => world.api('POST', '/v1/auth/login', { body });
const me = (token: string) => world.api('GET', '/v1/auth/me', { token });

async function newToken(): Promise<string> {
  const { body } = await logIn({ email: user.email, password: user.password });
  return body.data.token;
}

describe('POST /v1/auth/login', () => {
  it('answers 200 with token and user, not to be stored by caches', async () => {
    const answer = await logIn({ email: user.email, password: user.password });
    assert.equal(answer.status, 200);
    assert.equal(answer.body.statusCode, 200n);
    assert.equal(answer.body.message, 'OK');
    assert.deepEqual(Object.keys(answer.body.data).sort(), ['token', 'user']);
    const { created_at, ...rest } = answer.body.data.user;
    assert.deepEqual(rest, { id: user.id, email: user.email, name: 'Test user' });
    assert.match(created_at, /Z$/);
    assert.match(answer.body.data.token, /^[\w-]+\.[\w-]+\.[\w-]+$/, 'a JWT');
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
  });

  it('each login is a session of its own', async () => {
    assert.notEqual(await newToken(), await newToken());
  });

  it('e-mail in any case, as people type it', async () => {
    assert.equal((await logIn({ email: user.email.toUpperCase(), password: user.password })).status, 200);
  });

  it('a wrong e-mail and a wrong password get the same answer', async () => {
    const wrong_password = await logIn({ email: user.email, password: 'not the password' });
    const wrong_email = await logIn({ email: `${unique('nobody')}@example.com`, password: user.password });
    for (const answer of [wrong_password, wrong_email]) assertError(answer, 401, 'wrong_credentials');
    const words = ({ text, body }: typeof wrong_email) => text.replace(body.error.request_id, '');
    assert.equal(words(wrong_password), words(wrong_email));
    const names = ({ headers }: typeof wrong_email) => [...headers.keys()].sort();
    assert.deepEqual(names(wrong_password), names(wrong_email));
  });

  it('needs both fields as strings, and no others', async () => {
    assertFault(await logIn({ email: user.email }), '/password');
    assertFault(await logIn({ password: 'x' }), '/email');
    assertFault(await logIn({ email: 5, password: 'x' }), '/email');
    assertFault(await logIn({ email: user.email, password: ['x'] }), '/password');
    assertError(await logIn({ email: user.email, password: user.password, remember: true }), 400);
    assertError(await logIn(undefined), 400);
  });

  it('a password of 60,000 characters is only wrong', async () => {
    const { status } = await logIn({
      email: `${unique('nobody')}@example.com`,
      password: 'x'.repeat(60_000),
    });
    assert.ok(status === 401 || status === 400);
  });
});

describe('a login token', () => {
  it('tells who one is', async () => {
    const answer = await me(user.token);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.data.id, user.id);
    assert.equal(answer.body.data.email, user.email);
  });

  it('is dead at once after logout, and only that one', async () => {
    const [token, other] = [await newToken(), await newToken()];
    assert.equal((await world.api('POST', '/v1/auth/logout', { token })).status, 200);
    assertError(await me(token), 401);
    assertError(await world.api('POST', '/v1/auth/logout', { token }), 401);
    assert.equal((await me(other)).status, 200);
  });

  it('is dead when its session has expired', async () => {
    const token = await newToken();
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
    await world.query("update sessions set expires_at = now() - interval '1 second' where id = $1", [jti]);
    assertError(await me(token), 401);
  });

  it('is dead when its session row is gone', async () => {
    const token = await newToken();
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
    await world.query('delete from sessions where id = $1', [jti]);
    assertError(await me(token), 401);
  });
});

describe('a forged token is refused with 401', () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());
  const sign = (input: string, key: Buffer, hash = 'sha256') =>
    `${input}.${createHmac(hash, key).update(input).digest('base64url')}`;

  const forgeries: Record<string, (header: string, claims: string, signature: string) => string> = {
    'alg none': (_header, claims) => `${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`,
    'alg None, signature kept': (_, claims, signature) => `${encode({ alg: 'None' })}.${claims}.${signature}`,
    'another key': (header, claims) => sign(`${header}.${claims}`, randomBytes(32)),
    'the empty key': (header, claims) => sign(`${header}.${claims}`, Buffer.alloc(0)),
    'no signature': (header, claims) => `${header}.${claims}.`,
    'two parts': (header, claims) => `${header}.${claims}`,
    'other claims, signature kept': (header, claims, signature) =>
      `${header}.${encode({ ...decode(claims), exp: 9_999_999_999 })}.${signature}`,
    'a header with a key of its own': (_, claims) => {
      const jwk = { kty: 'oct', k: Buffer.alloc(32).toString('base64url') };
      return sign(`${encode({ alg: 'HS256', jwk })}.${claims}`, Buffer.alloc(32));
    },
    'a signature byte changed': (header, claims, signature) =>
      `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
  };
  for (const [name, forge] of Object.entries(forgeries)) {
    it(name, async () => {
      const [header = '', claims = '', signature = ''] = user.token.split('.');
      assertError(await me(forge(header, claims, signature)), 401);
      assert.equal((await me(user.token)).status, 200);
    });
  }

  it('and so is anything that is no bearer token', async () => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      user.token,
      `Basic ${Buffer.from(`${user.email}:${user.password}`).toString('base64')}`,
      `Bearer ${user.token} ${user.token}`,
      `Bearer ${'x'.repeat(8000)}`,
    ]) {
      assertError(await world.api('GET', '/v1/auth/me', { headers: { authorization } }), 401);
    }
    assertError(await world.api('GET', '/v1/auth/me'), 401);
  });

  it('a token in the query or a cookie does not count', async () => {
    assertError(await world.api('GET', `/v1/auth/me?access_token=${user.token}`), 401);
    assertError(await world.api('GET', '/v1/auth/me', { headers: { cookie: `token=${user.token}` } }), 401);
  });
});
