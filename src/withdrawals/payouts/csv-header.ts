/** Reads the header of the CSV of a payout: which column of the file is which of ours. Pure. */
import type { Problem } from './problems.ts';

const KEY = 'idempotency_key';
const RECIPIENTS = ['destination', 'payee'] as const;
const AMOUNTS = ['amount_stroops', 'amount'] as const;
const OPTIONAL = ['asset_code', 'asset_issuer', 'memo_id', 'reference'] as const;
export const CSV_COLUMNS = [KEY, ...RECIPIENTS, ...AMOUNTS, ...OPTIONAL] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];

/** What a column of the file is, by its name in the header; without `column` it is left out. */
export type GivenColumn = { name: string; column?: CsvColumn | undefined };

/** `column`: null where the column is left out, or its name says nothing to us. `example`: the first text in it. */
export type ReadColumn = { name: string; column: CsvColumn | null; example: string | null };

/** The code of a header that is wrong: the caller can say what each column is. */
const WRONG_COLUMNS = 'wrong_columns';

/** The code of two columns with one name: a caller who names columns by their names cannot tell them apart. */
const EQUAL_NAMES = 'equal_column_names';

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
  const problem = (code: string) => (message: string) => ({ row: null, line, field: null, code, message });
  const equal = equalNames(names, (name) => named.has(name) && named.get(name) === undefined);
  if (equal.length > 0) return { columns, problems: equal.map(problem(EQUAL_NAMES)) };
  const unknown = names.filter((name, index) => columns[index] === null && !named.has(name));
  const wrong = faultsOf(
    columns.filter((column) => column !== null),
    unknown,
    makes_keys,
  );
  return { columns, problems: wrong.map(problem(WRONG_COLUMNS)) };
}

/** Says which names several columns have. Columns that are left out may have one name, and so may those without any. */
function equalNames(names: string[], isLeftOut: (name: string) => boolean): string[] {
  const again = names.filter((name, index) => names.indexOf(name) !== index && name !== '');
  return [...new Set(again)]
    .filter((name) => !isLeftOut(name))
    .map((name) => `has several columns with the name ${quoted(name)}: rename or remove all but one of them`);
}

const quoted = (name: string) => JSON.stringify(name.slice(0, 50));

function faultsOf(columns: CsvColumn[], unknown: string[], makes_keys: boolean): string[] {
  const twice = columns.filter((column, index) => columns.indexOf(column) !== index);
  const missing = [
    ...(columns.includes(KEY) || makes_keys ? [] : [KEY]),
    ...(RECIPIENTS.some((name) => columns.includes(name)) ? [] : ['destination']),
  ];
  const amounts = AMOUNTS.filter((name) => columns.includes(name));
  return [
    ...unknown.map((name) => `has the unknown column ${quoted(name)}`),
    ...[...new Set(twice)].map((name) => `has the column ${JSON.stringify(name)} twice`),
    ...missing.map((name) => `lacks the column ${name}`),
    ...(amounts.length === 1 ? [] : ['must have one of the columns amount_stroops and amount, and not both']),
  ];
}
