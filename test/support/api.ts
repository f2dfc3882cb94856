/** A caller of the HTTP API that reads and writes exact integers: JSON.parse would round the ones the tests are about. */
import { assertDeclared } from './declared-errors.ts';

export type Answer = {
  status: number;
  headers: Headers;
  /** The body as it came. */
  text: string;
  /** Parsed, with every integer literal as bigint. */
  body: any;
};

export type Call = {
  token?: string;
  /** An object is written as JSON (bigint as digits); a string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The caller hangs up after so long. */
  timeout_ms?: number;
};

export async function call(url: string, method: string, path: string, options: Call = {}): Promise<Answer> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.token !== undefined) headers.authorization ??= `Bearer ${options.token}`;
  if (options.body !== undefined) headers['content-type'] ??= 'application/json';
  const response = await fetch(url + path, {
    method,
    headers,
    ...(options.timeout_ms !== undefined && { signal: AbortSignal.timeout(options.timeout_ms) }),
    ...(options.body !== undefined && {
      body: typeof options.body === 'string' ? options.body : toJson(options.body),
    }),
  });
  const text = await response.text();
  const { status } = response;
  const body: any = text === '' ? null : fromJson(text);
  if (typeof body?.error?.code === 'string') assertDeclared(method, path, status, body.error.code);
  return { status, headers: response.headers, text, body };
}

export function toJson(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    typeof member === 'bigint' ? rawJson(`${member}`) : member,
  );
}

export function fromJson(text: string): unknown {
  const reviver = (_name: string, value: unknown, context: { source?: string }) =>
    typeof value === 'number' && /^-?\d+$/.test(context.source ?? '')
      ? BigInt(context.source as string)
      : value;
  return JSON.parse(text, reviver as (name: string, value: unknown) => unknown);
}

/** In Node 24, and not in TypeScript's library yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };
