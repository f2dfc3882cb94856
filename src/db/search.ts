/**
 * Conditions of a search by a part of a text. PostgreSQL walks through the rows, newest first, until a page is full. 100,000
 * rows stay fast because a text is compared only with columns that it can be a part of (`ff` begins no account, `GA` no
 * hash), and because case is folded as in ASCII, which is many times faster.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { parseAddress } from '../stellar/address.ts';

export type Condition = RawBuilder<SqlBool>;

const DIGITS = /^[0-9]{1,20}$/;

/**
 * A condition on a deposit address: the text is the beginning of its id or memo id, its M… address, or a part of its label
 * or metadata. `table`: where its columns are; `account`: of its wallet.
 */
export function isAddressFound(
  table: string,
  { account, text }: { account: string; text: string },
): Condition {
  return anyOf([
    begins(`${table}.id`, text.toLowerCase(), /^adr/i.test(text)),
    ...isMemoId(`${table}.memo_id`, account, text),
    contains(`${table}.label`, text),
    contains(`${table}.metadata`, text),
  ]);
}

/** The text is the beginning of the memo id, or an M… address of the account with this memo id. */
export function isMemoId(column: string, account: string, text: string): (Condition | null)[] {
  const address = parseAddress(text.toUpperCase());
  const muxed_id = address?.account === account ? address.muxed_id : null;
  return [
    begins(column, text, DIGITS.test(text)),
    muxed_id === null ? null : sql`${sql.ref(column)} = ${muxed_id}::numeric`,
  ];
}

/** The text is the beginning of the column. Null when it cannot be: then nothing is compared. */
export function begins(column: string, text: string, can_be: boolean): Condition | null {
  return can_be ? sql`starts_with(${sql.ref(column)}::text, ${text})` : null;
}

function contains(column: string, text: string): Condition {
  return sql`strpos(lower(${sql.ref(column)} collate "C"), ${asciiLower(text)}) > 0`;
}

/** Lower case as PostgreSQL makes it by collation "C". */
export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The nulls are left out. */
export function anyOf(conditions: (Condition | null)[]): Condition {
  const possible = conditions.filter((condition) => condition !== null);
  return possible.length === 0 ? sql`false` : sql`(${sql.join(possible, sql` or `)})`;
}
