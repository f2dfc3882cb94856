import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Random } from './random.ts';

/** Of the ports from 15,000 to 31,000, which the system does not hand out by itself: those of this process. */
const PORTS = { first: 15_000 + (process.pid % 160) * 100, count: 100 };
/** What is down now and then keeps its port. */
const drawn = new Set<number>();

/**
 * A port for something that is down now and then. The tests that run at the same time draw from different ports, unless
 * their process ids are 160 apart.
 */
export async function freePort(random: Random): Promise<number> {
  for (;;) {
    const port = PORTS.first + random.integer(0, PORTS.count - 1);
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
