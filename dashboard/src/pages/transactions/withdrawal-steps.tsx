import type { Withdrawal } from '../../api/contract.ts';
import { DateTime } from '../../components/date-time.tsx';
import type { Step } from './history.tsx';

/** The steps of a withdrawal so far, and the one it waits for. */
export function stepsOf(withdrawal: Withdrawal): Step[] {
  const { status, created_at, signed_at, committed_at, fee_bumps, expires_at } = withdrawal;
  const steps: Step[] = [{ title: 'Created', at: created_at, state: 'done' }];
  for (const { decision, at, comment } of withdrawal.approvals) {
    const title = decision === 'approved' ? 'Approved' : 'Rejected';
    steps.push({ title, at, state: 'done', ...(comment === null ? {} : { text: comment }) });
  }
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

function provenStep({ status, settled_at, ledger, failure }: Withdrawal): Step {
  if (status === 'confirmed')
    return { title: 'Confirmed', at: settled_at, state: 'good', text: `In ledger ${ledger}.` };
  const where = ledger === null ? '' : ` In ledger ${ledger}.`;
  return { title: 'Failed', at: settled_at, state: 'bad', text: `${failure?.message ?? ''}${where}` };
}
