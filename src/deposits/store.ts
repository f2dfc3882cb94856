/** The only writer of deposit_addresses and deposits. */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { newestFirst, type PageRequest } from '../db/newest-first.ts';
import { isAddressFound } from '../db/search.ts';
import type { Tables } from '../db/tables.ts';
import { type AddressKey, addressKey, } from './ingest/attribute.ts';
import type { Wallets } from './ingest/attribute.ts';

// deposit addresses

export type DepositAddress = Selectable<Tables['deposit_addresses']> & { account: string };

const addressColumns = [
  'deposit_addresses.id',
  'deposit_addresses.wallet_id',
  'deposit_addresses.memo_id',
  'deposit_addresses.label',
  'deposit_addresses.metadata',
  'deposit_addresses.created_at',
  'wallet_accounts.account',
] as const;

function selectAddresses(db: Db) {
  return db
    .selectFrom('deposit_addresses')
    .innerJoin('wallet_accounts', 'wallet_accounts.id', 'deposit_addresses.wallet_id')
    .select(addressColumns);
}

/** False when the wallet has an address with this memo id already. */
export async function insertAddress(
  db: Db,
  address: Insertable<Tables['deposit_addresses']>,
): Promise<boolean> {
  const inserted = await db
    .insertInto('deposit_addresses')
    .values(address)
    .onConflict((conflict) => conflict.columns(['wallet_id', 'memo_id']).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

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

/** Newest first. */
export async function listAddresses(
  db: Db,
  wallet: { id: string; account: string },
  { search }: { search: string | undefined },
  page: PageRequest,
): Promise<DepositAddress[]> {
  const { where, order } = newestFirst('deposit_addresses', { wallet_id: wallet.id }, page.before);
  let query = selectAddresses(db).where(where);
  if (search !== undefined)
    query = query.where(isAddressFound('deposit_addresses', { account: wallet.account, text: search }));
  return query.orderBy(order).limit(page.limit).execute();
}

export type Received = {
  asset_code: string;
  asset_issuer: string | null;
  count: number;
  amount_stroops: bigint;
};

/** All that was paid to an address, by asset, the native one first. */
export async function receivedBy(db: Db, address_id: string): Promise<Received[]> {
  const { rows } = await sql<Received>`
    select asset_code, asset_issuer, count(*)::int as count, sum(amount_stroops) as amount_stroops
      from deposits where address_id = ${address_id}
     group by asset_code, asset_issuer
     order by asset_issuer nulls first, asset_code
  `.execute(db);
  return rows;
}

// deposits

export type NewDeposit = Insertable<Tables['deposits']>;
/** `metadata` of its address; `refund_withdrawal_id`: the refund that is not failed, of which there is one at most. */
export type Deposit = Selectable<Tables['deposits']> & {
  metadata: string | null;
  refund_withdrawal_id: string | null;
};

function selectDeposits(db: Db) {
  return db
    .selectFrom('deposits')
    .leftJoin('deposit_addresses', 'deposit_addresses.id', 'deposits.address_id')
    .selectAll('deposits')
    .select('deposit_addresses.metadata')
    .select((eb) =>
      // Row by row: a join may read every refund there is, for a page of deposits that have none.
      eb
        .selectFrom('refunds')
        .select('refunds.id')
        .whereRef('refunds.refund_of', '=', 'deposits.id')
        .where('refunds.status', '<>', 'failed')
        .as('refund_withdrawal_id'),
    );
}

export async function findDeposit(db: Db, wallet_id: string, id: string): Promise<Deposit | undefined> {
  return selectDeposits(db)
    .where('deposits.wallet_id', '=', wallet_id)
    .where('deposits.id', '=', id)
    .executeTakeFirst();
}

/** Newest first. */
export async function listDeposits(
  db: Db,
  wallet_id: string,
  filter: { attributed: boolean | undefined; address_id: string | undefined },
  page: PageRequest,
): Promise<Deposit[]> {
  const { attributed, address_id } = filter;
  // What has an address is attributed; and all that an address has is of its wallet.
  if (address_id !== undefined && (attributed === false || !(await findAddress(db, wallet_id, address_id))))
    return [];
  const values =
    address_id !== undefined
      ? { address_id }
      : { wallet_id, ...(attributed !== undefined && { attributed }) };
  const { where, order } = newestFirst('deposits', values, page.before);
  return selectDeposits(db).where(where).orderBy(order).limit(page.limit).execute();
}

/** An inbox this full needs no exact number, and must not be counted every two seconds. */
export const INBOX_COUNTED = 1000;

/** Deposits of no address that are not refunded; INBOX_COUNTED at most. */
export async function countInbox(db: Db, wallet_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select from deposits
             where wallet_id = ${wallet_id} and not attributed
               and not exists (select from refunds where refund_of = deposits.id and status <> 'failed')
             limit ${INBOX_COUNTED}) as waiting
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export async function depositsOfTransaction(db: Db, wallet_id: string, hash: string): Promise<Deposit[]> {
  return selectDeposits(db)
    .where('deposits.stellar_tx_hash', '=', hash)
    .where('deposits.wallet_id', '=', wallet_id)
    .orderBy('deposits.operation_index')
    .orderBy('deposits.event_index')
    .execute();
}

export type Refund = { id: string; refund_of: string };

/** The refund whose payment is transaction `hash`, of a deposit that transaction `refunded_hash` made; both in hex. */
export async function refundBy(
  db: Db,
  wallet_id: string,
  { hash, refunded_hash }: { hash: string; refunded_hash: string },
): Promise<Refund | undefined> {
  return db
    .selectFrom('deposits')
    .innerJoin('refunds', 'refunds.refund_of', 'deposits.id')
    .select(['refunds.id', 'deposits.id as refund_of'])
    .where('deposits.stellar_tx_hash', '=', refunded_hash)
    .where('deposits.wallet_id', '=', wallet_id)
    .where('refunds.stellar_tx_hash', '=', hash)
    .executeTakeFirst();
}

/** Keeps everybody else who would assign or refund it waiting until the transaction ends. */
export async function lockDeposit(trx: Trx, wallet_id: string, id: string): Promise<void> {
  await trx
    .selectFrom('deposits')
    .select('id')
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .forUpdate()
    .execute();
}

export async function assignToAddress(
  trx: Trx,
  id: string,
  address: { id: string; memo_id: bigint },
): Promise<void> {
  await trx
    .updateTable('deposits')
    .set({ address_id: address.id, memo_id: address.memo_id, attributed: true, assigned_by_hand: true })
    .where('id', '=', id)
    .where('attributed', '=', false)
    .execute();
}

const depositColumns = {
  id: 'text',
  wallet_id: 'text',
  address_id: 'text',
  asset_code: 'text',
  asset_issuer: 'text',
  amount_stroops: 'bigint',
  source_account: 'text',
  source_account_muxed: 'text',
  stellar_tx_hash: 'text',
  operation_index: 'integer',
  event_index: 'integer',
  kind: 'text',
  memo_id: 'numeric',
  memo_type: 'text',
  memo: 'text',
  ledger: 'integer',
  attributed: 'boolean',
  created_at: 'timestamptz',
} as const;

/** The deposits that were new, with their address's metadata; one that is known already is left out. */
export async function insertDeposits(trx: Trx, deposits: NewDeposit[]): Promise<Deposit[]> {
  if (deposits.length === 0) return [];
  const names = Object.keys(depositColumns) as (keyof typeof depositColumns)[];
  // A column as one array: a statement takes 65,535 parameters at most, and a page of ledgers can hold more credits.
  const arrays = names.map((name) => {
    return sql`${deposits.map((deposit) => deposit[name] ?? null)}::${sql.raw(depositColumns[name])}[]`;
  });
  const { rows: inserted } = await sql<{ id: string }>`
    insert into deposits (${sql.join(names.map((name) => sql.ref(name)))})
    select * from unnest(${sql.join(arrays)})
    on conflict (stellar_tx_hash, operation_index, event_index) do nothing
    returning id`.execute(trx);
  const ids = inserted.map(({ id }) => id);
  return selectDeposits(trx)
    .where(sql<SqlBool>`deposits.id = any(${ids}::text[])`)
    .orderBy('deposits.id')
    .execute();
}

// what attribution asks

/** By account, for those of `accounts` that are wallets. */
export async function walletsByAccount(db: Db, accounts: string[]): Promise<Wallets> {
  if (accounts.length === 0) return new Map();
  const rows = await db
    .selectFrom('wallet_accounts')
    .select(['id', 'account', 'numeric_memo_text'])
    .where(sql<SqlBool>`account = any(${accounts}::text[])`)
    .execute();
  return new Map(rows.map(({ account, ...wallet }) => [account, wallet]));
}

/** Address ids by `addressKey`, for those of `keys` that are deposit addresses. */
export async function addressesByKey(db: Db, keys: AddressKey[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const wallet_ids = keys.map(({ wallet_id }) => wallet_id);
  const memo_ids = keys.map(({ memo_id }) => memo_id);
  const { rows } = await sql<{ id: string; wallet_id: string; memo_id: bigint }>`
    select address.id, address.wallet_id, address.memo_id
      from unnest(${wallet_ids}::text[], ${memo_ids}::bigint[]) as wanted (wallet_id, memo_id)
      join deposit_addresses address using (wallet_id, memo_id)
  `.execute(db);
  return new Map(rows.map((row) => [addressKey(row), row.id]));
}
