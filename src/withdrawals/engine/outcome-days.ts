import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the statement that adds withdrawals to the sums of their days, which the statistics show. `rows`: a table or query of
 * withdrawals with a fee. A withdrawal is added once: by the transaction that records its outcome.
 *
 * The sums are locked in the order of their key. Otherwise the outcomes of two processes could wait for each other.
 */
export function addToDays(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
      insert into withdrawal_days as total (wallet_id, day, asset_code, asset_issuer, withdrawals, stroops, fees_stroops)
      select wallet_id, (created_at at time zone 'UTC')::date, asset_code, asset_issuer, count(*) filter (where is_paid),
             coalesce(sum(amount_stroops) filter (where is_paid), 0), sum(fee_stroops)
        from ${rows}
       cross join lateral (
         select status = 'confirmed' and operation not in ('add_trust_line', 'remove_trust_line') as is_paid) as outcome
       group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict on constraint withdrawal_days_key do update
         set withdrawals = total.withdrawals + excluded.withdrawals, stroops = total.stroops + excluded.stroops,
             fees_stroops = total.fees_stroops + excluded.fees_stroops`;
}
