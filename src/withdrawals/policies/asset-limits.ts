/**
 * The limits of a policy by asset, seen as the set of payments that they allow. Pure.
 *
 * While no asset has a limit, every asset may be paid. As soon as one has a limit, an asset without a limit is refused.
 * Therefore what a change does to an asset depends on the other assets:
 *
 * | asset in force | asset in the target | the change                                                             |
 * |----------------|---------------------|------------------------------------------------------------------------|
 * | free           | limited or refused  | tightening: another asset's first limit refuses this one at once       |
 * | limited        | refused             | tightening: its limits go while another asset stays limited            |
 * | limited        | limited             | field by field: lower is a tightening, higher or none is a loosening   |
 * | refused        | limited             | loosening, one change with both fields (`limits` with the asset)       |
 * | limited        | free                | loosening: field by field if it is the only limited asset, otherwise   |
 * | refused        | free                | one change for all assets (`limits` without an asset)                  |
 *
 * Each change is whole: whichever of the pending ones are revoked, what remains is no looser than a target that was asked
 * for. Two fields of an asset that was refused are one change, because one field alone would allow more than both.
 */
import { type AssetFields, assetText } from '../../stellar/asset.ts';

export type LimitField = 'max_withdrawal_stroops' | 'max_rolling_24h_stroops';
export const LIMIT_FIELDS = ['max_withdrawal_stroops', 'max_rolling_24h_stroops'] as const;

/** Null means no limit. At least one of the two is a limit. */
export type AssetLimits = AssetFields & Record<LimitField, bigint | null>;

/**
 * Null: no asset has a limit, and every asset is free. A list allows its assets within their limits and refuses the
 * others; [] refuses all. The native asset comes first, then by code and issuer.
 */
export type Limits = AssetLimits[] | null;

/**
 * A max_… field: `limit_stroops` is the new limit of the asset, null for none. `limits` with an asset: the asset was
 * refused and gets the two limits; without one: no asset has a limit any more.
 */
export type LimitLoosening = { field: LimitField | 'limits' } & Nullable<AssetFields> &
  Record<LimitField | 'limit_stroops', bigint | null>;

type Nullable<T> = { [K in keyof T]: T[K] | null };

const NO_ASSET = { asset_code: null, asset_issuer: null };
const NO_LIMIT = { limit_stroops: null, max_withdrawal_stroops: null, max_rolling_24h_stroops: null };

/** Returns the limits that a request names, in order. Entries without a limit are left out; an empty list is no limits (null). */
export function limitsOf(entries: AssetLimits[]): Limits {
  const limited = entries.filter(isLimited);
  return limited.length === 0 ? null : sorted(limited);
}

/** Returns the entry of the asset; undefined where it has no limit, because all assets are free or because it is refused. */
export function limitOf(limits: Limits, asset: AssetFields): AssetLimits | undefined {
  return limits?.find((entry) => assetText(entry) === assetText(asset));
}

/** Returns the limits that allow only what both allow. */
export function narrowerLimits(current: Limits, target: Limits): Limits {
  if (current === null || target === null) return current ?? target;
  return current.flatMap((entry) => {
    const wanted = limitOf(target, entry);
    if (!wanted) return [];
    const [max_withdrawal_stroops, max_rolling_24h_stroops] = LIMIT_FIELDS.map((field) =>
      lower(entry[field], wanted[field]),
    ) as [bigint | null, bigint | null];
    return [{ ...entry, max_withdrawal_stroops, max_rolling_24h_stroops }];
  });
}

function lower(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Returns the changes that make `target` of `tightened`, which is the target's limits or narrower ones. */
export function limitLoosenings(tightened: Limits, target: Limits): LimitLoosening[] {
  if (tightened === null) return [];
  if (target === null) {
    const [only, ...others] = tightened;
    if (!only || others.length > 0) return [{ field: 'limits', ...NO_ASSET, ...NO_LIMIT }];
    return fieldLoosenings(only, { ...only, ...NO_LIMIT });
  }
  return target.flatMap((wanted): LimitLoosening[] => {
    const entry = limitOf(tightened, wanted);
    return entry ? fieldLoosenings(entry, wanted) : [{ field: 'limits', ...wanted, limit_stroops: null }];
  });
}

function fieldLoosenings(entry: AssetLimits, wanted: AssetLimits): LimitLoosening[] {
  const { asset_code, asset_issuer } = entry;
  return LIMIT_FIELDS.filter((field) => entry[field] !== wanted[field]).map((field) => ({
    ...NO_LIMIT,
    field,
    asset_code,
    asset_issuer,
    limit_stroops: wanted[field],
  }));
}

/** Returns the limits once the change is in force. A change of an asset that has no limits by now changes nothing. */
export function loosenedLimits(limits: Limits, change: LimitLoosening): Limits {
  const { field, asset_code, asset_issuer, limit_stroops, ...both } = change;
  if (limits === null || asset_code === null) return null;
  const asset = { asset_code, asset_issuer };
  const entry = limitOf(limits, asset);
  const others = limits.filter((one) => one !== entry);
  if (field === 'limits') return entry ? limits : sorted([...limits, { ...asset, ...limitFields(both) }]);
  if (!entry) return limits;
  const changed = { ...entry, [field]: limit_stroops };
  if (isLimited(changed)) return sorted([...others, changed]);
  return others.length === 0 ? null : others;
}

function limitFields({ max_withdrawal_stroops, max_rolling_24h_stroops }: Record<LimitField, bigint | null>) {
  return { max_withdrawal_stroops, max_rolling_24h_stroops };
}

function isLimited(entry: AssetLimits): boolean {
  return LIMIT_FIELDS.some((field) => entry[field] !== null);
}

/** Writes the limits as a column has them: JSON with the amounts as texts, because JSON numbers are doubles for many readers. */
export function limitsText(limits: Limits): string | null {
  return limits && JSON.stringify(limits, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}

/** Reads a column that `limitsText` has written. */
export function readLimits(column: unknown): Limits {
  const entries = column as (AssetFields & Record<LimitField, string | null>)[] | null;
  return entries?.map((entry) => ({ ...entry, ...amountsOf(entry) })) ?? null;
}

function amountsOf(entry: Record<LimitField, string | null>): Record<LimitField, bigint | null> {
  const [max_withdrawal_stroops, max_rolling_24h_stroops] = LIMIT_FIELDS.map((field) => {
    const text = entry[field];
    return text === null ? null : BigInt(text);
  }) as [bigint | null, bigint | null];
  return { max_withdrawal_stroops, max_rolling_24h_stroops };
}

function sorted(entries: AssetLimits[]): AssetLimits[] {
  const rank = (entry: AssetLimits) => (entry.asset_issuer === null ? '' : assetText(entry));
  return entries.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}
