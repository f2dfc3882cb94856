import { xdr } from '@stellar/stellar-sdk/base';
import { hex } from '../ledger/bytes.ts';
import type { StellarNode } from '../node.ts';
import type { TransactionQuery } from '../store/history-query.ts';
import type { StoredTransaction } from '../store/ledger-store.ts';
import { timeText } from '../time-text.ts';
import type { AccountLine } from './account-view.ts';
import { accountLine, accountsWritten } from './account-view.ts';
import { parsed, transactionLine } from './transaction-view.ts';

/**
 * A page, newest first. `next` is the cursor of older records, null at the end. A page may be short or empty
 * although `next` is not null.
 */
type Page<T> = { records: T[]; next: string | null };

/** A place among the transactions: everything before it is older. */
type Place = { ledger: number; order: number };

/** Transactions that one page examines at most. A search through a long history would block the network. */
const SCANNED = 2000;
const CHUNK = 100;

export function ledgerLine(node: StellarNode, sequence: number) {
  const ledger = node.ledger(sequence);
  if (ledger === undefined) return undefined;
  const { successful, failed } = node.counts(ledger);
  return {
    sequence,
    hash: hex(ledger.hash),
    closed_at: timeText(ledger.close_time),
    transaction_count: successful + failed,
  };
}

/** @param before list ledgers below this sequence number */
export function ledgersPage(node: StellarNode, before: number, limit: number) {
  const { oldest, latest } = node.range;
  const newest = Math.min(before - 1, latest);
  const last = Math.max(newest - limit + 1, oldest);
  const records = [];
  for (let sequence = newest; sequence >= last; sequence--) records.push(ledgerLine(node, sequence));
  return { records, next: last > oldest ? `${last}` : null };
}

/** Transactions of one ledger, or of all ledgers. */
export function transactionsPage(
  node: StellarNode,
  { before, limit, ledger }: { before: Place; limit: number; ledger: number | undefined },
) {
  const rows = node.transactions(newestFirst(before, limit, null), ledger ?? null);
  return pageOf(node, rows, limit);
}

/** Transactions that name the account or write an entry of it. */
export function accountTransactionsPage(
  node: StellarNode,
  ed25519: Uint8Array,
  { before, limit }: { before: Place; limit: number },
) {
  return pageOf(node, node.transactions(newestFirst(before, limit, ed25519), null), limit);
}

function pageOf(node: StellarNode, rows: StoredTransaction[], limit: number) {
  const last = rows.at(-1);
  const next = last === undefined || rows.length < limit ? null : `${last.ledger}-${last.application_order}`;
  return { records: rows.map((row) => transactionLine(node, row)), next };
}

function newestFirst(before: Place, limit: number, ed25519: Uint8Array | null): TransactionQuery {
  return {
    from: { ledger: before.ledger, application_order: before.order - 1 },
    order: 'desc',
    limit,
    include_failed: true,
    account: ed25519 === null ? null : { ed25519, participants_only: false },
  };
}

/**
 * Accounts, by the newest ledger that wrote each of them. An account that several transactions of that ledger wrote
 * may appear again on the next page.
 */
export function accountsPage(
  node: StellarNode,
  { before, limit }: { before: Place; limit: number },
): Page<AccountLine> {
  const seen = new Set<string>();
  const records: AccountLine[] = [];
  let at = before;
  for (let scanned = 0; scanned < SCANNED; scanned += CHUNK) {
    const rows = node.transactions(newestFirst(at, CHUNK, null), null);
    for (const row of rows) {
      records.push(...accountsLastWrittenBy(node, row, seen));
      at = { ledger: row.ledger, order: row.application_order };
      if (records.length >= limit) return { records, next: `${at.ledger}-${at.order}` };
    }
    if (rows.length < CHUNK) return { records, next: null };
  }
  return { records, next: `${at.ledger}-${at.order}` };
}

function accountsLastWrittenBy(node: StellarNode, row: StoredTransaction, seen: Set<string>): AccountLine[] {
  const written = accountsWritten(xdr.TransactionMeta.schema.decode(row.meta));
  return [parsed(node, row).feeSource, ...written].flatMap((ed25519) => {
    if (seen.has(hex(ed25519))) return [];
    seen.add(hex(ed25519));
    const line = accountLine(node, ed25519);
    return line === undefined || line.last_ledger !== row.ledger ? [] : [line];
  });
}
