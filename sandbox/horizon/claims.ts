import type { xdr } from '@stellar/stellar-sdk/base';
import { canonicalAsset } from './assets.ts';

/** What one offer (or liquidity pool) gave and took, seen from its side: it sold to whoever crossed it. */
export type Claim = Pick<xdr.ClaimOfferAtomWire, 'assetSold' | 'amountSold' | 'assetBought' | 'amountBought'>;

export function claimOf(atom: xdr.ClaimAtomWire): Claim {
  if (atom.type === 0) return atom.v0;
  return atom.type === 1 ? atom.orderBook : atom.liquidityPool;
}

/** What the sender of a path payment gave: all that the first hop's offers took, or the payment itself. */
export function amountSent({ offers, last }: xdr.PathPaymentStrictReceiveResultSuccessWire): bigint {
  const claims = offers.map(claimOf);
  const [first] = claims;
  if (first === undefined) return last.amount;
  const sent = canonicalAsset(first.assetBought);
  const next = claims.findIndex(({ assetBought }) => canonicalAsset(assetBought) !== sent);
  const firstHop = next === -1 ? claims : claims.slice(0, next);
  return firstHop.reduce((sum, { amountBought }) => sum + amountBought, 0n);
}
