/** Reads the rows of a payout, from a body or a CSV, in parts: other work of the event loop runs in between. */
import { type InParts, inTurns } from '../../lib/in-parts.ts';
import type { ReadColumn } from './csv-header.ts';
import { type GivenOfCsv, readCsv } from './payout-csv.ts';
import { MOST_NAMED, type Problem } from './problems.ts';
import type { DecimalMark } from './read-amount.ts';
import {
  countProblems,
  type FindPayee,
  type FormedRow,
  type GivenRow,
  type ReadRow,
  readRow,
  rowOfBody,
  rowOfCsv,
  rowOfKnown,
} from './read-rows.ts';

/**
 * What a caller gives: rows as `RowBody`, or a CSV with the same. `known`: rows of another payout, whose form was checked there.
 * `decimal`: what the amounts of the CSV have before their decimals. `expected_…`: what the caller has counted, to find a file
 * that was cut.
 */
export type GivenPayout = GivenOfCsv & {
  rows?: unknown[] | undefined;
  csv?: string | undefined;
  decimal?: DecimalMark | undefined;
  known?: GivenRow[];
  expected_count?: bigint | undefined;
  expected_total_stroops?: bigint | undefined;
};

/** Rows and problems of a part. */
const READ_PER_PART = 200;

/** How the amount of a row was read, where its text is not as the API writes amounts. */
export type RowReading = { row: number; line: number | null; field: 'amount'; text: string; read_as: string };

/** `readings`: the first ones. `columns`: of a CSV. `has_made_keys`: its keys are not in the file. */
type Given = {
  rows: ReadRow[];
  problems: Problem[];
  count: number;
  readings: RowReading[];
  reading_count: number;
  columns: ReadColumn[];
  has_made_keys: boolean;
};

function nothingOf(count: number, problems: Problem[]): Given {
  return { rows: [], problems, count, readings: [], reading_count: 0, columns: [], has_made_keys: false };
}

/** Reads the rows whose text is right, what is wrong with the others, and how many there are. */
export function readGiven(given: GivenPayout, findPayee: FindPayee): Promise<Given> {
  return inTurns(inParts(given, findPayee));
}

function* inParts(given: GivenPayout, findPayee: FindPayee): InParts<Given> {
  const { rows = [], csv, decimal, known } = given;
  if (known) return yield* readNumbered(known, rowOfKnown, findPayee);
  if (csv === undefined) return yield* readNumbered(rows, rowOfBody, findPayee);
  const file = yield* readCsv(csv, given);
  const { columns, has_made_keys } = file;
  const count = file.rows.length;
  if (file.problems.length > 0 && count === 0) return { ...nothingOf(count, file.problems), columns };
  const style = { decimal, separator: file.separator };
  const read = yield* readNumbered(file.rows, (row) => rowOfCsv(row, style), findPayee);
  return { ...read, problems: [...file.problems, ...read.problems], columns, has_made_keys };
}

function* readNumbered<T>(
  all: T[],
  read: (one: T, index: number) => FormedRow,
  findPayee: FindPayee,
): InParts<Given> {
  const count = all.length;
  const wrong_count = countProblems(count);
  if (wrong_count.length > 0) return nothingOf(count, wrong_count);
  const given = nothingOf(count, []);
  let left = READ_PER_PART;
  for (const [index, one] of all.entries()) {
    const formed = read(one, index);
    const { row, problems } = readRow(formed, findPayee);
    if (row) given.rows.push(row);
    noteReading(given, formed);
    for (const problem of problems) given.problems.push(problem);
    left -= 1 + problems.length;
    if (left > 0) continue;
    yield;
    left = READ_PER_PART;
  }
  return given;
}

function noteReading(given: Given, { number, line, reading }: FormedRow): void {
  if (!reading) return;
  given.reading_count++;
  if (given.readings.length < MOST_NAMED)
    given.readings.push({ row: number, line, field: 'amount', ...reading });
}
