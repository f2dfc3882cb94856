/** Falsifications of true evidence, one at a time, with what must be noticed of each. Nothing is changed in place. */
import { DAY_MS } from '../../../src/lib/clock.ts';
import { isAcknowledged } from '../../oracle/matching.ts';
import type { Receipt } from '../../oracle/receipt.ts';
import type { AttemptRow, DeliveryRow, WebhookEvidence } from '../../oracle/webhook-evidence.ts';
import { type EnteredPair, pairsOf } from './checks.ts';
import type { WebhookChaosEvidence } from './evidence.ts';

export type Tampering = { name: string; notice: RegExp; evidence: WebhookChaosEvidence };

/** @throws Error when the run had nothing of a kind that must be there */
export function tamperings(true_evidence: WebhookChaosEvidence): Tampering[] {
  const { webhooks } = true_evidence;
  const pairs = pairsOf(true_evidence);
  const pairWith = (fits: (pair: EnteredPair, delivery: DeliveryRow) => boolean) => {
    const pair = need(pairs.find((one) => one.deliveries[0] !== undefined && fits(one, one.deliveries[0])));
    return { pair, delivery: need(pair.deliveries[0]) };
  };
  const delivered = pairWith(
    ({ attempts, faultless }, { status }) => !faultless && status === 'delivered' && attempts.length === 1,
  );
  const faultless = pairWith((one) => one.faultless);
  const scheduled = pairWith((_, { status }) => status === 'pending');
  const given_up = pairWith(({ attempts }, { status }) => status === 'failed' && attempts.some(isFailure));
  const limited = pairWith((pair) => limitOf(pair)[1]?.status_code === 200);
  const failure = need(given_up.pair.attempts.find(isFailure));
  const [refused, next] = limitOf(limited.pair);
  const answered = need(webhooks.receipts.find(({ answered }) => isAcknowledged(answered)));
  const { deliveries, attempts, receipts, seen } = webhooks;
  const [event] = seen.events;

  const tampering = (name: string, notice: RegExp, change: Partial<WebhookEvidence>): Tampering => ({
    name,
    notice,
    evidence: { ...true_evidence, webhooks: { ...webhooks, ...change } },
  });
  const withEvents = (events: typeof seen.events) => ({ seen: { ...seen, events } });
  const delivery = (row: DeliveryRow, change: Partial<DeliveryRow>) => ({
    deliveries: replaced(deliveries, row, { ...row, ...change }),
  });
  const attempt = (row: AttemptRow, change: Partial<AttemptRow>) => ({
    attempts: replaced(attempts, row, { ...row, ...change }),
  });
  const receipt = (change: Partial<Receipt>) => ({
    receipts: replaced(receipts, answered, { ...answered, ...change }),
  });
  /** What a service leaves that has forgotten the acknowledgement and sends the delivery again. */
  const sentAgain = ({ pair, delivery }: typeof delivered): Partial<WebhookEvidence> => {
    const [first, request] = [need(pair.attempts[0]), need(pair.receipts[0])];
    return {
      deliveries: replaced(deliveries, delivery, { ...delivery, attempts: 2 }),
      attempts: [...attempts, { ...first, number: 2 }],
      receipts: [...receipts, { ...request }],
    };
  };

  return [
    tampering('a delivery that was lost', /LOST/, {
      deliveries: deliveries.filter((row) => row !== delivered.delivery),
    }),
    tampering('a delivery made twice', /has 2 deliveries/, {
      deliveries: [...deliveries, { ...delivered.delivery }],
    }),
    tampering('an event that was lost', /not recorded once/, withEvents(seen.events.slice(1))),
    tampering(
      'an event of a transaction that was rolled back',
      /rolled back/,
      withEvents([
        ...seen.events,
        { ...need(event), id: 'evt_undone', bodies: [need(true_evidence.rolled_back[0])] },
      ]),
    ),
    tampering(
      'an event with other bytes in the database',
      /not recorded once/,
      withEvents(replaced(seen.events, need(event), { ...need(event), bodies: ['{}'] })),
    ),
    tampering('an acknowledgement that nobody gave', /never acknowledged/, {
      receipts: receipts.filter((one) => !delivered.pair.receipts.includes(one)),
    }),
    tampering(
      'a delivery that waits although its receiver answers',
      /still pending/,
      delivery(delivered.delivery, { status: 'pending' }),
    ),
    tampering(
      'a delivery whose turn never comes',
      /not scheduled/,
      delivery(scheduled.delivery, { next_attempt_at: new Date(Date.now() + DAY_MS) }),
    ),
    tampering('a lease without an end', /not scheduled/, {
      ...delivery(scheduled.delivery, { leased_until: new Date(Date.now() + DAY_MS) }),
    }),
    tampering('a delivery given up early', /given up after/, attempt(failure, { timestamp: null })),
    tampering('a delivery told with other bytes', /other bytes/, receipt({ body: `${answered.body} ` })),
    tampering('a forged signature', /X-Svc-Signature/, receipt({ svc_signature: '0'.repeat(64) })),
    tampering(
      'a forged signature of Standard Webhooks',
      /webhook-signature/,
      receipt({ webhook_signature: answered.webhook_signature.replace('v1,', 'v1,A') }),
    ),
    tampering('a wrong number on a request', /is numbered/, receipt({ sequence: '0' })),
    tampering(
      'a request about somebody else’s event',
      /not one of this endpoint/,
      receipt({ webhook_id: '' }),
    ),
    tampering(
      'a gap in the numbers of an endpoint',
      /have a gap/,
      delivery(delivered.delivery, { sequence: 10_000_000n }),
    ),
    tampering('a number given out and never used', /have a gap/, {
      last_sequences: new Map(webhooks.last_sequences).set(delivered.pair.endpoint.id, 0n),
    }),
    tampering('an attempt that is not in the log', /has no attempt/, {
      attempts: attempts.filter((row) => row !== failure),
    }),
    tampering('a request that is not in the log', /not in the log, where/, {
      receipts: [...receipts, { ...need(delivered.pair.receipts[0]) }],
    }),
    tampering(
      'an answer in the log that nobody gave',
      /was not answered 404/,
      attempt(failure, { status_code: 404 }),
    ),
    tampering('an event sent twice without a fault', /though nothing failed/, sentAgain(faultless)),
    tampering(
      'an event sent again after its acknowledgement',
      /acknowledgement was recorded/,
      sentAgain(delivered),
    ),
    tampering(
      'a Retry-After that is passed over',
      /after a 429/,
      attempt(need(next), { started_at: endOf(need(refused)) }),
    ),
  ];
}

function isFailure({ status_code }: AttemptRow): boolean {
  return status_code === 500;
}

/** The first attempt that got a 429, and the one after it; nothing when none got one. */
function limitOf({ attempts }: EnteredPair): AttemptRow[] {
  const index = attempts.findIndex(({ status_code }) => status_code === 429);
  return index < 0 ? [] : attempts.slice(index, index + 2);
}

function endOf({ started_at, duration_ms }: AttemptRow): Date {
  return new Date(started_at.getTime() + duration_ms);
}

function replaced<T>(list: T[], one: T, by: T): T[] {
  return list.with(list.indexOf(one), by);
}

function need<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the run was too short to have anything to tamper with');
  return found;
}
