/** The only writer of wallets. */
import { type SqlBool, sql } from 'kysely';
import type { NetworkName } from '../config.ts';
import type { Db } from '../db/database.ts';
import { createFinder } from '../db/finder.ts';
import { newestFirst, type PageRequest } from '../db/newest-first.ts';
import type { IdPrefix } from '../lib/ids.ts';

export type Wallet = {
  id: string;
  owner_id: string;
  name: string;
  network: NetworkName;
  account: string;
  status: 'unfunded' | 'active';
  /** Whether a memo text of digits counts as a memo id. */
  numeric_memo_text: boolean;
  created_at: Date;
};

/** Active once its account is known to exist: friendbot funded it, or a deposit came in. */
const isActive = sql<SqlBool>`(
  wallets.funded_at is not null or exists (select from deposits where deposits.wallet_id = wallets.id)
)`;

function selectWallets(db: Db) {
  return db
    .selectFrom('wallets')
    .select(['id', 'owner_id', 'name', 'network', 'account', 'numeric_memo_text', 'created_at'])
    .select(sql<Wallet['status']>`case when ${isActive} then 'active' else 'unfunded' end`.as('status'));
}

export async function insertWallet(
  db: Db,
  wallet: {
    id: string;
    owner_id: string;
    name: string;
    network: NetworkName;
    account: string;
    sealed_seed: Buffer;
    created_at: Date;
  },
): Promise<void> {
  await db.insertInto('wallets').values(wallet).execute();
}

export async function markFunded(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('wallets')
    .set({ funded_at: now })
    .where('id', '=', id)
    .where('funded_at', 'is', null)
    .execute();
}

export type WalletChange = { name?: string; numeric_memo_text?: boolean };

export async function updateWallet(db: Db, id: string, change: WalletChange): Promise<Wallet> {
  if (Object.keys(change).length > 0) {
    await db.updateTable('wallets').set(change).where('id', '=', id).execute();
  }
  return selectWallets(db).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Gives a function to a wallet. */
export function createWalletFinder(db: Db): (id: string) => Promise<Wallet | undefined> {
  return createFinder((ids) =>
    selectWallets(db).where('id', '=', sql<string>`any(${ids}::text[])`).execute(),
  );
}

/** Newest first. */
export async function listWallets(
  db: Db,
  owner_id: string,
  page: { limit: number; before: string | undefined },
): Promise<Wallet[]> {
  let query = selectWallets(db).where('owner_id', '=', owner_id);
  if (page.before !== undefined) query = query.where('id', '<', page.before);
  return query.orderBy('id', 'desc').limit(page.limit).execute();
}

/** What withdrawals that are not settled yet may still take from the wallet. */
export async function inFlightStroops(db: Db, wallet_id: string): Promise<bigint> {
  const { total } = await db
    .selectFrom('withdrawals')
    .select(sql<bigint>`coalesce(sum(amount_stroops), 0)`.as('total'))
    .where('wallet_id', '=', wallet_id)
    .where('status', 'in', ['queued', 'signed'])
    .executeTakeFirstOrThrow();
  return total;
}

export type TransactionRow = {
  sort_key: string;
  type: 'deposit' | 'withdrawal';
  id: string;
  status: 'pending' | 'confirmed' | 'failed';
  asset_code: string;
  amount_stroops: bigint;
  counterparty: string;
  stellar_tx_hash: string | null;
  memo_id: bigint | null;
  created_at: Date;
};

export type TransactionFilter = {
  type: 'deposit' | 'withdrawal' | undefined;
  status: 'pending' | 'confirmed' | 'failed' | undefined;
};

/** Deposits and withdrawals of a wallet in one list, newest first; `sort_key` is an id without its prefix. */
export async function listTransactions(
  db: Db,
  wallet_id: string,
  filter: TransactionFilter,
  page: PageRequest,
): Promise<TransactionRow[]> {
  const { type = null, status = null } = filter;
  const of = (table: string, prefix: IdPrefix) =>
    newestFirst(table, { wallet_id }, page.before && `${prefix}_${page.before}`);
  const [deposits, withdrawals] = [of('deposits', 'dep'), of('withdrawals', 'wd')];
  const { rows } = await sql<TransactionRow>`
    (select substr(id, 5) as sort_key, 'deposit' as type, id, 'confirmed' as status, asset_code, amount_stroops,
            source_account as counterparty, stellar_tx_hash, memo_id, created_at
       from deposits
      where ${deposits.where}
        and coalesce(${type}::text, 'deposit') = 'deposit' and coalesce(${status}::text, 'confirmed') = 'confirmed'
      order by ${deposits.order} limit ${page.limit})
    union all
    (select substr(id, 4), 'withdrawal', id, ${shownStatus}, 'native', amount_stroops,
            destination, stellar_tx_hash, memo_id, created_at
       from withdrawals
      where ${withdrawals.where}
        and coalesce(${type}::text, 'withdrawal') = 'withdrawal'
        and (${status}::text is null or ${shownStatus} = ${status}::text)
      order by ${withdrawals.order} limit ${page.limit})
    order by sort_key desc limit ${page.limit}
  `.execute(db);
  return rows;
}

/** Until it is settled, a withdrawal is `pending` to the outside. */
const shownStatus = sql`case when status in ('queued', 'signed') then 'pending' else status end`;
