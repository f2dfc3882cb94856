import type { SQLOutputValue } from 'node:sqlite';

/** Ledgers that a node shows, both ends included. */
export type LedgerRange = { oldest: number; latest: number };

export type Order = 'asc' | 'desc';

/** A place in history. There need not be a transaction at this place. */
export type Place = { ledger: number; application_order: number };

/** Transactions in either direction from a place on, including the place. */
export type TransactionQuery = {
  from: Place;
  order: Order;
  limit: number;
  include_failed: boolean;
  /** Only transactions that concern this account; account-index.ts defines a participant. */
  account: { ed25519: Uint8Array; participants_only: boolean } | null;
};

/** Horizon's counts of a ledger. */
export type LedgerCounts = {
  successful: number;
  failed: number;
  successful_operations: number;
  operations: number;
};

export type FeeRow = { fee_charged: bigint; max_fee: bigint; operation_count: bigint };

/** The SQL after `SELECT … `, and its parameters. `t` is the transaction and `l` its ledger. */
export function historyClauses(range: LedgerRange, query: TransactionQuery) {
  const { from, order, account } = query;
  const key = account === null ? 't' : 'a';
  const byAccount = `JOIN account_transactions a
    ON a.account = ? AND a.ledger = t.ledger AND a.application_order = t.application_order`;
  const clauses = `FROM transactions t ${account === null ? '' : byAccount}
    JOIN ledgers l ON l.sequence = t.ledger
    WHERE (${key}.ledger, ${key}.application_order) ${order === 'asc' ? '>=' : '<='} (?, ?)
      AND ${key}.ledger BETWEEN ? AND ?
      ${query.include_failed ? '' : 'AND successful = 1'} ${account?.participants_only ? 'AND participant = 1' : ''}
    ORDER BY ${key}.ledger ${order}, ${key}.application_order ${order} LIMIT ?`;
  // SQLite uses only these two bounds to find its start. With the bounds of the whole history it would read every
  // row before the place.
  const oldest = order === 'asc' ? Math.max(range.oldest, from.ledger) : range.oldest;
  const latest = order === 'desc' ? Math.min(range.latest, from.ledger) : range.latest;
  const places = [from.ledger, from.application_order, oldest, latest, query.limit];
  return { clauses, parameters: account === null ? places : [account.ed25519, ...places] };
}

/** The operations of a fee-bump are those of its inner transaction, without the extra one that counts for fees. */
export const COUNTS_SQL = `
  SELECT successful, COUNT(*) AS transactions, SUM(operation_count - (inner_hash IS NOT NULL)) AS operations
  FROM transactions WHERE ledger = ? GROUP BY successful`;

export function countsOf(rows: Record<string, SQLOutputValue>[]): LedgerCounts {
  const sum = (name: string, successful: bigint) =>
    Number(rows.find((row) => row.successful === successful)?.[name] ?? 0);
  return {
    successful: sum('transactions', 1n),
    failed: sum('transactions', 0n),
    successful_operations: sum('operations', 1n),
    operations: sum('operations', 1n) + sum('operations', 0n),
  };
}
