import { invalidParams } from './errors.ts';

/**
 * The place of an event in history, and the cursor of getEvents. Transactions count from 1, the other numbers from
 * 0.
 */
export type EventId = { ledger: number; transaction: number; operation: number; event: number };

/** The largest numbers that fit into a TOID. Events after all transactions have them. */
export const LAST_TRANSACTION = 0xfffff;
export const LAST_OPERATION = 0xfff;
const LAST_EVENT = 0xffffffff;

/** `%019d-%010d`: TOID and number of the event. The order of the texts is the order of the events. */
export function formatEventId({ ledger, transaction, operation, event }: EventId): string {
  const toid = (BigInt(ledger) << 32n) | (BigInt(transaction) << 12n) | BigInt(operation);
  return `${toid.toString().padStart(19, '0')}-${event.toString().padStart(10, '0')}`;
}

/** The cursor after the last event of the ledger. */
export function endOfLedger(ledger: number): EventId {
  return { ledger, transaction: LAST_TRANSACTION, operation: LAST_OPERATION, event: LAST_EVENT };
}

/** @throws RpcError -32602 when the text is not an event id */
export function parseEventId(text: string): EventId {
  const [toidText, eventText] = /^(\d{1,19})-(\d{1,10})$/.exec(text)?.slice(1) ?? [];
  const toid = BigInt(toidText ?? -1);
  const event = Number(eventText);
  if (toid < 0n || toid >= 1n << 63n || event > LAST_EVENT) {
    throw invalidParams(`invalid parameters: invalid event id ${text}`);
  }
  const ledger = Number(toid >> 32n);
  return { ledger, transaction: Number((toid >> 12n) & 0xfffffn), operation: Number(toid & 0xfffn), event };
}
