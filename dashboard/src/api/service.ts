import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AssetFields } from '../text/asset.ts';
import { api } from './client.ts';

/** The service's network, its explorer for transactions, and the assets that it knows by itself. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: ({ signal }) => api('getService', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

const NONE: AssetFields[] = [];

/** The known assets of the network, and the test assets of the sandbox; none until they are read. */
export function useKnownAssets(): AssetFields[] {
  const { data } = useQuery({ ...serviceQuery, select: assetsKnownBy });
  return data ?? NONE;
}

/** Outside of the component, so that the selection is made once. */
function assetsKnownBy({
  known_assets,
  test_assets,
}: {
  known_assets: AssetFields[];
  test_assets: AssetFields[];
}): AssetFields[] {
  return [...known_assets, ...test_assets];
}
