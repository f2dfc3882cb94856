import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './client.ts';
import type { Wallet } from './contract.ts';
import { everyItem } from './every-item.ts';

const UNFUNDED_EVERY_MS = 5_000;

/** All wallets, from every page of the list. */
export const walletsQuery = queryOptions({
  queryKey: ['wallets'],
  queryFn: async ({ signal }) => {
    return { items: await everyItem((query) => api('listWallets', { query, signal })) };
  },
  refetchInterval: ({ state: { data } }) =>
    data?.items.some(({ status }) => status === 'unfunded') ? UNFUNDED_EVERY_MS : false,
});

const NONE: Wallet[] = [];

/** All wallets; none until they are read. It is the same array until they are read again. */
export function useWallets(): Wallet[] {
  return useQuery(walletsQuery).data?.items ?? NONE;
}

export function walletQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId],
    queryFn: ({ signal }) => api('getWallet', { id: walletId, signal }),
    // The user may be waiting for the account's first funds.
    refetchInterval: ({ state: { data } }) => (data?.status === 'unfunded' ? UNFUNDED_EVERY_MS : false),
  });
}

export function balancesQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'balances'],
    queryFn: ({ signal }) => api('listBalances', { id: walletId, signal }),
  });
}

/** The overview's time range at first. */
export const DAYS_AT_FIRST = '30';

/** Statistics of the last `days` days, including today. `asset`: `native` or CODE:ISSUER. */
export function statisticsQuery(walletId: string, days = DAYS_AT_FIRST, asset = 'native') {
  return queryOptions({
    queryKey: ['wallet', walletId, 'statistics', days, asset],
    queryFn: ({ signal }) =>
      api('getStatistics', { id: walletId, query: { days: Number(days), asset }, signal }),
  });
}

/** The state of each part that the wallet depends on. The navigation refreshes it for all pages. */
export function healthQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'health'],
    queryFn: ({ signal }) => api('getWalletHealth', { id: walletId, signal }),
  });
}

/** The smallest deposits, by asset, that an event announces. */
export function depositMinimumsQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'deposit-minimums'],
    queryFn: ({ signal }) => api('getDepositMinimums', { id: walletId, signal }),
  });
}

export function apiKeyQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'api-key'],
    queryFn: ({ signal }) => api('getApiKey', { id: walletId, signal }),
    refetchInterval: 5_000,
  });
}

/** More keys than a wallet has, unless very many have expired: those are the oldest. */
const ALL_KEYS = 200;

export function namedKeysQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'api-keys'],
    queryFn: ({ signal }) => api('listApiKeys', { id: walletId, query: { limit: ALL_KEYS }, signal }),
    refetchInterval: 5_000,
  });
}
