import type { Deps } from '../deps.ts';
import { signatureHeaders } from './sign.ts';

/** What an endpoint signs with, as its row has it. */
export type Signer = {
  endpoint_id: string;
  sealed_secret: Buffer;
  previous_sealed_secret: Buffer | null;
  previous_secret_until: Date | null;
};

/** What was delivered or is to be: `sequence` counts the endpoint's deliveries. */
export type Message = { event_id: string; sequence: bigint; body: Buffer };

/** All headers of a delivery that is sent now, signed with the endpoint's secrets as they are now. */
export function deliveryHeaders(
  secrets: Deps['secrets'],
  signer: Signer,
  message: Message,
  now: Date,
): Record<string, string> {
  const { endpoint_id, previous_sealed_secret, previous_secret_until } = signer;
  const overlap = previous_sealed_secret && previous_secret_until && previous_secret_until > now;
  return headersOf(message, now, {
    current: secrets.open(endpoint_id, signer.sealed_secret),
    previous: overlap ? secrets.open(endpoint_id, previous_sealed_secret) : null,
  });
}

/** The same for secrets in clear. */
export function headersOf(
  { event_id, sequence, body }: Message,
  now: Date,
  secrets: { current: string; previous: string | null },
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Stellar-Teller/1',
    ...signatureHeaders(body, { id: event_id, sequence, sent_at: now }, secrets),
  };
}
