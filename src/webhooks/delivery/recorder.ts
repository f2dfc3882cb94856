/** Records the outcomes of attempts. One statement records all outcomes that wait. */
import { isConnectFailure, isConnectionLost, isPassing } from '../../db/failures.ts';
import type { Deps } from '../../deps.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { nextDelay, retryAfter } from '../../outgoing/attempt-schedule.ts';
import { isAcknowledged, type PostResult } from '../../outgoing/post.ts';
import { disableEndpoint } from '../endpoints/disable-endpoint.ts';
import { type ClaimedDelivery, type Outcome, recordOutcomes } from '../store/delivery-store.ts';
import { createDeliveryReport } from './report-deliveries.ts';

const MAX_BATCH = 500;
const RETRY_MS = 1_000;
const DISABLE_AFTER_MS = 5 * DAY_MS;
/** Longer than any step of the schedule: an endpoint with a pending delivery fails more often than this. */
const FORGET_AFTER_MS = 2 * DAY_MS;
const NOTE_EVERY_MS = 3_600_000;
const DISABLED_REASON =
  'Every delivery for five days failed. Enable the endpoint again once it answers with 2xx.';

export type FinishedAttempt = {
  delivery: ClaimedDelivery;
  started_at: Date;
  finished_at: Date;
  request_headers: Record<string, string>;
  result: Exclude<PostResult, { abandoned: true }>;
};

export type Recorder = {
  /** Resolves when the outcome is committed, or cannot be recorded: then the delivery is sent again after its lease. */
  record(attempt: FinishedAttempt): Promise<void>;
};

type Unrecorded = { outcome: Outcome; body: Buffer; lease_until: Date; done: () => void };

/**
 * Creates the recorder. Outcomes wait only for the statement that is under way: the longer it takes, the more go into the next one.
 * While the database cannot be reached, it retries until the leases end or `giving_up` aborts.
 * `random` is uniform in [0, 1) and makes the jitter of the schedule.
 */
export function createRecorder(deps: Deps, random: () => number, giving_up: AbortSignal): Recorder {
  let unrecorded: Unrecorded[] = [];
  let writing = false;
  const report = createDeliveryReport(deps);

  async function writeAll(): Promise<void> {
    writing = true;
    while (unrecorded.length > 0) {
      const batch = unrecorded.slice(0, MAX_BATCH);
      unrecorded = unrecorded.slice(MAX_BATCH);
      await write(batch);
      for (const { done } of batch) done();
    }
    writing = false;
  }

  /** Writes a batch. An outcome that the database refuses does not affect the others: the batch is halved until it is alone. */
  async function write(batch: Unrecorded[]): Promise<void> {
    try {
      const outcomes = batch.map(({ outcome }) => outcome);
      const health = healthOf(outcomes, deps.clock.now());
      const { failing, ended } = await recordOutcomes(deps.db, outcomes, health);
      report.attempts(outcomes);
      await report.ended(ended, new Map(batch.map(({ outcome, body }) => [outcome.delivery_id, body])));
      for (const endpoint_id of failing) await disable(endpoint_id, health.disable_if_since);
    } catch (error) {
      if (isConnectFailure(error) || isConnectionLost(error) || isPassing(error))
        return writeLater(batch, error);
      if (batch.length > 1) {
        const half = Math.ceil(batch.length / 2);
        await write(batch.slice(0, half));
        await write(batch.slice(half));
        return;
      }
      logLost(batch, error);
    }
  }

  /** Disables an endpoint, whose deliveries are recorded already. If this fails, the next failed attempt disables it. */
  async function disable(endpoint_id: string, if_since: Date): Promise<void> {
    try {
      if (await disableEndpoint(deps, endpoint_id, { if_since, reason: DISABLED_REASON }))
        deps.log.warn({ endpoint_id }, 'webhook endpoint disabled: every attempt failed for five days');
    } catch (error) {
      deps.log.error({ err: error, endpoint_id }, 'webhook endpoint not disabled yet');
    }
  }

  /** Writes a batch later. During the lease no other process sends these deliveries, and the database may come back. */
  async function writeLater(batch: Unrecorded[], error: unknown): Promise<void> {
    await deps.clock.sleep(RETRY_MS, giving_up);
    const now = deps.clock.now();
    const isLeased = ({ lease_until }: Unrecorded) => lease_until > now && !giving_up.aborted;
    const lost = batch.filter((each) => !isLeased(each));
    const leased = batch.filter(isLeased);
    if (lost.length > 0) logLost(lost, error);
    if (leased.length > 0) await write(leased);
  }

  function logLost(batch: Unrecorded[], error: unknown): void {
    const delivery_ids = batch.map(({ outcome }) => outcome.delivery_id);
    deps.log.error(
      { err: error, delivery_ids },
      'the outcomes of attempts could not be recorded; the deliveries are sent again',
    );
  }

  return {
    record: (attempt) =>
      new Promise((done) => {
        const outcome = outcomeOf(deps.config.webhook_retry_seconds, attempt, random());
        const { body, leased_until: lease_until } = attempt.delivery;
        unrecorded.push({ outcome, body, lease_until, done });
        if (!writing) {
          writing = true;
          setImmediate(() => void writeAll()); // with those that end in this turn; `write` handles every error
        }
      }),
  };
}

function outcomeOf(schedule_seconds: readonly number[], attempt: FinishedAttempt, random: number): Outcome {
  const { delivery, started_at, finished_at, request_headers, result } = attempt;
  const answered = 'status_code' in result;
  const delivered = answered && isAcknowledged(result.status_code);
  const wait_ms = answered ? retryAfter(result.status_code, result.retry_after, finished_at) : null;
  const retryAt = (step: number): Date | null => {
    const delay_ms = delivered ? null : nextDelay(schedule_seconds, step, random, wait_ms);
    return delay_ms === null ? null : new Date(finished_at.getTime() + delay_ms);
  };
  return {
    delivery_id: delivery.id,
    endpoint_id: delivery.endpoint_id,
    number: delivery.number,
    started_at,
    duration_ms: Math.max(0, finished_at.getTime() - started_at.getTime()),
    status_code: answered ? result.status_code : null,
    error: answered ? null : result.error,
    response_body: answered ? result.response_body : null,
    request_headers,
    delivered,
    schedule_step: delivery.schedule_step,
    retry_at: retryAt(delivery.schedule_step),
    first_retry_at: retryAt(0),
  };
}

function healthOf(outcomes: Outcome[], now: Date) {
  const healthy = new Set<string>();
  const failing = new Set<string>();
  for (const { endpoint_id, delivered } of outcomes) (delivered ? healthy : failing).add(endpoint_id);
  const before = (ms: number) => new Date(now.getTime() - ms);
  return {
    healthy: [...healthy],
    failing: [...failing.difference(healthy)],
    now,
    disable_if_since: before(DISABLE_AFTER_MS),
    forget_if_before: before(FORGET_AFTER_MS),
    note_if_before: before(NOTE_EVERY_MS),
  };
}
