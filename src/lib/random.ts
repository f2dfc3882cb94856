import { randomBytes as systemRandomBytes } from 'node:crypto';

let source: (length: number) => Buffer = systemRandomBytes;

/** Random bytes for ids, from the system unless a simulation has replaced the source. Never for keys. */
export function randomBytes(length: number): Buffer {
  return source(length);
}

/** For simulations: with their own source they can repeat a run exactly. */
export function useRandomness(other: (length: number) => Buffer): void {
  source = other;
}
