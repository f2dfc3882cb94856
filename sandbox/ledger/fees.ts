import type { Header } from './account.ts';
import { INT64_MAX, smaller } from './bytes.ts';
import type { Transaction } from './transaction.ts';

/** The least for each operation, in stroops: of a ledger's header, or of whoever goes by it. */
type WithBaseFee = { baseFee: number | bigint };

/** What fees are counted by: one more for a fee-bump (CAP-15). Never 0, also for a transaction that is refused for it. */
function operationsOf(tx: Transaction): bigint {
  return BigInt(Math.max(1, tx.operationCount));
}

/** What is paid for the resources of a contract transaction, in stroops; part of it is given back. */
function resourceFee(tx: Transaction): bigint {
  return tx.soroban?.resourceFee ?? 0n;
}

/** What is offered for a place in a ledger, in stroops: all but the resource fee (CAP-46-7). */
export function inclusionBid(tx: Transaction): bigint {
  return tx.feeBid - resourceFee(tx);
}

/** The least inclusion fee, in stroops. */
function minimumInclusionFee(header: WithBaseFee, tx: Transaction): bigint {
  return BigInt(header.baseFee) * operationsOf(tx);
}

/** The least that a transaction must offer, in stroops. */
export function minimumFee(header: WithBaseFee, tx: Transaction): bigint {
  return minimumInclusionFee(header, tx) + resourceFee(tx);
}

/**
 * What is really taken, in stroops: the base fee for each operation, and never more than was offered (stellar-core,
 * TransactionFrame::getFee while applying). Under surge pricing the base fee is the transaction set's own.
 */
export function feeToCharge(tx: Transaction, baseFee: bigint): bigint {
  return smaller(tx.feeBid, baseFee * operationsOf(tx) + resourceFee(tx));
}

/**
 * The fee that a fee-bump's inner result shows, in stroops. Nobody pays it: up to protocol 24 it is what the inner
 * transaction would have been charged by itself, since then 0 (seen in ledgers of protocols 19 to 28).
 */
export function innerFeeShown(header: Header, tx: Transaction, baseFee: bigint): bigint {
  return tx.inner === null || header.ledgerVersion >= 25 ? 0n : feeToCharge(tx.inner, baseFee);
}

/**
 * CAP-15: a fee-bump must offer at least as much per operation as its inner transaction does.
 * @returns the fee that would be enough, in stroops, or null when the offer is
 */
export function feeBumpShortfall(header: Header, tx: Transaction, inner: Transaction): bigint | null {
  const innerMinimum = minimumInclusionFee(header, inner);
  const needed = inclusionBid(inner) * minimumInclusionFee(header, tx);
  if (inclusionBid(tx) * innerMinimum >= needed) return null;
  return roundUp(needed, innerMinimum);
}

/** Q6: replacing a queued transaction takes a fee-bump of the same sequence number at ten times the fee per operation. */
const REPLACE_FEE_MULTIPLIER = 10n;

/** @returns the fee that would replace `queued`, in stroops, or null when `tx` offers it (core, canReplaceByFee) */
export function replacementShortfall(tx: Transaction, queued: Transaction): bigint | null {
  const needed = REPLACE_FEE_MULTIPLIER * inclusionBid(queued) * operationsOf(tx);
  if (inclusionBid(tx) * operationsOf(queued) >= needed) return null;
  return roundUp(needed, operationsOf(queued));
}

/** Orders by the fee offered for each operation, exactly (stellar-core, feeRate3WayCompare). */
export function compareFeeRates(a: Transaction, b: Transaction): number {
  const left = inclusionBid(a) * operationsOf(b);
  const right = inclusionBid(b) * operationsOf(a);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The least inclusion fee with which `tx` pays more for each operation than `rival`, in stroops (core, computeBetterFee). */
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
