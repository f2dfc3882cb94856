/** Reads the header of the CSV of a payout: which column of the file is which of ours. Pure. */
import type { Problem } from './problems.ts';

const REQUIRED = ['idempotency_key', 'destination'] as const;
const AMOUNTS = ['amount_stroops', 'amount'] as const;
const OPTIONAL = ['asset_code', 'asset_issuer', 'memo_id', 'reference'] as const;
export const CSV_COLUMNS = [...REQUIRED, ...AMOUNTS, ...OPTIONAL] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];

/** What a column of the file is, by its name in the header; without `column` it is left out. */
export type GivenColumn = { name: string; column?: CsvColumn | undefined };

/** `column`: null where the column is left out, or its name says nothing to us. `example`: the first text in it. */
export type ReadColumn = { name: string; column: CsvColumn | null; example: string | null };

/** The code of a header that is wrong: the caller can say what each column is. */
const WRONG_COLUMNS = 'wrong_columns';

type ReadHeader = { columns: (CsvColumn | null)[]; problems: Problem[] };

/** Reads the names of a header. `makes_keys`: a file without a column of keys gets them. */
export function readHeader(
  names: string[],
  { given, makes_keys, line }: { given: GivenColumn[]; makes_keys: boolean; line: number },
): ReadHeader {
  const named = new Map(given.map(({ name, column }) => [name, column]));
  const columns = names.map(
    (name) => (named.has(name) ? named.get(name) : CSV_COLUMNS.find((known) => known === name)) ?? null,
  );
  const unknown = names.filter((name, index) => columns[index] === null && !named.has(name));
  const wrong = faultsOf(
    columns.filter((column) => column !== null),
    unknown,
    makes_keys,
  );
  const problems = wrong.map((message) => ({ row: null, line, field: null, code: WRONG_COLUMNS, message }));
  return { columns, problems };
}

function faultsOf(columns: CsvColumn[], unknown: string[], makes_keys: boolean): string[] {
  const twice = columns.filter((column, index) => columns.indexOf(column) !== index);
  const missing = REQUIRED.filter(
    (name) => !columns.includes(name) && !(makes_keys && name === 'idempotency_key'),
  );
  const amounts = AMOUNTS.filter((name) => columns.includes(name));
  return [
    ...unknown.map((name) => `has the unknown column ${JSON.stringify(name.slice(0, 50))}`),
    ...[...new Set(twice)].map((name) => `has the column ${JSON.stringify(name)} twice`),
    ...missing.map((name) => `lacks the column ${name}`),
    ...(amounts.length === 1 ? [] : ['must have one of the columns amount_stroops and amount, and not both']),
  ];
}
