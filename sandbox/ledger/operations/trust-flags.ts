import type { IssuedAsset } from '../asset.ts';
import { removeOffersOf } from '../offer-book.ts';
import type { TrustLine } from '../trust-line.ts';
import {
  AUTHORIZED,
  AUTHORIZED_TO_MAINTAIN_LIABILITIES,
  CLAWBACK_ENABLED,
  isAuthorized,
  loadTrustLine,
  mayMaintainLiabilities,
  storeTrustLine,
} from '../trust-line.ts';
import type { ApplyContext } from './rules.ts';

export const AUTH_FLAGS = AUTHORIZED | AUTHORIZED_TO_MAINTAIN_LIABILITIES;
export const ALL_FLAGS = AUTH_FLAGS | CLAWBACK_ENABLED;

/** A line may be authorized, or only allowed to keep its offers, but not both. */
export function isOneAuthorization(flags: number): boolean {
  return (flags & AUTH_FLAGS) !== AUTH_FLAGS;
}

/**
 * The common rules of allow_trust and set_trust_line_flags (stellar-core, TrustFlagsOpFrameBase.cpp): sets the
 * flags of the trustor's line, and removes its offers when it loses every authorization.
 * @param change returns the new flags, or the code that forbids the change
 * @returns the code of `change`, `noTrustLine` without a line, or 0
 */
export function changeTrustFlags<C extends number>(
  context: ApplyContext,
  { trustor, asset, noTrustLine }: { trustor: Uint8Array; asset: IssuedAsset; noTrustLine: C },
  change: (line: TrustLine) => { flags: number } | { refused: C },
): C | 0 {
  const line = loadTrustLine(context.txn, trustor, asset);
  if (line === undefined) return noTrustLine;
  const changed = change(line);
  if ('refused' in changed) return changed.refused;
  const after = { ...line, flags: changed.flags };
  if (mayMaintainLiabilities(line) && !mayMaintainLiabilities(after)) {
    removeOffersOf(context, trustor, asset);
  }
  // Read again: removing the offers changed the liabilities of this line.
  const left = loadTrustLine(context.txn, trustor, asset) ?? line;
  storeTrustLine(context.txn, { ...left, flags: changed.flags });
  // Also when the authorization is the same as before.
  context.events.setAuthorized(asset, trustor, isAuthorized(after));
  return 0;
}
