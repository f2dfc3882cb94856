/** A proxy that counts the JSON-RPC requests to a network by method and changes nothing. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type CountedRequests = {
  url: string;
  /** Number of requests by method since the last call. */
  take(): Map<string, number>;
  close(): Promise<void>;
};

const METHOD = /"method":"(\w+)"/g;
/** Two chunks may cut a method's name: so many characters of the last chunk are searched again. */
const LONGEST = '"method":"getLedgerEntries"'.length + 8;

export async function countRequests(upstream_url: string): Promise<CountedRequests> {
  const { port: upstream_port, pathname } = new URL(upstream_url);
  const counts = new Map<string, number>();
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = connect(Number(upstream_port), '127.0.0.1');
    for (const end of [socket, upstream]) {
      open.add(end);
      end.setNoDelay();
      // When one end closes, the other end is closed too.
      end
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(end);
          socket.destroy();
          upstream.destroy();
        });
    }
    socket.on('data', countingMethods(counts));
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    take() {
      const taken = new Map(counts);
      counts.clear();
      return taken;
    },
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** For one connection: counts each method name that ends in the new chunk. */
function countingMethods(counts: Map<string, number>): (chunk: Buffer) => void {
  let before = '';
  return (chunk) => {
    const text = before + chunk.toString('latin1');
    for (const { 0: found, 1: method = '', index } of text.matchAll(METHOD)) {
      if (index + found.length > before.length) counts.set(method, (counts.get(method) ?? 0) + 1);
    }
    before = text.slice(-LONGEST);
  };
}
