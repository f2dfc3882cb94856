import type { Header } from './account.ts';
import { INT64_MAX, smaller } from './bytes.ts';
import type { Transaction } from './transaction.ts';

/** What fees are counted by: one more for a fee-bump (CAP-15). Never 0, also for a transaction that is refused for it. */
function operationsOf(tx: Transaction): bigint {
  return BigInt(Math.max(1, tx.operationCount));
}

/** The least that a transaction must offer, in stroops. */
export function minimumFee(header: Header, tx: Transaction): bigint {
  return BigInt(header.baseFee) * operationsOf(tx);
}

/**
 * What is really taken, in stroops: the base fee for each operation, and never more than was offered (stellar-core,
 * TransactionFrame::getFee while applying). Under surge pricing the base fee is the transaction set's own.
 */
export function feeToCharge(header: Header, tx: Transaction, baseFee = BigInt(header.baseFee)): bigint {
  return smaller(tx.feeBid, baseFee * operationsOf(tx));
}

/**
 * The fee that a fee-bump's inner result shows, in stroops. Nobody pays it: up to protocol 24 it is what the inner
 * transaction would have been charged by itself, since then 0 (seen in ledgers of protocols 19 to 28).
 */
export function innerFeeShown(header: Header, tx: Transaction): bigint {
  return tx.inner === null || header.ledgerVersion >= 25 ? 0n : feeToCharge(header, tx.inner);
}

/**
 * CAP-15: a fee-bump must offer at least as much per operation as its inner transaction does.
 * @returns the fee that would be enough, in stroops, or null when the offer is
 */
export function feeBumpShortfall(header: Header, tx: Transaction, inner: Transaction): bigint | null {
  const innerMinimum = minimumFee(header, inner);
  const needed = inner.feeBid * minimumFee(header, tx);
  if (tx.feeBid * innerMinimum >= needed) return null;
  return roundUp(needed, innerMinimum);
}

/** Q6: replacing a queued transaction takes a fee-bump of the same sequence number at ten times the fee per operation. */
const REPLACE_FEE_MULTIPLIER = 10n;

/** @returns the fee that would replace `queued`, in stroops, or null when `tx` offers it (core, canReplaceByFee) */
export function replacementShortfall(tx: Transaction, queued: Transaction): bigint | null {
  const needed = REPLACE_FEE_MULTIPLIER * queued.feeBid * operationsOf(tx);
  if (tx.feeBid * operationsOf(queued) >= needed) return null;
  return roundUp(needed, operationsOf(queued));
}

/** Orders by the fee offered for each operation, exactly (stellar-core, feeRate3WayCompare). */
export function compareFeeRates(a: Transaction, b: Transaction): number {
  const left = a.feeBid * operationsOf(b);
  const right = b.feeBid * operationsOf(a);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The least fee with which `tx` pays more for each operation than `rival`, in stroops (core, computeBetterFee). */
export function feeToBeat(rival: Transaction, tx: Transaction): bigint {
  return smaller((rival.feeBid * operationsOf(tx)) / operationsOf(rival) + 1n, INT64_MAX);
}

/** In whole stroops, rounded down (stellar-core, computePerOpFee since protocol 20). */
export function feePerOperation(tx: Transaction): bigint {
  return tx.feeBid / operationsOf(tx);
}

function roundUp(dividend: bigint, divisor: bigint): bigint {
  const quotient = (dividend + divisor - 1n) / divisor;
  return smaller(quotient, INT64_MAX);
}
