/** Who is signed in, and what their role may do. The service decides; the pages offer nothing that it would refuse. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './client.ts';
import type { Me, Role } from './contract.ts';
import { ROLES_OF } from './roles-of.ts';

/** An operation that needs a login. */
export type LoginOperation = keyof typeof ROLES_OF;

const EVERY_MS = 10_000;

/** The user with team, role and wallets. The router reads it for every page that is opened. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api('getMe', { signal }),
  refetchInterval: EVERY_MS,
});

/** Undefined until it is read. */
export function useMe(): Me | undefined {
  return useQuery(meQuery).data;
}

/** `may('createWithdrawal')`: whether the role may do this. False until the role is known. */
export function useMay(): (operation: LoginOperation) => boolean {
  const role = useMe()?.role;
  return (operation) => role !== undefined && rolesOf(operation).includes(role);
}

export function rolesOf(operation: LoginOperation): readonly Role[] {
  return ROLES_OF[operation];
}
