import { stringify } from '../http/exact-json.ts';
import type { Facts } from './told.ts';

/**
 * Pure: returns true when a change of a policy allows more than before, or announces that. Only what is certainly stricter is no
 * loosening: a difference that this function does not know counts as one.
 */
export function isLoosened(before: Facts, after: Facts): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].some((name) => {
    const [old, now] = [before[name], after[name]];
    if (stringify(old ?? null) === stringify(now ?? null)) return false;
    const looser = LOOSER[name];
    return looser === undefined || looser(old, now);
  });
}

/** By the member of the policy; called when it differs. Absent means null. */
const LOOSER: Record<string, (old: unknown, now: unknown) => boolean> = {
  frozen: (_old, now) => now !== true,
  pending: (old, now) => hasNew(listOf(old).map(idOf), listOf(now).map(idOf)),
  destinations: (old, now) => old !== undefined && (now === undefined || hasNew(listOf(old), listOf(now))),
  approvals: (old) => old !== undefined, // a change of a rule may ask for fewer
  limits: (old, now) => {
    if (old === undefined) return false;
    if (now === undefined) return true;
    const limits = new Map(listOf(old).map((limit) => [assetOf(limit), limit as Facts]));
    return listOf(now).some((limit) => isHigher(limits.get(assetOf(limit)), limit as Facts));
  },
};

/**
 * Returns true when one of the limits of an asset is higher than before or gone. An asset without limits is refused while another
 * asset has limits, so its first limits allow more, too.
 */
function isHigher(old: Facts | undefined, now: Facts): boolean {
  if (old === undefined) return true;
  return ['max_withdrawal_stroops', 'max_rolling_24h_stroops'].some((name) => {
    const [limit, next] = [old[name], now[name]];
    if (typeof limit !== 'bigint') return false; // there was none
    return typeof next !== 'bigint' || next > limit;
  });
}

function hasNew(old: unknown[], now: unknown[]): boolean {
  return now.some((each) => !old.includes(each));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function idOf(change: unknown): unknown {
  return (change as Facts).id;
}

function assetOf(limit: unknown): string {
  const { asset_code, asset_issuer } = limit as Facts;
  return stringify([asset_code, asset_issuer ?? null]);
}
