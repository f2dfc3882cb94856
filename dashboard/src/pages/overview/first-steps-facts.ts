import { useQueries, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { factorsQuery } from '../../api/factors.ts';
import { useMay, useMe } from '../../api/me.ts';
import { INVITATIONS, MEMBERS } from '../../api/team.ts';
import { endpointsQuery } from '../../api/webhooks.ts';
import type { Facts } from './first-steps.ts';

const EVERY_MS = 5_000;

/** Reads what of the first steps with a wallet is done. Of lists, the first rows say enough. */
export function useFirstStepsFacts(walletId: string): Facts {
  const me = useMe();
  const mayInvite = useMay()('createInvitation');
  const { data: factors } = useQuery(factorsQuery);
  const { data: endpoints } = useQuery(endpointsQuery(walletId));
  const [addresses, deposits, members, invitations] = useQueries({
    queries: [
      {
        queryKey: ['wallet', walletId, 'addresses', { limit: 1 }],
        queryFn: () => api('listDepositAddresses', { id: walletId, query: { limit: 1 } }),
        refetchInterval: EVERY_MS,
      },
      {
        queryKey: ['wallet', walletId, 'deposits', { limit: 1, attributed: true }],
        queryFn: () => api('listDeposits', { id: walletId, query: { limit: 1, attributed: true } }),
        refetchInterval: EVERY_MS,
      },
      {
        queryKey: [...MEMBERS, 'any'],
        queryFn: () => api('listMembers', { query: { limit: 2 } }),
        enabled: mayInvite,
      },
      {
        queryKey: [...INVITATIONS, 'any'],
        queryFn: () => api('listInvitations', { query: { limit: 1 } }),
        enabled: mayInvite,
      },
    ],
  });
  const others = members.data?.items.filter(({ user_id }) => user_id !== me?.id);
  return {
    address: hasAny(addresses.data),
    deposit: hasAny(deposits.data),
    endpoint: endpoints?.items.some(({ enabled }) => enabled),
    exam: endpoints?.items.some(({ exam_passed_at }) => exam_passed_at !== null),
    colleague: others && invitations.data && others.length + invitations.data.items.length > 0,
    factor: factors && factors.factors.length > 0,
  };
}

function hasAny(page: { items: unknown[] } | undefined): boolean | undefined {
  return page && page.items.length > 0;
}
