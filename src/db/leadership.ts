import type { Pool, PoolClient } from 'pg';
import type { Log } from '../lib/log.ts';

export type Leadership = {
  /** True while this process holds the lock; takes it when it is free. */
  hold(): Promise<boolean>;
  release(): Promise<void>;
};

/**
 * One leader among all processes, by a PostgreSQL advisory lock on a connection of its own: when the process dies,
 * the server frees it at once. It spares work; correctness rests on guarded writes, so a leader that does not know
 * yet that it lost its connection does no harm.
 */
export function createLeadership(pool: Pool, lock_id: number, log: Log): Leadership {
  let holding: PoolClient | null = null;

  function drop(client: PoolClient, error?: Error): void {
    if (holding === client) holding = null;
    client.release(error ?? true); // closes the connection, and with it gives the lock back
  }

  return {
    async hold() {
      if (holding) return true;
      const client = await pool.connect();
      client.once('error', (error) => {
        log.warn({ err: error }, 'leadership lost: its database connection broke');
        if (holding === client) drop(client, error);
      });
      try {
        const { rows } = await client.query<{ locked: boolean }>(
          'select pg_try_advisory_lock($1) as locked',
          [lock_id],
        );
        if (rows[0]?.locked) {
          holding = client;
          return true;
        }
      } catch (error) {
        drop(client, error as Error);
        throw error;
      }
      drop(client);
      return false;
    },
    async release() {
      if (holding) drop(holding);
    },
  };
}
