/** Lists a wallet's deposits and withdrawals together. Read only. */
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { newestFirst, type PageRequest } from '../db/newest-first.ts';
import { firstId, type IdPrefix } from '../lib/ids.ts';
import { isDepositFound, isWithdrawalFound } from './search-transactions.ts';

export type Transaction = {
  sort_key: string;
  type: 'deposit' | 'withdrawal';
  id: string;
  status: 'pending' | 'confirmed' | 'failed';
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  fee_stroops: bigint | null;
  counterparty: string;
  address_label: string | null;
  stellar_tx_hash: string | null;
  memo_id: bigint | null;
  memo_text: string | null;
  created_at: Date;
};

export type TransactionFilter = {
  type?: 'deposit' | 'withdrawal' | undefined;
  status?: 'pending' | 'confirmed' | 'failed' | undefined;
  /** Selects deposits. Withdrawals are neither attributed nor unattributed. */
  attributed?: boolean | undefined;
  /** Created at this time or later. */
  since?: Date | undefined;
  /** Created before this time. */
  until?: Date | undefined;
  search?: string | undefined;
};

/** Newest first; `sort_key` is an id without its prefix. */
export async function listTransactions(
  db: Db,
  wallet: { id: string; account: string },
  filter: TransactionFilter,
  page: PageRequest,
): Promise<Transaction[]> {
  const { type = null, status = null, attributed, search } = filter;
  const { id: wallet_id, account } = wallet;
  const in_time = (prefix: IdPrefix) => idsBetween(prefix, filter, page.before);
  const [dep, wd] = [in_time('dep'), in_time('wd')];
  const values = { wallet_id, ...(attributed !== undefined && { attributed }) };
  const deposits = newestFirst('deposits', values, dep.before);
  const withdrawals = newestFirst('withdrawals', { wallet_id }, wd.before);
  const no_withdrawals = type === 'deposit' || attributed !== undefined;
  const { rows } = await sql<Transaction>`
    (select substr(id, 5) as sort_key, 'deposit' as type, id, 'confirmed' as status, asset_code, asset_issuer,
            amount_stroops, null::bigint as fee_stroops, source_account as counterparty,
            ${labelOfAddress} as address_label, stellar_tx_hash, memo_id,
            case when memo_type = 'text' then memo end as memo_text, created_at
       from deposit_movements as deposits
      where ${deposits.where} and id >= ${dep.from}
        and coalesce(${type}::text, 'deposit') = 'deposit' and coalesce(${status}::text, 'confirmed') = 'confirmed'
        and ${search === undefined ? ANY : isDepositFound({ wallet_id, account, text: search })}
      order by ${deposits.order} limit ${page.limit})
    union all
    (select substr(id, 4), 'withdrawal', id, ${shownStatus}, 'native', null, amount_stroops, fee_stroops,
            destination, null, stellar_tx_hash, memo_id, null, created_at
       from withdrawal_movements as withdrawals
      where ${withdrawals.where} and id >= ${wd.from}
        and not ${no_withdrawals}
        and (${status}::text is null or ${shownStatus} = ${status}::text)
        and ${search === undefined ? ANY : isWithdrawalFound(search)}
      order by ${withdrawals.order} limit ${page.limit})
    order by sort_key desc limit ${page.limit}
  `.execute(db);
  return rows;
}

const ANY = sql<boolean>`true`;

/** A subquery per row of the page: a join could read every address of the wallet. */
const labelOfAddress = sql`(select label from address_labels where address_labels.id = deposits.address_id)`;

/** The API shows a withdrawal without an outcome as `pending`. */
const shownStatus = sql`case when status in ('queued', 'signed') then 'pending' else status end`;

/** Ids contain the creation time, so the list's index also serves the time filter. */
function idsBetween(prefix: IdPrefix, { since, until }: TransactionFilter, sort_key: string | undefined) {
  const bounds = [
    ...(sort_key === undefined ? [] : [`${prefix}_${sort_key}`]),
    ...(until === undefined ? [] : [firstId(prefix, until)]),
  ];
  return { from: since ? firstId(prefix, since) : '', before: bounds.sort()[0] };
}
