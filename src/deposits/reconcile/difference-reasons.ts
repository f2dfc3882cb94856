/**
 * What may explain a difference between a wallet's books and its account.
 *
 * | reason               | meaning for the transaction (or for the ledger, if there is no transaction)              |
 * |----------------------|------------------------------------------------------------------------------------------|
 * | unmatched            | the wallet's own transaction, which matches no withdrawal: `teller unmatched`            |
 * | quarantined          | it mentions the wallet and could not be read, so nothing was credited                    |
 * | not_booked           | it changed the account's balance, and is neither a deposit nor a withdrawal              |
 * | booked_differently   | it changed the balance by another amount than the booked one                             |
 * | not_on_ledger        | it is booked, but its ledger does not have it                                            |
 * | mentions_wallet      | it is not booked; its effect is unknown, because the source has no metas                 |
 * | books_changed        | rows up to this ledger were changed, deleted or added after they were last summed        |
 * | ledgers_not_searched | ledgers from this one on were not searched: too many, or the source does not have them   |
 */
export const REASONS = [
  'unmatched',
  'quarantined',
  'not_booked',
  'booked_differently',
  'not_on_ledger',
  'mentions_wallet',
  'books_changed',
  'ledgers_not_searched',
] as const;

/** `stellar_tx_hash` null: the reason is about the ledger. */
export type MayExplain = {
  stellar_tx_hash: string | null;
  ledger: number;
  reason: (typeof REASONS)[number];
};
