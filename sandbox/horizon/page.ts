import type { HorizonRecord } from './collection.ts';
import type { Links } from './links.ts';
import type { PageQuery } from './params.ts';
import type { HorizonRequest } from './request.ts';

/**
 * A page of a collection in HAL. `next` and `prev` are always present: from the last and the first record, or on an
 * empty page from the cursor of the request, so that the client can ask again later.
 */
export function halPage({ links, url }: HorizonRequest, page: PageQuery, records: HorizonRecord[]) {
  const link = (cursor: string, order: string) =>
    links.to(`${url.pathname}?${parametersOf(url, { ...page, cursor, order })}`);
  const back = page.order === 'asc' ? 'desc' : 'asc';
  return {
    _links: {
      self: link(page.cursor, page.order),
      next: link(records.at(-1)?.paging_token ?? page.cursor, page.order),
      prev: link(records[0]?.paging_token ?? page.cursor, back),
    } satisfies Record<string, ReturnType<Links['to']>>,
    _embedded: { records },
  };
}

/** The parameters of the request and of the page, sorted by name as Go writes them. */
function parametersOf(url: URL, page: { cursor: string; limit: number; order: string }): URLSearchParams {
  const parameters = new URLSearchParams(url.searchParams);
  parameters.set('cursor', page.cursor);
  parameters.set('limit', `${page.limit}`);
  parameters.set('order', page.order);
  parameters.sort();
  return parameters;
}
