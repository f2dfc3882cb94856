/**
 * Sends the deliveries that are due.
 *
 * | state of a delivery        | row                                     | what a crash leaves                         |
 * |----------------------------|-----------------------------------------|---------------------------------------------|
 * | waiting                    | pending, next_attempt_at is its turn    | the same                                    |
 * | claimed, not yet sent      | pending, attempts counted up, turn moved| sent when the lease ends: late, not lost    |
 * |                            | to the end of the lease, all committed  |                                             |
 * | sent, outcome not recorded | the same                                | sent again when the lease ends: the receiver|
 * |                            |                                         | gets it twice (at least once, same id)      |
 * | recorded, in one transaction with the attempt:                                                                  |
 * |   acknowledged (2xx)       | delivered                               | the same: final until somebody redelivers   |
 * |   failed, steps left       | pending, next step of the schedule      | the same                                    |
 * |   failed, none left        | failed: given up, visible in the log    | the same                                    |
 * | endpoint disabled          | pending, passed over by claims          | the same: sent once it is enabled again     |
 * | endpoint deleted           | failed: given up                        | the same                                    |
 *
 * An attempt is known by its number. Whoever finds that the delivery has moved on (a later attempt was claimed after
 * the lease, somebody deleted the endpoint) only logs its attempt. An attempt that nobody recorded is logged as such
 * by the claim that takes it over. No transaction is open while a request is.
 *
 * Each endpoint has a few slots of its own, and a claim takes from every endpoint in turn: one that hangs fills its
 * slots and waits, and the others do not notice.
 */
import { listen } from '../db/listen.ts';
import type { Deps } from '../deps.ts';
import { startLoop } from '../lib/loop.ts';
import { nextDelay, retryAfter } from './backoff.ts';
import {
  claimDue,
  findHeld,
  giveUp,
  type Job,
  lockDelivery,
  markDelivered,
  recordAttempt,
  reschedule,
  WEBHOOK_DUE,
} from './delivery-store.ts';
import { deliveryHeaders } from './headers.ts';
import { createPoster, type PostResult } from './post.ts';
import { parseExemptions } from './public-url.ts';
import { type Resolve, resolveByDns } from './resolve.ts';
import { markFailing, markHealthy } from './store.ts';

const MAX_IN_FLIGHT = 64;
const MAX_IN_FLIGHT_PER_ENDPOINT = 8;
/** Longer than an attempt (15 s) and its recording, or a delivery would be sent again while it is being sent. */
const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const STOP_GRACE_MS = 5_000;
const DISABLE_AFTER_MS = 5 * 86_400_000;
const DISABLED_REASON =
  'Every delivery for five days failed. Enable the endpoint again once it answers with 2xx.';

export type Deliverer = {
  /** Claims what is due, as far as slots are free, and starts sending it. False when there was nothing. */
  step(): Promise<boolean>;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  /** Waits up to 5 s for what is being sent; the rest is abandoned and sent again when its lease ends. */
  stop(): Promise<void>;
};

/** Delivers until stopped: woken by a notification, by a slot that became free, and every second in any case. */
export function startDeliverer(deps: Deps): { stop(): Promise<void> } {
  const deliverer = createDeliverer(deps, { on_room: () => loop.wake() });
  const loop = startLoop({
    name: 'deliverer',
    step: () => deliverer.step(),
    idle_ms: POLL_MS,
    clock: deps.clock,
    log: deps.log,
  });
  const listener = listen(deps, WEBHOOK_DUE, () => loop.wake());
  return {
    async stop() {
      await listener.stop();
      await loop.stop();
      await deliverer.stop();
    },
  };
}

/** The parts of a deliverer without its loop. `random` (uniform in [0, 1)) makes the jitter. */
export function createDeliverer(
  deps: Deps,
  options: { resolve?: Resolve; random?: () => number; on_room?: () => void } = {},
): Deliverer {
  const { resolve = resolveByDns, random = Math.random, on_room } = options;
  const poster = createPoster({
    exemptions: parseExemptions(deps.config.webhook_allowed_hosts),
    show_exempt_answers: deps.config.network === 'sandbox',
    resolve,
    clock: deps.clock,
  });
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const busy = new Map<string, number>();

  async function attempt(job: Job): Promise<void> {
    const started_at = deps.clock.now();
    const headers = deliveryHeaders(deps.secrets, job, job, started_at);
    const result = await poster.post({ url: job.url, headers, body: job.body }, stopping.signal);
    if ('abandoned' in result) return;
    await record(deps, job, { started_at, result, random: random() });
  }

  function start(job: Job): void {
    const { endpoint_id } = job;
    busy.set(endpoint_id, (busy.get(endpoint_id) ?? 0) + 1);
    const run = attempt(job)
      // Not recorded: the lease ends, and the delivery is sent again.
      .catch((error) => deps.log.error({ err: error, delivery_id: job.id }, 'attempt not recorded'))
      .finally(() => {
        const count = busy.get(endpoint_id) ?? 0;
        const was_full = running.size >= MAX_IN_FLIGHT || count >= MAX_IN_FLIGHT_PER_ENDPOINT;
        if (count > 1) busy.set(endpoint_id, count - 1);
        else busy.delete(endpoint_id);
        running.delete(run);
        if (was_full) on_room?.(); // a claim may have left something behind for want of this slot
      });
    running.add(run);
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  return {
    async step() {
      const room = MAX_IN_FLIGHT - running.size;
      if (room === 0) return false;
      const now = deps.clock.now();
      const lease_until = new Date(now.getTime() + LEASE_MS);
      const limits = { room, per_endpoint: MAX_IN_FLIGHT_PER_ENDPOINT, busy };
      const jobs = await claimDue(deps.db, { now, lease_until, ...limits });
      for (const job of jobs) start(job);
      return jobs.length > 0;
    },
    idle,
    async stop() {
      const finished = new AbortController();
      await Promise.race([idle(), deps.clock.sleep(STOP_GRACE_MS, finished.signal)]);
      finished.abort();
      stopping.abort();
      await idle();
      await poster.close();
    },
  };
}

type Sent = { started_at: Date; result: Exclude<PostResult, { abandoned: true }>; random: number };

async function record(deps: Deps, job: Job, { started_at, result, random }: Sent): Promise<void> {
  const now = deps.clock.now();
  const answered = 'status_code' in result;
  const delivered = answered && result.status_code >= 200 && result.status_code <= 299;
  const wait_ms = answered ? retryAfter(result.status_code, result.retry_after, now) : null;
  await deps.db.transaction().execute(async (trx) => {
    // The endpoint before the delivery: deleting one locks them in this order too.
    if (delivered) await markHealthy(trx, job.endpoint_id);
    else await noteFailure(deps, trx, job.endpoint_id, now);
    // Locked before the attempt is inserted, as a claim that takes it over does: otherwise each could wait for the other.
    await lockDelivery(trx, job.endpoint_id, job.id);
    await recordAttempt(trx, {
      delivery_id: job.id,
      number: job.number,
      started_at,
      duration_ms: Math.max(0, now.getTime() - started_at.getTime()),
      status_code: answered ? result.status_code : null,
      error: answered ? null : result.error,
      response_body: answered ? result.response_body : null,
    });
    if (delivered) return markDelivered(trx, job, now);
    const held = await findHeld(trx, job);
    if (!held) return; // it has moved on
    const schedule_seconds = deps.config.webhook_retry_seconds;
    const delay_ms = nextDelay(schedule_seconds, held.schedule_step, random, wait_ms);
    if (delay_ms === null) await giveUp(trx, job, now);
    else await reschedule(trx, job, { step: held.schedule_step + 1, at: new Date(now.getTime() + delay_ms) });
  });
}

async function noteFailure(
  deps: Deps,
  trx: Parameters<typeof markFailing>[0],
  endpoint_id: string,
  now: Date,
): Promise<void> {
  const disabled = await markFailing(trx, endpoint_id, {
    now,
    disable_if_since: new Date(now.getTime() - DISABLE_AFTER_MS),
    reason: DISABLED_REASON,
  });
  if (disabled)
    deps.log.warn({ endpoint_id }, 'webhook endpoint disabled: nothing but failures for five days');
}
