import type { Pool, PoolClient } from 'pg';
import type { Log } from '../lib/log.ts';

export type Leadership = {
  /** True while this process holds the lock; takes it when it is free. */
  hold(): Promise<boolean>;
  /** Whoever asks for it after this has returned gets it; if the database can be reached, that is. */
  release(): Promise<void>;
};

/** Longer than an honest step between two calls of `hold` takes, a slow answer of a source included. */
const PATIENCE_MS = 15_000;

/**
 * One leader among all processes, by a PostgreSQL advisory lock on a connection of its own.
 *
 * | the leader                                         | another takes over                                              |
 * |----------------------------------------------------|-----------------------------------------------------------------|
 * | stops, dies, or loses its connection               | at once: the server sees the end of the connection              |
 * | hangs, is frozen, or vanishes with its machine     | `patience_ms` after its last `hold`: the server ends a session  |
 * |                                                    | that says nothing for so long                                   |
 *
 * It spares work; correctness rests on guarded writes, so a leader that does not know yet that it is none any more
 * does no harm.
 */
export function createLeadership(
  pool: Pool,
  lock_id: number,
  log: Log,
  patience_ms = PATIENCE_MS,
): Leadership {
  let holding: PoolClient | null = null;

  /** Closes the connection, and with it gives the lock back, as soon as the server sees that. */
  function drop(client: PoolClient): void {
    holding = null;
    client.release(true);
  }

  async function isHeld(client: PoolClient): Promise<boolean> {
    try {
      await client.query('select 1');
      return true;
    } catch (error) {
      log.warn({ err: error }, 'leadership lost: its database connection broke');
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
      // Without a listener a connection that breaks while nobody asks would end the process.
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
