import type { FeeOrder } from './fee-order.ts';
import { feePerOperation } from './ledger/fees.ts';
import type { Transaction } from './ledger/transaction.ts';

/** What goes into a ledger, and what each of its operations pays at most, in stroops. */
export type LedgerChoice = { transactions: Transaction[]; baseFee: bigint };

/**
 * The highest bidders, up to `maxOperations` operations; where one does not fit, cheaper ones that do may go before it
 * (stellar-core, getMostTopTxsWithinLimits). When anything was left out, everybody pays what the cheapest one chosen
 * offers (computeLaneBaseFee), else the network's base fee.
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
