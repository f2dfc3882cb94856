import { randomBytes as systemRandomBytes } from 'node:crypto';

let source: (length: number) => Buffer = systemRandomBytes;

/** Returns random bytes for ids, from the system unless a simulation has replaced the source. Never for keys. */
export function randomBytes(length: number): Buffer {
  return source(length);
}

/** Replaces the source, for simulations, which can repeat a run exactly with their own. */
export function useRandomness(other: (length: number) => Buffer): void {
  source = other;
}
