import { type RawBuilder, type SqlBool, sql } from 'kysely';

export type PageRequest = { limit: number; before: string | undefined };

/** Above every id: no prefix of ours sorts behind it. */
const BEFORE_ALL = '~';

/**
 * Condition and order of one page of a list: of the rows that have these values, those below the id `before`, the newest
 * first. It needs an index on just these columns and the id.
 *
 * Rows are compared and ordered by all of these columns, so that nothing but that index gives the order. Ordered by id
 * alone, PostgreSQL may choose the primary key, and walk through a million younger rows of others to those of this wallet.
 */
export function newestFirst(
  table: string,
  values: Record<string, string | boolean>,
  before: string | undefined,
): { where: RawBuilder<SqlBool>; order: RawBuilder<unknown> } {
  const columns = Object.keys(values).map((name) => sql.ref(`${table}.${name}`));
  const id = sql.ref(`${table}.id`);
  const own = sql.join(columns);
  const given = sql.join(Object.values(values));
  return {
    where: sql<SqlBool>`(${own}) >= (${given}) and (${own}, ${id}) < (${given}, ${before ?? BEFORE_ALL})`,
    order: sql.join([...columns, id].map((column) => sql`${column} desc`)),
  };
}
