import type { Withdrawal } from '../../api/contract.ts';
import { DateTime } from '../../components/date-time.tsx';
import { failureWords } from '../withdraw/problem-words.ts';
import type { Step } from './history.tsx';

/** The steps of a withdrawal so far, and the one it waits for. */
export function stepsOf(withdrawal: Withdrawal): Step[] {
  const { status, signed_at, committed_at, fee_bumps, expires_at } = withdrawal;
  const steps = beginningOf(withdrawal);
  if (signed_at) {
    const text = 'The payment is signed once. No other is ever signed for this withdrawal.';
    steps.push({ title: 'Signed', at: signed_at, state: 'done', text });
  }
  if (committed_at) steps.push({ title: 'Committed for sending', at: committed_at, state: 'done' });
  if (fee_bumps > 0) {
    const text = `${fee_bumps === 1 ? 'Once' : `${fee_bumps} times`}: the same payment with a higher fee.`;
    steps.push({ title: 'Fee-bumped', state: 'done', text });
  }
  if (status === 'awaiting_approval')
    return [...steps, { title: 'Approvals', state: 'waiting', text: 'Other members must approve it first.' }];
  if (status !== 'pending') return [...steps, provenStep(withdrawal)];
  if (!signed_at)
    return [...steps, { title: 'Signature', state: 'waiting', text: 'It needs a free transaction source.' }];
  const text = expires_at && (
    <>
      It expires if no ledger includes it by <DateTime at={expires_at} seconds />.
    </>
  );
  return [...steps, { title: 'Outcome in a closed ledger', state: 'waiting', text }];
}

/** The request and the decisions. A row of a payout is made after the approvals, which are those of the payout. */
function beginningOf({ created_at, requested_by, approvals }: Withdrawal): Step[] {
  const decided = decisionSteps(approvals);
  const was_approved_before = approvals.some(({ at }) => Date.parse(at) < Date.parse(created_at));
  if (was_approved_before)
    return [
      { title: 'Requested', by: requested_by, state: 'done' },
      ...decided,
      { title: 'Created', at: created_at, state: 'done' },
    ];
  const title = requested_by === null ? 'Created' : 'Requested';
  return [{ title, by: requested_by, at: created_at, state: 'done' }, ...decided];
}

/** One step for each approval and rejection, in order of time. */
export function decisionSteps(approvals: Withdrawal['approvals']): Step[] {
  return approvals
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map(({ user_id, decision, at, comment }) => ({
      title: decision === 'approved' ? 'Approved' : 'Rejected',
      by: user_id,
      at,
      state: decision === 'approved' ? 'done' : 'bad',
      ...(comment === null ? {} : { text: `“${comment}”` }),
    }));
}

function provenStep(withdrawal: Withdrawal): Step {
  const { status, settled_at, ledger, failure } = withdrawal;
  if (status === 'confirmed')
    return { title: 'Confirmed', at: settled_at, state: 'good', text: `In ledger ${ledger}.` };
  const words = failure === null ? '' : failureWords(failure, withdrawal);
  const where = ledger === null ? '' : ` In ledger ${ledger}.`;
  return { title: 'Failed', at: settled_at, state: 'bad', text: `${words}${where}` };
}
