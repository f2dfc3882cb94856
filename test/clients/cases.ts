/** The tables of clients/cases, which every client passes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function readCases<T>(name: string): T {
  const file = join(import.meta.dirname, '..', '..', 'clients', 'cases', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Group and method of each operation, for every client. */
export function readNames(): { methods: Record<string, string> } {
  return JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'clients', 'operations.json'), 'utf8'),
  );
}

/** The value that a JSON pointer leads to. */
export function at(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value);
}
