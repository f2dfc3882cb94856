/** Questions about the unattributed deposits of a wallet (its inbox); read only. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { signingAllowed } from '../../ledgers/signing-allowed.ts';

/** The inbox is counted up to here: the dashboard asks every two seconds, and needs no exact larger number. */
export const INBOX_COUNTED = 1000;

/** Number of deposits without an address and without a refund; at most INBOX_COUNTED. */
export async function countInbox(db: Db, wallet_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select from deposits
             where wallet_id = ${wallet_id} and not attributed
               and not exists (select from withdrawals where refund_of = deposits.id and status <> 'failed')
             limit ${INBOX_COUNTED}) as waiting
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Whether the ledger may have a refund that this database does not know, because the database is an older copy or the
 * wallet has an unmatched transaction. `least_close_time`: ledgers must be processed up to this close time.
 */
export async function refundMayBeUnknown(
  trx: Trx,
  wallet_id: string,
  least_close_time: bigint,
): Promise<boolean> {
  const { rows } = await sql<{ unknown: boolean }>`
    select exists (select from withdrawal_cursor where not (${signingAllowed} and close_time >= ${least_close_time}::bigint))
        or exists (select from unmatched_transactions where wallet_id = ${wallet_id} and resolved_at is null) as unknown
  `.execute(trx);
  return rows[0]?.unknown ?? true;
}
