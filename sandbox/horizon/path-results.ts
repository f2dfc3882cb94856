import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';
import { assetText } from '../ledger/asset.ts';
import type { AppliedOperation } from './applied-operation.ts';
import { successOf } from './applied-operation.ts';

export function strictReceiveSuccess(at: AppliedOperation): xdr.PathPaymentStrictReceiveResultSuccessWire {
  const tr = successOf(at);
  assert.ok(tr.type === 2 && tr.pathPaymentStrictReceiveResult.code === 0);
  return tr.pathPaymentStrictReceiveResult.success;
}

export function strictSendSuccess(at: AppliedOperation): xdr.PathPaymentStrictSendResultSuccessWire {
  const tr = successOf(at);
  assert.ok(tr.type === 13 && tr.pathPaymentStrictSendResult.code === 0);
  return tr.pathPaymentStrictSendResult.success;
}

/**
 * The amount that the sender paid, in stroops: the amount that the offers of the first hop took, or without offers
 * the amount of the payment.
 */
export function amountSent({ offers, last }: xdr.PathPaymentStrictReceiveResultSuccessWire): bigint {
  const claims = offers.map(claimOf);
  const [first] = claims;
  if (first === undefined) return last.amount;
  const sent = assetText(first.assetBought);
  const next = claims.findIndex(({ assetBought }) => assetText(assetBought) !== sent);
  const firstHop = next === -1 ? claims : claims.slice(0, next);
  return firstHop.reduce((sum, { amountBought }) => sum + amountBought, 0n);
}

/** The offers say `bought` for what they took. */
function claimOf(atom: xdr.ClaimAtomWire): Pick<xdr.ClaimOfferAtomWire, 'assetBought' | 'amountBought'> {
  if (atom.type === 0) return atom.v0;
  return atom.type === 1 ? atom.orderBook : atom.liquidityPool;
}
