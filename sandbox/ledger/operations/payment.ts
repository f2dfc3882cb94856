import { isIssuer, isValidAsset } from '../asset.ts';
import { sameBytes } from '../bytes.ts';
import { addToHolding, availableOf, isHoldingAuthorized, loadHolding, storeHolding } from '../holding.ts';
import { loadAccount } from '../ledger-txn.ts';
import { ed25519Of } from '../transaction.ts';
import type { ApplyContext, OperationResult, OperationRules } from './rules.ts';
import { MEDIUM } from './rules.ts';

type Code = 0 | -1 | -2 | -3 | -4 | -5 | -6 | -7 | -8;
const MALFORMED = -1;
const UNDERFUNDED = -2;
const SRC_NO_TRUST = -3;
const SRC_NOT_AUTHORIZED = -4;
const NO_DESTINATION = -5;
const NO_TRUST = -6;
const NOT_AUTHORIZED = -7;
const LINE_FULL = -8;

const result = (code: Code): OperationResult => ({ code: 0, tr: { type: 1, paymentResult: { code } } });

/**
 * stellar-core, PaymentOpFrame.cpp by way of PathPaymentStrictReceiveOpFrame.cpp: the destination is credited before
 * the source is debited, so a full destination wins over an empty source.
 */
export const payment: OperationRules<1> = {
  type: 1,
  success: result(0),
  supported: () => true,
  threshold: () => MEDIUM,

  check({ paymentOp: { amount, asset } }) {
    return amount <= 0n || !isValidAsset(asset) ? result(MALFORMED) : null;
  },

  apply({ paymentOp: { asset, destination, amount } }, context) {
    const { source, events } = context;
    const to = ed25519Of(destination);
    // Paying oneself the native asset succeeds without a look at the balance, and is an event like any other.
    const code = asset.type === 0 && sameBytes(to, source) ? 0 : move(asset, to, amount, context);
    if (code === 0)
      events.transfer(asset, { type: 0, ed25519: source }, destination, amount, 'with_muxed_id');
    return result(code);
  },
};

type Asset = Parameters<typeof loadHolding>[2];

function move(asset: Asset, to: Uint8Array, amount: bigint, { header, source, txn }: ApplyContext): Code {
  // Back to the issuer is always possible, even when its account is gone.
  if (!isIssuer(asset, to) && loadAccount(txn, to) === undefined) return NO_DESTINATION;
  const receiving = loadHolding(txn, to, asset);
  if (receiving === undefined) return NO_TRUST;
  if (!isHoldingAuthorized(receiving)) return NOT_AUTHORIZED;
  const credited = addToHolding(header, receiving, amount);
  if (credited === undefined) return LINE_FULL;
  storeHolding(txn, credited);

  const paying = loadHolding(txn, source, asset);
  if (paying === undefined) return SRC_NO_TRUST;
  if (!isHoldingAuthorized(paying)) return SRC_NOT_AUTHORIZED;
  if (amount > availableOf(header, paying)) return UNDERFUNDED;
  const charged = addToHolding(header, paying, -amount);
  if (charged === undefined) return UNDERFUNDED;
  storeHolding(txn, charged);
  return 0;
}
