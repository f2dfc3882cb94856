import { strict as assert } from 'node:assert';
import pg from 'pg';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

const RECONNECT_MS = 1_000;

/**
 * Calls `wake` with the payload of every notification on `channel`, over a connection of its own, which it makes again when it breaks.
 * Only a wake-up: what is announced while there is no connection is not heard, so the caller must also look by itself
 * from time to time.
 */
export function listen(
  deps: { pool: pg.Pool; clock: Clock; log: Log },
  channel: string,
  wake: (payload: string) => void,
): { stop(): Promise<void> } {
  assert(/^[a-z_]+$/.test(channel)); // it is written into the statement
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await listenOnce(deps, channel, wake, stopping.signal);
      } catch (error) {
        deps.log.warn({ err: error, channel }, 'not listening; trying again');
      }
      await deps.clock.sleep(RECONNECT_MS, stopping.signal);
    }
  }

  const finished = run();
  return {
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}

/** Until the connection ends or `signal` aborts. @throws Error when it cannot be made. */
async function listenOnce(
  { pool, log }: { pool: pg.Pool; log: Log },
  channel: string,
  wake: (payload: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client(pool.options);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  client.once('end', end);
  signal.addEventListener('abort', end);
  // Without a listener a connection that breaks would end the process.
  client.on('error', (error) => log.warn({ err: error, channel }, 'listening connection lost'));
  client.on('notification', ({ payload = '' }) => wake(payload));
  const hear = async () => {
    await client.connect();
    await client.query(`listen ${channel}`);
    wake(''); // for what was announced before
    await ended;
  };
  try {
    await Promise.race([hear(), ended]); // a server that says nothing must not hold up a stop
  } finally {
    signal.removeEventListener('abort', end); // it outlives this connection, and would keep it
    // Not awaited: over a network that is gone it would never be answered.
    client.end().catch((error) => log.debug({ err: error, channel }, 'listening connection closed badly'));
  }
}
