import { FeeOrder } from './fee-order.ts';
import { sameBytes } from './ledger/bytes.ts';
import { compareFeeRates, feeToBeat } from './ledger/fees.ts';
import type { Transaction } from './ledger/transaction.ts';

/** The queue holds the operations of this many ledgers (stellar-core, TRANSACTION_QUEUE_SIZE_MULTIPLIER). */
const POOL_LEDGERS = 2;

/**
 * The transactions to remove for a new one; or, on refusal, the fee in stroops that would be enough, null when none
 * would.
 */
export type Room = { evict: Transaction[] } | { neededFee: bigint | null };

/**
 * The size limit of the queue, in operations (stellar-core, herder/TxQueueLimiter.cpp and canFitWithEviction in
 * SurgePricingUtils.cpp). When the queue is full, a transaction that pays more for each operation removes the
 * cheapest ones.
 */
export class QueueLimit {
  readonly order = new FeeOrder();
  /** The best bid removed since the last ledger. A transaction that pays no more must not take the freed room. */
  #lastEvicted: Transaction | null = null;

  /** @param replaced the queued transaction that `tx` would replace, if any */
  roomFor(tx: Transaction, replaced: Transaction | undefined, maxLedgerOperations: number): Room {
    const evicted = this.#lastEvicted;
    if (evicted !== null && compareFeeRates(evicted, tx) >= 0) return { neededFee: feeToBeat(evicted, tx) };

    const limit = POOL_LEDGERS * maxLedgerOperations;
    const added = Math.max(0, tx.operationCount - (replaced?.operationCount ?? 0));
    if (added > limit) return { neededFee: null };
    let excess = this.order.operationCount + added - limit;
    const evict: Transaction[] = [];
    for (const cheapest of this.order) {
      if (excess <= 0) break;
      if (compareFeeRates(cheapest, tx) >= 0) return { neededFee: feeToBeat(cheapest, tx) };
      if (sameBytes(cheapest.source, tx.source)) return { neededFee: null };
      excess -= cheapest.operationCount;
      evict.push(cheapest);
    }
    return { evict };
  }

  wasEvicted(tx: Transaction): void {
    this.#lastEvicted = tx;
  }

  ledgerClosed(): void {
    this.#lastEvicted = null;
  }
}
