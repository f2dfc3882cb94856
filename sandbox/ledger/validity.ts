import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from './account.ts';
import { availableBalance, sequenceUse, startingSequence, thresholdOf } from './account.ts';
import { base64, INT64_MAX } from './bytes.ts';
import { contractProblem, lacksResourceFee } from './contract/validity.ts';
import type { Account } from './entry.ts';
import { accountKey } from './entry.ts';
import { feeBumpShortfall, minimumFee } from './fees.ts';
import type { FrozenKeys } from './frozen.ts';
import { accessesFrozenKey, NOTHING_FROZEN } from './frozen.ts';
import type { LedgerView } from './ledger-txn.ts';
import { loadAccount } from './ledger-txn.ts';
import { operationProblem } from './operation.ts';
import type { Outcome } from './result.ts';
import { failedWith, TX, toResult } from './result.ts';
import { SignatureChecker } from './signatures.ts';
import type { Transaction } from './transaction.ts';
import { preconditionsOf, timeBoundsOf } from './transaction.ts';

/** Seconds by which the next close time may differ from that of the header: earliest and latest (Q10). */
export type CloseTimeOffsets = { lower: bigint; upper: bigint };

export const NO_OFFSETS: CloseTimeOffsets = { lower: 0n, upper: 0n };

/** The last check that passed, without those of operations (stellar-core, TransactionFrame::ValidationType). */
export type ValidationLevel = 'invalid' | 'sequence_usable' | 'signed' | 'valid';
export type CommonCheck = { level: ValidationLevel; code: Exclude<Outcome['code'], 0 | -1> | 0 };

/**
 * Checks whether the ledger of `header` would take this transaction (stellar-core, checkValid).
 * @param frozen entries that no transaction may name
 * @returns null, or the TransactionResult with which a node answers the submission
 */
export function checkValid(
  view: LedgerView,
  header: Header,
  tx: Transaction,
  offsets: CloseTimeOffsets,
  frozen: FrozenKeys = NOTHING_FROZEN,
): xdr.TransactionResultWire | null {
  if (lacksResourceFee(tx) || bidsBelowNothing(header, tx)) {
    return { feeCharged: 0n, result: { code: TX.malformed }, ext: { v: 0 } };
  }
  const fee = { charged: minimumFee(header, tx), inner: 0n };
  if (tx.inner === null) {
    const outcome = checkPlain(view, header, tx, { offsets, frozen }, true);
    return outcome === null ? null : toResult(tx, outcome, fee);
  }
  const problem = feeBumpProblem(view, header, tx, tx.inner, frozen);
  if (problem !== null) return problem;
  const outcome = checkPlain(view, header, tx.inner, { offsets, frozen }, false);
  return outcome === null ? null : toResult(tx, outcome, fee);
}

/**
 * Only a fee-bump can have a negative bid; before stellar-core 20 that was one more bid below the minimum
 * (XDRProvidesValidFee).
 */
function bidsBelowNothing(header: Header, { feeBid }: Transaction): boolean {
  return header.ledgerVersion >= 20 && feeBid < 0n;
}

function checkPlain(
  view: LedgerView,
  header: Header,
  tx: Transaction,
  limits: { offsets: CloseTimeOffsets; frozen: FrozenKeys },
  paysFee: boolean,
): Outcome | null {
  const checker = new SignatureChecker(tx.hash, tx.signatures);
  const common = checkCommon(view, header, tx, checker, {
    ...limits,
    feeToHold: paysFee ? tx.feeBid : null,
  });
  if (common.code !== 0) return { code: common.code };
  for (const [index, operation] of tx.tx.operations.entries()) {
    const failure = operationProblem(view, header, tx, operation, checker);
    if (failure !== null) return failedWith(tx, new Map([[index, failure]]));
  }
  return checker.everySignatureUsed() ? null : { code: TX.badAuthExtra };
}

/** stellar-core, FeeBumpTransactionFrame.cpp. The outer transaction is checked here, not when it is applied. */
function feeBumpProblem(
  view: LedgerView,
  header: Header,
  tx: Transaction,
  inner: Transaction,
  frozen: FrozenKeys,
): xdr.TransactionResultWire | null {
  const refuse = (code: -6 | -7 | -8 | -9 | -10 | -18, feeCharged = minimumFee(header, tx)) =>
    ({ feeCharged, result: { code }, ext: { v: 0 } }) satisfies xdr.TransactionResultWire;

  if (tx.feeBid < minimumFee(header, tx)) return refuse(TX.insufficientFee);
  const needed = feeBumpShortfall(header, tx, inner);
  if (needed !== null) return refuse(TX.insufficientFee, needed);
  const payer = loadAccount(view, tx.feeSource);
  if (payer === undefined) return refuse(TX.noAccount);
  if (frozen.has(accountKey(tx.feeSource))) return refuse(TX.frozenKeyAccessed);
  const checker = new SignatureChecker(tx.hash, tx.signatures);
  if (!checker.accountSigned(payer, thresholdOf(payer, 1))) return refuse(TX.badAuth);
  if (availableBalance(header, payer) < tx.feeBid) return refuse(TX.insufficientBalance);
  return checker.everySignatureUsed() ? null : refuse(TX.badAuthExtra);
}

/**
 * Checks a transaction without its operations, in stellar-core's order (TransactionFrame::commonValid). `feeToHold`
 * must be available above the reserve, in stroops: the bid at submission, 0 when the fee has been taken, null when
 * a fee-bump pays.
 */
export function checkCommon(
  view: LedgerView,
  header: Header,
  tx: Transaction,
  checker: SignatureChecker,
  {
    offsets,
    feeToHold,
    frozen = NOTHING_FROZEN,
  }: { offsets: CloseTimeOffsets; feeToHold: bigint | null; frozen?: FrozenKeys },
): CommonCheck {
  const code = problemWithoutAccount(header, tx, offsets, feeToHold !== null);
  if (code !== null) return { level: 'invalid', code };
  const account = loadAccount(view, tx.source);
  if (account === undefined) return { level: 'invalid', code: TX.noAccount };
  if (accessesFrozenKey(tx, frozen)) return { level: 'invalid', code: TX.frozenKeyAccessed };

  if (isBadSequence(header, account, tx)) return { level: 'invalid', code: TX.badSeq };
  if (isTooEarlyForAccount(header, account, tx, offsets)) {
    return { level: 'sequence_usable', code: TX.badMinSeqAgeOrGap };
  }
  const extraSigners = preconditionsOf(tx.tx)?.extraSigners ?? [];
  const signed =
    checker.accountSigned(account, thresholdOf(account, 1)) &&
    (extraSigners.length === 0 || checker.allSigned(extraSigners));
  if (!signed) return { level: 'sequence_usable', code: TX.badAuth };
  if (feeToHold !== null && availableBalance(header, account) < feeToHold) {
    return { level: 'signed', code: TX.insufficientBalance };
  }
  return { level: 'valid', code: 0 };
}

function problemWithoutAccount(
  header: Header,
  tx: Transaction,
  offsets: CloseTimeOffsets,
  paysFee: boolean,
): -2 | -3 | -4 | -9 | -16 | -17 | null {
  if (hasMalformedExtraSigners(tx)) return TX.malformed;
  if (tx.tx.operations.length === 0) return TX.missingOperation;
  const problem = contractProblem(tx);
  if (problem !== null) return problem;
  if (isTooEarly(header, tx, offsets)) return TX.tooEarly;
  if (isTooLate(header, tx, offsets)) return TX.tooLate;
  return paysFee && tx.feeBid < minimumFee(header, tx) ? TX.insufficientFee : null;
}

function hasMalformedExtraSigners(tx: Transaction): boolean {
  const encoded = (preconditionsOf(tx.tx)?.extraSigners ?? []).map((key) => {
    const emptyPayload = key.type === 3 && key.ed25519SignedPayload.payload.length === 0;
    return emptyPayload ? null : base64(xdr.SignerKey.schema.encode(key));
  });
  return encoded.includes(null) || new Set(encoded).size !== encoded.length;
}

function isTooEarly(header: Header, { tx }: Transaction, offsets: CloseTimeOffsets): boolean {
  const minTime = timeBoundsOf(tx)?.minTime ?? 0n;
  if (minTime > header.scpValue.closeTime + offsets.lower) return true;
  return (preconditionsOf(tx)?.ledgerBounds?.minLedger ?? 0) > header.ledgerSeq;
}

/** Q9: maxTime is inclusive, maxLedger exclusive; 0 means without limit. */
function isTooLate(header: Header, { tx }: Transaction, offsets: CloseTimeOffsets): boolean {
  const maxTime = timeBoundsOf(tx)?.maxTime ?? 0n;
  if (maxTime !== 0n && maxTime < header.scpValue.closeTime + offsets.upper) return true;
  const maxLedger = preconditionsOf(tx)?.ledgerBounds?.maxLedger ?? 0;
  return maxLedger !== 0 && maxLedger <= header.ledgerSeq;
}

/** Q5: the number of the account plus one, unless minSeqNum allows a gap (CAP-21). */
function isBadSequence(header: Header, account: Account, { tx }: Transaction): boolean {
  // A number that a new account of this ledger could start from is never allowed.
  if (tx.seqNum === startingSequence(header)) return true;
  const minSeqNum = preconditionsOf(tx)?.minSeqNum ?? null;
  if (minSeqNum !== null) return account.seqNum < minSeqNum || account.seqNum >= tx.seqNum;
  return account.seqNum === INT64_MAX || account.seqNum + 1n !== tx.seqNum;
}

function isTooEarlyForAccount(
  header: Header,
  account: Account,
  { tx }: Transaction,
  offsets: CloseTimeOffsets,
): boolean {
  const conditions = preconditionsOf(tx);
  if (conditions === null) return false;
  const { seqLedger, seqTime } = sequenceUse(account);
  const earliest = header.scpValue.closeTime + offsets.lower;
  if (earliest - conditions.minSeqAge < seqTime) return true;
  return header.ledgerSeq - conditions.minSeqLedgerGap < seqLedger;
}
