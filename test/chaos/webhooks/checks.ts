/**
 * Pure: what contradicts the promise of webhooks, in words. Every pair of an event that was entered and an endpoint of
 * its wallet is acknowledged, scheduled, or given up and visible. Requests, signatures, numbers and the log of attempts
 * are checked by the oracle.
 */
import type { Receipt } from '../../oracle/receipt.ts';
import { webhookViolations } from '../../oracle/webhook-checks.ts';
import type { AttemptRow, DeliveryRow } from '../../oracle/webhook-evidence.ts';
import type { Endpoint, WebhookChaosEvidence } from './evidence.ts';
import { RETRY_AFTER_SECONDS } from './receivers.ts';

/** src/webhooks/delivery/deliverer.ts. */
const LEASE_MS = 60_000;
/** What is left of it when an attempt begins, at least: the attempt and its recording fit in. */
const LEASE_LEFT_MS = 30_000;
const JITTER = 1.2;

/** All that is known of an entered event at an endpoint. */
export type EnteredPair = {
  name: string;
  endpoint: Endpoint;
  body: string;
  faultless: boolean;
  deliveries: DeliveryRow[];
  attempts: AttemptRow[];
  receipts: Receipt[];
};

export function violations(evidence: WebhookChaosEvidence): string[] {
  const pairs = pairsOf(evidence);
  const { deliveries } = evidence.webhooks;
  return [
    ...eventViolations(evidence),
    ...webhookViolations(evidence.webhooks, false),
    ...pairs.flatMap((pair) => pairViolations(pair, evidence)),
    ...(pairs.length === deliveries.length
      ? []
      : [`${deliveries.length} deliveries for ${pairs.length} pairs`]),
  ];
}

/** What there must be, with what there is. */
export function pairsOf({ endpoints, entered, webhooks }: WebhookChaosEvidence): EnteredPair[] {
  const { seen, deliveries, attempts, receipts } = webhooks;
  const key = (endpoint: string, event_id: string) => `${endpoint} ${event_id}`;
  const idOf = new Map(seen.events.map(({ id, bodies }) => [bodies[0], id]));
  const endpointsOf = Map.groupBy(endpoints, ({ wallet_id }) => wallet_id);
  const deliveriesOf = Map.groupBy(deliveries, ({ endpoint_id, event_id }) => key(endpoint_id, event_id));
  const attemptsOf = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  const receiptsOf = Map.groupBy(receipts, ({ url, webhook_id }) => key(url, webhook_id));
  return entered.flatMap(({ wallet_id, body, faultless }) => {
    const event_id = idOf.get(body) ?? '';
    return (endpointsOf.get(wallet_id) ?? []).map((endpoint) => {
      const rows = deliveriesOf.get(key(endpoint.id, event_id)) ?? [];
      return {
        name: `event ${event_id} at ${endpoint.url}`,
        endpoint,
        body,
        faultless,
        deliveries: rows,
        attempts: rows.flatMap(({ id }) => attemptsOf.get(id) ?? []),
        receipts: receiptsOf.get(key(endpoint.url, event_id)) ?? [],
      };
    });
  });
}

function eventViolations({ entered, rolled_back, webhooks }: WebhookChaosEvidence): string[] {
  const byBody = Map.groupBy(webhooks.seen.events, ({ bodies }) => bodies[0]);
  const promised = new Set(entered.map(({ body }) => body));
  const undone = new Set(rolled_back);
  const invented = webhooks.seen.events.filter(({ bodies: [body = ''] }) => !promised.has(body));
  const wrong = entered.filter(({ wallet_id, body }) => {
    const [event, ...more] = byBody.get(body) ?? [];
    return event?.wallet_id !== wallet_id || more.length > 0;
  });
  return [
    ...wrong.map(({ body }) => `not recorded once, with these bytes: ${body}`),
    ...invented.map(
      ({ id, bodies: [body = ''] }) =>
        `event ${id} was ${undone.has(body) ? 'rolled back' : 'never entered'}: ${body}`,
    ),
  ];
}

function pairViolations(pair: EnteredPair, evidence: WebhookChaosEvidence): string[] {
  const [delivery, ...more] = pair.deliveries;
  if (!delivery) return [`${pair.name} is LOST`];
  if (more.length > 0) return [`${pair.name} has ${more.length + 1} deliveries`];
  const { faultless, receipts } = pair;
  return [
    ...(delivery.status === 'pending' ? pendingViolations(pair.endpoint, delivery, evidence) : []),
    // A busy machine may have refused a connection before.
    ...(faultless && receipts.length !== 1
      ? [`was sent ${receipts.length} times though nothing failed`]
      : []),
    ...retryAfterViolations(pair),
  ].map((violation) => `${pair.name} ${violation}`);
}

/** Only receivers that never answer have deliveries that wait, and those are scheduled. */
function pendingViolations(
  endpoint: Endpoint,
  { next_attempt_at, leased_until, schedule_step }: DeliveryRow,
  { webhooks: { retry_seconds }, gathered_at }: WebhookChaosEvidence,
): string[] {
  if (endpoint.behaviour !== 'hanging') return ['is still pending'];
  const in_ms = (time: Date | null) => (time === null ? 0 : time.getTime() - gathered_at.getTime());
  const longest_ms = Math.max(...retry_seconds) * 1_000 * JITTER;
  return in_ms(next_attempt_at) <= longest_ms &&
    in_ms(leased_until) <= LEASE_MS &&
    schedule_step <= retry_seconds.length
    ? []
    : ['is pending and not scheduled'];
}

/** A receiver that asks for time (Retry-After) gets it. */
function retryAfterViolations({ attempts }: EnteredPair): string[] {
  return attempts.flatMap(({ status_code, started_at, duration_ms }, i) => {
    const next = attempts[i + 1];
    // When one that nobody recorded began is reckoned from its lease, which may have been ended by hand.
    if (status_code !== 429 || !next?.timestamp || duration_ms >= LEASE_LEFT_MS) return [];
    const waited_ms = next.started_at.getTime() - started_at.getTime() - duration_ms;
    return waited_ms >= RETRY_AFTER_SECONDS * 1_000 ? [] : [`was sent again ${waited_ms} ms after a 429`];
  });
}
