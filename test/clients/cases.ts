/** The tables of clients/cases, which every client passes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function readCases<T>(name: string): T {
  const file = join(import.meta.dirname, '..', '..', 'clients', 'cases', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The value that a JSON pointer leads to. */
export function at(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value);
}

/** `{"$integer": digits}` stands for a bigint. */
export function givenValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(givenValue);
  if (typeof value !== 'object' || value === null) return value;
  if ('$integer' in value) return BigInt(String(value.$integer));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, givenValue(member)]));
}

/** The name of a method, as this client writes it. */
export function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
