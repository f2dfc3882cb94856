import { isListing, type RequestKind, type RpcCall } from './request-kind.ts';

/** A request as far as it names a listing: by the call for JSON-RPC, by the URL for Horizon. */
type PageRequest = { kind: RequestKind; call: RpcCall | null; url: string };

/** Listings whose last page is stored, at most. */
const MAX_LISTINGS = 100;

/** Stores the last page of each listing. Requests that differ only in their cursor belong to the same listing. */
export class LastPages {
  readonly #pages = new Map<string, string>();

  last(request: PageRequest): string | undefined {
    return this.#pages.get(listingOf(request));
  }

  remember(request: PageRequest, body: string): void {
    if (!isListing(request.kind)) return;
    const listing = listingOf(request);
    this.#pages.delete(listing);
    this.#pages.set(listing, body);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= MAX_LISTINGS) return;
      this.#pages.delete(oldest);
    }
  }

  clear(): void {
    this.#pages.clear();
  }
}

function listingOf({ kind, call, url }: PageRequest): string {
  if (call !== null) return `${kind} ${JSON.stringify(withoutPlace(call.params))}`;
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  searchParams.delete('cursor');
  // Horizon's defaults, which its links always name.
  if (!searchParams.get('order')) searchParams.set('order', 'asc');
  if (!searchParams.get('limit')) searchParams.set('limit', '10');
  searchParams.sort();
  return `${kind} ${pathname}?${searchParams}`;
}

function withoutPlace(params: unknown): unknown {
  if (typeof params !== 'object' || params === null) return params;
  const pagination = 'pagination' in params ? params.pagination : undefined;
  return { ...params, startLedger: undefined, pagination: { ...Object(pagination), cursor: undefined } };
}
