/**
 * Pure: reads the JSON object that somebody types and says what is wrong at which line. JSON.parse tells no line in some
 * browsers, keeps the last of two members of one name without a word, and rounds numbers.
 */
import { parseExact } from '../../api/exact-json.ts';

/** The API's limits: 16 KiB as sent, and 32 levels with the body around it. */
export const MAX_BYTES = 16 * 1024;
const MAX_DEPTH = 31;

type Checked = { value: Record<string, unknown> } | { fault: { line: number; message: string } };

/** `value` has every number exactly as it was typed, for `stringifyExact`. `text` is not empty. */
export function checkJson(text: string): Checked {
  const found = new Reader(text).findFault();
  if (found) {
    const line = text.slice(0, found.at).split('\n').length;
    return { fault: { line, message: found.message } };
  }
  return { value: parseExact(text) as Record<string, unknown> };
}

class Problem {
  readonly at: number;
  readonly message: string;

  constructor(at: number, message: string) {
    this.at = at;
    this.message = message;
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** RFC 8259, by descent. */
class Reader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  findFault(): Problem | null {
    try {
      this.space();
      if (this.text[this.at] !== '{') this.stop('The whole must be an object, in { and }.');
      this.object(1);
      this.space();
      if (this.at < this.text.length) this.stop('There is something after the end of the object.');
      return null;
    } catch (problem) {
      if (problem instanceof Problem) return problem;
      throw problem;
    }
  }

  private stop(message: string, at = this.at): never {
    throw new Problem(at, message);
  }

  private space(): void {
    while (' \t\r\n'.includes(this.text[this.at] ?? 'x')) this.at++;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    this.at += found?.length ?? 0;
    return found;
  }

  private value(depth: number): void {
    const first = this.text[this.at];
    if (first === '{') this.object(depth + 1);
    else if (first === '[') this.array(depth + 1);
    else if (first === '"') this.string();
    else this.scalar();
  }

  private scalar(): void {
    const start = this.at;
    if (this.match(NUMBER) !== null) {
      if (/[\w.]/.test(this.text[this.at] ?? '')) this.stop('This is not a number as JSON writes it.', start);
      return;
    }
    const word = this.match(WORD);
    if (word === 'true' || word === 'false' || word === 'null') return;
    if (word) this.stop(`Text must be in double quotes: “${word}”.`, start);
    this.stop(this.unexpected());
  }

  private unexpected(): string {
    const char = this.text[this.at];
    if (char === undefined) return 'A value is missing at the end.';
    if (char === "'") return 'Text must be in double quotes, not in single ones.';
    if (char === '}' || char === ']' || char === ',') return `A value is missing before “${char}”.`;
    return `“${char}” does not belong here.`;
  }

  private object(depth: number): void {
    if (depth > MAX_DEPTH) this.stop(`This is deeper than ${MAX_DEPTH} levels.`);
    const names = new Set<string>();
    this.list('}', () => {
      const start = this.at;
      if (this.text[this.at] !== '"') this.stop(this.noName());
      const name = this.string();
      if (names.has(name)) this.stop(`“${name}” is there twice.`, start);
      names.add(name);
      this.space();
      if (this.text[this.at] !== ':') this.stop(`After “${name}” a colon is missing.`, start);
      this.at++;
      this.space();
      this.value(depth);
    });
  }

  private noName(): string {
    const char = this.text[this.at];
    if (char === undefined) return 'A closing } is missing at the end.';
    return char === '}' ? 'A comma is one too many before }.' : 'A name in double quotes is missing here.';
  }

  private array(depth: number): void {
    if (depth > MAX_DEPTH) this.stop(`This is deeper than ${MAX_DEPTH} levels.`);
    this.list(']', () => {
      if (this.text[this.at] === ']') this.stop('A comma is one too many before ].');
      this.value(depth);
    });
  }

  /** From the opening bracket to after the closing one: members with commas between them. */
  private list(close: '}' | ']', member: () => void): void {
    this.at++;
    this.space();
    if (this.text[this.at] === close) {
      this.at++;
      return;
    }
    for (;;) {
      member();
      const end = this.at;
      this.space();
      const char = this.text[this.at++];
      if (char === close) return;
      if (char === undefined) this.stop(`A closing ${close} is missing at the end.`);
      if (char !== ',') this.stop(`After this line's value a comma or ${close} is missing.`, end);
      this.space();
    }
  }

  private string(): string {
    const start = this.at++;
    for (;;) {
      const char = this.text[this.at];
      if (char === '"') break;
      if (char === undefined || char === '\n') this.stop('A closing double quote is missing.', start);
      if (char < ' ') this.stop('A tab or control character within text is written as \\t, \\u0009 …');
      if (char === '\\' && this.match(ESCAPE) === null) this.stop('After a \\ this character means nothing.');
      else if (char !== '\\') this.at++;
    }
    this.at++;
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }
}
