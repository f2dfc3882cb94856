import type { xdr } from '@stellar/stellar-sdk/base';
import { inverse } from '../offer-exchange.ts';
import type { Order } from './manage-offer.ts';
import { applyOrder, orderProblem } from './manage-offer.ts';
import { asManageBuyOffer, NEVER_TRIED } from './manage-offer-result.ts';
import type { OperationRules } from './rules.ts';
import { MEDIUM } from './rules.ts';

/** stellar-core, ManageBuyOfferOpFrame.cpp. The price is that of the asset bought. */
export const manageBuyOffer: OperationRules<12> = {
  type: 12,
  success: asManageBuyOffer(NEVER_TRIED),
  supported: () => true,
  threshold: () => MEDIUM,
  check: ({ manageBuyOfferOp }) => orderProblem(orderOf(manageBuyOfferOp), asManageBuyOffer),
  apply: ({ manageBuyOfferOp }, context) => applyOrder(orderOf(manageBuyOfferOp), context, asManageBuyOffer),
};

function orderOf({ buyAmount, price, ...rest }: xdr.ManageBuyOfferOpWire): Order {
  return { ...rest, price: inverse(price), bound: { buys: buyAmount }, passive: false };
}
