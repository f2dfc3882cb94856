/** What many runs came to with what needs approvals. */
import type { Evidence } from '../oracle/evidence.ts';
import { countsOf } from './treasury-figures.ts';

export type ApprovalFigures = {
  /** Of withdrawals, by the commits; an older copy of the database may repeat one. */
  steps: Record<string, number>;
  /** To members, by their codes. */
  answers: Record<string, number>;
};

export function noApprovalFigures(): ApprovalFigures {
  return { steps: {}, answers: {} };
}

export function approvalFigures({ approvals, decisions }: Evidence): ApprovalFigures {
  const asking = approvals.steps.filter(({ order_hash }) => order_hash !== null);
  const steps = asking.map(({ was, status, failure_code }) =>
    was === 'awaiting_approval' && failure_code !== null ? failure_code : `${was}_${status}`,
  );
  const answers = decisions.map(({ decision, answer }) =>
    answer === null ? `${decision}_lost` : `${decision}_${answer.status}_${answer.code}`,
  );
  const seeds = asking.length > 0 ? ['seeds'] : [];
  const changes = approvals.changes.map(() => 'changed_rules');
  return { steps: countsOf([...seeds, ...steps, ...changes]), answers: countsOf(answers) };
}
