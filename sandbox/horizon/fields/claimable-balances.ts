import type { xdr } from '@stellar/stellar-sdk/base';
import { assetText } from '../../ledger/asset.ts';
import { accountAddress, accountFields, balanceIdHex } from '../addresses.ts';
import { amountText } from '../amounts.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { predicateOf } from '../predicates.ts';

/** Predicates as submitted, with relative times. The ledger entry has absolute times only. */
export function createClaimableBalanceFields(op: xdr.CreateClaimableBalanceOpWire) {
  const claimants = op.claimants.map(({ v0 }) => ({
    destination: accountAddress(v0.destination),
    predicate: predicateOf(v0.predicate),
  }));
  return { asset: assetText(op.asset), amount: amountText(op.amount), claimants };
}

export function claimClaimableBalanceFields(
  op: xdr.ClaimClaimableBalanceOpWire,
  { source }: AppliedOperation,
) {
  return { balance_id: balanceIdHex(op.balanceId), ...accountFields('claimant', source) };
}
