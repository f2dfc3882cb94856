/** Pure: the filters of the list of transactions as search parameters: they survive a reload and can be shared. */
import type { QueryOf } from '../../api/operations.ts';
import { isDay, startOfDay } from '../../text/days.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

type Query = QueryOf<'listTransactions'>;

export type TransactionsSearch = {
  type?: 'deposit' | 'withdrawal' | 'adjustment';
  status?: 'awaiting_approval' | 'pending' | 'confirmed' | 'failed';
  attributed?: 'true' | 'false';
  /** First and last day, `2026-11-21`, in the reader's time zone. */
  since?: string;
  until?: string;
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
  return withoutUndefined({
    type: oneOf('type', ['deposit', 'withdrawal', 'adjustment']),
    status: oneOf('status', ['awaiting_approval', 'pending', 'confirmed', 'failed']),
    attributed: oneOf('attributed', ['true', 'false']),
    since: day('since'),
    until: day('until'),
    search: text('search').slice(0, SEARCH_MAX_LENGTH) || undefined,
    explain: given.explain === undefined ? undefined : text('explain').slice(0, SEARCH_MAX_LENGTH),
  });
}

/** The filters for the API: whole days in the reader's time zone, including the last. */
export function transactionsQuery(search: TransactionsSearch): Query {
  const { since, until, attributed, explain: _, ...filters } = search;
  return withoutUndefined({
    ...filters,
    attributed: attributed && attributed === 'true',
    since: since && startOfDay(since).toISOString(),
    until: until && startOfDay(until, 1).toISOString(),
  });
}

export function isFiltered({ explain: _, ...filters }: TransactionsSearch): boolean {
  return Object.keys(filters).length > 0;
}
