import type { PageQuery } from './params.ts';
import type { HorizonRequest } from './request.ts';

/** One thing of a collection, as it is sent. */
export type HorizonRecord = { paging_token: string; [field: string]: unknown };

/**
 * Makes out what a request is about; the function it gives reads a page of that, now or after later ledgers.
 * @throws Problem 400 for parameters that cannot be used, 404 when what the collection belongs to is not known
 */
export type Collection = (request: HorizonRequest) => (page: PageQuery) => HorizonRecord[];

/** Whether an id lies beyond the page's cursor, in the page's direction. */
export function isBeyond(page: PageQuery, id: bigint): boolean {
  return page.order === 'asc' ? id > page.id : id < page.id;
}

/** The same for what has a second number: an effect of an operation. */
export function isEffectBeyond(page: PageQuery, id: bigint, effect: bigint): boolean {
  if (id !== page.id) return isBeyond(page, id);
  return page.order === 'asc' ? effect > page.effect : effect < page.effect;
}

export function inOrder<T>(page: PageQuery, items: T[]): T[] {
  return page.order === 'asc' ? items : items.toReversed();
}
