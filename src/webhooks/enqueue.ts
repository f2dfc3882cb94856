/** The door of this slice: other slices record an event here, in the transaction that the event is about. */
import type { Trx } from '../db/database.ts';
import { stringify } from '../http/exact-json.ts';
import { derivedId, newId } from '../lib/ids.ts';
import { announceDue } from './delivery/announce.ts';
import { insertDeliveries, type NewDelivery } from './delivery/delivery-store.ts';
import { lockEndpointsOf } from './endpoints/endpoint-store.ts';
import { insertEvents, knownEvents, type NewEvent, nextSequences } from './events/event-store.ts';

export type OutgoingEvent = {
  wallet_id: string;
  type: 'deposit.created';
  /** Names the subject alike in every copy of the database, so that a restored copy derives the same event id. */
  about: string;
  deposit_id: string;
  data: object;
  now: Date;
};

/** Bodies of one statement are one parameter, and each body can hold 16 KiB of metadata. */
const INSERT_EVENTS = 500;

/**
 * Records the events, each with one delivery for every endpoint of its wallet. Deliveries to a disabled endpoint wait
 * until it is enabled. An event that is recorded already stays as it is. Nothing is sent if `trx` rolls back.
 * The body is written once, here; every attempt sends these bytes.
 */
export async function enqueueEvents(trx: Trx, outgoing: OutgoingEvent[]): Promise<void> {
  if (outgoing.length === 0) return;
  const endpoints = await lockEndpointsOf(trx, [...new Set(outgoing.map(({ wallet_id }) => wallet_id))]);
  const byWallet = Map.groupBy(endpoints, ({ wallet_id }) => wallet_id);
  const endpointsOf = (wallet_id: string) => (byWallet.get(wallet_id) ?? []).map(({ id }) => id);
  const fresh = await withoutKnown(trx, outgoing);
  const next = await nextSequences(
    trx,
    fresh.flatMap(({ wallet_id }) => [wallet_id, ...endpointsOf(wallet_id)]),
  );
  const events: NewEvent[] = [];
  const deliveries: NewDelivery[] = [];
  for (const { id, wallet_id, type, deposit_id, data, now: created_at } of fresh) {
    const sequence = next(wallet_id);
    const body = bodyOf(type, data);
    events.push({ id, wallet_id, sequence, type, deposit_id, body, created_at });
    for (const endpoint_id of endpointsOf(wallet_id)) {
      const sequence = next(endpoint_id);
      deliveries.push({ id: newId('dlv', created_at), event_id: id, endpoint_id, sequence, created_at });
    }
  }
  for (let start = 0; start < events.length; start += INSERT_EVENTS)
    await insertEvents(trx, events.slice(start, start + INSERT_EVENTS));
  await insertDeliveries(trx, deliveries);
  await announceDue(trx);
}

/** Sequence numbers are for new events only: a number without an event would be a gap for ever. */
async function withoutKnown(trx: Trx, outgoing: OutgoingEvent[]) {
  const named = outgoing.map((event) => ({ ...event, id: derivedId('evt', `${event.type} ${event.about}`) }));
  const known = await knownEvents(
    trx,
    named.map(({ id }) => id),
  );
  return named.filter(({ id }) => !known.has(id));
}

/** The bytes of `{"event":…,"data":…}`: bigints as digits, RawJson as it came. */
export function bodyOf(type: string, data: object): Buffer {
  return Buffer.from(stringify({ event: type, data }));
}
