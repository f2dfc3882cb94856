import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import type { AwaitingApproval, Member } from './contract.ts';

const EVERY_MS = 5_000;

/** Everything that awaits approvals, from every page of the list. */
export const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  queryFn: async ({ signal }) => {
    const items: AwaitingApproval[] = [];
    let cursor: string | undefined;
    do {
      const page = await api('listApprovals', {
        query: { limit: '200', ...(cursor ? { cursor } : {}) },
        signal,
      });
      items.push(...page.items);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    return { items };
  },
  refetchInterval: EVERY_MS,
});

/** The members of the team by their ids, for their names. Who has left is not among them. */
export const memberNamesQuery = queryOptions({
  queryKey: ['team', 'member-names'],
  queryFn: async ({ signal }) => {
    const members = new Map<string, Member>();
    let cursor: string | undefined;
    do {
      const page = await api('listMembers', {
        query: { limit: '200', ...(cursor ? { cursor } : {}) },
        signal,
      });
      for (const member of page.items) members.set(member.user_id, member);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    return members;
  },
});

/** What a withdrawal that awaits approvals would do now, from its stored order. */
export function approvalPreviewQuery(walletId: string, withdrawalId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'withdrawal', withdrawalId, 'preview'],
    queryFn: ({ signal }) => api('previewApproval', { id: walletId, withdrawal_id: withdrawalId, signal }),
    refetchInterval: EVERY_MS,
  });
}
