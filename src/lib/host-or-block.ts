/** Hosts and address blocks as an operator writes them. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** CIDR: an address and how many of its first bits count. */
export type Block = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** `host`: `name` or `name:port` as a URL has them, in lower case, IPv6 in brackets, without the dot that ends a complete name. */
export type HostOrBlock = { host: string } | { block: Block };

/** What no host and no block has, although a URL takes some of it. A wildcard would pass for a name, and mean nothing. */
const NEVER = /[*%?#@\\\s]/;

/** Null for what is neither a host, a host:port nor a CIDR block. */
export function parseHostOrBlock(text: string): HostOrBlock | null {
  if (NEVER.test(text)) return null;
  const [base = '', bits] = text.split('/');
  if (bits !== undefined) {
    const is_block = isIP(base) !== 0 && ipaddr.isValidCIDR(text);
    return is_block ? { block: ipaddr.parseCIDR(text) } : null;
  }
  const authority = isIP(base) === 6 ? `[${base}]` : base;
  const url = authority.endsWith(':') ? null : URL.parse(`http://${authority}/`);
  const port = /:([0-9]+)$/.exec(authority)?.[1]; // a URL hides the port 80
  if (!url) return null;
  return { host: port === undefined ? hostOf(url) : `${hostOf(url)}:${Number(port)}` };
}

/** Lower case, IPv6 in brackets, without the dot that marks a name as complete. */
export function hostOf({ hostname }: URL): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}
