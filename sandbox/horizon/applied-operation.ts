import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';

/** One operation of a transaction that is in a ledger, with all that Horizon's records of it are made from. */
export type AppliedOperation = {
  /** The one whose operations were applied: of a fee-bump, the inner one. */
  transaction: xdr.TransactionWire;
  /** Which of its operations, from 0. */
  index: number;
  operation: xdr.OperationWire;
  /** The operation's own source account, or else the transaction's. */
  source: xdr.MuxedAccountWire;
  /** Of a failed transaction too. */
  result: xdr.OperationResultWire;
  /** Whether the whole transaction took effect. */
  successful: boolean;
  /** Null when the transaction failed. */
  meta: xdr.OperationMetaV2Wire | null;
  ledger: number;
  passphrase: string;
};

/** What an operation of a successful transaction resulted in; of a failed one there is nothing to ask. */
export function successOf(at: AppliedOperation): xdr.OperationResultTrWire {
  assert.ok(at.successful && at.result.code === 0, 'only operations that took effect have a result');
  return at.result.tr;
}
