/** Chance that can be had again: every draw comes from a seed, which the test prints and SEED=… gives back. */

export type Random = {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform in [min, max], both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** A generator of its own for a part of the test: what one part draws does not move another's numbers. */
  fork(name: string): Random;
};

export function seedOfRun(): string {
  return process.env.SEED ?? `${Date.now() % 1_000_000_007}`;
}

export function seededRandom(seed: string): Random {
  let state = hash(seed);
  // mulberry32: small, and good enough to choose instants.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (from) => from[integer(0, from.length - 1)] as (typeof from)[number],
    fork: (name) => seededRandom(`${seed}/${name}`),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value | 0;
}
