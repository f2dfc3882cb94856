/** Hosts and address blocks in the configuration. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** CIDR: an address and the number of its first bits that count. */
export type Block = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** `host`: `name` or `name:port` as in a URL: lower case, IPv6 in brackets, without the final dot of a complete name. */
export type HostOrBlock = { host: string } | { block: Block };

/** Characters of no host and no block, some of which a URL accepts. A wildcard would count as a name that matches nothing. */
const NEVER = /[*%?#@\\\s]/;

/** Null for a text that is neither a host, a host:port nor a CIDR block. */
export function parseHostOrBlock(text: string): HostOrBlock | null {
  if (NEVER.test(text)) return null;
  const [base = '', bits] = text.split('/');
  if (bits !== undefined) {
    const is_block = isIP(base) !== 0 && ipaddr.isValidCIDR(text);
    return is_block ? { block: ipaddr.parseCIDR(text) } : null;
  }
  const authority = isIP(base) === 6 ? `[${base}]` : base;
  const url = authority.endsWith(':') ? null : URL.parse(`http://${authority}/`);
  const port = /:([0-9]+)$/.exec(authority)?.[1]; // URL drops the port 80
  if (!url) return null;
  return { host: port === undefined ? hostOf(url) : `${hostOf(url)}:${Number(port)}` };
}

/** Host of a URL: lower case, IPv6 in brackets, without the final dot of a complete name. */
export function hostOf({ hostname }: URL): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}
