/**
 * What the database refuses to do for the moment: it is read-only (a standby, or after a failover), its disk is full, it
 * cannot read or write a file. A query still works then, so readiness must be told of the last refusal.
 */
import type { Clock } from '../lib/clock.ts';

const REASONS: [RegExp, string][] = [
  [/^25006$/, 'it is read-only'],
  [/^53100$/, 'its disk is full'],
  [/^(58030|58P01|XX00[12])$/, 'it cannot read or write its files'],
];

/** A refusal counts for so long. One change that works proves little: on a full disk, small changes still work. */
const REMEMBERED_MS = 30_000;

export type Refusals = {
  /** Notes an error of the database. Must be called with each one. */
  note(error: unknown): void;
  /** Says why the database refuses changes; null when it does not, as far as this process knows. */
  recent(): string | null;
};

export function createRefusals(clock: Pick<Clock, 'now'>): Refusals {
  let last: { reason: string; at_ms: number } | null = null;
  return {
    note(error) {
      const { code = '' } = error as { code?: string };
      const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1];
      if (reason) last = { reason, at_ms: clock.now().getTime() };
    },
    recent() {
      const isRecent = last && Math.abs(clock.now().getTime() - last.at_ms) < REMEMBERED_MS;
      return isRecent && last ? last.reason : null;
    },
  };
}
