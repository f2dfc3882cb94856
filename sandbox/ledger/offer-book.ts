import type { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from './account.ts';
import type { Asset } from './asset.ts';
import { sameAsset } from './asset.ts';
import { sameBytes } from './bytes.ts';
import { offerKey } from './entry.ts';
import type { Holding } from './holding.ts';
import { addLiabilities, loadHolding, storeHolding } from './holding.ts';
import type { LedgerTxn, LedgerView } from './ledger-txn.ts';
import { liabilitiesOf } from './offer-exchange.ts';
import { removeEntry } from './sponsorship.ts';

export type Offer = xdr.OfferEntryWire;
export type BookContext = { header: Header; txn: LedgerTxn };

export function loadOffer(view: LedgerView, seller: Uint8Array, offerId: bigint): Offer | undefined {
  const data = view.get(offerKey(seller, offerId))?.data;
  return data?.type === 2 ? data.offer : undefined;
}

export function storeOffer(txn: LedgerTxn, offer: Offer): void {
  txn.put(keyOfOffer(offer), { type: 2, offer });
}

export function keyOfOffer(offer: Offer): string {
  return offerKey(offer.sellerId.ed25519, offer.offerId);
}

/** The offer that is taken first: the lowest price, and among equal prices the oldest. */
export function bestOffer(view: LedgerView, selling: Asset, buying: Asset): Offer | undefined {
  let best: Offer | undefined;
  for (const offer of offersIn(view)) {
    if (!sameAsset(offer.selling, selling) || !sameAsset(offer.buying, buying)) continue;
    if (best === undefined || isBetter(offer, best)) best = offer;
  }
  return best;
}

/**
 * Compares prices by floating point as stellar-core does: prices that are equal as doubles are equal
 * (LedgerTxn.cpp, isBetterOffer).
 */
function isBetter(a: Offer, b: Offer): boolean {
  const priceA = a.price.n / a.price.d;
  const priceB = b.price.n / b.price.d;
  return priceA === priceB ? a.offerId < b.offerId : priceA < priceB;
}

/** Adds the liabilities of the offer to the holdings of its seller. */
export function acquireLiabilities(context: BookContext, offer: Offer): void {
  changeLiabilities(context, offer, 1n);
}

export function releaseLiabilities(context: BookContext, offer: Offer): void {
  changeLiabilities(context, offer, -1n);
}

/**
 * Removes the account's offers that sell or buy the asset. This happens when its trust line loses every
 * authorization (CAP-18).
 */
export function removeOffersOf(context: BookContext, account: Uint8Array, asset: Asset): void {
  const own = [...offersIn(context.txn)].filter(
    ({ sellerId, selling, buying }) =>
      sameBytes(sellerId.ed25519, account) && (sameAsset(selling, asset) || sameAsset(buying, asset)),
  );
  for (const offer of own) {
    releaseLiabilities(context, offer);
    removeEntry(context, keyOfOffer(offer));
  }
}

/** A holding that an account with an offer in the book always has. */
export function mustHold(view: LedgerView, ed25519: Uint8Array, asset: Asset): Holding {
  const holding = loadHolding(view, ed25519, asset);
  if (holding === undefined) throw new Error('the owner of an offer must be able to hold both of its assets');
  return holding;
}

function changeLiabilities({ header, txn }: BookContext, offer: Offer, sign: 1n | -1n): void {
  const { buying, selling } = liabilitiesOf(offer.price, { sells: offer.amount });
  change(offer.buying, { buying: sign * buying, selling: 0n });
  change(offer.selling, { buying: 0n, selling: sign * selling });

  function change(asset: Asset, delta: xdr.LiabilitiesWire): void {
    const changed = addLiabilities(header, mustHold(txn, offer.sellerId.ed25519, asset), delta);
    if (changed === undefined) throw new Error('the liabilities of an open offer must fit its seller');
    storeHolding(txn, changed);
  }
}

function* offersIn(view: LedgerView): Generator<Offer> {
  for (const [, { data }] of view.offers()) if (data.type === 2) yield data.offer;
}
