import type { Header } from './account.ts';
import { INT64_MAX, smaller } from './bytes.ts';
import type { Transaction } from './transaction.ts';

/** Lowest fee for each operation, in stroops. */
type WithBaseFee = { baseFee: number | bigint };

/**
 * Operations that fees count: a fee-bump has one more (CAP-15). Never 0, even for a transaction that will be
 * refused for it.
 */
function operationsOf(tx: Transaction): bigint {
  return BigInt(Math.max(1, tx.operationCount));
}

/** Fee for the resources of a contract transaction, in stroops. A part of it may be refunded. */
function resourceFee(tx: Transaction): bigint {
  return tx.soroban?.resourceFee ?? 0n;
}

/** The bid for a place in a ledger, in stroops: the fee without the resource fee (CAP-46-7). */
export function inclusionBid(tx: Transaction): bigint {
  return tx.feeBid - resourceFee(tx);
}

/** Lowest inclusion fee, in stroops. */
function minimumInclusionFee(header: WithBaseFee, tx: Transaction): bigint {
  return BigInt(header.baseFee) * operationsOf(tx);
}

/** Lowest fee that a transaction must offer, in stroops. */
export function minimumFee(header: WithBaseFee, tx: Transaction): bigint {
  return minimumInclusionFee(header, tx) + resourceFee(tx);
}

/**
 * The fee that is taken, in stroops: the base fee for each operation, at most the bid (stellar-core,
 * TransactionFrame::getFee when applying). Under surge pricing, the base fee of the transaction set counts.
 */
export function feeToCharge(tx: Transaction, baseFee: bigint): bigint {
  return smaller(tx.feeBid, baseFee * operationsOf(tx) + resourceFee(tx));
}

/**
 * The fee in the inner result of a fee-bump, in stroops. Nobody pays it: up to protocol 24 it is the fee that the
 * inner transaction would pay alone, since then 0 (observed in ledgers of protocols 19 to 28).
 */
export function innerFeeShown(header: Header, tx: Transaction, baseFee: bigint): bigint {
  return tx.inner === null || header.ledgerVersion >= 25 ? 0n : feeToCharge(tx.inner, baseFee);
}

/**
 * CAP-15: a fee-bump must offer at least as much for each operation as its inner transaction.
 * @returns the fee that would be enough, in stroops, or null when the offer is enough
 */
export function feeBumpShortfall(header: Header, tx: Transaction, inner: Transaction): bigint | null {
  const innerMinimum = minimumInclusionFee(header, inner);
  const needed = inclusionBid(inner) * minimumInclusionFee(header, tx);
  if (inclusionBid(tx) * innerMinimum >= needed) return null;
  return roundUp(needed, innerMinimum);
}

/**
 * Q6: only a fee-bump with the same sequence number and ten times the fee for each operation replaces a queued
 * transaction.
 */
const REPLACE_FEE_MULTIPLIER = 10n;

/**
 * @returns the fee that would replace `queued`, in stroops, or null when `tx` offers it (stellar-core,
 * canReplaceByFee)
 */
export function replacementShortfall(tx: Transaction, queued: Transaction): bigint | null {
  const needed = REPLACE_FEE_MULTIPLIER * inclusionBid(queued) * operationsOf(tx);
  if (inclusionBid(tx) * operationsOf(queued) >= needed) return null;
  return roundUp(needed, operationsOf(queued));
}

/** Compares the fees offered for each operation, exactly (stellar-core, feeRate3WayCompare). */
export function compareFeeRates(a: Transaction, b: Transaction): number {
  const left = inclusionBid(a) * operationsOf(b);
  const right = inclusionBid(b) * operationsOf(a);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * Lowest inclusion fee in stroops with which `tx` pays more for each operation than `rival` (stellar-core,
 * computeBetterFee).
 */
export function feeToBeat(rival: Transaction, tx: Transaction): bigint {
  return smaller((inclusionBid(rival) * operationsOf(tx)) / operationsOf(rival) + 1n, INT64_MAX);
}

/** In whole stroops, rounded down (stellar-core, computePerOpFee since protocol 20). */
export function feePerOperation(tx: Transaction): bigint {
  return inclusionBid(tx) / operationsOf(tx);
}

function roundUp(dividend: bigint, divisor: bigint): bigint {
  const quotient = (dividend + divisor - 1n) / divisor;
  return smaller(quotient, INT64_MAX);
}
