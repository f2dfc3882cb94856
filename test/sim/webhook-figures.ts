/** What became of deliveries in a run. */
import { isAcknowledged } from '../oracle/matching.ts';
import { isForAnother, pairsOf } from '../oracle/webhook-checks.ts';
import type { WebhookEvidence } from '../oracle/webhook-evidence.ts';

export type WebhookFigures = {
  endpoints: number;
  events: number;
  deliveries: number;
  acknowledged: number;
  scheduled: number;
  /** Until their endpoint is enabled. */
  waiting: number;
  given_up: number;
  /** Given up with their endpoint. */
  deleted: number;
  requests: number;
  /** Requests for what was acknowledged before. */
  repeated: number;
  /** Repeated requests that nobody had asked for with a replay or a redelivery. */
  repeated_unasked: number;
  /** Claims of what somebody else had claimed and not recorded. */
  takeovers: number;
  /** Of endpoints by the service, after five days of failures. */
  disablings: number;
  /** Attempts of which nobody has said since what came of them. */
  unrecorded: number;
  rotations: number;
  replays: number;
  redeliveries: number;
};

export function noWebhookFigures(): WebhookFigures {
  return {
    endpoints: 0,
    events: 0,
    deliveries: 0,
    acknowledged: 0,
    scheduled: 0,
    waiting: 0,
    given_up: 0,
    deleted: 0,
    requests: 0,
    repeated: 0,
    repeated_unasked: 0,
    takeovers: 0,
    disablings: 0,
    unrecorded: 0,
    rotations: 0,
    replays: 0,
    redeliveries: 0,
  };
}

export function webhookFigures(webhooks: WebhookEvidence): WebhookFigures {
  const { seen, receipts, attempts, events, turns } = webhooks;
  const pairs = pairsOf(webhooks);
  const count = (fits: (pair: (typeof pairs)[number]) => boolean) => pairs.filter(fits).length;
  const asked = (wanted: string) =>
    webhooks.calls.filter(({ wish, done_ms }) => wish.startsWith(wanted) && done_ms !== null).length;
  const repeated = (of: typeof pairs) => of.reduce((sum, pair) => sum + repetitions(pair), 0);
  return {
    endpoints: seen.endpoints.length,
    events: events.length,
    deliveries: pairs.length,
    acknowledged: count(({ delivery }) => delivery.status === 'delivered'),
    scheduled: count(({ delivery, endpoint }) => delivery.status === 'pending' && endpoint.enabled),
    waiting: count(({ delivery, endpoint }) => delivery.status === 'pending' && !endpoint.enabled),
    given_up: count(({ delivery, endpoint }) => delivery.status === 'failed' && !endpoint.deleted),
    deleted: count(({ delivery, endpoint }) => delivery.status === 'failed' && endpoint.deleted),
    requests: receipts.length,
    repeated: repeated(pairs),
    repeated_unasked: repeated(
      pairs.filter(({ calls, delivery }) => !calls.some((call) => isForAnother(call, delivery))),
    ),
    ...turns,
    unrecorded: attempts.filter(({ timestamp }) => timestamp === null).length,
    rotations: asked('rotate'),
    replays: asked('replay'),
    redeliveries: asked('redeliver'),
  };
}

function repetitions({ receipts }: ReturnType<typeof pairsOf>[number]): number {
  const first = receipts.findIndex(({ answered }) => isAcknowledged(answered));
  return first < 0 ? 0 : receipts.length - first - 1;
}
