/** Bodies of events. */
import { EVENTS, type EventData } from '../contract.ts';
import { parseExact } from '../exact-json.ts';

/** What an event tells. Its name is any text, because a later version of the service may send others. */
export type EventBody = { event: string; data: Record<string, unknown> };

/** An event of this version: `event` narrows `data`. */
export type KnownEvent = {
  [Name in keyof EventData]: { event: Name; data: EventData[Name] };
}[keyof EventData];

/**
 * The same body with its type, so that the compiler can name an event that a `switch` forgets. Null for an event of a later
 * version: acknowledge and ignore it.
 */
export function knownEvent(body: EventBody): KnownEvent | null {
  return EVENTS.has(body.event) ? (body as KnownEvent) : null;
}

/**
 * Narrows the type of a body by its name: `if (isEvent(body, 'deposit.created')) body.data.amount_stroops …`.
 */
export function isEvent<Given extends EventBody, Name extends keyof EventData>(
  body: Given,
  name: Name,
): body is Given & { event: Name; data: EventData[Name] } {
  return body.event === name;
}

/** @throws SyntaxError for text that is not the body of an event. */
export function parseEvent(text: string): EventBody {
  const body = parseExact(text) as Partial<EventBody> | null;
  const { event, data } = body ?? {};
  if (typeof event !== 'string' || typeof data !== 'object' || data === null || Array.isArray(data))
    throw new SyntaxError('is not the body of an event');
  return body as EventBody;
}
