/** What a search over the wallets of a team finds of endpoints and deliveries (db/search-wallets.ts). */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { anyOf, begins, contains, idsByAnyOf, possible } from '../../db/search.ts';
import { SEARCHED, selectFound } from '../../db/search-wallets.ts';
import { type EventSubject, subjectOf } from './event-subject.ts';

const DELIVERY = /^dlv_/i;
const EVENT = /^evt_/i;

/** Returns the selects for a text. */
export function searchesOfWebhooks(text: string): RawBuilder<unknown>[] {
  const searches = [endpoints(text)];
  if (DELIVERY.test(text) || EVENT.test(text)) searches.push(deliveries(text.toLowerCase()));
  return searches;
}

/** Finds endpoints by the beginning of their id, or a part of their URL or description. A wallet has few endpoints. */
function endpoints(text: string): RawBuilder<unknown> {
  const ways = possible([
    begins('endpoint.id', text.toLowerCase(), /^whe/i.test(text)),
    contains('endpoint.url', text),
    contains('endpoint.description', text),
  ]);
  return selectFound(
    'webhook',
    {
      id: sql`endpoint.id`,
      wallet_id: sql`endpoint.wallet_id`,
      name: sql`endpoint.url`,
      created_at: sql`endpoint.created_at`,
    },
    sql`searched cross join lateral (
          select id, wallet_id, url, description, created_at from webhook_endpoints
           where wallet_id = ${SEARCHED.id} and deleted_at is null offset 0) as endpoint
         where ${anyOf(ways)}`,
  );
}

/** Finds deliveries by their whole id or that of their event: both have an index. A deleted endpoint has no page. */
function deliveries(id: string): RawBuilder<unknown> {
  const ids = idsByAnyOf(
    [sql`id = ${id}`, sql`event_id = ${id}`],
    (way) => sql`select id from webhook_deliveries where ${way}`,
  );
  return selectFound(
    'delivery',
    {
      id: sql`delivery.id`,
      wallet_id: sql`event.wallet_id`,
      webhook_id: sql`delivery.endpoint_id`,
      name: sql`event.type`,
      created_at: sql`delivery.created_at`,
    },
    sql`webhook_deliveries as delivery
          join webhook_events as event on event.id = delivery.event_id
          join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id and endpoint.deleted_at is null
          join searched on searched.id = event.wallet_id
         where delivery.id = any(array(${ids}))`,
  );
}

/**
 * Returns what the event with this id tells of, if a wallet that the member may use has the event; otherwise null.
 * `wallet_ids`: null for every wallet of the team.
 */
export async function subjectOfEvent(
  db: Db,
  { team_id, wallet_ids }: { team_id: string; wallet_ids: string[] | null },
  text: string,
): Promise<EventSubject | null> {
  if (!EVENT.test(text)) return null;
  const event = await db
    .selectFrom('webhook_events')
    .innerJoin('wallet_owners', 'wallet_owners.id', 'wallet_id')
    .select(['type', 'body', 'wallet_id'])
    .where('webhook_events.id', '=', text.toLowerCase())
    .where('owner_id', '=', team_id)
    .executeTakeFirst();
  if (!event || wallet_ids?.includes(event.wallet_id) === false) return null;
  return subjectOf(event.type, event.body);
}
