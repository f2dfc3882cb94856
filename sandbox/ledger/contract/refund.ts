import type { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../account.ts';
import { addBalance } from '../account.ts';
import { LedgerTxn, loadAccount, storeAccount, toXdrChanges } from '../ledger-txn.ts';
import type { Transaction } from '../transaction.ts';

export type Refund = { refunded: bigint; changes: xdr.LedgerEntryChangeWire[] };

const NOTHING: Refund = { refunded: 0n, changes: [] };

/**
 * Refunds the unused part of a contract transaction's resource fee, in stroops, after all transactions of the
 * ledger (since protocol 23). A fee source that no longer exists, or has no room for it, gets nothing
 * (stellar-core, refundSorobanFee).
 */
export function giveBack(ledger: LedgerTxn, header: Header, tx: Transaction, refund: bigint): Refund {
  if (refund === 0n) return NOTHING;
  const account = loadAccount(ledger, tx.feeSource);
  const credited = account && addBalance(header, account, refund);
  if (credited === undefined) return NOTHING;
  const own = new LedgerTxn(ledger, header.ledgerSeq);
  storeAccount(own, credited);
  const changes = toXdrChanges(own.changes());
  own.commitTo(ledger);
  return { refunded: refund, changes };
}
