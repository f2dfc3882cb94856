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

/** Disabled endpoints of all wallets: by the service after days of failures, and by their owners. */
export async function countDisabled(db: Db): Promise<{ by_failures: bigint; by_owner: bigint }> {
  return db
    .selectFrom('webhook_endpoints')
    .select((eb) => [
      eb.fn.count<bigint>('disabled_reason').as('by_failures'),
      eb.fn.countAll<bigint>().filterWhere('disabled_reason', 'is', null).as('by_owner'),
    ])
    .where('enabled', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
}
