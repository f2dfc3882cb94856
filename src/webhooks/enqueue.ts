/** The door of this slice: events that happen elsewhere enter the outbox here, in the transaction that makes them so. */
import type { Trx } from '../db/database.ts';
import { stringify } from '../http/exact-json.ts';
import { derivedId, newId } from '../lib/ids.ts';
import {
  announceDue,
  insertEvents,
  knownEvents,
  type NewDelivery,
  type NewEvent,
  nextSequences,
} from './delivery/delivery-store.ts';
import { holdEndpointsOf } from './endpoints/endpoint-store.ts';

export type OutgoingEvent = {
  wallet_id: string;
  type: 'deposit.created';
  /** What it is about, as every database names it: an older copy that learns of it again makes the same event of it. */
  about: string;
  deposit_id: string;
  data: object;
  now: Date;
};

/** Bodies of one statement go as one parameter, and 16 KiB of metadata each add up. */
const INSERT_EVENTS = 500;

/**
 * Records the events, each with one delivery per endpoint of its wallet, disabled ones too: theirs wait until they are
 * enabled again. The body is written here, once, and every attempt sends these bytes. Nothing is sent if `trx` rolls
 * back. An event that is there already stays as it is.
 */
export async function enqueueEvents(trx: Trx, outgoing: OutgoingEvent[]): Promise<void> {
  if (outgoing.length === 0) return;
  const endpoints = await holdEndpointsOf(trx, [...new Set(outgoing.map(({ wallet_id }) => wallet_id))]);
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
  for (let start = 0; start < events.length; start += INSERT_EVENTS) {
    const some = events.slice(start, start + INSERT_EVENTS);
    const ids = new Set(some.map(({ id }) => id));
    await insertEvents(
      trx,
      some,
      deliveries.filter(({ event_id }) => ids.has(event_id)),
    );
  }
  await announceDue(trx);
}

/** A number that is given to an event which is not recorded would be a gap for ever. */
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
