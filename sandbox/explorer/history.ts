import { xdr } from '@stellar/stellar-sdk/base';
import { hex } from '../ledger/bytes.ts';
import type { StellarNode } from '../node.ts';
import type { StoredTransaction } from '../store/ledger-store.ts';
import type { AccountLine } from './account-view.ts';
import { accountLine, accountsWritten } from './account-view.ts';
import { isoTime, parsed, transactionLine } from './transaction-view.ts';

/** Newest first. `next` goes on with what is older, null at the end; a page may be short or empty and still go on. */
type Page<T> = { records: T[]; next: string | null };

/** A place among the transactions: all before it is older. */
type Place = { ledger: number; order: number };

/** Transactions looked at for one page, so that a search through a long history does not hold up the network. */
const SCANNED = 2000;
const CHUNK = 100;

export function ledgerLine(node: StellarNode, sequence: number) {
  const ledger = node.ledger(sequence);
  if (ledger === undefined) return undefined;
  return {
    sequence,
    hash: hex(ledger.hash),
    closed_at: isoTime(ledger.close_time),
    transaction_count: node.transactionCount(sequence),
  };
}

/** @param before the first one is the ledger before this sequence number */
export function ledgersPage(node: StellarNode, before: number, limit: number) {
  const { oldest, latest } = node.range;
  const newest = Math.min(before - 1, latest);
  const last = Math.max(newest - limit + 1, oldest);
  const records = [];
  for (let sequence = newest; sequence >= last; sequence--) records.push(ledgerLine(node, sequence));
  return { records, next: last > oldest ? `${last}` : null };
}

/** Of one ledger, or of all. */
export function transactionsPage(
  node: StellarNode,
  { before, limit, ledger }: { before: Place; limit: number; ledger: number | undefined },
) {
  const start = ledger === undefined || before.ledger <= ledger ? before : { ledger: ledger + 1, order: 0 };
  return walk(node, start, limit, (row) => {
    if (ledger !== undefined && row.ledger !== ledger) return 'stop';
    return [transactionLine(node, row)];
  });
}

/** The transactions that name the account or write anything of it: its key's bytes are in them. */
export function accountTransactionsPage(
  node: StellarNode,
  ed25519: Uint8Array,
  { before, limit }: { before: Place; limit: number },
) {
  const key = Buffer.from(ed25519);
  return walk(node, before, limit, (row) => {
    const concerned = [row.envelope, row.meta].some((bytes) => Buffer.from(bytes).includes(key));
    return concerned ? [transactionLine(node, row)] : [];
  });
}

/**
 * Accounts by the last ledger that wrote them. One that several transactions of that ledger wrote may come again on
 * the next page.
 */
export function accountsPage(node: StellarNode, { before, limit }: { before: Place; limit: number }) {
  const seen = new Set<string>();
  return walk(node, before, limit, (row): AccountLine[] => {
    const written = [
      parsed(node, row).feeSource,
      ...accountsWritten(xdr.TransactionMeta.schema.decode(row.meta)),
    ];
    return written.flatMap((ed25519) => {
      if (seen.has(hex(ed25519))) return [];
      seen.add(hex(ed25519));
      const line = accountLine(node, ed25519);
      return line === undefined || line.last_ledger !== row.ledger ? [] : [line];
    });
  });
}

/** Takes what `pick` makes of each transaction until there are `limit` records, it says stop, or enough was seen. */
function walk<T>(
  node: StellarNode,
  start: Place,
  limit: number,
  pick: (row: StoredTransaction) => T[] | 'stop',
): Page<T> {
  const records: T[] = [];
  let at = start;
  for (let scanned = 0; scanned < SCANNED; scanned += CHUNK) {
    const rows = node.transactionsBefore(at.ledger, at.order, CHUNK);
    for (const row of rows) {
      const picked = pick(row);
      if (picked === 'stop') return { records, next: null };
      records.push(...picked);
      at = { ledger: row.ledger, order: row.application_order };
      if (records.length >= limit) return { records, next: `${at.ledger}-${at.order}` };
    }
    if (rows.length < CHUNK) return { records, next: null };
  }
  return { records, next: `${at.ledger}-${at.order}` };
}
