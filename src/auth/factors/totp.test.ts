import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Secret } from 'otpauth';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

/** RFC 6238, appendix B: the secret of SHA-1 and its codes, cut to six digits. */
const SECRET = Secret.fromLatin1('12345678901234567890').base32;
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
];

test('the codes of RFC 6238 are right in their step and one step around it, and give the step that they are of', () => {
  for (const [seconds, code] of VECTORS) {
    const step = Math.floor(seconds / 30);
    for (const [at, expected] of [
      [seconds, step],
      [seconds - 30, step],
      [seconds + 30, step],
      [seconds - 60, null],
      [seconds + 60, null],
    ] as const)
      assert.equal(stepOfCode(SECRET, code, new Date(at * 1000)), expected, `${code} at ${at}`);
  }
});

test('digits of any script are digits, and spaces do not count', () => {
  const now = new Date(59_000);
  for (const code of [
    '287 082 ',
    '２８７０８２',
    '287０８２',
    '２８７\u3000０８２',
    '٢٨٧٠٨٢',
    '۲۸۷۰۸۲',
    '२८७०८२',
    '𝟐𝟖𝟕𝟎𝟖𝟐',
    '𝟸𝟾𝟽𝟶𝟾𝟸',
  ])
    assert.equal(stepOfCode(SECRET, code, now), 1, code);
});

test('what is no six digits is wrong and never an error', () => {
  const now = new Date(59_000);
  for (const code of [
    '',
    '28708',
    '2870821',
    '２８７０８',
    '２８７０８１',
    '②⑧⑦⓪⑧②',
    '²⁸⁷⁰⁸²',
    '二八七〇八二',
    '-28708',
    '287082.0',
    '0x4616a',
  ])
    assert.equal(stepOfCode(SECRET, code, now), null, code);
});

test('a secret has 160 bits of its own, and the URI has all that an app needs', () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret);
  assert.equal(new Set(secrets).size, 100);
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/);
  const uri = new URL(totpUri(SECRET, 'a b@example.com'));
  assert.equal(uri.href.split('?')[0], 'otpauth://totp/Stellar%20Teller:a%20b%40example.com');
  assert.deepEqual(Object.fromEntries(uri.searchParams), {
    issuer: 'Stellar Teller',
    secret: SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
