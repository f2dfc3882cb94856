/**
 * Receivers that answer as nobody should, below HTTP: what they write, and when they close. All on loopback, each on a
 * port of its own.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';

/** What a receiver does with a connection. `request` resolves when the head of a request has come. */
export type Misbehaving = (socket: Socket, request: Promise<void>) => void | Promise<void>;

export type HostileReceiver = {
  url: string;
  port: number;
  /** Sockets that are open now, and how many there have ever been. */
  connections: { open: Set<Socket>; total: number };
  close(): Promise<void>;
};

export async function startHostileReceiver(
  misbehave: Misbehaving,
  {
    host = '127.0.0.1',
    port: wanted = 0,
    tls,
  }: { host?: string; port?: number | undefined; tls?: { key: string; cert: string } } = {},
): Promise<HostileReceiver> {
  const connections = { open: new Set<Socket>(), total: 0 };
  const accept = (socket: Socket | TLSSocket) => {
    connections.total++;
    connections.open.add(socket);
    socket.on('error', () => undefined); // the sender hangs up on it, as it should
    socket.once('close', () => connections.open.delete(socket));
    void misbehave(socket, headOf(socket));
  };
  const server = tls ? createTlsServer(tls, accept) : createServer(accept);
  server.listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${port}/hook`,
    port,
    connections,
    async close() {
      for (const socket of connections.open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function headOf(socket: Socket): Promise<void> {
  let seen = '';
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
      if (seen.includes('\r\n\r\n')) resolve();
    });
  });
}

/** Writes `head`, then `part` for as long as the sender takes it, or `most_bytes` of it. */
function pour(head: string, part: string | Buffer, most_bytes = Number.POSITIVE_INFINITY): Misbehaving {
  const block = Buffer.concat(Array(Math.ceil(16_384 / part.length)).fill(Buffer.from(part)));
  return async (socket, request) => {
    await request;
    let left_bytes = most_bytes;
    socket.write(head);
    const more = () => {
      let room = true;
      while (room && left_bytes > 0 && !socket.destroyed) {
        left_bytes -= block.length;
        room = socket.write(block);
      }
    };
    socket.on('drain', more);
    more();
  };
}

/** Writes `head` at once, then `part` byte by byte, over and over. */
function drip(head: string, part: string): Misbehaving {
  return async (socket, request) => {
    await request;
    socket.write(head);
    for (let at = 0; !socket.destroyed; at = (at + 1) % part.length) {
      socket.write(part.charAt(at));
      await new Promise(setImmediate);
    }
  };
}

/** Writes `text` once the request has come, then ends the connection in the way that is named. */
function breakOff(text: string, how: 'end' | 'resetAndDestroy'): Misbehaving {
  return async (socket, request) => {
    await request;
    if (text === '') return void socket[how]();
    socket.write(text, 'latin1', () => socket[how]());
  };
}

const GIB = 1024 ** 3;
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const BOMB = gzipSync(Buffer.alloc(16 * 1024 * 1024)); // 16 KiB that would become 16 MiB
const ENCODED = `${OK}content-encoding: gzip\r\n`;

/** Answers without end, or far too long, each with the status that it gives before, if any. */
export const ENDLESS: Record<string, { misbehave: Misbehaving; status?: number }> = {
  '1 GiB with a content-length': {
    misbehave: pour(`${OK}content-length: ${GIB}\r\n\r\n`, 'x', GIB),
    status: 200,
  },
  '1 GiB in chunks': { misbehave: pour(CHUNKED, `4000\r\n${'x'.repeat(0x4000)}\r\n`, GIB), status: 200 },
  'chunks of one byte': { misbehave: pour(CHUNKED, '1\r\nx\r\n'), status: 200 },
  'a body until the connection ends': { misbehave: pour(`HTTP/1.0 500 no\r\n\r\n`, 'x'), status: 500 },
  'gzip bombs': { misbehave: pour(`${ENCODED}content-length: ${GIB}\r\n\r\n`, BOMB), status: 200 },
  'a chunk extension': { misbehave: pour(`${CHUNKED}1;`, 'x'), status: 200 },
  trailers: { misbehave: pour(`${CHUNKED}0\r\n`, 'a: b\r\n'), status: 200 },
  'a header line': { misbehave: pour(`${OK}x: `, 'y') },
  headers: { misbehave: pour(OK, 'a: b\r\n') },
  'headers without values': { misbehave: pour(OK, ':\r\n') },
  'a status line': { misbehave: pour('HTTP/1.1 200 ', 'x') },
  'early hints': { misbehave: pour('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n') },
  '100 Continue': { misbehave: pour('', 'HTTP/1.1 100 Continue\r\n\r\n') },
  'a 100 Continue without end': { misbehave: pour('HTTP/1.1 100 Continue\r\n', 'a: b\r\n') },
  'answers to what nobody asked': { misbehave: pour('', `${OK}content-length: 0\r\n\r\n`), status: 200 },
  'empty lines': { misbehave: pour('', '\r\n') },
  'bytes that are not HTTP': { misbehave: pour('', '\0\xff') },
};

/** Answers that come byte by byte, with the status that has come by the end of the attempt, if any. */
export const SLOW: Record<string, { misbehave: Misbehaving; status?: number }> = {
  silence: { misbehave: () => undefined },
  'a status line': { misbehave: drip('HTTP/1.1 200 ', 'x') },
  headers: { misbehave: drip(OK, 'a: b\r\n') },
  'a body': { misbehave: drip(`${OK}content-length: ${GIB}\r\n\r\n`, 'x'), status: 200 },
  chunks: { misbehave: drip(CHUNKED, '1\r\nx\r\n'), status: 200 },
  'early hints': { misbehave: drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n') },
  'a 100 Continue': { misbehave: drip('HTTP/1.1 100 Continue\r\n', 'a: b\r\n') },
  'a request that is never read': { misbehave: (socket) => void socket.pause() },
};

const STAGES: Record<string, { text: string; status?: number }> = {
  'before an answer': { text: '' },
  'in the status line': { text: 'HTTP/1.1 2' },
  'in the head': { text: `${OK}content-le` },
  'after the head': { text: `${OK}content-length: 10\r\n\r\n`, status: 200 },
  'in the body': { text: `${OK}content-length: 10\r\n\r\nhalf`, status: 200 },
  'in a chunk': { text: `${CHUNKED}a\r\nhalf`, status: 200 },
};

/** Connections that break off at any stage, by an end or a reset. */
export const BROKEN: Record<string, { misbehave: Misbehaving; status?: number }> = {
  'closed at once': { misbehave: (socket) => void socket.end() },
  'reset at once': { misbehave: (socket) => void socket.resetAndDestroy() },
  ...Object.fromEntries(
    Object.entries(STAGES).flatMap(([stage, { text, ...status }]) => [
      [`closed ${stage}`, { misbehave: breakOff(text, 'end'), ...status }],
      [`reset ${stage}`, { misbehave: breakOff(text, 'resetAndDestroy'), ...status }],
    ]),
  ),
};

/** Whole answers that are not HTTP/1.1. */
export const GARBAGE: Record<string, string> = {
  'an SSH banner': 'SSH-2.0-OpenSSH_9.2\r\n',
  'an SMTP banner': '220 mail.example.com ESMTP\r\n',
  'a Redis error': '-ERR unknown command\r\n',
  'a TLS alert': '\x15\x03\x01\x00\x02\x02\x46',
  'HTTP/2 settings': '\0\0\0\x04\0\0\0\0\0',
  'HTTP/0.9': '<html>hello</html>',
  'a request': 'GET / HTTP/1.1\r\nhost: example.com\r\n\r\n',
  'a status that is no number': 'HTTP/1.1 two OK\r\n\r\n',
  'a status below 100': 'HTTP/1.1 099 OK\r\ncontent-length: 0\r\n\r\n',
  'a status below 100 with a body': 'HTTP/1.1 000 OK\r\ncontent-length: 2\r\n\r\nok',
  'a status beyond 999': 'HTTP/1.1 2000 OK\r\n\r\n',
  'an unknown version of HTTP': 'HTTP/9.9 200 OK\r\n\r\n',
  'a header without a colon': `${OK}header\r\n\r\n`,
  'two lengths that differ': `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`,
  'a length and chunks': `${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a negative length': `${OK}content-length: -1\r\n\r\n`,
  'a length beyond 2^64': `${OK}content-length: 99999999999999999999\r\n\r\n`,
  'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
};

/** Answers with exactly this text, then closes; `keep`: answers every request so, on the same connection. */
export function answering(text: string, { keep = false } = {}): Misbehaving {
  if (!keep) return breakOff(text, 'end');
  return (socket) => {
    let seen = '';
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
      if (!seen.includes('\r\n\r\n')) return;
      seen = '';
      socket.write(text, 'latin1');
    });
  };
}
