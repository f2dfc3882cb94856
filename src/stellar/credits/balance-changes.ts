/** Pure: by how much a transaction changed the balances of an account. */
import { balanceInEntry } from '../accounts/account-balances.ts';
import { xdr } from '../protocol/sdk.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { sourcesOf } from '../transactions/applied.ts';

/** `issued`: by `code:issuer`. */
export type BalanceChange = { native: bigint; issued: Map<string, bigint> };

/**
 * Computes the change of a balance from the changed ledger entries and the fee. Null when the source has no meta.
 * @throws Error when the XDR cannot be decoded.
 */
export function balanceChange(transaction: LedgerTransaction, account: string): BalanceChange | null {
  if (!transaction.meta) return null;
  const change: BalanceChange = { native: 0n, issued: new Map() };
  // Fees are charged before any transaction is applied: the meta does not have them.
  if (sourcesOf(transaction.envelope)?.fee_account === account)
    change.native -= xdr.TransactionResult.fromXdr(transaction.result).feeCharged;
  for (const { data, sign } of changesIn(xdr.TransactionMeta.fromXdr(transaction.meta)).flatMap(entryIn)) {
    const balance = balanceInEntry(data);
    if (balance?.account !== account) continue;
    const moved = sign * balance.amount_stroops;
    if (balance.asset === null) change.native += moved;
    else change.issued.set(balance.asset, (change.issued.get(balance.asset) ?? 0n) + moved);
  }
  return change;
}

/** Returns all changes of entries that a transaction made, in order; those of the fee are not in the meta. */
export function changesIn(meta: xdr.TransactionMeta): xdr.LedgerEntryChange[] {
  if (meta.type === 'operations') return meta.operations.flatMap(({ changes }) => changes);
  if (meta.type === 'v1') return [...meta.v1.txChanges, ...ofOperations(meta.v1)];
  const body = meta.type === 'v2' ? meta.v2 : meta.type === 'v3' ? meta.v3 : meta.v4;
  return [...body.txChangesBefore, ...ofOperations(body), ...body.txChangesAfter];
}

function ofOperations(body: { operations: { changes: xdr.LedgerEntryChange[] }[] }): xdr.LedgerEntryChange[] {
  return body.operations.flatMap(({ changes }) => changes);
}

/**
 * Reads the entry of a change. An entry's old amount counts negative, its new amount positive. Before each update or removal the meta has the entry's
 * old state (stellar-core LedgerTxn::Impl::getChanges).
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
