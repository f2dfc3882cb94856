/** Bodies of events. */
import type { EventData } from '../contract.ts';
import { parseExact } from '../exact-json.ts';

/** An event that this version knows. `switch (event)` narrows `data`. */
export type KnownEvent = {
  [Name in keyof EventData]: { event: Name; data: EventData[Name] };
}[keyof EventData];

declare const unknown_event: unique symbol;

/** An event of a later version. Its name is a text that is none of those of KnownEvent. Acknowledge and ignore it. */
export type UnknownEvent = {
  event: string & { readonly [unknown_event]: true };
  data: Record<string, unknown>;
};

/** After a case for each KnownEvent an UnknownEvent is left, so the compiler names an event that was forgotten. */
export type EventBody = KnownEvent | UnknownEvent;

/**
 * Narrows the type of a body by its name: `if (isEvent(body, 'deposit.created')) body.data.amount_stroops …`.
 */
export function isEvent<Given extends EventBody, Name extends keyof EventData>(
  body: Given,
  name: Name,
): body is Extract<Given, { event: Name }> {
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
