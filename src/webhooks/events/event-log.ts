/** What is read of events in the order of their numbers; delivery-store.ts writes them. */
import type { Db } from '../../db/database.ts';

/** Whose numbers count: the wallet's events, or the deliveries of one of its endpoints. */
export type Sequence = { wallet_id: string; endpoint_id: string | null };

export type NumberedEvent = { id: string; type: string; sequence: bigint; body: Buffer; created_at: Date };

/**
 * The next ones after number `after`. None is ever skipped: a number is given out under a lock that is held to the
 * commit, so whoever sees number n sees all below it.
 */
export async function readEvents(
  db: Db,
  { wallet_id, endpoint_id }: Sequence,
  page: { after: bigint; limit: number },
): Promise<NumberedEvent[]> {
  if (endpoint_id === null) {
    return db
      .selectFrom('webhook_events')
      .select(['id', 'type', 'sequence', 'body', 'created_at'])
      .where('wallet_id', '=', wallet_id)
      .where('sequence', '>', page.after)
      .orderBy('sequence')
      .limit(page.limit)
      .execute();
  }
  return db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .select(['event.id', 'event.type', 'delivery.sequence', 'event.body', 'event.created_at'])
    .where('delivery.endpoint_id', '=', endpoint_id)
    .where('delivery.sequence', '>', page.after)
    .orderBy('delivery.sequence')
    .limit(page.limit)
    .execute();
}

/** The last number of each wallet or endpoint; one without a number yet is left out. */
export async function lastSequences(db: Db, owner_ids: string[]): Promise<Map<string, bigint>> {
  const rows = await db
    .selectFrom('webhook_sequences')
    .select(['owner_id', 'last'])
    .where((eb) => eb('owner_id', '=', eb.fn.any(eb.val(owner_ids))))
    .execute();
  return new Map(rows.map(({ owner_id, last }) => [owner_id, last]));
}
