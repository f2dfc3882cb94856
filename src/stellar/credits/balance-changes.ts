/** Pure: by how much a transaction changed what an account holds. */
import { xdr } from '@stellar/stellar-sdk';
import { heldIn } from '../sources/account-balances.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { sourcesOf } from '../transactions/applied.ts';

export type BalanceChange = { native: bigint /** By `code:issuer`. */; issued: Map<string, bigint> };

/**
 * By the entries that it changed, and the fee; null when the source tells no meta.
 * @throws Error when the XDR cannot be decoded.
 */
export function balanceChange(transaction: LedgerTransaction, account: string): BalanceChange | null {
  if (!transaction.meta) return null;
  const change: BalanceChange = { native: 0n, issued: new Map() };
  // Fees are taken from all before anything is applied: they are not in the meta.
  if (sourcesOf(transaction.envelope)?.fee_account === account)
    change.native -= xdr.TransactionResult.fromXdr(transaction.result).feeCharged;
  for (const { data, sign } of changesIn(xdr.TransactionMeta.fromXdr(transaction.meta)).flatMap(entryIn)) {
    const held = heldIn(data);
    if (held?.account !== account) continue;
    const moved = sign * held.amount_stroops;
    if (held.asset === null) change.native += moved;
    else change.issued.set(held.asset, (change.issued.get(held.asset) ?? 0n) + moved);
  }
  return change;
}

function changesIn(meta: xdr.TransactionMeta): xdr.LedgerEntryChange[] {
  if (meta.type === 'operations') return meta.operations.flatMap(({ changes }) => changes);
  if (meta.type === 'v1') return [...meta.v1.txChanges, ...ofOperations(meta.v1)];
  const body = meta.type === 'v2' ? meta.v2 : meta.type === 'v3' ? meta.v3 : meta.v4;
  return [...body.txChangesBefore, ...ofOperations(body), ...body.txChangesAfter];
}

function ofOperations(body: { operations: { changes: xdr.LedgerEntryChange[] }[] }): xdr.LedgerEntryChange[] {
  return body.operations.flatMap(({ changes }) => changes);
}

/**
 * What was there before counts against what is there after. An entry that is updated or removed is told as it was right
 * before that (stellar-core LedgerTxn::Impl::getChanges).
 */
function entryIn(change: xdr.LedgerEntryChange): { data: xdr.LedgerEntryData; sign: bigint }[] {
  switch (change.type) {
    case 'ledgerEntryState':
      return [{ data: change.state.data, sign: -1n }];
    case 'ledgerEntryCreated':
      return [{ data: change.created.data, sign: 1n }];
    case 'ledgerEntryUpdated':
      return [{ data: change.updated.data, sign: 1n }];
    default:
      return [];
  }
}
