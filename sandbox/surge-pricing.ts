import type { FeeOrder } from './fee-order.ts';
import { feePerOperation } from './ledger/fees.ts';
import type { Transaction } from './ledger/transaction.ts';

/** The transactions of a ledger, and the most that each of their operations pays, in stroops. */
export type LedgerChoice = { transactions: Transaction[]; baseFee: bigint };

/**
 * The highest bids, up to `maxOperations` operations. Where a transaction does not fit, cheaper ones that fit go
 * first (stellar-core, getMostTopTxsWithinLimits). If any was left out, all pay the lowest chosen bid
 * (computeLaneBaseFee), else the base fee of the network.
 */
export function chooseForLedger(
  queued: FeeOrder,
  maxOperations: number,
  minimumBaseFee: bigint,
): LedgerChoice {
  const transactions: Transaction[] = [];
  let room = maxOperations;
  for (const tx of queued.dearestFirst()) {
    if (tx.operationCount > room) continue;
    room -= tx.operationCount;
    transactions.push(tx);
  }
  const cheapest = transactions.at(-1);
  const everythingFits = queued.operationCount <= maxOperations;
  const baseFee = everythingFits || cheapest === undefined ? minimumBaseFee : feePerOperation(cheapest);
  return { transactions, baseFee };
}
