/**
 * Pure: a list that is read from its newest row on and grows at both ends. Older rows come page by page, by cursor; newer
 * ones by reading the first page again, which also tells what became of the rows that it shows.
 */
import { stringifyExact } from '../api/exact-json.ts';

export type ListPage<Row> = { items: Row[]; next_cursor: string | null };

type WithId = { id: string };

/**
 * The list with `newest`, its first page read again, in the place of the rows that it reaches down to. When it does not
 * reach the rows that are known, because too much is new or its last row is no longer among them, the list starts anew
 * with it: rather fewer rows than one missing in between. The same list when nothing is different, which costs nothing to show.
 */
export function withNewest<Row extends WithId>(list: ListPage<Row>, newest: ListPage<Row>): ListPage<Row> {
  const last = newest.items.at(-1);
  if (!last || newest.next_cursor === null) return newest;
  const reached = list.items.findIndex(({ id }) => id === last.id);
  if (reached === -1) return newest;
  const known = list.items.slice(0, reached + 1);
  if (known.length === newest.items.length && stringifyExact(known) === stringifyExact(newest.items))
    return list;
  return { items: [...newest.items, ...list.items.slice(reached + 1)], next_cursor: list.next_cursor };
}

/** The list with the page that was asked for with `cursor`; as it is when it goes on elsewhere by now. */
export function withOlder<Row>(list: ListPage<Row>, cursor: string, page: ListPage<Row>): ListPage<Row> {
  if (list.next_cursor !== cursor) return list;
  return { items: [...list.items, ...page.items], next_cursor: page.next_cursor };
}
