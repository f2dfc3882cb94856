/** What is known after a run: who entered the events, the receivers, and the rows of the database. */
import type { Ask } from '../../oracle/ask.ts';
import { readWebhookRows } from '../../oracle/read-webhooks.ts';
import type { Receipt } from '../../oracle/receipt.ts';
import type { WebhookEvidence } from '../../oracle/webhook-evidence.ts';
import type { Entered } from './events.ts';
import type { Behaviour } from './receivers.ts';

export type Endpoint = {
  id: string;
  wallet_id: string;
  url: string;
  signing_secret: string;
  behaviour: Behaviour;
};

type Known = {
  endpoints: Endpoint[];
  /** Committed, as far as anybody can tell: the database said so, or somebody entered them again until it did. */
  entered: Entered[];
  /** Bodies of events whose transactions were rolled back. */
  rolled_back: string[];
};

export type WebhookChaosEvidence = Known & { webhooks: WebhookEvidence; gathered_at: Date };

/** @param known what is known before the database is asked, with the schedule of the service and all receipts */
export async function gather(
  ask: Ask,
  known: Known & { retry_seconds: readonly number[]; receipts: Receipt[] },
): Promise<WebhookChaosEvidence> {
  const { endpoints, entered, rolled_back, retry_seconds, receipts } = known;
  const rows = await readWebhookRows(ask);
  const bodies = await ask("select id, wallet_id, convert_from(body, 'utf8') as body from webhook_events");
  const gathered_at = new Date();
  const seen = {
    endpoints: endpoints.map(({ id, wallet_id, url, signing_secret }) => {
      return { id, wallet_id, url, secrets: [signing_secret] };
    }),
    events: bodies.map(({ id, wallet_id, body }) => ({ id, wallet_id, bodies: [body] })),
  };
  const webhooks: WebhookEvidence = {
    ...rows,
    // All deliverers are dead by now: what still waits is checked by its schedule.
    faultless: false,
    days_passed: false,
    delivering: false,
    leases_ended: false,
    retry_seconds,
    now_ms: gathered_at.getTime(),
    skews_ms: { least: 0, most: 0 },
    receipts: [...receipts],
    calls: [],
    seen,
    turns: { takeovers: 0, disablings: 0 },
  };
  return { endpoints, entered, rolled_back, webhooks, gathered_at };
}
