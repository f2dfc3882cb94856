/** Faults by a seed. Each seed leaves some kinds out altogether: what never happens lets other things happen more. */
import { type Random, seededRandom } from '../support/random.ts';
import type { Choice, Fault, Faults, GateKind, Tally } from './faults.ts';
import type { Owner } from './scheduler.ts';

const SHARE_OF_KINDS = 0.6;
/** Where ledgers are read and deposits recorded, events are delivered, and transfers simulated: struck and counted apart. */
const APART = {
  delivering: /^POST$|webhook_attempts|leased_until = null/,
  simulating: /simulateTransaction/,
  reading: /getLedgers|getHealth|deposit_cursor|"deposits"|webhook_e|webhook_d|advisory_lock/,
};
/** In some seeds little else happens: where ledgers are hardly read, there is little to deliver. */
const SHARE_OF_DELIVERING = 0.3;
const OF_DELIVERING = /^(post_|db_|receivers_ill$|days_pass$|kill_all$|deploy$|database_|leader_frozen$)/;
type Part = keyof typeof APART;
const PARTS = Object.keys(APART) as Part[];

export class RandomFaults implements Faults {
  /** Nothing goes wrong while false. */
  raging = false;
  readonly #seed: string;
  readonly #random: Random;
  readonly #tally: Tally;
  readonly #enabled = new Map<string, boolean>();
  readonly #rates: Record<GateKind, number>;
  readonly #rates_apart: Record<Part, number>;
  readonly #lying_rate: number;
  readonly #kill_rate: number;
  readonly #only_delivering: boolean;

  constructor(seed: string, tally: Tally) {
    this.#seed = seed;
    this.#random = seededRandom(`${seed}/faults`);
    this.#tally = tally;
    const rate = () => this.#random.pick([0, 0.005, 0.02, 0.02, 0.05, 0.15]);
    const database = rate();
    this.#rates = { connect: database / 4, statement: database, commit: database * 2, request: rate() };
    this.#rates_apart = {
      reading: rate(),
      delivering: this.#random.pick([0, 0.02, 0.1, 0.3]),
      // Asked rarely, with many ways to lie.
      simulating: this.#random.pick([0, 0.1, 0.4]),
    };
    this.#lying_rate = this.#random.pick([0, 0.1, 0.3]);
    this.#kill_rate = this.#random.pick([0, 0.0003, 0.001, 0.003]);
    this.#only_delivering = this.#random.chance(SHARE_OF_DELIVERING);
    if (!this.#only_delivering) return;
    this.#rates = { connect: this.#rates.connect, statement: 0, commit: 0, request: 0 };
    this.#rates_apart.reading = 0;
    this.#lying_rate = 0;
  }

  choose<F extends Fault>(_owner: Owner, kind: GateKind, candidates: readonly F[], about: string): Choice<F> {
    if (!this.raging) return null;
    const part = PARTS.find((name) => APART[name].test(about));
    const count = (name: string) => this.#tally.add(part ? `${part}_${name}` : name);
    if (this.#random.chance(this.#kill_rate)) {
      const kill = this.#random.pick(['before', 'after'] as const);
      count(`kill_${kill}`);
      return { kill };
    }
    const lying = about === 'getLedgers' ? this.#lying_rate : 0; // asked once for each ledger, with many ways to lie
    const rate = this.#rates[kind] + (part ? this.#rates_apart[part] : 0) + lying;
    if (!this.#random.chance(rate)) return null;
    const possible = candidates.filter(({ name }) => this.isOn(name));
    if (possible.length === 0) return null;
    const fault = this.#random.pick(possible);
    count(fault.name);
    return { fault };
  }

  /** Whether this seed knows this kind at all. */
  isOn(name: string): boolean {
    const known = this.#enabled.get(name);
    if (known !== undefined) return known;
    const on =
      (!this.#only_delivering || OF_DELIVERING.test(name)) &&
      seededRandom(`${this.#seed}/on/${name}`).chance(SHARE_OF_KINDS);
    this.#enabled.set(name, on);
    return on;
  }
}
