import { compareFeeRates } from './ledger/fees.ts';
import type { Transaction } from './ledger/transaction.ts';

/**
 * Transactions by the fee they offer for each operation, cheapest first. Equal bids are ordered by full hash.
 * stellar-core orders them at random (in its own tests by this hash); here a run must be repeatable.
 */
export class FeeOrder implements Iterable<Transaction> {
  readonly #sorted: Transaction[] = [];
  #operationCount = 0;

  get operationCount(): number {
    return this.#operationCount;
  }

  [Symbol.iterator](): Iterator<Transaction> {
    return this.#sorted.values();
  }

  dearestFirst(): Transaction[] {
    return this.#sorted.toReversed();
  }

  add(tx: Transaction): void {
    this.#sorted.splice(this.#placeOf(tx), 0, tx);
    this.#operationCount += tx.operationCount;
  }

  delete(tx: Transaction): void {
    const place = this.#placeOf(tx);
    if (this.#sorted[place] !== tx)
      throw new Error('a transaction that is not in the order cannot be removed');
    this.#sorted.splice(place, 1);
    this.#operationCount -= tx.operationCount;
  }

  /** The index of `tx`, or the index where it belongs. */
  #placeOf(tx: Transaction): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.#sorted[middle] as Transaction, tx) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compare(a: Transaction, b: Transaction): number {
  return compareFeeRates(a, b) || Buffer.compare(a.fullHash, b.fullHash);
}
