import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';

/** One operation of a transaction that is in a ledger, with everything that Horizon's records of it need. */
export type AppliedOperation = {
  /** The transaction whose operations were applied: of a fee-bump the inner one. */
  transaction: xdr.TransactionWire;
  /** Index of the operation in the transaction, from 0. */
  index: number;
  operation: xdr.OperationWire;
  /** The source account of the operation, else that of the transaction. */
  source: xdr.MuxedAccountWire;
  /** Present for a failed transaction too. */
  result: xdr.OperationResultWire;
  /** Whether the whole transaction took effect. */
  successful: boolean;
  /** Null when the transaction failed. */
  meta: xdr.OperationMetaV2Wire | null;
  ledger: number;
  passphrase: string;
};

/** Result of an operation of a successful transaction. Must not be called for a failed one. */
export function successOf(at: AppliedOperation): xdr.OperationResultTrWire {
  assert.ok(at.successful && at.result.code === 0, 'only operations that took effect have a result');
  return at.result.tr;
}
