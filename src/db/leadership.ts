/**
 * One leader among all processes, for each work that only one shall do.
 *
 * | who leads                                          | what shows it                                                         |
 * |----------------------------------------------------|-----------------------------------------------------------------------|
 * | a process that may begin                           | an advisory lock on a separate connection                             |
 * | a process that may write                           | the row of the work has the term of the process: each write of a      |
 * |                                                    | leader checks and moves this row in its own transaction (`act`)       |
 *
 * | the leader                                         | another takes over                                                    |
 * |----------------------------------------------------|-----------------------------------------------------------------------|
 * | stops, dies, or loses its connection               | at once: the server sees the end of the connection                    |
 * | hangs, is frozen, or vanishes with its machine     | `patience_ms` after its last `hold`: the server ends a session that   |
 * |                                                    | is silent for that long                                               |
 *
 * The process that takes over begins the next term. From then on nothing that the leader before had begun is written: its transaction waits
 * for the row, or is over before. A process that has the lock and not the row shows that two of them have the lock, which
 * PostgreSQL alone never gives, but a pooler can. It leaves the work to the other one and raises an alarm (`disputed_at`).
 */
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Db, Trx } from './database.ts';

/** What is led, with its advisory lock. Nothing else in the database uses these numbers. */
const LOCKS = { deposits: 7_354_002, reconciliation: 7_354_004 } as const;
export type Led = keyof typeof LOCKS;
export const LED = Object.keys(LOCKS) as Led[];

/**
 * Runs the writes of a leader in one transaction. Null when another process leads: then nothing is written.
 * Nothing but the database may be waited for in `write`.
 */
export type Act = <T>(db: Db, write: (trx: Trx) => Promise<T>) => Promise<T | null>;

/** Runs the same write for commands and requests, which need not lead. */
export const actAlone: Act = (db, write) => db.transaction().execute(write);

export type Leadership = {
  /** Takes the lead if it is free. True while this process leads. */
  hold(): Promise<boolean>;
  act: Act;
  /** Ends the lead: after this another process gets it, provided that the database can be reached. */
  release(): Promise<void>;
};

/** Longer than a normal step between two calls of `hold`, also with a slow response of a source. */
const PATIENCE_MS = 15_000;
/** How long a dispute is reported after it was seen last. */
const TOLD_MINUTES = 10;

type Held = { client: PoolClient; term: bigint };
type LeadershipDeps = { pool: Pool; clock: Clock; log: Log };

export function createLeadership(
  { pool, clock, log }: LeadershipDeps,
  work: Led,
  patience_ms = PATIENCE_MS,
): Leadership {
  let held: Held | null = null;
  let stays_away_until_ms = Number.NEGATIVE_INFINITY;

  /** Closes the connection, which releases the lock as soon as the server notices. */
  function drop({ client }: Held): void {
    held = null;
    client.release(true);
  }

  async function isHeld(now: Held): Promise<boolean> {
    try {
      const { rows } = await now.client.query<{ term: bigint }>(TERM, [work]);
      if (rows[0]?.term === now.term) return true;
      log.error({ work }, TWO_LEADERS);
      stays_away_until_ms = clock.now().getTime() + patience_ms;
      await now.client.query(DISPUTE, [work]);
    } catch (error) {
      log.warn({ err: error }, 'leadership lost: the database connection that holds the lock broke');
    }
    drop(now);
    return false;
  }

  return {
    async hold() {
      if (held) return isHeld(held);
      if (clock.now().getTime() < stays_away_until_ms) return false;
      const client = await pool.connect();
      let term: bigint | null;
      try {
        term = await take(client, work, patience_ms);
      } catch (error) {
        client.release(true);
        throw error;
      }
      if (term === null) {
        client.release();
        return false;
      }
      // Without this listener, a connection that breaks while it is idle would end the process.
      client.on('error', () => {});
      held = { client, term };
      return true;
    },
    async act(db, write) {
      const term = held?.term;
      if (term === undefined) return null;
      return db.transaction().execute(async (trx) => ((await move(trx, work, term)) ? write(trx) : null));
    },
    async release() {
      const now = held;
      if (!now) return;
      try {
        await now.client.query('select pg_advisory_unlock($1)', [LOCKS[work]]);
      } catch (error) {
        log.debug({ err: error }, 'leadership ends with its connection');
      }
      drop(now);
    },
  };
}

/** Takes the lock and begins a term. Null when another process has the lock. */
async function take(client: PoolClient, work: Led, patience_ms: number): Promise<bigint | null> {
  const lock = 'select pg_try_advisory_lock($1) as locked';
  const { rows: locked } = await client.query<{ locked: boolean }>(lock, [LOCKS[work]]);
  if (locked[0]?.locked !== true) return null;
  await client.query(`set idle_session_timeout = ${patience_ms}`);
  const { rows } = await client.query<{ term: bigint }>(BEGIN_TERM, [work, `${hostname()}/${process.pid}`]);
  return rows[0]?.term ?? null;
}

/** Moves the row of a work. Returns false when the term is over. Until the transaction ends nobody else begins one. */
async function move(trx: Trx, work: Led, term: bigint): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('leaderships')
    .set({ moved_at: sql`clock_timestamp()` })
    .where('work', '=', work)
    .where('term', '=', term)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Lists the works of which two processes had the lock at once, within the last minutes. */
export async function disputed(db: Db): Promise<Led[]> {
  const rows = await db
    .selectFrom('leaderships')
    .select('work')
    .where('disputed_at', '>', sql<Date>`clock_timestamp() - make_interval(mins => ${TOLD_MINUTES}::int)`)
    .orderBy('work')
    .execute();
  return rows.map(({ work }) => work as Led);
}

const TERM = 'select term from leaderships where work = $1';
const DISPUTE = 'update leaderships set disputed_at = clock_timestamp() where work = $1';
const BEGIN_TERM = `insert into leaderships as last (work, term, leader, moved_at) values ($1, 1, $2, clock_timestamp())
  on conflict (work) do update set term = last.term + 1, leader = excluded.leader, moved_at = excluded.moved_at
  returning term`;
const TWO_LEADERS =
  'Two processes have the lock of one leader: a pooler gives the sessions of the database to several connections. This process leaves the work to the other one; see the runbook.';
