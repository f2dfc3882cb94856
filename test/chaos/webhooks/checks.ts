/**
 * Pure: what contradicts the promise of webhooks, in words. Every pair of an event that was entered and an endpoint of
 * its wallet is acknowledged, scheduled, or given up and visible; what was sent is in the log, and nothing else is.
 */
import { createHmac } from 'node:crypto';
import type { AttemptRow, DeliveryRow, Endpoint, Evidence } from './evidence.ts';
import { isAcknowledged, match } from './matching.ts';
import { RETRY_AFTER_SECONDS, type Receipt } from './receivers.ts';

/** src/webhooks/delivery/deliverer.ts. */
const LEASE_MS = 60_000;
/** What is left of it when an attempt begins, at least: the attempt and its recording fit in. */
const LEASE_LEFT_MS = 30_000;
const JITTER = 1.2;

/** All that is known of an event at an endpoint. */
export type Pair = {
  name: string;
  endpoint: Endpoint;
  body: string;
  faultless: boolean;
  deliveries: DeliveryRow[];
  attempts: AttemptRow[];
  receipts: Receipt[];
};

export function violations(evidence: Evidence): string[] {
  const pairs = pairsOf(evidence);
  return [
    ...eventViolations(evidence),
    ...receiptViolations(evidence),
    ...sequenceViolations(evidence),
    ...pairs.flatMap((pair) => pairViolations(pair, evidence)),
    ...(pairs.length === evidence.deliveries.length
      ? []
      : [`${evidence.deliveries.length} deliveries for ${pairs.length} pairs`]),
  ];
}

/** What there must be, with what there is. */
export function pairsOf({ endpoints, entered, events, deliveries, attempts, receipts }: Evidence): Pair[] {
  const key = (endpoint: string, event_id: string) => `${endpoint} ${event_id}`;
  const idOf = new Map(events.map(({ id, body }) => [body, id]));
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

function eventViolations({ entered, rolled_back, events }: Evidence): string[] {
  const byBody = Map.groupBy(events, ({ body }) => body);
  const promised = new Set(entered.map(({ body }) => body));
  const undone = new Set(rolled_back);
  const invented = events.filter(({ body }) => !promised.has(body));
  const wrong = entered.filter(({ wallet_id, body }) => {
    const [event, ...more] = byBody.get(body) ?? [];
    return event?.wallet_id !== wallet_id || more.length > 0;
  });
  return [
    ...wrong.map(({ body }) => `not recorded once, with these bytes: ${body}`),
    ...invented.map(
      ({ id, body }) => `event ${id} was ${undone.has(body) ? 'rolled back' : 'never entered'}: ${body}`,
    ),
  ];
}

/** The bytes, the signatures and the numbers. */
function receiptViolations({ endpoints, events, deliveries, receipts }: Evidence): string[] {
  const endpointAt = new Map(endpoints.map((endpoint) => [endpoint.url, endpoint]));
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const sequenceOf = new Map(deliveries.map((row) => [`${row.endpoint_id} ${row.event_id}`, row.sequence]));
  return receipts.flatMap((receipt) => {
    const { url, webhook_id, timestamp, body } = receipt;
    const name = `a request to ${url} with event ${webhook_id}`;
    const [endpoint, event] = [endpointAt.get(url), eventOf.get(webhook_id)];
    if (!endpoint || event?.wallet_id !== endpoint.wallet_id) return [`${name}: not one of this endpoint`];
    const secret = endpoint.signing_secret;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signed = createHmac('sha256', key).update(`${webhook_id}.${timestamp}.${body}`).digest('base64');
    const sequence = sequenceOf.get(`${endpoint.id} ${webhook_id}`);
    return [
      ...(body === event.body ? [] : [`${name}: other bytes than the stored ones`]),
      ...(receipt.svc_signature === createHmac('sha256', secret).update(body).digest('hex')
        ? []
        : [`${name}: a wrong X-Svc-Signature`]),
      ...(receipt.webhook_signature === `v1,${signed}` ? [] : [`${name}: a wrong webhook-signature`]),
      ...(receipt.sequence === `${sequence}` ? [] : [`${name}: a wrong webhook-sequence`]),
    ];
  });
}

/** From 1 to the last one that was given out, of each wallet's events and of each endpoint's deliveries. */
export function sequenceViolations({
  events,
  deliveries,
  last_sequences,
}: {
  events: { wallet_id: string; sequence: bigint }[];
  deliveries: { endpoint_id: string; sequence: bigint }[];
  last_sequences: Map<string, bigint>;
}): string[] {
  const owned = [
    ...events.map(({ wallet_id, sequence }) => ({ owner: wallet_id, sequence })),
    ...deliveries.map(({ endpoint_id, sequence }) => ({ owner: endpoint_id, sequence })),
  ];
  return [...Map.groupBy(owned, ({ owner }) => owner)].flatMap(([owner, numbers]) => {
    const sorted = numbers.map(({ sequence }) => sequence).toSorted((a, b) => Number(a - b));
    const gapless = sorted.every((sequence, i) => sequence === BigInt(i + 1));
    return gapless && last_sequences.get(owner) === BigInt(sorted.length)
      ? []
      : [`the numbers of ${owner} have a gap`];
  });
}

function pairViolations(pair: Pair, evidence: Evidence): string[] {
  const [delivery, ...more] = pair.deliveries;
  if (!delivery) return [`${pair.name} is LOST`];
  if (more.length > 0) return [`${pair.name} has ${more.length + 1} deliveries`];
  return [
    ...stateViolations(pair, delivery, evidence),
    ...logViolations(pair, delivery),
    ...repetitionViolations(pair),
    ...patienceViolations(pair),
  ].map((violation) => `${pair.name} ${violation}`);
}

function stateViolations(
  { endpoint, attempts, receipts }: Pair,
  { status, next_attempt_at, leased_until, schedule_step }: DeliveryRow,
  { retry_seconds, gathered_at }: Evidence,
): string[] {
  if (status === 'delivered')
    return receipts.some(({ answered }) => isAcknowledged(answered)) ? [] : ['was never acknowledged'];
  const failures = attempts.filter(
    ({ timestamp, status_code }) => timestamp !== null && !isAcknowledged(status_code),
  );
  if (status === 'failed')
    return failures.length > retry_seconds.length ? [] : [`was given up after ${failures.length} failures`];
  if (endpoint.behaviour !== 'hanging') return ['is still pending'];
  const in_ms = (time: Date | null) => (time === null ? 0 : time.getTime() - gathered_at.getTime());
  const longest_ms = Math.max(...retry_seconds) * 1_000 * JITTER;
  return in_ms(next_attempt_at) <= longest_ms &&
    in_ms(leased_until) <= LEASE_MS &&
    schedule_step <= retry_seconds.length
    ? []
    : ['is pending and not scheduled'];
}

/** Attempts and requests are the same, but for those that were cut off: they are logged as what nobody recorded. */
function logViolations(
  { attempts, receipts }: Pair,
  { attempts: count, leased_until }: DeliveryRow,
): string[] {
  const numbers = new Set(attempts.map(({ number }) => number));
  const under_way = leased_until === null ? 0 : 1; // of one who was killed: logged when the lease is over
  const missing = Array.from({ length: count - under_way }, (_, i) => i + 1).filter((n) => !numbers.has(n));
  const { requests, invented } = match(receipts, attempts);
  const unrecorded = attempts.filter(({ timestamp }) => timestamp === null).length;
  const unmatched = requests.filter(({ attempt }) => attempt === undefined).length;
  return [
    ...missing.map((number) => `has no attempt ${number} in the log`),
    ...invented.map(({ number }) => `has attempt ${number} in the log, which the receiver never answered so`),
    ...(unmatched <= unrecorded + under_way
      ? []
      : [`was sent ${unmatched} times that are not in the log, where ${unrecorded} are unrecorded`]),
  ];
}

/** At least once, and more only for a reason. */
function repetitionViolations({ faultless, attempts, receipts }: Pair): string[] {
  if (faultless && receipts.length !== 1)
    // a busy machine may have refused a connection before
    return [`was sent ${receipts.length} times though nothing failed`];
  const acknowledged = attempts.find(({ status_code }) => isAcknowledged(status_code));
  const again = acknowledged && attempts.find(({ number }) => number > acknowledged.number);
  if (!again) return [];
  const after_ms = again.started_at.getTime() - acknowledged.started_at.getTime();
  // Else somebody was frozen until the lease was over, and recorded the acknowledgement when he woke up.
  return after_ms >= LEASE_LEFT_MS ? [] : ['was sent again after its acknowledgement was recorded'];
}

/** Who asks for time gets it. */
function patienceViolations({ attempts }: Pair): string[] {
  return attempts.flatMap(({ status_code, started_at, duration_ms }, i) => {
    const next = attempts[i + 1];
    // When one that nobody recorded began is reckoned from its lease, which may have been ended by hand.
    if (status_code !== 429 || !next?.timestamp || duration_ms >= LEASE_LEFT_MS) return [];
    const waited_ms = next.started_at.getTime() - started_at.getTime() - duration_ms;
    return waited_ms >= RETRY_AFTER_SECONDS * 1_000 ? [] : [`was sent again ${waited_ms} ms after a 429`];
  });
}
