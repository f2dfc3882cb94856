import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import type { Role, ServiceRole } from './contract.ts';

export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: ({ signal }) => api('getTeam', { signal }),
});

/** The keys of the two lists: of the members, and of the open invitations. */
export const MEMBERS = ['team', 'members'];
export const INVITATIONS = ['team', 'invitations'];

/** More service users than a team can have. */
const ALL_SERVICE_USERS = 200;

export const serviceUsersQuery = queryOptions({
  queryKey: ['team', 'service-users'],
  queryFn: ({ signal }) => api('listServiceUsers', { query: { limit: ALL_SERVICE_USERS }, signal }),
  refetchInterval: 10_000,
});

/** The roles that a service user can have. */
export const SERVICE_ROLES: readonly ServiceRole[] = [
  'admin',
  'operator',
  'approver',
  'developer',
  'auditor',
  'viewer',
];

/** Whether a member with `role` gives and takes the role `other`: an admin makes no owner and changes none. */
export function mayManage(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && other !== 'owner');
}

/** Whether every member with this role uses every wallet, also those that are made later. */
export function usesAllWallets(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}
