import type { Deps } from '../deps.ts';
import { type SigningKeys, signatureHeaders, signingKeys } from './sign.ts';

/** What an endpoint signs with, as its row has it. */
export type Signer = {
  endpoint_id: string;
  sealed_secret: Buffer;
  previous_sealed_secret: Buffer | null;
  previous_secret_until: Date | null;
};

/** Where to send an endpoint's deliveries, and signed by whom. */
export type Receiver = Signer & { url: string };

/** What was delivered or is to be: `sequence` counts the endpoint's deliveries. */
export type Message = { event_id: string; sequence: bigint; body: Buffer };

/** Opens one of an endpoint's secrets. */
export type KeysOf = (sealed_secret: Buffer) => SigningKeys;

/** Opens each secret once, and keeps no more than can sign. */
export function keysOpenedOnce(secrets: Deps['secrets'], endpoint_id: string): KeysOf {
  const opened = new Map<string, SigningKeys>();
  return (sealed_secret) => {
    const name = sealed_secret.toString('latin1');
    const known = opened.get(name);
    if (known) return known;
    const keys = signingKeys(secrets.open(endpoint_id, sealed_secret));
    if (opened.size >= 2) opened.clear(); // the secret and the one before it: more means a rotation
    opened.set(name, keys);
    return keys;
  };
}

/** All headers of a delivery that is sent now. */
export function deliveryHeaders(
  keysOf: KeysOf,
  { sealed_secret, previous_sealed_secret, previous_secret_until }: Signer,
  message: Message,
  now: Date,
): Record<string, string> {
  const overlap = previous_sealed_secret && previous_secret_until && previous_secret_until > now;
  const previous = overlap ? keysOf(previous_sealed_secret) : null;
  return headersOf(message, now, { current: keysOf(sealed_secret), previous });
}

/** The same for keys that are open. */
export function headersOf(
  { event_id, sequence, body }: Message,
  now: Date,
  keys: { current: SigningKeys; previous: SigningKeys | null },
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Stellar-Teller/1',
    ...signatureHeaders(body, { id: event_id, sequence, sent_at: now }, keys),
  };
}
