/**
 * Pure: where the service may connect to when somebody else names the host. Webhook URLs are checked when they are
 * registered and again at every connect, domains of issuers at every connect. URLs are parsed by the WHATWG rules, as the
 * HTTP client does: they turn `0x7f.1`, `2130706433` and `①②⑦.⓪.⓪.①` into 127.0.0.1. So no rule here reads the text as it
 * was typed.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OperatorError } from '../lib/errors.ts';
import { type Block, hostOf, parseHostOrBlock } from '../lib/host-or-block.ts';

/**
 * IANA's IPv4 Special-Purpose Address Registry (RFC 6890, version of 2025-10-09) and multicast; all else is public
 * unicast. Entries that the registry calls globally reachable (AS112, AMT, anycast of PCP and TURN) are refused too: they
 * are services of the network and no receivers.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared, behind carrier NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // services of Azure inside each of its machines, in no registry
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
].map((block) => ipaddr.IPv4.parseCIDR(block));

/**
 * The only IPv6 space allocated as global unicast (RFC 4291). Outside are loopback, link-local, unique local, multicast,
 * discard-only, SRv6 SIDs and the forms that carry an IPv4 address: mapped, compatible, translated, NAT64
 * (64:ff9b::/96 and 64:ff9b:1::/48). Special purposes that IANA assigns there later are refused already.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * The entries of IANA's IPv6 Special-Purpose Address Registry inside global unicast. No list can name the NAT64 prefix
 * that a network chose for itself (RFC 6052): an operator of such a network must filter there.
 */
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarking, anycast …
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map((block) => ipaddr.IPv6.parseCIDR(block));

/**
 * Names that are never public: those of this machine and this network, IANA's Special-Use Domain Names (all of `arpa`;
 * example.com and its siblings resolve like others), and top-level names that are used in private networks (RFC 6762,
 * appendix G) and clusters.
 */
const PRIVATE_SUFFIXES = [
  'localhost',
  'localdomain',
  'localdomain6',
  'local',
  'internal',
  'alt',
  'arpa',
  'example',
  'invalid',
  'onion',
  'test',
  'corp',
  'home',
  'intranet',
  'lan',
  'private',
  'svc',
];
/** RFC 1035, in octets. */
const MAX_LABEL = 63;
const MAX_NAME = 253;

/** The ports that browsers refuse, because other protocols than HTTP answer there (the Fetch standard's "bad port"). */
const BAD_PORTS = new Set(
  `1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137
  139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720
  1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);

/** Spaces and control characters: parsing drops them silently, and the URL shown would not be the URL used. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const DROPPED_CHARACTERS = /[\x00-\x20\x7f]/;
/** Other parsers take what is before the `@` for user info, and what is behind it for the host. */
const BACKSLASH_AT = /\\[^?#]*@/;
const USERINFO = /^[a-z]+:[\\/]*[^\\/?#]*@/i;

/** Exceptions that the operator configured: hosts (`host` or `host:port`, canonical) and address blocks. */
export type Exemptions = { hosts: ReadonlySet<string>; blocks: readonly Block[] };

/** @throws OperatorError that names the first entry that is no host, host:port or CIDR block. */
export function parseExemptions(entries: readonly string[]): Exemptions {
  const hosts = new Set<string>();
  const blocks: Block[] = [];
  for (const entry of entries) {
    const parsed = parseHostOrBlock(entry);
    if (!parsed) throw new OperatorError(`"${entry}" is not a host, host:port or CIDR block.`);
    if ('host' in parsed) hosts.add(parsed.host);
    else blocks.push(parsed.block);
  }
  return { hosts, blocks };
}

/** Returns the parsed URL, or the reason why nothing may connect there, as the end of a sentence. Does not resolve the name. */
export function checkUrl(text: string, exemptions: Exemptions): { url: URL } | { refused: string } {
  if (DROPPED_CHARACTERS.test(text)) return { refused: 'must not contain spaces or control characters' };
  const url = URL.parse(text);
  if (!url) return { refused: 'is not a valid URL' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { refused: 'must begin with http:// or https://' };
  if (url.username || url.password || USERINFO.test(text)) {
    return { refused: 'must not contain a user name or password' };
  }
  if (url.port === '0') return { refused: 'names port 0' };
  if (isExemptHost(url, exemptions)) return { url };
  if (BAD_PORTS.has(url.port)) return { refused: 'names a port of another protocol' };
  const host = hostOf(url);
  const address = addressIn(host);
  if (address !== null) {
    return isAllowedAddress(address, exemptions) ? { url } : { refused: 'is not a public address' };
  }
  if (!isPublicName(host)) return { refused: 'names a host that is not public' };
  if (BACKSLASH_AT.test(text)) return { refused: 'must not contain a backslash before @' };
  return { url };
}

/** Returns true for an address that is public or in an exempt block. */
export function isAllowedAddress(address: string, exemptions: Exemptions): boolean {
  if (isIP(address) === 0) return false;
  return isPublicAddress(address) || exemptions.blocks.some((block) => isInside(address, block));
}

/** Returns true for a host that is exempt by name: its addresses are not checked. */
export function isExemptHost(url: URL, { hosts }: Exemptions): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return hosts.has(hostOf(url)) || hosts.has(`${hostOf(url)}:${port}`);
}

/** Returns true for a public unicast address, IPv4 or IPv6, in the usual notation and without a scope (`%eth0`). */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) {
    const ipv4 = ipaddr.IPv4.parse(address);
    return !SPECIAL_IPV4.some((block) => ipv4.match(block));
  }
  if (isIP(address) !== 6 || address.includes('%')) return false;
  const ipv6 = ipaddr.IPv6.parse(address);
  return ipv6.match(GLOBAL_IPV6) && !SPECIAL_IPV6.some((block) => ipv6.match(block)) && !isIsatap(ipv6);
}

/** Returns true for ISATAP (RFC 5214): any prefix, then 0000:5efe or 0200:5efe and an IPv4 address, to which a router would tunnel. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x0200);
}

function isInside(address: string, [base, bits]: Block): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && parsed.match(base, bits);
  return base instanceof ipaddr.IPv6 && parsed.match(base, bits);
}

function isPublicName(host: string): boolean {
  const labels = host.split('.');
  if (labels.length < 2 || host.length > MAX_NAME) return false;
  if (labels.some((label) => label.length === 0 || label.length > MAX_LABEL)) return false;
  return !PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/** Returns the address in a URL's host; null when the host is a name. */
function addressIn(host: string): string | null {
  const text = host.startsWith('[') ? host.slice(1, -1) : host;
  return isIP(text) === 0 ? null : text;
}
