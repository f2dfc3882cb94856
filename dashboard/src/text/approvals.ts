import type { AwaitingApproval } from '../api/contract.ts';

/** Whether the signed-in member may approve or reject something, now or once they have added a second factor. */
export type Deciding = Pick<AwaitingApproval, 'may_decide' | 'factor_required'>;

/** Returns true when the signed-in member decides about a request, now or once they have added a second factor. */
export function awaitsReader({ may_decide, factor_required }: Deciding): boolean {
  return may_decide || factor_required;
}

/** Returns why a payment or a payout needs approvals; nothing where it needs none. */
export function approvalsCauseText(cause: 'amount' | 'sum' | null | undefined): string {
  if (cause === 'amount') return 'It is more than the wallet pays without approvals.';
  return cause === 'sum' ? 'Alone it would need none: payments without approvals came before it.' : '';
}
