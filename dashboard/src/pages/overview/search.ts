/** Pure: the asset and the days of the overview as search parameters: they survive a reload and can be shared. */
import { isIssuedAssetText } from '../../text/asset.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

/** The time ranges of the chart, in days. */
export const DAYS = ['7', '30', '90'] as const;

/** `asset`: CODE:ISSUER; absent for the native asset. `days`: absent for the range at first. */
export type OverviewSearch = { asset?: string; days?: (typeof DAYS)[number] };

/** Ignores parameters that are unknown or invalid. */
export function readOverviewSearch({ asset, days }: Record<string, unknown>): OverviewSearch {
  return withoutUndefined({
    asset: typeof asset === 'string' && isIssuedAssetText(asset) ? asset : undefined,
    // The router reads digits as a number.
    days: DAYS.find((each) => each === String(days)),
  });
}
