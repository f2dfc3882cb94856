/** What a customer calls a payment in books of its own. One rule for withdrawals, refunds and rows of payouts. Pure. */

export const MOST_REFERENCE_CHARS = 100;

/** Tells the form of a reference, for the API reference. */
export const REFERENCE_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/**
 * Returns what is wrong with a reference, as the end of a sentence that begins with the field; null: nothing. An emoji is one
 * character, as in the schema of the API and in PostgreSQL, though it has two units of UTF-16.
 */
export function faultOfReference(text: string): string | null {
  const is_short = text.length <= 2 * MOST_REFERENCE_CHARS && [...text].length <= MOST_REFERENCE_CHARS;
  if (!is_short) return `must have at most ${MOST_REFERENCE_CHARS} characters`;
  return /\p{Cc}/u.test(text) ? 'must not have control characters, for example tabs and line ends' : null;
}
