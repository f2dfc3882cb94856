/** The only writer of webhook_deliveries and webhook_attempts. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { type Health, noteHealth } from './endpoint-health-store.ts';
import type { Attempt } from './read-deliveries.ts';

// making deliveries

export type NewDelivery = {
  id: string;
  event_id: string;
  endpoint_id: string;
  /** Counts the endpoint's deliveries, from 1 without a gap. */
  sequence: bigint;
  created_at: Date;
};

/** Returns the statement that inserts deliveries that are due at once. Arrays instead of rows: a statement takes at most 65,535 parameters. */
export function insertDeliveries(deliveries: NewDelivery[]): RawBuilder<unknown> {
  return sql`
    insert into webhook_deliveries (id, event_id, endpoint_id, sequence, next_attempt_at, created_at)
    select id, event_id, endpoint_id, sequence, created_at, created_at from unnest(
      ${deliveries.map((delivery) => delivery.id)}::text[],
      ${deliveries.map((delivery) => delivery.event_id)}::text[],
      ${deliveries.map((delivery) => delivery.endpoint_id)}::text[],
      ${deliveries.map((delivery) => delivery.sequence)}::bigint[],
      ${deliveries.map((delivery) => delivery.created_at)}::timestamptz[])
      as made (id, event_id, endpoint_id, sequence, created_at)`;
}

// sending them

export type ClaimedDelivery = {
  id: string;
  /** The number of the attempt that this claim allows. With the delivery's id it identifies the attempt. */
  number: number;
  /** Steps of the schedule taken so far. */
  schedule_step: number;
  leased_until: Date;
  /** The most that this claim could take for the endpoint: when it took as many, there may be more. */
  quota: number;
  endpoint_id: string;
  event_id: string;
  sequence: bigint;
  body: Buffer;
  event: string;
  /** Of what the event tells; null where that is not traced. */
  traceparent: string | null;
};

const UNRECORDED = 'the sender stopped before it recorded the outcome; the request may have arrived';

/**
 * Claims up to `room` due deliveries, the oldest of each endpoint, an equal share for each endpoint: neither a long
 * backlog nor an endpoint without a free slot delays the others. `free` gives the free slots of the endpoints that this
 * process knows; another endpoint has one.
 *
 * One committed statement: it counts the attempt and keeps the delivery from other claims until `lease_until`. It skips
 * rows that another process is claiming, and logs an earlier attempt that was claimed and never recorded.
 */
export async function claimDue(
  db: Db,
  claim: { now: Date; lease_until: Date; room: number; free: ReadonlyMap<string, number> },
): Promise<ClaimedDelivery[]> {
  const { now, lease_until, room, free } = claim;
  const lease_ms = lease_until.getTime() - now.getTime();
  const is_due = sql`status = 'pending' and next_attempt_at <= ${now} and (leased_until is null or leased_until <= ${now})`;
  const { rows } = await sql<Omit<ClaimedDelivery, 'leased_until'>>`
    with recursive
    -- Every endpoint with pending deliveries and the turn of its first one, by one index probe each.
    pending_endpoint (endpoint_id, turn) as (
      (select endpoint_id, next_attempt_at from webhook_deliveries
        where status = 'pending' order by endpoint_id, next_attempt_at limit 1)
      union all
      select next.endpoint_id, next.next_attempt_at
        from pending_endpoint
       cross join lateral (
         select endpoint_id, next_attempt_at from webhook_deliveries
          where status = 'pending' and endpoint_id > pending_endpoint.endpoint_id
          order by endpoint_id, next_attempt_at limit 1) next
    ),
    due_endpoint as (
      select e.id, least(coalesce(known.free, 1), ceil(${room}::numeric / count(*) over ()))::int as quota
        from pending_endpoint
        join webhook_endpoints e on e.id = pending_endpoint.endpoint_id and e.enabled and e.deleted_at is null
        left join unnest(${[...free.keys()]}::text[], ${[...free.values()]}::int[]) as known (endpoint_id, free)
          on known.endpoint_id = e.id
       where pending_endpoint.turn <= ${now} and coalesce(known.free, 1) > 0
       order by pending_endpoint.turn
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
     where claimed.ctid = due.ctid -- the row is locked above, so its ctid holds; by id it would be looked up again
       and event.id = claimed.event_id
    returning claimed.id, claimed.attempts as number, claimed.schedule_step, claimed.endpoint_id, claimed.event_id,
              claimed.sequence, event.body, event.type as event, event.traceparent, due.quota
  `.execute(db);
  return rows.map((row) => ({ ...row, leased_until: lease_until }));
}

/** Releases deliveries that were claimed and not sent: the attempt is not counted. */
export async function release(db: Db, unsent: ClaimedDelivery[]): Promise<void> {
  await sql`
    update webhook_deliveries claimed set attempts = claimed.attempts - 1, leased_until = null
      from unnest(${unsent.map(({ id }) => id)}::text[], ${unsent.map(({ number }) => number)}::int[]) as given_back (id, number)
     where claimed.id = given_back.id and claimed.attempts = given_back.number
  `.execute(db);
}

/** Ends all leases, for a process that is the only one: attempts that were claimed and not recorded are made again now. */
export async function endLeases(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ leased_until: now })
    .where('status', '=', 'pending')
    .where('leased_until', '>', now)
    .execute();
}

/** The outcome of an attempt, and the next state of the delivery unless it has changed since. */
export type Outcome = Attempt & {
  delivery_id: string;
  endpoint_id: string;
  delivered: boolean;
  /** The step of the schedule at which the delivery was claimed. */
  schedule_step: number;
  /** After a failure: when the next step is due; null to give up. */
  retry_at: Date | null;
  /** The same for the first step of the schedule, to which a redelivery may have put the delivery since. */
  first_retry_at: Date | null;
};

/** A delivery that has ended with an attempt. `first`: none of its attempts was acknowledged before. */
export type Ended = { id: string; endpoint_id: string; delivered: boolean; first: boolean; ended_at: Date };

/**
 * Records the outcomes of attempts and the health of their endpoints, in one statement. `failing`: the endpoints that
 * have failed for so long that they must be disabled. `ended`: the deliveries that it has ended. The same outcome recorded
 * again changes nothing.
 *
 * The attempt is always logged: its sender knows more than the claim that found it unrecorded. The delivery changes only
 * while this attempt is its latest and it is pending, or when it was delivered: even one that was given up since.
 * Locks are taken in the order endpoint, delivery, attempt, as everywhere.
 */
export async function recordOutcomes(
  db: Db,
  outcomes: Outcome[],
  health: Health,
): Promise<{ failing: string[]; ended: Ended[] }> {
  const sorted = outcomes.toSorted((a, b) => (a.delivery_id < b.delivery_id ? -1 : 1));
  const column = <Name extends keyof Outcome>(name: Name) => sorted.map((outcome) => outcome[name]);
  const retry_at = sql`case d.schedule_step when o.schedule_step then o.retry_at else o.first_retry_at end`;
  const { rows } = await sql<Omit<Ended, 'ended_at'> & { ended_at: Date | null }>`
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
    recorded as (
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
      returning d.id, d.endpoint_id, d.status, d.settled_at as ended_at,
                exists (select from webhook_attempts a where a.delivery_id = d.id and a.number = d.attempts) as known,
                not exists (select from webhook_attempts a
                             where a.delivery_id = d.id and a.status_code between 200 and 299) as first
    ),
    logged as (
      insert into webhook_attempts
             (delivery_id, number, started_at, duration_ms, status_code, error, response_body, request_headers)
      select delivery_id, number, started_at, duration_ms, status_code, error, response_body, request_headers
        from outcome
       where (select count(*) from recorded) is not null
          on conflict (delivery_id, number) do update
         set (started_at, duration_ms, status_code, error, response_body, request_headers) =
             (excluded.started_at, excluded.duration_ms, excluded.status_code, excluded.error, excluded.response_body,
              excluded.request_headers)
    )
    select id, endpoint_id, status = 'delivered' as delivered, first, ended_at
      from recorded where status <> 'pending' and not known
    union all
    select id, id, false, false, null from health where must_be_disabled
  `.execute(db);
  return {
    failing: rows.filter(({ ended_at }) => ended_at === null).map(({ id }) => id),
    ended: rows.flatMap(({ ended_at, ...row }) => (ended_at === null ? [] : [{ ...row, ended_at }])),
  };
}

// sending them again

/** Locks a delivery; false when there is none. Later statements see the attempt that was being recorded, if any. */
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

/**
 * Locks the next deliveries of an endpoint with an id from `from` on and before `until`, in the order of their ids;
 * delivered ones only if `include_delivered`. Later statements see the attempts that were being recorded.
 */
export async function lockNext(
  trx: Trx,
  endpoint_id: string,
  range: { from: string; until: string; include_delivered: boolean },
  limit: number,
): Promise<string[]> {
  let query = trx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('endpoint_id', '=', endpoint_id)
    .where('id', '>=', range.from)
    .where('id', '<', range.until);
  if (!range.include_delivered) query = query.where('status', '!=', 'delivered');
  const rows = await query.orderBy('id').limit(limit).forUpdate().execute();
  return rows.map(({ id }) => id);
}

/**
 * Starts the schedule of locked deliveries again, now, in the order in which the deliveries were made. An attempt that is
 * under way may end, or the receiver would get two at once; if it fails, the schedule starts from its first step.
 */
export async function restart(trx: Trx, ids: string[], now: Date): Promise<void> {
  await sql`
    update webhook_deliveries
       set status = 'pending', settled_at = null, schedule_step = 0, log_pruned = false,
           next_attempt_at = least(created_at, ${now})
     where id = any(${ids}::text[])
       and not (status = 'pending' and schedule_step = 0 and next_attempt_at <= ${now}) -- due already
  `.execute(trx);
}

/**
 * Starts the schedule again for all deliveries of the endpoint that have failed, and for those that have become due:
 * otherwise one more failure would give them up or make them wait for a day. `limit` per statement, in the order of their
 * turns. Skips rows that are being recorded. Claimed deliveries are not sent earlier.
 */
export async function restartWaiting(db: Db, endpoint_id: string, now: Date, limit: number): Promise<void> {
  let from = new Date(0);
  for (;;) {
    const { rows } = await sql<{ turn: Date }>`
      with failed as (
        select id, next_attempt_at as turn from webhook_deliveries
         where endpoint_id = ${endpoint_id} and status = 'pending' and next_attempt_at >= ${from}
           and (schedule_step > 0 or next_attempt_at > ${now})
         order by next_attempt_at limit ${limit} for update skip locked
      )
      update webhook_deliveries restarted
         set schedule_step = 0, next_attempt_at = least(restarted.created_at, ${now})
        from failed where restarted.id = failed.id
      returning failed.turn
    `.execute(db);
    if (rows.length < limit) return;
    from = new Date(Math.max(...rows.map(({ turn }) => turn.getTime())));
  }
}

/**
 * Restarts deliveries that are being sent to the endpoint as it was: if the attempt fails, their schedule starts from its
 * first step. Locks in the order of the ids, like recordOutcomes.
 */
export async function restartUnderWay(db: Db, endpoint_id: string, now: Date): Promise<void> {
  await sql`
    update webhook_deliveries set schedule_step = 0
     where id in (select id from webhook_deliveries
                   where endpoint_id = ${endpoint_id} and status = 'pending' and leased_until > ${now} and schedule_step > 0
                   order by id for no key update)
  `.execute(db);
}

// ending them

/** Abandons pending deliveries of deleted endpoints; returns how many. Rows that another statement has locked wait for a later call. */
export async function giveUpOfDeleted(db: Db, now: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    with waiting as (
      select delivery.id
        from webhook_endpoints endpoint
       cross join lateral (
         select id from webhook_deliveries
          where endpoint_id = endpoint.id and status = 'pending'
          limit ${limit} for no key update skip locked) delivery
       where endpoint.deleted_at is not null
       limit ${limit}
    )
    update webhook_deliveries given_up set status = 'failed', settled_at = ${now}
      from waiting where given_up.id = waiting.id
    returning given_up.id
  `.execute(db);
  return rows.length;
}

/**
 * Deletes the attempts of deliveries that were acknowledged before `settled_before`, the oldest first; returns the number
 * of deliveries. Attempts of pending and given-up deliveries are kept for ever.
 */
export async function pruneAttempts(db: Db, settled_before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    with old as (
      select id from webhook_deliveries
       where status = 'delivered' and not log_pruned and settled_at < ${settled_before}
       order by settled_at limit ${limit} for update skip locked
    ),
    deleted as (
      delete from webhook_attempts using old where delivery_id = old.id
    )
    update webhook_deliveries pruned set log_pruned = true
      from old where pruned.id = old.id
    returning pruned.id
  `.execute(db);
  return rows.length;
}
