/** What a caller would like of the response, by its Prefer header (RFC 7240). */

/** `wait_seconds`: null when the caller names no time. */
export type Preferences = { respond_async: boolean; wait_seconds: number | null };

/**
 * Reads a Prefer header. `header`: its value, the values of several lines joined by commas. What is not understood is ignored, as
 * section 2 says.
 */
export function readPreferences(header: string | undefined): Preferences {
  const preferences = parsePrefer(header ?? '');
  const wait = preferences.get('wait') ?? '';
  return {
    respond_async: preferences.get('respond-async') === '',
    wait_seconds: DELTA_SECONDS.test(wait) ? Number(wait) : null,
  };
}

/** More digits are more seconds than anybody waits. */
const DELTA_SECONDS = /^[0-9]{1,9}$/;
/** token, or token = word; a word is a token or a quoted string (RFC 9110, 5.6). */
const PREFERENCE =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:[ \t]*=[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[^"\\]|\\.)*"))?$/;

/**
 * Returns the value of each preference by its name in lower case; '' without a value, which means the same as an empty one. The
 * first of doubled ones counts. Parameters are left out: none is defined.
 */
export function parsePrefer(header: string): Map<string, string> {
  const preferences = new Map<string, string>();
  for (const part of splitUnquoted(header, ',')) {
    const [preference = ''] = splitUnquoted(part, ';');
    const [, name, word = ''] = PREFERENCE.exec(preference.trim()) ?? [];
    const key = name?.toLowerCase();
    if (key === undefined || preferences.has(key)) continue;
    preferences.set(key, word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word);
  }
  return preferences;
}

/** Splits a text at the separators that are in no quoted string. */
function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (quoted && character === '\\') at++;
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
