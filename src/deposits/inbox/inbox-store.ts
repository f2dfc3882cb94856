/** Questions about the unattributed deposits of a wallet (its inbox); read only. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** The inbox is counted up to here: the dashboard asks every two seconds, and needs no exact larger number. */
export const INBOX_COUNTED = 1000;

/** Counts the deposits without an address and without a refund; at most INBOX_COUNTED. */
export async function countInbox(db: Db, wallet_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select from deposits
             where wallet_id = ${wallet_id} and not attributed
               and not exists (select from refunds where refund_of = deposits.id and status <> 'failed')
             limit ${INBOX_COUNTED}) as waiting
  `.execute(db);
  return rows[0]?.count ?? 0;
}
