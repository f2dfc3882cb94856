import type { Place } from '../store/history-query.ts';

/** What a cursor is at most: int64. */
export const MAX_TOID = 2n ** 63n - 1n;

const MAX_ORDER = 0xfffff;
const MAX_OPERATION = 0xfff;

/**
 * Horizon's "total order id" of a ledger, a transaction or an operation: one number that grows along history.
 * @param operation from 1; 0 for the transaction itself, or with order 0 the ledger
 */
export function toid(ledger: number, order = 0, operation = 0): bigint {
  return (BigInt(ledger) << 32n) | (BigInt(order) << 12n) | BigInt(operation);
}

/** The last id that the ledger can have. */
export function lastToidOf(ledger: number): bigint {
  return toid(ledger, MAX_ORDER, MAX_OPERATION);
}

/** The transaction that the id is or belongs to. */
export function placeOf(id: bigint): Place {
  return { ledger: Number(id >> 32n), application_order: Number((id >> 12n) & BigInt(MAX_ORDER)) };
}

/** From 1; 0 when the id is that of a transaction or ledger. */
export function operationOf(id: bigint): number {
  return Number(id & BigInt(MAX_OPERATION));
}
