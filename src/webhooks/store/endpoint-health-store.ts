/** Writes the health of endpoints, and disables those that fail for too long. */
import { sql } from 'kysely';
import type { Trx } from '../../db/database.ts';
import { type Endpoint, endpointColumns } from './endpoint-store.ts';

/** The health of endpoints, as their attempts show it. An endpoint with a success and a failure is healthy. */
export type Health = {
  healthy: string[];
  failing: string[];
  now: Date;
  /** An endpoint that has only failed since before this time is disabled. */
  disable_if_since: Date;
  /** When the latest failure was before this time, nothing was sent for a while: the failing time starts again. */
  forget_if_before: Date;
  /** A failing endpoint is written only if its last note is older than this: it can have many failures. */
  note_if_before: Date;
};

/**
 * Returns the statement that writes the health of endpoints where it changes. It returns the `id` of each changed endpoint, and
 * whether it `must_be_disabled` (disableEndpoint). delivery-store.ts runs it as a part of recordOutcomes.
 */
export function noteHealth(health: Health) {
  const { healthy, failing, now, disable_if_since, forget_if_before, note_if_before } = health;
  return sql<{ id: string; must_be_disabled: boolean }>`
    update webhook_endpoints
       set failing_since = case when failing_now.id is null then null
                                when failing_since is not null and last_failed_at >= ${forget_if_before} then failing_since
                                else ${now} end,
           last_failed_at = case when failing_now.id is null then last_failed_at else ${now} end
      from (select id, coalesce(enabled and failing_since <= ${disable_if_since} and last_failed_at >= ${forget_if_before}, false)
                         as fails_too_long
              from webhook_endpoints
             where id = any(${healthy}::text[]) and failing_since is not null
                or id = any(${failing}::text[]) and enabled
                   and (failing_since is null or failing_since <= ${disable_if_since}
                        or last_failed_at is null or last_failed_at < ${note_if_before})
             order by id for no key update) as changed
      left join unnest(${failing}::text[]) as failing_now (id) on failing_now.id = changed.id
     where webhook_endpoints.id = changed.id
    returning webhook_endpoints.id, failing_now.id is not null and changed.fails_too_long as must_be_disabled`;
}

/**
 * Disables the endpoint if it is enabled and has only failed since before `if_since`; undefined otherwise. Locks all
 * endpoints of its wallet first, in the order of their ids: the event of the disabling locks the others.
 */
export async function disableFailing(
  trx: Trx,
  id: string,
  { if_since, reason }: { if_since: Date; reason: string },
): Promise<Endpoint | undefined> {
  const wallet = trx.selectFrom('webhook_endpoints').select('wallet_id').where('id', '=', id);
  await trx
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('wallet_id', '=', wallet)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return trx
    .updateTable('webhook_endpoints')
    .set({ enabled: false, disabled_reason: reason })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('enabled', '=', true)
    .where('failing_since', '<=', if_since)
    .returning(endpointColumns)
    .executeTakeFirst();
}
