/** Pure: which attempt of the log each request was, as the receiver saw it. */

import type { Receipt } from './receipt.ts';
import type { AttemptRow } from './webhook-evidence.ts';

export type Matched = {
  /** In the order in which they came; undefined: an attempt that nobody recorded. */
  requests: { receipt: Receipt; attempt: AttemptRow | undefined }[];
  /** Logged with an answer that the receiver never gave. */
  invented: AttemptRow[];
};

export const isAcknowledged = (status: number | null) => status !== null && status >= 200 && status <= 299;

/**
 * Of one delivery. An answer was seen by both sides, or it was given and not read in time. An attempt without an answer
 * may have been seen or not.
 */
export function match(receipts: Receipt[], attempts: AttemptRow[]): Matched {
  const attemptOf = new Map<Receipt, AttemptRow>();
  const take = (attempt: AttemptRow, fits: (receipt: Receipt) => boolean): boolean => {
    const found = receipts.find(
      (receipt) => receipt.timestamp === attempt.timestamp && !attemptOf.has(receipt) && fits(receipt),
    );
    if (found) attemptOf.set(found, attempt);
    return found !== undefined;
  };
  const answered = attempts.filter(({ status_code }) => status_code !== null);
  const invented = answered.filter(
    (attempt) => !take(attempt, (receipt) => receipt.answered === attempt.status_code),
  );
  const unanswered = attempts.filter(
    ({ status_code, timestamp }) => status_code === null && timestamp !== null,
  );
  for (const attempt of unanswered)
    take(attempt, ({ answered }) => answered === null) || take(attempt, () => true);
  return { requests: receipts.map((receipt) => ({ receipt, attempt: attemptOf.get(receipt) })), invented };
}
