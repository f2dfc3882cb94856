import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';
import { NATIVE } from '../../ledger/asset.ts';
import { amountText } from '../amounts.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { successOf } from '../applied-operation.ts';
import { amountSent, strictReceiveSuccess, strictSendSuccess } from '../path-results.ts';
import type { Effect } from './effect.ts';
import { credited, debited, effect } from './effect.ts';
import { masterKeyCreated } from './signers.ts';
import { tradeEffects } from './trades.ts';

export function createAccountEffects(op: xdr.CreateAccountOpWire, { source }: AppliedOperation): Effect[] {
  return [
    effect('account_created', op.destination, { starting_balance: amountText(op.startingBalance) }),
    debited(source, NATIVE, op.startingBalance),
    masterKeyCreated(op.destination),
  ];
}

export function paymentEffects(op: xdr.PaymentOpWire, { source }: AppliedOperation): Effect[] {
  return [credited(op.destination, op.asset, op.amount), debited(source, op.asset, op.amount)];
}

export function strictReceiveEffects(op: xdr.PathPaymentStrictReceiveOpWire, at: AppliedOperation): Effect[] {
  const success = strictReceiveSuccess(at);
  return [
    credited(op.destination, op.destAsset, op.destAmount),
    debited(at.source, op.sendAsset, amountSent(success)),
    ...tradeEffects(at.source, success.offers),
  ];
}

export function strictSendEffects(op: xdr.PathPaymentStrictSendOpWire, at: AppliedOperation): Effect[] {
  const success = strictSendSuccess(at);
  return [
    credited(op.destination, op.destAsset, success.last.amount),
    debited(at.source, op.sendAsset, op.sendAmount),
    ...tradeEffects(at.source, success.offers),
  ];
}

export function accountMergeEffects(destination: xdr.MuxedAccountWire, at: AppliedOperation): Effect[] {
  const tr = successOf(at);
  assert.ok(tr.type === 8 && tr.accountMergeResult.code === 0);
  const amount = tr.accountMergeResult.sourceAccountBalance;
  return [
    debited(at.source, NATIVE, amount),
    credited(destination, NATIVE, amount),
    effect('account_removed', at.source),
  ];
}

export function inflationEffects(at: AppliedOperation): Effect[] {
  const tr = successOf(at);
  assert.ok(tr.type === 9 && tr.inflationResult.code === 0);
  return tr.inflationResult.payouts.map(({ destination, amount }) => credited(destination, NATIVE, amount));
}

/** A clawback burns the amount. Horizon shows it as credited to the issuer. */
export function clawbackEffects(op: xdr.ClawbackOpWire, { source }: AppliedOperation): Effect[] {
  return [credited(source, op.asset, op.amount), debited(op.from, op.asset, op.amount)];
}
