/**
 * Searches by the beginning or a part of a text, newest first. A search that many rows match is filled by the newest rows; it
 * reads NEAR_ROWS of them. Another search asks the indexes `…_search…` for every row that matches. So its
 * time depends neither on the rows that do not match, nor on what PostgreSQL believes of the data.
 *
 * A text is compared only with columns that it can be a part of (`ff` begins no account, `GA` no hash). Case is folded as in
 * ASCII.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { parseAddress } from '../stellar/address.ts';

export type Condition = RawBuilder<SqlBool>;

/** Five pages of the largest size. */
export const NEAR_ROWS = 1_000;

/** The beginning of a G…, M…, C… or W… address. */
export const ADDRESS = /^[GMCW][A-Z2-7]*$/i;
/** The beginning of a memo id. */
export const DIGITS = /^[0-9]{1,20}$/;

/** Finds a page, from the newest rows if they fill it, otherwise from the indexes. Both find at most `limit` rows, newest first. */
export async function findPage<Row>(
  limit: number,
  from: { near: () => Promise<Row[]>; indexed: () => Promise<Row[]> },
): Promise<Row[]> {
  const near = await from.near();
  return near.length === limit ? near : from.indexed();
}

/** A value, or SQL for one. */
type TextOrSql = string | RawBuilder<string>;

/** What is looked for, and the wallet in which it is looked for. */
export type Sought = { wallet_id: TextOrSql; account: TextOrSql; text: string };

/**
 * Returns conditions on a deposit address, any of which is enough: the text is the beginning of its id or memo id, its M… address,
 * or a part of its label or metadata. `table`: where its columns are.
 */
export function waysToAddress(table: string, { account, text }: Sought): Condition[] {
  return possible([
    ...waysByName(table, account, text),
    sql`(${contains(`${table}.label`, text)} or ${contains(`${table}.metadata`, text)})`,
  ]);
}

/** Returns the same conditions in the form that the indexes have, for addresses of the wallet only. */
export function indexedWaysToAddress(table: string, { wallet_id, account, text }: Sought): Condition[] {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  const parts = sql`search_parts(${of('wallet_id')}, ${of('label')}, ${of('metadata')})`;
  return possible([
    ...waysByName(table, account, text),
    sql`${parts} @> array_append(${partsOf(text)}::bytea[], convert_to(${wallet_id}, 'UTF8'))
        and (${contains(`${table}.label`, text)} or ${contains(`${table}.metadata`, text)})`,
  ]);
}

function waysByName(table: string, account: TextOrSql, text: string): (Condition | null)[] {
  return [
    begins(`${table}.id`, text.toLowerCase(), /^adr/i.test(text)),
    ...isMemoId(`${table}.memo_id`, account, text),
  ];
}

/** Returns conditions: the text is the beginning of the memo id, or an M… address of the account with this memo id. */
export function isMemoId(column: string, account: TextOrSql, text: string): (Condition | null)[] {
  const address = parseAddress(text.toUpperCase());
  const is_muxed = address !== null && address.muxed_id !== null;
  return [
    begins(column, text, DIGITS.test(text)),
    is_muxed ? sql`(${address.account} = ${account} and ${asText(column)} = ${`${address.muxed_id}`})` : null,
  ];
}

/** Returns the condition that the text is the beginning of the column. Null when it cannot be: then nothing is compared. */
export function begins(column: string, text: string, can_be: boolean): Condition | null {
  return can_be ? sql`starts_with(${asText(column)}, ${text})` : null;
}

/** Writes a column as the indexes do: by this collation, PostgreSQL finds the beginning of a text in them. */
function asText(column: string): RawBuilder<string> {
  return sql`(${sql.ref(column)}::text) collate "C"`;
}

/** Returns the condition that the text is a part of the column. */
export function contains(column: string, text: string): Condition {
  return sql`strpos(lower(${sql.ref(column)} collate "C"), ${asciiLower(text)}) > 0`;
}

const LONGEST_PART = 3;

/**
 * Returns what a text has in the index when it contains this one: the whole text if it is so short, or sequences of three bytes that
 * cover it. For each, the index goes through most rows that have it, so the sequences that overlap are left out; `contains` compares
 * the text itself.
 */
function partsOf(text: string): Buffer[] {
  const bytes = Buffer.from(asciiLower(text));
  const last = Math.max(0, bytes.length - LONGEST_PART);
  return Array.from({ length: Math.ceil(bytes.length / LONGEST_PART) }, (_, nth) => {
    const start = Math.min(nth * LONGEST_PART, last);
    return bytes.subarray(start, start + LONGEST_PART);
  });
}

/** Makes lower case as PostgreSQL does by collation "C". */
export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Leaves the nulls out. */
export function possible(conditions: (Condition | null)[]): Condition[] {
  return conditions.filter((condition) => condition !== null);
}

export function anyOf(conditions: Condition[]): Condition {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

/** Finds the ids that `select` finds for any of the conditions: a statement for each, so that each uses its own index. */
export function idsByAnyOf(
  conditions: Condition[],
  select: (condition: Condition) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(conditions.length === 0 ? [select(sql`false`)] : conditions.map(select), sql` union `);
}
