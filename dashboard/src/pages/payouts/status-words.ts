import type { Payout, PayoutRow } from '../../api/contract.ts';

/** The words of a badge. The color is that of the status which StatusBadge knows. */
export const PAYOUT_WORDS: Record<Payout['status'], { label: string; color: string }> = {
  draft: { label: 'draft', color: 'draft' },
  awaiting_approval: { label: 'awaits approvals', color: 'awaiting_approval' },
  running: { label: 'running', color: 'pending' },
  paused: { label: 'paused', color: 'unauthorized' },
  completed: { label: 'completed', color: 'confirmed' },
  cancelled: { label: 'cancelled', color: 'cancelled' },
};

/** The badge of a payout: one that ended with failures is not simply completed. */
export function payoutBadge({ status, counts }: Pick<Payout, 'status' | 'counts'>): {
  status: string;
  label: string;
} {
  const { color, label } = PAYOUT_WORDS[status];
  if (status !== 'completed' || counts.failed === 0) return { status: color, label };
  return { status: 'pending', label: `${counts.confirmed} paid, ${counts.failed} failed` };
}

export const ROW_STATUSES: PayoutRow['status'][] = ['waiting', 'pending', 'confirmed', 'failed', 'cancelled'];
