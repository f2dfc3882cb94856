import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

const CHANGING_EVERY_MS = 2_000;
const EVERY_MS = 10_000;

/** The issued assets of the wallet. Read more often while one of them is being added or removed. */
export function assetsQuery(walletId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'assets'],
    queryFn: ({ signal }) => api('listAssets', { id: walletId, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ status }) => status === 'pending' || status === 'removing')
        ? CHANGING_EVERY_MS
        : EVERY_MS,
  });
}

/** One asset with what its issuer can do, whether or not the wallet has it. `asset`: CODE:ISSUER. */
export function assetQuery(walletId: string, asset: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'assets', asset],
    queryFn: ({ signal }) => api('getAsset', { id: walletId, asset, signal }),
    retry: false,
  });
}
