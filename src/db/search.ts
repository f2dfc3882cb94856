/** What a person looks for by typing a part of it; hashes and ids are lower case, addresses upper case. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { parseAddress } from '../chain/address.ts';

/** An account of ours, and what was typed. */
export type Sought = { wallet_id: string; account: string; text: string };

/** Of `deposit_addresses`: the beginning of its id or memo id, its M… address, or a part of its label or metadata. */
export function isAddressFound({ account, text }: Omit<Sought, 'wallet_id'>): RawBuilder<SqlBool> {
  const part = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`(
    starts_with(deposit_addresses.id, ${text.toLowerCase()})
    or starts_with(deposit_addresses.memo_id::text, ${text})
    or deposit_addresses.memo_id = ${muxedId(account, text)}::numeric
    or deposit_addresses.label ilike ${part} or deposit_addresses.metadata ilike ${part})`;
}

/** Of `deposits`: the beginning of its hash, sender, id or memo; or its address is found. */
export function isDepositFound({ wallet_id, account, text }: Sought): RawBuilder<SqlBool> {
  const lower = text.toLowerCase();
  return sql<SqlBool>`(
    starts_with(deposits.stellar_tx_hash, ${lower}) or starts_with(deposits.id, ${lower})
    or starts_with(deposits.source_account, ${text.toUpperCase()})
    or starts_with(deposits.memo_id::text, ${text}) or deposits.memo_id = ${muxedId(account, text)}::numeric
    or starts_with(lower(deposits.memo), ${lower})
    or deposits.address_id in (
      select id from deposit_addresses
       where deposit_addresses.wallet_id = ${wallet_id} and ${isAddressFound({ account, text })}))`;
}

/** Of `withdrawals`: the beginning of one of its hashes, its destination, id or memo id. */
export function isWithdrawalFound(text: string): RawBuilder<SqlBool> {
  const lower = text.toLowerCase();
  return sql<SqlBool>`(
    starts_with(withdrawals.stellar_tx_hash, ${lower}) or starts_with(withdrawals.inner_tx_hash, ${lower})
    or starts_with(withdrawals.id, ${lower}) or starts_with(withdrawals.destination, ${text.toUpperCase()})
    or starts_with(withdrawals.memo_id::text, ${text}))`;
}

/** The id in an M… address of the account. */
function muxedId(account: string, text: string): bigint | null {
  const address = parseAddress(text.toUpperCase());
  return address?.account === account ? address.muxed_id : null;
}
