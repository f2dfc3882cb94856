/** What is known of webhooks after a run: what receivers got, what owners of endpoints asked for, and the rows. */

import type { Receipt } from './receipt.ts';

export type DeliveryRow = {
  id: string;
  event_id: string;
  endpoint_id: string;
  sequence: bigint;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  schedule_step: number;
  next_attempt_at: Date;
  leased_until: Date | null;
};

export type AttemptRow = {
  delivery_id: string;
  number: number;
  started_at: Date;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  /** The header as it was sent; null for an attempt that nobody recorded. */
  timestamp: string | null;
};

/** What is due for so long somebody has claimed: every process looks each second (src/webhooks/delivery/deliverer.ts), and some more. */
export const DUE_FOR_MS = 3_000;

/** An endpoint as its company was told of it. */
export type ReturnedEndpoint = { id: string; wallet_id: string };

export type EndpointWish =
  | 'rotate'
  | 'disable'
  | 'enable'
  | 'delete'
  | 'ping'
  | 'redeliver'
  | 'replay'
  /** What was acknowledged too. */
  | 'replay_all';

export type EndpointCall = {
  endpoint_id: string;
  wish: EndpointWish;
  /** The delivery that is to be sent again. */
  delivery_id?: string;
  asked_ms: number;
  /** When the service answered that the call is done; null: nobody knows whether it is. */
  done_ms: number | null;
  /** The new one. */
  signing_secret?: string;
};

/** Also one that an older copy of the database has forgotten. */
export type SeenEndpoint = { id: string; wallet_id: string; url: string; secrets: string[] };

export type EndpointRow = {
  id: string;
  enabled: boolean;
  deleted: boolean;
  disabled_reason: string | null;
  failing_since: Date | null;
};

export type WebhookEvidence = {
  /** Nothing went wrong, and all clocks were right. */
  faultless: boolean;
  /** At some time longer than what is held for hours. */
  days_passed: boolean;
  /** Somebody delivers at all. */
  delivering: boolean;
  /** Leases were ended by hand: whoever still had one may have sent beside its successor. */
  leases_ended: boolean;
  retry_seconds: readonly number[];
  now_ms: number;
  /** By how much the clocks of processes are wrong: all of them by so much at least, and at most. */
  skews_ms: { least: number; most: number };
  receipts: Receipt[];
  calls: EndpointCall[];
  endpoints: EndpointRow[];
  seen: { endpoints: SeenEndpoint[]; events: { id: string; wallet_id: string; bodies: string[] }[] };
  events: { id: string; wallet_id: string; type: string; sequence: bigint }[];
  deliveries: DeliveryRow[];
  attempts: AttemptRow[];
  /** The last number given out, by wallet and by endpoint. */
  last_sequences: Map<string, bigint>;
  /** How often an attempt that nobody had recorded was taken over, and an endpoint disabled by the service. */
  turns: { takeovers: number; disablings: number };
};
