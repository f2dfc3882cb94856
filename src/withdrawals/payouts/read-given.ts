/** Reads the rows of a payout, from a body or a CSV, in parts: other work of the event loop runs in between. */
import { setImmediate } from 'node:timers/promises';
import { readCsv } from './payout-csv.ts';
import type { Problem } from './problems.ts';
import { countProblems, type GivenRow, givenRows, type ReadRow, readRows } from './read-rows.ts';

/** What a caller gives: rows, or a CSV with the same. `expected_…`: what the caller has counted, to find a file that was cut. */
export type GivenPayout = {
  rows?: GivenRow[] | undefined;
  csv?: string | undefined;
  expected_count?: bigint | undefined;
  expected_total_stroops?: bigint | undefined;
};

/** So many rows are read at a time: 20 ms. Then other work of the event loop runs. */
const READ_PER_TURN = 1_000;

type Given = { rows: ReadRow[]; problems: Problem[]; count: number };

/** The rows whose text is right, what is wrong with the others, and how many there are. */
export async function readGiven({ rows = [], csv }: GivenPayout): Promise<Given> {
  if (csv === undefined) {
    const too_many = countProblems(rows.length);
    if (too_many.length > 0) return { rows: [], problems: too_many, count: rows.length };
    const placed = rows.map((row, index) => ({ number: index + 1, line: null, row }));
    return { ...(await readInParts(placed, readRows)), count: rows.length };
  }
  const file = await readCsv(csv);
  const count = file.rows.length;
  const wrong_count = file.problems.length > 0 && count === 0 ? [] : countProblems(count);
  if (wrong_count.length > 0) return { rows: [], problems: [...file.problems, ...wrong_count], count };
  const read = await readInParts(file.rows, (some) => {
    const { placed, problems } = givenRows(some);
    const { rows, problems: more } = readRows(placed);
    return { rows, problems: [...problems, ...more] };
  });
  return { rows: read.rows, problems: [...file.problems, ...read.problems], count };
}

async function readInParts<T>(
  all: T[],
  read: (some: T[]) => Pick<Given, 'rows' | 'problems'>,
): Promise<Pick<Given, 'rows' | 'problems'>> {
  const found: Pick<Given, 'rows' | 'problems'> = { rows: [], problems: [] };
  for (let from = 0; from < all.length; from += READ_PER_TURN) {
    const { rows, problems } = read(all.slice(from, from + READ_PER_TURN));
    found.rows.push(...rows);
    found.problems.push(...problems);
    await setImmediate();
  }
  return found;
}
