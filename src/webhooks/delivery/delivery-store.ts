/** The only writer of webhook_events, webhook_deliveries, webhook_attempts and webhook_sequences, with delivery-batches.ts. */
import { strict as assert } from 'node:assert';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { type Health, noteHealth } from '../endpoints/endpoint-store.ts';
import type { Attempt } from './delivery-log.ts';

/**
 * Where a transaction that makes a delivery due announces it. Only a wake-up: claims find what is due without it. With an
 * endpoint's id: it has another URL or secret, or gets nothing more.
 */
export const WEBHOOK_DUE = 'webhook_due';

/** A claimed delivery. */
export type Job = {
  id: string;
  /** The attempt's: by it and the delivery's id an attempt is known. */
  number: number;
  /** Steps of the schedule taken so far. */
  schedule_step: number;
  leased_until: Date;
  /** How many its endpoint could get of this claim: as many mean that there may be more. */
  quota: number;
  endpoint_id: string;
  event_id: string;
  sequence: bigint;
  body: Buffer;
};

// making deliveries

export type NewEvent = {
  id: string;
  wallet_id: string;
  /** Counts the wallet's events, from 1 without a gap. */
  sequence: bigint;
  type: string;
  /** The one that it tells of. */
  deposit_id: string | null;
  body: Buffer;
  created_at: Date;
};
export type NewDelivery = {
  id: string;
  event_id: string;
  endpoint_id: string;
  /** Counts the endpoint's deliveries, from 1 without a gap. */
  sequence: bigint;
  created_at: Date;
};

/**
 * The next numbers of wallets (of their events) and endpoints (of their deliveries): for each id in `wanted` as many as
 * it is in there, in order. Others wait for these ids until `trx` ends, so one transaction asks once, for all it needs:
 * the rows are locked in the order of their ids, and two transactions never wait for each other.
 */
export async function nextSequences(trx: Trx, wanted: string[]): Promise<(id: string) => bigint> {
  const counts = [...Map.groupBy(wanted, (id) => id)];
  const { rows } = await sql<{ owner_id: string; last: bigint }>`
    insert into webhook_sequences (owner_id, last)
    select id, count from unnest(
      ${counts.map(([id]) => id)}::text[], ${counts.map(([, same]) => same.length)}::bigint[]) as wanted (id, count)
     order by id
    on conflict (owner_id) do update set last = webhook_sequences.last + excluded.last
    returning owner_id, last
  `.execute(trx);
  const next = new Map(counts.map(([id, same]) => [id, 1n - BigInt(same.length)]));
  for (const { owner_id, last } of rows) next.set(owner_id, last + (next.get(owner_id) ?? 0n));
  return (id) => {
    const sequence = next.get(id);
    assert(sequence !== undefined);
    next.set(id, sequence + 1n);
    return sequence;
  };
}

/** Which of these events there are already. */
export async function knownEvents(trx: Trx, ids: string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('webhook_events')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Events and deliveries, due at once. Arrays instead of rows: a statement takes 65,535 parameters at most. */
export async function insertEvents(trx: Trx, events: NewEvent[], deliveries: NewDelivery[]): Promise<void> {
  await sql`
    insert into webhook_events (id, wallet_id, sequence, type, deposit_id, body, created_at)
    select * from unnest(
      ${events.map((event) => event.id)}::text[], ${events.map((event) => event.wallet_id)}::text[],
      ${events.map((event) => event.sequence)}::bigint[], ${events.map((event) => event.type)}::text[],
      ${events.map((event) => event.deposit_id)}::text[], ${events.map((event) => event.body)}::bytea[],
      ${events.map((event) => event.created_at)}::timestamptz[])
  `.execute(trx);
  if (deliveries.length === 0) return;
  await sql`
    insert into webhook_deliveries (id, event_id, endpoint_id, sequence, next_attempt_at, created_at)
    select id, event_id, endpoint_id, sequence, created_at, created_at from unnest(
      ${deliveries.map((delivery) => delivery.id)}::text[],
      ${deliveries.map((delivery) => delivery.event_id)}::text[],
      ${deliveries.map((delivery) => delivery.endpoint_id)}::text[],
      ${deliveries.map((delivery) => delivery.sequence)}::bigint[],
      ${deliveries.map((delivery) => delivery.created_at)}::timestamptz[])
      as made (id, event_id, endpoint_id, sequence, created_at)
  `.execute(trx);
}

/** Heard by the deliverers when the transaction commits. */
export async function announceDue(db: Db): Promise<void> {
  await sql`select pg_notify(${WEBHOOK_DUE}, '')`.execute(db);
}

/** What deliverers have claimed for it and not yet sent goes back, and is claimed again with what the endpoint is now. */
export async function announceChanged(db: Db, endpoint_id: string): Promise<void> {
  await sql`select pg_notify(${WEBHOOK_DUE}, ${endpoint_id})`.execute(db);
}

// sending them

const UNRECORDED = 'the sender stopped before it recorded the outcome; the request may have arrived';

/**
 * Claims up to `room` due deliveries, oldest first within an endpoint, and an equal share from every endpoint that has
 * some: neither a long backlog nor an endpoint without a `free` slot holds up the others. `free` tells the slots of the
 * endpoints that this process knows; others have one.
 *
 * One committed statement: the attempt is counted and the delivery out of reach until `lease_until`. Rows that another
 * process is claiming are skipped. An earlier attempt that was claimed and never recorded is logged on the way.
 */
export async function claimDue(
  db: Db,
  claim: { now: Date; lease_until: Date; room: number; free: ReadonlyMap<string, number> },
): Promise<Job[]> {
  const { now, lease_until, room, free } = claim;
  const lease_ms = lease_until.getTime() - now.getTime();
  const is_due = sql`status = 'pending' and next_attempt_at <= ${now} and (leased_until is null or leased_until <= ${now})`;
  const { rows } = await sql<Omit<Job, 'leased_until'>>`
    with recursive
    -- Every endpoint with pending deliveries and the turn of its first one, by one index probe each.
    sender (endpoint_id, turn) as (
      (select endpoint_id, next_attempt_at from webhook_deliveries
        where status = 'pending' order by endpoint_id, next_attempt_at limit 1)
      union all
      select next.endpoint_id, next.next_attempt_at
        from sender
       cross join lateral (
         select endpoint_id, next_attempt_at from webhook_deliveries
          where status = 'pending' and endpoint_id > sender.endpoint_id
          order by endpoint_id, next_attempt_at limit 1) next
    ),
    due_endpoint as (
      select e.id, least(coalesce(known.free, 1), ceil(${room}::numeric / count(*) over ()))::int as quota
        from sender
        join webhook_endpoints e on e.id = sender.endpoint_id and e.enabled and e.deleted_at is null
        left join unnest(${[...free.keys()]}::text[], ${[...free.values()]}::int[]) as known (endpoint_id, free)
          on known.endpoint_id = e.id
       where sender.turn <= ${now} and coalesce(known.free, 1) > 0
       order by sender.turn
       limit ${room}
    ),
    due as (
      select delivery.*, due_endpoint.quota
        from due_endpoint
       cross join lateral (
         select ctid, id, attempts, leased_until from webhook_deliveries where endpoint_id = due_endpoint.id and ${is_due}
          order by next_attempt_at
          limit due_endpoint.quota
            for no key update skip locked) delivery
       limit ${room}
    ),
    unrecorded as (
      insert into webhook_attempts (delivery_id, number, started_at, duration_ms, error)
      select id, attempts, leased_until - ${lease_ms}::int * interval '1 millisecond', 0, ${UNRECORDED}
        from due
       where leased_until is not null
          on conflict do nothing
    )
    update webhook_deliveries claimed
       set attempts = claimed.attempts + 1, leased_until = ${lease_until}
      from due cross join webhook_events event
     where claimed.ctid = due.ctid -- locked above, so it is where it was; by its id it would be looked up again
       and event.id = claimed.event_id
    returning claimed.id, claimed.attempts as number, claimed.schedule_step, claimed.endpoint_id, claimed.event_id,
              claimed.sequence, event.body, due.quota
  `.execute(db);
  return rows.map((row) => ({ ...row, leased_until: lease_until }));
}

/** Gives back what was claimed and never sent: the attempt is not counted. */
export async function release(db: Db, jobs: Job[]): Promise<void> {
  await sql`
    update webhook_deliveries claimed set attempts = claimed.attempts - 1, leased_until = null
      from unnest(${jobs.map(({ id }) => id)}::text[], ${jobs.map(({ number }) => number)}::int[]) as unsent (id, number)
     where claimed.id = unsent.id and claimed.attempts = unsent.number
  `.execute(db);
}

/** How an attempt ended, and what follows if the delivery has not moved on. */
export type Outcome = Attempt & {
  delivery_id: string;
  endpoint_id: string;
  request_headers: Record<string, string>;
  delivered: boolean;
  /** The step of the schedule that it was claimed at. */
  schedule_step: number;
  /** After a failure: when the next step is due; null to give up. */
  retry_at: Date | null;
  /** The same for the schedule's first step, at which a redelivery asked for meanwhile has put it. */
  first_retry_at: Date | null;
};

/**
 * Records the outcomes of attempts, and their endpoints' health, in one statement. Gives the endpoints that were
 * disabled by it. Saying the same outcome again changes nothing.
 *
 * An attempt is always logged: its own sender knows more than the claim that found it unrecorded. Its delivery changes
 * only while this attempt is the latest and nobody has settled it; that the receiver has it is said even of one that was
 * given up meanwhile. Locks are taken in the order in which others take them (endpoint, delivery, attempt).
 */
export async function recordOutcomes(db: Db, outcomes: Outcome[], health: Health): Promise<string[]> {
  const sorted = outcomes.toSorted((a, b) => (a.delivery_id < b.delivery_id ? -1 : 1));
  const column = <Name extends keyof Outcome>(name: Name) => sorted.map((outcome) => outcome[name]);
  const retry_at = sql`case d.schedule_step when o.schedule_step then o.retry_at else o.first_retry_at end`;
  const { rows } = await sql<{ id: string }>`
    with outcome as materialized (
      select * from unnest(
        ${column('delivery_id')}::text[], ${column('number')}::int[], ${column('started_at')}::timestamptz[],
        ${column('duration_ms')}::int[], ${column('status_code')}::int[], ${column('error')}::text[],
        ${column('response_body')}::text[], ${sorted.map((outcome) => JSON.stringify(outcome.request_headers))}::json[],
        ${column('delivered')}::bool[], ${column('schedule_step')}::int[], ${column('retry_at')}::timestamptz[],
        ${column('first_retry_at')}::timestamptz[])
        as outcome (delivery_id, number, started_at, duration_ms, status_code, error, response_body, request_headers,
                    delivered, schedule_step, retry_at, first_retry_at)
    ),
    health as (${noteHealth(health)}),
    settled as (
      update webhook_deliveries d
         set status = case when o.delivered then 'delivered' when ${retry_at} is null then 'failed' else 'pending' end,
             leased_until = null,
             settled_at = case when o.delivered or ${retry_at} is null then o.started_at + o.duration_ms * interval '1 millisecond' end,
             schedule_step = case when o.delivered or ${retry_at} is null then d.schedule_step
                                  when d.schedule_step = o.schedule_step then d.schedule_step + 1 else 1 end,
             next_attempt_at = case when o.delivered then d.next_attempt_at else coalesce(${retry_at}, d.next_attempt_at) end
        from outcome o
       where d.id = o.delivery_id and d.attempts = o.number
         and (o.delivered or d.status = 'pending' and d.schedule_step in (o.schedule_step, 0))
         and (select count(*) from health) is not null
      returning d.id
    ),
    logged as (
      insert into webhook_attempts
             (delivery_id, number, started_at, duration_ms, status_code, error, response_body, request_headers)
      select delivery_id, number, started_at, duration_ms, status_code, error, response_body, request_headers
        from outcome
       where (select count(*) from settled) is not null
          on conflict (delivery_id, number) do update
         set (started_at, duration_ms, status_code, error, response_body, request_headers) =
             (excluded.started_at, excluded.duration_ms, excluded.status_code, excluded.error, excluded.response_body,
              excluded.request_headers)
    )
    select id from health where not enabled
  `.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Starts the schedule again, now, in the order in which the deliveries were made. An attempt that is under way is left
 * to finish, or the receiver would get it twice at once; if it fails, the schedule starts from its first step. For
 * deliveries that an earlier statement has locked.
 */
export async function restart(trx: Trx, ids: string[], now: Date): Promise<void> {
  await sql`
    update webhook_deliveries
       set status = 'pending', settled_at = null, schedule_step = 0, log_pruned = false,
           next_attempt_at = least(created_at, ${now})
     where id = any(${ids}::text[])
       and not (status = 'pending' and schedule_step = 0 and next_attempt_at <= ${now}) -- is due as it is
  `.execute(trx);
}

/** For a process that knows that it is alone: attempts that were claimed and not recorded are made again now. */
export async function endLeases(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ leased_until: now })
    .where('status', '=', 'pending')
    .where('leased_until', '>', now)
    .execute();
}

/** Waits for whoever is recording an attempt of it: only a statement after this one sees that attempt. */
export async function lockDelivery(trx: Trx, endpoint_id: string, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('id', '=', id)
    .where('endpoint_id', '=', endpoint_id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
