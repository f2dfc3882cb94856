/** Pure: the filters of the list of transactions as search parameters: they survive a reload and can be shared. */
import type { QueryOf } from '../../api/operations.ts';
import { isIssuedAssetText } from '../../text/asset.ts';
import { isDay, startOfDay } from '../../text/days.ts';
import { parseUnits } from '../../text/money.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

type Query = QueryOf<'listTransactions'>;

export type TransactionsSearch = {
  type?: 'deposit' | 'withdrawal' | 'adjustment';
  status?: 'awaiting_approval' | 'pending' | 'confirmed' | 'failed';
  attributed?: 'true' | 'false';
  /** First and last day, `2026-11-21`, in the reader's time zone. */
  since?: string;
  until?: string;
  /** `native` or CODE:ISSUER. */
  asset?: string;
  /** The least and the greatest amount, in units. */
  min?: string;
  max?: string;
  search?: string;
  /** The hash that is explained in the drawer; if empty, the drawer asks for one. */
  explain?: string;
};

const SEARCH_MAX_LENGTH = 100;

/** Ignores parameters that are unknown or invalid. */
export function readTransactionsSearch(given: Record<string, unknown>): TransactionsSearch {
  const text = (name: string) => (given[name] === undefined ? '' : String(given[name]));
  const oneOf = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === text(name));
  const day = (name: string) => (isDay(text(name)) ? text(name) : undefined);
  const amount = (name: string) => (stroopsOf(text(name)) === undefined ? undefined : text(name));
  return withoutUndefined({
    type: oneOf('type', ['deposit', 'withdrawal', 'adjustment']),
    status: oneOf('status', ['awaiting_approval', 'pending', 'confirmed', 'failed']),
    attributed: oneOf('attributed', ['true', 'false']),
    since: day('since'),
    until: day('until'),
    asset: text('asset') === 'native' || isIssuedAssetText(text('asset')) ? text('asset') : undefined,
    min: amount('min'),
    max: amount('max'),
    search: text('search').slice(0, SEARCH_MAX_LENGTH) || undefined,
    explain: given.explain === undefined ? undefined : text('explain').slice(0, SEARCH_MAX_LENGTH),
  });
}

/** Undefined for what is not an amount. */
function stroopsOf(units = ''): bigint | undefined {
  const parsed = parseUnits(units, 'en');
  return 'stroops' in parsed ? parsed.stroops : undefined;
}

/** The filters for the API: whole days in the reader's time zone, including the last. */
export function transactionsQuery(search: TransactionsSearch): Query {
  const { since, until, attributed, min, max, explain: _, ...filters } = search;
  return withoutUndefined({
    ...filters,
    attributed: attributed && attributed === 'true',
    since: since && startOfDay(since).toISOString(),
    until: until && startOfDay(until, 1).toISOString(),
    min_amount_stroops: stroopsOf(min),
    max_amount_stroops: stroopsOf(max),
  });
}

export function isFiltered({ explain: _, ...filters }: TransactionsSearch): boolean {
  return Object.keys(filters).length > 0;
}
