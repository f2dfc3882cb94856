/** Pure: the file to begin with. */

export const COLUMNS = [
  'idempotency_key',
  'destination',
  'amount',
  'asset_code',
  'asset_issuer',
  'memo_id',
  'reference',
] as const;

/** Nobody is paid by accident: the destination of the example is no address, so a file that still has the row is refused. */
const EXAMPLE = {
  idempotency_key: 'may-1',
  destination: 'G… address of the payee',
  reference: 'Ada Lovelace (example)',
};

/**
 * Writes a CSV with the header and an example, as the spreadsheet of the reader has it: with semicolons where decimals have a
 * comma. A byte order mark tells Excel that it is UTF-8.
 */
export function templateCsv(locale?: string): string {
  const has_comma = new Intl.NumberFormat(locale).format(1.5).includes(',');
  const example: Partial<Record<string, string>> = { ...EXAMPLE, amount: has_comma ? '12,5' : '12.5' };
  const lines = [COLUMNS, COLUMNS.map((name) => example[name] ?? '')];
  return `\uFEFF${lines.map((line) => `${line.join(has_comma ? ';' : ',')}\r\n`).join('')}`;
}
