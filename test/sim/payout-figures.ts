/** What many runs came to with payouts. */
import type { Evidence } from '../oracle/evidence.ts';
import { countsOf } from './treasury-figures.ts';

export type PayoutFigures = {
  payouts: Record<string, number>;
  rows: Record<string, number>;
  /** To who uploads files and changes payouts, by their codes. */
  answers: Record<string, number>;
};

export function noPayoutFigures(): PayoutFigures {
  return { payouts: {}, rows: {}, answers: {} };
}

export function payoutFigures({ payouts: { payouts, rows, uploads, calls } }: Evidence): PayoutFigures {
  const seeds = uploads.length > 0 ? ['seeds'] : [];
  const retries = payouts.filter(({ retry_of }) => retry_of !== null).map(() => 'retries');
  const answers = [...uploads.map(({ answer }) => ({ verb: 'upload', answer })), ...calls];
  return {
    payouts: countsOf([...seeds, ...retries, ...payouts.map(({ status }) => status)]),
    rows: countsOf(rows.map(({ status }) => status)),
    answers: countsOf(
      answers.map(({ verb, answer }) =>
        answer ? `${verb}_${answer.status}_${answer.code}` : `${verb}_lost`,
      ),
    ),
  };
}
