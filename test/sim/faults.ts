/** Who decides at each gate whether it goes well: a seed (random-faults.ts) or a plan (exhaustive.ts). */
import type { Owner } from './scheduler.ts';

/** Where a process waits for the world outside: each such wait may fail, or be its last. */
export type GateKind = 'connect' | 'statement' | 'commit' | 'request';

/** `at`: before or after what was asked has taken effect. */
export type Fault = { name: string; at: 'before' | 'after' };

export type Choice<F extends Fault> = { kill: 'before' | 'after' } | { fault: F } | null;

export type Faults = {
  /** @param about the statement, or the method of the request */
  choose<F extends Fault>(owner: Owner, kind: GateKind, candidates: readonly F[], about: string): Choice<F>;
};

/** How often what was done to the processes. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** In alphabetical order. */
  entries(): [string, number][] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
