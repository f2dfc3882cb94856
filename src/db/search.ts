/**
 * Conditions of the search field. Rows are read newest first until a page is full. 100,000 rows are fast enough because a
 * text is compared only with columns that can contain it (`ff` begins no account, `GA` no hash), and because only ASCII
 * letters are compared without case.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { parseAddress } from '../stellar/address.ts';

type Condition = RawBuilder<SqlBool>;

/** The typed text, and the wallet to search. */
export type Sought = { wallet_id: string; account: string; text: string };

const HASH = /^[0-9a-f]{1,64}$/i;
const ADDRESS = /^[GM][A-Z2-7]*$/i;
const DIGITS = /^[0-9]{1,20}$/;

/** A row of `deposit_addresses` by the beginning of id or memo id, by M… address, or by a part of label or metadata. */
export function isAddressFound({ account, text }: Omit<Sought, 'wallet_id'>): Condition {
  return anyOf([
    begins('deposit_addresses.id', text.toLowerCase(), /^adr/i.test(text)),
    ...isMemoId('deposit_addresses.memo_id', account, text),
    contains('deposit_addresses.label', text),
    contains('deposit_addresses.metadata', text),
  ]);
}

/** A row of `deposits` by the beginning of hash, sender, id or memo, or by its deposit address. */
export function isDepositFound({ wallet_id, account, text }: Sought): Condition {
  const lower = text.toLowerCase();
  return anyOf([
    begins('deposits.id', lower, /^dep/i.test(text)),
    begins('deposits.stellar_tx_hash', lower, HASH.test(text)),
    begins('deposits.source_account', text.toUpperCase(), ADDRESS.test(text)),
    ...isMemoId('deposits.memo_id', account, text),
    // The memo of the sender: a deposit assigned by hand has the memo id of its address in `memo_id`.
    sql`(deposits.memo_type = 'text' and starts_with(lower(deposits.memo collate "C"), ${asciiLower(text)}))`,
    sql`(deposits.assigned_by_hand and starts_with(deposits.memo, ${text}))`,
    sql`deposits.address_id in (select id from deposit_addresses
          where deposit_addresses.wallet_id = ${wallet_id} and ${isAddressFound({ account, text })})`,
  ]);
}

/** A row of `withdrawals` by the beginning of outer or inner hash, destination, id or memo id. */
export function isWithdrawalFound(text: string): Condition {
  const lower = text.toLowerCase();
  return anyOf([
    begins('withdrawals.id', lower, /^wd/i.test(text)),
    begins('withdrawals.stellar_tx_hash', lower, HASH.test(text)),
    begins('withdrawals.inner_tx_hash', lower, HASH.test(text)),
    begins('withdrawals.destination', text.toUpperCase(), ADDRESS.test(text)),
    begins('withdrawals.memo_id', text, DIGITS.test(text)),
  ]);
}

/** By the beginning of the memo id, or by the id in an M… address of the account. */
function isMemoId(column: string, account: string, text: string): (Condition | null)[] {
  const address = parseAddress(text.toUpperCase());
  const muxed_id = address?.account === account ? address.muxed_id : null;
  return [
    begins(column, text, DIGITS.test(text)),
    muxed_id === null ? null : sql`${sql.ref(column)} = ${muxed_id}::numeric`,
  ];
}

/** Null when the column cannot begin with this text. */
function begins(column: string, text: string, can_be: boolean): Condition | null {
  return can_be ? sql`starts_with(${sql.ref(column)}::text, ${text})` : null;
}

function contains(column: string, text: string): Condition {
  return sql`strpos(lower(${sql.ref(column)} collate "C"), ${asciiLower(text)}) > 0`;
}

/** Lower case of ASCII letters only, like `lower` with collation "C". */
function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function anyOf(conditions: (Condition | null)[]): Condition {
  const possible = conditions.filter((condition) => condition !== null);
  return possible.length === 0 ? sql`false` : sql`(${sql.join(possible, sql` or `)})`;
}
