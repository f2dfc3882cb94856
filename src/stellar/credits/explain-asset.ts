/** Pure: names the issued asset of an operation, and says why an account could not be paid in it. */
import { addressOf } from '../address.ts';
import { type AssetFields, assetText } from '../asset.ts';
import type { xdr } from '../protocol/sdk.ts';
import { assetOf } from './classic-movement.ts';

/** Writes `The asset is USDC:G….`; null for the native asset, and for an operation that names none. */
export function sayAsset({ body }: xdr.Operation, moved: AssetFields | undefined): string | null {
  const asset = moved ?? assetNamedIn(body);
  return asset === null || asset.asset_issuer === null ? null : `The asset is ${assetText(asset)}.`;
}

/** What a holder can do, by the network's code for a payment that did not arrive. */
const REFUSED: Record<string, string | undefined> = {
  op_no_trust: 'The account has no trust line for the asset: add it before somebody pays it again.',
  op_not_authorized: 'The issuer does not let the account hold the asset: ask the issuer to approve it.',
  op_line_full: 'The trust line of the account has no room for the amount.',
};

/** Says why a payment to the account failed, in words; null for any other operation or code. */
export function whyRefused({ body }: xdr.Operation, account: string, code: string): string | null {
  const destination = destinationOf(body);
  if (destination === null || addressOf(destination).account !== account) return null;
  return REFUSED[code] ?? null;
}

function assetNamedIn(body: xdr.OperationBody): AssetFields | null {
  switch (body.type) {
    case 'payment':
      return assetOf(body.paymentOp.asset);
    case 'pathPaymentStrictReceive':
      return assetOf(body.pathPaymentStrictReceiveOp.destAsset);
    case 'pathPaymentStrictSend':
      return assetOf(body.pathPaymentStrictSendOp.destAsset);
    case 'createClaimableBalance':
      return assetOf(body.createClaimableBalanceOp.asset);
    case 'clawback':
      return assetOf(body.clawbackOp.asset);
    case 'setTrustLineFlags':
      return assetOf(body.setTrustLineFlagsOp.asset);
    case 'changeTrust': {
      const { line } = body.changeTrustOp;
      return line.type === 'assetTypePoolShare' ? null : assetOf(line);
    }
    default:
      return null;
  }
}

function destinationOf(body: xdr.OperationBody): xdr.MuxedAccount | null {
  switch (body.type) {
    case 'payment':
      return body.paymentOp.destination;
    case 'pathPaymentStrictReceive':
      return body.pathPaymentStrictReceiveOp.destination;
    case 'pathPaymentStrictSend':
      return body.pathPaymentStrictSendOp.destination;
    default:
      return null;
  }
}
