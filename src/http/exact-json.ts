/**
 * Exact JSON for responses. JSON.parse rounds integers beyond 2^53, but amounts and memo ids are int64 and uint64 and must be exact.
 * read-json.ts reads bodies.
 */
import { RawJson } from './read-json.ts';

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;

// Built in, and not in TypeScript's library yet.
const exactJson = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): unknown;
};

/** Makes a number that JSON.stringify writes as this text. */
export function rawNumber(text: string): unknown {
  return exactJson.rawJSON(text);
}

/** Reads any JSON for a later JSON.stringify, which then writes each number as the text has it. */
export function parseForStringify(text: string): unknown {
  return exactJson.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? rawNumber(source) : value,
  );
}

/** Reads a resource that `stringify` has written, in the form that its schema takes: an amount of stroops is a bigint. */
export function parseResource(text: string): unknown {
  return exactJson.parse(text, (name, value, { source }) =>
    typeof value === 'number' && source !== undefined && name.endsWith('_stroops') ? BigInt(source) : value,
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
