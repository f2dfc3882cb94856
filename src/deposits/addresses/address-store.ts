/** The only writer of deposit_addresses and replaced_metadata. deposit-store.ts writes address_activity too, with each deposit. */
import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { newestFirst, type PageRequest } from '../../db/newest-first.ts';
import {
  anyOf,
  findPage,
  idsByAnyOf,
  indexedWaysToAddress,
  NEAR_ROWS,
  waysToAddress,
} from '../../db/search.ts';
import type { Tables } from '../../db/tables.ts';
import { firstId } from '../../lib/ids.ts';

type AddressRow = Selectable<Tables['deposit_addresses']>;
export type DepositAddress = AddressRow & { account: string; last_deposit_at: Date | null };

export type AddressChange = { label?: string | null; metadata?: string };

const addressColumns = [
  'deposit_addresses.id',
  'deposit_addresses.wallet_id',
  'deposit_addresses.memo_id',
  'deposit_addresses.label',
  'deposit_addresses.metadata',
  'deposit_addresses.metadata_version',
  'deposit_addresses.created_at',
  'wallet_accounts.account',
] as const;

function selectAddresses(db: Db) {
  return db
    .selectFrom('deposit_addresses')
    .innerJoin('wallet_accounts', 'wallet_accounts.id', 'deposit_addresses.wallet_id')
    .select(addressColumns)
    .select((eb) =>
      eb
        .selectFrom('address_activity')
        .innerJoin('deposits', 'deposits.id', 'address_activity.latest_id')
        .select('deposits.created_at')
        .whereRef('address_activity.address_id', '=', 'deposit_addresses.id')
        .as('last_deposit_at'),
    );
}

/** Inserts an address. Returns false when the wallet has an address with this memo id already. */
export async function insertAddress(
  db: Db,
  address: Insertable<Tables['deposit_addresses']>,
): Promise<boolean> {
  const inserted = await db
    .with('made', (made) =>
      made
        .insertInto('deposit_addresses')
        .values(address)
        .onConflict((conflict) => conflict.columns(['wallet_id', 'memo_id']).doNothing())
        .returning(['id', 'wallet_id']),
    )
    .insertInto('address_activity')
    .columns(['address_id', 'wallet_id', 'latest_id'])
    .expression((eb) => eb.selectFrom('made').select(['made.id as address_id', 'wallet_id', 'made.id']))
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Finds an address; undefined when the wallet has no such address. */
export async function findAddress(
  db: Db,
  wallet_id: string,
  id: string,
): Promise<DepositAddress | undefined> {
  return selectAddresses(db)
    .where('deposit_addresses.wallet_id', '=', wallet_id)
    .where('deposit_addresses.id', '=', id)
    .executeTakeFirst();
}

/** Locks the address until the transaction ends, against another change; deposits to it do not wait. */
export async function lockAddress(trx: Trx, wallet_id: string, id: string): Promise<AddressRow | undefined> {
  return trx
    .selectFrom('deposit_addresses')
    .selectAll()
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Changes an address that is locked. Other metadata gets the next version, and what it replaces is kept for the deposits of
 * its time: a trigger gives each deposit the version at its attribution.
 */
export async function updateAddress(
  trx: Trx,
  before: AddressRow,
  { label, metadata }: AddressChange,
): Promise<void> {
  const { id: address_id, metadata_version: version } = before;
  const replaces = metadata !== undefined && metadata !== (before.metadata ?? '{}');
  if (replaces)
    await trx
      .insertInto('replaced_metadata')
      .values({ address_id, version, metadata: before.metadata })
      .execute();
  if (!replaces && label === undefined) return;
  await trx
    .updateTable('deposit_addresses')
    .set({
      ...(label === undefined ? {} : { label }),
      ...(replaces ? { metadata, metadata_version: version + 1 } : {}),
    })
    .where('id', '=', address_id)
    .execute();
}

/** Lists addresses, newest first. */
export async function listAddresses(db: Db, wallet_id: string, page: PageRequest): Promise<DepositAddress[]> {
  const { where, order } = newestFirst('deposit_addresses', { wallet_id }, page.before, page.from);
  return selectAddresses(db).where(where).orderBy(order).limit(page.limit).execute();
}

export type ActiveAddress = DepositAddress & { latest_id: string };

/**
 * Lists addresses by their last deposit, the newest first, then those without a deposit, newest first. `before`: the `latest_id` of the
 * address after which the page begins.
 */
export async function listByLastDeposit(
  db: Db,
  wallet_id: string,
  { limit, before = AFTER_ALL }: Pick<PageRequest, 'limit' | 'before'>,
): Promise<ActiveAddress[]> {
  // As in `newestFirst`: only the index of the list gives this order.
  const key = sql`(address_activity.wallet_id, address_activity.latest_id)`;
  return selectAddresses(db)
    .innerJoin('address_activity', 'address_activity.address_id', 'deposit_addresses.id')
    .select('address_activity.latest_id')
    .where(sql<SqlBool>`${key} >= (${wallet_id}, '') and ${key} < (${wallet_id}, ${before})`)
    .orderBy('address_activity.wallet_id', 'desc')
    .orderBy('address_activity.latest_id', 'desc')
    .limit(limit)
    .execute();
}

/** Sorts after every id. */
const AFTER_ALL = '~';

/** Lists the addresses that a search finds, newest first. */
export async function searchAddresses(
  db: Db,
  wallet: { id: string; account: string },
  text: string,
  { limit, before, from }: PageRequest,
): Promise<DepositAddress[]> {
  const { where, unordered, order } = newestFirst(
    'deposit_addresses',
    { wallet_id: wallet.id },
    before,
    from,
  );
  const sought = { wallet_id: wallet.id, account: wallet.account, text };
  const read = (ids: RawBuilder<unknown>) =>
    selectAddresses(db)
      .where(sql<SqlBool>`deposit_addresses.id = any(array(${ids} order by id desc limit ${limit}))`)
      .orderBy('deposit_addresses.id', 'desc')
      .execute();
  const newest = sql`select * from deposit_addresses where ${where} order by ${order} limit ${NEAR_ROWS}`;
  const found = idsByAnyOf(
    indexedWaysToAddress('deposit_addresses', sought),
    (way) => sql`select id from deposit_addresses where ${unordered} and ${way}`,
  );
  return findPage(limit, {
    near: () =>
      read(sql`select id from (${newest}) as address where ${anyOf(waysToAddress('address', sought))}`),
    indexed: () => read(sql`with found as materialized (${found}) select id from found`),
  });
}

export type Received = {
  asset_code: string;
  asset_issuer: string | null;
  count: number;
  amount_stroops: bigint;
};

/** Adds up all deposits of an address, by asset. The native asset comes first. */
export async function receivedBy(db: Db, address_id: string): Promise<Received[]> {
  const { rows } = await sql<Received>`
    select asset_code, asset_issuer, count(*)::int as count, sum(amount_stroops) as amount_stroops
      from deposits where address_id = ${address_id}
     group by asset_code, asset_issuer
     order by asset_issuer nulls first, asset_code
  `.execute(db);
  return rows;
}

/** Of one address in a list: a page may have 200 of them. */
export const MOST_SUMMED = 10_000;

/** Adds to each address the sums of its deposits since a time; null without a time, and for more than `MOST_SUMMED` deposits. */
export async function withReceived<Row extends { id: string }>(
  db: Db,
  rows: Row[],
  since: Date | undefined,
  most = MOST_SUMMED,
): Promise<(Row & { received: Received[] | null })[]> {
  if (since === undefined) return rows.map((row) => ({ ...row, received: null }));
  const ids = rows.map(({ id }) => id);
  // One address after the other: of several, PostgreSQL may read all deposits since the time, those of other addresses too.
  const sums = await sql<{ address_id: string; is_whole: boolean } & Received>`
    select wanted.address_id, sums.*
      from unnest(${ids}::text[]) as wanted (address_id)
     cross join lateral (
       select asset_code, asset_issuer, count(*)::int as count, sum(amount_stroops) as amount_stroops,
              sum(count(*)) over () <= ${most} as is_whole
         from (select asset_code, asset_issuer, amount_stroops from deposits
                where deposits.address_id = wanted.address_id and deposits.id >= ${firstId('dep', since)}
                limit ${most + 1}) as read
        group by asset_code, asset_issuer) as sums
     order by asset_issuer nulls first, asset_code
  `.execute(db);
  const received = new Map<string, Received[] | null>();
  for (const { address_id, is_whole, ...sum } of sums.rows)
    received.set(address_id, is_whole ? [...(received.get(address_id) ?? []), sum] : null);
  return rows.map((row) => ({
    ...row,
    received: received.has(row.id) ? (received.get(row.id) ?? null) : [],
  }));
}
