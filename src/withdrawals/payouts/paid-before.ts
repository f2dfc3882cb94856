/**
 * Finds payments of a file that were made before, or are planned, for files whose keys do not say so: they were made, or the caller has said
 * which column has them. Reads only.
 */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { eachInParts, inTurns } from '../../lib/in-parts.ts';
import { spellingsOf } from '../../stellar/recipient.ts';
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
  const asked: { index: number; destination: string; payment: string }[] = [];
  const ask = (row: ReadRow, index: number) => {
    for (const spelling of spellingsOf(row))
      asked.push({ index, destination: spelling.destination, payment: paymentOf({ ...row, ...spelling }) });
  };
  await inTurns(eachInParts(rows, ask));
  const [indexes, destinations, payments] = [
    asked.map(({ index }) => index),
    asked.map(({ destination }) => destination),
    asked.map(({ payment }) => payment),
  ];
  const found = await sql<{ index: number }>`
    with planned as materialized (
           select ${PAYMENT} as payment
             from payout_rows
            where status = 'waiting' and payout_id in (
                    select id from payouts where wallet_id = ${wallet_id} and settled_at is null))
    select distinct index
      from unnest(${indexes}::int[], ${destinations}::text[], ${payments}::text[]) as given (index, payee, payment)
     where payment in (select payment from planned)
        or exists (
             select from withdrawals
              where wallet_id = ${wallet_id} and destination collate "C" = payee and status <> 'failed'
                and created_at >= ${since}
                and ${PAYMENT} = payment)
     order by index
  `.execute(db);
  return found.rows.map(({ index }) => index);
}

/** A payment as one text, of a row that has its columns. `concat` takes null for nothing. */
const PAYMENT = sql`concat(destination, ' ', memo_id, ' ', asset_code, ':', asset_issuer, ' ', amount_stroops)`;

/** Writes a payment as `PAYMENT` does. */
function paymentOf({ destination, memo_id, asset_code, asset_issuer, amount_stroops }: ReadRow): string {
  return `${destination} ${memo_id ?? ''} ${asset_code}:${asset_issuer ?? ''} ${amount_stroops}`;
}
