import { FeeOrder } from './fee-order.ts';
import { sameBytes } from './ledger/bytes.ts';
import { compareFeeRates, feeToBeat } from './ledger/fees.ts';
import type { Transaction } from './ledger/transaction.ts';

/** Ledgers' worth of operations that a node holds (stellar-core, TRANSACTION_QUEUE_SIZE_MULTIPLIER). */
const POOL_LEDGERS = 2;

/** Whom to throw out for a transaction; or, refusing it, the fee in stroops that would do, null when none would. */
export type Room = { evict: Transaction[] } | { neededFee: bigint | null };

/**
 * The size of the queue, in operations (stellar-core, herder/TxQueueLimiter.cpp and canFitWithEviction in
 * SurgePricingUtils.cpp): when it is full, one who pays more for each operation drives out the cheapest.
 */
export class QueueLimit {
  readonly order = new FeeOrder();
  /** The dearest thrown out since the last ledger: one that pays no more must not slip in where it made room. */
  #lastEvicted: Transaction | null = null;

  /** @param replaced the queued transaction whose place `tx` would take, if any */
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
