/**
 * The database connections of a process. Each kind of work has a pool of its own, so that no kind can take the connections
 * of another:
 *
 * | pool     | connections | for                                                                                   |
 * |----------|-------------|---------------------------------------------------------------------------------------|
 * | money    | 14          | withdrawals, deposits, deliveries, leadership, logins; 2 for the changes of a team    |
 * | reads    | 4           | GET requests, and API keys: these can never withdraw. Lists use 3, in turns of teams  |
 * | searches | 2           | searches, each at most 3 s; the callers take turns                                    |
 */
import type { Pool } from 'pg';
import { type Clock, systemClock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { createFairQueue, TooManyWaiting } from '../lib/fair-queue.ts';
import type { Log } from '../lib/log.ts';
import { type Db, openDatabase } from './database.ts';
import { isTimedOut } from './failures.ts';

/** Lists that run at a time: one connection is left for API keys and for reads of one row. */
const LISTS_AT_ONCE = 3;
/** While another team has read within this time, a team with so many lists waiting leaves it half of the processor's time. */
const BESIDE_OTHERS = { ms: 60_000, waiting: 10 };
const READS = { connections: 4, statement_timeout_ms: 30_000 };
const SEARCHES = { connections: 2, statement_timeout_ms: 3_000 };
/** As many as one person or program can wait for. */
const WAITING_PER_CALLER = 20;

/**
 * Runs a search in the caller's turn. `caller`: any text that identifies the credential.
 * @throws AppError `too_many_waiting`, `search_timed_out`
 */
export type Search = <T>(caller: string, work: (db: Db) => Promise<T>) => Promise<T>;

/**
 * Reads a list in the turn of the team: the first list of a team waits for one of each other team, however many these want. Not inside
 * another turn of the team: it may have only one.
 */
export type ReadInTurn = <T>(team_id: string, work: (db: Db) => Promise<T>) => Promise<T>;

export type Connections = {
  db: Db;
  /** Of `db`. */
  pool: Pool;
  reads: Db;
  readInTurn: ReadInTurn;
  search: Search;
};

/**
 * Opens the pools of a process. They connect at their first query. `application_name`: of their sessions (session-names.ts).
 * `pools`: by their names in the table above.
 */
export function openConnections(
  url: string,
  log: Log,
  application_name?: string,
): { connections: Connections; pools: Record<string, Pool>; close(): Promise<void> } {
  const money = openDatabase(url, log, undefined, application_name);
  const reads = openDatabase(url, log, READS, application_name);
  const searches = openDatabase(url, log, SEARCHES, application_name);
  const search = createSearch(searches.db, SEARCHES.connections);
  return {
    connections: {
      db: money.db,
      pool: money.pool,
      reads: reads.db,
      readInTurn: createReadInTurn(reads.db, LISTS_AT_ONCE),
      search,
    },
    pools: { money: money.pool, reads: reads.pool, searches: searches.pool },
    async close() {
      await Promise.all([money, reads, searches].map((database) => database.close()));
    },
  };
}

/** Reads at most `at_once` lists at a time on `db`. Those that wait hold a request each, and no connection. */
export function createReadInTurn(db: Db, at_once: number, clock: Clock = systemClock): ReadInTurn {
  const beside_others = { clock, ...BESIDE_OTHERS };
  const turns = createFairQueue({ at_once, waiting_per_group: Number.POSITIVE_INFINITY, beside_others });
  return (team_id, work) => turns.run(team_id, () => work(db));
}

/** Runs at most `at_once` searches at a time on `db`. */
export function createSearch(db: Db, at_once: number): Search {
  const turns = createFairQueue({ at_once, waiting_per_group: WAITING_PER_CALLER });
  return async (caller, work) => {
    try {
      return await turns.run(caller, () => work(db));
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  };
}

function refusalOf(error: unknown): AppError | null {
  const more = { retry_after_seconds: 5, cause: error };
  if (error instanceof TooManyWaiting)
    return new AppError('too_many_waiting', 'Too many searches at once.', more);
  if (!isTimedOut(error)) return null;
  return new AppError(
    'search_timed_out',
    'The search took too long. Search for a longer text, or for less time.',
    more,
  );
}
