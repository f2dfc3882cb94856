import type { StellarNode } from '../node.ts';
import { Links } from './links.ts';

/** A request, the same for a single answer and for a stream. */
export type HorizonRequest = {
  node: StellarNode;
  links: Links;
  url: URL;
  /** Parameters in the path: `account_id`, `ledger_id`, `tx_id`, … */
  params: Record<string, string>;
  last_event_id: string | undefined;
};

type HttpRequest = {
  host: string;
  /** The part of the client's path before Horizon's own path: '' or `/nodes/NAME`. */
  prefix: string;
  /** Path and query as the client sent them. */
  url: string;
  params: unknown;
  last_event_id: string | undefined;
};

export function horizonRequest(node: StellarNode, http: HttpRequest): HorizonRequest {
  const base = `http://${http.host}`;
  return {
    node,
    links: new Links(`${base}${http.prefix}`),
    url: new URL(http.url, base),
    params: http.params as Record<string, string>,
    last_event_id: http.last_event_id,
  };
}
