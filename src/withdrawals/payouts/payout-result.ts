/** The rows of a payout as CSV, for spreadsheets. Pure. */
import type { ShownRow } from './payout-row-store.ts';

const COLUMNS = [
  'row',
  'idempotency_key',
  'destination',
  'amount_stroops',
  'asset_code',
  'asset_issuer',
  'memo_id',
  'reference',
  'status',
  'withdrawal_id',
  'stellar_tx_hash',
  'failure_code',
  'failure_message',
];

/** Writes the rows as a CSV with a header; lines end as RFC 4180 says. */
export function resultCsv(rows: ShownRow[]): string {
  const lines = rows.map((row) => [
    row.number,
    row.idempotency_key,
    row.destination,
    row.amount_stroops,
    row.asset_code,
    row.asset_issuer,
    row.memo_id,
    row.reference,
    row.status,
    row.withdrawal_id,
    row.stellar_tx_hash,
    row.failure_code,
    row.failure_message,
  ]);
  return [COLUMNS, ...lines].map((line) => `${line.map(fieldOf).join(',')}\r\n`).join('');
}

/**
 * Writes a field. One that a spreadsheet would calculate gets an apostrophe before it (OWASP, "CSV Injection"), and
 * read-rows.ts takes the apostrophe off again.
 */
function fieldOf(value: string | number | bigint | null): string {
  const text = value === null ? '' : `${value}`;
  const safe = /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
