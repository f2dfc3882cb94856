/** Reads the CSV of a payout (docs/payouts.md). Every mistake becomes a problem with its line. */
import { eachInParts, type InParts } from '../../lib/in-parts.ts';
import { CsvError, type CsvRecord, MOST_RECORD_CHARS, readRecords } from './csv-records.ts';
import type { Problem } from './problems.ts';

export const MOST_ROWS = 10_000;

const REQUIRED = ['idempotency_key', 'destination'] as const;
const AMOUNTS = ['amount_stroops', 'amount'] as const;
const OPTIONAL = ['asset_code', 'asset_issuer', 'memo_id', 'reference'] as const;
const KNOWN: readonly string[] = [...REQUIRED, ...AMOUNTS, ...OPTIONAL];
/**
 * The texts of a row by column; an empty field is absent. `number`: its place in the file, from 1 on; `line`: where it ends, from
 * 1 on.
 */
export type CsvRow = { number: number; line: number; fields: Partial<Record<string, string>> };

type ReadCsv = { rows: CsvRow[]; problems: Problem[] };

/**
 * Reads the rows of the file. When its form is wrong, it returns only problems, or the rows that can be read beside the
 * problems.
 */
export function* readCsv(text: string): InParts<ReadCsv> {
  let records: CsvRecord[];
  try {
    records = yield* readRecords(text, delimiterOf(text), MOST_ROWS + 2);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows: [], problems: [problem(error.line, null, `cannot be read as CSV: ${error.message}`)] };
  }
  const [header, ...rest] = records;
  if (!header) return { rows: [], problems: [problem(1, null, 'has no header: the file is empty')] };
  const wrong = headerProblems(header.fields);
  if (wrong.length > 0) return { rows: [], problems: wrong };
  return yield* readRows(header.fields, rest);
}

function* readRows(names: string[], records: CsvRecord[]): InParts<ReadCsv> {
  const rows: CsvRow[] = [];
  const problems: Problem[] = [];
  yield* eachInParts(records, ({ fields, line }, index) => {
    const number = index + 1;
    if (fields.length !== names.length) {
      const found = `has ${fields.length} fields, and the header has ${names.length}`;
      problems.push({ ...problem(line, null, found), row: number });
      return;
    }
    const given = names.map((name, column) => [name, fields[column] ?? ''] as const);
    rows.push({
      number,
      line,
      fields: Object.fromEntries(given.filter(([, value]) => value !== '')),
    });
  });
  return { rows, problems };
}

function headerProblems(names: string[]): Problem[] {
  const wrong = (message: string) => problem(1, null, message);
  const unknown = names.filter((name) => !KNOWN.includes(name));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const missing = REQUIRED.filter((name) => !names.includes(name));
  const amounts = AMOUNTS.filter((name) => names.includes(name));
  return [
    ...unknown.map((name) => wrong(`has the unknown column ${JSON.stringify(name.slice(0, 50))}`)),
    ...[...new Set(twice)].map((name) => wrong(`has the column ${JSON.stringify(name.slice(0, 50))} twice`)),
    ...missing.map((name) => wrong(`lacks the column ${name}`)),
    ...(amounts.length === 1
      ? []
      : [wrong('must have one of the columns amount_stroops and amount, and not both')]),
  ];
}

function problem(line: number, field: string | null, message: string): Problem {
  return { row: null, line, field, code: 'invalid_request', message };
}

/**
 * Returns the delimiter of the file: a spreadsheet writes semicolons where the comma is for decimals. The first line decides:
 * names of columns have no delimiter in them.
 */
function delimiterOf(text: string): string {
  const [header = ''] = text.slice(0, MOST_RECORD_CHARS).split(/\r|\n/, 1);
  return [',', ';', '\t'].find((each) => header.includes(each)) ?? ',';
}
