import type { Behaviour, Incident } from '../behaviour.ts';
import { isListing } from '../request-kind.ts';

/** Repeats the page that was given last for the same listing, whatever cursor the request has. */
export function duplicatePage(): Behaviour {
  return {
    final: false,
    on: isListing,
    ready: (incident) => incident.pages.last(incident) !== undefined,
    after: (incident, body) => {
      const last = incident.pages.last(incident) ?? body;
      return incident.call === null ? last : JSON.stringify({ ...JSON.parse(last), id: incident.call.id });
    },
  };
}

/** No records, and the cursor of the client unchanged. A client that continues from there loses nothing. */
export function emptyPage(): Behaviour {
  return {
    final: false,
    on: isListing,
    after: (incident, body) =>
      edited(body, { rpc: (page) => emptyRpcPage(incident, page), horizon: backToSelf }),
  };
}

/** No records, and a cursor after the records that are missing. A client that trusts the cursor loses them. */
export function lostPage(): Behaviour {
  return {
    final: false,
    on: isListing,
    after: (_incident, body) => edited(body, { rpc: withoutRecords, horizon: (page) => page }),
  };
}

type RpcPage = Record<string, unknown>;
type Link = { href: string };
type HorizonPage = { _links: Record<'self' | 'next' | 'prev', Link>; _embedded: { records: unknown[] } };

/** An answer that is not a page, such as an error, stays unchanged. */
function edited(
  body: string,
  edit: { rpc: (page: RpcPage) => RpcPage; horizon: (page: HorizonPage) => HorizonPage },
): string {
  const answer = JSON.parse(body) as { result?: RpcPage } & Partial<HorizonPage>;
  if (answer.result !== undefined) return JSON.stringify({ ...answer, result: edit.rpc(answer.result) });
  const { _links, _embedded } = answer;
  if (_links === undefined || _embedded === undefined) return body;
  const page = edit.horizon({ _links, _embedded });
  return JSON.stringify({ ...answer, ...page, _embedded: { ...page._embedded, records: [] } });
}

function withoutRecords(page: RpcPage): RpcPage {
  return Object.fromEntries(
    Object.entries(page).map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
  );
}

function emptyRpcPage({ kind, call }: Incident, page: RpcPage): RpcPage {
  const { startLedger, pagination } = Object(call?.params) as {
    startLedger?: number;
    pagination?: { cursor?: string } | null;
  };
  const cursor = pagination?.cursor || cursorBefore(kind, BigInt(startLedger ?? 0));
  return { ...withoutRecords(page), cursor };
}

/** The cursor right before the first record of a ledger, in the format of each method. */
function cursorBefore(kind: Incident['kind'], ledger: bigint): string {
  if (kind === 'getLedgers') return (ledger - 1n).toString();
  if (kind === 'getTransactions') return ((ledger << 32n) | 1n).toString();
  return `${((ledger << 32n) - 1n).toString().padStart(19, '0')}-4294967295`;
}

/** Horizon's links on an empty page: forward with the same cursor, and back from it. */
function backToSelf(page: HorizonPage): HorizonPage {
  const { self } = page._links;
  const back = new URL(self.href);
  back.searchParams.set('order', back.searchParams.get('order') === 'desc' ? 'asc' : 'desc');
  return { ...page, _links: { ...page._links, next: self, prev: { href: back.href } } };
}
