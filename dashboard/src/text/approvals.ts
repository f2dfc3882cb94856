/** Returns so many approvals in words: `1 approval`, `2 approvals`. */
export function approvalsText(count: number): string {
  return `${count} ${count === 1 ? 'approval' : 'approvals'}`;
}
