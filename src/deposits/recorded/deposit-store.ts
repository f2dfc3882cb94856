/** The only writer of deposits. */
import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { newestFirst, type PageRequest } from '../../db/newest-first.ts';
import type { Tables } from '../../db/tables.ts';
import { findAddress } from '../addresses/address-store.ts';

export type NewDeposit = Insertable<Tables['deposits']> & { below_minimum: boolean };
/**
 * `metadata`: that of its address when it was attributed; null without an address. `refund_withdrawal_id`: its refund that is not
 * failed; there is at most one.
 */
export type Deposit = Selectable<Tables['deposits']> & {
  metadata: string | null;
  refund_withdrawal_id: string | null;
};

/** An address without metadata has an empty object. */
const metadataAtAttribution = sql<string | null>`case when deposits.address_id is not null then coalesce(
  case when replaced_metadata.address_id is null then deposit_addresses.metadata else replaced_metadata.metadata end, '{}') end`;

function selectDeposits(db: Db) {
  return db
    .selectFrom('deposits')
    .leftJoin('deposit_addresses', 'deposit_addresses.id', 'deposits.address_id')
    .leftJoin('replaced_metadata', (join) =>
      join
        .onRef('replaced_metadata.address_id', '=', 'deposits.address_id')
        .on(sql<SqlBool>`replaced_metadata.version = coalesce(deposits.metadata_version, 0)`),
    )
    .selectAll('deposits')
    .select(metadataAtAttribution.as('metadata'))
    .select((eb) =>
      // A subquery per row: a join could read every refund, for a page of deposits without refunds.
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

/** Lists deposits, newest first. */
export async function listDeposits(
  db: Db,
  wallet_id: string,
  filter: { attributed: boolean | undefined; address_id: string | undefined },
  page: PageRequest,
): Promise<Deposit[]> {
  const { attributed, address_id } = filter;
  // A deposit with an address is attributed, and belongs to the wallet of the address.
  if (address_id !== undefined && (attributed === false || !(await findAddress(db, wallet_id, address_id))))
    return [];
  const values =
    address_id !== undefined
      ? { address_id }
      : { wallet_id, ...(attributed !== undefined && { attributed }) };
  const { where, order } = newestFirst('deposits', values, page.before, page.from);
  const rows = selectDeposits(db).where(where).orderBy(order).limit(page.limit);
  // Said once more: PostgreSQL does not see in `where` that its index, which has only deposits with an address, has all of them.
  return (address_id === undefined ? rows : rows.where('deposits.address_id', 'is not', null)).execute();
}

export async function countDeposits(db: Db): Promise<bigint> {
  const { count } = await db
    .selectFrom('deposits')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
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

/** Finds the refund that transaction `hash` paid, of a deposit by transaction `refunded_hash`. Both hashes are hex. */
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

/** Locks the deposit: concurrent assignments and refunds of it wait until the transaction ends. */
export async function lockDeposit(trx: Trx, wallet_id: string, id: string): Promise<void> {
  await trx
    .selectFrom('deposits')
    .select('id')
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .forUpdate()
    .execute();
}

/** Assigns a deposit to an address. Its event is made whatever the amount: a person has chosen the deposit. */
export async function assignToAddress(
  trx: Trx,
  id: string,
  address: { id: string; memo_id: bigint },
): Promise<void> {
  // The address before the day (trigger deposits_assigned), as in an insert: in the other order two transactions would deadlock.
  await noteActivity(
    sql`(select id, wallet_id, ${address.id}::text as address_id from deposits where id = ${id} and not attributed)`,
  ).execute(trx);
  await trx
    .updateTable('deposits')
    .set({
      address_id: address.id,
      memo_id: address.memo_id,
      attributed: true,
      assigned_by_hand: true,
      below_minimum: false,
    })
    .where('id', '=', id)
    .where('attributed', '=', false)
    .execute();
}

/** Makes these deposits the last ones of their addresses, if they are later. Ids contain the time. */
function noteActivity(deposits: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into address_activity as activity (address_id, wallet_id, latest_id)
    select address_id, wallet_id, max(id) from ${deposits} as deposit where address_id is not null
     group by address_id, wallet_id order by address_id
    on conflict (address_id) do update set latest_id = excluded.latest_id where activity.latest_id < excluded.latest_id`;
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
  below_minimum: 'boolean',
  created_at: 'timestamptz',
} as const;

/**
 * Inserts deposits and gives the new ones, with the metadata of their addresses. Known deposits stay unchanged. An address is noted once,
 * however many deposits it gets here, and addresses in the order of their ids: two transactions never wait for each other.
 */
export async function insertDeposits(trx: Trx, deposits: NewDeposit[]): Promise<Deposit[]> {
  if (deposits.length === 0) return [];
  const names = Object.keys(depositColumns) as (keyof typeof depositColumns)[];
  // One array per column: a statement takes at most 65,535 parameters, and a page of ledgers can have more credits.
  const arrays = names.map((name) => {
    return sql`${deposits.map((deposit) => deposit[name] ?? null)}::${sql.raw(depositColumns[name])}[]`;
  });
  const { rows: inserted } = await sql<{ id: string }>`
    with inserted as (
      insert into deposits (${sql.join(names.map((name) => sql.ref(name)))})
      select * from unnest(${sql.join(arrays)})
      on conflict (stellar_tx_hash, operation_index, event_index) do nothing
      returning id, wallet_id, address_id
    ), noted as (${noteActivity(sql`inserted`)})
    select id from inserted`.execute(trx);
  const ids = inserted.map(({ id }) => id);
  return selectDeposits(trx)
    .where(sql<SqlBool>`deposits.id = any(${ids}::text[])`)
    .orderBy('deposits.id')
    .execute();
}
