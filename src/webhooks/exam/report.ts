/**
 * Pure: what the answers of a receiver to an exam say about it. Only what an answer shows is claimed; `unseen` names what no
 * answer can show.
 */
import { strict as assert } from 'node:assert';
import { isAcknowledged } from '../../outgoing/post.ts';
import { type ExamCase, LARGEST_AMOUNT, LARGEST_MEMO_ID } from './cases.ts';

/** An answer to one request; `error`: why there was none. `response_body`: the first KiB, null when it was not kept. */
export type ExamAnswer = {
  event_id: string;
  status_code: number | null;
  error: string | null;
  duration_ms: number;
  response_body: string | null;
};

/** A case with its answers; without any when it was not sent. */
export type Examined = { of: ExamCase; answers: ExamAnswer[] };

export type Outcome = 'passed' | 'failed' | 'unknown';

export type CaseReport = {
  name: string;
  outcome: Outcome;
  sent: string;
  expected: 'accepted' | 'refused';
  answers: Omit<ExamAnswer, 'response_body'>[];
  /** What to change, or why the outcome is not known; null when there is nothing to say. */
  advice: string | null;
};

export type ExamReport = { passed: boolean; cases: CaseReport[]; unseen: string[] };

type Finding = { outcome: Outcome; advice: string | null };

/** The service waits three times as long; a receiver that works before it answers comes near this first. */
const SLOW_MS = 5_000;

/** Makes the report. `examined`: all cases in the order in which they were sent. The receiver has passed when it has passed every case. */
export function reportOf(examined: Examined[]): ExamReport {
  const [first] = examined;
  assert(first);
  const accepts_signed = evaluate(first, true).outcome === 'passed';
  const cases = examined.map((one) => caseReport(one, evaluate(one, accepts_signed)));
  return {
    passed: cases.every(({ outcome }) => outcome === 'passed'),
    cases,
    unseen: unseenIn(examined),
  };
}

function caseReport({ of, answers }: Examined, finding: Finding): CaseReport {
  const { name, sent, expected } = of;
  const shown = answers.map(({ response_body: _, ...answer }) => answer);
  return { name, ...finding, sent, expected, answers: shown };
}

/** Evaluates a case. `accepts_signed`: a receiver that accepts nothing shows nothing by its refusals. */
function evaluate({ of, answers }: Examined, accepts_signed: boolean): Finding {
  if (answers.length === 0)
    return unknown('Not sent: the exam ends when the first event gets no answer, and after half a minute.');
  const wrong = answers.find((answer) => !isExpected(of, answer));
  if (wrong?.status_code === 429)
    return unknown('The receiver takes a limited number of requests (429). Repeat the exam later.');
  if (wrong) return { outcome: 'failed', advice: adviceOn(of, wrong) };
  if (of.expected === 'refused' && !accepts_signed)
    return unknown('This refusal means nothing until the receiver accepts the right signatures.');
  if (of.name === 'large_integers' && echoOf(answers) === 'rounded')
    return { outcome: 'failed', advice: `The answer shows a rounded number. ${of.mend}` };
  return { outcome: 'passed', advice: adviceOnTime(answers) };
}

const unknown = (advice: string): Finding => ({ outcome: 'unknown', advice });

function isExpected({ expected }: ExamCase, { status_code }: ExamAnswer): boolean {
  if (status_code === null || status_code === 429) return false;
  return expected === 'accepted' ? isAcknowledged(status_code) : status_code >= 400 && status_code <= 499;
}

function adviceOn({ expected, mend }: ExamCase, { status_code, error }: ExamAnswer): string {
  if (status_code === null) {
    const first = 'Check that the receiver runs at this URL and answers within 15 s.';
    return `There was no answer: ${error}. ${expected === 'accepted' ? first : mend}`;
  }
  if (status_code >= 300 && status_code <= 399)
    return `The receiver redirects (${status_code}). The service follows no redirect: use the URL that answers itself.`;
  if (expected === 'accepted' && (status_code === 404 || status_code === 405))
    return `Nothing takes a POST at this URL (${status_code}). Check its path.`;
  if (status_code >= 500) return `The receiver failed (${status_code}). ${mend}`;
  return mend;
}

function adviceOnTime(answers: ExamAnswer[]): string | null {
  const slowest_ms = Math.max(...answers.map(({ duration_ms }) => duration_ms));
  if (slowest_ms < SLOW_MS) return null;
  return `An answer took ${Math.round(slowest_ms / 1000)} s. The service waits 15 s: answer first, then work.`;
}

const EXACT = [`${LARGEST_AMOUNT}`, `${LARGEST_MEMO_ID}`];
/** What a 64-bit float makes of them, as digits and as programs write such a float. */
const ROUNDED =
  /9223372036854775808|9223372036854776000|18446744073709551616|18446744073709552000|\b[19]\.[0-9]{10,}e\+?1[89]\b/i;

/** Says whether the answers repeat the large integers, and how. */
function echoOf(answers: ExamAnswer[]): 'exact' | 'rounded' | null {
  const text = answers.map(({ response_body }) => response_body ?? '').join('\n');
  if (ROUNDED.test(text)) return 'rounded';
  return EXACT.every((digits) => text.includes(digits)) ? 'exact' : null;
}

function unseenIn(examined: Examined[]): string[] {
  const sent = (name: string) => {
    const found = examined.find(({ of }) => of.name === name);
    return found && found.answers.length > 0 ? found.answers : null;
  };
  const repeated = sent('repeated');
  const large = sent('large_integers');
  return [
    ...(repeated
      ? [
          `Whether an event is handled once: look whether your receiver has handled ${repeated[0]?.event_id} twice.`,
        ]
      : []),
    ...(large && echoOf(large) === null
      ? [
          `Whether large integers stay exact: look what your receiver has read of ${large[0]?.event_id}. It must be ${LARGEST_AMOUNT} and ${LARGEST_MEMO_ID}.`,
        ]
      : []),
    'Whether your receiver books a test event, and whether it compares signatures in constant time: read its code.',
  ];
}
