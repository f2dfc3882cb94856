/**
 * The door of this slice: other slices record an event here, in the transaction that the event is about.
 *
 * Its locks come last in that transaction: after those of withdrawals, transaction sources, deposits and policies, before the
 * heads of the audit log. They are endpoints, then sequences, each in the order of their ids.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { stringify } from '../../http/exact-json.ts';
import { derivedId, newId } from '../../lib/ids.ts';
import { WEBHOOK_DUE } from '../store/announce.ts';
import { insertDeliveries, type NewDelivery } from '../store/delivery-store.ts';
import { hasChoice, lockEndpointsOf, walletsWithChoice } from '../store/endpoint-store.ts';
import { insertEvents, knownEvents, type NewEvent, nextSequences } from '../store/event-store.ts';
import { ALWAYS_RECORDED, type EventType } from '../store/event-types.ts';

export type { EventType };

export type OutgoingEvent = {
  wallet_id: string;
  type: EventType;
  /** Names the subject alike in every copy of the database, so that a restored copy derives the same event id. */
  about: string;
  /** The deposit that the event tells of, or null. */
  deposit_id: string | null;
  data: object;
  /** Of what the event tells, where that is traced: its deliveries belong to the same trace. */
  traceparent?: string | null;
  now: Date;
  /** An endpoint that does not get it. */
  except?: string;
};

/** Bodies of one statement are one parameter, and each body can hold 16 KiB of metadata. */
const INSERT_EVENTS = 500;

/**
 * Returns the condition on the wallet with this id that one of its endpoints chose one of these types. Ask it of the rows that events
 * would tell of: a wallet without such an endpoint costs nothing else.
 */
export function isToBeTold(wallet_id: RawBuilder<unknown>, types: EventType[]): RawBuilder<boolean> {
  return hasChoice(wallet_id, types);
}

/** Returns those of these wallets that have an endpoint that chose one of these types. */
export async function walletsToTell(db: Db, wallet_ids: string[], types: EventType[]): Promise<Set<string>> {
  if (wallet_ids.length === 0) return new Set();
  return walletsWithChoice(db, [...new Set(wallet_ids)], types);
}

/**
 * Records the events, each with one delivery for every endpoint of its wallet that chose its type. An event that no endpoint
 * chose is not recorded, unless it is a `deposit.created`. Deliveries to a disabled endpoint wait until it is enabled. An
 * event that is recorded already stays as it is. Nothing is sent if `trx` rolls back.
 * The body is written once, here; every attempt sends these bytes.
 *
 * A transaction calls this once at most, with all its events: two calls could take their locks in another order than others.
 */
export async function enqueueEvents(trx: Trx, outgoing: OutgoingEvent[]): Promise<void> {
  if (outgoing.length === 0) return;
  const endpointsOf = await lockChosen(trx, outgoing);
  const told = outgoing.filter((event) => event.type === ALWAYS_RECORDED || endpointsOf(event).length > 0);
  if (told.length === 0) return;
  const fresh = await withoutKnown(trx, told);
  const next = await nextSequences(
    trx,
    fresh.flatMap((event) => [event.wallet_id, ...endpointsOf(event)]),
  );
  const events: NewEvent[] = [];
  const deliveries: NewDelivery[] = [];
  for (const event of fresh) {
    const { id, wallet_id, type, deposit_id, data, traceparent = null, now: created_at } = event;
    const sequence = next(wallet_id);
    const body = bodyOf(type, data);
    events.push({ id, wallet_id, sequence, type, deposit_id, body, traceparent, created_at });
    for (const endpoint_id of endpointsOf(event)) {
      const sequence = next(endpoint_id);
      deliveries.push({ id: newId('dlv', created_at), event_id: id, endpoint_id, sequence, created_at });
    }
  }
  while (events.length > INSERT_EVENTS) await insertEvents(events.splice(0, INSERT_EVENTS)).execute(trx);
  await insertWithDeliveries(trx, events, deliveries);
}

/** Inserts events and deliveries, and tells the deliverers, in one statement. The deliveries may be of events that are there already. */
export async function insertWithDeliveries(
  trx: Trx,
  events: NewEvent[],
  deliveries: NewDelivery[],
): Promise<void> {
  await sql`
    with events as (${insertEvents(events)}), deliveries as (${insertDeliveries(deliveries)})
    select pg_notify(${WEBHOOK_DUE}, '')
  `.execute(trx);
}

type Told = Pick<OutgoingEvent, 'wallet_id' | 'type' | 'except'>;

/** Locks the endpoints. Returns a function that finds the ids of the endpoints that get such an event. */
async function lockChosen(trx: Trx, outgoing: Told[]): Promise<(event: Told) => string[]> {
  const wallet_ids = [...new Set(outgoing.map(({ wallet_id }) => wallet_id))];
  const types = [...new Set(outgoing.map(({ type }) => type))];
  const endpoints = await lockEndpointsOf(trx, wallet_ids, types);
  const byWallet = Map.groupBy(endpoints, ({ wallet_id }) => wallet_id);
  return ({ wallet_id, type, except }) =>
    (byWallet.get(wallet_id) ?? [])
      .filter(({ id, events }) => events.includes(type) && id !== except)
      .map(({ id }) => id);
}

/** Returns the events that are new. Sequence numbers are for new events only: a number without an event would be a gap for ever. */
async function withoutKnown(trx: Trx, outgoing: OutgoingEvent[]) {
  const named = outgoing.map((event) => ({ ...event, id: derivedId('evt', `${event.type} ${event.about}`) }));
  const known = await knownEvents(
    trx,
    named.map(({ id }) => id),
  );
  return named.filter(({ id }) => !known.has(id));
}

/** Returns the bytes of `{"event":…,"data":…}`: bigints as digits, RawJson as it came. */
export function bodyOf(type: string, data: object): Buffer {
  return Buffer.from(stringify({ event: type, data }));
}
