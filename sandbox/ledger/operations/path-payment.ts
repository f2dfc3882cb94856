import type { xdr } from '@stellar/stellar-sdk/base';
import type { Asset } from '../asset.ts';
import { isIssuer, isValidAsset, NATIVE, sameAsset } from '../asset.ts';
import { INT64_MAX } from '../bytes.ts';
import { publicKey } from '../entry.ts';
import { addToHolding, isHoldingAuthorized, loadHolding, storeHolding } from '../holding.ts';
import { loadAccount } from '../ledger-txn.ts';
import { convertWithOffers, MAX_OFFERS_TO_CROSS } from '../offer-crossing.ts';
import { tradeEvents } from '../offer-events.ts';
import { ed25519Of } from '../transaction.ts';
import type { ApplyContext, OperationResult } from './rules.ts';
import { OP_EXCEEDED_WORK_LIMIT } from './rules.ts';

/** The common rules of both path payments (stellar-core, PathPaymentOpFrameBase.cpp), with results and codes. */
export type PathResult = xdr.PathPaymentStrictReceiveResultWire;
type Code = Exclude<PathResult['code'], 0 | -9>;
type Payment = { sendAsset: Asset; path: Asset[]; destAsset: Asset; destination: xdr.MuxedAccountWire };
type Claimed = xdr.ClaimAtomWire[];

const MALFORMED = -1;
const UNDERFUNDED = -2;
const SRC_NO_TRUST = -3;
const SRC_NOT_AUTHORIZED = -4;
const NO_DESTINATION = -5;
const NO_TRUST = -6;
const NOT_AUTHORIZED = -7;
const LINE_FULL = -8;
const TOO_FEW_OFFERS = -10;
const OFFER_CROSS_SELF = -11;
/** OVER_SENDMAX or UNDER_DESTMIN, depending on the operation. */
export const CONSTRAINT_NOT_MET = -12;

/** The result of an operation that was never tried: the zeros of the XDR type, as in stellar-core. */
export const NEVER_TRIED: PathResult = {
  code: 0,
  success: { offers: [], last: { destination: publicKey(new Uint8Array(32)), asset: NATIVE, amount: 0n } },
};

export function pathProblem(payment: Payment, ...amounts: bigint[]): typeof MALFORMED | undefined {
  const assets = [payment.sendAsset, ...payment.path, payment.destAsset];
  const wellFormed = assets.every(isValidAsset) && amounts.every((amount) => amount > 0n);
  return wellFormed ? undefined : MALFORMED;
}

/** An asset can always be paid to its issuer, even if the account of the issuer does not exist any more. */
export function destinationProblem(
  payment: Payment,
  { txn }: ApplyContext,
): typeof NO_DESTINATION | undefined {
  const { sendAsset, path, destAsset } = payment;
  const to = ed25519Of(payment.destination);
  const isRedemption = path.length === 0 && sameAsset(sendAsset, destAsset) && isIssuer(destAsset, to);
  return isRedemption || loadAccount(txn, to) !== undefined ? undefined : NO_DESTINATION;
}

export function creditDestination(
  { destAsset, destination }: Payment,
  amount: bigint,
  { header, txn }: ApplyContext,
): typeof NO_TRUST | typeof NOT_AUTHORIZED | typeof LINE_FULL | undefined {
  const holding = loadHolding(txn, ed25519Of(destination), destAsset);
  if (holding === undefined) return NO_TRUST;
  if (!isHoldingAuthorized(holding)) return NOT_AUTHORIZED;
  const credited = addToHolding(header, holding, amount);
  if (credited === undefined) return LINE_FULL;
  storeHolding(txn, credited);
  return undefined;
}

export function debitSource(
  { sendAsset }: Payment,
  amount: bigint,
  { header, txn, source }: ApplyContext,
): typeof SRC_NO_TRUST | typeof SRC_NOT_AUTHORIZED | typeof UNDERFUNDED | undefined {
  const holding = loadHolding(txn, source, sendAsset);
  if (holding === undefined) return SRC_NO_TRUST;
  if (!isHoldingAuthorized(holding)) return SRC_NOT_AUTHORIZED;
  const charged = addToHolding(header, holding, -amount);
  if (charged === undefined) return UNDERFUNDED;
  storeHolding(txn, charged);
  return undefined;
}

/**
 * Trades along the path, from the end with the fixed amount: forwards from the amount sent, or backwards from the
 * amount received.
 * @returns the amount at the other end, and the offers taken in the order of the path
 */
export function tradeAlong(
  { sendAsset, path, destAsset }: Payment,
  fixed: { strict: 'strict_send' | 'strict_receive'; amount: bigint },
  context: ApplyContext,
): { amount: bigint; claimed: Claimed } | Code | 'too_many' {
  const { strict } = fixed;
  const forwards = strict === 'strict_send';
  let { amount } = fixed;
  let claimed: Claimed = [];
  const hops = hopsOf([sendAsset, ...path, destAsset]);
  for (const { sheep, wheat } of forwards ? hops : hops.toReversed()) {
    const trade = convertWithOffers(context, {
      taker: context.source,
      sheep,
      wheat,
      maxSheepSend: forwards ? amount : INT64_MAX,
      maxWheatReceive: forwards ? INT64_MAX : amount,
      rounding: strict,
      maxOffers: MAX_OFFERS_TO_CROSS - claimed.length,
      acceptsPrice: () => true,
    });
    if (trade.end === 'cross_self') return OFFER_CROSS_SELF;
    if (trade.end === 'too_many') return 'too_many';
    const { sheepSent, wheatReceived } = trade;
    const isExact = (forwards ? sheepSent : wheatReceived) === amount;
    if (trade.end === 'book_exhausted' || !isExact) return TOO_FEW_OFFERS;
    amount = forwards ? wheatReceived : sheepSent;
    claimed = forwards ? [...claimed, ...trade.claimed] : [...trade.claimed, ...claimed];
  }
  return { amount, claimed };
}

/** Success of the payment, with its events: every trade, then one transfer from end to end (CAP-67). */
export function paid(
  { destAsset, destination }: Payment,
  amount: bigint,
  offers: Claimed,
  { events, source }: Pick<ApplyContext, 'events' | 'source'>,
): PathResult {
  tradeEvents(events, source, offers);
  events.transfer(destAsset, { type: 0, ed25519: source }, destination, amount, 'with_muxed_id');
  const last = { destination: publicKey(ed25519Of(destination)), asset: destAsset, amount };
  return { code: 0, success: { offers, last } };
}

/** An asset that follows itself in a path is not a hop. */
function hopsOf(assets: Asset[]): { sheep: Asset; wheat: Asset }[] {
  return assets.flatMap((wheat, index) => {
    const sheep = assets[index - 1];
    return sheep === undefined || sameAsset(sheep, wheat) ? [] : [{ sheep, wheat }];
  });
}

/** @param wrap makes the result of the one operation or of the other */
export function failedTrade(
  failure: Code | 'too_many',
  wrap: (result: PathResult) => OperationResult,
): OperationResult {
  return failure === 'too_many' ? OP_EXCEEDED_WORK_LIMIT : wrap({ code: failure });
}
