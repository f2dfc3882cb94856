import type { xdr } from '@stellar/stellar-sdk/base';
import { INT64_MAX, smaller } from './bytes.ts';

/**
 * How much two offers exchange (stellar-core, OfferExchange.cpp: exchangeV10 and adjustOffer), in exact integers.
 * The words are those of stellar-core: **wheat** is the asset that the offer in the book sells, **sheep** the asset
 * that the taker pays, and the price is sheep for one wheat. The smaller offer is used up, and rounding favours the
 * other.
 */

export type Price = xdr.PriceWire;

/** In stroops: what the offer in the book can deliver and receive, and what the taker wants and can pay. */
export type Limits = {
  maxWheatSend: bigint;
  maxWheatReceive: bigint;
  maxSheepSend: bigint;
  maxSheepReceive: bigint;
};

/** A path payment must move one amount exactly, so rounding may favour the book without limit. */
export type Rounding = 'normal' | 'strict_receive' | 'strict_send';

export type Exchange = { wheatReceived: bigint; sheepSent: bigint; wheatStays: boolean };

const UNLIMITED: Limits = {
  maxWheatSend: INT64_MAX,
  maxWheatReceive: INT64_MAX,
  maxSheepSend: INT64_MAX,
  maxSheepReceive: INT64_MAX,
};

/** The amounts exchanged: none if rounding would cost one side more than 1 % (exchangeV10). */
export function exchange(price: Price, limits: Limits, rounding: Rounding): Exchange {
  return withinPriceError(price, exchangeAtAnyError(price, limits, rounding), rounding);
}

/**
 * The amount of the offer, limited to what its seller can deliver and receive; 0 when no part of it has an
 * acceptable price.
 */
export function adjustedAmount(price: Price, maxWheatSend: bigint, maxSheepReceive: bigint): bigint {
  return exchange(price, { ...UNLIMITED, maxWheatSend, maxSheepReceive }, 'normal').wheatReceived;
}

/**
 * The liabilities of the offer for its seller: `selling` of the asset sold, `buying` of the asset bought, in
 * stroops. An offer may be limited by the amount it sells, or by the amount it buys.
 */
export function liabilitiesOf(
  price: Price,
  bound: { sells: bigint } | { buys: bigint },
): xdr.LiabilitiesWire {
  const own =
    'sells' in bound
      ? { ...UNLIMITED, maxWheatSend: bound.sells }
      : { ...UNLIMITED, maxSheepReceive: bound.buys };
  const { wheatReceived, sheepSent } = exchangeAtAnyError(price, own, 'normal');
  return { buying: sheepSent, selling: wheatReceived };
}

/** Whether the price of `a` is higher than that of `b`. */
export function isAbove(a: Price, b: Price): boolean {
  return BigInt(a.n) * BigInt(b.d) > BigInt(b.n) * BigInt(a.d);
}

/** The same price for the other side of the trade. */
export function inverse(price: Price): Price {
  return { n: price.d, d: price.n };
}

/** exchangeV10WithoutPriceErrorThresholds. Values are in sheep times `price.d`, so that they are whole numbers. */
function exchangeAtAnyError(price: Price, limits: Limits, rounding: Rounding): Exchange {
  const n = BigInt(price.n);
  const d = BigInt(price.d);
  const wheatValue = smaller(limits.maxWheatSend * n, limits.maxSheepReceive * d);
  const sheepValue = smaller(limits.maxSheepSend * d, limits.maxWheatReceive * n);
  const wheatStays = wheatValue > sheepValue;
  const amounts = wheatStays
    ? whileWheatStays(n, d, sheepValue, limits, rounding)
    : whileSheepStays(n, d, wheatValue);
  const fits =
    amounts.wheatReceived <= smaller(limits.maxWheatReceive, limits.maxWheatSend) &&
    amounts.sheepSent <= smaller(limits.maxSheepReceive, limits.maxSheepSend);
  if (!fits) throw new Error('an exchange must stay within the limits of both sides');
  return { ...amounts, wheatStays };
}

type Amounts = Omit<Exchange, 'wheatStays'>;

function whileWheatStays(
  n: bigint,
  d: bigint,
  sheepValue: bigint,
  { maxSheepSend, maxSheepReceive }: Limits,
  rounding: Rounding,
): Amounts {
  if (rounding === 'strict_send') {
    return { wheatReceived: sheepValue / n, sheepSent: smaller(maxSheepSend, maxSheepReceive) };
  }
  if (n > d || rounding === 'strict_receive') {
    const wheatReceived = sheepValue / n;
    return { wheatReceived, sheepSent: divideUp(wheatReceived * n, d) };
  }
  const sheepSent = sheepValue / d;
  return { wheatReceived: (sheepSent * d) / n, sheepSent };
}

function whileSheepStays(n: bigint, d: bigint, wheatValue: bigint): Amounts {
  if (n > d) {
    const wheatReceived = wheatValue / n;
    return { wheatReceived, sheepSent: (wheatReceived * n) / d };
  }
  const sheepSent = wheatValue / d;
  return { wheatReceived: divideUp(sheepSent * d, n), sheepSent };
}

/**
 * applyPriceErrorThresholds. The cases where it throws are impossible: see the proofs beside exchangeV10 in
 * stellar-core.
 */
function withinPriceError(price: Price, result: Exchange, rounding: Rounding): Exchange {
  const { wheatReceived, sheepSent, wheatStays } = result;
  if (wheatReceived === 0n || sheepSent === 0n) {
    if (rounding !== 'strict_send') return { wheatReceived: 0n, sheepSent: 0n, wheatStays };
    if (sheepSent === 0n) throw new Error('a strict send must send something');
    return result;
  }
  const paid = sheepSent * BigInt(price.d);
  const worth = wheatReceived * BigInt(price.n);
  if (wheatStays ? paid < worth : paid > worth) throw new Error('rounding must favour the offer that stays');
  const mayFavourWheat = rounding !== 'normal';
  if (isWithinOnePercent(worth, paid) || (mayFavourWheat && paid > worth)) return result;
  if (mayFavourWheat) throw new Error('an adjusted offer cannot lose more than 1 % to rounding');
  return { wheatReceived: 0n, sheepSent: 0n, wheatStays };
}

function isWithinOnePercent(worth: bigint, paid: bigint): boolean {
  const difference = worth > paid ? worth - paid : paid - worth;
  return 100n * difference <= worth;
}

/** Division of numbers that are not negative. */
function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
