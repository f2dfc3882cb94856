/**
 * Whether a delivery comes from the service, unchanged and now. Web Crypto alone: Node, Deno, Bun, workers and browsers.
 *
 * | headers | accepted |
 * |---|---|
 * | `webhook-id`, `webhook-timestamp`, `webhook-signature` (Standard Webhooks 1.0) | with a right signature and a time that is at most `tolerance_seconds` off |
 * | one of these three is missing | never |
 * | `x-svc-signature` alone | only with `accept_without_time`: it covers no time, so whoever has seen a delivery could send it again |
 * | all four | by the first three. X-Svc-Signature is not looked at: during a rotation the new secret alone makes it |
 */
import { TellerError } from '../errors.ts';
import { stringifyExact } from '../exact-json.ts';
import { type EventBody, parseEvent } from './event.ts';

export type RefusalReason =
  | 'headers_missing'
  | 'headers_malformed'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'malformed_body';

/** The delivery is not accepted. Answer with 401; the reason is for your log. Hostile input causes no other error. */
export class WebhookVerificationError extends TellerError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export type VerifyOptions = {
  /** How far `webhook-timestamp` may be off, in seconds, both ways: 300 when absent. */
  tolerance_seconds?: number;
  /** Accept deliveries that have X-Svc-Signature alone. False when absent. */
  accept_without_time?: boolean;
  /** The time of now, in milliseconds. */
  now?: () => number;
};

/** A delivery that is accepted. Handle each `id` once: the service sends a delivery again until you acknowledge it. */
export type VerifiedWebhook = EventBody & {
  /** `webhook-id`, the same on each attempt; null where X-Svc-Signature alone was accepted. */
  id: string | null;
  /** `webhook-timestamp`. */
  sent_at: Date | null;
  /** `webhook-sequence`: counts the deliveries of the endpoint. It is not signed, so it is a hint only. */
  sequence: bigint | null;
  /** The exact text that was signed. */
  text: string;
};

/** Headers of the Fetch API, or an object of any framework, with names in any case. */
export type WebhookHeaders = Pick<Headers, 'get'> | Record<string, unknown>;
/** The bytes as they arrived. A parsed object cannot be verified: its spelling is gone. */
export type RawBody = Uint8Array | ArrayBuffer | string;

const TOLERANCE_SECONDS = 300;
/** The service sends five at most. */
const MAX_SIGNATURES = 16;
/** 32 bytes in base64, without spare bits: one signature has one spelling. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/;

/**
 * Verifies a delivery and reads its body exactly.
 * @param secret the signing secret of the endpoint (`whsec_…`), or several while it changes.
 * @throws WebhookVerificationError for every delivery that is not accepted, whatever it holds. TypeError for a secret or a
 *   body that no receiver can verify: a mistake in the receiver.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  raw_body: RawBody,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const keys = [secret].flat().map(keyBytes);
  if (keys.length === 0) throw new TypeError('no signing secret is given');
  const bytes = bytesOf(raw_body);
  // Else every comparison with it would be false, and no delivery would be too old.
  if (!((options.tolerance_seconds ?? 0) >= 0)) throw new TypeError('tolerance_seconds must be a number');
  if (Number.isNaN((options.now ?? Date.now)())) throw new TypeError('now must give a number');
  try {
    return await verified(headers, bytes, keys, options);
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw error;
    // For example a header object that throws when it is read.
    throw new WebhookVerificationError('headers_malformed', 'The delivery cannot be read.', { cause: error });
  }
}

/** What the service would send. `id`: `webhook-id`. `sent_at`: now when absent. */
export type TestDelivery = { headers: Record<string, string>; body: string };
export type SignOptions = { id?: string; sent_at?: Date; sequence?: bigint };

/**
 * Signs a body as the service signs a delivery, for the unit tests of a receiver. A body that is no text is written exactly.
 * @throws TypeError for what is no signing secret
 */
export async function signTestDelivery(
  body: EventBody | string,
  secret: string,
  { id = 'evt_test', sent_at = new Date(), sequence = 1n }: SignOptions = {},
): Promise<TestDelivery> {
  const text = typeof body === 'string' ? body : stringifyExact(body);
  const bytes = new TextEncoder().encode(text);
  const keys = keyBytes(secret);
  const timestamp = Math.floor(sent_at.getTime() / 1_000);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const [standard, svc] = [await hmac(keys.standard, signed), await hmac(keys.svc, bytes)];
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-sequence': `${sequence}`,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
    'x-svc-signature': [...svc].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
  return { headers, body: text };
}

async function hmac(key: Bytes, message: Bytes): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message));
}

type Keys = { svc: Bytes; standard: Bytes };
type Bytes = Uint8Array<ArrayBuffer>;

async function verified(
  headers: WebhookHeaders,
  bytes: Bytes,
  keys: Keys[],
  options: VerifyOptions,
): Promise<VerifiedWebhook> {
  const read = headerReader(headers);
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(read);
  const sequence = sequenceOf(read('webhook-sequence'));
  if (id === null && timestamp === null && signature === null && options.accept_without_time === true) {
    await verifySvc(read('x-svc-signature'), bytes, keys);
    return { ...bodyOf(bytes), id: null, sent_at: null, sequence };
  }
  if (!id || !timestamp || !signature)
    throw new WebhookVerificationError('headers_missing', 'A webhook header is missing.');
  if (!/^[A-Za-z0-9_-]{1,255}$/.test(id) || !/^[1-9][0-9]{0,10}$/.test(timestamp))
    throw new WebhookVerificationError('headers_malformed', 'A webhook header is malformed.');
  checkTime(Number(timestamp), options);
  await verifyStandard(signature, `${id}.${timestamp}.`, bytes, keys);
  return { ...bodyOf(bytes), id, sent_at: new Date(Number(timestamp) * 1_000), sequence };
}

/** A header as text, null when it is absent. @throws WebhookVerificationError for one that is no text or there twice */
function headerReader(headers: WebhookHeaders): (name: string) => string | null {
  const malformed = (name: string): WebhookVerificationError =>
    new WebhookVerificationError('headers_malformed', `The header ${name} is malformed.`);
  if (typeof headers?.get === 'function') {
    const { get } = headers;
    return (name) => text(name, get.call(headers, name));
  }
  return (name) => {
    const found = Object.keys(headers ?? {}).filter((key) => key.toLowerCase() === name);
    if (found.length > 1) throw malformed(name);
    return text(name, found[0] === undefined ? null : (headers as Record<string, unknown>)[found[0]]);
  };

  function text(name: string, value: unknown): string | null {
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') throw malformed(name);
    return value;
  }
}

function checkTime(
  seconds: number,
  { tolerance_seconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions,
): void {
  const age_seconds = Math.floor(now() / 1_000) - seconds;
  if (age_seconds > tolerance_seconds)
    throw new WebhookVerificationError('too_old', 'The delivery was sent too long ago.');
  if (age_seconds < -tolerance_seconds)
    throw new WebhookVerificationError('too_new', 'The delivery was sent in the future: check your clock.');
}

/** One signature of many must be right: an endpoint whose secret changes has several. */
async function verifyStandard(header: string, prefix: string, bytes: Bytes, keys: Keys[]): Promise<void> {
  const signatures = header.split(' ').filter((part) => part !== '');
  if (signatures.length > MAX_SIGNATURES)
    throw new WebhookVerificationError('headers_malformed', 'The delivery has too many signatures.');
  const signed = joined(new TextEncoder().encode(prefix), bytes);
  for (const { standard } of keys)
    for (const signature of signatures) {
      const digits = SIGNATURE.exec(signature)?.[1];
      if (digits !== undefined && (await isRight(standard, fromBase64(digits), signed))) return;
    }
  throw wrongSignature();
}

async function verifySvc(header: string | null, bytes: Bytes, keys: Keys[]): Promise<void> {
  if (header === null) throw new WebhookVerificationError('headers_missing', 'A webhook header is missing.');
  if (!/^[0-9a-f]{64}$/.test(header)) throw wrongSignature();
  const digest = Uint8Array.from(header.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  for (const { svc } of keys) if (await isRight(svc, digest, bytes)) return;
  throw wrongSignature();
}

const wrongSignature = (): WebhookVerificationError =>
  new WebhookVerificationError('wrong_signature', 'No signature is right for this body and secret.');

/** In constant time, which `verify` of Web Crypto promises for HMAC. */
async function isRight(key: Bytes, digest: Bytes, signed: Bytes): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', imported, digest, signed);
}

function bodyOf(bytes: Bytes): EventBody & { text: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { ...parseEvent(text), text };
  } catch (error) {
    const message = 'The body is signed and is not the body of an event.';
    throw new WebhookVerificationError('malformed_body', message, { cause: error });
  }
}

/** Unsigned: what is malformed is absent. */
function sequenceOf(header: string | null): bigint | null {
  return header !== null && /^(0|[1-9][0-9]{0,18})$/.test(header) ? BigInt(header) : null;
}

/** The two keys of a secret: its text for X-Svc-Signature, its decoded bytes for webhook-signature. */
function keyBytes(secret: string): Keys {
  const digits = /^whsec_([A-Za-z0-9+/]{43}=)$/.exec(secret)?.[1];
  if (digits === undefined) throw new TypeError('a signing secret is whsec_ and 32 bytes in base64');
  return { svc: new TextEncoder().encode(secret), standard: fromBase64(digits) };
}

function bytesOf(body: RawBody): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new TypeError('give the bytes of the body as they arrived, not what a parser made of them');
}

function fromBase64(digits: string): Bytes {
  return Uint8Array.from(atob(digits), (char) => char.charCodeAt(0));
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
