/**
 * Pure: a list that grows at both ends. Older rows come page by page, by cursor. Newer rows come from reading the
 * first page again, which also updates the rows on it.
 */
import { stringifyExact } from '../api/exact-json.ts';

export type ListPage<Row> = { items: Row[]; next_cursor: string | null };

type WithId = { id: string };

/**
 * Replaces the top of `list` by `newest`, its first page read again. If `newest` does not reach a known row, it
 * becomes the whole list: a gap would hide rows. A row that has come to the top is nowhere else. Gives the same object if nothing
 * changed, so nothing renders.
 */
export function withNewest<Row extends WithId>(list: ListPage<Row>, newest: ListPage<Row>): ListPage<Row> {
  const last = newest.items.at(-1);
  if (!last || newest.next_cursor === null) return newest;
  const reached = list.items.findIndex(({ id }) => id === last.id);
  if (reached === -1) return newest;
  const known = list.items.slice(0, reached + 1);
  if (known.length === newest.items.length && stringifyExact(known) === stringifyExact(newest.items))
    return list;
  const on_top = new Set(newest.items.map(({ id }) => id));
  const others = list.items.slice(reached + 1).filter(({ id }) => !on_top.has(id));
  return { items: [...newest.items, ...others], next_cursor: list.next_cursor };
}

/** Appends the page that `cursor` gave; ignores it if the list continues elsewhere by now. */
export function withOlder<Row>(list: ListPage<Row>, cursor: string, page: ListPage<Row>): ListPage<Row> {
  if (list.next_cursor !== cursor) return list;
  return { items: [...list.items, ...page.items], next_cursor: page.next_cursor };
}
