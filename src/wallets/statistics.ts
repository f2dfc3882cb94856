/** Sums of a wallet's deposits, withdrawals, adjustments and fees per day. Read only. */
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { DAY_MS } from '../lib/clock.ts';
import { firstId } from '../lib/ids.ts';
import type { AssetFields } from '../stellar/asset.ts';
import { isOf } from './asset-condition.ts';

export type DayOfWallet = {
  /** YYYY-MM-DD, in UTC. */
  date: string;
  deposits_count: number;
  deposits_stroops: bigint;
  /** Of these deposits, the own funds. */
  own_funds_count: number;
  own_funds_stroops: bigint;
  withdrawals_count: number;
  withdrawals_stroops: bigint;
  adjustments_count: number;
  adjustments_stroops: bigint;
  fees_stroops: bigint;
};

/**
 * Sums of the last `days` days, today included, oldest first: confirmed rows of the asset, by the day of their creation.
 * Fees are native: they are 0 for any other asset. They include those of failed withdrawals and of trust lines.
 */
export async function dailyStatistics(
  db: Db,
  wallet_id: string,
  { asset, days, now }: { asset: AssetFields; days: number; now: Date },
): Promise<DayOfWallet[]> {
  const today_ms = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const first = new Date(today_ms - (days - 1) * DAY_MS);
  const first_day = sql`(${first}::timestamptz at time zone 'UTC')::date`;
  // A wallet has few adjustments: they have no sums of their own. Ids contain the creation time, so the index of the list gives the days.
  const { rows } = await sql<DayOfWallet>`
    with deposited as (
      select * from deposit_days where wallet_id = ${wallet_id} and day >= ${first_day} and ${isOf(asset)}
    ), withdrawn as (
      select * from withdrawal_days where wallet_id = ${wallet_id} and day >= ${first_day} and ${isOf(asset)}
    ), taken as (
      select (created_at at time zone 'UTC')::date as day, count(*)::int as count, sum(amount_stroops) as stroops
        from adjustment_movements
       where wallet_id = ${wallet_id} and id >= ${firstId('adj', first)} and amount_stroops > 0
         and ${isOf(asset)}
       group by day
    ), charged as (
      select day, sum(fees_stroops) as fees
        from withdrawal_days
       where wallet_id = ${wallet_id} and day >= ${first_day} and ${asset.asset_issuer === null}
       group by day
    )
    select to_char(day, 'YYYY-MM-DD') as date,
           coalesce(deposited.deposits, 0) as deposits_count, coalesce(deposited.stroops, 0) as deposits_stroops,
           coalesce(deposited.own_funds, 0) as own_funds_count,
           coalesce(deposited.own_funds_stroops, 0) as own_funds_stroops,
           coalesce(withdrawn.withdrawals, 0) as withdrawals_count, coalesce(withdrawn.stroops, 0) as withdrawals_stroops,
           coalesce(taken.count, 0) as adjustments_count, coalesce(taken.stroops, 0) as adjustments_stroops,
           coalesce(charged.fees, 0) as fees_stroops
      from generate_series(0, ${days - 1}::int) as passed
     cross join lateral (select ${first_day} + passed as day) as days
      left join deposited using (day)
      left join withdrawn using (day)
      left join taken using (day)
      left join charged using (day)
     order by day
  `.execute(db);
  return rows;
}
