/**
 * Why a transaction may explain a difference between a wallet's books and its account.
 *
 * | reason                | what it says of the transaction (or, without one, of the ledger)                            |
 * |-----------------------|--------------------------------------------------------------------------------------------|
 * | unmatched             | it is the wallet's own, and matches no withdrawal: `teller unmatched`                            |
 * | quarantined           | it mentions the wallet and could not be read, so it credited nothing                        |
 * | not_booked            | it changed the account's balance, and is neither a deposit nor a withdrawal                 |
 * | booked_differently    | it changed the balance by something else than is booked                                     |
 * | not_on_ledger         | it is booked, and that ledger has no such transaction                                       |
 * | mentions_wallet       | it is not booked; what it changed is unknown, because the source tells no metas             |
 * | books_changed         | rows up to this ledger were changed, deleted or added since they were last summed           |
 * | ledgers_not_searched  | ledgers from this one on were not searched: too many of them, or not to be had              |
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

/** A transaction, or without a hash a ledger, that may explain a difference. */
export type MayExplain = {
  stellar_tx_hash: string | null;
  ledger: number;
  reason: (typeof REASONS)[number];
};
