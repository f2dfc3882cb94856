import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { newSigningSecret, signatureHeaders, signingKeys } from './sign.ts';

// Computed with Python's hmac module.
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='; // bytes 0 … 31
const OLD = 'whsec_//////////////////////////////////////////8='; // 32 times 255
const BODY = Buffer.from(
  '{"event":"deposit.created","data":{"amount_stroops":9223372036854775807,"memo_id":18446744073709551615,"metadata":{"b":1.0,"a":"é"}}}',
);
const MESSAGE = { id: 'evt_01', sequence: 7n, sent_at: new Date('2026-03-01T12:00:00.999Z') };

test('X-Svc-Signature is the lowercase hex HMAC-SHA256 of the body, keyed with the secret as it is shown', () => {
  const headers = signatureHeaders(BODY, MESSAGE, { current: signingKeys(SECRET), old: [] });
  assert.equal(
    headers['X-Svc-Signature'],
    '61789f43903c7ca4ae3144ebd9599919c0a60300fc4cdc84b23cfe0a368ee6e7',
  );
});

test('the Standard Webhooks headers sign id, timestamp and body with the decoded 32 bytes', () => {
  const headers = signatureHeaders(BODY, MESSAGE, { current: signingKeys(SECRET), old: [] });
  assert.equal(headers['webhook-id'], 'evt_01');
  assert.equal(headers['webhook-timestamp'], '1772366400');
  assert.equal(headers['webhook-sequence'], '7');
  assert.equal(headers['webhook-signature'], 'v1,8oBUgd0xXdwiDU+XVbkVrVDhDlzC/kzfp9hEkZrKMKY=');
});

test('webhook-signature has the signatures of old secrets after the new one’s, and X-Svc-Signature is the new one’s alone', () => {
  const keys = { current: signingKeys(SECRET), old: [signingKeys(OLD), signingKeys(SECRET)] };
  const headers = signatureHeaders(BODY, MESSAGE, keys);
  assert.equal(
    headers['webhook-signature'],
    'v1,8oBUgd0xXdwiDU+XVbkVrVDhDlzC/kzfp9hEkZrKMKY= v1,YJz993ucseDd7JxCDX2Cq5BCH/PNuQoIn4gDUQ6zvdE= ' +
      'v1,8oBUgd0xXdwiDU+XVbkVrVDhDlzC/kzfp9hEkZrKMKY=',
  );
  assert.equal(
    headers['X-Svc-Signature'],
    '61789f43903c7ca4ae3144ebd9599919c0a60300fc4cdc84b23cfe0a368ee6e7',
  );
});

test('the official standardwebhooks package takes our signatures, by any secret after rotations, and no other body', () => {
  const body = Buffer.from(
    '{"event":"deposit.created","data":{"memo_id":18446744073709551615,"metadata":{"a":"é"}}}',
  );
  const message = { ...MESSAGE, sent_at: new Date() };
  const [current, ...old] = [newSigningSecret(), newSigningSecret(), newSigningSecret()] as const;
  const keys = { current: signingKeys(current), old: old.map(signingKeys) };
  const headers = signatureHeaders(body, message, keys);
  for (const secret of [current, ...old]) new Webhook(secret).verify(body.toString(), headers);
  assert.throws(
    () => new Webhook(newSigningSecret()).verify(body.toString(), headers),
    /No matching signature/,
  );
  assert.throws(() => new Webhook(current).verify(`${body} `, headers), /No matching signature/);
  const stale = signatureHeaders(body, { ...message, sent_at: new Date(Date.now() - 600_000) }, keys);
  assert.throws(() => new Webhook(current).verify(body.toString(), stale), /too old/);
});

test('a signing secret is whsec_ and 32 random bytes in base64', () => {
  const secrets = Array.from({ length: 100 }, newSigningSecret);
  assert.equal(new Set(secrets).size, 100);
  for (const secret of secrets) assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
});
