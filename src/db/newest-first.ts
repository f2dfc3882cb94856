import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { firstId, type IdPrefix } from '../lib/ids.ts';

/** `from`: the lowest id that the list shows; absent for all. */
export type PageRequest = { limit: number; before: string | undefined; from?: string | undefined };

/** What was created at `since` or later, and before `until`. */
export type Span = { since?: Date | undefined; until?: Date | undefined };

/** Sorts after every id. */
const BEFORE_ALL = '~';

/**
 * Returns condition and order of one page: the rows with these values and an id below `before`, down to `from`, newest first. It needs
 * an index on exactly these columns and the id.
 *
 * Rows are compared and ordered by all these columns, so that only that index gives the order. Ordered by id alone,
 * PostgreSQL may use the primary key and read a million newer rows of other wallets.
 *
 * `unordered` is true for the same rows. It is for statements without this order, because PostgreSQL does not know how many rows
 * the other condition has, and believes that there is one.
 */
export function newestFirst(
  table: string,
  values: Record<string, string | boolean>,
  before: string | undefined,
  from = '',
): { where: RawBuilder<SqlBool>; order: RawBuilder<unknown>; unordered: RawBuilder<SqlBool> } {
  const columns = Object.keys(values).map((name) => sql.ref(`${table}.${name}`));
  const id = sql.ref(`${table}.id`);
  const own = sql.join(columns);
  const given = sql.join(Object.values(values));
  const equal = Object.entries(values).map(([name, value]) => sql`${sql.ref(`${table}.${name}`)} = ${value}`);
  return {
    unordered: sql`${sql.join(equal, sql` and `)} and ${id} < ${before ?? BEFORE_ALL} and ${id} >= ${from}`,
    where: sql<SqlBool>`(${own}, ${id}) >= (${given}, ${from}) and (${own}, ${id}) < (${given}, ${before ?? BEFORE_ALL})`,
    order: sql.join([...columns, id].map((column) => sql`${column} desc`)),
  };
}

/** Returns the bounds of a page that shows only this span. Ids contain the creation time, so that the index of a list serves the span too. */
export function idsBetween(
  prefix: IdPrefix,
  { since, until }: Span,
  before: string | undefined,
): { from: string; before: string | undefined } {
  const ends = [before, until && firstId(prefix, until)].filter((end) => end !== undefined);
  return { from: since ? firstId(prefix, since) : '', before: ends.sort()[0] };
}
