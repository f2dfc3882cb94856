import { strict as assert } from 'node:assert';
import pg from 'pg';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

const RECONNECT_MS = 1_000;

/**
 * Calls `wake` with the payload of every notification on `channel`, over a separate connection that is renewed when it
 * breaks. Notifications without a connection are lost, so the caller must also poll from time to time.
 */
export function listen(
  deps: { pool: pg.Pool; clock: Clock; log: Log },
  channel: string,
  wake: (payload: string) => void,
): { stop(): Promise<void> } {
  assert(/^[a-z_]+$/.test(channel)); // it becomes part of the statement
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await listenOnce(deps, channel, wake, stopping.signal);
      } catch (error) {
        deps.log.warn(
          { err: error, channel },
          'cannot listen for notifications of the database; trying again',
        );
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

/** Listens until the connection ends or `signal` aborts. @throws Error when the connection cannot be made. */
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
  // Without this listener, a connection that breaks would end the process.
  client.on('error', (error) =>
    log.warn({ err: error, channel }, 'the database connection that listens for notifications was lost'),
  );
  client.on('notification', ({ payload = '' }) => wake(payload));
  const hear = async () => {
    await client.connect();
    await client.query(`listen ${channel}`);
    wake(''); // for notifications before the connection
    await ended;
  };
  try {
    await Promise.race([hear(), ended]); // a silent server must not delay a stop
  } finally {
    signal.removeEventListener('abort', end); // the signal outlives this connection, and would keep it in memory
    // Not awaited: without a network there is never a response.
    client.end().catch((error) => log.debug({ err: error, channel }, 'listening connection closed badly'));
  }
}
