/**
 * Pure: what the answers of a receiver to an exam say about it, and its look-up where it offers one. Only what they show is
 * claimed; `unseen` names the typical faults that they could not show.
 */
import { strict as assert } from 'node:assert';
import { isAcknowledged } from '../../outgoing/post.ts';
import { type ExamCase, isToBeHandled, LARGEST_AMOUNT, LARGEST_MEMO_ID } from './cases.ts';
import type { Handled } from './look-up.ts';

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

/** What the receiver says of events, by their ids. */
type LookedUp = ReadonlyMap<string, Handled>;

/** The service waits three times as long; a receiver that works before it answers comes near this first. */
const SLOW_MS = 5_000;

/**
 * Makes the report. `examined`: all cases in the order in which they were sent. The receiver has passed when it has passed every
 * case. A look-up that does not count the first event counts no test event: it shows nothing.
 */
export function reportOf(examined: Examined[], handled: LookedUp): ExamReport {
  const [first] = examined;
  assert(first);
  const accepts_signed = evaluate(first, true).outcome === 'passed';
  const looked_up: LookedUp = isHandled(first, handled) ? handled : new Map();
  const cases = examined.map((one) => {
    const finding = evaluate(one, accepts_signed);
    const fault = finding.outcome === 'passed' ? faultIn(one, looked_up) : null;
    return caseReport(one, fault === null ? finding : { outcome: 'failed', advice: fault });
  });
  return {
    passed: cases.every(({ outcome }) => outcome === 'passed'),
    cases,
    unseen: unseenIn(examined, looked_up),
  };
}

const isHandled = ({ answers }: Examined, handled: LookedUp) =>
  answers.some(({ event_id }) => (handled.get(event_id)?.handled ?? 0) > 0);

/** Returns what the look-up says against the receiver, with what to change; null when it says nothing against it. */
function faultIn({ of, answers }: Examined, looked_up: LookedUp): string | null {
  for (const { event_id } of answers) {
    const said = looked_up.get(event_id);
    const fault = said && faultOf(of, said);
    if (fault) return `The look-up says of ${event_id}: ${fault}`;
  }
  return null;
}

function faultOf(of: ExamCase, { handled, credited, amount_stroops }: Handled): string | null {
  if (of.expected === 'refused')
    return handled > 0 || (credited ?? 0) > 0
      ? 'refused, and handled before that. Check signature and time before anything else.'
      : null;
  if ((credited ?? 0) > 0)
    return 'it has credited somebody, and it is only a test. Credit deposit.created alone: no other type is a deposit of a customer.';
  if (handled > 1)
    return `handled ${handled} times. Remember each webhook-id in the transaction that handles it. ${of.mend}`;
  if (handled === 0 && isToBeHandled(of))
    return `acknowledged, and not handled. It would be lost. ${of.mend}`;
  if (of.name === 'large_integers' && amount_stroops !== null && amount_stroops !== `${LARGEST_AMOUNT}`)
    return `its amount was read as ${amount_stroops}. ${of.mend}`;
  return null;
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

function unseenIn(examined: Examined[], looked_up: LookedUp): string[] {
  const sent = (name: string) => examined.find(({ of }) => of.name === name)?.answers ?? [];
  const saidOf = (answers: ExamAnswer[]) => looked_up.get(answers[0]?.event_id ?? '');
  const isUnseen = (answers: ExamAnswer[]) => answers.some(({ event_id }) => !looked_up.has(event_id));
  const [signed, repeated, order] = [sent('signed'), sent('repeated'), sent('another_order')];
  const [large, forged] = [sent('large_integers'), sent('wrong_signature')];
  const lines = [
    isUnseen(repeated) &&
      `Whether an event is handled once: look whether your receiver has handled ${repeated[0]?.event_id} twice.`,
    isUnseen(order) &&
      `Whether events are handled in any order: look whether your receiver has handled ${order[1]?.event_id}.`,
    isUnseen(forged) &&
      `Whether anything happens before the signature is checked: look whether your receiver knows ${forged[0]?.event_id}.`,
    signed.length > 0 &&
      typeof saidOf(signed)?.credited !== 'number' &&
      'Whether test events and unknown types credit somebody: look for credits that your receiver has made since the exam began.',
    large.length > 0 &&
      typeof saidOf(large)?.amount_stroops !== 'string' &&
      echoOf(large) === null &&
      `Whether large integers stay exact: look what your receiver has read of ${large[0]?.event_id}. It must be ${LARGEST_AMOUNT} and ${LARGEST_MEMO_ID}.`,
  ];
  return lines.filter((line) => line !== false);
}
