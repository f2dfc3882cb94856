import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Random } from './random.ts';

/**
 * A port for something that is down now and then: below the ports that the system hands out by itself, so that no other
 * test gets it meanwhile.
 */
export async function freePort(random: Random): Promise<number> {
  for (;;) {
    const port = random.integer(15_000, 31_000);
    const server = createServer();
    const taken = once(server, 'error').then(() => true);
    server.listen(port, '127.0.0.1');
    if (await Promise.race([taken, once(server, 'listening').then(() => false)])) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
