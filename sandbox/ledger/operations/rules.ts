import type { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../account.ts';
import type { EventSink } from '../events.ts';
import type { LedgerTxn } from '../ledger-txn.ts';
import type { ReserveProblem, Sponsorships } from '../sponsorship.ts';
import type { Transaction } from '../transaction.ts';

export type Body = xdr.OperationBodyWire;
export type OperationResult = xdr.OperationResultWire;

/** Index into an account's thresholds. */
export const LOW = 1;
export const MEDIUM = 2;
export const HIGH = 3;
export type ThresholdLevel = typeof LOW | typeof MEDIUM | typeof HIGH;

export type CheckContext = { header: Header; source: Uint8Array };
export type ApplyContext = CheckContext & {
  txn: LedgerTxn;
  events: EventSink;
  sponsorships: Sponsorships;
  /** The transaction (of a fee-bump, the inner one) and the operation's place in it, from 0. */
  tx: Transaction;
  index: number;
  /** The source as the operation, or else the transaction, names it: it may be muxed. */
  muxedSource: xdr.MuxedAccountWire;
  /** The highest sequence number that a transaction of this ledger uses up of this account (CAP-21). */
  highestSequence(account: Uint8Array): bigint | undefined;
};

/**
 * What one kind of operation means. `check` looks only at the operation itself and runs at submission and again
 * before `apply`; `apply` changes `txn` and need not undo anything when it fails, since a failed operation's
 * overlay is dropped. To add an operation: write one of these and name it in registry.ts.
 */
export type OperationRules<T extends Body['type']> = RulesFor<Extract<Body, { type: T }>> & { type: T };
export type AnyOperationRules = RulesFor<Body> & { type: Body['type'] };

type RulesFor<B> = {
  /** False when this network cannot do this variant at all: answered with opNOT_SUPPORTED at submission. */
  supported(body: B): boolean;
  threshold(body: B): ThresholdLevel;
  /** The failure that the operation's own fields lead to, or null. */
  check(body: B, context: CheckContext): OperationResult | null;
  apply(body: B, context: ApplyContext): OperationResult;
  /** Also the placeholder in the results of a transaction that never got as far as this operation. */
  success: OperationResult;
};

export const OP_BAD_AUTH: OperationResult = { code: -1 };
export const OP_NO_ACCOUNT: OperationResult = { code: -2 };
export const OP_NOT_SUPPORTED: OperationResult = { code: -3 };
export const OP_TOO_MANY_SUBENTRIES: OperationResult = { code: -4 };
export const OP_EXCEEDED_WORK_LIMIT: OperationResult = { code: -5 };

/** The result of an operation whose new entry nobody could pay for; `lowReserve` is its own code for that. */
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
