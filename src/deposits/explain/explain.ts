/** What became of a transaction, for the person who is asked "where is my deposit?": of each operation, what it did and why. */

import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { type DepositCursor, findDepositCursor, findQuarantined } from '../../ledgers/deposit-cursor.ts';
import type { CreditKind, Memo } from '../../stellar/credits/credit.ts';
import { explainTransaction, type OperationExplanation } from '../../stellar/credits/explain-transaction.ts';
import type { LedgerTransaction, Lookup } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import { type Deposit, depositsOfTransaction, type Refund, refundBy } from '../store.ts';
import { type CreditReason, type Recorded, type Story, storyOf, storyOfDeposit } from './explain-credit.ts';

export type ExplainedOperation = {
  operation_index: number;
  type: string;
  /** Whether the ledger says that it paid the wallet. */
  credited: boolean;
  reason: OperationExplanation['reason'] | CreditReason;
  message: string;
  deposits: Deposit[];
};

export type Explanation = {
  /** The ledger's name for it, when it is in a ledger; else as asked. */
  stellar_tx_hash: string;
  state: 'applied' | 'failed' | 'not_found';
  ledger: number | null;
  /** Whether the reading of deposits has passed its ledger. */
  read: boolean;
  quarantined: boolean;
  /** Null when it is not known. */
  fee_bump: boolean | null;
  memo: Memo;
  message: string;
  operations: ExplainedOperation[];
};

/** What this database knows of it, wherever it can be read. */
type Known = Recorded & { ledger: number | null; cursor: DepositCursor | undefined };

const RETRY_AFTER_SECONDS = 2;
const NO_MEMO: Memo = { type: 'none', value: null };

/**
 * `hash`: hex, of the transaction or of the one inside a fee-bump. What the network source has forgotten is explained by
 * what was recorded of it.
 * @throws AppError `network_unavailable`
 */
export async function explain(deps: Deps, wallet: Wallet, hash: string): Promise<Explanation> {
  const found = await deps.stellar.readTransaction(hash);
  if (found.found === 'unknown')
    throw new AppError('network_unavailable', 'The Stellar network cannot be asked at the moment.', {
      retry_after_seconds: RETRY_AFTER_SECONDS,
    });
  if (found.found === 'applied') {
    const { transaction } = found;
    const known = await readRecords(deps, wallet, transaction);
    const explanation = explainApplied(deps, wallet, { hash, transaction, known });
    return withRefund(explanation, await refundIn(deps, wallet, explanation));
  }
  const known = await readRecords(deps, wallet, { hash, ledger: null });
  return known.ledger === null ? notFound(hash, found) : explainRecorded(wallet, hash, known, found);
}

async function readRecords(
  { db }: Pick<Deps, 'db'>,
  wallet: Wallet,
  { hash, ledger }: { hash: string; ledger: number | null },
): Promise<Known> {
  // The cursor before the deposits: what it has passed is recorded then.
  const cursor = await findDepositCursor(db);
  const quarantined = await findQuarantined(db, hash);
  const deposits = await depositsOfTransaction(db, wallet.id, hash);
  const in_ledger = ledger ?? deposits[0]?.ledger ?? quarantined?.ledger ?? null;
  return {
    deposits,
    cursor,
    ledger: in_ledger,
    read: in_ledger !== null && (cursor?.ledger ?? 0) >= in_ledger,
    quarantine_reason: quarantined ? quarantineReason(quarantined) : null,
  };
}

function quarantineReason({ reason, dismissed_at }: { reason: string; dismissed_at: Date | null }): string {
  return dismissed_at ? `${reason} (a person has looked at it, and dismissed it)` : reason;
}

function explainApplied(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  wallet: Wallet,
  { hash, transaction, known }: { hash: string; transaction: LedgerTransaction; known: Known },
): Explanation {
  const { ledger } = transaction;
  const facts = { ...factsOf(transaction.hash, known), ledger };
  const wrapped = `It was wrapped in a fee-bump, whose hash is ${transaction.hash}.`;
  try {
    const told = explainTransaction(config.passphrase, transaction, wallet.account);
    const { successful, failure_code, fee_bump, memo } = told;
    const outcome = successful
      ? `It is in ledger ${ledger}.`
      : `It failed in ledger ${ledger} (${failure_code}): nobody was paid.`;
    return {
      ...facts,
      state: successful ? 'applied' : 'failed',
      fee_bump,
      memo,
      message: sentences([outcome, hash === transaction.hash ? null : wrapped, standing(known)]),
      operations: told.operations.map((each) => explainOperation(wallet, ledger, known, each)),
    };
  } catch (error) {
    // These are the very transactions that are asked about: the ledger has it, and that it cannot be read is the answer.
    log.warn({ err: error, hash: transaction.hash }, 'a transaction could not be explained');
    const unread = `It is in ledger ${ledger}, but cannot be read: ${(error as Error).message}.`;
    const message = sentences([unread, standing(known)]);
    return { ...facts, state: 'applied', fee_bump: null, memo: NO_MEMO, message, operations: [] };
  }
}

function explainOperation(
  wallet: Wallet,
  ledger: number,
  known: Known,
  { operation_index, type, credits, reason, message }: OperationExplanation,
): ExplainedOperation {
  const stories = credits.map((credit) => storyOf(wallet, ledger, known, credit));
  return { operation_index, type, credited: credits.length > 0, ...tellAll(stories, { reason, message }) };
}

/** Of several credits of one operation the reason is that of the first which did not come where it was meant to. */
function tellAll(stories: Story[], told: { reason: OperationExplanation['reason']; message: string }) {
  const first = stories.find(({ reason }) => reason !== 'attributed') ?? stories[0];
  return {
    reason: first?.reason ?? told.reason,
    message: sentences([told.message, ...stories.map(({ message }) => message)]),
    deposits: stories.flatMap(({ deposit }) => deposit ?? []),
  };
}

/** A refund names the transaction that it pays back in its memo. */
async function refundIn(
  { db }: Pick<Deps, 'db'>,
  wallet: Wallet,
  { stellar_tx_hash: hash, memo }: Explanation,
): Promise<Refund | undefined> {
  if (memo.type !== 'return') return undefined;
  const refunded_hash = Buffer.from(memo.value, 'base64').toString('hex');
  return refundBy(db, wallet.id, { hash, refunded_hash });
}

/** A withdrawal has one operation. */
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
    `No transaction with this hash is in ledgers ${oldest_ledger} to ${latest_ledger}, which are all that the network ` +
    'source has, nor among the deposits. It was never applied, it is older, or it is of another network.';
  const facts = { stellar_tx_hash: hash, ledger: null, read: false, quarantined: false, fee_bump: null };
  return { ...facts, state: 'not_found', memo: NO_MEMO, message, operations: [] };
}

/** Its ledger is older than the source's history: the deposits are what is known of it. */
function explainRecorded(wallet: Wallet, hash: string, known: Known, source: Absent): Explanation {
  const { deposits } = known;
  const [first] = deposits;
  const memo = first ? ({ type: first.memo_type, value: first.memo } as Memo) : NO_MEMO;
  const by_operation = Map.groupBy(deposits, ({ operation_index }) => operation_index);
  const forgotten = `The network source has only ledgers ${source.oldest_ledger} to ${source.latest_ledger}; this is what was recorded of it.`;
  return {
    ...factsOf(hash, known),
    state: 'applied',
    fee_bump: null,
    memo,
    message: sentences([`It is in ledger ${known.ledger}.`, forgotten, standing(known)]),
    operations: [...by_operation].map(([operation_index, own]) => {
      const stories = own.map((deposit) => storyOfDeposit(wallet, deposit));
      const type = operationType(own[0]?.kind);
      const paid = { reason: 'credited', message: 'It paid the account.' } as const;
      return { operation_index, type, credited: true, ...tellAll(stories, paid) };
    }),
  };
}

function operationType(kind: CreditKind = 'payment'): string {
  return kind === 'contract_transfer' || kind === 'contract_mint' ? 'invoke_host_function' : kind;
}

function factsOf(hash: string, { ledger, read, quarantine_reason }: Known) {
  return { stellar_tx_hash: hash, ledger, read, quarantined: quarantine_reason !== null };
}

/** How far the service has come with it, when it has not come all the way. */
function standing({ ledger, read, cursor, quarantine_reason }: Known): string | null {
  if (quarantine_reason !== null)
    return `It is in quarantine, because it could not be read: ${quarantine_reason}. See "teller quarantine".`;
  if (read) return null;
  const stop_reason = cursor?.stop_reason ? ` Reading stands: ${cursor.stop_reason}` : '';
  return `Deposits are read up to ledger ${cursor?.ledger ?? 0}, not ${ledger} yet.${stop_reason}`;
}

function sentences(words: (string | null)[]): string {
  return words.filter((each) => each !== null).join(' ');
}
