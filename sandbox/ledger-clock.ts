import type { Clock } from './clock.ts';
import type { Header } from './ledger/account.ts';
import { MILLISECONDS_PROTOCOL } from './ledger/protocols.ts';
import { closeTimeMs } from './ledger/stellar-value.ts';

/** The time of the validators. Close times follow it, each later than the one before. */
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
    return this.#now_ms() / 1000n;
  }

  /**
   * Close time of the ledger after `previous`, in unix milliseconds: at least `step_ms` later. Below protocol 30 in whole
   * seconds: there, closes faster than one a second make ledger time run ahead of the clock.
   */
  closeTimeMsAfter(previous: Header, step_ms: number): bigint {
    const proposed_ms = this.#now_ms() - BigInt(this.next_lag_seconds) * 1000n;
    const earliest_ms = closeTimeMs(previous) + BigInt(step_ms);
    if (previous.ledgerVersion >= MILLISECONDS_PROTOCOL) return max(proposed_ms, earliest_ms);
    return max(proposed_ms / 1000n, (earliest_ms + 999n) / 1000n) * 1000n;
  }

  #now_ms(): bigint {
    return BigInt(this.#clock.now().getTime()) + BigInt(this.skew_seconds) * 1000n;
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
