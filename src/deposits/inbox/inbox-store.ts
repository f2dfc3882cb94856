/** Questions about the unattributed deposits of a wallet (its inbox); read only. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { newestFirst } from '../../db/newest-first.ts';
import { isOwnFunds } from '../../wallets/access.ts';

/** The inbox is counted up to here: the dashboard asks every two seconds, and needs no exact larger number. */
export const INBOX_COUNTED = 1000;

/** What is in an inbox. `own_funds`: those that bring no customer's money, so nobody has to decide about them. */
export type InboxCount = { unattributed: number; own_funds: number };

/** Counts the deposits without an address and without a refund; at most INBOX_COUNTED. */
export async function countInbox(db: Db, wallet_id: string): Promise<InboxCount> {
  // In the order of their index: else PostgreSQL may read all deposits of all wallets, until it has found as many as it expects.
  const { where, order } = newestFirst('deposits', { wallet_id, attributed: false }, undefined);
  const { rows } = await sql<InboxCount>`
    select count(*)::int as unattributed, (count(*) filter (where is_own))::int as own_funds
      from (select ${isOwnFunds(wallet_id)} as is_own from deposits
             where ${where}
               and not exists (select from refunds where refund_of = deposits.id and status <> 'failed')
             order by ${order} limit ${INBOX_COUNTED}) as waiting
  `.execute(db);
  return rows[0] ?? { unattributed: 0, own_funds: 0 };
}
