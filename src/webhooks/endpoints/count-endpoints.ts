/** Counts for the overview of a wallet and for the metrics. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** `disabled`: only endpoints that the service disabled after days of failures, not those that their owner disabled. */
export type EndpointCounts = { total: number; failing: number; disabled: number };

export async function countEndpoints(db: Db, wallet_id: string): Promise<EndpointCounts> {
  return db
    .selectFrom('webhook_endpoints')
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (where enabled and failing_since is not null))::int`.as('failing'),
      sql<number>`(count(*) filter (where not enabled and disabled_reason is not null))::int`.as('disabled'),
    ])
    .where('wallet_id', '=', wallet_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
}

/**
 * Counts the endpoints of all wallets that get nothing: disabled by the service after days of failures, disabled by their owners, and
 * enabled ones that have only failed since before `failing_since`.
 */
export async function countUnreached(
  db: Db,
  failing_since: Date,
): Promise<{ by_failures: number; by_owner: number; failing: number }> {
  const isFailing = sql`enabled and failing_since <= ${failing_since}`;
  return db
    .selectFrom('webhook_endpoints')
    .select([
      sql<number>`(count(*) filter (where not enabled and disabled_reason is not null))::int`.as(
        'by_failures',
      ),
      sql<number>`(count(*) filter (where not enabled and disabled_reason is null))::int`.as('by_owner'),
      sql<number>`(count(*) filter (where ${isFailing}))::int`.as('failing'),
    ])
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('enabled', '=', false), eb('failing_since', 'is not', null)]))
    .executeTakeFirstOrThrow();
}
