import type { Deps } from '../../deps.ts';
import { MAX_OLD_SECRETS, type SigningKeys, signatureHeaders, signingKeys } from '../../outgoing/sign.ts';
import type { EndpointSecrets } from '../store/endpoint-store.ts';

/** `sequence` counts the endpoint's deliveries. */
export type Message = { event_id: string; sequence: bigint; body: Buffer };

/** Opens a sealed secret of one endpoint. */
export type OpenKeys = (sealed_secret: Buffer) => SigningKeys;

/** Opens each secret of the endpoint once, and keeps at most as many open as can sign. */
export function createKeyCache(secrets: Deps['secrets'], endpoint_id: string): OpenKeys {
  const opened = new Map<string, SigningKeys>();
  return (sealed_secret) => {
    const name = sealed_secret.toString('latin1');
    const known = opened.get(name);
    if (known) return known;
    const keys = signingKeys(secrets.open(endpoint_id, sealed_secret));
    if (opened.size > MAX_OLD_SECRETS) opened.clear(); // at least one of them no longer signs
    opened.set(name, keys);
    return keys;
  };
}

/** Makes all headers of a delivery that is sent at `now`, signed with the endpoint's secrets. */
export function deliveryHeaders(
  openKeys: OpenKeys,
  { sealed_secret, old_sealed_secrets }: EndpointSecrets,
  message: Message,
  now: Date,
): Record<string, string> {
  return headersSignedBy(
    { current: openKeys(sealed_secret), old: old_sealed_secrets.map(openKeys) },
    message,
    now,
  );
}

/** Makes all headers of a delivery that is sent at `now`, signed with these keys. */
export function headersSignedBy(
  keys: { current: SigningKeys; old: SigningKeys[] },
  { event_id, sequence, body }: Message,
  now: Date,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Stellar-Teller/1',
    ...signatureHeaders(body, { id: event_id, sequence, sent_at: now }, keys),
  };
}
