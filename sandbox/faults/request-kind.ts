import { RPC_METHODS } from '../rpc/dispatch.ts';

/** Paths of Horizon, without the query. A request for Server-Sent Events has the kind `horizon:stream` instead. */
const HORIZON_ROUTES = [
  ['horizon:root', 'GET', /^\/$/],
  ['horizon:fee_stats', 'GET', /^\/fee_stats$/],
  ['horizon:submit', 'POST', /^\/transactions$/],
  ['horizon:submit_async', 'POST', /^\/transactions_async$/],
  ['horizon:account', 'GET', /^\/accounts\/[^/]+$/],
  ['horizon:transaction', 'GET', /^\/transactions\/[^/]+$/],
  ['horizon:operation', 'GET', /^\/operations\/[^/]+$/],
  ['horizon:ledger', 'GET', /^\/ledgers\/[^/]+$/],
  ['horizon:ledgers', 'GET', /^\/ledgers$/],
  ['horizon:transactions', 'GET', /^\/((accounts|ledgers)\/[^/]+\/)?transactions$/],
  ['horizon:operations', 'GET', /^\/((accounts|ledgers|transactions)\/[^/]+\/)?operations$/],
  ['horizon:payments', 'GET', /^\/((accounts|ledgers|transactions)\/[^/]+\/)?payments$/],
  ['horizon:effects', 'GET', /^\/((accounts|ledgers|transactions|operations)\/[^/]+\/)?effects$/],
] as const;

export const REQUEST_KINDS = [
  ...RPC_METHODS,
  'rpc:batch',
  ...HORIZON_ROUTES.map(([kind]) => kind),
  'horizon:stream',
  'friendbot',
] as const;

export type RequestKind = (typeof REQUEST_KINDS)[number];

const LISTINGS: readonly RequestKind[] = [
  'getEvents',
  'getLedgers',
  'getTransactions',
  'horizon:ledgers',
  'horizon:transactions',
  'horizon:operations',
  'horizon:payments',
  'horizon:effects',
];

const SUBMISSIONS: readonly RequestKind[] = ['sendTransaction', 'horizon:submit', 'horizon:submit_async'];

export const isListing = (kind: RequestKind) => LISTINGS.includes(kind);
export const isSubmission = (kind: RequestKind) => SUBMISSIONS.includes(kind);
export const isStream = (kind: RequestKind) => kind === 'horizon:stream';
export const isHorizon = (kind: RequestKind) => kind.startsWith('horizon:');
/** Whether it is a single JSON-RPC call, whose answer is a single result. */
export const isRpcCall = (kind: RequestKind) => RPC_METHODS.some((method) => method === kind);

/** The call in a JSON-RPC body that is a single call. */
export type RpcCall = { id: unknown; method: string; params: unknown };

export function rpcCallOf(body: unknown): RpcCall | null {
  const call = typeof body === 'string' ? parse(body) : null;
  if (typeof call !== 'object' || call === null || !('method' in call)) return null;
  const { method } = call;
  if (typeof method !== 'string') return null;
  return { method, id: 'id' in call ? call.id : null, params: 'params' in call ? call.params : undefined };
}

/** The kind of a request, or null when a Stellar node does not know such requests. Faults do not affect those. */
export function requestKind(
  request: { method: string; url: string; accept: string | undefined },
  body: unknown,
): RequestKind | null {
  const path = request.url.split('?', 1)[0] ?? '';
  if (path === '/rpc') return rpcKind(body);
  if (path === '/friendbot') return 'friendbot';
  const [kind] = HORIZON_ROUTES.find(([, method, url]) => method === request.method && url.test(path)) ?? [];
  const accept = request.accept ?? '';
  // A browser at the root gets the page for people.
  if (kind === undefined || (kind === 'horizon:root' && accept.includes('text/html'))) return null;
  return accept.includes('text/event-stream') ? 'horizon:stream' : kind;
}

/** The parameter `tx` of Horizon, from a form (parsed or not) or from the query; '' when absent. */
export function submittedEnvelope(url: string, body: unknown): string {
  if (typeof body === 'object' && body !== null && 'tx' in body) return String(body.tx);
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  return form.get('tx') ?? new URL(url, 'http://localhost').searchParams.get('tx') ?? '';
}

function rpcKind(body: unknown): RequestKind | null {
  if (typeof body !== 'string') return null;
  if (body.trimStart().startsWith('[')) return 'rpc:batch';
  const method = rpcCallOf(body)?.method;
  return RPC_METHODS.find((known) => known === method) ?? null;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // Not JSON: the server answers such a request itself.
  }
}
