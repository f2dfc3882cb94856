import type { Payout } from '../../api/contract.ts';
import type { Step } from '../transactions/history.tsx';
import { decisionSteps } from '../transactions/withdrawal-steps.tsx';

/** The steps of a payout so far, in order of time, and the one it waits for. */
export function payoutSteps(payout: Payout): Step[] {
  const { status, created_at, created_by, requested_at, requested_by, started_at, approvals } = payout;
  const steps: Step[] = [{ title: 'Created', by: created_by, at: created_at, state: 'done' }];
  // Without approvals the request is the start.
  const was_asked_for = payout.approvals_required > 0 && requested_at !== null;
  if (was_asked_for) steps.push({ title: 'Requested', by: requested_by, at: requested_at, state: 'done' });
  steps.push(...decisionSteps(approvals));
  const starter = was_asked_for ? null : requested_by;
  if (started_at) steps.push({ title: 'Started', by: starter, at: started_at, state: 'done' });
  return [...steps, lastStep(payout, status)];
}

function lastStep({ counts, row_count, settled_at }: Payout, status: Payout['status']): Step {
  const paid = `${counts.confirmed} of ${row_count} rows paid.`;
  switch (status) {
    case 'draft':
      return { title: 'Start', state: 'waiting', text: 'Nothing is paid before.' };
    case 'awaiting_approval':
      return { title: 'Approvals', state: 'waiting', text: 'Other members must approve it first.' };
    case 'running':
    case 'paused':
      return { title: 'Outcomes of all rows', state: 'waiting', text: paid };
    case 'cancelled':
      return { title: 'Cancelled', at: settled_at, state: 'bad', text: paid };
    case 'completed':
      return { title: 'Completed', at: settled_at, state: counts.failed > 0 ? 'bad' : 'good', text: paid };
  }
}
