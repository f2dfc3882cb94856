import { type RawBuilder, type SqlBool, sql } from 'kysely';

export type PageRequest = { limit: number; before: string | undefined };

/** Sorts after every id. */
const BEFORE_ALL = '~';

/**
 * Returns condition and order of one page: the rows with these values and an id below `before`, newest first. It needs an index on
 * exactly these columns and the id.
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
): { where: RawBuilder<SqlBool>; order: RawBuilder<unknown>; unordered: RawBuilder<SqlBool> } {
  const columns = Object.keys(values).map((name) => sql.ref(`${table}.${name}`));
  const id = sql.ref(`${table}.id`);
  const own = sql.join(columns);
  const given = sql.join(Object.values(values));
  const equal = Object.entries(values).map(([name, value]) => sql`${sql.ref(`${table}.${name}`)} = ${value}`);
  return {
    unordered: sql`${sql.join(equal, sql` and `)} and ${id} < ${before ?? BEFORE_ALL}`,
    where: sql<SqlBool>`(${own}) >= (${given}) and (${own}, ${id}) < (${given}, ${before ?? BEFORE_ALL})`,
    order: sql.join([...columns, id].map((column) => sql`${column} desc`)),
  };
}
