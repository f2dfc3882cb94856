import type { Header } from '../ledger/account.ts';
import { smaller } from '../ledger/bytes.ts';
import { minimumFee } from '../ledger/fees.ts';
import type { Transaction } from '../ledger/transaction.ts';

/** Free operations below which a transaction set counts as full (stellar-core, MAX_OPS_PER_TX). */
const MAX_OPERATIONS_OF_TRANSACTION = 100;

/**
 * The base fee of the transactions of a ledger, in stroops: if the set is nearly full, the lowest bid for an
 * operation in it (stellar-core 19, TxSetFrame getTxBaseFee).
 */
export function setBaseFee(header: Header, transactions: Transaction[]): bigint {
  const operations = transactions.reduce((sum, tx) => sum + tx.operationCount, 0);
  const nearlyFull = Math.max(0, header.maxTxSetSize - MAX_OPERATIONS_OF_TRANSACTION);
  if (operations <= nearlyFull) return BigInt(header.baseFee);
  const bids = transactions.map((tx) => divideUp(tx.feeBid, minimumFee(header, tx) / BigInt(header.baseFee)));
  return bids.reduce(smaller);
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
