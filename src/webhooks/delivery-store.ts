/** The only writer of webhook_events, webhook_deliveries and webhook_attempts. */
import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { Attempt } from './delivery-log.ts';

/** Where a transaction that makes a delivery due announces it. Only a wake-up: claims find what is due without it. */
export const WEBHOOK_DUE = 'webhook_due';

/** A claimed delivery with all that sending it needs; `number` is the attempt's. */
export type Job = {
  id: string;
  number: number;
  endpoint_id: string;
  event_id: string;
  body: Buffer;
  url: string;
  sealed_secret: Buffer;
  previous_sealed_secret: Buffer | null;
  previous_secret_until: Date | null;
};

// making deliveries

export type NewEvent = { id: string; wallet_id: string; type: string; body: Buffer; created_at: Date };
export type NewDelivery = { id: string; event_id: string; endpoint_id: string; created_at: Date };

/**
 * Events that are new and their deliveries, due at once. Arrays instead of rows: a statement takes 65,535 parameters at
 * most.
 */
export async function insertEvents(trx: Trx, events: NewEvent[], given: NewDelivery[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into webhook_events (id, wallet_id, type, body, created_at)
    select * from unnest(
      ${events.map((event) => event.id)}::text[], ${events.map((event) => event.wallet_id)}::text[],
      ${events.map((event) => event.type)}::text[], ${events.map((event) => event.body)}::bytea[],
      ${events.map((event) => event.created_at)}::timestamptz[])
    on conflict (id) do nothing
    returning id
  `.execute(trx);
  const inserted = new Set(rows.map(({ id }) => id));
  const deliveries = given.filter(({ event_id }) => inserted.has(event_id));
  if (deliveries.length === 0) return;
  await sql`
    insert into webhook_deliveries (id, event_id, endpoint_id, next_attempt_at, created_at)
    select id, event_id, endpoint_id, created_at, created_at from unnest(
      ${deliveries.map((delivery) => delivery.id)}::text[],
      ${deliveries.map((delivery) => delivery.event_id)}::text[],
      ${deliveries.map((delivery) => delivery.endpoint_id)}::text[],
      ${deliveries.map((delivery) => delivery.created_at)}::timestamptz[]) as made (id, event_id, endpoint_id, created_at)
  `.execute(trx);
}

/** Heard by the deliverers when the transaction commits. */
export async function announceDue(db: Db): Promise<void> {
  await sql`select pg_notify(${WEBHOOK_DUE}, '')`.execute(db);
}

// sending them

const UNRECORDED = 'the sender stopped before it recorded the outcome; the request may have arrived';

/**
 * Claims up to `room` due deliveries, oldest first within an endpoint, and an equal share from every endpoint that has
 * some: an endpoint with a long backlog, or with all `per_endpoint` slots `busy`, does not hold up the others.
 *
 * One committed statement: the attempt is counted and the delivery out of reach until `lease_until`. Rows that another
 * process is claiming are skipped. An earlier attempt that was claimed and never recorded is logged on the way.
 */
export async function claimDue(
  db: Db,
  claim: {
    now: Date;
    lease_until: Date;
    room: number;
    per_endpoint: number;
    busy: ReadonlyMap<string, number>;
  },
): Promise<Job[]> {
  const { now, lease_until, room, per_endpoint, busy } = claim;
  const lease_ms = lease_until.getTime() - now.getTime();
  const { rows } = await sql<Job>`
    with recursive
    -- Every endpoint with pending deliveries, by one index probe each.
    lane (endpoint_id) as (
      (select endpoint_id from webhook_deliveries where status = 'pending' order by endpoint_id limit 1)
      union all
      select (select endpoint_id from webhook_deliveries
               where status = 'pending' and endpoint_id > lane.endpoint_id order by endpoint_id limit 1)
        from lane where lane.endpoint_id is not null
    ),
    due_lane as (
      select e.id, e.url, e.sealed_secret, e.previous_sealed_secret, e.previous_secret_until,
             ${per_endpoint}::int - coalesce(busy.count, 0) as free, count(*) over () as lanes
        from lane
        join webhook_endpoints e on e.id = lane.endpoint_id and e.enabled and e.deleted_at is null
        left join unnest(${[...busy.keys()]}::text[], ${[...busy.values()]}::int[]) as busy (endpoint_id, count)
          on busy.endpoint_id = e.id
       cross join lateral (
         select next_attempt_at from webhook_deliveries
          where endpoint_id = e.id and status = 'pending' and next_attempt_at <= ${now}
          order by next_attempt_at limit 1) oldest
       where coalesce(busy.count, 0) < ${per_endpoint}::int
       order by oldest.next_attempt_at
       limit ${room}
    ),
    due as (
      select delivery.*, due_lane.url, due_lane.sealed_secret, due_lane.previous_sealed_secret,
             due_lane.previous_secret_until
        from due_lane
       cross join lateral (
         select id, attempts, next_attempt_at from webhook_deliveries
          where endpoint_id = due_lane.id and status = 'pending' and next_attempt_at <= ${now}
          order by next_attempt_at
          limit least(due_lane.free, ceil(${room}::numeric / due_lane.lanes))
            for update skip locked) delivery
       limit ${room}
    ),
    unrecorded as (
      insert into webhook_attempts (delivery_id, number, started_at, duration_ms, error)
      select id, attempts, next_attempt_at - ${lease_ms}::int * interval '1 millisecond', 0, ${UNRECORDED}
        from due
       where attempts > 0
         and not exists (select from webhook_attempts where delivery_id = due.id and number = due.attempts)
          on conflict do nothing
    )
    update webhook_deliveries claimed
       set attempts = claimed.attempts + 1, next_attempt_at = ${lease_until}
      from due, webhook_events event
     where claimed.id = due.id and event.id = claimed.event_id
    returning claimed.id, claimed.attempts as number, claimed.endpoint_id, claimed.event_id, event.body,
              due.url, due.sealed_secret, due.previous_sealed_secret, due.previous_secret_until
  `.execute(db);
  return rows;
}

/** Logs an attempt once. Its own sender knows more than the claim that found it unrecorded, and replaces that note. */
export async function recordAttempt(trx: Trx, attempt: Attempt & { delivery_id: string }): Promise<void> {
  await trx
    .insertInto('webhook_attempts')
    .values(attempt)
    .onConflict((conflict) => conflict.columns(['delivery_id', 'number']).doUpdateSet(attempt))
    .execute();
}

/** Locks the delivery if the attempt is still its latest and nobody has settled it meanwhile. */
export async function findHeld(trx: Trx, job: Job): Promise<{ schedule_step: number } | undefined> {
  return trx
    .selectFrom('webhook_deliveries')
    .select('schedule_step')
    .where('id', '=', job.id)
    .where('attempts', '=', job.number)
    .where('status', '=', 'pending')
    .forUpdate()
    .executeTakeFirst();
}

/** Unless a later attempt was claimed. That the receiver has it is said even of a delivery given up meanwhile. */
export async function markDelivered(trx: Trx, job: Job, now: Date): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'delivered', settled_at: now })
    .where('id', '=', job.id)
    .where('attempts', '=', job.number)
    .execute();
}

/** For a delivery that `findHeld` has locked. */
export async function giveUp(trx: Trx, job: Job, now: Date): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', settled_at: now })
    .where('id', '=', job.id)
    .execute();
}

/** For a delivery that `findHeld` has locked. */
export async function reschedule(trx: Trx, job: Job, next: { step: number; at: Date }): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ schedule_step: next.step, next_attempt_at: next.at })
    .where('id', '=', job.id)
    .execute();
}

/** What an endpoint still had to get, when it is deleted. */
export async function giveUpAll(trx: Trx, endpoint_id: string, now: Date): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', settled_at: now })
    .where('endpoint_id', '=', endpoint_id)
    .where('status', '=', 'pending')
    .execute();
}

/**
 * Starts the schedule again, now. An attempt that is under way is left to finish, or the receiver would get it twice at
 * once; if it fails, the schedule starts from its first step. For a delivery that `lockDelivery` has locked.
 */
export async function restart(trx: Trx, id: string, now: Date): Promise<void> {
  await sql`
    update webhook_deliveries
       set status = 'pending', settled_at = null, schedule_step = 0,
           next_attempt_at = case when status = 'pending' and attempts > 0 and not exists (
               select from webhook_attempts where delivery_id = webhook_deliveries.id
                  and number = webhook_deliveries.attempts) then next_attempt_at else ${now} end
     where id = ${id}
  `.execute(trx);
}

/** For a process that knows that it is alone: attempts that were claimed and not recorded are made again now. */
export async function endLeases(db: Db, now: Date): Promise<void> {
  await sql`
    update webhook_deliveries set next_attempt_at = ${now}
     where status = 'pending' and attempts > 0 and next_attempt_at > ${now}
       and not exists (select from webhook_attempts
                        where delivery_id = webhook_deliveries.id and number = webhook_deliveries.attempts)
  `.execute(db);
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
