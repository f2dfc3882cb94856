/**
 * The one place where anything is decided about order. What a simulated process awaits from the database, the network
 * or the clock waits here as a *turn*; the seed says which turn is next, that one really happens, and then everything
 * that follows from it runs until all are waiting again. Virtual time moves only when there is no turn to take.
 */
import type { Clock } from '../../src/lib/clock.ts';
import type { Random } from '../support/random.ts';
import { History } from './history.ts';
import { Timers } from './timers.ts';

/** Whose turn it is. A dead owner's turns are never taken: its continuations do not run again. */
export type Owner = { readonly name: string; alive: boolean };

type Turn = { owner: Owner; run: () => void | Promise<void> };

/** 2027-01-15, as the sandbox's own virtual clock. */
export const START_MS = 1_800_000_000_000;

export class Scheduler {
  now_ms = START_MS;
  /** Time in which nothing happened at all. */
  skipped_ms = 0;
  readonly history: History;
  readonly #random: Random;
  readonly #timers = new Timers();
  readonly #frozen_until_ms = new Map<Owner, number>();
  #ready: Turn[] = [];

  constructor(random: Random, print: ((line: string) => void) | null) {
    this.#random = random;
    this.history = new History(() => this.now_ms, print);
  }

  /** As soon as the seed says so. */
  soon(owner: Owner, run: Turn['run']): void {
    this.#ready.push({ owner, run });
  }

  /** Not before `ms` milliseconds have passed. Gives what takes it back. */
  later(owner: Owner, ms: number, run: Turn['run']): () => void {
    const timer = this.#timers.add(this.now_ms + Math.max(0, ms), () => this.soon(owner, run));
    return () => {
      timer.cancelled = true;
    };
  }

  /** Work that nothing else may come between, as one turn. */
  turn<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => this.soon(owner, () => work().then(resolve, reject)));
  }

  sleep(owner: Owner, ms: number): Promise<void> {
    return new Promise((resolve) => this.later(owner, ms, resolve));
  }

  /** Moves the clock by `ms`. Timers that were due in that time fire afterwards. */
  skip(ms: number): void {
    this.now_ms += ms;
    this.skipped_ms += ms;
  }

  /** None of its turns are taken for so long, as of a process that is stopped, or a machine that stands. */
  freeze(owner: Owner, ms: number): void {
    this.#frozen_until_ms.set(owner, this.now_ms + ms);
  }

  /** The clock of a process, which may be wrong. Waking up is a turn like any other. */
  clockOf(owner: Owner, skew_ms: number): Clock {
    return {
      now: () => new Date(this.now_ms + skew_ms),
      sleep: (ms, signal) => {
        if (signal?.aborted || ms <= 0) return Promise.resolve();
        return new Promise((resolve) => {
          const giveUp = () => {
            cancel();
            resolve();
          };
          const cancel = this.later(owner, ms, () => {
            signal?.removeEventListener('abort', giveUp);
            resolve();
          });
          signal?.addEventListener('abort', giveUp, { once: true });
        });
      },
    };
  }

  /** Takes turns until `done` says so, at the latest when `until_ms` has come. */
  async run(done: () => boolean, until_ms = Number.POSITIVE_INFINITY): Promise<void> {
    for (;;) {
      await quiet();
      if (done()) return;
      const turn = this.#next(until_ms);
      if (turn === null) return;
      if (turn.owner.alive && !this.#isPutOff(turn)) await turn.run();
    }
  }

  #isPutOff({ owner, run }: Turn): boolean {
    const until_ms = this.#frozen_until_ms.get(owner) ?? 0;
    if (until_ms <= this.now_ms) return false;
    this.later(owner, until_ms - this.now_ms, run);
    return true;
  }

  #next(until_ms: number): Turn | null {
    while (this.#ready.length === 0) {
      const timer = this.#timers.take();
      if (timer === undefined) throw new Error('nothing will ever happen again');
      if (timer.at_ms > until_ms) {
        this.#timers.add(timer.at_ms, timer.fire);
        return null;
      }
      this.now_ms = Math.max(this.now_ms, timer.at_ms);
      timer.fire();
    }
    const index = this.#random.integer(0, this.#ready.length - 1);
    const turn = this.#ready[index] as Turn;
    const last = this.#ready.pop() as Turn;
    if (index < this.#ready.length) this.#ready[index] = last;
    return turn;
  }
}

/**
 * Lets everything run that can. What promises lead to may use `setImmediate` itself, to gather what is asked in one turn
 * of the event loop or to let others go first: until nobody does, or it would run whenever the real database answers.
 */
export async function quiet(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (process.getActiveResourcesInfo().includes('Immediate'));
}
