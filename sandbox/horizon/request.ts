import type { StellarNode } from '../node.ts';
import { Links } from './links.ts';

/** A request as far as what it asks for goes: the same for one answer and for a stream. */
export type HorizonRequest = {
  node: StellarNode;
  links: Links;
  url: URL;
  /** What stands in the path's places: `account_id`, `ledger_id`, `tx_id`, … */
  params: Record<string, string>;
  last_event_id: string | undefined;
};

type HttpRequest = {
  host: string;
  /** What the client's path has before Horizon's own: '' or `/nodes/NAME`. */
  prefix: string;
  /** Path and query as they came. */
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
