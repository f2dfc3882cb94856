/** How much waits to be delivered, of all endpoints. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

const MOST_COUNTED = 100_000;
/** Each costs one look at the index. */
const MOST_ENDPOINTS = 10_000;

/**
 * Reads the pending deliveries. `deliveries`: pending ones of enabled endpoints, MOST_COUNTED at most. `due_age_seconds`: since the turn of the one that is
 * due longest and that no process has claimed; 0 when there is none.
 */
export async function readPending(
  db: Db,
  now: Date,
): Promise<{ deliveries: number; due_age_seconds: number }> {
  const { rows } = await sql<{ deliveries: number; oldest: Date | null }>`
    with recursive
    pending_endpoint (endpoint_id, seen) as (
      (select endpoint_id, 1 from webhook_deliveries where status = 'pending' order by endpoint_id limit 1)
      union all
      select next.endpoint_id, seen + 1
        from pending_endpoint
       cross join lateral (
         select endpoint_id from webhook_deliveries
          where status = 'pending' and endpoint_id > pending_endpoint.endpoint_id
          order by endpoint_id limit 1) next
       where seen < ${MOST_ENDPOINTS}::int
    ),
    enabled_endpoint as (
      select e.id from pending_endpoint
        join webhook_endpoints e on e.id = pending_endpoint.endpoint_id and e.enabled and e.deleted_at is null
    ),
    counted as (
      select from enabled_endpoint
       cross join lateral (
         select from webhook_deliveries where endpoint_id = enabled_endpoint.id and status = 'pending'
          limit ${MOST_COUNTED}::int) delivery
       limit ${MOST_COUNTED}::int
    ),
    due as (
      select delivery.next_attempt_at from enabled_endpoint
       cross join lateral (
         select next_attempt_at from webhook_deliveries
          where endpoint_id = enabled_endpoint.id and status = 'pending' and next_attempt_at <= ${now}
            and (leased_until is null or leased_until <= ${now})
          order by next_attempt_at limit 1) delivery
    )
    select (select count(*)::int from counted) as deliveries, (select min(next_attempt_at) from due) as oldest
  `.execute(db);
  const [{ deliveries, oldest } = { deliveries: 0, oldest: null }] = rows;
  return { deliveries, due_age_seconds: oldest ? Math.max(0, now.getTime() - oldest.getTime()) / 1000 : 0 };
}
