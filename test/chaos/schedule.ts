/** Pure: what befalls whom and when. The same seed and length give the same schedule. */
import type { Random } from '../support/random.ts';

export type Act = 'kill' | 'stop' | 'freeze' | 'killed_at_start';

export type Blow = {
  /** How long it has run again by then: on a slow machine, too, there is work between two blows. */
  after_ms: number;
  act: Act;
  /** How long it stays down, or frozen; with `killed_at_start`, how long after its start it is killed once more. */
  for_ms: number;
};

type Range = { min: number; max: number };
/** How long a kind of process runs until it is hit, and by what: an act's chance is its share of the list. */
type Fate = { every_ms: Range; acts: readonly Act[]; long_freeze_ms?: Range };

const FATES = {
  service: {
    every_ms: { min: 1_500, max: 8_000 },
    acts: ['kill', 'kill', 'kill', 'killed_at_start', 'stop', 'stop', 'freeze', 'freeze'],
    // Longer than another process waits before it takes over: a process that wakes up then must notice that it lost its work.
    long_freeze_ms: { min: 16_000, max: 22_000 },
  },
  deliverer: {
    every_ms: { min: 1_500, max: 8_000 },
    acts: ['kill', 'kill', 'kill', 'kill', 'killed_at_start', 'stop', 'freeze', 'freeze'],
    long_freeze_ms: { min: 61_000, max: 66_000 }, // the same, by the lease of a delivery
  },
  sandbox: { every_ms: { min: 8_000, max: 25_000 }, acts: ['kill', 'kill', 'stop', 'freeze'] },
  database: { every_ms: { min: 8_000, max: 25_000 }, acts: ['kill', 'kill', 'stop', 'freeze'] },
} as const satisfies Record<string, Fate>;

export type Kind = keyof typeof FATES;

const LENGTHS_MS: Record<Act, Range> = {
  kill: { min: 0, max: 2_000 },
  stop: { min: 0, max: 1_000 },
  freeze: { min: 300, max: 4_000 },
  killed_at_start: { min: 50, max: 1_500 },
};
const LONG_FREEZE_CHANCE = 0.25;
/** In a shorter run there is no time for one. */
const LONG_RUN_MS = 60_000;
const BLACKOUT_EVERY_MS = { min: 20_000, max: 60_000 };

/** Instants at which everything is killed at once, as by a power cut. Every run has one. */
export function blackoutsOf(random: Random, length_ms: number): number[] {
  const instants: number[] = [];
  let at_ms = random.integer(length_ms >> 2, length_ms >> 1);
  while (at_ms < length_ms) {
    instants.push(at_ms);
    at_ms += random.integer(BLACKOUT_EVERY_MS.min, BLACKOUT_EVERY_MS.max);
  }
  return instants;
}

/** Enough for a run of that length. */
export function blowsFor(kind: Kind, random: Random, length_ms: number): Blow[] {
  const { every_ms, acts, long_freeze_ms }: Fate = FATES[kind];
  const blows: Blow[] = [];
  for (let planned_ms = 0; planned_ms < length_ms; ) {
    const after_ms = random.integer(every_ms.min, every_ms.max);
    const act = random.pick<Act>(acts);
    const lasting = act === 'freeze' && length_ms >= LONG_RUN_MS ? long_freeze_ms : undefined;
    const long = lasting && random.chance(LONG_FREEZE_CHANCE) ? lasting : LENGTHS_MS[act];
    const for_ms = random.integer(long.min, long.max);
    blows.push({ after_ms, act, for_ms });
    planned_ms += after_ms + for_ms;
  }
  return blows;
}
