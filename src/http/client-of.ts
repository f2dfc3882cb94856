import type { FastifyRequest } from 'fastify';
import { clientAddress, isInBlocks, isPrivateAddress } from '../lib/client-address.ts';
import type { Block } from '../lib/host-or-block.ts';

export type Client = {
  address: string;
  /** The client's own connection has TLS. */
  is_secure: boolean;
  /** The address of a proxy that is not trusted, although it is probably the operator's: all its clients count as one. */
  ignored_proxy: string | null;
};

/** Returns the client of a request. Headers about the client count only if the connection comes from a trusted proxy. */
export function clientOf({ socket, headers }: FastifyRequest, trusted_proxies: readonly Block[]): Client {
  const peer = socket.remoteAddress ?? 'unknown';
  const forwarded_for = textOf(headers['x-forwarded-for']);
  const is_trusted = isInBlocks(peer, trusted_proxies);
  const scheme = is_trusted ? textOf(headers['x-forwarded-proto']).split(',').at(-1)?.trim() : undefined;
  const is_ignored = !is_trusted && forwarded_for !== '' && isPrivateAddress(peer);
  return {
    address: clientAddress(peer, forwarded_for, trusted_proxies),
    is_secure: scheme === 'https',
    ignored_proxy: is_ignored ? peer : null,
  };
}

function textOf(header: string | string[] | undefined): string {
  return [header ?? []].flat().join(',');
}
