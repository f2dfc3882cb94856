/**
 * A search over all wallets that a member may use, and the payees of the team: one statement, made of a select for each kind of row,
 * which the owner of the rows writes. The select of a row that a wallet has goes through the wallets of `searched`, one after the other.
 * So neither what is found nor the time tells of another wallet.
 *
 * Each index is asked for few rows: a text that many rows have finds some of them. The list of a wallet finds all.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

export const FOUND_KINDS = [
  'wallet',
  'payee',
  'address',
  'deposit',
  'withdrawal',
  'adjustment',
  'payout',
  'asset',
  'webhook',
  'delivery',
] as const;

/** A row that is found. What a kind does not have is null. */
export type Found = {
  kind: (typeof FOUND_KINDS)[number];
  id: string;
  /** Null of a payee, which is of the team. */
  wallet_id: string | null;
  /** The endpoint of a delivery. */
  webhook_id: string | null;
  name: string | null;
  asset_code: string | null;
  asset_issuer: string | null;
  amount_stroops: bigint | null;
  counterparty: string | null;
  created_at: Date | null;
};

/** Rows of a kind that are shown. */
const OF_KIND = 5;
/** Rows that a way to find a kind reads. */
const OF_WAY = 200;

/** The account of the wallet that a select goes through, and its id. */
export const SEARCHED = { account: sql<string>`searched.account`, id: sql<string>`searched.id` };

type Column = Exclude<keyof Found, 'kind'>;
const TYPES: Record<Column, RawBuilder<unknown>> = {
  id: sql`text`,
  wallet_id: sql`text`,
  webhook_id: sql`text`,
  name: sql`text`,
  asset_code: sql`text`,
  asset_issuer: sql`text`,
  amount_stroops: sql`bigint`,
  counterparty: sql`text`,
  created_at: sql`timestamptz`,
};

/**
 * Returns a select of the newest rows of a kind. `columns`: SQL for what the kind has. `rest`: what follows `from`, up to the condition.
 */
export function selectFound(
  kind: Found['kind'],
  columns: { id: RawBuilder<unknown> } & Partial<Record<Column, RawBuilder<unknown>>>,
  rest: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const values = Object.entries(TYPES).map(
    ([name, type]) => sql`(${columns[name as Column] ?? sql`null`})::${type} as ${sql.ref(name)}`,
  );
  return sql`(select ${kind}::text as kind, ${sql.join(values)} from ${rest} order by id desc limit ${OF_KIND})`;
}

/**
 * Returns the newest ids of those that the selects find in the wallet `searched`, as an array in SQL. What is materialized is
 * planned for all of its rows, so each select uses its own index; of these rows only the first are read.
 */
export function foundIds(selects: RawBuilder<unknown>[]): RawBuilder<unknown> {
  if (selects.length === 0) return sql`array[]::text[]`;
  const ways = selects.map(
    (select) => sql`(with way as materialized (
      select in_wallet.id from searched cross join lateral (${select} offset 0) as in_wallet)
      select id from way limit ${OF_WAY})`,
  );
  return sql`array(with found as materialized (${sql.join(ways, sql` union `)})
                   select id from found order by id desc limit ${OF_KIND})`;
}

/** Runs the search. `wallets`: a select of id, account, name and created_at of each wallet that the member may use. */
export async function searchWallets(
  db: Db,
  wallets: RawBuilder<unknown>,
  selects: RawBuilder<unknown>[],
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    with searched as materialized (${wallets}) ${sql.join(selects, sql` union all `)}`.execute(db);
  return rows;
}
