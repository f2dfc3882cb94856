/**
 * JSON without loss. JSON.parse rounds integers beyond 2^53, and no parser keeps the spelling of `metadata`.
 *
 * - Members that EXACT_NAME matches are bigint, whatever their size: a field must not change its type when an amount grows.
 * - Any other integer beyond 2^53 is a bigint too, also in `metadata`. All other numbers are numbers.
 * - An object with `metadata` also gets `metadata_text`: the source text, with the order and spelling of its sender.
 */

import { EXACT_NAME } from './exact-name.ts';

const INTEGER = /^-?[0-9]+$/;
/** As many as Python reads; no integer of the service has more than twenty. */
const MAX_DIGITS = 4_300;
/** The service takes 32 levels. Stacks differ from runtime to runtime; what is refused must not. */
const MAX_DEPTH = 100;

/**
 * @throws SyntaxError for text that is no JSON, is nested deeper than 100 levels, names a member twice outside `metadata`, or
 *   holds something else than an integer or null where EXACT_NAME says that an integer is.
 */
export function parseExact(text: string): unknown {
  JSON.parse(text); // refuses what is no JSON, so that the reader may rely on it
  return new Reader(text).value('', false);
}

const codes = (chars: string): Set<number> => new Set(Array.from(chars, (char) => char.charCodeAt(0)));
const SPACES = codes(' \t\n\r');
const ENDS = codes(' \t\n\r,]}');
const BACKSLASH = 0x5c;

/** Reads text that is known to be JSON. */
class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** `name`: of the member that the value belongs to; names mean nothing inside `metadata`. */
  value(name: string, in_metadata: boolean): unknown {
    this.#skipSpace();
    const char = this.#text[this.#at];
    if (!in_metadata && EXACT_NAME.test(name)) return this.#exact(name);
    if (char === '"') return this.#string();
    if (char === '{') return this.#object(in_metadata);
    if (char === '[') return this.#array(in_metadata);
    const source = this.#scalar();
    return char === 't' || char === 'f' || char === 'n' ? JSON.parse(source) : anyNumber(source);
  }

  #object(in_metadata: boolean): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#enter();
    while (this.#text[this.#at] !== '}') {
      const name = this.#string();
      this.#skipSpace();
      this.#at++; // the colon
      if (!in_metadata && Object.hasOwn(object, name)) throw new SyntaxError(`${name} is there twice`);
      const is_metadata = !in_metadata && name === 'metadata';
      this.#skipSpace();
      const start = this.#at;
      const value = this.value(name, in_metadata || is_metadata);
      put(object, name, value);
      if (is_metadata) object.metadata_text = value === null ? null : this.#text.slice(start, this.#at);
      this.#skipSeparator();
    }
    this.#leave();
    return object;
  }

  #array(in_metadata: boolean): unknown[] {
    const array: unknown[] = [];
    this.#enter();
    while (this.#text[this.#at] !== ']') {
      array.push(this.value('', in_metadata));
      this.#skipSeparator();
    }
    this.#leave();
    return array;
  }

  #enter(): void {
    if (++this.#depth > MAX_DEPTH) throw new SyntaxError('is nested too deeply');
    this.#at++;
    this.#skipSpace();
  }

  #leave(): void {
    this.#depth--;
    this.#at++;
  }

  #exact(name: string): bigint | null {
    const source = this.#scalar();
    if (source === 'null') return null;
    if (!INTEGER.test(source) || source.length > MAX_DIGITS) throw new SyntaxError(`${name} is no integer`);
    return BigInt(source);
  }

  #string(): string {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    let is_plain = true;
    for (let at = start + 1; at < end; at++) {
      if (this.#text.charCodeAt(at) !== BACKSLASH) continue;
      is_plain = false;
      at++; // what it escapes, perhaps a quote
      if (at === end) end = this.#text.indexOf('"', end + 1);
    }
    this.#at = end + 1;
    return is_plain ? this.#text.slice(start + 1, end) : JSON.parse(this.#text.slice(start, end + 1));
  }

  /** The source of a number or a word. */
  #scalar(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !ENDS.has(this.#text.charCodeAt(this.#at))) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  #skipSpace(): void {
    while (SPACES.has(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #skipSeparator(): void {
    this.#skipSpace();
    if (this.#text[this.#at] === ',') this.#at++;
    this.#skipSpace();
  }
}

/** As an own member also when it is called `__proto__`. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function anyNumber(source: string): number | bigint {
  const number = Number(source);
  if (!INTEGER.test(source) || Number.isSafeInteger(number)) return number;
  if (source.length > MAX_DIGITS) throw new SyntaxError('holds an integer that is too long');
  return BigInt(source);
}

/**
 * Writes a body: bigint as digits; `metadata_text` of an object as its `metadata`, as it is. Members that are undefined
 * are left out.
 * @throws TypeError for a number that may have been rounded before it came here, for `metadata_text` that is no JSON object, and
 *   for one that says something else than the `metadata` beside it.
 */
export function stringifyExact(value: unknown): string {
  return written(value, false);
}

/** `in_metadata`: names mean nothing there. */
function written(value: unknown, in_metadata: boolean): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return writtenNumber(value);
  if (Array.isArray(value)) return `[${value.map((item) => written(item ?? null, in_metadata)).join(',')}]`;
  if (typeof value !== 'object' || value === null || value instanceof Date) return JSON.stringify(value);
  const members = Object.entries(in_metadata ? value : withOneMetadata(value)).filter(
    ([, member]) => member !== undefined,
  );
  return `{${members.map(([name, member]) => writtenMember(name, member, in_metadata)).join(',')}}`;
}

/**
 * Returns the members to write: `metadata_text` alone where it says what `metadata` says, as in everything that this client has
 * read.
 * @throws TypeError where they differ: one of them was changed, and nobody knows which one is meant
 */
function withOneMetadata(value: object): object {
  const { metadata, ...rest } = value as { metadata?: unknown; metadata_text?: unknown };
  const { metadata_text } = rest;
  if (metadata === undefined || metadata_text === undefined) return value;
  const text = metadata_text ?? 'null';
  if (typeof text !== 'string' || !isSame(metadataOf(text), metadata))
    throw new TypeError('metadata and metadata_text differ: give one of them');
  return rest;
}

/** @throws TypeError for what is no JSON */
function metadataOf(text: string): unknown {
  try {
    return (parseExact(`{"metadata":${text}}`) as { metadata: unknown }).metadata;
  } catch (error) {
    throw new TypeError('metadata_text is no JSON', { cause: error });
  }
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return Object.is(one, other);
  const [members, others] = [Object.entries(one), new Map(Object.entries(other))];
  const alike = Array.isArray(one) === Array.isArray(other) && members.length === others.size;
  return alike && members.every(([name, member]) => others.has(name) && isSame(member, others.get(name)));
}

function writtenMember(name: string, value: unknown, in_metadata: boolean): string {
  if (name === 'metadata_text' && value === null && !in_metadata) return '"metadata":null';
  if (name !== 'metadata_text' || in_metadata)
    return `${JSON.stringify(name)}:${written(value, in_metadata || name === 'metadata')}`;
  if (typeof value !== 'string' || !isObjectText(value))
    throw new TypeError('metadata_text must be the text of a JSON object');
  return `"metadata":${value}`;
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function writtenNumber(value: number): string {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw new TypeError(`${value} is no exact number: use a bigint`);
  return String(value);
}

/**
 * A replacer for JSON.stringify: an integer that is a bigint becomes its digits as a text. For logs, not for requests: there
 * `stringifyExact` writes integers as integers.
 */
export function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** Returns what JSON keeps of a value, with integers that are bigint as texts. */
export function plainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, bigintAsText));
}
