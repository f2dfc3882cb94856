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

/** `separator`: between the fields of the file. */
type ReadCsv = { rows: CsvRow[]; problems: Problem[]; separator: string };

/**
 * Reads the rows of the file. When its form is wrong, it returns only problems, or the rows that can be read beside the
 * problems.
 */
export function* readCsv(text: string): InParts<ReadCsv> {
  const { separator, is_named } = separatorOf(text);
  const only = (...problems: Problem[]) => ({ rows: [], problems, separator });
  if (!SEPARATORS.includes(separator))
    return only(problem(1, null, 'names a separator that is no comma, no semicolon and no tab'));
  let records: CsvRecord[];
  try {
    records = yield* readRecords(text, separator, MOST_ROWS + (is_named ? 3 : 2));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return only(problem(error.line, null, `cannot be read as CSV: ${error.message}`));
  }
  const [header, ...rest] = is_named ? records.slice(1) : records;
  if (!header) return only(problem(1, null, 'has no header: the file is empty'));
  const names = withoutBlankEnd(header.fields.map((name) => name.trim()));
  const wrong = headerProblems(names, header.line);
  if (wrong.length > 0) return only(...wrong);
  return { ...(yield* readRows({ names, width: header.fields.length }, rest)), separator };
}

/** `width`: its columns, blank ones behind `names` too. */
type Header = { names: string[]; width: number };

function* readRows({ names, width }: Header, records: CsvRecord[]): InParts<Omit<ReadCsv, 'separator'>> {
  const rows: CsvRow[] = [];
  const problems: Problem[] = [];
  yield* eachInParts(records, ({ fields, line }, index) => {
    const number = index + 1;
    const found = faultOfWidth(fields, { names, width });
    if (found !== null) {
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

/**
 * Returns what is wrong with the number of fields, which is that of the header: `12,50` without quotes would else be an amount of 12
 * and a memo of 50.
 */
function faultOfWidth(fields: string[], { names, width }: Header): string | null {
  if (fields.length !== width) return `has ${fields.length} fields, and the header has ${width}`;
  return fields.slice(names.length).some((field) => field.trim() !== '')
    ? 'has a text behind the last column'
    : null;
}

function withoutBlankEnd(names: string[]): string[] {
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
}

function headerProblems(names: string[], line: number): Problem[] {
  const wrong = (message: string) => problem(line, null, message);
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

const SEPARATORS = [',', ';', '\t'];

/**
 * Returns what separates the fields: a spreadsheet writes semicolons where the comma is for decimals. A first line like `sep=;`
 * names it, which spreadsheets write and read. Else the first line that is not empty decides, by what it has most of: the names
 * of columns that we know have no separator in them.
 */
function separatorOf(text: string): { separator: string; is_named: boolean } {
  const begin = text.slice(0, MOST_RECORD_CHARS).replace(/^\ufeff/, '');
  const [, named] = /^"?sep=([^\r\n])"?(?=\r|\n|$)/i.exec(begin) ?? [];
  if (named !== undefined) return { separator: named, is_named: true };
  const [header = ''] = begin.replace(/^[\r\n]+/, '').split(/\r|\n/, 1);
  const unquoted = header.replace(/"[^"]*"/g, '');
  const countOf = (separator: string) => unquoted.split(separator).length;
  const [most = ','] = SEPARATORS.toSorted((one, other) => countOf(other) - countOf(one));
  return { separator: most, is_named: false };
}
