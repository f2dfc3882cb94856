import type { Header } from './account.ts';
import { INT64_MAX, smaller } from './bytes.ts';
import type { Transaction } from './transaction.ts';

/** The least that a transaction must offer, in stroops: base fee for each operation, and one more for a fee-bump. */
export function minimumFee(header: Header, tx: Transaction): bigint {
  return BigInt(header.baseFee) * BigInt(Math.max(1, tx.operationCount));
}

/**
 * What is really taken, in stroops: no ledger here is in surge pricing, so the base fee for each operation, and
 * never more than was offered (stellar-core, TransactionFrame::getFee while applying).
 */
export function feeToCharge(header: Header, tx: Transaction): bigint {
  return smaller(tx.feeBid, minimumFee(header, tx));
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
  const queuedOperations = BigInt(Math.max(1, queued.operationCount));
  const needed = REPLACE_FEE_MULTIPLIER * queued.feeBid * BigInt(Math.max(1, tx.operationCount));
  if (tx.feeBid * queuedOperations >= needed) return null;
  return roundUp(needed, queuedOperations);
}

function roundUp(dividend: bigint, divisor: bigint): bigint {
  const quotient = (dividend + divisor - 1n) / divisor;
  return smaller(quotient, INT64_MAX);
}
