import type { xdr } from '@stellar/stellar-sdk/base';
import type { Asset } from './asset.ts';
import { sameBytes, smaller } from './bytes.ts';
import type { Holding } from './holding.ts';
import { addToHolding, canBuyAtMost, canSellAtMost, storeHolding } from './holding.ts';
import type { BookContext, Offer } from './offer-book.ts';
import {
  acquireLiabilities,
  bestOffer,
  keyOfOffer,
  mustHold,
  releaseLiabilities,
  storeOffer,
} from './offer-book.ts';
import type { Price, Rounding } from './offer-exchange.ts';
import { adjustedAmount, exchange } from './offer-exchange.ts';
import { removeEntry } from './sponsorship.ts';

/** Offers that one operation may take before it fails (stellar-core, MAX_OFFERS_TO_CROSS). */
export const MAX_OFFERS_TO_CROSS = 1000;

export type Wish = {
  taker: Uint8Array;
  sheep: Asset;
  wheat: Asset;
  maxSheepSend: bigint;
  maxWheatReceive: bigint;
  rounding: Rounding;
  maxOffers: number;
  acceptsPrice(price: Price): boolean;
};

/**
 * Why crossing stopped. `satisfied`: the taker has all it wanted or can pay. `book_exhausted`: there were not
 * enough offers. `bad_price`, `cross_self`: the next offer is too expensive, or the taker's own. `too_many`: see
 * MAX_OFFERS_TO_CROSS.
 */
export type Conversion = {
  end: 'satisfied' | 'book_exhausted' | 'bad_price' | 'cross_self' | 'too_many';
  sheepSent: bigint;
  wheatReceived: bigint;
  claimed: xdr.ClaimAtomWire[];
};

/**
 * Takes the best offers one after the other and updates the holdings of their sellers. The caller updates the
 * holdings of the taker (stellar-core, OfferExchange.cpp convertWithOffers).
 */
export function convertWithOffers(context: BookContext, wish: Wish): Conversion {
  const claimed: xdr.ClaimAtomWire[] = [];
  let sheepSent = 0n;
  let wheatReceived = 0n;
  const ended = (end: Conversion['end']): Conversion => ({ end, sheepSent, wheatReceived, claimed });

  while (sheepSent < wish.maxSheepSend && wheatReceived < wish.maxWheatReceive) {
    if (wish.maxOffers === 0) return ended('too_many');
    const offer = bestOffer(context.txn, wish.wheat, wish.sheep);
    if (offer === undefined) return ended('book_exhausted');
    if (!wish.acceptsPrice(offer.price)) return ended('bad_price');
    if (sameBytes(offer.sellerId.ed25519, wish.taker)) return ended('cross_self');
    if (claimed.length >= wish.maxOffers) return ended('too_many');

    const crossed = crossOffer(context, offer, {
      maxSheepSend: wish.maxSheepSend - sheepSent,
      maxWheatReceive: wish.maxWheatReceive - wheatReceived,
      rounding: wish.rounding,
    });
    claimed.push(claimAtom(offer, crossed));
    sheepSent += crossed.sheepSent;
    wheatReceived += crossed.wheatReceived;
    if (crossed.wheatStays) return ended('satisfied');
  }
  return ended('satisfied');
}

type Crossed = { sheepSent: bigint; wheatReceived: bigint; wheatStays: boolean };

/** Removes the seller's liabilities for the trade, and adds those of the remaining offer again (crossOfferV10). */
function crossOffer(
  context: BookContext,
  offer: Offer,
  taker: { maxSheepSend: bigint; maxWheatReceive: bigint; rounding: Rounding },
): Crossed {
  const { header, txn } = context;
  const seller = offer.sellerId.ed25519;
  releaseLiabilities(context, offer);
  const wheat = mustHold(txn, seller, offer.selling);
  const sheep = mustHold(txn, seller, offer.buying);

  const maxSheepReceive = canBuyAtMost(sheep);
  const maxWheatSend = adjustedAmount(
    offer.price,
    smaller(offer.amount, canSellAtMost(header, wheat)),
    maxSheepReceive,
  );
  const limits = { ...taker, maxWheatSend, maxSheepReceive };
  const { sheepSent, wheatReceived, wheatStays } = exchange(offer.price, limits, taker.rounding);

  const paid = changeHolding(context, sheep, sheepSent);
  changeHolding(context, wheat, -wheatReceived);
  const amount = wheatStays
    ? adjustedAmount(offer.price, maxWheatSend - wheatReceived, canBuyAtMost(paid))
    : 0n;
  const left = { ...offer, amount };
  if (amount === 0n) {
    removeEntry(context, keyOfOffer(offer));
  } else {
    storeOffer(txn, left);
    acquireLiabilities(context, left);
  }
  return { sheepSent, wheatReceived, wheatStays };
}

/** Adds the amount of an exchange to a holding. The limits of the exchange guarantee that the holding can take it. */
export function changeHolding({ header, txn }: BookContext, holding: Holding, delta: bigint): Holding {
  const changed = addToHolding(header, holding, delta);
  if (changed === undefined) throw new Error('an exchange must fit the holdings it was made for');
  storeHolding(txn, changed);
  return changed;
}

function claimAtom(offer: Offer, { sheepSent, wheatReceived }: Crossed): xdr.ClaimAtomWire {
  const orderBook = {
    sellerId: offer.sellerId,
    offerId: offer.offerId,
    assetSold: offer.selling,
    amountSold: wheatReceived,
    assetBought: offer.buying,
    amountBought: sheepSent,
  };
  return { type: 1, orderBook };
}
