/** Reads the CSV of a payout (docs/payouts.md). Every mistake becomes a problem with its line. */
import { eachInParts, type InParts } from '../../lib/in-parts.ts';
import { type CsvColumn, type GivenColumn, type ReadColumn, readHeader } from './csv-header.ts';
import { CsvError, type CsvRecord, MOST_RECORD_CHARS, readRecords } from './csv-records.ts';
import { madeKey } from './made-keys.ts';
import type { Problem } from './problems.ts';

export const MOST_ROWS = 10_000;

/**
 * The texts of a row by column; an empty field is absent. `number`: its place in the file, from 1 on; `line`: where it ends, from
 * 1 on.
 */
export type CsvRow = { number: number; line: number; fields: Partial<Record<string, string>> };

/** What the caller says of a file. `makes_keys`: a file without a column of keys gets them, of `name`. */
export type GivenOfCsv = {
  columns?: GivenColumn[] | undefined;
  makes_keys?: boolean | undefined;
  name?: string | undefined;
};

/** `separator`: between the fields of the file. `has_made_keys`: its keys are not in the file. */
type ReadCsv = {
  rows: CsvRow[];
  problems: Problem[];
  separator: string;
  columns: ReadColumn[];
  has_made_keys: boolean;
};

/**
 * Reads the rows of the file. When its form is wrong, it returns only problems, or the rows that can be read beside the
 * problems.
 */
export function* readCsv(text: string, given: GivenOfCsv = {}): InParts<ReadCsv> {
  const { separator, is_named } = separatorOf(text);
  const only = (...problems: Problem[]) => ({
    rows: [],
    problems,
    separator,
    columns: [],
    has_made_keys: false,
  });
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
  const { makes_keys = false, name } = given;
  const read = readHeader(names, { given: given.columns ?? [], makes_keys, line: header.line });
  const columns = names.map((column_name, index) => ({
    name: column_name,
    column: read.columns[index] ?? null,
    example: exampleIn(rest, index),
  }));
  if (read.problems.length > 0) return { ...only(...read.problems), columns };
  const has_made_keys = !read.columns.includes('idempotency_key');
  if (has_made_keys && name === undefined) return { ...only(NAME_IS_MISSING), columns };
  const { rows, problems } = yield* readRows({ columns: read.columns, width: header.fields.length }, rest);
  if (has_made_keys && name !== undefined)
    for (const row of rows) row.fields.idempotency_key = madeKey(name, row.number);
  return { rows, problems, separator, columns, has_made_keys };
}

const NAME_IS_MISSING: Problem = {
  row: null,
  line: null,
  field: 'name',
  code: 'invalid_request',
  message: 'is required: the keys of the rows are made of it',
};

const MOST_EXAMPLE_CHARS = 100;
const LOOKED_AT_FOR_EXAMPLES = 20;

function exampleIn(records: CsvRecord[], column: number): string | null {
  const texts = records.slice(0, LOOKED_AT_FOR_EXAMPLES).map(({ fields }) => fields[column]?.trim() ?? '');
  return texts.find((text) => text !== '')?.slice(0, MOST_EXAMPLE_CHARS) ?? null;
}

/** `width`: as many fields as it has, with the blank ones behind the last column. */
type Header = { columns: (CsvColumn | null)[]; width: number };

function* readRows(
  { columns, width }: Header,
  records: CsvRecord[],
): InParts<Pick<ReadCsv, 'rows' | 'problems'>> {
  const rows: CsvRow[] = [];
  const problems: Problem[] = [];
  yield* eachInParts(records, ({ fields, line }, index) => {
    const number = index + 1;
    const found = faultOfWidth(fields, { columns, width });
    if (found !== null) {
      problems.push({ ...problem(line, null, found), row: number });
      return;
    }
    const given = columns.map((column, index) => [column, fields[index] ?? ''] as const);
    rows.push({
      number,
      line,
      fields: Object.fromEntries(given.filter(([column, value]) => column !== null && value !== '')),
    });
  });
  return { rows, problems };
}

/**
 * Returns what is wrong with the number of fields, which is that of the header: `12,50` without quotes would else be an amount of 12
 * and a memo of 50.
 */
function faultOfWidth(fields: string[], { columns, width }: Header): string | null {
  if (fields.length !== width) return `has ${fields.length} fields, and the header has ${width}`;
  return fields.slice(columns.length).some((field) => field.trim() !== '')
    ? 'has a text behind the last column'
    : null;
}

function withoutBlankEnd(names: string[]): string[] {
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
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
