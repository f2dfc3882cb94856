import type { xdr } from '@stellar/stellar-sdk/base';
import type { Asset } from '../asset.ts';
import { isValidAsset, sameAsset } from '../asset.ts';
import { smaller } from '../bytes.ts';
import { offerKey, publicKey } from '../entry.ts';
import type { Holding } from '../holding.ts';
import { availableOf, canBuyAtMost, canSellAtMost, isHoldingAuthorized, loadHolding } from '../holding.ts';
import type { Offer } from '../offer-book.ts';
import { acquireLiabilities, loadOffer, mustHold, releaseLiabilities, storeOffer } from '../offer-book.ts';
import type { Conversion } from '../offer-crossing.ts';
import { changeHolding, convertWithOffers, MAX_OFFERS_TO_CROSS } from '../offer-crossing.ts';
import { tradeEvents } from '../offer-events.ts';
import type { Price } from '../offer-exchange.ts';
import { adjustedAmount, inverse, isAbove, liabilitiesOf } from '../offer-exchange.ts';
import { createEntry, removeEntry } from '../sponsorship.ts';
import type { OfferCode, OfferResult, WrapOffer } from './manage-offer-result.ts';
import type { ApplyContext, OperationResult } from './rules.ts';
import { OP_EXCEEDED_WORK_LIMIT, reserveFailure } from './rules.ts';

/**
 * The common rules of manage_sell_offer, manage_buy_offer and create_passive_sell_offer (stellar-core,
 * ManageOfferOpFrameBase.cpp). The price is that of one unit of the asset sold.
 */
export type Order = {
  selling: Asset;
  buying: Asset;
  price: Price;
  /** 0 for a new offer. */
  offerId: bigint;
  /** The most that is sold, or bought; 0 deletes the offer. */
  bound: { sells: bigint } | { buys: bigint };
  passive: boolean;
};

const MALFORMED = -1;
const SELL_NO_TRUST = -2;
const BUY_NO_TRUST = -3;
const SELL_NOT_AUTHORIZED = -4;
const BUY_NOT_AUTHORIZED = -5;
const LINE_FULL = -6;
const UNDERFUNDED = -7;
const CROSS_SELF = -8;
const NOT_FOUND = -11;
const LOW_RESERVE = -12;

const PASSIVE_FLAG = 1;

export function orderProblem(order: Order, wrap: WrapOffer): OperationResult | null {
  const { selling, buying, price, offerId } = order;
  const wellFormed =
    isValidAsset(selling) &&
    isValidAsset(buying) &&
    !sameAsset(selling, buying) &&
    amountOf(order) >= 0n &&
    price.n > 0 &&
    price.d > 0 &&
    offerId >= 0n &&
    !(offerId === 0n && amountOf(order) === 0n);
  return wellFormed ? null : wrap({ code: MALFORMED });
}

export function applyOrder(order: Order, context: ApplyContext, wrap: WrapOffer): OperationResult {
  const fail = (code: OfferCode) => wrap({ code });
  const takesBack = amountOf(order) === 0n;
  const unable = takesBack ? undefined : traderProblem(order, context);
  if (unable !== undefined) return fail(unable);

  const offer = order.offerId === 0n ? reserve(order, context, wrap) : reopen(order, context, wrap);
  if ('code' in offer) return offer;
  if (takesBack) return wrap(closed(offer, context, []));

  const limits = exchangeLimits(order, context);
  if (typeof limits === 'number') return fail(limits);
  const trade = convertWithOffers(context, {
    taker: context.source,
    sheep: order.selling,
    wheat: order.buying,
    ...limits,
    rounding: 'normal',
    maxOffers: MAX_OFFERS_TO_CROSS,
    acceptsPrice: (price) => isAcceptable(price, offer),
  });
  if (trade.end === 'cross_self') return fail(CROSS_SELF);
  if (trade.end === 'too_many') return OP_EXCEEDED_WORK_LIMIT;

  if (trade.wheatReceived > 0n) {
    changeHolding(context, mustHold(context.txn, context.source, order.buying), trade.wheatReceived);
    changeHolding(context, mustHold(context.txn, context.source, order.selling), -trade.sheepSent);
  }
  tradeEvents(context.events, context.source, trade.claimed);
  const amount = trade.end === 'satisfied' ? 0n : amountLeft(order, context, trade);
  if (amount === 0n) return wrap(closed(offer, context, trade.claimed));
  return wrap(opened({ ...offer, amount }, context, trade.claimed));
}

function amountOf({ bound }: Order): bigint {
  return 'sells' in bound ? bound.sells : bound.buys;
}

/** checkOfferValid. The native asset and assets of the account itself need no trust line. */
function traderProblem(order: Order, { txn, source }: ApplyContext): OfferCode | undefined {
  const selling = loadHolding(txn, source, order.selling);
  if (selling === undefined) return SELL_NO_TRUST;
  if (selling.kind === 'line' && selling.line.balance === 0n) return UNDERFUNDED;
  if (!isHoldingAuthorized(selling)) return SELL_NOT_AUTHORIZED;
  const buying = loadHolding(txn, source, order.buying);
  if (buying === undefined) return BUY_NO_TRUST;
  return isHoldingAuthorized(buying) ? undefined : BUY_NOT_AUTHORIZED;
}

/**
 * Reserves the place of a new offer: while it crosses others it is in the ledger with id 0 and amount 0, so that
 * its reserve is taken. No other offer meets it, because crossing reads the other side of the book.
 */
function reserve(order: Order, context: ApplyContext, wrap: WrapOffer): Offer | OperationResult {
  const offer = offerFor(order, context.source, order.passive ? PASSIVE_FLAG : 0);
  const key = offerKey(context.source, 0n);
  const problem = createEntry(context, key, { type: 2, offer }, context.source);
  return problem === undefined ? offer : reserveFailure(problem, wrap({ code: LOW_RESERVE }));
}

/** Stops an open offer while it is changed, deleted or filled: with amount 0 it has no liabilities. */
function reopen(order: Order, context: ApplyContext, wrap: WrapOffer): Offer | OperationResult {
  const before = loadOffer(context.txn, context.source, order.offerId);
  if (before === undefined) return wrap({ code: NOT_FOUND });
  releaseLiabilities(context, before);
  const offer = offerFor(order, context.source, before.flags);
  storeOffer(context.txn, offer);
  return offer;
}

function offerFor({ selling, buying, price, offerId }: Order, source: Uint8Array, flags: number): Offer {
  const sellerId = publicKey(source);
  return { sellerId, offerId, selling, buying, amount: 0n, price, flags, ext: { v: 0 } };
}

/** computeOfferExchangeParameters: the whole order must fit beside all open offers, even if it is filled at once. */
function exchangeLimits(
  order: Order,
  { header, txn, source }: ApplyContext,
): { maxSheepSend: bigint; maxWheatReceive: bigint } | OfferCode {
  const selling = mustHold(txn, source, order.selling);
  const buying = mustHold(txn, source, order.buying);
  const needed = liabilitiesOf(order.price, order.bound);
  if (canBuyAtMost(buying) < needed.buying) return LINE_FULL;
  if (availableOf(header, selling) < needed.selling) return UNDERFUNDED;
  const limits = boundedBy(order, canSellAtMost(header, selling), canBuyAtMost(buying), NO_TRADE);
  return limits.maxWheatReceive === 0n ? LINE_FULL : limits;
}

type Traded = Pick<Conversion, 'sheepSent' | 'wheatReceived'>;
const NO_TRADE: Traded = { sheepSent: 0n, wheatReceived: 0n };

function boundedBy({ bound }: Order, canSell: bigint, canBuy: bigint, traded: Traded) {
  return 'sells' in bound
    ? { maxSheepSend: smaller(bound.sells - traded.sheepSent, canSell), maxWheatReceive: canBuy }
    : { maxSheepSend: canSell, maxWheatReceive: smaller(bound.buys - traded.wheatReceived, canBuy) };
}

/** A passive offer does not take offers of exactly the same price. */
function isAcceptable(price: Price, { price: ownPrice, flags }: Offer): boolean {
  const highest = inverse(ownPrice);
  return (flags & PASSIVE_FLAG) === 0 ? !isAbove(price, highest) : isAbove(highest, price);
}

function amountLeft(order: Order, { header, txn, source }: ApplyContext, traded: Traded): bigint {
  const selling: Holding = mustHold(txn, source, order.selling);
  const buying: Holding = mustHold(txn, source, order.buying);
  const limits = boundedBy(order, canSellAtMost(header, selling), canBuyAtMost(buying), traded);
  return adjustedAmount(order.price, limits.maxSheepSend, limits.maxWheatReceive);
}

/** Puts the offer into the book. A new one gets the next id of the ledger's idPool. */
function opened(offer: Offer, context: ApplyContext, offersClaimed: xdr.ClaimAtomWire[]): OfferResult {
  const { header, txn, source } = context;
  if (offer.offerId !== 0n) {
    storeOffer(txn, offer);
    acquireLiabilities(context, offer);
    return { code: 0, success: { offersClaimed, offer: { effect: 1, offer } } };
  }
  const created = { ...offer, offerId: txn.takeId(header) };
  const reserved = offerKey(source, 0n);
  txn.create(
    offerKey(source, created.offerId),
    { type: 2, offer: created },
    txn.get(reserved)?.ext ?? { v: 0 },
  );
  txn.delete(reserved);
  acquireLiabilities(context, created);
  return { code: 0, success: { offersClaimed, offer: { effect: 0, offer: created } } };
}

function closed(offer: Offer, context: ApplyContext, offersClaimed: xdr.ClaimAtomWire[]): OfferResult {
  removeEntry(context, offerKey(context.source, offer.offerId));
  return { code: 0, success: { offersClaimed, offer: { effect: 2 } } };
}
