import { queryOptions } from '@tanstack/react-query';
import { isActive } from './activity.ts';
import { ApiError, api } from './client.ts';

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

/** The result as a file. The byte order mark tells Excel that it is UTF-8. @throws ApiError */
export async function resultFile(walletId: string, payoutId: string): Promise<Blob> {
  const path = `/v1/wallets/${encodeURIComponent(walletId)}/payouts/${encodeURIComponent(payoutId)}/rows`;
  const headers = { accept: 'text/csv', 'Teller-Browser': isActive() ? 'active' : 'idle' };
  const response = await fetch(path, { headers }).catch(() => null);
  if (response?.ok) return new Blob(['\uFEFF', await response.blob()], { type: 'text/csv;charset=utf-8' });
  const message = response ? 'The result could not be read.' : 'The service cannot be reached.';
  throw new ApiError({
    status: response?.status ?? 0,
    message,
    code: response ? 'unreadable' : 'unreachable',
  });
}
