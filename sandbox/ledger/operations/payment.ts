import type { xdr } from '@stellar/stellar-sdk/base';
import type { Asset } from '../asset.ts';
import { isValidAsset } from '../asset.ts';
import { sameBytes } from '../bytes.ts';
import { ed25519Of } from '../transaction.ts';
import { creditDestination, debitSource, destinationProblem } from './path-payment.ts';
import type { ApplyContext, OperationResult, OperationRules } from './rules.ts';
import { MEDIUM } from './rules.ts';

/** Codes that path payments have too have the same numbers there. */
type Code = 0 | -1 | -2 | -3 | -4 | -5 | -6 | -7 | -8;
const MALFORMED = -1;

const result = (code: Code): OperationResult => ({ code: 0, tr: { type: 1, paymentResult: { code } } });

/**
 * stellar-core, PaymentOpFrame.cpp through PathPaymentStrictReceiveOpFrame.cpp: credits the destination before it
 * debits the source. If both would fail, the failure of the destination is the result.
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
    // A native payment to oneself succeeds whatever the balance is, and has an event.
    const isToSelf = asset.type === 0 && sameBytes(ed25519Of(destination), source);
    const code = isToSelf ? 0 : (problemOfMoving(asset, destination, amount, context) ?? 0);
    if (code === 0)
      events.transfer(asset, { type: 0, ed25519: source }, destination, amount, 'with_muxed_id');
    return result(code);
  },
};

/** A path payment without a path: the amount received is the amount sent. */
function problemOfMoving(
  asset: Asset,
  destination: xdr.MuxedAccountWire,
  amount: bigint,
  context: ApplyContext,
): Code | undefined {
  const direct = { sendAsset: asset, path: [], destAsset: asset, destination };
  return (
    destinationProblem(direct, context) ??
    creditDestination(direct, amount, context) ??
    debitSource(direct, amount, context)
  );
}
