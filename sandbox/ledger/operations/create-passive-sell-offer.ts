import type { xdr } from '@stellar/stellar-sdk/base';
import type { Order } from './manage-offer.ts';
import { applyOrder, orderProblem } from './manage-offer.ts';
import { asManageSellOffer, NEVER_TRIED } from './manage-offer-result.ts';
import type { OperationRules } from './rules.ts';
import { MEDIUM } from './rules.ts';

/** stellar-core, CreatePassiveSellOfferOpFrame.cpp: runs it as a manage_sell_offer, and gives the result of that. */
export const createPassiveSellOffer: OperationRules<4> = {
  type: 4,
  success: asManageSellOffer(NEVER_TRIED),
  supported: () => true,
  threshold: () => MEDIUM,
  check: ({ createPassiveSellOfferOp }) => orderProblem(orderOf(createPassiveSellOfferOp), asManageSellOffer),
  apply: ({ createPassiveSellOfferOp }, context) =>
    applyOrder(orderOf(createPassiveSellOfferOp), context, asManageSellOffer),
};

function orderOf({ amount, ...rest }: xdr.CreatePassiveSellOfferOpWire): Order {
  return { ...rest, offerId: 0n, bound: { sells: amount }, passive: true };
}
