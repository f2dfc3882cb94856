import { strict as assert } from 'node:assert';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createKeyRing } from '../../vault/master-keys/key-ring.ts';
import { signToken, verifyToken } from './tokens.ts';

const jwt_keys = createKeyRing([randomBytes(32)]).derive('login tokens');
const verify = async (text: string, now: Date) =>
  (await verifyToken(jwt_keys, text, now))?.session_id ?? null;
const issued_at = new Date('2026-01-01T00:00:00Z');
const expires_at = new Date('2026-01-01T01:00:00Z');
const token = await signToken(jwt_keys, {
  session_id: 'ses_1',
  user_id: 'usr_1',
  renewal: 3,
  issued_at,
  expires_at,
  second_factor: false,
});
const [header = '', claims = '', signature = ''] = token.split('.');

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
const sign = (input: string, key = jwt_keys.current()) =>
  `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
const withClaims = (change: object) => sign(`${header}.${encode({ ...decode(claims), ...change })}`);

test('a token is valid until the second that it names, and not from then on', async () => {
  assert.equal(await verify(token, issued_at), 'ses_1');
  assert.equal(await verify(token, new Date(expires_at.getTime() - 1)), 'ses_1');
  assert.equal(await verify(token, expires_at), null);
});

test('a token tells its number among those of its session', async () => {
  assert.deepEqual(await verifyToken(jwt_keys, token, issued_at), { session_id: 'ses_1', renewal: 3 });
});

test('a token of a session with a second factor is for another audience', async () => {
  const of = { session_id: 'ses_1', user_id: 'usr_1', renewal: 0, issued_at, expires_at };
  const proven = await signToken(jwt_keys, { ...of, second_factor: true });
  assert.deepEqual(await verifyToken(jwt_keys, proven, issued_at), { session_id: 'ses_1', renewal: 0 });
  assert.equal(decode(proven.split('.')[1] ?? '').aud, 'stellar-teller/v1+factor');
  assert.equal(decode(claims).aud, 'stellar-teller/v1');
});

test('a token that the key signed is refused when it is for others, names no session, has no number or never expires', async () => {
  assert.equal(await verify(withClaims({}), issued_at), 'ses_1');
  for (const change of [
    { iss: 'someone-else' },
    { aud: 'another-service' },
    { aud: undefined },
    { exp: undefined },
    { exp: '9999999999' },
    { jti: undefined },
    { jti: 1 },
    { renewal: undefined },
    { renewal: '0' },
  ]) {
    assert.equal(await verify(withClaims(change), issued_at), null, JSON.stringify(change));
  }
});

test('another algorithm or type in the header is refused, even with the right signature', async () => {
  for (const other of [
    { alg: 'none', typ: 'JWT' },
    { alg: 'HS512', typ: 'JWT' },
    { alg: 'HS256' },
    { alg: 'HS256', typ: 'JWT', crit: ['b64'], b64: false },
    { alg: 'HS256', typ: 'at+jwt' },
  ]) {
    assert.equal(await verify(sign(`${encode(other)}.${claims}`), issued_at), null, JSON.stringify(other));
  }
});

test('a change of any single character is refused, also of the unused bits in the last one', async () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (let i = 0; i < token.length; i++) {
    const at = letters.indexOf(token.charAt(i));
    const other = at === -1 ? 'A' : letters.charAt(at ^ 1);
    assert.equal(
      await verify(token.slice(0, i) + other + token.slice(i + 1), issued_at),
      null,
      `character ${i}`,
    );
  }
});

test('a text that is no token is refused without an exception', async () => {
  for (const text of [
    '',
    '.',
    '..',
    header,
    `${header}.`,
    `${header}..`,
    `${header}.${claims}`,
    `${header}.${claims}.`,
    `${header}.${claims}.${signature}=`,
    `${header}.${claims}.${signature.slice(0, 8)} ${signature.slice(8)}`,
    sign(`${header}.`),
    sign(`${header}.${encode([1])}`),
    sign(`${header}.not~base64url`),
    `${header}.${claims}.${signature}.`,
    `${header}.${claims}.${signature}.${signature}`,
    ` ${token}`,
    sign(`${header}.${claims}`, randomBytes(32)),
  ]) {
    assert.equal(await verify(text, issued_at), null, text);
  }
});
