/** A real HTTP receiver of webhooks on loopback: keeps every request as it came and answers as the test says. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Received = {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** Names and values as they were written. */
  raw_headers: string[];
  body: Buffer;
};

/** Answers a request, or never does. */
export type Answering = (response: ServerResponse, request: Received) => void;

export type Receiver = {
  url: string;
  port: number;
  requests: Received[];
  /** Sockets that are open now, and how many there have ever been. */
  connections: { open: Set<Socket>; total: number };
  /** From now on; a number is a status with an empty body. */
  answer(with_this: number | Answering): void;
  /** Resolves when `count` requests have come in whole. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
};

export async function startReceiver(first: number | Answering = 200): Promise<Receiver> {
  let answering = first;
  const requests: Received[] = [];
  const connections = { open: new Set<Socket>(), total: 0 };
  const waiting = new Set<() => void>();
  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    const request = await readRequest(message);
    requests.push(request);
    for (const wake of waiting) wake();
    if (typeof answering === 'number') response.writeHead(answering).end();
    else answering(response, request);
  };
  const server = createServer((message, response) => void handle(message, response)); // a failure ends the test run
  server.on('connection', (socket) => {
    connections.total++;
    connections.open.add(socket);
    socket.once('close', () => connections.open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections,
    answer(with_this) {
      answering = with_this;
    },
    async received(count) {
      while (requests.length < count) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function readRequest(message: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    raw_headers: message.rawHeaders,
    body: Buffer.concat(chunks),
  };
}
