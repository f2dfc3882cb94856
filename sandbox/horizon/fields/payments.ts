import type { xdr } from '@stellar/stellar-sdk/base';
import { accountAddress, accountFields } from '../addresses.ts';
import { amountText } from '../amounts.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { assetFields } from '../assets.ts';
import { amountSent, strictReceiveSuccess, strictSendSuccess } from '../path-results.ts';

export function createAccountFields(op: xdr.CreateAccountOpWire, { source }: AppliedOperation) {
  return {
    starting_balance: amountText(op.startingBalance),
    ...accountFields('funder', source),
    account: accountAddress(op.destination),
  };
}

export function paymentFields(op: xdr.PaymentOpWire, { source }: AppliedOperation) {
  return {
    ...assetFields(op.asset),
    ...accountFields('from', source),
    ...accountFields('to', op.destination),
    amount: amountText(op.amount),
  };
}

/** A failed operation shows 0 as the amount sent. */
export function strictReceiveFields(op: xdr.PathPaymentStrictReceiveOpWire, at: AppliedOperation) {
  return {
    ...pathPaymentFields(op, at, op.destAmount),
    source_amount: amountText(at.successful ? amountSent(strictReceiveSuccess(at)) : 0n),
    source_max: amountText(op.sendMax),
    ...assetFields(op.sendAsset, 'source_'),
  };
}

/** A failed operation shows 0 as the amount received. */
export function strictSendFields(op: xdr.PathPaymentStrictSendOpWire, at: AppliedOperation) {
  return {
    ...pathPaymentFields(op, at, at.successful ? strictSendSuccess(at).last.amount : 0n),
    source_amount: amountText(op.sendAmount),
    destination_min: amountText(op.destMin),
    ...assetFields(op.sendAsset, 'source_'),
  };
}

/** A merge shows no amount here; its effects do. */
export function accountMergeFields(destination: xdr.MuxedAccountWire, { source }: AppliedOperation) {
  return { ...accountFields('account', source), ...accountFields('into', destination) };
}

type PathPayment = Pick<xdr.PathPaymentStrictSendOpWire, 'destAsset' | 'destination' | 'path'>;

function pathPaymentFields(op: PathPayment, { source }: AppliedOperation, arrived: bigint) {
  return {
    ...assetFields(op.destAsset),
    ...accountFields('from', source),
    ...accountFields('to', op.destination),
    amount: amountText(arrived),
    path: op.path.map((asset) => assetFields(asset)),
  };
}
