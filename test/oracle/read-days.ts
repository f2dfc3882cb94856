/** Compares the sums of each day, which the statistics show, with the rows of that day. */
import type { Ask } from './ask.ts';

const DAY = `(created_at at time zone 'UTC')::date as day`;
const IS_PAID = `status = 'confirmed' and operation not in ('add_trust_line', 'remove_trust_line')`;

const KINDS = {
  deposit: {
    summed: 'select wallet_id, day, asset_code, asset_issuer, deposits, stroops from deposit_days',
    rows: `select wallet_id, ${DAY}, asset_code, asset_issuer, count(*), sum(amount_stroops) from deposits group by 1, 2, 3, 4`,
  },
  withdrawal: {
    summed: `select wallet_id, day, asset_code, asset_issuer, withdrawals, stroops, fees_stroops from withdrawal_days`,
    rows: `select wallet_id, ${DAY}, asset_code, asset_issuer, count(*) filter (where ${IS_PAID}),
                  coalesce(sum(amount_stroops) filter (where ${IS_PAID}), 0), sum(fee_stroops)
             from withdrawals where fee_stroops is not null group by 1, 2, 3, 4`,
  },
};

/** Returns the days whose sums differ from those of their rows, in words. */
export async function readWrongDays(ask: Ask): Promise<string[]> {
  const wrong: string[] = [];
  for (const [kind, { summed, rows }] of Object.entries(KINDS)) {
    const found = await ask(`
      select distinct wallet_id, to_char(day, 'YYYY-MM-DD') as day, asset_code, asset_issuer
        from ((${summed} except ${rows}) union all (${rows} except ${summed})) as different order by 1, 2, 3, 4`);
    for (const { wallet_id, day, asset_code } of found)
      wrong.push(
        `the ${kind}s of ${asset_code} of wallet ${wallet_id} on ${day} have other sums than their rows`,
      );
  }
  return wrong;
}
