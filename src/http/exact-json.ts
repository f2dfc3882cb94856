/**
 * Exact JSON for requests and responses. JSON.parse rounds integers beyond 2^53 and reads 1.0 and 1e7 as integers, but
 * amounts and memo ids are int64 and uint64 and must be exact.
 *
 * - An integer literal becomes a bigint. Any other number (1.0, 1e7, -0) stays a JS number, which no money field accepts.
 * - An object or array below the top level keeps its source text (`RawJson`): responses give metadata back unchanged, with
 *   key order, big integers and spacing. `parseNested` reads such a text by the same rules.
 */

export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get kind(): 'object' | 'array' {
    return this.text.startsWith('{') ? 'object' : 'array';
  }
}

/** The text is not one JSON object of the accepted form. The message is for the caller. */
export class JsonSyntaxError extends Error {}

const MAX_DEPTH = 32;
/** More than the largest body has, that of a payout. Each value takes microseconds, and nothing else runs meanwhile. */
const MAX_VALUES = 100_000;
const INTEGER = /^(?:0|-?[1-9][0-9]*)$/;

export type BodyValue = string | boolean | bigint | number | RawJson;

/**
 * Reads a request body: one JSON object, without its members that are `null`.
 * @throws JsonSyntaxError for malformed JSON, another top-level value, a repeated member, nesting beyond 32 levels, or more than
 * 100,000 values.
 */
export function parseBody(text: string): Record<string, BodyValue> {
  const { depth, commas } = shapeOf(text);
  if (depth > MAX_DEPTH) throw new JsonSyntaxError(`is nested deeper than ${MAX_DEPTH} levels`);
  if (commas >= MAX_VALUES) throw new JsonSyntaxError(`has more than ${MAX_VALUES} values`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new JsonSyntaxError('is not valid JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new JsonSyntaxError('must be a JSON object');
  }
  return readMembers(text, bodyValue);
}

type NestedValue =
  | string
  | boolean
  | bigint
  | number
  | null
  | NestedValue[]
  | { [name: string]: NestedValue };

/**
 * Reads an object or array of a body by the rules of the body: integers are exact, members that are `null` are absent.
 * @throws JsonSyntaxError for a repeated member, and for a string that no database can keep.
 */
export function parseNested({ text }: RawJson): NestedValue {
  return nestedValue(text);
}

function nestedValue(source: string): NestedValue {
  if (source === 'null') return null;
  if (source.startsWith('{')) return readMembers(source, nestedValue);
  if (source.startsWith('[')) return [...elements(source)].map(nestedValue);
  return scalar(source);
}

function readMembers<T>(text: string, read: (source: string) => T): Record<string, T> {
  const members: Record<string, T> = Object.create(null);
  const seen = new Set<string>();
  for (const [name, source] of topLevelMembers(text)) {
    // Two readers of such a body may see two different amounts.
    if (seen.has(name)) throw new JsonSyntaxError(`has the member "${name}" twice`);
    seen.add(name);
    if (source !== 'null') members[name] = read(source);
  }
  return members;
}

function bodyValue(source: string): BodyValue {
  return source.startsWith('{') || source.startsWith('[') ? new RawJson(source) : scalar(source);
}

function scalar(source: string): string | boolean | bigint | number {
  if (INTEGER.test(source)) return BigInt(source);
  const value = JSON.parse(source) as string | boolean | number;
  // PostgreSQL cannot store either; refused here, nothing has been done yet.
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
    throw new JsonSyntaxError('has a string with a NUL or half a surrogate pair');
  }
  return value;
}

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;

// Built in, and not in TypeScript's library yet.
const exactJson = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): unknown;
};

/** A number that JSON.stringify writes as this text. */
export function rawNumber(text: string): unknown {
  return exactJson.rawJSON(text);
}

/** Reads any JSON for a later JSON.stringify, which then writes each number as the text has it. */
export function parseForStringify(text: string): unknown {
  return exactJson.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? rawNumber(source) : value,
  );
}

/** Writes a response body: bigint as digits, RawJson as its text, everything else as JSON.stringify does. */
export function stringify(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => stringify(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null && !hasToJson(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringify(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

function hasToJson(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Deepest nesting of brackets and number of commas outside strings, for any text: extreme ones are refused before they are parsed. */
function shapeOf(text: string): { depth: number; commas: number } {
  let depth = 0;
  let deepest = 0;
  let commas = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') i = endOfString(text, i);
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
    else if (char === '}' || char === ']') depth--;
    else if (char === ',') commas++;
  }
  return { depth: deepest, commas };
}

/** Name and source text of each member of the object in `text`, which must be valid JSON. */
function* topLevelMembers(text: string): Generator<[string, string]> {
  let at = skipSpace(text, text.indexOf('{') + 1);
  while (text[at] !== '}') {
    const nameEnd = endOfString(text, at) + 1;
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const start = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = endOfValue(text, start);
    yield [name, text.slice(start, end)];
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
}

/** Source text of each element of the array in `text`, which must be valid JSON. */
function* elements(text: string): Generator<string> {
  let at = skipSpace(text, text.indexOf('[') + 1);
  while (text[at] !== ']') {
    const end = endOfValue(text, at);
    yield text.slice(at, end);
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start) + 1;
  if (first !== '{' && first !== '[') return start + (/^[^,}\]\s]+/.exec(text.slice(start))?.[0].length ?? 0);
  let depth = 0;
  for (let i = start; ; i++) {
    const char = text[i];
    if (char === '"') i = endOfString(text, i);
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return i + 1;
  }
}

/** Index of the quote that closes the string that begins at `start`; the length of the text when none does. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? 'x')) at++;
  return at;
}
