import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import type { Role } from './contract.ts';

export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: ({ signal }) => api('getTeam', { signal }),
});

/** The keys of the two lists: of the members, and of the open invitations. */
export const MEMBERS = ['team', 'members'];
export const INVITATIONS = ['team', 'invitations'];

/** Whether a member with `role` gives and takes the role `other`: an admin makes no owner and changes none. */
export function mayManage(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && other !== 'owner');
}

/** Whether every member with this role uses every wallet, also those that are made later. */
export function usesAllWallets(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}
