/** The ledger that both cursors have passed: every deposit and every outcome up to this ledger is recorded. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';

export type BothCursors = { ledger: number; stop_reason: string | null };

/** Reads the older ledger of the two cursors, and the reason why one of them stands still. Returns null before both cursors have begun. */
export async function readBothCursors(db: Db): Promise<BothCursors | null> {
  const cursors = await db
    .selectFrom('deposit_cursor')
    .innerJoin('withdrawal_cursor', (join) => join.onTrue())
    .select(sql<number>`least(deposit_cursor.ledger, withdrawal_cursor.ledger)`.as('ledger'))
    .select(
      sql<string | null>`coalesce(deposit_cursor.stop_reason, withdrawal_cursor.stop_reason)`.as(
        'stop_reason',
      ),
    )
    .executeTakeFirst();
  return cursors ?? null;
}

/** Reads the newer ledger of the two cursors: everything after it is still to be read by one of them at least. Null before the first. */
export async function newestProcessedLedger(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ledger: number | null }>`
    select greatest((select ledger from deposit_cursor), (select ledger from withdrawal_cursor)) as ledger`.execute(
    db,
  );
  return rows[0]?.ledger ?? null;
}

/** Returns a condition in SQL: both cursors have passed this ledger, and neither of them stands still. */
export function bothCursorsHavePassed(ledger: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (
    select from deposit_cursor cross join withdrawal_cursor
     where ${ledger} <= least(deposit_cursor.ledger, withdrawal_cursor.ledger)
       and deposit_cursor.stop_reason is null and withdrawal_cursor.stop_reason is null)`;
}
