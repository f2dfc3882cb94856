/**
 * What is done to many deliveries of the past, a batch at a time: however many there are, no statement runs long and
 * none holds what a deliverer waits for. Writes webhook_deliveries and webhook_attempts beside delivery-store.ts.
 */
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';

/**
 * Locks the next deliveries of an endpoint from `from` on and before `until`, in their order: delivered ones only when
 * `include_delivered`. Whoever is recording an attempt of one is waited for: only a statement after this one sees it.
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
 * For deliveries of the endpoint that are being sent as it was: if that fails, their schedule starts from its first step.
 * Whoever is recording one is waited for, in the order in which outcomes are recorded.
 */
export async function hastenUnderWay(db: Db, endpoint_id: string, now: Date): Promise<void> {
  await sql`
    update webhook_deliveries set schedule_step = 0
     where id in (select id from webhook_deliveries
                   where endpoint_id = ${endpoint_id} and status = 'pending' and leased_until > ${now} and schedule_step > 0
                   order by id for no key update)
  `.execute(db);
}

/**
 * Starts the schedule again for the deliveries of the endpoint that have failed: those that wait for a later step, and
 * those whose turn has come meanwhile, which would else be given up, or wait for a day, after one more failure. `limit`
 * at a time, by their turns: a statement goes on where the one before has ended. Those that are being recorded are left
 * alone; what is claimed is sent no sooner by it.
 */
export async function hasten(db: Db, endpoint_id: string, now: Date, limit: number): Promise<void> {
  let from = new Date(0);
  for (;;) {
    const { rows } = await sql<{ turn: Date }>`
      with failed as (
        select id, next_attempt_at as turn from webhook_deliveries
         where endpoint_id = ${endpoint_id} and status = 'pending' and next_attempt_at >= ${from}
           and (schedule_step > 0 or next_attempt_at > ${now})
         order by next_attempt_at limit ${limit} for update skip locked
      )
      update webhook_deliveries hastened
         set schedule_step = 0, next_attempt_at = least(hastened.created_at, ${now})
        from failed where hastened.id = failed.id
      returning failed.turn
    `.execute(db);
    if (rows.length < limit) return;
    from = new Date(Math.max(...rows.map(({ turn }) => turn.getTime())));
  }
}

/**
 * Gives up deliveries that deleted endpoints still had to get; gives how many. Those that are being recorded or given up
 * by somebody else are left to a later call.
 */
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
 * Takes the logged attempts of deliveries that were acknowledged before `settled_before`, the oldest first; gives of how
 * many deliveries. What is pending or given up keeps its log for ever.
 */
export async function pruneAttempts(db: Db, settled_before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    with old as (
      select id from webhook_deliveries
       where status = 'delivered' and not log_pruned and settled_at < ${settled_before}
       order by settled_at limit ${limit} for update skip locked
    ),
    gone as (
      delete from webhook_attempts using old where delivery_id = old.id
    )
    update webhook_deliveries pruned set log_pruned = true
      from old where pruned.id = old.id
    returning pruned.id
  `.execute(db);
  return rows.length;
}
