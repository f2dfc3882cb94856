import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections without a request, which browsers and HTTP clients open in advance. Node counts them as busy, so a
 * stopping server would wait until each client closes its own.
 * @returns closes them
 */
export function trackSilentConnections(server: Server): () => void {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  return () => {
    for (const socket of silent) socket.destroy();
  };
}
