/** The only writer of webhook_events and webhook_sequences. */
import { strict as assert } from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';

export type NewEvent = {
  id: string;
  wallet_id: string;
  /** Counts the wallet's events, from 1 without a gap. */
  sequence: bigint;
  type: string;
  /** The deposit that the event reports. */
  deposit_id: string | null;
  body: Buffer;
  traceparent: string | null;
  created_at: Date;
};

/** Selects a numbering: of the wallet's events, or of the deliveries to one of its endpoints. */
export type Sequence = { wallet_id: string; endpoint_id: string | null };

export type NumberedEvent = { id: string; type: string; sequence: bigint; body: Buffer; created_at: Date };

/**
 * Takes the next numbers of wallets (for events) and of endpoints (for deliveries): one for each time that an id is in
 * `wanted`. The returned function gives them in order.
 *
 * Locks these ids until `trx` ends, in the order of the ids. A transaction must call this once, with all ids that it
 * needs: otherwise two transactions could wait for each other.
 */
export async function nextSequences(trx: Trx, wanted: string[]): Promise<(id: string) => bigint> {
  const counts = [...Map.groupBy(wanted, (id) => id)];
  const { rows } = await sql<{ owner_id: string; last: bigint }>`
    insert into webhook_sequences (owner_id, last)
    select id, count from unnest(
      ${counts.map(([id]) => id)}::text[], ${counts.map(([, same]) => same.length)}::bigint[]) as wanted (id, count)
     order by id
    on conflict (owner_id) do update set last = webhook_sequences.last + excluded.last
    returning owner_id, last
  `.execute(trx);
  const next = new Map(counts.map(([id, same]) => [id, 1n - BigInt(same.length)]));
  for (const { owner_id, last } of rows) next.set(owner_id, last + (next.get(owner_id) ?? 0n));
  return (id) => {
    const sequence = next.get(id);
    assert(sequence !== undefined);
    next.set(id, sequence + 1n);
    return sequence;
  };
}

/** Returns the ids of those of these events that are recorded already. */
export async function knownEvents(trx: Trx, ids: string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('webhook_events')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Returns the statement that inserts events. Arrays instead of rows: a statement takes at most 65,535 parameters. */
export function insertEvents(events: NewEvent[]): RawBuilder<unknown> {
  return sql`
    insert into webhook_events (id, wallet_id, sequence, type, deposit_id, body, traceparent, created_at)
    select * from unnest(
      ${events.map((event) => event.id)}::text[], ${events.map((event) => event.wallet_id)}::text[],
      ${events.map((event) => event.sequence)}::bigint[], ${events.map((event) => event.type)}::text[],
      ${events.map((event) => event.deposit_id)}::text[], ${events.map((event) => event.body)}::bytea[],
      ${events.map((event) => event.traceparent)}::text[],
      ${events.map((event) => event.created_at)}::timestamptz[])`;
}

/**
 * Reads the next events after number `after`, oldest first. No event is ever skipped: a number is taken under a lock that is
 * kept until the commit, so a reader who sees number n sees all numbers below n.
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

/** Reads the last number of each wallet or endpoint; those without a number yet are left out. */
export async function lastSequences(db: Db, owner_ids: string[]): Promise<Map<string, bigint>> {
  const rows = await db
    .selectFrom('webhook_sequences')
    .select(['owner_id', 'last'])
    .where((eb) => eb('owner_id', '=', eb.fn.any(eb.val(owner_ids))))
    .execute();
  return new Map(rows.map(({ owner_id, last }) => [owner_id, last]));
}
