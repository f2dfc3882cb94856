/** Pure: transactions as RFC 4180 text. */
import type { Transaction } from '../../api/contract.ts';
import { plainUnits } from '../../text/money.ts';

type Field = string | bigint | number | boolean | null;

const COLUMNS: [title: string, value: (row: Transaction) => Field][] = [
  ['created_at', (row) => row.created_at],
  ['type', (row) => row.type],
  ['id', (row) => row.id],
  ['status', (row) => row.status],
  ['reason', (row) => row.reason],
  ['asset_code', (row) => row.asset_code],
  ['asset_issuer', (row) => row.asset_issuer],
  ['amount', (row) => plainUnits(row.amount_stroops)],
  ['amount_stroops', (row) => row.amount_stroops],
  ['fee', (row) => (row.fee_stroops === null ? null : plainUnits(row.fee_stroops))],
  ['fee_stroops', (row) => row.fee_stroops],
  ['counterparty', (row) => row.counterparty],
  ['address_label', (row) => row.address_label],
  ['memo_id', (row) => row.memo_id],
  ['memo_text', (row) => row.memo_text],
  ['reference', (row) => row.reference],
  ['payout_id', (row) => row.payout_id],
  ['payout_row', (row) => row.payout_row],
  ['stellar_tx_hash', (row) => row.stellar_tx_hash],
];

/** The start of a formula, also after characters that end even a quoted field in some spreadsheets, such as `;`. */
const FORMULA = /(^|[;\t\r\n]"*)(?=[=+\-@\t\r\n])/g;

/** The byte order mark tells Excel that it is UTF-8. */
export const CSV_HEAD = `\uFEFF${line(COLUMNS.map(([title]) => title))}`;

/** One line for each row, in the order given. */
export function csvLines(rows: Transaction[]): string {
  return rows.map((row) => line(COLUMNS.map(([, value]) => value(row)))).join('');
}

function line(fields: Field[]): string {
  return `${fields.map(field).join(',')}\r\n`;
}

/**
 * A spreadsheet runs text that begins like a formula (OWASP, "CSV injection"). A quote before it prevents that.
 * Numbers come from the service and get no quote, which would turn them into text.
 */
function field(value: Field): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' ? text.replace(FORMULA, "$1'") : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
