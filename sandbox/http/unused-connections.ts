import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Ends, when the server stops, the connections that have never sent a request. Clients open some in advance (undici
 * does after one was broken), and for Node they are not idle: stopping would wait a minute for their first headers.
 */
export function endUnusedConnections(server: FastifyInstance): void {
  const unused = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.server.on('request', ({ socket }: { socket: Socket }) => unused.delete(socket));
  server.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy();
  });
}
