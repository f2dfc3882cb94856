import type { Clock } from './clock.ts';

/** What the validators take for the time: their close times follow it, in whole seconds and strictly increasing. */
export class LedgerClock {
  /** Seconds by which the validators' clocks are ahead of the real one; negative when they are behind. */
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
