/** Pure: what the list of transactions shows, as it stands in the page's address: it survives a reload and can be shared. */
import type { QueryOf } from '../../api/operations.ts';

type Query = QueryOf<'listTransactions'>;

export type TransactionsSearch = {
  type?: 'deposit' | 'withdrawal';
  status?: 'pending' | 'confirmed' | 'failed';
  attributed?: 'true' | 'false';
  /** First and last day, `2026-11-21`, in the reader's time zone. */
  since?: string;
  until?: string;
  search?: string;
  /** The hash that is explained beside the list; empty: it is asked for. */
  explain?: string;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const SEARCH_MAX_LENGTH = 100;

/** What is not understood is left out, as if it were not there. */
export function readTransactionsSearch(given: Record<string, unknown>): TransactionsSearch {
  const text = (name: string) => (given[name] === undefined ? '' : String(given[name]));
  const oneOf = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === text(name));
  const day = (name: string) => (isDay(text(name)) ? text(name) : undefined);
  return withoutUndefined({
    type: oneOf('type', ['deposit', 'withdrawal']),
    status: oneOf('status', ['pending', 'confirmed', 'failed']),
    attributed: oneOf('attributed', ['true', 'false']),
    since: day('since'),
    until: day('until'),
    search: text('search').slice(0, SEARCH_MAX_LENGTH) || undefined,
    explain: given.explain === undefined ? undefined : text('explain').slice(0, SEARCH_MAX_LENGTH),
  });
}

/**
 * A day that the calendar has: `Date` makes 2 March of 30 February. The first and the last of four-digit years are none,
 * because in some time zones they reach into a year that the API does not take.
 */
function isDay(text: string): boolean {
  if (!DAY.test(text) || text <= '0000-01-01' || text >= '9999-12-31') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The filters as the API takes them: whole days of the reader's time zone, the last one included. */
export function transactionsQuery({ since, until, explain: _, ...filters }: TransactionsSearch): Query {
  return withoutUndefined({
    ...filters,
    since: since && startOfDay(since).toISOString(),
    until: until && startOfDay(until, 1).toISOString(),
  });
}

/** By the calendar: a day is not always 24 hours long. */
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
