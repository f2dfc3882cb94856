import type { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from './account.ts';
import { thresholdOf } from './account.ts';
import type { LedgerView } from './ledger-txn.ts';
import { loadAccount } from './ledger-txn.ts';
import { rulesOf } from './operations/registry.ts';
import type { ApplyContext, OperationResult } from './operations/rules.ts';
import { MEDIUM, OP_BAD_AUTH, OP_NO_ACCOUNT, OP_NOT_SUPPORTED } from './operations/rules.ts';
import type { SignatureChecker } from './signatures.ts';
import type { Transaction } from './transaction.ts';
import { ed25519Of } from './transaction.ts';

/**
 * The parts that all operations share: source, signatures, and the choice of rules (stellar-core,
 * OperationFrame.cpp).
 */

export function sourceOf(tx: Transaction, operation: xdr.OperationWire): Uint8Array {
  return operation.sourceAccount === null ? tx.source : ed25519Of(operation.sourceAccount);
}

/** The result that refuses the operation at submission, or null (stellar-core, OperationFrame::checkValid). */
export function operationProblem(
  view: LedgerView,
  header: Header,
  tx: Transaction,
  operation: xdr.OperationWire,
  checker: SignatureChecker,
): OperationResult | null {
  const rules = rulesOf(operation.body);
  if (rules === undefined) return OP_NOT_SUPPORTED;
  const unsigned = operationSigned(view, tx, operation, checker);
  return unsigned ?? rules.check(operation.body, { header, source: sourceOf(tx, operation) });
}

/**
 * Whether the source account of the operation has signed with enough weight. An earlier operation may create an
 * account that does not exist, so for such an account the signature of its own key is enough.
 * @returns null, or the failure
 */
export function operationSigned(
  view: LedgerView,
  tx: Transaction,
  operation: xdr.OperationWire,
  checker: SignatureChecker,
): OperationResult | null {
  const source = sourceOf(tx, operation);
  const account = loadAccount(view, source);
  if (account === undefined) {
    if (operation.sourceAccount === null) return OP_NO_ACCOUNT;
    return checker.keySigned(source) ? null : OP_BAD_AUTH;
  }
  const level = rulesOf(operation.body)?.threshold(operation.body) ?? MEDIUM;
  return checker.accountSigned(account, thresholdOf(account, level)) ? null : OP_BAD_AUTH;
}

/** What an operation needs to be applied: its transaction, and the entries. */
type Surroundings = Omit<ApplyContext, 'source' | 'muxedSource'>;

export function applyOperation(operation: xdr.OperationWire, surroundings: Surroundings): OperationResult {
  const { header, tx, txn } = surroundings;
  const rules = rulesOf(operation.body);
  if (rules === undefined) return OP_NOT_SUPPORTED;
  const source = sourceOf(tx, operation);
  if (loadAccount(txn, source) === undefined) return OP_NO_ACCOUNT;
  const muxedSource = operation.sourceAccount ?? tx.tx.sourceAccount;
  const failure = rules.check(operation.body, { header, source });
  return failure ?? rules.apply(operation.body, { ...surroundings, source, muxedSource });
}
