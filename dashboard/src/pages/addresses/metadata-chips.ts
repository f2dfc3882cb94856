/** Pure: metadata of an address in a few words. */
import { stringifyExact } from '../../api/exact-json.ts';

const MOST_CHIPS = 3;
const LONGEST_VALUE = 24;

/** Returns the first keys, each with its value if that is short, and how many keys are left out. */
export function metadataChips(metadata: Record<string, unknown>): { chips: string[]; more: number } {
  const entries = Object.entries(metadata);
  const chips = entries.slice(0, MOST_CHIPS).map(([key, value]) => {
    const words = shortValue(value);
    return words === null ? key : `${key}: ${words}`;
  });
  return { chips, more: entries.length - chips.length };
}

/** Returns null for what has no short text: null, an empty text, an object, a list, a long text. */
function shortValue(value: unknown): string | null {
  const words = typeof value === 'string' ? value : stringifyExact(value);
  const isShort = words !== '' && words !== 'null' && !/^[{[]/.test(words) && words.length <= LONGEST_VALUE;
  return isShort ? words : null;
}
