/** The machines that processes run on: each has a clock that may be wrong, and starts the service again when it is gone. */
import type { Random } from '../support/random.ts';
import { type Machine, SimProcess } from './process.ts';
import type { Owner } from './scheduler.ts';

const MAX_SKEW_MS = 10 * 60_000;
const LONGEST_DOWN_MS = 40_000;

export class Fleet {
  readonly #machine: Machine;
  readonly #world: Owner;
  readonly #random: Random;
  readonly skews_ms: readonly number[];
  readonly #running: (SimProcess | undefined)[];
  #starts = 0;
  /** Starts nothing while true. */
  held = false;

  constructor(machine: Machine, world: Owner, random: Random, options: { count: number; skewed: boolean }) {
    this.#machine = machine;
    this.#world = world;
    this.#random = random;
    const skew = () => (options.skewed ? random.integer(-MAX_SKEW_MS, MAX_SKEW_MS) : 0);
    this.skews_ms = Array.from({ length: options.count }, skew);
    this.#running = this.skews_ms.map((_, place) => this.#start(place));
  }

  get running(): SimProcess[] {
    return this.#running.filter((process) => process?.alive === true) as SimProcess[];
  }

  any(): SimProcess | undefined {
    const { running } = this;
    return running.length === 0 ? undefined : this.#random.pick(running);
  }

  #start(place: number): SimProcess | undefined {
    if (this.held) {
      this.#restartLater(place);
      return undefined;
    }
    const process = new SimProcess(this.#machine, `p${place}.${this.#starts++}`, this.skews_ms[place] ?? 0);
    void process.died.then(() => this.#restartLater(place));
    return process;
  }

  #restartLater(place: number): void {
    const down_ms = this.#random.chance(0.3) ? 0 : this.#random.integer(0, LONGEST_DOWN_MS);
    this.#machine.scheduler.later(this.#world, down_ms, () => {
      this.#running[place] = this.#start(place);
    });
  }
}
