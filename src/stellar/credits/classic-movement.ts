/** Pure: the movement of a classic operation (not a contract call). */
import { strict as assert } from 'node:assert';
import { accountOf, addressOf, muxedAddress } from '../address.ts';
import { xdr } from '../protocol/sdk.ts';
import type { CreditKind, Movement } from './credit.ts';

type Paid = { kind: CreditKind; destination: xdr.MuxedAccount; asset: xdr.Asset; amount: bigint };

/**
 * Returns what a successful operation paid to its destination; null for an operation that pays nobody. A payment to oneself counts
 * too: the books then have the same amount out and in, and the balance does not change (stellar-core PaymentOpFrame).
 * @throws Error when the result does not belong to the operation.
 */
export function movementOf(
  operation: xdr.Operation,
  result: xdr.OperationResultTr,
  transaction_source: xdr.MuxedAccount,
): Movement | null {
  const paid = paidBy(operation.body, result);
  if (!paid) return null;
  const { account, muxed_id } = addressOf(operation.sourceAccount ?? transaction_source);
  return {
    ...addressOf(paid.destination),
    ...assetOf(paid.asset),
    amount_stroops: paid.amount,
    kind: paid.kind,
    source_account: account,
    source_account_muxed: muxed_id === null ? null : muxedAddress(account, muxed_id),
    event_index: 0,
  };
}

const native = xdr.Asset.assetTypeNative();

function paidBy(body: xdr.OperationBody, result: xdr.OperationResultTr): Paid | null {
  switch (body.type) {
    case 'payment':
      return { kind: 'payment', ...body.paymentOp };
    case 'createAccount': {
      const { destination, startingBalance } = body.createAccountOp;
      const account = xdr.MuxedAccount.keyTypeEd25519(destination.ed25519.value);
      return { kind: 'create_account', destination: account, asset: native, amount: startingBalance };
    }
    case 'pathPaymentStrictReceive': {
      const { destination, destAsset, destAmount } = body.pathPaymentStrictReceiveOp;
      const amount = arrived(result, destination, destAsset);
      assert(amount === destAmount, `${amount} arrived of exactly ${destAmount}`);
      return { kind: 'path_payment_strict_receive', destination, asset: destAsset, amount };
    }
    case 'pathPaymentStrictSend': {
      const { destination, destAsset, destMin } = body.pathPaymentStrictSendOp;
      const amount = arrived(result, destination, destAsset);
      assert(amount >= destMin, `${amount} arrived of at least ${destMin}`);
      return { kind: 'path_payment_strict_send', destination, asset: destAsset, amount };
    }
    case 'accountMerge': {
      assert(result.type === 'accountMerge' && result.accountMergeResult.type === 'accountMergeSuccess');
      const amount = result.accountMergeResult.sourceAccountBalance;
      return { kind: 'account_merge', destination: body.destination, asset: native, amount };
    }
    default:
      return null;
  }
}

/** Reads the amount that the destination received, from the result of a path payment. */
function arrived(result: xdr.OperationResultTr, destination: xdr.MuxedAccount, asset: xdr.Asset): bigint {
  const last = lastHop(result);
  const [received, expected] = [assetOf(last.asset), assetOf(asset)];
  assert(accountOf(last.destination.ed25519.value) === addressOf(destination).account, 'another destination');
  assert(
    received.asset_code === expected.asset_code && received.asset_issuer === expected.asset_issuer,
    'another asset',
  );
  return last.amount;
}

function lastHop(result: xdr.OperationResultTr): xdr.SimplePaymentResult {
  if (result.type === 'pathPaymentStrictReceive') {
    const { pathPaymentStrictReceiveResult: received } = result;
    if (received.type === 'pathPaymentStrictReceiveSuccess') return received.success.last;
  }
  if (result.type === 'pathPaymentStrictSend') {
    const { pathPaymentStrictSendResult: sent } = result;
    if (sent.type === 'pathPaymentStrictSendSuccess') return sent.success.last;
  }
  throw new Error(`${result.type} is no path payment that succeeded`);
}

export function assetOf(asset: xdr.Asset): { asset_code: string; asset_issuer: string | null } {
  if (asset.type === 'assetTypeNative') return { asset_code: 'native', asset_issuer: null };
  const alpha = asset.type === 'assetTypeCreditAlphanum4' ? asset.alphaNum4 : asset.alphaNum12;
  const asset_code = Buffer.from(alpha.assetCode.value).toString('latin1').replace(/\0+$/, '');
  return { asset_code, asset_issuer: accountOf(alpha.issuer.ed25519.value) };
}
