import type { xdr } from '@stellar/stellar-sdk/base';
import type { Order } from './manage-offer.ts';
import { applyOrder, orderProblem } from './manage-offer.ts';
import { asManageSellOffer, NEVER_TRIED } from './manage-offer-result.ts';
import type { OperationRules } from './rules.ts';
import { MEDIUM } from './rules.ts';

/** stellar-core, ManageSellOfferOpFrame.cpp. */
export const manageSellOffer: OperationRules<3> = {
  type: 3,
  success: asManageSellOffer(NEVER_TRIED),
  supported: () => true,
  threshold: () => MEDIUM,
  check: ({ manageSellOfferOp }) => orderProblem(orderOf(manageSellOfferOp), asManageSellOffer),
  apply: ({ manageSellOfferOp }, context) =>
    applyOrder(orderOf(manageSellOfferOp), context, asManageSellOffer),
};

function orderOf({ amount, ...rest }: xdr.ManageSellOfferOpWire): Order {
  return { ...rest, bound: { sells: amount }, passive: false };
}
