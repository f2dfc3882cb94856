/**
 * Finds payments of a file that were made before, or are planned, for files whose keys do not say so: they were made, or the caller has said
 * which column has them. Reads only.
 */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { ReadRow } from './read-rows.ts';

/** What a month pays again is asked about. */
export const RECENT_DAYS = 31;

/**
 * Returns the indexes of the rows whose payment (payee, memo, asset, amount) this wallet has made since `since` or is making, or has in a
 * payout that is not over. A payment that failed does not count.
 */
export async function paidBefore(
  db: Db,
  wallet_id: string,
  { rows, since }: { rows: ReadRow[]; since: Date },
): Promise<number[]> {
  const payments = rows.map(paymentOf);
  const destinations = rows.map(({ destination }) => destination);
  const found = await sql<{ index: number }>`
    with planned as materialized (
           select ${PAYMENT} as payment
             from payout_rows
            where status = 'waiting' and payout_id in (
                    select id from payouts where wallet_id = ${wallet_id} and settled_at is null))
    select (number - 1)::int as index
      from unnest(${destinations}::text[], ${payments}::text[]) with ordinality as given (payee, payment, number)
     where payment in (select payment from planned)
        or exists (
             select from withdrawals
              where wallet_id = ${wallet_id} and destination collate "C" = payee and status <> 'failed'
                and created_at >= ${since}
                and ${PAYMENT} = payment)
     order by number
  `.execute(db);
  return found.rows.map(({ index }) => index);
}

/** A payment as one text, of a row that has its columns. `concat` takes null for nothing. */
const PAYMENT = sql`concat(destination, ' ', memo_id, ' ', asset_code, ':', asset_issuer, ' ', amount_stroops)`;

/** Writes a payment as `PAYMENT` does. */
function paymentOf({ destination, memo_id, asset_code, asset_issuer, amount_stroops }: ReadRow): string {
  return `${destination} ${memo_id ?? ''} ${asset_code}:${asset_issuer ?? ''} ${amount_stroops}`;
}
