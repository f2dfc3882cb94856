/** Pure: what the check of a payout asks before the file is kept, each question by the code of its warnings. */
import type { PayoutReport } from '../../api/contract.ts';

/** What is ticked where it is meant. */
export const QUESTIONS = {
  duplicate_payment: 'The same payment more than once in this file is meant',
  same_payment: 'Payments that were made before, or are planned, are meant to be made again',
};

export type Question = keyof typeof QUESTIONS;

/** Returns the questions of a report. Not every warning of a long file is named: then each question is asked. */
export function questionsOf(report: PayoutReport | undefined): Question[] {
  if (!report?.needs_confirmation) return [];
  const { warnings, warning_count } = report;
  const asked = (question: string) => warnings.some(({ code }) => code === question);
  return (Object.keys(QUESTIONS) as Question[]).filter(
    (question) => asked(question) || warning_count > warnings.length,
  );
}
