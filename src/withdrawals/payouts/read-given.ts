/** Reads the rows of a payout, from a body or a CSV, in parts: other work of the event loop runs in between. */
import { type InParts, inTurns } from '../../lib/in-parts.ts';
import { readCsv } from './payout-csv.ts';
import type { Problem } from './problems.ts';
import {
  countProblems,
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
 * `expected_…`: what the caller has counted, to find a file that was cut.
 */
export type GivenPayout = {
  rows?: unknown[] | undefined;
  csv?: string | undefined;
  known?: GivenRow[];
  expected_count?: bigint | undefined;
  expected_total_stroops?: bigint | undefined;
};

/** Rows and problems of a part. */
const READ_PER_PART = 200;

type Given = { rows: ReadRow[]; problems: Problem[]; count: number };

/** Reads the rows whose text is right, what is wrong with the others, and how many there are. */
export function readGiven(given: GivenPayout): Promise<Given> {
  return inTurns(inParts(given));
}

function* inParts({ rows = [], csv, known }: GivenPayout): InParts<Given> {
  if (known) return yield* readNumbered(known, rowOfKnown);
  if (csv === undefined) return yield* readNumbered(rows, rowOfBody);
  const file = yield* readCsv(csv);
  const count = file.rows.length;
  if (file.problems.length > 0 && count === 0) return { rows: [], problems: file.problems, count };
  const read = yield* readNumbered(file.rows, rowOfCsv);
  return { ...read, problems: [...file.problems, ...read.problems] };
}

function* readNumbered<T>(all: T[], read: (one: T, index: number) => FormedRow): InParts<Given> {
  const count = all.length;
  const wrong_count = countProblems(count);
  if (wrong_count.length > 0) return { rows: [], problems: wrong_count, count };
  const given: Given = { rows: [], problems: [], count };
  let left = READ_PER_PART;
  for (const [index, one] of all.entries()) {
    const { row, problems } = readRow(read(one, index));
    if (row) given.rows.push(row);
    for (const problem of problems) given.problems.push(problem);
    left -= 1 + problems.length;
    if (left > 0) continue;
    yield;
    left = READ_PER_PART;
  }
  return given;
}
