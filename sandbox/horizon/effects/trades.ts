import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';
import { publicKey } from '../../ledger/entry.ts';
import { accountFields } from '../addresses.ts';
import { amountText } from '../amounts.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { successOf } from '../applied-operation.ts';
import { assetFields } from '../assets.ts';
import type { Effect } from './effect.ts';
import { effect } from './effect.ts';

export function offerEffects(at: AppliedOperation): Effect[] {
  return tradeEffects(at.source, offerResult(successOf(at)).offersClaimed);
}

function offerResult(tr: xdr.OperationResultTrWire): xdr.ManageOfferSuccessResultWire {
  if (tr.type === 3) return successfulOffer(tr.manageSellOfferResult);
  if (tr.type === 4) return successfulOffer(tr.createPassiveSellOfferResult);
  assert.ok(tr.type === 12);
  return successfulOffer(tr.manageBuyOfferResult);
}

function successfulOffer(result: xdr.ManageSellOfferResultWire | xdr.ManageBuyOfferResultWire) {
  assert.ok(result.code === 0);
  return result.success;
}

/**
 * Two effects for each offer that was crossed: one for the taker, one for the owner. Each names the other side as
 * `seller`. Trades with liquidity pools, which the sandbox does not have, are left out.
 */
export function tradeEffects(buyer: xdr.MuxedAccountWire, claims: xdr.ClaimAtomWire[]): Effect[] {
  return claims.flatMap((atom) => {
    if (atom.type === 2) return [];
    const claim = atom.type === 0 ? atom.v0 : atom.orderBook;
    if (claim.amountSold === 0n && claim.amountBought === 0n) return [];
    const owner = 'sellerId' in claim ? claim.sellerId : publicKey(claim.sellerEd25519);
    const offer_id = `${claim.offerId}`;
    const given = { asset: claim.assetSold, amount: claim.amountSold };
    const taken = { asset: claim.assetBought, amount: claim.amountBought };
    return [
      effect('trade', buyer, { ...accountFields('seller', owner), offer_id, ...swap(taken, given) }),
      effect('trade', owner, { ...accountFields('seller', buyer), offer_id, ...swap(given, taken) }),
    ];
  });
}

type Side = { asset: xdr.AssetWire; amount: bigint };

function swap(sold: Side, bought: Side) {
  return {
    sold_amount: amountText(sold.amount),
    ...assetFields(sold.asset, 'sold_'),
    bought_amount: amountText(bought.amount),
    ...assetFields(bought.asset, 'bought_'),
  };
}
