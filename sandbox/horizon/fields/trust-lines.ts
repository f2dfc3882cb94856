import type { xdr } from '@stellar/stellar-sdk/base';
import { ed25519Of } from '../../ledger/transaction.ts';
import { accountAddress, accountFields } from '../addresses.ts';
import { amountText } from '../amounts.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { assetFields, assetOfCode, lineFields } from '../assets.ts';
import { AUTHORIZED, MAINTAIN_LIABILITIES, trustLineFlagFields } from '../flags.ts';

export function changeTrustFields({ line, limit }: xdr.ChangeTrustOpWire, { source }: AppliedOperation) {
  const asset = lineFields(line);
  return {
    ...asset,
    limit: amountText(limit),
    ...(asset.asset_issuer !== undefined && { trustee: asset.asset_issuer }),
    ...accountFields('trustor', source),
  };
}

/** Full authorization includes the lesser one. */
export function allowTrustFields(op: xdr.AllowTrustOpWire, { source }: AppliedOperation) {
  return {
    ...assetFields(assetOfCode(op.asset, ed25519Of(source))),
    ...accountFields('trustee', source),
    trustor: accountAddress(op.trustor),
    authorize: (op.authorize & AUTHORIZED) !== 0,
    authorize_to_maintain_liabilities: (op.authorize & (AUTHORIZED | MAINTAIN_LIABILITIES)) !== 0,
  };
}

export function setTrustLineFlagsFields(op: xdr.SetTrustLineFlagsOpWire) {
  return { ...assetFields(op.asset), trustor: accountAddress(op.trustor), ...trustLineFlagFields(op) };
}

export function clawbackFields(op: xdr.ClawbackOpWire) {
  return { ...assetFields(op.asset), ...accountFields('from', op.from), amount: amountText(op.amount) };
}
