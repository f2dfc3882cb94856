/** Falsifications of what is known of webhooks, one at a time: each must be found out. For a run in which nothing went wrong. */
import { newSigningSecret } from '../../src/outgoing/sign.ts';
import type { Evidence } from './evidence.ts';
import type { Receipt } from './receipt.ts';
import { isForAnother, pairsOf } from './webhook-checks.ts';
import type {
  AttemptRow,
  DeliveryRow,
  EndpointRow,
  SeenEndpoint,
  WebhookEvidence,
} from './webhook-evidence.ts';
import { type Choice, need, type Tampering, tamperingsOf } from './withdrawal-tamper.ts';

const HOUR_MS = 3_600_000;

export function webhookTamperings<E extends Evidence>(
  evidence: E,
  isChosen?: Choice,
): Iterable<Tampering<E>> {
  const kinds = KINDS.map(({ name, tamper }) => {
    return { name, tamper: ({ webhooks }: Evidence) => tamper(sentOnce(webhooks), webhooks) };
  });
  return tamperingsOf(evidence, kinds, isChosen);
}

/** Acknowledged at the first attempt, by an endpoint that gets more. */
type SentOnce = {
  delivery: DeliveryRow;
  endpoint: EndpointRow;
  attempt: AttemptRow;
  receipt: Receipt;
  seen: SeenEndpoint;
};

const KINDS: { name: string; tamper: (sent: SentOnce, webhooks: WebhookEvidence) => unknown }[] = [
  {
    name: 'an acknowledgement that nobody gave',
    tamper: ({ receipt }) => (receipt.answered = 500),
  },
  {
    name: 'a delivery that nobody ever sent',
    tamper: ({ receipt }, { receipts }) => receipts.splice(receipts.indexOf(receipt), 1),
  },
  { name: 'a delivery given up early', tamper: ({ delivery }) => (delivery.status = 'failed') },
  {
    name: 'a delivery that is due and not sent',
    tamper: ({ delivery }) => Object.assign(delivery, { status: 'pending', next_attempt_at: new Date(0) }),
  },
  {
    name: 'a delivery that is claimed for ever',
    tamper: ({ delivery }, { now_ms }) =>
      Object.assign(delivery, { status: 'pending', leased_until: new Date(now_ms + HOUR_MS) }),
  },
  {
    name: 'a delivery whose turn never comes',
    tamper: ({ delivery }, { now_ms }) =>
      Object.assign(delivery, { status: 'pending', next_attempt_at: new Date(now_ms + 100 * HOUR_MS) }),
  },
  {
    name: 'a delivery that waits for an endpoint that is gone',
    tamper: ({ delivery, endpoint }) => {
      delivery.status = 'pending';
      endpoint.deleted = true;
    },
  },
  {
    name: 'an endpoint that was disabled for no reason',
    tamper: ({ endpoint }) => Object.assign(endpoint, { enabled: false, disabled_reason: 'failing' }),
  },
  { name: 'other bytes', tamper: ({ receipt }) => (receipt.body += ' ') },
  { name: 'a forged signature', tamper: ({ receipt }) => (receipt.svc_signature = 'f'.repeat(64)) },
  {
    name: 'a forged signature of Standard Webhooks',
    tamper: ({ receipt }) => (receipt.webhook_signature = receipt.webhook_signature.replace('v1,', 'v1,A')),
  },
  {
    name: 'a signature with another secret',
    tamper: ({ seen }) => (seen.secrets = [`whsec_${Buffer.alloc(32).toString('base64')}`]),
  },
  {
    name: 'a secret that has stopped signing too early',
    tamper: ({ seen }) => seen.secrets.unshift(newSigningSecret()),
  },
  { name: 'a wrong number', tamper: ({ receipt }) => (receipt.sequence = '0') },
  { name: 'an event that there is not', tamper: ({ receipt }) => (receipt.webhook_id = 'evt_none') },
  {
    name: 'an event of another wallet',
    tamper: ({ delivery }, { seen }) => {
      need(seen.events.find(({ id }) => id === delivery.event_id)).wallet_id = 'wal_other';
    },
  },
  {
    name: 'a request long after the endpoint was deleted',
    tamper: ({ delivery: { endpoint_id }, receipt }, { calls }) => {
      calls.push({ endpoint_id, wish: 'delete', asked_ms: 0, done_ms: receipt.at_ms - HOUR_MS });
    },
  },
  {
    name: 'a request long after the endpoint was disabled',
    tamper: ({ delivery: { endpoint_id }, receipt }, webhooks) => {
      const others = webhooks.calls.filter((call) => call.endpoint_id !== endpoint_id);
      const done_ms = receipt.at_ms - HOUR_MS;
      webhooks.calls = [...others, { endpoint_id, wish: 'disable', asked_ms: 0, done_ms }];
    },
  },
  {
    name: 'a secret that was replaced long ago',
    tamper: ({ delivery: { endpoint_id }, receipt, seen }, { calls }) => {
      const signing_secret = 'whsec_new';
      seen.secrets.push(signing_secret);
      const done_ms = receipt.at_ms - HOUR_MS;
      calls.push({ endpoint_id, wish: 'rotate', asked_ms: 0, done_ms, signing_secret });
    },
  },
  {
    name: 'a gap in the numbers of an endpoint',
    tamper: ({ delivery, receipt }) => {
      delivery.sequence += 1_000_000n;
      receipt.sequence = `${delivery.sequence}`;
    },
  },
  {
    name: 'a number that was given out and not used',
    tamper: ({ delivery }, { last_sequences }) => last_sequences.set(delivery.endpoint_id, 1_000_000n),
  },
  {
    name: 'a gap in the numbers of a wallet',
    tamper: (_, { events }) => (need(events[0]).sequence += 1_000_000n),
  },
  {
    name: 'an attempt that is not in the log',
    tamper: ({ attempt }, { attempts }) => attempts.splice(attempts.indexOf(attempt), 1),
  },
  {
    name: 'an answer in the log that nobody gave',
    tamper: ({ attempt }) => (attempt.status_code = 404),
  },
  {
    name: 'a request that is not in the log',
    tamper: ({ receipt }, webhooks) => {
      webhooks.faultless = false;
      webhooks.receipts.push({ ...receipt });
    },
  },
  {
    name: 'an event that is sent twice though nothing failed',
    tamper: (sent, webhooks) => sendAgain(sent, webhooks),
  },
  {
    name: 'an event that is sent again after it was acknowledged',
    tamper: (sent, webhooks) => {
      webhooks.faultless = false;
      sendAgain(sent, webhooks);
    },
  },
];

function sendAgain({ delivery, attempt, receipt }: SentOnce, { attempts, receipts }: WebhookEvidence): void {
  delivery.attempts = 2;
  attempts.push({ ...attempt, number: 2 });
  receipts.push({ ...receipt });
}

function sentOnce(webhooks: WebhookEvidence): SentOnce {
  const { delivery, endpoint, attempts, receipts } = need(
    pairsOf(webhooks).find(
      (pair) =>
        pair.delivery.status === 'delivered' &&
        pair.delivery.attempts === 1 &&
        pair.receipts.length === 1 &&
        pair.endpoint.enabled &&
        !pair.endpoint.deleted &&
        !pair.calls.some((call) => isForAnother(call, pair.delivery)),
    ),
  );
  return {
    delivery,
    endpoint,
    attempt: need(attempts[0]),
    receipt: need(receipts[0]),
    seen: need(webhooks.seen.endpoints.find(({ id }) => id === delivery.endpoint_id)),
  };
}

/** Of all falsifications here. */
export const NAMES = KINDS.map(({ name }) => name);
