import type { PageQuery } from './params.ts';
import type { HorizonRequest } from './request.ts';

/** One record of a collection, as it is sent. */
export type HorizonRecord = { paging_token: string; [field: string]: unknown };

/**
 * Reads the parameters of a request. The returned function reads a page, now or after later ledgers.
 * @throws Problem 400 for parameters that are wrong, 404 when the owner of the collection is unknown
 */
export type Collection = (request: HorizonRequest) => (page: PageQuery) => HorizonRecord[];

/** Whether an id is after the cursor of the page, in the direction of the page. */
export function isBeyond(page: PageQuery, id: bigint): boolean {
  return page.order === 'asc' ? id > page.id : id < page.id;
}

/** The same for ids with a second number: those of effects. */
export function isEffectBeyond(page: PageQuery, id: bigint, effect: bigint): boolean {
  if (id !== page.id) return isBeyond(page, id);
  return page.order === 'asc' ? effect > page.effect : effect < page.effect;
}

export function inOrder<T>(page: PageQuery, items: T[]): T[] {
  return page.order === 'asc' ? items : items.toReversed();
}
