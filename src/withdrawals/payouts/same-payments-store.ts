/** Finds a payout of before that pays what a file pays. Reads only. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { ReadRow } from './read-rows.ts';

type Earlier = { id: string; name: string; created_at: Date };

/** So many payouts with as many rows are looked at, the newest first. */
const LOOKED_AT = 10;

/**
 * Returns the newest payout of the wallet that pays the same as these rows, in any order and whatever its keys are; undefined for none. One that
 * was cancelled before anything of it began does not count.
 */
export async function samePaymentsBefore(
  db: Db,
  wallet_id: string,
  rows: ReadRow[],
): Promise<Earlier | undefined> {
  const payments = rows.map(({ destination, amount_stroops, asset_code, asset_issuer, memo_id }) =>
    [destination, amount_stroops, asset_code, asset_issuer ?? '', memo_id ?? ''].join(' '),
  );
  // The sum of hashes is the same in any order. It only asks a question: a hash that is met by chance does no harm.
  const found = await sql<Earlier>`
    with given as (select sum(hashtextextended(payment, 0)) as sum from unnest(${payments}::text[]) payment),
         earlier as (
           select id, name, created_at from payouts
            where wallet_id = ${wallet_id} and row_count = ${rows.length}
              and (status <> 'cancelled'
                or exists (select from payout_rows where payout_id = payouts.id and withdrawal_id is not null))
            order by id desc limit ${LOOKED_AT})
    select id, name, created_at from earlier cross join given
     where given.sum = (
             select sum(hashtextextended(concat(destination, ' ', amount_stroops, ' ', asset_code, ' ', asset_issuer, ' ', memo_id), 0))
               from payout_rows where payout_id = earlier.id)
     order by id desc limit 1
  `.execute(db);
  return found.rows[0];
}
