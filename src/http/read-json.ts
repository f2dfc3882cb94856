/**
 * Exact JSON of requests. JSON.parse rounds integers beyond 2^53 and reads 1.0 and 1e7 as integers, but amounts and memo ids are
 * int64 and uint64 and must be exact. A body can be 8 MiB: it is read in one pass, in parts.
 *
 * - An integer literal becomes a bigint. Any other number (1.0, 1e7, -0) stays a JS number, which no money field accepts.
 * - An object or array below the top level keeps its source text (`RawJson`): responses give metadata back unchanged, with
 *   key order, big integers and spacing. `read` gives its values by the same rules.
 */
import { atOnce, type InParts } from '../lib/in-parts.ts';

export type NestedValue =
  | string
  | boolean
  | bigint
  | number
  | null
  | NestedValue[]
  | { [name: string]: NestedValue };

/** An object or array below the top level of a body, as its source text. */
export class RawJson {
  readonly text: string;
  /** Reads the text by the rules of the body. @throws JsonSyntaxError */
  readonly #read: () => NestedValue;

  constructor(text: string, read = () => atOnce(readNested(text))) {
    this.text = text;
    this.#read = read;
  }

  get kind(): 'object' | 'array' {
    return this.text.startsWith('{') ? 'object' : 'array';
  }

  read(): NestedValue {
    return this.#read();
  }
}

export type BodyValue = string | boolean | bigint | number | RawJson;

/** The text is not one JSON object of the accepted form. The message is for the caller. */
export class JsonSyntaxError extends Error {
  /** The member of the body that is wrong, though it is JSON; null: the body is. */
  readonly member: string | null;

  constructor(message: string, member: string | null = null) {
    super(message);
    this.member = member;
  }
}

const MAX_DEPTH = 32;
/** More than the largest body has, that of a payout. */
const MAX_VALUES = 100_000;
/** Of the body itself. Each that is not known is a fault of its own. */
const MAX_MEMBERS = 1_000;
/** A memo id has so many at most. BigInt takes seconds for millions of digits, in which nothing else runs. */
const MAX_INTEGER_DIGITS = 20;
/** Longer than metadata may be. No other number of a body may be kept as its text. */
const MAX_NUMBER_CHARS = 16 * 1024;
const CHARS_PER_PART = 32 * 1024;

const INTEGER = /^(?:0|-?[1-9][0-9]*)$/;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const NAMED_VALUES = { true: true, false: false, null: null };
const NAME_CHARS_IN_MESSAGE = 50;

/**
 * Reads a request body: one JSON object, without its members that are `null`.
 * @throws JsonSyntaxError for malformed JSON, another top-level value, a repeated member, a string that no database can keep, nesting
 * beyond 32 levels, more than 1,000 members or 100,000 values, and an integer of more than 20 digits.
 */
export function parseBody(text: string): Record<string, BodyValue> {
  return atOnce(readBody(text));
}

/** Reads a request body as `parseBody` does, in parts. */
export function readBody(text: string): InParts<Record<string, BodyValue>> {
  return new Reader(text, true).parts() as InParts<Record<string, BodyValue>>;
}

/** Reads one object or array with the values of all levels, in parts. */
function readNested(text: string): InParts<NestedValue> {
  return new Reader(text, false).parts() as InParts<NestedValue>;
}

/** What may come next. `after_value`: a comma, or the end of what is open. */
type Expected = 'value' | 'value_or_end' | 'name' | 'name_or_end' | 'colon' | 'after_value' | 'nothing';

type Value = NestedValue | BodyValue;
type OpenArray = { kind: 'array'; start: number; values: Value[] };
type OpenObject = {
  kind: 'object';
  start: number;
  members: Record<string, Value>;
  /** Names of members that are null too, which `members` does not have. */
  names: Set<string>;
  name: string;
};

const invalid = () => new JsonSyntaxError('is not valid JSON');

/** One reading of a text. `is_body`: nested values keep their text, and only a reader of that text (`RawJson.read`) finds wrong values. */
class Reader {
  readonly #text: string;
  readonly #is_body: boolean;
  readonly #open: (OpenArray | OpenObject)[] = [];
  #at = 0;
  #expected: Expected = 'value';
  #commas = 0;
  #result: Value = null;
  /** The first one in the nested value that is being read. */
  #problem: JsonSyntaxError | null = null;

  constructor(text: string, is_body: boolean) {
    this.#text = text;
    this.#is_body = is_body;
  }

  *parts(): InParts<Value> {
    let pause_at = CHARS_PER_PART;
    while (this.#at < this.#text.length) {
      if (this.#at >= pause_at) {
        yield;
        pause_at = this.#at + CHARS_PER_PART;
      }
      const char = this.#text[this.#at] as string;
      if (char === '"') this.#takeString(yield* this.#readString());
      else this.#readToken(char);
    }
    if (this.#expected !== 'nothing') throw invalid();
    return this.#result;
  }

  #readToken(char: string): void {
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') this.#at++;
    else if (this.#open.length === 0) this.#readTop(char);
    else if (this.#expected === 'value' || (this.#expected === 'value_or_end' && char !== ']'))
      this.#readValue(char);
    else this.#readPunctuation(char);
  }

  #readTop(char: string): void {
    if (this.#expected === 'nothing') throw invalid();
    if (this.#is_body && char !== '{') throw new JsonSyntaxError('must be a JSON object');
    if (char !== '{' && char !== '[') throw invalid();
    this.#begin(char);
  }

  #readPunctuation(char: string): void {
    const inside = this.#open.at(-1);
    this.#at++;
    if (this.#expected === 'colon' && char === ':') this.#expected = 'value';
    else if (this.#expected === 'after_value' && char === ',') {
      if (++this.#commas >= MAX_VALUES) throw new JsonSyntaxError(`has more than ${MAX_VALUES} values`);
      this.#expected = inside?.kind === 'array' ? 'value' : 'name';
    } else if (
      this.#expected !== 'colon' &&
      this.#expected !== 'name' &&
      char === (inside?.kind === 'array' ? ']' : '}')
    )
      this.#close();
    else throw invalid();
  }

  #readValue(char: string): void {
    if (char === '{' || char === '[') this.#begin(char);
    else this.#add(this.#readWord());
  }

  #begin(char: string): void {
    if (this.#open.length === MAX_DEPTH)
      throw new JsonSyntaxError(`is nested deeper than ${MAX_DEPTH} levels`);
    const start = this.#at++;
    if (char === '[') this.#open.push({ kind: 'array', start, values: [] });
    else this.#open.push({ kind: 'object', start, members: Object.create(null), names: new Set(), name: '' });
    this.#expected = char === '[' ? 'value_or_end' : 'name_or_end';
  }

  #close(): void {
    const closed = this.#open.pop();
    if (!closed) throw invalid();
    const value = closed.kind === 'array' ? (closed.values as NestedValue) : (closed.members as NestedValue);
    if (!this.#is_body || this.#open.length !== 1) this.#add(value);
    else {
      const found = this.#problem;
      this.#problem = null;
      this.#add(new RawJson(this.#text.slice(closed.start, this.#at), () => unlessWrong(value, found)));
    }
  }

  #add(value: Value): void {
    const into = this.#open.at(-1);
    this.#expected = into ? 'after_value' : 'nothing';
    if (!into) this.#result = value;
    else if (into.kind === 'array') into.values.push(value);
    else if (value !== null) into.members[into.name] = value;
  }

  #takeString(value: string): void {
    const is_value = this.#expected === 'value' || this.#expected === 'value_or_end';
    const is_name = this.#expected === 'name' || this.#expected === 'name_or_end';
    if (this.#open.length === 0) this.#readTop('"');
    if (!is_value && !is_name) throw invalid();
    // PostgreSQL cannot store either; refused here, nothing has been done yet.
    if (value.includes('\0') || !value.isWellFormed())
      this.#refuse('has a string with a NUL or half a surrogate pair');
    if (is_name) this.#takeName(value);
    else this.#add(value);
  }

  #takeName(name: string): void {
    const into = this.#open.at(-1);
    if (into?.kind !== 'object') throw invalid();
    // Two readers of such a body may see two different amounts.
    if (into.names.has(name)) this.#refuse(`has the member "${shortened(name)}" twice`);
    if (this.#is_body && this.#open.length === 1 && into.names.size === MAX_MEMBERS)
      throw new JsonSyntaxError(`has more than ${MAX_MEMBERS} members`);
    into.names.add(name);
    into.name = name;
    this.#expected = 'colon';
  }

  /**
   * Refuses what is wrong though it is JSON: throws, or keeps the error for `RawJson.read` inside a nested value of a body. `member`:
   * of the body, whose value is wrong by itself.
   */
  #refuse(message: string, member: string | null = null): void {
    const error = new JsonSyntaxError(message, member);
    if (!this.#is_body || this.#open.length < 2) throw error;
    this.#problem ??= error;
  }

  *#readString(): InParts<string> {
    let value = '';
    this.#at++;
    for (;;) {
      const start = this.#at;
      this.#at = endOfPiece(this.#text, start);
      value += unescaped(this.#text.slice(start, this.#at));
      if (this.#at >= this.#text.length) throw invalid();
      if (this.#text.charCodeAt(this.#at) === QUOTE) break;
      yield;
    }
    this.#at++;
    return value;
  }

  #readWord(): bigint | number | boolean | null {
    const start = this.#at;
    while (this.#at < this.#text.length && isOfWord(this.#text.charCodeAt(this.#at))) {
      if (++this.#at - start > MAX_NUMBER_CHARS)
        throw new JsonSyntaxError(`has a number of more than ${MAX_NUMBER_CHARS} characters`);
    }
    const word = this.#text.slice(start, this.#at);
    if (Object.hasOwn(NAMED_VALUES, word)) return NAMED_VALUES[word as keyof typeof NAMED_VALUES];
    if (!NUMBER.test(word)) throw invalid();
    if (!INTEGER.test(word)) return Number(word);
    if (word.replace('-', '').length <= MAX_INTEGER_DIGITS) return BigInt(word);
    const inside = this.#open.at(-1);
    const member = inside?.kind === 'object' ? shortened(inside.name) : null;
    this.#refuse(`has an integer of more than ${MAX_INTEGER_DIGITS} digits`, member);
    return null;
  }
}

/** Shortens a name for a message, because a caller chooses the names. */
function shortened(name: string): string {
  return name.slice(0, NAME_CHARS_IN_MESSAGE).toWellFormed();
}

function unlessWrong(value: NestedValue, problem: JsonSyntaxError | null): NestedValue {
  if (problem) throw problem;
  return value;
}

/** Decodes what stands between the quotes of a string, or a piece of that. @throws JsonSyntaxError */
function unescaped(piece: string): string {
  try {
    return JSON.parse(`"${piece}"`) as string;
  } catch {
    throw invalid();
  }
}

/** Returns the index of the quote that closes the string, or of the beginning of its next piece: no escape is cut in two. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(text.length, start + CHARS_PER_PART);
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code !== BACKSLASH) at++;
    else at += text[at + 1] === 'u' ? UNICODE_ESCAPE_CHARS : 2;
  }
  return at;
}

const UNICODE_ESCAPE_CHARS = '\\uXXXX'.length;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns true for letters, digits, `+`, `-` and `.`, which make numbers, `true`, `false` and `null`. */
function isOfWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e
  );
}
