import type { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from './account.ts';
import { withSequence } from './account.ts';
import { hex, sameBytes, smaller } from './bytes.ts';
import { ContractRun } from './contract/contract-run.ts';
import type { AssetContracts } from './events.ts';
import { EventSink, feeEvents } from './events.ts';
import { feeToCharge, innerFeeShown } from './fees.ts';
import { LedgerTxn, loadAccount, storeAccount, toXdrChanges } from './ledger-txn.ts';
import { applyOperation, operationSigned, sourceOf } from './operation.ts';
import type { OperationResult } from './operations/rules.ts';
import { succeeded } from './operations/rules.ts';
import type { Outcome } from './result.ts';
import { failedWith, TX, toResult } from './result.ts';
import { SignatureChecker } from './signatures.ts';
import { removeSigner, Sponsorships } from './sponsorship.ts';
import type { Transaction } from './transaction.ts';
import { isContractTransaction } from './transaction.ts';
import { checkCommon, NO_OFFSETS } from './validity.ts';

type Changes = xdr.LedgerEntryChangeWire[];

export type FeeCharge = { charged: bigint; changes: Changes };
/** The data that all transactions of one ledger share. */
export type LedgerContext = {
  contracts: AssetContracts;
  stateBytes?: bigint | undefined;
  /** Base fee of the transaction set, in stroops: above that of the header under surge pricing. */
  baseFee: bigint;
  /** By account key in hex: the highest sequence number that a transaction of this ledger uses. */
  highestSequences: ReadonlyMap<string, bigint>;
};

export function highestSequences(transactions: Transaction[]): ReadonlyMap<string, bigint> {
  const highest = new Map<string, bigint>();
  for (const { source, tx } of transactions) {
    const known = highest.get(hex(source));
    if (known === undefined || known < tx.seqNum) highest.set(hex(source), tx.seqNum);
  }
  return highest;
}

export type AppliedTransaction = {
  result: xdr.TransactionResultWire;
  meta: xdr.TransactionMetaV4Wire;
  /** The part of a contract transaction's resource fee that is refunded after all transactions, in stroops. */
  refund: bigint;
};

/**
 * Takes the fee. All fees of a ledger are taken before any transaction is applied. A fee may use the reserve of the
 * account (stellar-core, processFeeSeqNum).
 */
export function chargeFee(ledger: LedgerTxn, header: Header, tx: Transaction, baseFee: bigint): FeeCharge {
  const account = loadAccount(ledger, tx.feeSource);
  if (account === undefined)
    throw new Error('a transaction without an existing fee source cannot be in a ledger');
  const charged = smaller(feeToCharge(tx, baseFee), account.balance);
  const own = new LedgerTxn(ledger, header.ledgerSeq);
  storeAccount(own, { ...account, balance: account.balance - charged });
  const changes = toXdrChanges(own.changes());
  own.commitTo(ledger);
  return { charged, changes };
}

/**
 * Applies one transaction whose fee has been taken. It uses the sequence number; then all operations take effect,
 * or none (stellar-core, TransactionFrame::apply). Of a fee-bump, the inner transaction is applied.
 */
export function applyTransaction(
  ledger: LedgerTxn,
  header: Header,
  tx: Transaction,
  fee: FeeCharge,
  context: LedgerContext,
): AppliedTransaction {
  const content = tx.inner ?? tx;
  const checker = new SignatureChecker(content.hash, content.signatures);

  const outerChanges = tx.inner === null ? [] : useOneTimeSignerOfPayer(ledger, header, tx);
  const before = new LedgerTxn(ledger, header.ledgerSeq);
  const refused = prepare(before, header, content, checker, tx.inner === null);
  removeOneTimeSigners(before, content);
  const changesBefore = [...outerChanges, ...toXdrChanges(before.changes())];
  before.commitTo(ledger);

  const run = isContractTransaction(content) ? new ContractRun(content, context) : null;
  const { outcome, operations } =
    refused === null
      ? applyOperations(ledger, header, content, { ...context, run })
      : { outcome: refused, operations: [] };
  return {
    result: toResult(tx, outcome, {
      charged: fee.charged,
      inner: innerFeeShown(header, tx, context.baseFee),
    }),
    meta: {
      ext: { v: 0 },
      txChangesBefore: changesBefore,
      operations,
      txChangesAfter: [],
      sorobanMeta: run?.meta ?? null,
      events: feeEvents(context.contracts, tx.feeSource, fee.charged, 'before_all'),
      diagnosticEvents: run?.diagnosticEvents ?? [],
    },
    refund: run?.refund ?? 0n,
  };
}

/**
 * Checks sequence number and signatures. Null when the operations may be tried, else the failure of the
 * transaction.
 */
function prepare(
  txn: LedgerTxn,
  header: Header,
  tx: Transaction,
  checker: SignatureChecker,
  paysFee: boolean,
): Outcome | null {
  const options = { offsets: NO_OFFSETS, feeToHold: paysFee ? 0n : null };
  const common = checkCommon(txn, header, tx, checker, options);
  if (common.level !== 'invalid') {
    const account = loadAccount(txn, tx.source);
    if (account !== undefined) storeAccount(txn, withSequence(header, account, tx.tx.seqNum));
  }
  if (common.code !== 0) return { code: common.code };

  const unsigned = new Map<number, OperationResult>();
  for (const [index, operation] of tx.tx.operations.entries()) {
    const failure = operationSigned(txn, tx, operation, checker);
    if (failure !== null) unsigned.set(index, failure);
  }
  if (unsigned.size > 0) return failedWith(tx, unsigned);
  return checker.everySignatureUsed() ? null : { code: TX.badAuthExtra };
}

type Run = { outcome: Outcome; operations: xdr.OperationMetaV2Wire[] };

/** Tries every operation, also after one has failed: each has its own result (stellar-core, applyOperations). */
function applyOperations(
  ledger: LedgerTxn,
  header: Header,
  tx: Transaction,
  context: LedgerContext & { run: ContractRun | null },
): Run {
  const highestSequence = (account: Uint8Array) => context.highestSequences.get(hex(account));
  const all = new LedgerTxn(ledger, header.ledgerSeq);
  const sponsorships = new Sponsorships();
  const results: OperationResult[] = [];
  const operations: xdr.OperationMetaV2Wire[] = [];
  for (const [index, operation] of tx.tx.operations.entries()) {
    const own = new LedgerTxn(all, header.ledgerSeq);
    const sink = new EventSink(context.contracts, tx.tx.memo);
    const on = { txn: own, events: sink, sponsorships, contract: context.run };
    const result = applyOperation(operation, { header, tx, index, highestSequence, ...on });
    results.push(result);
    if (!succeeded(result)) continue;
    operations.push({ ext: { v: 0 }, changes: toXdrChanges(own.changes()), events: sink.events });
    own.commitTo(all);
  }
  if (!results.every(succeeded)) return { outcome: { code: TX.failed, results }, operations: [] };
  if (sponsorships.isOpen) return { outcome: { code: TX.badSponsorship }, operations: [] };
  all.commitTo(ledger);
  return { outcome: { code: TX.success, results }, operations };
}

/**
 * Removes pre-authorised signers. The account that pays a fee-bump counts as changed even without such a signer
 * (stellar-core, FeeBumpTransactionFrame).
 */
function useOneTimeSignerOfPayer(ledger: LedgerTxn, header: Header, tx: Transaction): Changes {
  const own = new LedgerTxn(ledger, header.ledgerSeq);
  const payer = loadAccount(own, tx.feeSource);
  if (payer !== undefined) storeAccount(own, payer);
  removeOneTimeSigner(own, tx.feeSource, tx.hash);
  const changes = toXdrChanges(own.changes());
  own.commitTo(ledger);
  return changes;
}

/** A signer that is a transaction hash is valid once. It is removed whatever the result of the transaction is. */
function removeOneTimeSigners(txn: LedgerTxn, tx: Transaction): void {
  removeOneTimeSigner(txn, tx.source, tx.hash);
  for (const operation of tx.tx.operations) removeOneTimeSigner(txn, sourceOf(tx, operation), tx.hash);
}

function removeOneTimeSigner(txn: LedgerTxn, ed25519: Uint8Array, hash: Uint8Array): void {
  const account = loadAccount(txn, ed25519);
  const at = account?.signers.findIndex(({ key }) => key.type === 1 && sameBytes(key.preAuthTx, hash)) ?? -1;
  if (account !== undefined && at >= 0) storeAccount(txn, removeSigner(txn, account, at));
}
