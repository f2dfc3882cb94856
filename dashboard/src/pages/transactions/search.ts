/** Pure: the filters of the list of transactions as search parameters: they survive a reload and can be shared. */
import type { QueryOf } from '../../api/operations.ts';

type Query = QueryOf<'listTransactions'>;

export type TransactionsSearch = {
  type?: 'deposit' | 'withdrawal' | 'adjustment';
  status?: 'pending' | 'confirmed' | 'failed';
  attributed?: 'true' | 'false';
  /** First and last day, `2026-11-21`, in the reader's time zone. */
  since?: string;
  until?: string;
  search?: string;
  /** The hash that is explained in the drawer; if empty, the drawer asks for one. */
  explain?: string;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const SEARCH_MAX_LENGTH = 100;

/** Ignores parameters that are unknown or invalid. */
export function readTransactionsSearch(given: Record<string, unknown>): TransactionsSearch {
  const text = (name: string) => (given[name] === undefined ? '' : String(given[name]));
  const oneOf = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === text(name));
  const day = (name: string) => (isDay(text(name)) ? text(name) : undefined);
  return withoutUndefined({
    type: oneOf('type', ['deposit', 'withdrawal', 'adjustment']),
    status: oneOf('status', ['pending', 'confirmed', 'failed']),
    attributed: oneOf('attributed', ['true', 'false']),
    since: day('since'),
    until: day('until'),
    search: text('search').slice(0, SEARCH_MAX_LENGTH) || undefined,
    explain: given.explain === undefined ? undefined : text('explain').slice(0, SEARCH_MAX_LENGTH),
  });
}

/**
 * A day of the calendar: `Date` turns 30 February into 2 March. The first and last day of four-digit years are
 * refused: in some time zones they reach a year that the API rejects.
 */
function isDay(text: string): boolean {
  if (!DAY.test(text) || text <= '0000-01-01' || text >= '9999-12-31') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The filters for the API: whole days in the reader's time zone, including the last. */
export function transactionsQuery({ since, until, explain: _, ...filters }: TransactionsSearch): Query {
  return withoutUndefined({
    ...filters,
    since: since && startOfDay(since).toISOString(),
    until: until && startOfDay(until, 1).toISOString(),
  });
}

/** By the calendar, because a day is not always 24 hours. */
function startOfDay(day: string, days_later = 0): Date {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + days_later);
  return date;
}

export function isFiltered({ explain: _, ...filters }: TransactionsSearch): boolean {
  return Object.keys(filters).length > 0;
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

function withoutUndefined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
