/**
 * Pure: checks a typed JSON object, and names the line and column of a fault. JSON.parse gives no line in some
 * browsers, silently drops members whose name is used twice, and rounds numbers.
 */
import { printParseErrorCode, visit } from 'jsonc-parser';
import { parseExact } from '../../api/exact-json.ts';

/** The API's limits: 16 KiB as sent, and 32 levels with the body around it. */
export const MAX_BYTES = 16 * 1024;
const MAX_DEPTH = 31;

/** `line` and `column` count from 1. */
export type JsonFault = { line: number; column: number; message: string };
type Checked = { value: Record<string, unknown> } | { fault: JsonFault };

/** `value` has every number exactly as it was typed, for `stringifyExact`. `text` is not empty. */
export function checkJson(text: string): Checked {
  const found = findFault(text);
  if (!found) return { value: parseExact(text) as Record<string, unknown> };
  const lines = text.slice(0, found.at).split('\n');
  const column = (lines.at(-1) ?? '').length + 1;
  return { fault: { line: lines.length, column, message: found.message } };
}

class Fault {
  readonly at: number;
  readonly message: string;

  constructor(at: number, message: string) {
    this.at = at;
    this.message = message;
  }
}

function findFault(text: string): Fault | null {
  const start = text.search(/[^ \t\r\n]/);
  if (text[start] !== '{') return new Fault(Math.max(0, start), 'The value must be an object in { and }.');
  try {
    visitStrictly(text);
    return null;
  } catch (fault) {
    if (fault instanceof Fault) return fault;
    throw fault;
  }
}

/** The parser continues after an error. A throw ends it at the first, and before deep nesting overflows the stack. */
function visitStrictly(text: string): void {
  /** The names so far in each open object; empty for an array. */
  const open: Set<string>[] = [];
  const enter = (at: number) => {
    open.push(new Set());
    if (open.length > MAX_DEPTH) throw new Fault(at, `The nesting is deeper than ${MAX_DEPTH} levels.`);
  };
  const leave = () => void open.pop();
  visit(
    text,
    {
      onObjectBegin: enter,
      onObjectEnd: leave,
      onArrayBegin: enter,
      onArrayEnd: leave,
      onObjectProperty: (name, at) => {
        if (open.at(-1)?.has(name)) throw new Fault(at, `The name “${name}” is used twice.`);
        open.at(-1)?.add(name);
      },
      onError: (code, at) => {
        throw faultOf(printParseErrorCode(code), text, at);
      },
    },
    { disallowComments: true },
  );
}

const MESSAGES: Record<string, string | undefined> = {
  InvalidNumberFormat: 'This is not a number in JSON.',
  UnexpectedEndOfNumber: 'This is not a number in JSON.',
  CloseBraceExpected: 'A closing } is missing at the end.',
  CloseBracketExpected: 'A closing ] is missing at the end.',
  EndOfFileExpected: 'There is text after the end of the object.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments.',
  UnexpectedEndOfString: 'A closing double quote is missing.',
  InvalidUnicode: 'After \\u four hexadecimal digits must follow.',
  InvalidEscapeCharacter: 'After \\ one of " \\ / b f n r t u must follow.',
  InvalidCharacter: 'Write a tab or control character in text as \\t or \\u0009.',
};

function faultOf(code: string, text: string, at: number): Fault {
  const char = text[at];
  const before = text.slice(0, at).trimEnd();
  const is_trailing_comma = before.endsWith(',') && (char === '}' || char === ']');
  if (is_trailing_comma) return new Fault(at, `Remove the comma before ${char}.`);
  switch (code) {
    case 'InvalidSymbol':
      return new Fault(at, symbolMessage(text, at));
    case 'PropertyNameExpected':
      return new Fault(
        at,
        char ? 'A name in double quotes is missing.' : 'A closing } is missing at the end.',
      );
    case 'ValueExpected':
      return new Fault(at, char ? `A value is missing before “${char}”.` : 'A value is missing at the end.');
    case 'ColonExpected':
      return new Fault(before.length, 'A colon is missing after the name.');
    case 'CommaExpected':
      // As in 01 or 1x, where the parser reads a shorter number.
      if (before.length === at && /\d/.test(before.at(-1) ?? ''))
        return new Fault(at, 'This is not a number in JSON.');
      return new Fault(before.length, 'A comma is missing.');
    default:
      return new Fault(at, MESSAGES[code] ?? 'This is not JSON.');
  }
}

function symbolMessage(text: string, at: number): string {
  if (text[at] === "'") return 'Text must be in double quotes, not in single quotes.';
  const [word] = /^[A-Za-z_$][\w$]*/.exec(text.slice(at)) ?? [];
  return word ? `Text must be in double quotes: ${word}.` : `Unexpected “${text[at]}”.`;
}
