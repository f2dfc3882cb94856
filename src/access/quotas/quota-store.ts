/** The only writer of team_usage. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';

/** What a team may make a limited number of. */
export type Counted = 'wallets' | 'addresses';

/** Counts one more, and returns the new number. The row stays locked until the transaction ends. */
export async function countOneMore(trx: Trx, team_id: string, counted: Counted): Promise<bigint> {
  const column = sql.ref(counted);
  const { rows } = await sql<{ count: bigint }>`
    insert into team_usage (team_id, ${column}) values (${team_id}, 1)
    on conflict (team_id) do update set ${column} = team_usage.${column} + 1
    returning ${column} as count`.execute(trx);
  return rows[0]?.count ?? 0n;
}

export async function readCount(db: Db, team_id: string, counted: Counted): Promise<bigint> {
  const usage = await db
    .selectFrom('team_usage')
    .select(counted)
    .where('team_id', '=', team_id)
    .executeTakeFirst();
  return usage?.[counted] ?? 0n;
}
