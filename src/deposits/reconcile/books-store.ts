/** Reads the books of wallets: deposits, withdrawals, adjustments and fees, complete through a ledger that both cursors have reached. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { isTimedOut } from '../../db/failures.ts';
import { bothCursorsHavePassed } from '../../ledgers/both-cursors.ts';
import type { Asset } from '../../stellar/stellar.ts';

export type WalletAtLedger = { wallet_id: string; ledger: number };
export type Book = WalletAtLedger & {
  asset_code: string;
  /** Empty for the native asset, as in `reconciliations`. */
  asset_issuer: string;
  deposits_stroops: bigint;
  withdrawals_stroops: bigint;
  adjustments_stroops: bigint;
  fees_stroops: bigint;
};

/** A wallet may have millions of deposits, and a statement is cancelled after 30 s. */
const SUMMED_AT_ONCE = 100;
const CONTINUED_AT_ONCE = 500;

/**
 * Reads the books of each wallet through a ledger, by asset, summed from all rows. The native asset is always there. A wallet is
 * left out unless both cursors have passed its ledger in the same snapshot of the database.
 */
export async function booksAt(db: Db, asked: WalletAtLedger[]): Promise<Book[]> {
  return inParts(asked, SUMMED_AT_ONCE, (some) => sumAll(db, some));
}

/**
 * Reads the same books, as the sums of the last comparison and the rows of the ledgers since. A wallet without a comparison, or
 * whose last one was at a later ledger, is left out.
 */
export async function booksContinued(db: Db, asked: WalletAtLedger[]): Promise<Book[]> {
  return inParts(asked, CONTINUED_AT_ONCE, (some) => sumOnward(db, some));
}

/** Sums in parts. When a statement takes too long, halves its part, so that no wallet suffers from the size of another. */
async function inParts(
  asked: WalletAtLedger[],
  at_once: number,
  sum: (some: WalletAtLedger[]) => Promise<Book[]>,
): Promise<Book[]> {
  const books: Book[] = [];
  for (let start = 0; start < asked.length; start += at_once) {
    const some = asked.slice(start, start + at_once);
    try {
      books.push(...(await sum(some)));
    } catch (error) {
      if (!isTimedOut(error) || some.length === 1) throw error;
      books.push(...(await inParts(some, Math.ceil(some.length / 2), sum)));
    }
  }
  return books;
}

async function sumAll(db: Db, asked: WalletAtLedger[]): Promise<Book[]> {
  return sumOf(
    db,
    asked,
    sql`
      select asset_code, coalesce(asset_issuer, '') as asset_issuer, sum(amount_stroops) as deposits,
             0::numeric as withdrawals, 0::numeric as adjustments, 0::numeric as fees
        from deposits
       where deposits.wallet_id = asked.wallet_id and deposits.ledger <= asked.ledger
       group by asset_code, asset_issuer
       union all
      select entry.*
        from (select asset_code, coalesce(asset_issuer, '') as asset_issuer,
                     coalesce(sum(amount_stroops) filter (where status = 'confirmed'), 0) as withdrawn,
                     coalesce(sum(fee_stroops), 0) as fees
                from withdrawal_bookings as booked
               where booked.wallet_id = asked.wallet_id and booked.ledger <= asked.ledger
               group by asset_code, asset_issuer) as booked
       cross join lateral (values (asset_code, asset_issuer, 0::numeric, withdrawn, 0::numeric, 0::numeric),
                                  ('native', '', 0, 0, 0, fees)) as entry
       union all
      select asset_code, coalesce(asset_issuer, ''), 0, 0, sum(amount_stroops), 0
        from adjustments
       where adjustments.wallet_id = asked.wallet_id and adjustments.ledger <= asked.ledger
       group by asset_code, asset_issuer
       union all ${HELD}`,
  );
}

async function sumOnward(db: Db, asked: WalletAtLedger[]): Promise<Book[]> {
  return sumOf(
    db,
    asked,
    sql`
      select asset_code, asset_issuer, deposits_stroops as deposits, withdrawals_stroops as withdrawals,
             adjustments_stroops as adjustments, fees_stroops as fees
        from reconciliations as last
       where last.wallet_id = asked.wallet_id and last.ledger <= asked.ledger
       union all
      select deposits.asset_code, coalesce(deposits.asset_issuer, ''), amount_stroops, 0, 0, 0
        from ${NATIVE} as last join deposits on deposits.wallet_id = last.wallet_id
         and deposits.ledger > last.ledger and deposits.ledger <= asked.ledger
       union all
      select entry.*
        from ${NATIVE} as last join withdrawal_bookings as booked on booked.wallet_id = last.wallet_id
         and booked.ledger > last.ledger and booked.ledger <= asked.ledger
       cross join lateral (values (booked.asset_code, coalesce(booked.asset_issuer, ''), 0,
                                   case when status = 'confirmed' then amount_stroops else 0 end, 0, 0),
                                  ('native', '', 0, 0, 0, coalesce(fee_stroops, 0))) as entry
       union all
      select booked.asset_code, coalesce(booked.asset_issuer, ''), 0, 0, booked.amount_stroops, 0
        from ${NATIVE} as last join adjustments as booked on booked.wallet_id = last.wallet_id
         and booked.ledger > last.ledger and booked.ledger <= asked.ledger
       union all
      select held.* from ${NATIVE} as last cross join lateral (${HELD}) as held`,
  );
}

/**
 * The native asset, and each issued one that the wallet has or had: compared though nothing is booked. A trust line that
 * was paid and is not booked is a difference.
 */
const HELD = sql`(
  select 'native', '', 0::numeric, 0::numeric, 0::numeric, 0::numeric
   union all
  select asset_code, asset_issuer, 0, 0, 0, 0 from wallet_assets where wallet_assets.wallet_id = asked.wallet_id)`;

/** The last comparison of the wallet: all its assets are compared at one ledger. */
const NATIVE = sql`(select wallet_id, ledger from reconciliations
                     where wallet_id = asked.wallet_id and asset_code = 'native' and asset_issuer = '')`;

/** Sums entries. `entries`: rows for one wallet, which is `asked`. */
async function sumOf(db: Db, asked: WalletAtLedger[], entries: RawBuilder<unknown>): Promise<Book[]> {
  const { rows } = await sql<Book>`
    select asked.wallet_id, asked.ledger, entry.asset_code, entry.asset_issuer,
           sum(entry.deposits) as deposits_stroops, sum(entry.withdrawals) as withdrawals_stroops,
           sum(entry.adjustments) as adjustments_stroops, sum(entry.fees) as fees_stroops
      from unnest(${asked.map(({ wallet_id }) => wallet_id)}::text[], ${asked.map(({ ledger }) => ledger)}::int[])
           as asked (wallet_id, ledger)
     cross join lateral (${entries}) as entry
     where ${bothCursorsHavePassed(sql.ref('asked.ledger'))}
     group by asked.wallet_id, asked.ledger, entry.asset_code, entry.asset_issuer
  `.execute(db);
  return rows;
}

export type BookedChange = { stellar_tx_hash: string; ledger: number; asset: string; stroops: bigint };

/** Reads the change of a wallet's books by each transaction after ledger `after` through `ledger`, by asset (`assetOf`). */
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
            select booked.stellar_tx_hash, booked.ledger, entry.*
              from withdrawal_bookings as booked
             cross join lateral (values ('native:', - fee_stroops::numeric),
                                        (asset_code || ':' || coalesce(asset_issuer, ''),
                                         case when status = 'confirmed' then - amount_stroops::numeric else 0 end)) as entry
             where wallet_id = ${wallet_id} and ledger > ${after} and ledger <= ${ledger}
             union all
            select stellar_tx_hash, ledger, asset_code || ':' || coalesce(asset_issuer, ''), - amount_stroops::numeric
              from adjustments
             where wallet_id = ${wallet_id} and ledger > ${after} and ledger <= ${ledger} and amount_stroops > 0) as entry
     group by stellar_tx_hash, ledger, asset
  `.execute(db);
  return rows;
}

/** Returns the key of an asset in maps; for the native asset, `native:`. */
export function assetOf({ asset_code, asset_issuer }: Pick<Book, 'asset_code' | 'asset_issuer'>): string {
  return `${asset_code}:${asset_issuer}`;
}

/** Returns the issued assets of the rows, each once. */
export function issuedAssetsIn(rows: Pick<Book, 'asset_code' | 'asset_issuer'>[]): Asset[] {
  const issued = rows
    .filter(({ asset_issuer }) => asset_issuer !== '')
    .map((row) => [assetOf(row), row] as const);
  return [...new Map(issued).values()].map((row) => ({ code: row.asset_code, issuer: row.asset_issuer }));
}
