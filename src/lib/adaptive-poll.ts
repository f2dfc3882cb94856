import type { Clock } from './clock.ts';

export type AdaptivePoll = {
  /** Records the newest number seen, for example of a ledger. */
  saw(number: number): void;
  /** Milliseconds to wait before the next poll. */
  wait_ms(): number;
};

/** A longer interval counts as this one: the network stood still, and its next ledger may come as soon as usual. */
const LONGEST_INTERVAL_MS = 5_000;

/** The part of an interval in which nothing is asked, and the number of polls that a whole interval would have. */
const QUIET_PART = 0.75;
const POLLS = 40;
/** From twice the interval on, what grows may stand still, or the source is away: it is asked a quarter as often. */
const OVERDUE = 2;
const SLOWER = 4;

/**
 * Decides when to poll for a number that grows at regular intervals, like the number of the newest ledger. It learns
 * the interval between two numbers: it waits for the first three quarters of the interval, then polls after every fortieth
 * of it, at least `least_ms` and at most `most_ms` apart. So each number takes about eleven polls, for intervals from a
 * second to five, and is noticed half a fortieth late on average. A number that comes a quarter too early is not late either.
 * While nothing is known of the interval, it polls every `most_ms`.
 */
export function createAdaptivePoll(
  clock: Clock,
  { least_ms, most_ms }: { least_ms: number; most_ms: number },
): AdaptivePoll {
  const nowMs = () => clock.now().getTime();
  let last: { number: number; at_ms: number } | null = null;
  let interval_ms = 0;
  return {
    saw(number) {
      const at_ms = nowMs();
      if (last && number <= last.number) return;
      if (last) interval_ms = Math.min((at_ms - last.at_ms) / (number - last.number), LONGEST_INTERVAL_MS);
      last = { number, at_ms };
    },
    wait_ms() {
      if (last === null || interval_ms === 0) return most_ms;
      const since_ms = nowMs() - last.at_ms;
      const quiet_ms = interval_ms * QUIET_PART - since_ms;
      const pause_ms = Math.max(least_ms, Math.min(interval_ms / POLLS, most_ms));
      return Math.max(quiet_ms, since_ms > interval_ms * OVERDUE ? pause_ms * SLOWER : pause_ms);
    },
  };
}
