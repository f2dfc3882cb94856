/** What is promised about the age of comparisons, and what is said when they are twice as old. */
import { ageSeconds, type Summary } from './reconcile-store.ts';

/** A wallet is compared with the ledger at least so often. */
export const COMPARED_SECONDS = 600;
/** The books of a wallet are summed from all rows at least so often: see mustSum. */
const SUMMED_SECONDS = 3_600;
const ALARM = 2;

/** Says what is late; null while comparisons and sums are in time. */
export function latenessOf(summary: Summary, now: Date): string | null {
  const compared_seconds = ageSeconds(summary.oldest, now);
  if (compared_seconds > ALARM * COMPARED_SECONDS)
    return `a wallet was not compared with the ledger for ${minutes(compared_seconds)} minutes`;
  const summed_seconds = ageSeconds(summary.oldest_sum, now);
  if (summed_seconds > ALARM * SUMMED_SECONDS)
    return `the books of a wallet were not summed from all rows for ${minutes(summed_seconds)} minutes`;
  return null;
}

function minutes(seconds: number): number {
  return Math.round(seconds / 60);
}
