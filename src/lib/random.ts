import { randomBytes as systemRandomBytes } from 'node:crypto';

let source: (length: number) => Buffer = systemRandomBytes;

/** Random bytes for ids: from the system, unless a simulation has put its own in their place. Keys never come from here. */
export function randomBytes(length: number): Buffer {
  return source(length);
}

/** For simulations, which repeat exactly what they did. */
export function useRandomness(other: (length: number) => Buffer): void {
  source = other;
}
