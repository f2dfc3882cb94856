/** How an endpoint has answered lately. It reads the log of attempts, so that no attempt has more to write. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { newestFirst } from '../../db/newest-first.ts';
import { firstId } from '../../lib/ids.ts';
import { SHOWN_ATTEMPTS } from './read-deliveries.ts';

/** Deliveries that are read: an endpoint may have millions a day. */
const READ_AT_MOST = 2_000;

export type EndpointStatistics = {
  deliveries: number;
  /** Attempts with a recorded outcome, of these deliveries. */
  attempts: number;
  acknowledged: number;
  /** The time within which 95 of 100 responses came; null without a response. */
  p95_ms: number | null;
};

/** Reads the statistics of the deliveries that were made at `since` or later, or of the newest of them. */
export async function readStatistics(db: Db, endpoint_id: string, since: Date): Promise<EndpointStatistics> {
  const { where, order } = newestFirst('delivery', { endpoint_id }, undefined, firstId('dlv', since));
  const { rows } = await sql<EndpointStatistics>`
    with recent as materialized (
      select delivery.id from webhook_deliveries as delivery where ${where} order by ${order} limit ${READ_AT_MOST}
    ),
    recorded as (
      select attempt.* from recent cross join lateral (
        select status_code, duration_ms from webhook_attempts
         where delivery_id = recent.id and request_headers is not null
         order by number desc limit ${SHOWN_ATTEMPTS}) as attempt
    )
    select (select count(*) from recent)::int as deliveries, count(*)::int as attempts,
           count(*) filter (where status_code between 200 and 299)::int as acknowledged,
           percentile_disc(0.95) within group (order by duration_ms) filter (where status_code is not null) as p95_ms
      from recorded`.execute(db);
  return rows[0] as EndpointStatistics;
}
