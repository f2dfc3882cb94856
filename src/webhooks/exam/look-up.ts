/**
 * The look-up: `GET URL?handled=evt_…` asks a receiver what it has done with an event of the exam. A receiver may offer it;
 * docs/webhooks.md says how. It shows what no status shows: work that is done twice, or before the signature is checked.
 */
import { parseForStringify } from '../../http/exact-json.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Poster } from '../../outgoing/post.ts';

/** How often the receiver has handled the event and credited somebody for it, and the amount that it has read. */
export type Handled = { handled: number; credited: number | null; amount_stroops: string | null };

/** An event that the receiver may have handled. `expected`: it must have, so a receiver with a queue gets time for it. */
export type Asked = { event_id: string; expected: boolean };

/** A queue gets this much time for the whole exam. */
const PAUSE_MS = 250;
const MAX_PAUSES = 4;

/**
 * Asks about the events, the first one first, until `isOver`. Returns what the receiver says by the id of the event: nothing
 * when it has no answer about the first one. Null when the poster is closed before the end.
 */
export async function lookUp(
  { clock, poster }: { clock: Clock; poster: Poster },
  url: string,
  asked: Asked[],
  isOver: () => boolean,
): Promise<Map<string, Handled> | null> {
  const found = new Map<string, Handled>();
  let pauses = 0;
  for (const { event_id, expected } of asked) {
    let said = isOver() ? 'no answer' : await ask(poster, url, event_id);
    while (expected && isMissing(said) && pauses < MAX_PAUSES && !isOver()) {
      pauses++;
      await clock.sleep(PAUSE_MS);
      said = await ask(poster, url, event_id);
    }
    if (said === 'abandoned') return null;
    if (said !== 'no answer') found.set(event_id, said);
    if (found.size === 0) return found;
  }
  return found;
}

type Said = Handled | 'no answer' | 'abandoned';

const isMissing = (said: Said) => typeof said === 'object' && said.handled === 0;

async function ask(poster: Poster, url: string, event_id: string): Promise<Said> {
  const result = await poster.get(lookUpUrl(url, event_id));
  if ('abandoned' in result) return 'abandoned';
  const is_answer = 'status_code' in result && result.status_code === 200;
  return (is_answer && readHandled(result.response_body)) || 'no answer';
}

function lookUpUrl(url: string, event_id: string): string {
  const made = new URL(url);
  made.searchParams.set('handled', event_id);
  return made.href;
}

/** Reads what a receiver says of an event; null when the text is no such answer. */
export function readHandled(text: string | null): Handled | null {
  const said = objectIn(text ?? '');
  const handled = countIn(said.handled);
  if (handled === null) return null;
  return { handled, credited: countIn(said.credited), amount_stroops: textIn(said.amount_stroops) };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return { ...Object(parseForStringify(text)) };
  } catch {
    return {}; // whatever answers at this URL, it is no look-up
  }
}

function countIn(value: unknown): number | null {
  const count = Number(textIn(value) ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** Returns a number or a text as it was written, and null for what is neither. */
function textIn(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
