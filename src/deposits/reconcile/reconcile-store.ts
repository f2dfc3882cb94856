/** The only writer of reconciliations. Reads the books that are compared: deposits, and the movements of withdrawals. */
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import type { MayExplain } from './reasons.ts';
import { isReached } from '../../ledgers/reach.ts';

export type Reconciliation = Omit<Selectable<Tables['reconciliations']>, 'may_explain'> & {
  /** Null before it was looked for. */
  may_explain: MayExplain[] | null;
};

// the books

export type At = { wallet_id: string; ledger: number };
export type Book = At & {
  asset_code: string;
  /** Empty for the native asset, as in `reconciliations`. */
  asset_issuer: string;
  deposits_stroops: bigint;
  withdrawals_stroops: bigint;
  fees_stroops: bigint;
};

/** A wallet may have millions of deposits; a statement ends after 30 s. */
const BOOKS_AT_ONCE = 20;

/**
 * The books of each wallet through a ledger, by asset, the native one always. Wallets whose ledger is not read yet are
 * left out, by the same snapshot of the database.
 */
export async function booksAt(db: Db, asked: At[]): Promise<Book[]> {
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
       where ${isReached(sql.ref('asked.ledger'))}
       group by asked.wallet_id, asked.ledger, entry.asset_code, entry.asset_issuer
    `.execute(db);
    books.push(...rows);
  }
  return books;
}

export type Booked = { stellar_tx_hash: string; ledger: number; asset: string; stroops: bigint };

/** By how much each transaction changes a wallet's books, by asset (`assetOf`), in the ledgers after `after` through `ledger`. */
export async function bookedBetween(db: Db, { wallet_id, ledger }: At, after: number): Promise<Booked[]> {
  const { rows } = await sql<Booked>`
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

/** How an asset is named where several are kept; `native:` has no issuer. */
export function assetOf({ asset_code, asset_issuer }: Pick<Book, 'asset_code' | 'asset_issuer'>): string {
  return `${asset_code}:${asset_issuer}`;
}

const MAX_QUARANTINED = 1_000;

/** Transactions that could not be read, dismissed ones too, the newest first. Envelopes are base64 XDR. */
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

// comparisons

/** The last comparison of each wallet, one row per asset. */
export async function lastComparisons(db: Db, wallet_ids: string[]): Promise<Reconciliation[]> {
  return db
    .selectFrom('reconciliations')
    .selectAll()
    .where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`)
    .orderBy('wallet_id')
    .orderBy(sql`asset_issuer <> ''`) // the native one first
    .orderBy('asset_code')
    .orderBy('asset_issuer')
    .execute() as Promise<Reconciliation[]>;
}

export type Comparison = Book & { balance_stroops: bigint };

/**
 * Records what was compared, unless the wallet was compared at a later ledger already. Gives the rows before and after;
 * what explained another difference than this one is forgotten.
 */
export async function recordComparisons(
  db: Db,
  compared: Comparison[],
  now: Date,
): Promise<{ before: Reconciliation[]; after: Reconciliation[] }> {
  const of = <K extends keyof Comparison>(key: K) => compared.map((each) => each[key]);
  const wallet_ids = [...new Set(of('wallet_id'))];
  return db.transaction().execute(async (trx) => {
    // In one order, so that two processes never wait for each other.
    await sql`select from reconciliations where wallet_id = any(${wallet_ids}::text[])
               order by wallet_id, asset_code, asset_issuer for update`.execute(trx);
    const before = await lastComparisons(trx, wallet_ids);
    const { rows: after } = await sql<Reconciliation>`
      insert into reconciliations as last
             (wallet_id, asset_code, asset_issuer, ledger, deposits_stroops, withdrawals_stroops, fees_stroops,
              balance_stroops, difference_stroops, agreed_ledger, checked_at)
      select wallet_id, asset_code, asset_issuer, ledger, deposits, withdrawals, fees, balance,
             balance - (deposits - withdrawals - fees),
             case when balance = deposits - withdrawals - fees then ledger end, ${now}
        from unnest(${of('wallet_id')}::text[], ${of('asset_code')}::text[], ${of('asset_issuer')}::text[],
                    ${of('ledger')}::int[], ${of('deposits_stroops')}::numeric[],
                    ${of('withdrawals_stroops')}::numeric[], ${of('fees_stroops')}::numeric[],
                    ${of('balance_stroops')}::bigint[])
             as compared (wallet_id, asset_code, asset_issuer, ledger, deposits, withdrawals, fees, balance)
       where not exists (select from reconciliations later
                          where later.wallet_id = compared.wallet_id and later.ledger > compared.ledger)
       order by wallet_id, asset_code, asset_issuer
          on conflict (wallet_id, asset_code, asset_issuer) do update
         set ledger = excluded.ledger, deposits_stroops = excluded.deposits_stroops,
             withdrawals_stroops = excluded.withdrawals_stroops, fees_stroops = excluded.fees_stroops,
             balance_stroops = excluded.balance_stroops,
             difference_stroops = excluded.difference_stroops - last.opening_stroops,
             agreed_ledger = case when excluded.difference_stroops = last.opening_stroops then excluded.ledger
                                  else last.agreed_ledger end,
             may_explain = case when excluded.difference_stroops - last.opening_stroops = last.difference_stroops
                                then last.may_explain end,
             checked_at = excluded.checked_at
       where last.ledger <= excluded.ledger
      returning last.*
    `.execute(trx);
    return { before, after };
  });
}

/** What may explain a difference, as long as it is the same. */
export async function recordExplanation(
  db: Db,
  row: Pick<Reconciliation, 'wallet_id' | 'asset_code' | 'asset_issuer' | 'difference_stroops'>,
  may_explain: MayExplain[],
): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ may_explain: JSON.stringify(may_explain) })
    .where('wallet_id', '=', row.wallet_id)
    .where('asset_code', '=', row.asset_code)
    .where('asset_issuer', '=', row.asset_issuer)
    .where('difference_stroops', '=', row.difference_stroops)
    .execute();
}

/** A person knows the cause of this difference: it belongs to the opening balance from now on. False when it is another one by now. */
export async function acceptDifferenceOf(
  db: Db,
  row: Pick<Reconciliation, 'wallet_id' | 'asset_code' | 'asset_issuer' | 'difference_stroops'>,
  reason: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reconciliations')
    .set({
      opening_stroops: sql`opening_stroops + difference_stroops`,
      opening_reason: sql`concat_ws('; ', opening_reason, ${reason}::text)`,
      difference_stroops: 0n,
      agreed_ledger: sql`ledger`,
      may_explain: null,
    })
    .where('wallet_id', '=', row.wallet_id)
    .where('asset_code', '=', row.asset_code)
    .where('asset_issuer', '=', row.asset_issuer)
    .where('difference_stroops', '=', row.difference_stroops)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

// which wallets to compare

export type WalletAccount = { id: string; account: string };

/**
 * Wallets to be compared now, those that waited longest first: never compared; not since `slow`; or not since `soon`, and
 * money has moved since, or they differ. A time after `now` comes from a clock that ran ahead, and counts as long ago.
 */
export async function walletsDue(
  db: Db,
  options: { now: Date; soon: Date; slow: Date; limit: number },
): Promise<WalletAccount[]> {
  const { now, soon, slow, limit } = options;
  const { rows } = await sql<WalletAccount>`
    select wallet.id, wallet.account
      from wallet_accounts as wallet
      left join reconciliations last
        on last.wallet_id = wallet.id and last.asset_code = 'native' and last.asset_issuer = ''
     where last.wallet_id is null or last.checked_at < ${slow} or last.checked_at > ${now}
        or last.checked_at < ${soon} and (
             exists (select from reconciliations r where r.wallet_id = wallet.id and r.difference_stroops <> 0)
             or exists (select from deposits where deposits.wallet_id = wallet.id and deposits.ledger > last.ledger)
             or exists (select from withdrawal_movements as withdrawal
                         where withdrawal.wallet_id = wallet.id and withdrawal.ledger > last.ledger))
     order by last.checked_at nulls first, wallet.id
     limit ${limit}
  `.execute(db);
  return rows;
}

/** All of them, or one. */
export async function walletAccounts(db: Db, wallet_id?: string): Promise<WalletAccount[]> {
  let query = db.selectFrom('wallet_accounts').select(['id', 'account']).orderBy('id');
  if (wallet_id !== undefined) query = query.where('id', '=', wallet_id);
  return query.execute();
}

export type Summary = {
  different: bigint;
  compared: bigint;
  uncompared: bigint;
  /** When the wallet that waits longest was compared, or made if it never was; null without wallets. */
  oldest: Date | null;
};

/** How all wallets stand, those that were never compared too. */
export async function summarize(db: Db): Promise<Summary> {
  return db
    .selectFrom('wallet_accounts as wallet')
    .leftJoin('reconciliations as last', 'last.wallet_id', 'wallet.id')
    .select([
      sql<bigint>`count(distinct wallet.id) filter (where last.difference_stroops <> 0)`.as('different'),
      sql<bigint>`count(distinct last.wallet_id)`.as('compared'),
      sql<bigint>`count(*) filter (where last.wallet_id is null)`.as('uncompared'),
      sql<Date | null>`min(coalesce(last.checked_at, wallet.created_at))`.as('oldest'),
    ])
    .executeTakeFirstOrThrow();
}

/** How long the wallet that waits longest has waited; 0 by a clock that was set back. */
export function ageSeconds({ oldest }: Pick<Summary, 'oldest'>, now: Date): number {
  return oldest ? Math.max(Math.round((now.getTime() - oldest.getTime()) / 1000), 0) : 0;
}
