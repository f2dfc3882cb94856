import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** One withdrawal, read until it has its outcome, which never changes. */
export function withdrawalQuery(walletId: string, withdrawalId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'withdrawal', withdrawalId],
    queryFn: ({ signal }) => api('getWithdrawal', { id: walletId, withdrawal_id: withdrawalId, signal }),
    refetchInterval: ({ state: { data } }) => (data?.settled_at ? false : 1_000),
  });
}
