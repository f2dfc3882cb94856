import { randomBytes as systemRandomBytes } from 'node:crypto';

let source: (length: number) => Buffer = systemRandomBytes;

/** Random bytes for ids, from the system or from the source of a simulation. Never use them for keys. */
export function randomBytes(length: number): Buffer {
  return source(length);
}

/** Replaces the source of randomness, so that a simulation repeats exactly. */
export function useRandomness(other: (length: number) => Buffer): void {
  source = other;
}
