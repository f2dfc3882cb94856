import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections that have not asked for anything yet, as browsers and HTTP clients open them in advance. Node counts
 * them as busy, so that a server that stops would wait for each of them until its client lets go.
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
