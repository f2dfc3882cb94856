import type { Deps } from '../../deps.ts';
import { MAX_OLD_SECRETS, type SigningKeys, signatureHeaders, signingKeys } from './sign.ts';

/** What an endpoint signed with when it was read. */
export type EndpointSigner = {
  endpoint_id: string;
  sealed_secret: Buffer;
  /** Those before it whose time was not over, newest first. */
  old_sealed_secrets: Buffer[];
};

/** Where to send an endpoint's deliveries, and signed by whom. */
export type Receiver = EndpointSigner & { url: string };

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
    if (opened.size > MAX_OLD_SECRETS) opened.clear(); // one of them does not sign any more
    opened.set(name, keys);
    return keys;
  };
}

/** All headers of a delivery that is sent now. */
export function deliveryHeaders(
  keysOf: KeysOf,
  { sealed_secret, old_sealed_secrets }: EndpointSigner,
  message: Message,
  now: Date,
): Record<string, string> {
  return headersOf(message, now, { current: keysOf(sealed_secret), old: old_sealed_secrets.map(keysOf) });
}

/** The same for keys that are open. */
export function headersOf(
  { event_id, sequence, body }: Message,
  now: Date,
  keys: { current: SigningKeys; old: SigningKeys[] },
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Stellar-Teller/1',
    ...signatureHeaders(body, { id: event_id, sequence, sent_at: now }, keys),
  };
}
