import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Returns whether a deposit is own funds: nobody names a customer, and it made the account or came from a wallet of the team. The
 * function is_own_funds of the database says the same, for the statistics.
 */
export function isOwnFunds(wallet_id: string): RawBuilder<SqlBool> {
  return sql`(
    not attributed and memo_type = 'none' and memo_id is null
    and (kind = 'create_account' or source_account in (
      select account from wallets where owner_id = (select owner_id from wallets where id = ${wallet_id})))
  )`;
}
