/** What a file says by itself, whatever the network, the database and the policy say. Pure, in parts: a file has 10,000 rows. */
import { eachInParts, type InParts } from '../../lib/in-parts.ts';
import { assetText } from '../../stellar/asset.ts';
import type { LargestRow, Total } from './payout-report.ts';
import type { Problem } from './problems.ts';
import type { GivenPayout } from './read-given.ts';
import type { ReadRow } from './read-rows.ts';

const INT64_MAX = 2n ** 63n - 1n;

export function wrongCount({ expected_count }: GivenPayout, count: number): Problem[] {
  if (expected_count === undefined || expected_count === BigInt(count)) return [];
  return [ofFile('count_differs', `there are ${count} rows, and ${expected_count} were expected`)];
}

export function wrongTotal({ expected_total_stroops }: GivenPayout, rows: ReadRow[]): Problem[] {
  const total = rows.reduce((sum, { amount_stroops }) => sum + amount_stroops, 0n);
  if (expected_total_stroops === undefined || expected_total_stroops === total) return [];
  const message = `the amounts are ${total} stroops, and ${expected_total_stroops} were expected`;
  return [ofFile('total_differs', message)];
}

/** Returns a problem for each asset whose total no account can hold: no wallet could pay it. */
export function tooLargeTotals(totals: Total[]): Problem[] {
  return totals
    .filter(({ amount_stroops }) => amount_stroops > INT64_MAX)
    .map((total) => {
      const message = `the amounts of ${assetText(total)} are ${total.amount_stroops} stroops together, and an account holds at most ${INT64_MAX}`;
      return ofFile('invalid_request', message);
    });
}

export function ofFile(code: string, message: string): Problem {
  return { row: null, line: null, field: null, code, message };
}

export function at({ number, line }: ReadRow, field: string | null, code: string, message: string): Problem {
  return { row: number, line, field, code, message };
}

/** Returns where a row is: its line in a CSV, else its number. */
function placeOf({ number, line }: ReadRow): string {
  return line === null ? `row ${number}` : `line ${line}`;
}

export function* doubledKeys(rows: ReadRow[]): InParts<Problem[]> {
  const doubled = yield* again(rows, ({ idempotency_key }) => idempotency_key);
  return doubled.map(({ row, first }) =>
    at(row, 'idempotency_key', 'invalid_request', `is that of ${placeOf(first)} too`),
  );
}

export function* doubledPayees(rows: ReadRow[]): InParts<Problem[]> {
  const payment = (row: ReadRow) =>
    [row.address.account, row.memo_id ?? row.address.muxed_id, assetText(row), row.amount_stroops].join(' ');
  const doubled = yield* again(rows, payment);
  return doubled.map(({ row, first }) =>
    at(row, 'destination', 'duplicate_payment', `gets the same amount as in ${placeOf(first)}`),
  );
}

type Doubled = { row: ReadRow; first: ReadRow };

/** Finds rows with a key that an earlier row has, each with the first one. */
function* again(rows: ReadRow[], keyOf: (row: ReadRow) => string): InParts<Doubled[]> {
  const seen = new Map<string, ReadRow>();
  const doubled: Doubled[] = [];
  yield* eachInParts(rows, (row) => {
    const key = keyOf(row);
    const first = seen.get(key);
    if (first) doubled.push({ row, first });
    else seen.set(key, row);
  });
  return doubled;
}

/** Sums the amounts of each asset, and finds the first of its largest rows. */
export function* totalsOf(rows: LargestRow[]): InParts<Total[]> {
  const totals = new Map<string, Total>();
  yield* eachInParts(rows, (row) => {
    const { asset_code, asset_issuer } = row;
    const name = assetText(row);
    const total = totals.get(name) ?? {
      asset_code,
      asset_issuer,
      rows: 0,
      amount_stroops: 0n,
      available_stroops: null,
      largest_row: row,
    };
    total.rows++;
    total.amount_stroops += row.amount_stroops;
    if (row.amount_stroops > total.largest_row.amount_stroops) total.largest_row = row;
    totals.set(name, total);
  });
  return [...totals.values()];
}
