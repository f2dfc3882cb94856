/** Reads the CSV of a payout (docs/payouts.md). Every mistake becomes a problem with its line. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import type { Problem } from './problems.ts';

export const MOST_ROWS = 10_000;

const REQUIRED = ['idempotency_key', 'destination'] as const;
const AMOUNTS = ['amount_stroops', 'amount'] as const;
const OPTIONAL = ['asset_code', 'asset_issuer', 'memo_id', 'reference'] as const;
const KNOWN: readonly string[] = [...REQUIRED, ...AMOUNTS, ...OPTIONAL];
/** Longer than any row can be. A quote that is never closed would make the rest of the file one record. */
const MOST_RECORD_CHARS = 4_096;
/** Between them other work of the event loop runs: a chunk takes a few milliseconds. */
const CHUNK_CHARS = 64 * 1024;

/**
 * The texts of a row by column; an empty field is absent. `number`: its place in the file, from 1 on; `line`: where it ends, from
 * 1 on.
 */
export type CsvRow = { number: number; line: number; fields: Partial<Record<string, string>> };

type Record_ = { record: string[]; info: { lines: number } };

/** The rows of the file. When its form is wrong, only problems, or the rows that can be read beside the problems. */
export async function readCsv(text: string): Promise<{ rows: CsvRow[]; problems: Problem[] }> {
  const records: Record_[] = [];
  try {
    // A spreadsheet writes lines of nothing but separators below the last row.
    const parser = parse({
      ...{ bom: true, info: true, relax_column_count: true },
      ...{ skip_empty_lines: true, skip_records_with_empty_values: true },
      ...{ delimiter: delimiterOf(text), max_record_size: MOST_RECORD_CHARS, to: MOST_ROWS + 2 },
    });
    for await (const record of Readable.from(chunksOf(text)).pipe(parser)) records.push(record as Record_);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { lines?: number };
    return { rows: [], problems: [problem(lines ?? 1, null, `cannot be read as CSV: ${error.message}`)] };
  }
  const [header, ...rest] = records;
  if (!header) return { rows: [], problems: [problem(1, null, 'has no header: the file is empty')] };
  const wrong = headerProblems(header.record);
  if (wrong.length > 0) return { rows: [], problems: wrong };
  return readRecords(header.record, rest);
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += CHUNK_CHARS) {
    yield text.slice(at, at + CHUNK_CHARS);
    await setImmediate();
  }
}

function readRecords(names: string[], records: Record_[]): { rows: CsvRow[]; problems: Problem[] } {
  const rows: CsvRow[] = [];
  const problems: Problem[] = [];
  let counted_twice = 0; // csv-parse counts a CRLF within quotes as two lines
  for (const [index, { record, info }] of records.entries()) {
    const number = index + 1;
    counted_twice += record.join('').split('\r\n').length - 1;
    const line = info.lines - counted_twice;
    if (record.length !== names.length) {
      const found = `has ${record.length} fields, and the header has ${names.length}`;
      problems.push({ ...problem(line, null, found), row: number });
      continue;
    }
    const given = names.map((name, index) => [name, record[index] ?? ''] as const);
    rows.push({
      number,
      line,
      fields: Object.fromEntries(given.filter(([, value]) => value !== '')),
    });
  }
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

/** A spreadsheet writes semicolons where the comma is for decimals. The first line decides: names of columns have neither. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split(/\r|\n/, 1);
  return [',', ';', '\t'].find((each) => header.includes(each)) ?? ',';
}
