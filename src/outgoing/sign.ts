/** Pure: signatures that prove to a receiver that a delivery comes from this service and is unchanged. */
import { strict as assert } from 'node:assert';
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const MARK = 'whsec_';
const KEY_BYTES = 32;
/** How many old secrets sign beside the current one: without a limit the header would grow with each rotation. */
export const MAX_OLD_SECRETS = 4;

/** Makes a secret: `whsec_` and 32 random bytes in base64, as Standard Webhooks writes signing secrets. */
export function newSigningSecret(): string {
  return MARK + randomBytes(KEY_BYTES).toString('base64');
}

/** The two keys of a secret. Made once: HMAC with a key in a Buffer takes several times as long. */
export type SigningKeys = { svc: KeyObject; standard: KeyObject };

/**
 * Makes the two keys of a secret.
 *
 * - `svc`: the UTF-8 bytes of the secret as it was shown.
 * - `standard`: its decoded 32 bytes, as Standard Webhooks requires.
 */
export function signingKeys(secret: string): SigningKeys {
  assert(secret.startsWith(MARK), 'not a signing secret of this service');
  const decoded = Buffer.from(secret.slice(MARK.length), 'base64');
  assert.equal(decoded.length, KEY_BYTES);
  return { svc: createSecretKey(Buffer.from(secret)), standard: createSecretKey(decoded) };
}

export function isSigningSecret(text: string): boolean {
  const key = text.startsWith(MARK) ? Buffer.from(text.slice(MARK.length), 'base64') : Buffer.alloc(0);
  return key.length === KEY_BYTES && text === MARK + key.toString('base64');
}

/**
 * Makes the signature headers over the exact bytes of `body`: the service's own and those of Standard Webhooks 1.0.
 * - `X-Svc-Signature`: lowercase hex HMAC-SHA256 of the body.
 * - `webhook-signature`: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; after rotations the signatures of the
 *   `old` keys follow in their order, separated by spaces.
 * - `webhook-sequence`, unless it is null: counts the endpoint's deliveries without a gap, so that a receiver sees what it
 *   missed. It is not signed: an attacker who can change it can drop deliveries too.
 */
export function signatureHeaders(
  body: Buffer,
  message: { id: string; sequence: bigint | null; sent_at: Date },
  keys: { current: SigningKeys; old: SigningKeys[] },
): Record<string, string> {
  const timestamp = Math.floor(message.sent_at.getTime() / 1000);
  const standard = (key: SigningKeys) =>
    `v1,${createHmac('sha256', key.standard).update(`${message.id}.${timestamp}.`).update(body).digest('base64')}`;
  return {
    'X-Svc-Signature': createHmac('sha256', keys.current.svc).update(body).digest('hex'),
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    ...(message.sequence !== null && { 'webhook-sequence': String(message.sequence) }),
    'webhook-signature': [keys.current, ...keys.old].map(standard).join(' '),
  };
}
