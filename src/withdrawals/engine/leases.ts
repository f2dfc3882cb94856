/**
 * Which process works on a withdrawal. A lease only avoids double work. Two processes that work on one row do no
 * harm.
 */
import type { Db } from '../../db/database.ts';
import { OPEN } from './states.ts';
import { columns, isAnyOf, type Withdrawal } from './store.ts';

/**
 * Leases these rows to the caller until `until`, so that other processes leave them alone. Skips a row that another
 * transaction has locked: waiting for several rows in another order than that transaction would be a deadlock.
 */
export async function renewLeases(db: Db, ids: string[], until: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('withdrawals')
    .set({ leased_until: until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('withdrawals')
        .select('id')
        .where('id', '=', isAnyOf(ids))
        .where('status', 'in', OPEN)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

/**
 * Leases to the caller the withdrawals with a transaction source whose process crashed or stopped. A withdrawal without
 * a transaction source has no process: any process may assign one.
 */
export async function adoptAbandoned(
  db: Db,
  options: { now: Date; until: Date; longest_until: Date; limit: number },
): Promise<Withdrawal[]> {
  return db
    .updateTable('withdrawals')
    .set({ leased_until: options.until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('withdrawals')
        .select('id')
        .where('status', 'in', OPEN)
        .where('tx_source', 'is not', null)
        // A lease beyond `longest_until` comes from a clock that runs ahead: it counts as ended.
        .where((where) =>
          where.or([
            where('leased_until', '<=', options.now),
            where('leased_until', '>', options.longest_until),
          ]),
        )
        .orderBy('id')
        .limit(options.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(columns)
    .execute();
}

/** Ends all leases, for a process that knows that it is alone: every other process that held a lease is dead. */
export async function endLeases(db: Db, now: Date): Promise<void> {
  await db.updateTable('withdrawals').set({ leased_until: now }).where('status', 'in', OPEN).execute();
}
