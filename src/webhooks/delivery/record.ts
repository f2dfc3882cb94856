/** Records what came of attempts: as many as there are at a time, in one statement. */
import { isConnectFailure, isConnectionLost, isPassing } from '../../db/failures.ts';
import type { Deps } from '../../deps.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { nextDelay, retryAfter } from './backoff.ts';
import { type Job, type Outcome, recordOutcomes } from './delivery-store.ts';
import { isAcknowledged } from './endpoint-sender.ts';
import type { PostResult } from './post.ts';

const MAX_BATCH = 500;
const RETRY_MS = 1_000;
const DISABLE_AFTER_MS = 5 * DAY_MS;
/** Longer than any step of the schedule: an endpoint to which something is due fails more often. */
const FORGET_AFTER_MS = 2 * DAY_MS;
const NOTE_EVERY_MS = 3_600_000;
const DISABLED_REASON =
  'Every delivery for five days failed. Enable the endpoint again once it answers with 2xx.';

export type SentAttempt = {
  job: Job;
  started_at: Date;
  finished_at: Date;
  request_headers: Record<string, string>;
  result: Exclude<PostResult, { abandoned: true }>;
};

export type Recorder = {
  /** Resolves when it is committed, or when it cannot be recorded: then the delivery is sent again after its lease. */
  record(sent: SentAttempt): Promise<void>;
};

type Gathered = { outcome: Outcome; lease_until: Date; done: () => void };

/**
 * Outcomes wait for the statement that is under way and no longer: the busier it is, the more go into the next one.
 * A database that is away is tried again until the leases end, or until `giving_up`.
 */
export function createRecorder(deps: Deps, random: () => number, giving_up: AbortSignal): Recorder {
  let gathered: Gathered[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    while (gathered.length > 0) {
      const batch = gathered.slice(0, MAX_BATCH);
      gathered = gathered.slice(MAX_BATCH);
      await write(batch);
      for (const { done } of batch) done();
    }
    writing = false;
  }

  /** One outcome that the database refuses costs none of the others: the batch is halved until it stands alone. */
  async function write(batch: Gathered[]): Promise<void> {
    try {
      const outcomes = batch.map(({ outcome }) => outcome);
      const disabled = await recordOutcomes(deps.db, outcomes, healthOf(outcomes, deps.clock.now()));
      for (const endpoint_id of disabled)
        deps.log.warn({ endpoint_id }, 'webhook endpoint disabled: nothing but failures for five days');
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

  /** While the lease lasts nobody else sends them, and the database may come back. */
  async function writeLater(batch: Gathered[], error: unknown): Promise<void> {
    await deps.clock.sleep(RETRY_MS, giving_up);
    const now = deps.clock.now();
    const [held, lost] = [true, false].map((is_held) =>
      batch.filter(({ lease_until }) => (lease_until > now && !giving_up.aborted) === is_held),
    ) as [Gathered[], Gathered[]];
    if (lost.length > 0) logLost(lost, error);
    if (held.length > 0) await write(held);
  }

  function logLost(batch: Gathered[], error: unknown): void {
    const delivery_ids = batch.map(({ outcome }) => outcome.delivery_id);
    deps.log.error({ err: error, delivery_ids }, 'attempts not recorded; they are made again');
  }

  return {
    record: (sent) =>
      new Promise((done) => {
        const outcome = outcomeOf(deps.config.webhook_retry_seconds, sent, random());
        gathered.push({ outcome, lease_until: sent.job.leased_until, done });
        if (!writing) {
          writing = true;
          setImmediate(() => void writeAll()); // with those that end in this turn; `write` handles every error
        }
      }),
  };
}

function outcomeOf(schedule_seconds: readonly number[], sent: SentAttempt, random: number): Outcome {
  const { job, started_at, finished_at, request_headers, result } = sent;
  const answered = 'status_code' in result;
  const delivered = answered && isAcknowledged(result.status_code);
  const wait_ms = answered ? retryAfter(result.status_code, result.retry_after, finished_at) : null;
  const retryAt = (step: number): Date | null => {
    const delay_ms = delivered ? null : nextDelay(schedule_seconds, step, random, wait_ms);
    return delay_ms === null ? null : new Date(finished_at.getTime() + delay_ms);
  };
  return {
    delivery_id: job.id,
    endpoint_id: job.endpoint_id,
    number: job.number,
    started_at,
    duration_ms: Math.max(0, finished_at.getTime() - started_at.getTime()),
    status_code: answered ? result.status_code : null,
    error: answered ? null : result.error,
    response_body: answered ? result.response_body : null,
    request_headers,
    delivered,
    schedule_step: job.schedule_step,
    retry_at: retryAt(job.schedule_step),
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
    disabled_reason: DISABLED_REASON,
  };
}
