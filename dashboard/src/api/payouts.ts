import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { csvFile } from './csv-file.ts';

const MOVING_EVERY_MS = 1_000;
const EVERY_MS = 10_000;

/** One payout with its progress, read more often while rows begin or have no outcome. */
export function payoutQuery(walletId: string, payoutId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'payout', payoutId],
    queryFn: ({ signal }) => api('getPayout', { id: walletId, payout_id: payoutId, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'running' || (data?.counts.pending ?? 0) > 0 ? MOVING_EVERY_MS : EVERY_MS,
  });
}

/** Enough to see whom a payout pays. */
const FIRST_ROWS = 5;

/** The first rows of its file, which nobody can change. */
export function firstRowsQuery(walletId: string, payoutId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'payout', payoutId, 'first rows'],
    queryFn: ({ signal }) =>
      api('listPayoutRows', { id: walletId, payout_id: payoutId, query: { limit: FIRST_ROWS }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The result as a file. @throws ApiError */
export function resultFile(walletId: string, payoutId: string): Promise<Blob> {
  return csvFile(
    `/v1/wallets/${encodeURIComponent(walletId)}/payouts/${encodeURIComponent(payoutId)}/rows`,
    'The result',
  );
}
