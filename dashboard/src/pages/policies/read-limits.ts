/** Pure: reads the typed limits of one asset. An empty field is no limit. */
import { type AssetFields, unitOf } from '../../text/asset.ts';
import { parseUnits } from '../../text/money.ts';
import { LIMIT_FIELDS, type LimitField, type LimitsOfAsset } from './limits.ts';

export type TypedLimits = Record<LimitField, string>;

/** The limits, or null with the problem of each field, to follow “The limit”. */
export function readLimits(
  asset: AssetFields,
  typed: TypedLimits,
): { entry: LimitsOfAsset | null; problems: Partial<Record<LimitField, string>> } {
  const { asset_code, asset_issuer } = asset;
  const entry: LimitsOfAsset = {
    asset_code,
    asset_issuer,
    max_withdrawal_stroops: null,
    max_rolling_24h_stroops: null,
  };
  const problems: Partial<Record<LimitField, string>> = {};
  for (const field of LIMIT_FIELDS) {
    if (typed[field].trim() === '') continue;
    const read = parseUnits(typed[field], undefined, unitOf(asset));
    if ('problem' in read) problems[field] = read.problem;
    else entry[field] = read.stroops;
  }
  return { entry: Object.keys(problems).length === 0 ? entry : null, problems };
}
