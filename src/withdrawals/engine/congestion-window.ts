/**
 * How many transactions to have in the network's queue at once. A ledger takes so many and no more: what is sent beyond
 * that only outbids itself, waits, and is thrown out after four ledgers (stellar-core TRANSACTION_QUEUE_TIMEOUT_LEDGERS).
 * So the window shrinks to what a ledger took, and an eighth more, when others were left over, and grows by a quarter
 * while none are. A ledger that took nothing though some were there tells of a network that stands, not of one that is full.
 */
export function nextCongestionWindow(window: number, ledger: { taken: number; left_over: number }): number {
  const { taken, left_over } = ledger;
  if (left_over > 0 && taken === 0) return window;
  if (left_over > 0) return Math.max(SMALLEST, taken + Math.ceil(taken / 8));
  return Math.min(window + Math.ceil(window / 4), LARGEST);
}

const SMALLEST = 4;
/** More than any installation has channels: no limit. */
export const LARGEST = 10_000;
