/**
 * How many transactions to have in the network's queue at once. A ledger takes a limited number; the others outbid each
 * other, wait, and are dropped after four ledgers (stellar-core TRANSACTION_QUEUE_TIMEOUT_LEDGERS).
 *
 * It works like a congestion window, but with other steps than AIMD (additive increase, multiplicative decrease): when a
 * ledger left some of ours over, the window drops to what the ledger took plus an eighth; else it grows by a quarter. A
 * ledger that took none of ours says nothing about room: the network may stand still.
 */
export function nextCongestionWindow(window: number, ledger: { taken: number; left_over: number }): number {
  const { taken, left_over } = ledger;
  if (left_over > 0 && taken === 0) return window;
  if (left_over > 0) return Math.max(SMALLEST, taken + Math.ceil(taken / 8));
  return Math.min(window + Math.ceil(window / 4), LARGEST_WINDOW);
}

const SMALLEST = 4;
/** More than any installation has channels: no limit. */
export const LARGEST_WINDOW = 10_000;
