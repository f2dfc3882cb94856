/**
 * Reads files of one domain over HTTPS, whose server may be slow, broken or hostile: without redirects, proxy or
 * decompression, at most 100 KiB each, and only from addresses that are checked at the connect.
 */
import { buffer } from 'node:stream/consumers';
import { Client } from 'undici';
import { version } from '../../lib/version.ts';
import { checkedConnector } from '../../outgoing/checked-connector.ts';
import { limitAnswers } from '../../outgoing/limit-answers.ts';
import type { Exemptions } from '../../outgoing/public-url.ts';
import type { Resolve } from '../../outgoing/resolve-host.ts';

/** The limit of SEP-1. */
export const FILE_MAX_BYTES = 100 * 1024;
/** What an answer may have around the file: headers, chunk sizes, informational answers. */
const AROUND_MAX_BYTES = 32 * 1024;

export type TomlConnection = {
  /** Reads a file; null when the server says that there is no such file. Rejects when it gives no file for another reason. */
  read(path: string): Promise<string | null>;
  close(): void;
};

/** How look-ups connect. `exemptions`, `port` and `ca` are for tests, whose servers are on loopback. */
export type Connecting = {
  resolve: Resolve;
  exemptions?: Exemptions;
  port?: number;
  ca?: string;
};

export function openTomlConnection(
  domain: string,
  { resolve, exemptions = NO_EXEMPTIONS, port = 443, ca }: Connecting,
  signal: AbortSignal,
): TomlConnection {
  const client = new Client(`https://${domain}:${port}`, {
    connect: checkedConnector({
      exemptions,
      resolve,
      ca,
      connected: (socket) => limitAnswers(socket, FILE_MAX_BYTES + AROUND_MAX_BYTES),
    }),
    allowH2: false,
    headersTimeout: 0, // the signal ends everything
    bodyTimeout: 0,
    maxResponseSize: FILE_MAX_BYTES,
  });
  return {
    async read(path) {
      const { statusCode, headers, body } = await client.request({
        method: 'GET',
        path,
        headers: HEADERS,
        signal,
      });
      if (statusCode !== 200) {
        body.on('error', () => undefined).destroy();
        if (statusCode === 404 || statusCode === 410) return null;
        throw new Error(`status ${statusCode}`);
      }
      const encoding = headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity') {
        body.on('error', () => undefined).destroy();
        throw new Error('the answer is compressed');
      }
      return new TextDecoder('utf-8', { fatal: true }).decode(await buffer(body));
    },
    close() {
      client.destroy().catch(() => undefined); // nobody waits for it
    },
  };
}

/** Webhook receivers that the operator exempts are no exemption here: anybody can name any domain. */
export const NO_EXEMPTIONS: Exemptions = { hosts: new Set(), blocks: [] };

const HEADERS = {
  accept: 'text/plain, application/toml',
  'accept-encoding': 'identity',
  'user-agent': `Stellar-Teller/${version}`,
};
