/** Addresses of clients: who made a request that came through proxies, and which addresses count as one. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Block, PRIVATE_RANGES } from './host-or-block.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Reads the block of a CIDR text or of a single address. Null for another text. IPv4 written as IPv6 is IPv4. */
export function parseBlock(text: string): Block | null {
  const [base = '', bits] = text.split('/');
  const version = base.includes('%') ? 0 : isIP(base);
  const cidr = bits === undefined ? `${base}/${version === 4 ? 32 : 128}` : text;
  if (version === 0 || !ipaddr.isValidCIDR(cidr)) return null;
  const [address, length] = ipaddr.parseCIDR(cidr);
  const is_mapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && length >= 96;
  return is_mapped ? [address.toIPv4Address(), length - 96] : [address, length];
}

/** Returns true when the address is in one of the blocks. */
export function isInBlocks(address: string, blocks: readonly Block[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && isIn(parsed, blocks);
}

/** Returns true when the address is of this machine or of a private network. */
export function isPrivateAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && PRIVATE_RANGES.includes(parsed.range());
}

/**
 * Returns the address of the client behind trusted proxies. `forwarded_for` is read from its end, because each proxy appends the
 * address that it saw: what stands left of an address that is not trusted is that client's own claim.
 */
export function clientAddress(peer: string, forwarded_for: string, trusted: readonly Block[]): string {
  const claims = forwarded_for.split(',');
  let client = parseAddress(peer);
  if (client === null) return peer;
  while (isIn(client, trusted)) {
    const claimed = parseAddress(withoutPort(claims.pop()?.trim() ?? ''));
    if (claimed === null) break;
    client = claimed;
  }
  return client.toString();
}

/** Returns the group of addresses that one client can easily have: IPv4 /24, IPv6 /64. Any other text is a group by itself. */
export function addressGroup(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join('.')}.0/24`;
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`;
}

function isIn(address: Address, blocks: readonly Block[]): boolean {
  return blocks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

/** Reads an address; null for another text. The scope of an IPv6 address is left out. */
function parseAddress(text: string): Address | null {
  const address = text.replace(/%.*$/, '');
  return isIP(address) === 0 ? null : ipaddr.process(address);
}

/** Removes the port of the connection, which some proxies append. */
function withoutPort(text: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}
