import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../ledger/account.ts';
import { base64, hex } from '../ledger/bytes.ts';
import type { LedgerView } from '../ledger/ledger-txn.ts';
import { isCovered } from '../ledger/operations/registry.ts';
import { encodeResult, TX } from '../ledger/result.ts';
import { resultText } from '../ledger/result-text.ts';
import type { Transaction } from '../ledger/transaction.ts';
import { parseTransaction } from '../ledger/transaction.ts';
import { checkValid } from '../ledger/validity.ts';
import type { Findings } from './findings.ts';
import { countOne } from './findings.ts';
import type { Submission } from './recording.ts';

/** A transaction must not expire within two closes of one second each (Q10). */
const UPPER_OFFSET_S = 2n;

/** A queued transaction leaves the queue after this many ledgers (Q7). */
const QUEUE_LEDGERS = 4;

type Queued = { source: string; feeSource: string; until: number };
type Doubtful = { submission: Submission; ours: string };

/**
 * Compares stellar-core's answers to submissions with the answers of our rules on the ledger that was the last one.
 * Left out: answers that depend on other queued transactions, and answers that fit only the next ledger, because it
 * closed before the submission arrived.
 */
export class AdmissionReplay {
  readonly #network: Buffer;
  readonly #findings: Findings;
  readonly #queued = new Map<string, Queued>();
  #open: Doubtful[] = [];

  constructor(network: Buffer, findings: Findings) {
    this.#network = network;
    this.#findings = findings;
  }

  /** Call after each ledger, with the submissions before the next one. */
  compare(view: LedgerView, header: Header, applied: Transaction[], submissions: Submission[]): void {
    const next = { ...header, ledgerSeq: header.ledgerSeq + 1 };
    for (const tx of applied) this.#queued.delete(hex(tx.hash));
    for (const [hash, { until }] of this.#queued) if (until < header.ledgerSeq) this.#queued.delete(hash);

    const open = this.#open;
    this.#open = [];
    for (const { submission, ours } of open) this.#compareAgain(view, next, submission, ours);
    for (const submission of submissions) this.#compareFirst(view, next, submission);
  }

  /** Call after the last ledger. Every answer that is still open is a difference. */
  finish(): void {
    for (const { submission, ours } of this.#open) this.#differ(submission, ours);
    this.#open = [];
  }

  #compareFirst(view: LedgerView, next: Header, submission: Submission): void {
    const tx = this.#parse(submission);
    const about = this.#reasonToLeaveOut(tx, submission);
    if (submission.status === 'PENDING') this.#remember(tx, next.ledgerSeq);
    if (about !== null) {
      countOne(this.#findings.admissionsLeftOut, about);
      return;
    }
    const ours = this.#answerTo(tx, view, next);
    if (ours === answerOf(submission)) {
      countOne(this.#findings.admissions, kindOf(submission));
    } else if (ours === 'PENDING' && this.#queueDecides(tx, submission)) {
      countOne(this.#findings.admissionsLeftOut, 'refused because of queued transactions');
    } else {
      this.#open.push({ submission, ours });
    }
  }

  /** `before` is our answer on the ledger that was the last one when the transaction was sent. */
  #compareAgain(view: LedgerView, next: Header, submission: Submission, before: string): void {
    const agrees = this.#answerTo(this.#parse(submission), view, next) === answerOf(submission);
    if (agrees) countOne(this.#findings.admissionsLeftOut, 'a ledger closed before it arrived');
    else this.#differ(submission, before);
  }

  /** PENDING, or the result that refuses it, in base64. */
  #answerTo(tx: Transaction, view: LedgerView, next: Header): string {
    const problem = checkValid(view, next, tx, { lower: 0n, upper: UPPER_OFFSET_S });
    return problem === null ? 'PENDING' : base64(encodeResult(problem));
  }

  #reasonToLeaveOut(tx: Transaction, { note, status }: Submission): string | null {
    if (tx.tx.operations.some(({ body }) => !isCovered(body))) return 'not supported here';
    if (note === 'again' || note.startsWith('second')) return note;
    return status === 'PENDING' || status === 'ERROR' ? null : status;
  }

  /** A replacement with too low a bid, or a payer that has promised more than it has. */
  #queueDecides(tx: Transaction, { error }: Submission): boolean {
    if (error === undefined) return false;
    const { code } = xdr.TransactionResult.schema.decode(Buffer.from(error, 'base64')).result;
    const rivals = [...this.#queued.values()];
    if (code === TX.insufficientFee) return rivals.some(({ source }) => source === hex(tx.source));
    return code === TX.insufficientBalance && rivals.some(({ feeSource }) => feeSource === hex(tx.feeSource));
  }

  #remember(tx: Transaction, ledgerSeq: number): void {
    const until = ledgerSeq + QUEUE_LEDGERS;
    this.#queued.set(hex(tx.hash), { source: hex(tx.source), feeSource: hex(tx.feeSource), until });
  }

  #parse({ envelope }: Submission): Transaction {
    return parseTransaction(Buffer.from(envelope, 'base64'), this.#network);
  }

  #differ(submission: Submission, ours: string): void {
    const { after_ledger: ledger, envelope } = submission;
    const hash = hex(this.#parse(submission).hash);
    const theirs = answerOf(submission);
    const texts = { ours: answerText(ours), theirs: answerText(theirs) };
    this.#findings.differences.push({ ledger, hash, what: 'answer to submission', ...texts, envelope });
  }
}

/** PENDING, or the result that refused it, in base64. */
function answerOf({ status, error }: Submission): string {
  return error ?? status;
}

/** The answer in short. Of a failed transaction, only the failed parts. */
function kindOf(submission: Submission): string {
  const [text = ''] = answerText(answerOf(submission)).split(' ');
  return text.replaceAll(/\w+Success,?/g, '').replace(',)', ')');
}

function answerText(answer: string): string {
  if (answer === 'PENDING') return answer;
  return `${resultText(xdr.TransactionResult.fromXdr(Buffer.from(answer, 'base64')))} ${answer}`;
}
