/** Lists a wallet's deposits, withdrawals and adjustments together. Read only. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { idsBetween, newestFirst, type PageRequest, type Span } from '../db/newest-first.ts';
import { findPage, NEAR_ROWS } from '../db/search.ts';
import type { AssetFields } from '../stellar/asset.ts';
import type { AdjustmentReason } from '../stellar/credits/adjustment.ts';
import { isOf } from './asset-condition.ts';
import {
  foundAdjustments,
  foundDeposits,
  foundWithdrawals,
  isAdjustmentFound,
  isDepositFound,
  isWithdrawalFound,
} from './search-transactions.ts';

export type TransactionType = 'deposit' | 'withdrawal' | 'adjustment';

export type Transaction = {
  sort_key: string;
  type: TransactionType;
  id: string;
  status: 'awaiting_approval' | 'pending' | 'confirmed' | 'failed';
  /** Of an adjustment. */
  reason: AdjustmentReason | null;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  fee_stroops: bigint | null;
  counterparty: string;
  address_label: string | null;
  stellar_tx_hash: string | null;
  memo_id: bigint | null;
  memo_text: string | null;
  /** Of a withdrawal, as the two below. */
  reference: string | null;
  payout_id: string | null;
  payout_row: number | null;
  /** False for all but deposits. */
  below_minimum: boolean;
  created_at: Date;
};

export type TransactionFilter = Span & {
  type?: TransactionType | undefined;
  status?: 'awaiting_approval' | 'pending' | 'confirmed' | 'failed' | undefined;
  /** Selects deposits. Only they are attributed or unattributed. */
  attributed?: boolean | undefined;
  asset?: AssetFields | undefined;
  min_amount_stroops?: bigint | undefined;
  max_amount_stroops?: bigint | undefined;
  search?: string | undefined;
};

type Wallet = { id: string; account: string; owner_id: string };

/** Lists a page of the wallet's transactions, newest first. `sort_key` is an id without its prefix. */
export async function listTransactions(
  db: Db,
  wallet: Wallet,
  filter: TransactionFilter,
  { limit, before }: PageRequest,
): Promise<Transaction[]> {
  const sides = [deposits, withdrawals, adjustments].map((side) => side(wallet, filter, before));
  if (filter.search === undefined) {
    const selects = sides.map(({ select, all }) => sql`(${select(all)} limit ${limit})`);
    const all = sql.join(selects, sql` union all `);
    return (await sql<Transaction>`${all} order by sort_key desc limit ${limit}`.execute(db)).rows;
  }
  const found: Transaction[] = [];
  for (const { select, near, indexed } of sides) {
    const read = async (rows: RawBuilder<unknown>) =>
      (await sql<Transaction>`${select(rows)} limit ${limit}`.execute(db)).rows;
    found.push(...(await findPage(limit, { near: () => read(near()), indexed: () => read(indexed(limit)) })));
  }
  return found.sort((a, b) => (a.sort_key < b.sort_key ? 1 : -1)).slice(0, limit);
}

/**
 * The deposits, the withdrawals or the adjustments. `select` makes transactions of rows, newest first. `all`: the rows that the filter lets
 * through; of these `near` gives what is found among the newest, and `indexed` the newest that are found at all.
 */
type Side = {
  select(rows: RawBuilder<unknown>): RawBuilder<unknown>;
  all: RawBuilder<unknown>;
  near(): RawBuilder<unknown>;
  indexed(limit: number): RawBuilder<unknown>;
};

function deposits(wallet: Wallet, filter: TransactionFilter, before: string | undefined): Side {
  const { type = 'deposit', status = 'confirmed', attributed, search = '' } = filter;
  const wallet_id = wallet.id;
  const span = idsBetween('dep', filter, before && `dep_${before}`);
  const values = { wallet_id, ...(attributed !== undefined && { attributed }) };
  const { where, unordered, order } = newestFirst('deposits', values, span.before, span.from);
  const none = type !== 'deposit' || status !== 'confirmed';
  const more = sql<SqlBool>`not ${sql.lit(none)} and ${hasAmount(filter)}`;
  const all = sql`select * from deposit_movements as deposits where ${where} and ${more}`;
  const sought = { wallet_id, account: wallet.account, text: search };
  return {
    select: (rows) => sql`
      select substr(id, 5) as sort_key, 'deposit' as type, id, 'confirmed' as status, null as reason, asset_code,
             asset_issuer, amount_stroops, null::bigint as fee_stroops, source_account as counterparty,
             ${labelOfAddress} as address_label, stellar_tx_hash, memo_id,
             case when memo_type = 'text' then memo end as memo_text, null as reference, null as payout_id,
             null::int as payout_row, below_minimum, created_at
        from (${rows}) as deposits order by ${order}`,
    all,
    near: () => sql`
      select * from (${all} order by ${order} limit ${NEAR_ROWS}) as deposits where ${isDepositFound(sought)}`,
    indexed: (limit) => sql`
      select * from deposit_movements where id = any(${newestOf(foundDeposits(sought, sql`${unordered} and ${more}`), limit)})`,
  };
}

function withdrawals(wallet: Wallet, filter: TransactionFilter, before: string | undefined): Side {
  const { type = 'withdrawal', status, attributed, search = '' } = filter;
  const span = idsBetween('wd', filter, before && `wd_${before}`);
  const { where, unordered, order } = newestFirst(
    'withdrawals',
    { wallet_id: wallet.id },
    span.before,
    span.from,
  );
  const none = type !== 'withdrawal' || attributed !== undefined;
  const with_status = status === undefined ? sql`true` : HAS_STATUS[status];
  const more = sql<SqlBool>`not ${sql.lit(none)} and ${with_status} and ${hasAmount(filter)}`;
  const all = sql`select * from withdrawal_movements as withdrawals where ${where} and ${more}`;
  const sought = { owner_id: wallet.owner_id, text: search };
  return {
    select: (rows) => sql`
      select substr(id, 4) as sort_key, 'withdrawal' as type, id, ${shownStatus} as status, null as reason,
             asset_code, asset_issuer, amount_stroops, fee_stroops, destination as counterparty, null as address_label,
             stellar_tx_hash, memo_id, null as memo_text, reference, payout_id, payout_row, false as below_minimum, created_at
        from (${rows}) as withdrawals order by ${order}`,
    all,
    near: () => sql`
      select * from (${all} order by ${order} limit ${NEAR_ROWS}) as withdrawals where ${isWithdrawalFound(sought)}`,
    indexed: (limit) => sql`
      select * from withdrawal_movements where id = any(${newestOf(foundWithdrawals(sought, sql`${unordered} and ${more}`), limit)})`,
  };
}

function adjustments(wallet: Wallet, filter: TransactionFilter, before: string | undefined): Side {
  const { type = 'adjustment', status = 'confirmed', attributed, search = '' } = filter;
  const span = idsBetween('adj', filter, before && `adj_${before}`);
  const { where, unordered, order } = newestFirst(
    'adjustments',
    { wallet_id: wallet.id },
    span.before,
    span.from,
  );
  const none = type !== 'adjustment' || status !== 'confirmed' || attributed !== undefined;
  const more = sql<SqlBool>`not ${sql.lit(none)} and ${hasAmount(filter)}`;
  const all = sql`select * from adjustment_movements as adjustments where ${where} and ${more}`;
  return {
    select: (rows) => sql`
      select substr(id, 5) as sort_key, 'adjustment' as type, id, 'confirmed' as status, reason, asset_code,
             asset_issuer, amount_stroops, null::bigint as fee_stroops, caused_by as counterparty,
             null as address_label, stellar_tx_hash, null::numeric as memo_id, null as memo_text, null as reference,
             null as payout_id, null::int as payout_row, false as below_minimum, created_at
        from (${rows}) as adjustments order by ${order}`,
    all,
    near: () => sql`
      select * from (${all} order by ${order} limit ${NEAR_ROWS}) as adjustments where ${isAdjustmentFound(search)}`,
    indexed: (limit) => sql`
      select * from adjustment_movements where id = any(${newestOf(foundAdjustments(search, sql`${unordered} and ${more}`), limit)})`,
  };
}

/**
 * Returns the newest of these ids, at most `limit`, as an array in SQL. The ids are materialized: else PostgreSQL might read row
 * after row from the newest one on until it has found enough.
 */
function newestOf(ids: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  return sql`array(with found as materialized (${ids}) select id from found order by id desc limit ${limit})`;
}

/** Returns the condition on asset and amount, whose columns all three kinds have. */
function hasAmount({
  asset,
  min_amount_stroops,
  max_amount_stroops,
}: TransactionFilter): RawBuilder<SqlBool> {
  const conditions = [sql<SqlBool>`true`];
  if (asset) conditions.push(isOf(asset));
  if (min_amount_stroops !== undefined) conditions.push(sql`amount_stroops >= ${min_amount_stroops}`);
  if (max_amount_stroops !== undefined) conditions.push(sql`amount_stroops <= ${max_amount_stroops}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** A subquery per row of the page: a join could read every address of the wallet. */
const labelOfAddress = sql`(select label from address_labels where address_labels.id = deposits.address_id)`;

/** The API shows a withdrawal without an outcome as `pending`. */
const shownStatus = sql`case when status in ('queued', 'signed') then 'pending' else status end`;

/** As in the indexes, each of which has the withdrawals with one of these. */
const HAS_STATUS = {
  awaiting_approval: sql`withdrawals.status = 'awaiting_approval'`,
  pending: sql`withdrawals.status in ('queued', 'signed')`,
  confirmed: sql`withdrawals.status = 'confirmed'`,
  failed: sql`withdrawals.status = 'failed'`,
};
