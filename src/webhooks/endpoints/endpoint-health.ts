/** Read only: store.ts writes webhook_endpoints. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** `disabled`: those that the service disabled, because they had failed for days; their owner may disable one too. */
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
