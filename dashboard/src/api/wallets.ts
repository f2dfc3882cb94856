import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export const walletsQuery = queryOptions({
  queryKey: ['wallets'],
  queryFn: ({ signal }) => api('listWallets', { query: { limit: '200' }, signal }),
});

export function walletQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId],
    queryFn: ({ signal }) => api('getWallet', { id: walletId, signal }),
  });
}

export function balancesQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'balances'],
    queryFn: ({ signal }) => api('listBalances', { id: walletId, signal }),
  });
}
