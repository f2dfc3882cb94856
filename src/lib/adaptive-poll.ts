import type { Clock } from './clock.ts';

export type AdaptivePoll = {
  /** So many there are by now, of what comes one after the other. */
  saw(number: number): void;
  /** How long to wait before looking for the next one. */
  wait_ms(): number;
};

/** Longer is what stood still: the next one comes as soon as any other. */
const LONGEST_ROUND_MS = 5_000;

/**
 * When to look for what comes at a pace of its own, like ledgers: not during the first half of the time that the last one
 * took, then every tenth of it, within these bounds. So each is noticed soon after it is there, for some six looks,
 * whether it takes a tenth of a second or five.
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
