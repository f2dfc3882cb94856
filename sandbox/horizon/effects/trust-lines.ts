import type { xdr } from '@stellar/stellar-sdk/base';
import { ed25519Of } from '../../ledger/transaction.ts';
import { accountAddress } from '../addresses.ts';
import { amountText } from '../amounts.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { assetFields, assetOfCode, lineFields } from '../assets.ts';
import { changesTo } from '../entry-changes.ts';
import { AUTHORIZED, CLAWBACK_ENABLED, MAINTAIN_LIABILITIES } from '../flags.ts';
import type { Effect, EffectType } from './effect.ts';
import { effect } from './effect.ts';

/** None when an issuer trusts itself, because nothing changes. */
export function changeTrustEffects({ line, limit }: xdr.ChangeTrustOpWire, at: AppliedOperation): Effect[] {
  const change = changesTo(at, 1).find(({ before, after }) => {
    return (after ?? before)?.trustLine.asset.type === line.type;
  });
  if (change === undefined) return [];
  const type = changeType(change);
  return [effect(type, at.source, { ...lineFields(line), limit: amountText(limit) })];
}

function changeType({ before, after }: { before: unknown; after: unknown }): EffectType {
  if (before === null) return 'trustline_created';
  return after === null ? 'trustline_removed' : 'trustline_updated';
}

/** Both the older effect of allow_trust and the general one that replaced it. */
export function allowTrustEffects(op: xdr.AllowTrustOpWire, { source }: AppliedOperation): Effect[] {
  const asset = assetOfCode(op.asset, ed25519Of(source));
  const { asset_issuer: _, ...named } = assetFields(asset);
  const trustor = accountAddress(op.trustor);
  const changed = (flags: Flags) => flagsUpdated(source, op.trustor, asset, flags);
  const own = (type: EffectType) => effect(type, source, { trustor, ...named });
  if ((op.authorize & AUTHORIZED) !== 0) {
    return [own('trustline_authorized'), changed({ setFlags: AUTHORIZED, clearFlags: 0 })];
  }
  if ((op.authorize & MAINTAIN_LIABILITIES) !== 0) {
    const flags = { setFlags: MAINTAIN_LIABILITIES, clearFlags: 0 };
    return [own('trustline_authorized_to_maintain_liabilities'), changed(flags)];
  }
  const flags = { setFlags: 0, clearFlags: AUTHORIZED | MAINTAIN_LIABILITIES };
  return [own('trustline_deauthorized'), changed(flags)];
}

export function setTrustLineFlagsEffects(
  op: xdr.SetTrustLineFlagsOpWire,
  { source }: AppliedOperation,
): Effect[] {
  return [flagsUpdated(source, op.trustor, op.asset, op)];
}

type Flags = { setFlags: number; clearFlags: number };

/**
 * The flag to maintain liabilities is never shown. Horizon stores it under one name and reads another
 * (`authorized_to_maintain_liabilites` and `authorized_to_maintain_liabilites_flag`).
 */
function flagsUpdated(
  source: xdr.MuxedAccountWire,
  trustor: xdr.PublicKeyWire,
  asset: xdr.AssetWire,
  flags: Flags,
): Effect {
  return effect('trustline_flags_updated', source, {
    ...assetFields(asset),
    trustor: accountAddress(trustor),
    ...shown('authorized_flag', AUTHORIZED, flags),
    ...shown('clawback_enabled_flag', CLAWBACK_ENABLED, flags),
  });
}

function shown(name: string, flag: number, { setFlags, clearFlags }: Flags): Record<string, boolean> {
  if ((clearFlags & flag) !== 0) return { [name]: false };
  return (setFlags & flag) !== 0 ? { [name]: true } : {};
}
