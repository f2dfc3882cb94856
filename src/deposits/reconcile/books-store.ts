/** Reads the books of wallets: deposits, withdrawals and fees, complete through a ledger that both cursors have reached. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { bothCursorsHavePassed } from '../../ledgers/both-cursors.ts';

export type WalletAtLedger = { wallet_id: string; ledger: number };
export type Book = WalletAtLedger & {
  asset_code: string;
  /** Empty for the native asset, as in `reconciliations`. */
  asset_issuer: string;
  deposits_stroops: bigint;
  withdrawals_stroops: bigint;
  fees_stroops: bigint;
};

/** A wallet may have millions of deposits, and a statement is cancelled after 30 s. */
const BOOKS_AT_ONCE = 20;

/**
 * The books of each wallet through a ledger, by asset. The native asset is always there. A wallet is left out unless
 * both cursors have passed its ledger in the same snapshot of the database.
 */
export async function booksAt(db: Db, asked: WalletAtLedger[]): Promise<Book[]> {
  const books: Book[] = [];
  for (let start = 0; start < asked.length; start += BOOKS_AT_ONCE) {
    const some = asked.slice(start, start + BOOKS_AT_ONCE);
    const { rows } = await sql<Book>`
      select asked.wallet_id, asked.ledger, entry.asset_code, entry.asset_issuer,
             sum(entry.deposits) as deposits_stroops, sum(entry.withdrawals) as withdrawals_stroops,
             sum(entry.fees) as fees_stroops
        from unnest(${some.map(({ wallet_id }) => wallet_id)}::text[], ${some.map(({ ledger }) => ledger)}::int[])
             as asked (wallet_id, ledger)
       cross join lateral (
             select asset_code, coalesce(asset_issuer, '') as asset_issuer, sum(amount_stroops) as deposits,
                    0::numeric as withdrawals, 0::numeric as fees
               from deposits
              where deposits.wallet_id = asked.wallet_id and deposits.ledger <= asked.ledger
              group by asset_code, asset_issuer
              union all
             select 'native', '', 0, coalesce(sum(amount_stroops) filter (where status = 'confirmed'), 0),
                    coalesce(sum(fee_stroops), 0)
               from withdrawal_movements as withdrawal
              where withdrawal.wallet_id = asked.wallet_id and withdrawal.ledger <= asked.ledger
             ) as entry
       where ${bothCursorsHavePassed(sql.ref('asked.ledger'))}
       group by asked.wallet_id, asked.ledger, entry.asset_code, entry.asset_issuer
    `.execute(db);
    books.push(...rows);
  }
  return books;
}

export type BookedChange = { stellar_tx_hash: string; ledger: number; asset: string; stroops: bigint };

/** The change of a wallet's books by each transaction after ledger `after` through `ledger`, by asset (`assetOf`). */
export async function bookedBetween(
  db: Db,
  { wallet_id, ledger }: WalletAtLedger,
  after: number,
): Promise<BookedChange[]> {
  const { rows } = await sql<BookedChange>`
    select stellar_tx_hash, ledger, asset, sum(stroops) as stroops
      from (select stellar_tx_hash, ledger, asset_code || ':' || coalesce(asset_issuer, '') as asset,
                   amount_stroops::numeric as stroops
              from deposits
             where wallet_id = ${wallet_id} and ledger > ${after} and ledger <= ${ledger}
             union all
            select stellar_tx_hash, ledger, 'native:',
                   - fee_stroops::numeric - case when status = 'confirmed' then amount_stroops else 0 end
              from withdrawal_movements
             where wallet_id = ${wallet_id} and ledger > ${after} and ledger <= ${ledger}) as entry
     group by stellar_tx_hash, ledger, asset
  `.execute(db);
  return rows;
}

/** Key of an asset in maps; of the native asset, `native:`. */
export function assetOf({ asset_code, asset_issuer }: Pick<Book, 'asset_code' | 'asset_issuer'>): string {
  return `${asset_code}:${asset_issuer}`;
}

const MAX_QUARANTINED = 1_000;

/** Quarantined transactions, dismissed ones too, newest first. `envelope_xdr`: base64. */
export async function openQuarantined(
  db: Db,
): Promise<{ hash: string; ledger: number; envelope_xdr: string }[]> {
  return db
    .selectFrom('quarantined_transactions')
    .select(['hash', 'ledger', 'envelope_xdr'])
    .where('resolved_at', 'is', null)
    .orderBy('ledger', 'desc')
    .limit(MAX_QUARANTINED)
    .execute();
}
