/**
 * Which failed rows may be retried, and with which key. The keys of the retries of a row follow from its own: `pay-7`, `pay-7·retry1`,
 * `pay-7·retry2`. No caller can choose such a key, for a middle dot is in none.
 *
 * | of the keys of a row and its retries             | what is true                                                              |
 * |--------------------------------------------------|---------------------------------------------------------------------------|
 * | none has a withdrawal                            | nothing was claimed: the next key is the first one                        |
 * | those with a withdrawal have failed              | nothing was paid: the next key is the one after the last of them          |
 * | one has a withdrawal that has not failed         | the row may be paid, or is: no retry                                      |
 * | one waits in a payout                            | that payout will pay the row: no retry                                    |
 * | one has paid something else (`KEY_GONE`)         | nobody knows whether the row was meant: no retry                          |
 *
 * So the next key depends only on what is proven to have failed. An older copy of the database gives the key of a retry that it
 * has forgotten, and the ledger knows what that key has paid (engine/forgotten-payments.ts).
 */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { PayoutRow } from './payout-row-store.ts';

/** Failures of a row whose key has paid something else. */
const KEY_GONE = ['idempotency_key_mismatch', 'key_taken'];

export type RetriedRow = PayoutRow & { next_key: string };

/** Returns the failed rows of the payout that may be retried, by number, each with the key of the retry. */
export async function retriableRows(db: Db, payout_id: string): Promise<RetriedRow[]> {
  const { rows } = await sql<RetriedRow>`
    select payout_rows.*, case when tried.last is null then first_key else first_key || '·retry' || tried.last + 1 end as next_key
      from payout_rows
           cross join lateral (select split_part(idempotency_key, '·retry', 1) as first_key) names
           cross join lateral (
             select max(coalesce(nullif(split_part(idempotency_key, '·retry', 2), ''), '0')::int) as last,
                    coalesce(bool_or(status <> 'failed' or failure_code = any(${KEY_GONE}::text[])), false) as is_open
               from withdrawals
              where owner_id = payout_rows.owner_id and ${isKeyOfRow}) tried
     where payout_id = ${payout_id} and status = 'failed' and coalesce(failure_code, '') <> all(${KEY_GONE}::text[])
       and not tried.is_open
       and not exists (select from payout_rows waiting
                        where owner_id = payout_rows.owner_id and ${isKeyOfRow} and status = 'waiting')
     order by number
  `.execute(db);
  return rows;
}

/** Of `idempotency_key` of the table that stands nearest: the first key of the row, or that of a retry. Both parts read an index. */
const isKeyOfRow = sql`(idempotency_key = first_key
  or idempotency_key > first_key || '·retry' and idempotency_key < first_key || '·retrz')`;
