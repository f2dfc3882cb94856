/** A webhook as a receiver got it. */
import type { Received } from '../support/receiver.ts';

/** A request as it came, and what became of it. */
export type Receipt = {
  url: string;
  body: string;
  svc_signature: string;
  webhook_signature: string;
  webhook_id: string;
  timestamp: string;
  sequence: string;
  at_ms: number;
  /** The status that was sent, whether or not somebody was there to read it; null: none was. */
  answered: number | null;
};

/** Before it is answered. `origin`: of the receiver, before the path. */
export function receiptOf(origin: string, { path, headers, body }: Received): Receipt {
  return {
    url: origin + path,
    body: body.toString(),
    svc_signature: `${headers['x-svc-signature']}`,
    webhook_signature: `${headers['webhook-signature']}`,
    webhook_id: `${headers['webhook-id']}`,
    timestamp: `${headers['webhook-timestamp']}`,
    sequence: `${headers['webhook-sequence']}`,
    at_ms: Date.now(),
    answered: null,
  };
}
