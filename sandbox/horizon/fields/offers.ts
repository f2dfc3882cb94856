import type { xdr } from '@stellar/stellar-sdk/base';
import { amountText, priceText } from '../amounts.ts';
import { assetFields } from '../assets.ts';

export function sellOfferFields(op: xdr.ManageSellOfferOpWire) {
  return { ...offerFields(op, op.amount), offer_id: `${op.offerId}` };
}

export function buyOfferFields(op: xdr.ManageBuyOfferOpWire) {
  return { ...offerFields(op, op.buyAmount), offer_id: `${op.offerId}` };
}

export function passiveOfferFields(op: xdr.CreatePassiveSellOfferOpWire) {
  return offerFields(op, op.amount);
}

type Offer = Pick<xdr.CreatePassiveSellOfferOpWire, 'buying' | 'selling' | 'price'>;

function offerFields({ buying, selling, price }: Offer, amount: bigint) {
  return {
    amount: amountText(amount),
    price: priceText(price),
    price_r: { n: price.n, d: price.d },
    ...assetFields(buying, 'buying_'),
    ...assetFields(selling, 'selling_'),
  };
}
