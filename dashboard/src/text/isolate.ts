/** Characters that turn the direction of what follows, up to their end or the paragraph's (UAX #9, 2). */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Pure: a label, a name or a memo within a sentence. Whoever wrote it cannot turn what stands around it: a memo id that
 * is shown backwards is another memo id.
 */
export function isolated(text: string): string {
  return `\u2068${text.replace(TURNING, '\ufffd')}\u2069`;
}
