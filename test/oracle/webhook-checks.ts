/**
 * Pure: what contradicts "no event is lost, and each request is ours", in words. That each deposit's event has one
 * delivery to each endpoint, deposit-checks.ts says.
 */
import { createHmac } from 'node:crypto';
import { DAY_MS } from '../../src/lib/clock.ts';
import { isAcknowledged, match } from './matching.ts';
import type { Receipt } from './receipt.ts';
import type { AttemptRow, DeliveryRow } from './webhook-evidence.ts';
import {
  DUE_FOR_MS,
  type EndpointCall,
  type EndpointRow,
  type SeenEndpoint,
  type WebhookEvidence,
} from './webhook-evidence.ts';

/** A claim is as long under way as its lease allows, and a process may stand still with it for a minute. */
const UNDER_WAY_MS = 150_000;
/** src/webhooks/delivery/deliverer.ts: what is left of a lease when an attempt begins, at least. */
const LEASE_LEFT_MS = 30_000;
/** src/webhooks/delivery/recorder.ts. */
const DISABLED_AFTER_MS = 5 * DAY_MS;
/** src/outgoing/sign.ts. */
const MAX_OLD_SECRETS = 4;
const JITTER = 1.2;

/** All that is known of an event at an endpoint. */
type Pair = {
  delivery: DeliveryRow;
  endpoint: EndpointRow;
  attempts: AttemptRow[];
  receipts: Receipt[];
  calls: EndpointCall[];
};

export function webhookViolations(webhooks: WebhookEvidence, restored: boolean): string[] {
  const pairs = pairsOf(webhooks);
  return [
    ...receiptViolations(webhooks, restored),
    ...sequenceViolations(webhooks),
    ...endpointViolations(webhooks),
    ...pingViolations(webhooks),
    ...pairs.flatMap((pair) =>
      [
        ...stateViolations(pair, webhooks),
        ...logViolations(pair, restored),
        ...repetitionViolations(pair, webhooks, restored),
      ].map(
        (violation) =>
          `event ${pair.delivery.event_id} at ${pair.delivery.endpoint_id} (${pair.delivery.status}) ${violation}`,
      ),
    ),
  ];
}

/** Returns the pairs of an event and an endpoint that have a delivery, with their attempts and receipts. */
export function pairsOf({ deliveries, attempts, receipts, endpoints, seen, calls }: WebhookEvidence): Pair[] {
  const urls = new Map(seen.endpoints.map(({ id, url }) => [id, url]));
  const rows = new Map(endpoints.map((row) => [row.id, row]));
  const attemptsOf = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  const receiptsOf = Map.groupBy(receipts, ({ url, webhook_id }) => `${url} ${webhook_id}`);
  const callsOf = Map.groupBy(calls, ({ endpoint_id }) => endpoint_id);
  return deliveries.map((delivery) => {
    const { id, endpoint_id, event_id } = delivery;
    return {
      delivery,
      endpoint: rows.get(endpoint_id) as EndpointRow, // the database's own constraint
      attempts: attemptsOf.get(id) ?? [],
      receipts: receiptsOf.get(`${urls.get(endpoint_id)} ${event_id}`) ?? [],
      calls: callsOf.get(endpoint_id) ?? [],
    };
  });
}

/** Each request is about an event of the endpoint's wallet: its bytes, its number, and signed as it must be then. */
function receiptViolations(
  { receipts, seen, deliveries, calls, days_passed }: WebhookEvidence,
  restored: boolean,
): string[] {
  const endpointAt = new Map(seen.endpoints.map((endpoint) => [endpoint.url, endpoint]));
  const eventOf = new Map(seen.events.map((event) => [event.id, event]));
  const sequenceOf = new Map(deliveries.map((row) => [`${row.endpoint_id} ${row.event_id}`, row.sequence]));
  const callsOf = Map.groupBy(calls, ({ endpoint_id }) => endpoint_id);
  return receipts.flatMap((receipt) => {
    const { url, webhook_id, body, at_ms } = receipt;
    const [endpoint, event] = [endpointAt.get(url), eventOf.get(webhook_id)];
    const name = `the request to ${url} at ${at_ms} with event ${webhook_id}`;
    if (!endpoint || event?.wallet_id !== endpoint.wallet_id) return [`${name} is not one of this endpoint`];
    const sequence = sequenceOf.get(`${endpoint.id} ${webhook_id}`);
    const numbered = restored || receipt.sequence === `${sequence}`;
    return [
      ...(event.bodies.includes(body) ? [] : [`${name} has other bytes than the stored ones`]),
      ...(numbered ? [] : [`${name} is numbered ${receipt.sequence}, it is ${sequence}`]),
      ...signatureViolations(receipt, endpoint, callsOf.get(endpoint.id) ?? [], {
        restored,
        days_passed,
      }).map((violation) => `${name} ${violation}`),
      ...(restored || isWanted(receipt, callsOf.get(endpoint.id) ?? [])
        ? []
        : [`${name} came long after its owner had ended that`]),
    ];
  });
}

function signatureViolations(
  receipt: Receipt,
  { secrets }: SeenEndpoint,
  calls: EndpointCall[],
  { restored, days_passed }: { restored: boolean; days_passed: boolean },
): string[] {
  const { svc_signature, webhook_signature, at_ms } = receipt;
  const signedBy = secrets.findLastIndex((secret) => signaturesOf(receipt, secret).svc === svc_signature);
  if (signedBy < 0) return ['has a wrong X-Svc-Signature'];
  const given = webhook_signature.split(' ');
  const newestFirst = secrets.slice(0, signedBy + 1).toReversed();
  const signatures = newestFirst.map((secret) => signaturesOf(receipt, secret).standard);
  const wanted = signatures.slice(0, 1 + MAX_OLD_SECRETS);
  // An older copy has forgotten rotations: which secrets came before is not to be told any more. After a day the time of some
  // is over (of whichever first is for the clocks to say), and once the endpoint is deleted none but the newest signs.
  const known =
    restored || days_passed ? signatures.filter((one) => given.includes(one)) : wanted.slice(0, given.length);
  const ended = calls.some(({ wish, asked_ms }) => wish === 'delete' && asked_ms <= at_ms);
  const fewer = given.length < wanted.length && (restored || days_passed || ended);
  const complete = given.length === wanted.length || fewer;
  const right = given[0] === wanted[0] && given.join(' ') === known.join(' ') && complete;
  const told = calls
    .filter(({ done_ms }) => done_ms !== null && done_ms < at_ms - UNDER_WAY_MS)
    .map(({ signing_secret }) => secrets.indexOf(signing_secret ?? ''));
  const outdated = !restored && signedBy < Math.max(-1, ...told);
  return [
    ...(right ? [] : [`has a wrong webhook-signature (of ${given.length})`]),
    ...(outdated ? ['is signed with a secret that was replaced long ago'] : []),
  ];
}

type Signatures = { body: string; svc: string; standard: string };
/** By secret, id and time. The same receipts are looked at again for each falsification of a run. */
const signatures_by_request = new Map<string, Signatures>();

function signaturesOf({ webhook_id, timestamp, body }: Receipt, secret: string): Signatures {
  const request = `${secret} ${webhook_id} ${timestamp}`;
  const known = signatures_by_request.get(request);
  if (known?.body === body) return known;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${webhook_id}.${timestamp}.${body}`;
  const signatures = {
    body,
    svc: createHmac('sha256', secret).update(body).digest('hex'),
    standard: `v1,${createHmac('sha256', key).update(content).digest('base64')}`,
  };
  signatures_by_request.set(request, signatures);
  return signatures;
}

/** Nobody was told long ago that nothing is sent there any more, or it may have been enabled since. */
function isWanted({ at_ms }: Receipt, calls: EndpointCall[]): boolean {
  const ended = calls.filter(({ done_ms }) => done_ms !== null && done_ms < at_ms - UNDER_WAY_MS);
  if (ended.some(({ wish }) => wish === 'delete')) return false;
  const enabled = calls.filter(({ wish }) => wish === 'enable');
  return ended
    .filter(({ wish }) => wish === 'disable')
    .every(({ asked_ms }) => enabled.some(({ done_ms }) => done_ms === null || done_ms >= asked_ms));
}

/** From 1 to the last one that was given out, of each wallet's events and of each endpoint's deliveries. */
function sequenceViolations({ events, deliveries, last_sequences }: WebhookEvidence): string[] {
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

function endpointViolations({ endpoints, now_ms, skews_ms }: WebhookEvidence): string[] {
  const latest_ms = now_ms + skews_ms.most - DISABLED_AFTER_MS;
  const early = endpoints.filter(
    ({ disabled_reason, failing_since }) =>
      disabled_reason !== null && (failing_since === null || failing_since.getTime() > latest_ms),
  );
  return early.map(({ id }) => `endpoint ${id} was disabled without five days of failures`);
}

/** Each to one endpoint. */
function pingViolations({ events, deliveries }: WebhookEvidence): string[] {
  const byEvent = Map.groupBy(deliveries, ({ event_id }) => event_id);
  return events
    .filter(({ id, type }) => type === 'ping' && byEvent.get(id)?.length !== 1)
    .map(({ id }) => `ping ${id} has ${byEvent.get(id)?.length ?? 0} deliveries`);
}

/** Acknowledged, or scheduled, or given up and visible. */
function stateViolations({ delivery, endpoint, attempts, receipts }: Pair, world: WebhookEvidence): string[] {
  const { status, next_attempt_at, leased_until, schedule_step } = delivery;
  const { delivering, retry_seconds, now_ms, skews_ms } = world;
  if (status === 'delivered')
    return receipts.some(({ answered }) => isAcknowledged(answered))
      ? []
      : ['is LOST: it was never acknowledged'];
  if (status === 'failed') {
    const failures = attempts.filter((one) => one.timestamp !== null && !isAcknowledged(one.status_code));
    return endpoint.deleted || failures.length > retry_seconds.length
      ? []
      : [`was given up after ${failures.length} failures`];
  }
  if (endpoint.deleted) return ['is pending, and its endpoint deleted'];
  if (!endpoint.enabled || !delivering) return [];
  if (leased_until !== null) return ['is claimed, and nobody sends it'];
  const in_ms = next_attempt_at.getTime() - now_ms;
  const longest_ms = Math.max(...retry_seconds) * 1_000 * JITTER + skews_ms.most;
  return in_ms > skews_ms.most - DUE_FOR_MS && in_ms <= longest_ms && schedule_step <= retry_seconds.length
    ? []
    : [`is due in ${in_ms} ms, after step ${schedule_step}`];
}

/** The receiver's log and that of the attempts agree, but for those that are said to be unrecorded. */
function logViolations({ delivery, attempts, receipts }: Pair, restored: boolean): string[] {
  const numbers = new Set(attempts.map(({ number }) => number));
  const under_way = delivery.leased_until === null ? 0 : 1; // given up while it was sent
  const wanted = Array.from({ length: delivery.attempts - under_way }, (_, index) => index + 1);
  const { requests, invented } = match(receipts, attempts);
  const unrecorded = attempts.filter(({ timestamp }) => timestamp === null).length;
  const unmatched = requests.filter(({ attempt }) => attempt === undefined).length;
  return [
    ...wanted.filter((number) => !numbers.has(number)).map((number) => `has no attempt ${number} in the log`),
    ...invented.map(({ number, status_code }) => `was not answered ${status_code} as attempt ${number} says`),
    ...(restored || unmatched <= unrecorded + under_way
      ? []
      : [`was sent ${unmatched} times that are not in the log, where ${unrecorded} are unrecorded`]),
  ];
}

/** Whether it asks to send an acknowledged delivery again. */
export function isForAnother({ wish, delivery_id }: EndpointCall, { id }: DeliveryRow): boolean {
  return wish === 'replay_all' || (wish === 'redeliver' && delivery_id === id);
}

/** At least once, and more only for a reason. */
function repetitionViolations(
  { delivery, attempts, receipts, calls }: Pair,
  { faultless, leases_ended, skews_ms }: WebhookEvidence,
  restored: boolean,
): string[] {
  const again = calls.filter((call) => isForAnother(call, delivery)).length;
  if (faultless && receipts.length > 1 + again)
    return [`was sent ${receipts.length} times though nothing failed`];
  // A clock that is ahead takes the leases of the others for over.
  if (again > 0 || restored || leases_ended || skews_ms.most !== skews_ms.least) return [];
  const acknowledged = attempts.find(({ status_code }) => isAcknowledged(status_code));
  const next = acknowledged && attempts.find(({ number }) => number > acknowledged.number);
  if (!next) return [];
  const after_ms = next.started_at.getTime() - acknowledged.started_at.getTime();
  return after_ms >= LEASE_LEFT_MS ? [] : ['was sent again after its acknowledgement was recorded'];
}
