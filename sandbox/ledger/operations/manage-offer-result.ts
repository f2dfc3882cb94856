import type { xdr } from '@stellar/stellar-sdk/base';
import { NATIVE } from '../asset.ts';
import { publicKey } from '../entry.ts';
import type { OperationResult } from './rules.ts';

/** The results of all three operations have the same codes and contents. */
export type OfferResult = xdr.ManageSellOfferResultWire;
export type WrapOffer = (result: OfferResult) => OperationResult;
export type OfferCode = Exclude<OfferResult['code'], 0>;

/** The operation whose result this is. The results differ in nothing else. */
export const asManageSellOffer: WrapOffer = (result) => ({
  code: 0,
  tr: { type: 3, manageSellOfferResult: result },
});
export const asManageBuyOffer: WrapOffer = (result) => ({
  code: 0,
  tr: { type: 12, manageBuyOfferResult: result },
});

/** The result of an operation that was never tried: the zeros of the XDR type, as in stellar-core. */
export const NEVER_TRIED: OfferResult = {
  code: 0,
  success: {
    offersClaimed: [],
    offer: {
      effect: 0,
      offer: {
        sellerId: publicKey(new Uint8Array(32)),
        offerId: 0n,
        selling: NATIVE,
        buying: NATIVE,
        amount: 0n,
        price: { n: 0, d: 0 },
        flags: 0,
        ext: { v: 0 },
      },
    },
  },
};
