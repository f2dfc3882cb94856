import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import type { Wallet } from './contract.ts';

const UNFUNDED_EVERY_MS = 5_000;

/** All of them: the menu and the list leave none out. */
export const walletsQuery = queryOptions({
  queryKey: ['wallets'],
  queryFn: async ({ signal }) => {
    const items: Wallet[] = [];
    let cursor: string | undefined;
    do {
      const page = await api('listWallets', {
        query: { limit: '200', ...(cursor ? { cursor } : {}) },
        signal,
      });
      items.push(...page.items);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    return { items };
  },
  refetchInterval: ({ state: { data } }) =>
    data?.items.some(({ status }) => status === 'unfunded') ? UNFUNDED_EVERY_MS : false,
});

export function walletQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId],
    queryFn: ({ signal }) => api('getWallet', { id: walletId, signal }),
    // Somebody may be watching for the account's first funds.
    refetchInterval: ({ state: { data } }) => (data?.status === 'unfunded' ? UNFUNDED_EVERY_MS : false),
  });
}

export function balancesQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'balances'],
    queryFn: ({ signal }) => api('listBalances', { id: walletId, signal }),
  });
}

/** What the overview shows until its reader asks for another span. */
export const DAYS_AT_FIRST = '30';

/** Of so many days, the last one today's. */
export function statisticsQuery(walletId: string, days = DAYS_AT_FIRST) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'statistics', days],
    queryFn: ({ signal }) => api('getStatistics', { id: walletId, query: { days }, signal }),
  });
}

export function apiKeyQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'api-key'],
    queryFn: ({ signal }) => api('getApiKey', { id: walletId, signal }),
    refetchInterval: 5_000,
  });
}
