import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../ledger/account.ts';
import { availableBalance } from '../ledger/account.ts';
import { base64, hex } from '../ledger/bytes.ts';
import type { LedgerView } from '../ledger/ledger-txn.ts';
import { loadAccount } from '../ledger/ledger-txn.ts';
import { isCovered } from '../ledger/operations/registry.ts';
import { encodeResult, TX } from '../ledger/result.ts';
import { resultText } from '../ledger/result-text.ts';
import type { Transaction } from '../ledger/transaction.ts';
import { parseTransaction } from '../ledger/transaction.ts';
import { checkValid } from '../ledger/validity.ts';
import type { Admission, NextLedger } from '../queue.ts';
import { TransactionQueue } from '../queue.ts';
import type { Findings } from './findings.ts';
import { countOne } from './findings.ts';
import type { Submission } from './recording.ts';

/** A transaction must not expire within two closes of one second each (Q10). */
const UPPER_OFFSET_S = 2n;

/** Since this protocol a sequence number below that of the queued transaction is refused at once (Q4). */
const Q4_PROTOCOL = 20;

type Doubtful = { submission: Submission; tx: Transaction; ours: string };

/**
 * Gives every submission to a queue of ours, in the order in which stellar-core got them, and compares the answers. An
 * answer that fits only the next ledger counts as equal: that ledger closed before the submission arrived.
 */
export class AdmissionReplay {
  readonly #network: Buffer;
  readonly #findings: Findings;
  readonly #queue = new TransactionQueue();
  #open: Doubtful[] = [];

  constructor(network: Buffer, findings: Findings) {
    this.#network = network;
    this.#findings = findings;
  }

  /** Call after each ledger, with the submissions before the next one. */
  compare(view: LedgerView, header: Header, applied: Transaction[], submissions: Submission[]): void {
    const next = nextLedgerOf(view, header);
    this.#queue.ledgerClosed(applied, next);
    const open = this.#open;
    this.#open = [];
    for (const doubtful of open) this.#compareAgain(doubtful, next);
    for (const submission of submissions) this.#compareFirst(submission, next, header);
  }

  /** Call after the last ledger. Every answer that is still open is a difference. */
  finish(): void {
    for (const doubtful of this.#open) this.#differ(doubtful);
    this.#open = [];
  }

  #compareFirst(submission: Submission, next: NextLedger, { ledgerVersion }: Header): void {
    const tx = parseTransaction(Buffer.from(submission.envelope, 'base64'), this.#network);
    if (tx.tx.operations.some(({ body }) => !isCovered(body))) {
      countOne(this.#findings.admissionsLeftOut, 'not supported here');
      return;
    }
    const ours = textOf(this.#queue.add(tx, next));
    if (ours === answerOf(submission)) countOne(this.#findings.admissions, kindOf(submission));
    else if (ledgerVersion < Q4_PROTOCOL && submission.status === 'TRY_AGAIN_LATER' && ours === BAD_SEQUENCE)
      countOne(this.#findings.admissionsLeftOut, `a rule of protocol ${Q4_PROTOCOL}`);
    else this.#open.push({ submission, tx, ours });
  }

  #compareAgain(doubtful: Doubtful, next: NextLedger): void {
    const { submission, tx } = doubtful;
    const problem = next.problem(tx);
    const now = problem === null ? textOf(this.#queue.add(tx, next)) : base64(encodeResult(problem));
    if (now === answerOf(submission))
      countOne(this.#findings.admissionsLeftOut, 'a ledger closed before it arrived');
    else this.#differ(doubtful);
  }

  #differ({ submission, tx, ours }: Doubtful): void {
    const { after_ledger: ledger, envelope } = submission;
    const theirs = answerOf(submission);
    const texts = { ours: answerText(ours), theirs: answerText(theirs) };
    const what = 'answer to submission';
    this.#findings.differences.push({ ledger, hash: hex(tx.hash), what, ...texts, envelope });
  }
}

/** The rules of the ledger after this one, as the queue asks for them. */
function nextLedgerOf(view: LedgerView, header: Header): NextLedger {
  const next = { ...header, ledgerSeq: header.ledgerSeq + 1 };
  return {
    problem: (tx) => checkValid(view, next, tx, { lower: 0n, upper: UPPER_OFFSET_S }),
    available: (ed25519) => {
      const account = loadAccount(view, ed25519);
      return account === undefined ? 0n : availableBalance(next, account);
    },
    maxOperations: header.maxTxSetSize,
    baseFee: BigInt(header.baseFee),
  };
}

const BAD_SEQUENCE = base64(encodeResult({ feeCharged: 0n, result: { code: TX.badSeq }, ext: { v: 0 } }));

/** The status, or the result that refuses it in base64. */
function textOf(admission: Admission): string {
  return admission.status === 'ERROR' ? base64(encodeResult(admission.result)) : admission.status;
}

function answerOf({ status, error }: Submission): string {
  return error ?? status;
}

/** The answer in short. Of a failed transaction, only the failed parts. */
function kindOf(submission: Submission): string {
  const [text = ''] = answerText(answerOf(submission)).split(' ');
  return text.replaceAll(/\w+Success,?/g, '').replace(',)', ')');
}

const STATUSES = ['PENDING', 'DUPLICATE', 'TRY_AGAIN_LATER'];

function answerText(answer: string): string {
  if (STATUSES.includes(answer)) return answer;
  return `${resultText(xdr.TransactionResult.fromXdr(Buffer.from(answer, 'base64')))} ${answer}`;
}
