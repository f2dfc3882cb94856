/** Reads the rows of a payout, from a body or a CSV, in parts: other work of the event loop runs in between. */
import { setImmediate } from 'node:timers/promises';
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

/** So many rows are read at a time: 20 ms. Then other work of the event loop runs. */
const READ_PER_TURN = 1_000;

type Given = { rows: ReadRow[]; problems: Problem[]; count: number };

/** The rows whose text is right, what is wrong with the others, and how many there are. */
export async function readGiven({ rows = [], csv, known }: GivenPayout): Promise<Given> {
  if (known) return readNumbered(known, rowOfKnown);
  if (csv === undefined) return readNumbered(rows, rowOfBody);
  const file = await readCsv(csv);
  const count = file.rows.length;
  if (file.problems.length > 0 && count === 0) return { rows: [], problems: file.problems, count };
  const read = await readNumbered(file.rows, rowOfCsv);
  return { ...read, problems: [...file.problems, ...read.problems] };
}

async function readNumbered<T>(all: T[], read: (one: T, index: number) => FormedRow): Promise<Given> {
  const count = all.length;
  const wrong_count = countProblems(count);
  if (wrong_count.length > 0) return { rows: [], problems: wrong_count, count };
  const given: Given = { rows: [], problems: [], count };
  for (const [index, one] of all.entries()) {
    const { row, problems } = readRow(read(one, index));
    if (row) given.rows.push(row);
    given.problems.push(...problems);
    if ((index + 1) % READ_PER_TURN === 0) await setImmediate();
  }
  return given;
}
