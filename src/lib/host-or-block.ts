/** Parses hosts and address blocks of the configuration. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A CIDR block: an address and the number of leading bits that are compared. */
export type Block = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** `host`: `name` or `name:port` as in a URL: lower case, IPv6 in brackets, without the final dot of a complete name. */
export type HostOrBlock = { host: string } | { block: Block };

/** Characters that no host or block contains. URL parsing accepts some of them: a wildcard would pass as a name and match nothing. */
const NEVER = /[*%?#@\\\s]/;

/** Reads a host, host:port or CIDR block; null for another text. */
export function parseHostOrBlock(text: string): HostOrBlock | null {
  if (NEVER.test(text)) return null;
  const [base = '', bits] = text.split('/');
  if (bits !== undefined) {
    const is_block = isIP(base) !== 0 && ipaddr.isValidCIDR(text);
    return is_block ? { block: ipaddr.parseCIDR(text) } : null;
  }
  const authority = isIP(base) === 6 ? `[${base}]` : base;
  const url = authority.endsWith(':') ? null : URL.parse(`http://${authority}/`);
  const port = /:([0-9]+)$/.exec(authority)?.[1]; // URL drops the default port 80
  if (!url) return null;
  return { host: port === undefined ? hostOf(url) : `${hostOf(url)}:${Number(port)}` };
}

/** Returns the URL's host: lower case, IPv6 in brackets, without the final dot of a complete name. */
export function hostOf({ hostname }: URL): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** Returns true when the host of a Host header, with or without a port, is this machine by name or address. */
export function isLoopbackName(host: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(host.replace(/:\d+$/, ''));
}

const LOOPBACK_ADDRESSES = new Set(['127.0.0.1', 'localhost', '::1']);

/** Returns true when a server that listens on `address` can be reached from this machine only. */
export function isLoopbackAddress(address: string): boolean {
  return LOOPBACK_ADDRESSES.has(address);
}

export const PRIVATE_RANGES = ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'];
const PRIVATE_SUFFIX = /\.(localhost|local|internal|lan|svc|home\.arpa)$/;

/** Returns true when a URL leads to this machine or a private network, as far as its text shows. */
export function isPrivateHost(url: URL): boolean {
  const host = hostOf(url);
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return PRIVATE_RANGES.includes(ipaddr.process(address).range());
  return !host.includes('.') || PRIVATE_SUFFIX.test(host);
}
