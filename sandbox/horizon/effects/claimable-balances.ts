import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';
import { assetText } from '../../ledger/asset.ts';
import { balanceIdHex } from '../addresses.ts';
import { amountText } from '../amounts.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { changesTo } from '../entry-changes.ts';
import { predicateOf } from '../predicates.ts';
import type { Effect } from './effect.ts';
import { credited, debited, effect } from './effect.ts';

/** Claimants with the predicates as submitted. The entry has absolute times only. */
export function createClaimableBalanceEffects(
  op: xdr.CreateClaimableBalanceOpWire,
  at: AppliedOperation,
): Effect[] {
  const created = changesTo(at, 4).find(({ after }) => after !== null)?.after?.claimableBalance;
  assert.ok(created, 'a claimable balance was created');
  const balance = balanceFields(created);
  return [
    effect('claimable_balance_created', at.source, balance),
    ...op.claimants.map(({ v0 }) => {
      const predicate = predicateOf(v0.predicate);
      return effect('claimable_balance_claimant_created', v0.destination, { ...balance, predicate });
    }),
    debited(at.source, op.asset, op.amount),
  ];
}

export function claimClaimableBalanceEffects(at: AppliedOperation): Effect[] {
  const balance = removedBalance(at);
  return [
    effect('claimable_balance_claimed', at.source, balanceFields(balance)),
    credited(at.source, balance.asset, balance.amount),
  ];
}

/** The amount is burned. Horizon shows it as credited to the issuer, as with a clawback from an account. */
export function clawbackClaimableBalanceEffects(at: AppliedOperation): Effect[] {
  const balance = removedBalance(at);
  return [
    effect('claimable_balance_clawed_back', at.source, { balance_id: balanceIdHex(balance.balanceId) }),
    credited(at.source, balance.asset, balance.amount),
  ];
}

function removedBalance(at: AppliedOperation): xdr.ClaimableBalanceEntryWire {
  const removed = changesTo(at, 4).find(({ after }) => after === null)?.before?.claimableBalance;
  assert.ok(removed, 'a claimable balance was removed');
  return removed;
}

function balanceFields({ asset, balanceId, amount }: xdr.ClaimableBalanceEntryWire) {
  return { asset: assetText(asset), balance_id: balanceIdHex(balanceId), amount: amountText(amount) };
}
