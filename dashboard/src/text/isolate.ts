/** Explicit directional formatting characters (UAX #9, section 2). */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Pure: isolates foreign text (a label, a name, a memo) within a sentence. Otherwise its author could reverse the
 * text around it: a memo id shown backwards is another memo id.
 */
export function isolated(text: string): string {
  return `\u2068${text.replace(TURNING, '\ufffd')}\u2069`;
}
