import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import type { AwaitingApproval, DecidedApproval } from './contract.ts';
import { everyItem } from './every-item.ts';

const EVERY_MS = 5_000;

/** Everything that awaits approvals, from every page of the list. */
export const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  queryFn: async ({ signal }) => {
    return { items: await everyItem((query) => api('listApprovals', { query, signal })) };
  },
  refetchInterval: EVERY_MS,
});

/** What an item of either list asks for, whatever its kind. Null for a kind that a later version of the service has. */
export function askedOf({ withdrawal, payout, change, access_change }: AwaitingApproval | DecidedApproval) {
  return withdrawal ?? payout ?? change ?? access_change;
}

/** The members of the team by their ids, for their names. */
export const memberNamesQuery = queryOptions({
  queryKey: ['team', 'member-names'],
  queryFn: ({ signal }) => membersById({}, signal),
});

/** Those who have left the team, likewise. */
export const formerNamesQuery = queryOptions({
  queryKey: ['team', 'member-names', 'former'],
  queryFn: ({ signal }) => membersById({ former: true }, signal),
});

async function membersById(which: { former?: boolean }, signal: AbortSignal) {
  const members = await everyItem((query) => api('listMembers', { query: { ...query, ...which }, signal }));
  return new Map(members.map((member) => [member.user_id, member]));
}

/** What a withdrawal that awaits approvals would do now, from its stored order. */
export function approvalPreviewQuery(walletId: string, withdrawalId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'withdrawal', withdrawalId, 'preview'],
    queryFn: ({ signal }) => api('previewApproval', { id: walletId, withdrawal_id: withdrawalId, signal }),
    refetchInterval: EVERY_MS,
  });
}
