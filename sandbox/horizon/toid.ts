import type { Place } from '../store/history-query.ts';

/** The largest cursor: int64. */
export const MAX_TOID = 2n ** 63n - 1n;

const MAX_ORDER = 0xfffff;
const MAX_OPERATION = 0xfff;

/**
 * Horizon's "total order id" of a ledger, a transaction or an operation: a number that increases through history.
 * @param operation from 1; 0 for the transaction itself, or with order 0 for the ledger
 */
export function toid(ledger: number, order = 0, operation = 0): bigint {
  return (BigInt(ledger) << 32n) | (BigInt(order) << 12n) | BigInt(operation);
}

/** The largest id in the ledger. */
export function lastToidOf(ledger: number): bigint {
  return toid(ledger, MAX_ORDER, MAX_OPERATION);
}

/** The transaction of the id. */
export function placeOf(id: bigint): Place {
  return { ledger: Number(id >> 32n), application_order: Number((id >> 12n) & BigInt(MAX_ORDER)) };
}

/** From 1; 0 for the id of a transaction or ledger. */
export function operationOf(id: bigint): number {
  return Number(id & BigInt(MAX_OPERATION));
}
