import { eventually } from './eventually.ts';

/** Selects the sessions of this database that wait for a lock, whoever has it. A worker of autovacuum may wait too, and does not count. */
export const LOCK_WAITS = `select pid from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and wait_event_type = 'Lock'`;

/**
 * Waits until so many statements of a service wait for locks. `query`: of a connection that waits for none. In a transaction
 * PostgreSQL would show the sessions of the first look again and again, without those that have begun since.
 */
export function untilBlocked(
  { query }: { query(sql: string): Promise<{ length: number }> },
  count: number,
): Promise<unknown> {
  return eventually(`${count} statements wait`, async () => {
    await query('select pg_stat_clear_snapshot()');
    return (await query(LOCK_WAITS)).length >= count;
  });
}
