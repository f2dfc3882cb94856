import type { Clock } from './clock.ts';

export type AdaptivePoll = {
  /** Reports the number of the newest item, for example a ledger. */
  saw(number: number): void;
  /** Milliseconds to wait before the next poll. */
  wait_ms(): number;
};

/** A longer interval counts as this: the network stood still, and the next item may come as soon as any other. */
const LONGEST_ROUND_MS = 5_000;

/**
 * An adaptive poll for items that come at their own interval, like ledgers: no poll in the first half of the last interval,
 * then one in every tenth of it, within `least_ms` and `most_ms`. Each item is noticed soon, with about six polls, whether
 * the interval is a tenth of a second or five seconds.
 */
export function createAdaptivePoll(
  clock: Clock,
  { least_ms, most_ms }: { least_ms: number; most_ms: number },
): AdaptivePoll {
  const nowMs = () => clock.now().getTime();
  let last: { number: number; at_ms: number } | null = null;
  let round_ms = 0;
  return {
    saw(number) {
      const at_ms = nowMs();
      if (last && number <= last.number) return;
      if (last) round_ms = Math.min((at_ms - last.at_ms) / (number - last.number), LONGEST_ROUND_MS);
      last = { number, at_ms };
    },
    wait_ms() {
      const quiet_ms = last ? round_ms / 2 - (nowMs() - last.at_ms) : 0;
      return Math.max(quiet_ms, least_ms, Math.min(round_ms / 10, most_ms));
    },
  };
}
