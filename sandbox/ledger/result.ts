import { xdr } from '@stellar/stellar-sdk/base';
import { placeholderOf } from './operations/registry.ts';
import type { OperationResult } from './operations/rules.ts';
import type { Transaction } from './transaction.ts';

/** The outcome of a transaction; of a fee-bump, that of its inner transaction. */
export type Outcome = xdr.InnerTransactionResultResultWire;

export const TX = {
  success: 0,
  failed: -1,
  tooEarly: -2,
  tooLate: -3,
  missingOperation: -4,
  badSeq: -5,
  badAuth: -6,
  insufficientBalance: -7,
  noAccount: -8,
  insufficientFee: -9,
  badAuthExtra: -10,
  malformed: -16,
  sorobanInvalid: -17,
  frozenKeyAccessed: -18,
  badSponsorship: -14,
  badMinSeqAgeOrGap: -15,
} as const;

/** Results of all operations: the failed ones as given, those never tried as success, as in stellar-core. */
export function failedWith(tx: Transaction, failures: ReadonlyMap<number, OperationResult>): Outcome {
  const results = tx.tx.operations.map(({ body }, index) => failures.get(index) ?? placeholderOf(body));
  return { code: TX.failed, results };
}

/** The TransactionResult of a plain transaction, or of a fee-bump that passed its own checks (CAP-15). */
export function toResult(
  tx: Transaction,
  outcome: Outcome,
  fee: { charged: bigint; inner: bigint },
): xdr.TransactionResultWire {
  if (tx.inner === null) return { feeCharged: fee.charged, result: outcome, ext: { v: 0 } };
  const result: xdr.InnerTransactionResultWire = { feeCharged: fee.inner, result: outcome, ext: { v: 0 } };
  const innerResultPair = { transactionHash: tx.inner.hash, result };
  const code = outcome.code === TX.success ? 1 : -13;
  return { feeCharged: fee.charged, result: { code, innerResultPair }, ext: { v: 0 } };
}

export function encodeResult(result: xdr.TransactionResultWire): Uint8Array {
  return xdr.TransactionResult.schema.encode(result);
}

/** Whether the operations of the transaction took effect. */
export function isSuccess(result: xdr.TransactionResultWire): boolean {
  return result.result.code === 0 || result.result.code === 1;
}
