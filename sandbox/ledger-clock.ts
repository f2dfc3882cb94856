import type { Clock } from './clock.ts';

/** The time of the validators. Close times follow it, in whole seconds, each later than the one before. */
export class LedgerClock {
  /** Seconds by which the clocks of the validators are ahead of the real time; negative when they are behind. */
  skew_seconds = 0;
  /** Seconds by which the next close time lags: it was proposed before a halt that ends only now (Q11). */
  next_lag_seconds = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Unix seconds. */
  now(): bigint {
    return BigInt(Math.floor(this.#clock.now().getTime() / 1000) + this.skew_seconds);
  }

  /** With closes faster than one a second, ledger time runs ahead of the clock. */
  closeTimeAfter(previous: bigint): bigint {
    const proposed = this.now() - BigInt(this.next_lag_seconds);
    return proposed > previous ? proposed : previous + 1n;
  }
}
