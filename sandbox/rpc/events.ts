import type { StellarNode } from '../node.ts';
import type { RpcMethod } from './context.ts';
import { ledgerRange } from './context.ts';
import { invalidParams, invalidRequest } from './errors.ts';
import type { EventFilter } from './event-filter.ts';
import { eventFilter } from './event-filter.ts';
import { endOfLedger, formatEventId, parseEventId } from './event-id.ts';
import type { EventInfo } from './ledger-events.ts';
import { eventsOfLedger } from './ledger-events.ts';
import { getEventsParams, parseParams } from './params.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;
/** Ledgers that one request searches at most. An empty page still has a cursor to continue from. */
const SCAN_LEDGERS = 10_000;

export const getEvents: RpcMethod = (params, context) => {
  const { filters, pagination, ...ledgers } = parseParams(getEventsParams, params);
  const start = startOf(ledgers.startLedger || 0, ledgers.endLedger || 0, pagination?.cursor ?? null);
  const limit = pagination?.limit || DEFAULT_LIMIT;
  if (limit > MAX_LIMIT) throw invalidParams(`limit must not exceed ${MAX_LIMIT}`);
  const passes = eventFilter(filters ?? []);

  const { oldest, latest } = context.node.range;
  if (start.ledger < oldest || start.ledger > latest) {
    throw invalidRequest(`startLedger must be within the ledger range: ${oldest} - ${latest}`);
  }
  const end = Math.min(start.ledger + SCAN_LEDGERS, latest + 1, ledgers.endLedger || Infinity);
  const events = scan(context.node, { ...start, end, limit, passes });
  const last = events.length === limit ? events.at(-1) : undefined;
  const cursor = last?.id ?? formatEventId(endOfLedger(end - 1));
  return { events, cursor, ...ledgerRange(context) };
};

/** Where to begin: at a ledger, or after an event. */
function startOf(startLedger: number, endLedger: number, cursor: string | null) {
  if (cursor !== null) {
    if (startLedger !== 0 || endLedger !== 0) {
      throw invalidParams('ledger ranges and cursor cannot both be set');
    }
    const id = parseEventId(cursor);
    return { ledger: id.ledger, after: formatEventId(id) };
  }
  if (startLedger === 0) throw invalidParams('startLedger must be positive');
  return { ledger: startLedger, after: '' };
}

type Scan = { ledger: number; after: string; end: number; limit: number; passes: EventFilter };

/** @param scan `end` is exclusive */
function scan(node: StellarNode, { ledger, after, end, limit, passes }: Scan): EventInfo[] {
  const events: EventInfo[] = [];
  let next = ledger;
  while (next < end && events.length < limit) {
    const transactions = node.nextEvents(next, end - 1);
    const found = eventsOfLedger(transactions).filter((event) => event.id > after && passes(event));
    events.push(...found.slice(0, limit - events.length));
    next = (transactions[0]?.ledger ?? end) + 1;
  }
  return events;
}
