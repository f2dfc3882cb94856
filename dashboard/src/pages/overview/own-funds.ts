/** Pure: the days of a wallet without its own funds, which are deposits that no customer paid. */
import type { DayOfWallet } from '../../api/contract.ts';

/** `days`: with the deposits from customers alone. `own_funds_stroops`: what is left out of all of them. */
export type CustomerDays = { days: DayOfWallet[]; own_funds_stroops: bigint };

export function withoutOwnFunds(days: DayOfWallet[]): CustomerDays {
  return {
    days: days.map((day) => ({
      ...day,
      deposits_count: day.deposits_count - day.own_funds_count,
      deposits_stroops: day.deposits_stroops - day.own_funds_stroops,
    })),
    own_funds_stroops: days.reduce((total, day) => total + day.own_funds_stroops, 0n),
  };
}
