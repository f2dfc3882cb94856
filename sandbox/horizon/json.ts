/** Escapes as encoding/json of Go does, so that answers equal Horizon's byte for byte. */
const ESCAPES: Record<string, string> = {
  '&': '\\u0026',
  '<': '\\u003c',
  '>': '\\u003e',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** @param indent spaces for each level. Horizon indents answers by 2 and streamed events by 0. */
export function goJson(value: unknown, indent: 0 | 2): string {
  return JSON.stringify(value, null, indent).replace(
    /[&<>\u2028\u2029]/g,
    (found) => ESCAPES[found] ?? found,
  );
}
