import type { Pool, PoolClient } from 'pg';
import type { Log } from '../lib/log.ts';

export type Leadership = {
  /** Takes the lock if it is free. True while this process holds the lock. */
  hold(): Promise<boolean>;
  /** Releases the lock: after this another process gets it, provided that the database can be reached. */
  release(): Promise<void>;
};

/** Longer than a normal step between two calls of `hold`, also with a slow response of a source. */
const PATIENCE_MS = 15_000;

/**
 * One leader among all processes, by a PostgreSQL advisory lock on a separate connection.
 *
 * | the leader                                         | another takes over                                              |
 * |----------------------------------------------------|-----------------------------------------------------------------|
 * | stops, dies, or loses its connection               | at once: the server sees the end of the connection              |
 * | hangs, is frozen, or vanishes with its machine     | `patience_ms` after its last `hold`: the server ends a session  |
 * |                                                    | that is silent for that long                                    |
 *
 * The lock only avoids double work. Guarded writes ensure correctness, so a process that has lost the lock without noticing
 * does no harm.
 */
export function createLeadership(
  pool: Pool,
  lock_id: number,
  log: Log,
  patience_ms = PATIENCE_MS,
): Leadership {
  let holding: PoolClient | null = null;

  /** Closes the connection, which releases the lock as soon as the server notices. */
  function drop(client: PoolClient): void {
    holding = null;
    client.release(true);
  }

  async function isHeld(client: PoolClient): Promise<boolean> {
    try {
      await client.query('select 1');
      return true;
    } catch (error) {
      log.warn({ err: error }, 'leadership lost: the database connection that holds the lock broke');
      drop(client);
      return false;
    }
  }

  return {
    async hold() {
      if (holding) return isHeld(holding);
      const client = await pool.connect();
      let locked = false;
      try {
        const sql = 'select pg_try_advisory_lock($1) as locked';
        const { rows } = await client.query<{ locked: boolean }>(sql, [lock_id]);
        locked = rows[0]?.locked === true;
        if (locked) await client.query(`set idle_session_timeout = ${patience_ms}`);
      } catch (error) {
        client.release(true);
        throw error;
      }
      if (!locked) {
        client.release();
        return false;
      }
      // Without this listener, a connection that breaks while it is idle would end the process.
      client.on('error', () => {});
      holding = client;
      return true;
    },
    async release() {
      const client = holding;
      if (!client) return;
      try {
        await client.query('select pg_advisory_unlock($1)', [lock_id]);
      } catch (error) {
        log.debug({ err: error }, 'leadership ends with its connection');
      }
      drop(client);
    },
  };
}
