import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Random } from './random.ts';

/** Ports that were drawn: what is down now and then keeps its port. */
const drawn = new Set<number>();

/**
 * A port for something that is down now and then: below the ports that the system hands out by itself, and among a
 * hundred that no other process of the tests draws from, so that nobody else gets it meanwhile.
 */
export async function freePort(random: Random): Promise<number> {
  for (;;) {
    const port = 15_000 + (process.pid % 160) * 100 + random.integer(0, 99);
    if (drawn.has(port)) continue;
    drawn.add(port);
    const server = createServer();
    const taken = once(server, 'error').then(() => true);
    server.listen(port, '127.0.0.1');
    if (await Promise.race([taken, once(server, 'listening').then(() => false)])) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
