/** Returns so many approvals in words: `1 approval`, `2 approvals`. */
export function approvalsText(count: number): string {
  return `${count} ${count === 1 ? 'approval' : 'approvals'}`;
}

/** Returns why a payment or a payout needs approvals; nothing where it needs none. */
export function approvalsCauseText(cause: 'amount' | 'sum' | null | undefined): string {
  if (cause === 'amount') return 'It is more than the wallet pays without approvals.';
  return cause === 'sum' ? 'Alone it would need none: payments without approvals came before it.' : '';
}
