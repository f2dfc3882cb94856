/** Pure: limits by asset, and when a change of them applies. The rules are the service's (docs/decisions/0010). */
import type { AssetLimits, PendingPolicyChange, Policy } from '../../api/contract.ts';
import { type AssetFields, assetText, shortIssuer, unitOf } from '../../text/asset.ts';
import { formatUnits } from '../../text/money.ts';

export type LimitField = 'max_withdrawal_stroops' | 'max_rolling_24h_stroops';
export const LIMIT_FIELDS = ['max_withdrawal_stroops', 'max_rolling_24h_stroops'] as const;
export const FIELD_WORDS = {
  max_withdrawal_stroops: 'per withdrawal',
  max_rolling_24h_stroops: 'in 24 hours',
} as const;

export type LimitsOfAsset = Omit<AssetLimits, 'used_rolling_24h_stroops'>;

/** Null: no asset has a limit, and every asset may be paid. A list refuses the assets that it does not have. */
export type Limits = LimitsOfAsset[] | null;

export function limitsInForce({ limits, other_assets_allowed }: Policy): Limits {
  if (other_assets_allowed) return null;
  return limits.map(({ used_rolling_24h_stroops: _, ...entry }) => entry);
}

/** The entry of the asset; undefined where it has no limit. */
export function limitOf(limits: Limits, asset: AssetFields): LimitsOfAsset | undefined {
  return limits?.find((entry) => assetText(entry) === assetText(asset));
}

/** The limits with those of one asset replaced. An entry without a limit removes the asset. */
export function withEntry(limits: Limits, wanted: LimitsOfAsset): Limits {
  const others = (limits ?? []).filter((entry) => assetText(entry) !== assetText(wanted));
  const list = LIMIT_FIELDS.some((field) => wanted[field] !== null) ? [...others, wanted] : others;
  return list.length === 0 ? null : sorted(list);
}

/** The limits once a pending change of them is in force. */
export function loosenedLimits(limits: Limits, change: PendingPolicyChange): Limits {
  const { field, asset_code, asset_issuer, max_withdrawal_stroops, max_rolling_24h_stroops } = change;
  if (limits === null || asset_code === null) return null;
  const asset = { asset_code, asset_issuer };
  if (field === 'limits')
    return sorted([...limits, { ...asset, max_withdrawal_stroops, max_rolling_24h_stroops }]);
  const entry = limitOf(limits, asset);
  return entry ? withEntry(limits, { ...entry, [field]: change.limit_stroops }) : limits;
}

/** The native asset first, as the service sorts them. */
function sorted(limits: LimitsOfAsset[]): LimitsOfAsset[] {
  const rank = (entry: LimitsOfAsset) => (entry.asset_issuer === null ? '' : assetText(entry));
  return limits.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** `XLM`, or `USDC (GA5Z…KZVN)`: two assets can have one code. */
export function nameOf(asset: AssetFields): string {
  const { asset_issuer } = asset;
  return asset_issuer === null ? unitOf(asset) : `${unitOf(asset)} (${shortIssuer(asset_issuer)})`;
}

/** What a change of the limits does to one asset: a sentence, and whether it waits. */
export type LimitEffect = { asset: AssetFields; effect: 'at_once' | 'later'; words: string };

/**
 * What changes for these assets when `wanted` is requested while `in_force` applies. An asset without a limit is refused
 * while another asset has one.
 */
export function effectsOfLimits(in_force: Limits, wanted: Limits, assets: AssetFields[]): LimitEffect[] {
  return assets.flatMap((asset): LimitEffect[] => {
    const [before, after] = [limitOf(in_force, asset), limitOf(wanted, asset)];
    if (before && after) return effectsOfFields(before, after);
    if (after) {
      const effect = in_force === null ? 'at_once' : 'later';
      return [{ asset, effect, words: `${nameOf(after)}: ${allowanceWords(after)}.` }];
    }
    const name = nameOf(asset);
    if (wanted === null)
      return in_force === null ? [] : [{ asset, effect: 'later', words: `${name}: no limit.` }];
    const wasRefused = in_force !== null && !before;
    return wasRefused ? [] : [{ asset, effect: 'at_once', words: `${name}: withdrawals are refused.` }];
  });
}

function effectsOfFields(before: LimitsOfAsset, after: LimitsOfAsset): LimitEffect[] {
  const [unit, name] = [unitOf(after), nameOf(after)];
  return LIMIT_FIELDS.filter((field) => before[field] !== after[field]).map((field) => {
    const [was, will] = [before[field], after[field]];
    const isRaise = will === null || (was !== null && will > was);
    const instead = was === null ? '' : ` instead of ${formatUnits(was)} ${unit}`;
    const words =
      will === null
        ? `${name}: no limit ${FIELD_WORDS[field]}.`
        : `${name}: at most ${formatUnits(will)} ${unit} ${FIELD_WORDS[field]}${instead}.`;
    return { asset: after, effect: isRaise ? 'later' : 'at_once', words };
  });
}

/** `at most 5 USDC per withdrawal and 10 USDC in 24 hours` */
export function allowanceWords(entry: LimitsOfAsset): string {
  const limits = LIMIT_FIELDS.flatMap((field) => {
    const limit = entry[field];
    return limit === null ? [] : [`${formatUnits(limit)} ${unitOf(entry)} ${FIELD_WORDS[field]}`];
  });
  return `at most ${limits.join(' and ')}`;
}

/** The effects of `wanted`, without those that are pending already, and the pending ones that it cancels. */
export function changeOfLimits(policy: Policy, target: Limits, wanted: Limits, assets: AssetFields[]) {
  const in_force = limitsInForce(policy);
  const pending = effectsOfLimits(in_force, target, assets).filter(({ effect }) => effect === 'later');
  const effects = effectsOfLimits(in_force, wanted, assets);
  const isAmong = (list: LimitEffect[]) => (one: LimitEffect) =>
    list.some(({ words }) => words === one.words);
  return {
    effects: effects.filter((effect) => !isAmong(pending)(effect)),
    cancelled: pending.filter((effect) => !isAmong(effects)(effect)),
  };
}
