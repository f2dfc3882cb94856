/** Answers "where is my deposit?": explains for a wallet what each operation of a transaction did, and why. */

import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { type DepositCursor, findDepositCursor } from '../../ledgers/deposit-cursor.ts';
import { findQuarantined } from '../../ledgers/quarantine-store.ts';
import type { CreditKind, Memo } from '../../stellar/credits/credit.ts';
import {
  explainAdjusted,
  explainTransaction,
  type OperationExplanation,
} from '../../stellar/credits/explain-transaction.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { LedgerTransaction, Lookup } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import { type Adjustment, adjustmentsOfTransaction } from '../recorded/adjustment-store.ts';
import { type Deposit, depositsOfTransaction, type Refund, refundBy } from '../recorded/deposit-store.ts';
import {
  type CreditExplanation,
  type CreditReason,
  explainAdjustment,
  explainCredit,
  explainDeposit,
  type TransactionRecords,
} from './explain-credit.ts';

export type ExplainedOperation = {
  operation_index: number;
  type: string;
  /** Whether it paid the wallet, by the ledger. */
  credited: boolean;
  reason: OperationExplanation['reason'] | CreditReason;
  message: string;
  deposits: Deposit[];
  adjustments: Adjustment[];
};

export type Explanation = {
  /** Its hash in the ledger (of a fee-bump, the outer one); the asked hash when it is in no ledger. */
  stellar_tx_hash: string;
  state: 'applied' | 'failed' | 'not_found';
  ledger: number | null;
  /** Whether the deposit cursor has passed its ledger. */
  read: boolean;
  quarantined: boolean;
  /** Null when it is not known. */
  fee_bump: boolean | null;
  memo: Memo;
  message: string;
  operations: ExplainedOperation[];
};

/** `ledger`: from the network or the database; null when neither has the transaction. */
type KnownRecords = TransactionRecords & { ledger: number | null; cursor: DepositCursor | undefined };

const RETRY_AFTER_SECONDS = 2;
const NO_MEMO: Memo = { type: 'none', value: null };

/**
 * Explains the transaction with this hash (hex, inner or outer). A transaction older than the source's history is explained
 * from the database. Only the database is read in the turn of the wallet's team: a network that answers late delays no list.
 * @throws NetworkUnavailable
 */
export async function explain(deps: Deps, wallet: Wallet, hash: string): Promise<Explanation> {
  const inTurn = <T>(work: (db: Db) => Promise<T>) => deps.readInTurn(wallet.owner_id, work);
  const found = await deps.stellar.readTransaction(hash);
  if (found.found === 'unknown')
    throw new NetworkUnavailable(
      'No Stellar source gives a usable answer about this transaction at the moment.',
      {
        retry_after_seconds: RETRY_AFTER_SECONDS,
      },
    );
  if (found.found === 'applied') {
    const { transaction } = found;
    return inTurn(async (db) => {
      const known = await readRecords(db, wallet, transaction);
      const explanation = explainApplied(deps, wallet, { hash, transaction, known });
      return withRefund(explanation, await refundIn(db, wallet, explanation));
    });
  }
  const known = await inTurn((db) => readRecords(db, wallet, { hash, ledger: null }));
  return known.ledger === null ? notFound(hash, found) : explainRecorded(wallet, hash, known, found);
}

async function readRecords(
  db: Db,
  wallet: Wallet,
  { hash, ledger }: { hash: string; ledger: number | null },
): Promise<KnownRecords> {
  // The cursor is read before the deposits: then all deposits up to the cursor are visible.
  const cursor = await findDepositCursor(db);
  const quarantined = await findQuarantined(db, hash);
  const deposits = await depositsOfTransaction(db, wallet.id, hash);
  const adjustments = await adjustmentsOfTransaction(db, wallet.id, hash);
  const in_ledger = ledger ?? deposits[0]?.ledger ?? adjustments[0]?.ledger ?? quarantined?.ledger ?? null;
  return {
    deposits,
    adjustments,
    cursor,
    ledger: in_ledger,
    read: in_ledger !== null && (cursor?.ledger ?? 0) >= in_ledger,
    quarantine_reason: quarantined ? quarantineReason(quarantined) : null,
  };
}

function quarantineReason({ reason, dismissed_at }: { reason: string; dismissed_at: Date | null }): string {
  return dismissed_at ? `${reason} (a person has dismissed it)` : reason;
}

function explainApplied(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  wallet: Wallet,
  { hash, transaction, known }: { hash: string; transaction: LedgerTransaction; known: KnownRecords },
): Explanation {
  const { ledger } = transaction;
  const facts = { ...factsOf(transaction.hash, known), ledger };
  const wrapped = `It is inside a fee-bump, whose hash is ${transaction.hash}.`;
  try {
    const explained = explainTransaction(config.passphrase, transaction, wallet.account);
    const { successful, failure_code, fee_bump, memo } = explained;
    const outcome = successful
      ? `It is in ledger ${ledger}.`
      : `It failed in ledger ${ledger} (${failure_code}): it paid nobody.`;
    return {
      ...facts,
      state: successful ? 'applied' : 'failed',
      fee_bump,
      memo,
      message: sentences([outcome, hash === transaction.hash ? null : wrapped, whyNotProcessed(known)]),
      operations: explained.operations.map((each) => explainOperation(wallet, ledger, known, each)),
    };
  } catch (error) {
    // People ask about exactly such transactions. The answer is that it is in the ledger and cannot be read.
    log.warn({ err: error, hash: transaction.hash }, 'a transaction could not be explained');
    const unread = `It is in ledger ${ledger}, but cannot be read: ${(error as Error).message}.`;
    const message = sentences([unread, whyNotProcessed(known)]);
    return { ...facts, state: 'applied', fee_bump: null, memo: NO_MEMO, message, operations: [] };
  }
}

function explainOperation(
  wallet: Wallet,
  ledger: number,
  known: KnownRecords,
  { operation_index, type, credits, adjustments, reason, message }: OperationExplanation,
): ExplainedOperation {
  const explained = credits.map((credit) => explainCredit(wallet, ledger, known, credit));
  const done = adjustments.map((each) => explainAdjustment(ledger, known, each));
  const combined = combine(explained, { reason, message });
  return {
    operation_index,
    type,
    credited: credits.length > 0,
    ...combined,
    message: sentences([combined.message, ...done.map((each) => each.message)]),
    adjustments: done.flatMap(({ adjustment }) => adjustment ?? []),
  };
}

/** Combines explanations. An operation with several credits has the reason of the first credit that was not attributed. */
function combine(
  credits: CreditExplanation[],
  operation: { reason: OperationExplanation['reason']; message: string },
) {
  const first = credits.find(({ reason }) => reason !== 'attributed') ?? credits[0];
  return {
    reason: first?.reason ?? operation.reason,
    message: sentences([operation.message, ...credits.map(({ message }) => message)]),
    deposits: credits.flatMap(({ deposit }) => deposit ?? []),
  };
}

/** Finds the refund in a transaction: its memo is the hash of the refunded transaction. */
async function refundIn(
  db: Db,
  wallet: Wallet,
  { stellar_tx_hash: hash, memo }: Explanation,
): Promise<Refund | undefined> {
  if (memo.type !== 'return') return undefined;
  const refunded_hash = Buffer.from(memo.value, 'base64').toString('hex');
  return refundBy(db, wallet.id, { hash, refunded_hash });
}

/** Adds the refund to every operation: a withdrawal has only one. */
function withRefund(explanation: Explanation, refund: Refund | undefined): Explanation {
  if (!refund) return explanation;
  const what = `It is withdrawal ${refund.id}, the refund of deposit ${refund.refund_of}.`;
  const operations = explanation.operations.map((each) => ({
    ...each,
    message: sentences([each.message, what]),
  }));
  return { ...explanation, operations };
}

type Absent = Extract<Lookup, { found: 'absent' }>;

function notFound(hash: string, { oldest_ledger, latest_ledger }: Absent): Explanation {
  const message =
    `No transaction with this hash is in ledgers ${oldest_ledger} to ${latest_ledger} (the whole history of the network ` +
    'source), or among the deposits. It was never applied, it is older, or it is of another network.';
  const facts = { stellar_tx_hash: hash, ledger: null, read: false, quarantined: false, fee_bump: null };
  return { ...facts, state: 'not_found', memo: NO_MEMO, message, operations: [] };
}

/** Explains a transaction that is older than the source's history by its deposits and adjustments. */
function explainRecorded(wallet: Wallet, hash: string, known: KnownRecords, source: Absent): Explanation {
  const { deposits, adjustments } = known;
  const [first] = deposits;
  const memo = first ? ({ type: first.memo_type, value: first.memo } as Memo) : NO_MEMO;
  const indexes = new Set([...deposits, ...adjustments].map(({ operation_index }) => operation_index));
  const from_database = `The network source has only ledgers ${source.oldest_ledger} to ${source.latest_ledger}; this is what was recorded.`;
  return {
    ...factsOf(hash, known),
    state: 'applied',
    fee_bump: null,
    memo,
    message: sentences([`It is in ledger ${known.ledger}.`, from_database, whyNotProcessed(known)]),
    operations: [...indexes].sort((a, b) => a - b).map((index) => recordedOperation(wallet, known, index)),
  };
}

function recordedOperation(
  wallet: Wallet,
  { deposits, adjustments }: KnownRecords,
  operation_index: number,
): ExplainedOperation {
  const isOwn = (row: { operation_index: number }) => row.operation_index === operation_index;
  const [own, done] = [deposits.filter(isOwn), adjustments.filter(isOwn)];
  const explained = own.map((deposit) => explainDeposit(wallet, deposit));
  const type = done[0]?.operation ?? operationType(own[0]?.kind as CreditKind | undefined);
  const [only] = own.length > 0 ? [] : done;
  const what = only
    ? explainAdjusted(only)
    : ({ reason: 'credited', message: 'It paid the account.' } as const);
  const combined = combine(explained, what);
  const message = sentences([combined.message, ...done.map(({ id }) => `It is adjustment ${id}.`)]);
  return { operation_index, type, credited: own.length > 0, ...combined, message, adjustments: done };
}

function operationType(kind: CreditKind = 'payment'): string {
  return kind === 'contract_transfer' || kind === 'contract_mint' ? 'invoke_host_function' : kind;
}

function factsOf(hash: string, { ledger, read, quarantine_reason }: KnownRecords) {
  return { stellar_tx_hash: hash, ledger, read, quarantined: quarantine_reason !== null };
}

/** Says why the transaction is not fully processed; null when it is. */
function whyNotProcessed({ ledger, read, cursor, quarantine_reason }: KnownRecords): string | null {
  if (quarantine_reason !== null)
    return `It is in quarantine, because it could not be read: ${quarantine_reason}. See "teller quarantine".`;
  if (read) return null;
  const stop_reason = cursor?.stop_reason ? ` Reading has stopped: ${cursor.stop_reason}` : '';
  return `Deposits are read up to ledger ${cursor?.ledger ?? 0}, not yet up to ledger ${ledger}.${stop_reason}`;
}

function sentences(words: (string | null)[]): string {
  return words.filter((each) => each !== null).join(' ');
}
