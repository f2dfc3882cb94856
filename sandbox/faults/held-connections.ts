import type { Socket } from 'node:net';

/** Connections that are accepted and get no answer until their client gives up or `release` is called. */
export class HeldConnections {
  readonly #sockets = new Set<Socket>();

  get count(): number {
    return this.#sockets.size;
  }

  /** Resolves when the connection has ended. */
  hold(socket: Socket): Promise<void> {
    if (socket.destroyed) return Promise.resolve();
    this.#sockets.add(socket);
    return new Promise((resolve) => {
      socket.once('close', () => {
        this.#sockets.delete(socket);
        resolve();
      });
    });
  }

  /** Ends all held connections without an answer. */
  release(): number {
    const { count } = this;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    return count;
  }
}
