/** What is wrong with a payout, by row and line. */
import type { ErrorDetail } from '../../lib/errors.ts';

/**
 * `row`: its number from 1 on; `line`: of the CSV. Both null where the file as a whole is concerned. `field`: null where no
 * single one is at fault. `message`: the end of a sentence that begins with the row or its field.
 */
export type Problem = {
  row: number | null;
  line: number | null;
  field: string | null;
  code: string;
  message: string;
};

/** The most problems that an answer names. It also says how many there are. */
export const MOST_NAMED = 1_000;

/** Returns a problem as a detail of an error: a JSON pointer, which counts rows from 0, and the line or row in the words. */
export function detailOf({ row, line, field, message }: Problem): ErrorDetail {
  const path = row === null ? '' : `/rows/${row - 1}${field === null ? '' : `/${field}`}`;
  const place = line === null ? row && `row ${row}` : `line ${line}`;
  return { path, message: place === null ? message : `(${place}) ${message}` };
}

export function inFileOrder(problems: Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? a.row ?? 0) - (b.line ?? b.row ?? 0));
}
