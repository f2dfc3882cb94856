import type { xdr } from '@stellar/stellar-sdk/base';
import type { Asset } from './asset.ts';
import { isIssuer } from './asset.ts';
import type { EntryKey } from './entry.ts';
import { accountKey, keyString, publicKey, trustLineKey } from './entry.ts';
import { sourceOf } from './operation.ts';
import type { Transaction } from './transaction.ts';
import { ed25519Of } from './transaction.ts';

/** Keys of accounts and trust lines that the network has frozen (CAP-77). */
export type FrozenKeys = ReadonlySet<EntryKey>;

export const NOTHING_FROZEN: FrozenKeys = new Set();

/**
 * Whether the transaction names a frozen entry: as source, as an end of a movement, or in its footprint (stellar-core,
 * TransactionFrame::accessesFrozenKey). Of a fee-bump, the inner transaction; its fee source is checked apart.
 */
export function accessesFrozenKey(tx: Transaction, frozen: FrozenKeys): boolean {
  if (frozen.size === 0) return false;
  const footprint = tx.soroban?.resources.footprint;
  const declared = [...(footprint?.readOnly ?? []), ...(footprint?.readWrite ?? [])].map(keyString);
  const named = tx.tx.operations.flatMap((operation) => {
    const source = sourceOf(tx, operation);
    return [accountKey(source), ...keysOf(operation.body, source)];
  });
  return [accountKey(tx.source), ...declared, ...named].some((key) => frozen.has(key));
}

/** The entries that the operation names itself. Those behind offers and claimable balances are not among them. */
function keysOf(body: xdr.OperationBodyWire, source: Uint8Array): EntryKey[] {
  switch (body.type) {
    case 0:
      return [accountKey(body.createAccountOp.destination.ed25519)];
    case 1: {
      const { asset, destination } = body.paymentOp;
      return [...holdings(source, asset), ...holdings(ed25519Of(destination), asset)];
    }
    case 2:
      return endsOf(source, body.pathPaymentStrictReceiveOp);
    case 13:
      return endsOf(source, body.pathPaymentStrictSendOp);
    case 3:
      return holdings(source, body.manageSellOfferOp.selling, body.manageSellOfferOp.buying);
    case 4:
      return holdings(source, body.createPassiveSellOfferOp.selling, body.createPassiveSellOfferOp.buying);
    case 12:
      return holdings(source, body.manageBuyOfferOp.selling, body.manageBuyOfferOp.buying);
    case 6:
      return body.changeTrustOp.line.type === 3 ? [] : holdings(source, body.changeTrustOp.line);
    case 7:
      return holdings(body.allowTrustOp.trustor.ed25519, assetOfIssuer(body.allowTrustOp.asset, source));
    case 8:
      return [accountKey(ed25519Of(body.destination))];
    case 14:
      return holdings(source, body.createClaimableBalanceOp.asset);
    case 19:
      return holdings(ed25519Of(body.clawbackOp.from), body.clawbackOp.asset);
    case 21:
      return holdings(body.setTrustLineFlagsOp.trustor.ed25519, body.setTrustLineFlagsOp.asset);
    default:
      return [];
  }
}

type PathPayment = { sendAsset: Asset; destination: xdr.MuxedAccountWire; destAsset: Asset };

function endsOf(source: Uint8Array, { sendAsset, destination, destAsset }: PathPayment): EntryKey[] {
  return [...holdings(source, sendAsset), ...holdings(ed25519Of(destination), destAsset)];
}

/** The entries that hold the owner's balances. Issuers have no trust lines. */
function holdings(owner: Uint8Array, ...assets: Asset[]): EntryKey[] {
  return assets.flatMap((asset) => {
    if (asset.type === 0) return [accountKey(owner)];
    return isIssuer(asset, owner) ? [] : [trustLineKey(owner, asset)];
  });
}

function assetOfIssuer(code: xdr.AssetCodeWire, source: Uint8Array): Asset {
  const issuer = publicKey(source);
  if (code.type === 1) return { type: 1, alphaNum4: { assetCode: code.assetCode4, issuer } };
  return { type: 2, alphaNum12: { assetCode: code.assetCode12, issuer } };
}
