import { strict as assert } from 'node:assert';

/**
 * Returns a copy of evidence that shares nothing that can be changed with it. What the evidence has twice, the copy has twice. It does
 * what `structuredClone` does with such data, in a third of the time: a run makes hundreds.
 */
export function copyOf<T>(evidence: T): T {
  return copyIn(evidence, new Map()) as T;
}

function copyIn(value: unknown, copies: Map<object, object>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known) return known;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    copies.set(value, copy);
    for (const each of value) copy.push(copyIn(each, copies));
    return copy;
  }
  if (value instanceof Map) {
    const copy = new Map();
    copies.set(value, copy);
    for (const [key, each] of value) copy.set(copyIn(key, copies), copyIn(each, copies));
    return copy;
  }
  if (value instanceof Set) {
    const copy = new Set();
    copies.set(value, copy);
    for (const each of value) copy.add(copyIn(each, copies));
    return copy;
  }
  if (value instanceof Date) {
    const copy = new Date(value);
    copies.set(value, copy);
    return copy;
  }
  assert(!ArrayBuffer.isView(value), 'evidence has bytes as text');
  const copy: Record<string, unknown> = {};
  copies.set(value, copy);
  for (const key in value) copy[key] = copyIn((value as Record<string, unknown>)[key], copies);
  return copy;
}
