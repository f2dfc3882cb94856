import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { PendingPolicyChange, Policy } from '../../api/contract.ts';
import { healthQuery } from '../../api/wallets.ts';
import { bodyOf, isSamePolicy, patchOf, type Rules, targetOf } from './target.ts';

export function policyQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'policy'],
    queryFn: ({ signal }) => api('getPolicy', { id: walletId, signal }),
  });
}

export function usePolicy(walletId: string) {
  return useQuery({
    ...policyQuery(walletId),
    refetchInterval: 2_000, // pending changes take effect by themselves
  });
}

/**
 * Requests the shown policy with some rules changed. A list replaces the whole list, so nothing is sent if the policy has
 * changed since: it would undo that change.
 */
export function useChangePolicy(shown: Policy, onDone: () => void) {
  const client = useQueryClient();
  const { wallet_id } = shown;
  return useMutation({
    mutationFn: async (change: Partial<Rules>) => {
      // A freeze must always work, and it undoes nothing.
      if (change.frozen) return api('changePolicy', { id: wallet_id, body: { frozen: true } });
      const now = await api('getPolicy', { id: wallet_id });
      if (!isSamePolicy(now, shown)) {
        client.setQueryData(policyQuery(wallet_id).queryKey, now);
        throw new Error(
          'The policy has changed in the meantime, so nothing was done. Review it and try again.',
        );
      }
      const patch = patchOf(change);
      if (patch) return api('changePolicy', { id: wallet_id, body: patch });
      const body = bodyOf({ ...targetOf(shown), ...change });
      if (!body)
        throw new Error('No asset may be paid now, and this change would lift that. Set the limits first.');
      return api('replacePolicy', { id: wallet_id, body });
    },
    onSuccess: async (policy) => {
      await client.cancelQueries({ queryKey: policyQuery(wallet_id).queryKey });
      client.setQueryData(policyQuery(wallet_id).queryKey, policy);
      // It says whether the wallet is frozen, above every page.
      void client.invalidateQueries({ queryKey: healthQuery(wallet_id).queryKey });
      onDone();
    },
  });
}

export function useRevoke(walletId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: PendingPolicyChange) => api('revokePolicyChange', { id: walletId, change_id: id }),
    onSettled: () => client.invalidateQueries({ queryKey: policyQuery(walletId).queryKey }),
  });
}
