import type { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../account.ts';
import type { ContractRun } from '../contract/contract-run.ts';
import type { EventSink } from '../events.ts';
import type { LedgerTxn } from '../ledger-txn.ts';
import type { ReserveProblem, Sponsorships } from '../sponsorship.ts';
import type { Transaction } from '../transaction.ts';

export type Body = xdr.OperationBodyWire;
export type OperationResult = xdr.OperationResultWire;

/** Index in the thresholds of an account. */
export const LOW = 1;
export const MEDIUM = 2;
export const HIGH = 3;
export type ThresholdLevel = typeof LOW | typeof MEDIUM | typeof HIGH;

export type CheckContext = { header: Header; source: Uint8Array };
export type ApplyContext = CheckContext & {
  txn: LedgerTxn;
  events: EventSink;
  sponsorships: Sponsorships;
  /** The transaction (of a fee-bump the inner one), and the index of the operation in it, from 0. */
  tx: Transaction;
  index: number;
  /** The source that the operation names, else that of the transaction. It may be muxed. */
  muxedSource: xdr.MuxedAccountWire;
  /** The highest sequence number of this account that a transaction of this ledger uses (CAP-21). */
  highestSequence(account: Uint8Array): bigint | undefined;
  /** Present for contract transactions only. */
  contract: ContractRun | null;
};

/**
 * The rules of one kind of operation. `check` reads only the operation and runs at submission and again before
 * `apply`. `apply` changes `txn`; after a failure it need not undo anything, because the overlay is dropped.
 * To add an operation, write its rules and name them in registry.ts.
 */
export type OperationRules<T extends Body['type']> = RulesFor<Extract<Body, { type: T }>> & { type: T };
export type AnyOperationRules = RulesFor<Body> & { type: Body['type'] };

type RulesFor<B> = {
  /** False when the network does not support this variant: submission answers opNOT_SUPPORTED. */
  supported(body: B): boolean;
  threshold(body: B): ThresholdLevel;
  /** The failure that the fields of the operation cause, or null. */
  check(body: B, context: CheckContext): OperationResult | null;
  apply(body: B, context: ApplyContext): OperationResult;
  /** The success result, also for operations that were never tried. */
  success: OperationResult;
};

export const OP_BAD_AUTH: OperationResult = { code: -1 };
export const OP_NO_ACCOUNT: OperationResult = { code: -2 };
export const OP_NOT_SUPPORTED: OperationResult = { code: -3 };
export const OP_TOO_MANY_SUBENTRIES: OperationResult = { code: -4 };
export const OP_EXCEEDED_WORK_LIMIT: OperationResult = { code: -5 };

/** The failure when nobody can pay the reserve of the new entry; `lowReserve` is the operation's code for that. */
export function reserveFailure(problem: ReserveProblem, lowReserve: OperationResult): OperationResult {
  return problem === 'too_many_subentries' ? OP_TOO_MANY_SUBENTRIES : lowReserve;
}

export function succeeded(result: OperationResult): boolean {
  if (result.code !== 0) return false;
  const inner: { code?: number } | undefined = Object.values(result.tr).find(
    (field) => typeof field === 'object',
  );
  return inner?.code === 0;
}
