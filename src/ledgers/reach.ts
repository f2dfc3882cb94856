/** How far both cursors have come: up to there every deposit and every outcome in the ledger is recorded. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';

export type Reach = { ledger: number; stop_reason: string | null };

/** Null before both cursors have begun. */
export async function readReach(db: Db): Promise<Reach | null> {
  const reach = await db
    .selectFrom('deposit_cursor')
    .innerJoin('withdrawal_cursor', (join) => join.onTrue())
    .select(sql<number>`least(deposit_cursor.ledger, withdrawal_cursor.ledger)`.as('ledger'))
    .select(
      sql<string | null>`coalesce(deposit_cursor.stop_reason, withdrawal_cursor.stop_reason)`.as(
        'stop_reason',
      ),
    )
    .executeTakeFirst();
  return reach ?? null;
}

/** A condition: both cursors have come to this ledger, and nothing stops them. */
export function isReached(ledger: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (
    select from deposit_cursor cross join withdrawal_cursor
     where ${ledger} <= least(deposit_cursor.ledger, withdrawal_cursor.ledger)
       and deposit_cursor.stop_reason is null and withdrawal_cursor.stop_reason is null)`;
}
