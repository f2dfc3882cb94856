/** Pure: the asset of the overview as a search parameter: it survives a reload and can be shared. */
import { isIssuedAssetText } from '../../text/asset.ts';

/** `asset`: CODE:ISSUER; absent for the native asset. */
export type OverviewSearch = { asset?: string };

/** Ignores parameters that are unknown or invalid. */
export function readOverviewSearch({ asset }: Record<string, unknown>): OverviewSearch {
  return typeof asset === 'string' && isIssuedAssetText(asset) ? { asset } : {};
}
