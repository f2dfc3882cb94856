/** The only writer of reconciliations. */
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import type { Book } from './books-store.ts';
import type { MayExplain } from './difference-reasons.ts';

export type Reconciliation = Omit<Selectable<Tables['reconciliations']>, 'may_explain'> & {
  /** Null before the search. */
  may_explain: MayExplain[] | null;
};

// comparisons

/** Reads the last comparison of each wallet, one row per asset. */
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

/** `summed`: the books were summed from all rows. */
export type Comparison = Book & { balance_stroops: bigint; summed: boolean };

/**
 * Records comparisons, except those of wallets that were compared at a later ledger already. Deletes the explanations of a
 * difference that has changed. Gives the rows before and after.
 */
export async function recordComparisons(
  trx: Trx,
  compared: Comparison[],
  now: Date,
): Promise<{ before: Reconciliation[]; after: Reconciliation[] }> {
  const of = <K extends keyof Comparison>(key: K) => compared.map((each) => each[key]);
  const wallet_ids = [...new Set(of('wallet_id'))];
  // Rows are locked in one order, so that two processes cannot deadlock.
  await sql`select from reconciliations where wallet_id = any(${wallet_ids}::text[])
               order by wallet_id, asset_code, asset_issuer for update`.execute(trx);
  const before = await lastComparisons(trx, wallet_ids);
  const { rows: after } = await sql<Reconciliation>`
      insert into reconciliations as last
             (wallet_id, asset_code, asset_issuer, ledger, deposits_stroops, withdrawals_stroops,
              adjustments_stroops, fees_stroops, balance_stroops, difference_stroops, agreed_ledger, checked_at, summed_at)
      select wallet_id, asset_code, asset_issuer, ledger, deposits, withdrawals, adjustments, fees, balance,
             balance - (deposits - withdrawals - adjustments - fees),
             case when balance = deposits - withdrawals - adjustments - fees then ledger end, ${now}::timestamptz,
             case when summed then ${now}::timestamptz end
        from unnest(${of('wallet_id')}::text[], ${of('asset_code')}::text[], ${of('asset_issuer')}::text[],
                    ${of('ledger')}::int[], ${of('deposits_stroops')}::numeric[],
                    ${of('withdrawals_stroops')}::numeric[], ${of('adjustments_stroops')}::numeric[],
                    ${of('fees_stroops')}::numeric[],
                    ${of('balance_stroops')}::bigint[], ${of('summed')}::boolean[])
             as compared (wallet_id, asset_code, asset_issuer, ledger, deposits, withdrawals, adjustments, fees,
                         balance, summed)
       where not exists (select from reconciliations later
                          where later.wallet_id = compared.wallet_id and later.ledger > compared.ledger)
       order by wallet_id, asset_code, asset_issuer
          on conflict (wallet_id, asset_code, asset_issuer) do update
         set ledger = excluded.ledger, deposits_stroops = excluded.deposits_stroops,
             withdrawals_stroops = excluded.withdrawals_stroops,
             adjustments_stroops = excluded.adjustments_stroops, fees_stroops = excluded.fees_stroops,
             balance_stroops = excluded.balance_stroops,
             difference_stroops = excluded.difference_stroops - last.opening_stroops,
             agreed_ledger = case when excluded.difference_stroops = last.opening_stroops then excluded.ledger
                                  else last.agreed_ledger end,
             may_explain = case when excluded.difference_stroops - last.opening_stroops = last.difference_stroops
                                then last.may_explain end,
             checked_at = excluded.checked_at, summed_at = coalesce(excluded.summed_at, last.summed_at)
       where last.ledger <= excluded.ledger
      returning last.*
    `.execute(trx);
  return { before, after };
}

/** Stores what may explain a difference, if the difference is still the same. */
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

/** Adds the difference to the opening balance. False when the difference has changed in the meantime. */
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
 * Lists the wallets to compare now, longest waiting first: never compared; last compared before `slow`; or before `soon`, with a
 * difference or a new transaction. A comparison after `now` (a clock that ran ahead) counts as old.
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
             or exists (select from adjustments where adjustments.wallet_id = wallet.id and adjustments.ledger > last.ledger)
             or exists (select from withdrawal_bookings as booked
                         where booked.wallet_id = wallet.id and booked.ledger > last.ledger))
     order by last.checked_at nulls first, wallet.id
     limit ${limit}
  `.execute(db);
  return rows;
}

/** What a wallet had of an asset at its last comparison. */
export type LastBalance = WalletAccount &
  Pick<Reconciliation, 'asset_code' | 'asset_issuer' | 'balance_stroops'>;

/** Lists the next wallets by their ids, as far as they were last compared before `soon`. `last_id`: null when no more follow. */
export async function nextBalances(
  db: Db,
  { after_id, soon, limit }: { after_id: string; soon: Date; limit: number },
): Promise<{ last_id: string | null; compared: LastBalance[] }> {
  const wallets = await db
    .selectFrom('wallet_accounts')
    .select(['id', 'account'])
    .where('id', '>', after_id)
    .orderBy('id')
    .limit(limit)
    .execute();
  const { rows: compared } = await sql<LastBalance>`
    select wallet.id, wallet.account, last.asset_code, last.asset_issuer, last.balance_stroops
      from unnest(${wallets.map(({ id }) => id)}::text[], ${wallets.map(({ account }) => account)}::text[])
             as wallet (id, account)
      join reconciliations last on last.wallet_id = wallet.id
     where last.checked_at < ${soon}
  `.execute(db);
  return { last_id: wallets.length < limit ? null : (wallets.at(-1)?.id ?? null), compared };
}

/** Reads the accounts of all wallets, or of one. */
export async function walletAccounts(db: Db, wallet_id?: string): Promise<WalletAccount[]> {
  let query = db.selectFrom('wallet_accounts').select(['id', 'account']).orderBy('id');
  if (wallet_id !== undefined) query = query.where('id', '=', wallet_id);
  return query.execute();
}

export type Summary = {
  different: bigint;
  compared: bigint;
  uncompared: bigint;
  /** The oldest time of a wallet's last comparison (of its creation, if never compared); null without wallets. */
  oldest: Date | null;
  /** The same of the last comparison for which its books were summed from all rows. */
  oldest_sum: Date | null;
};

/** Counts over all wallets, those without a comparison too. */
export async function summarize(db: Db): Promise<Summary> {
  return db
    .selectFrom('wallet_accounts as wallet')
    .leftJoin('reconciliations as last', (join) =>
      join
        .onRef('last.wallet_id', '=', 'wallet.id')
        .on('last.asset_code', '=', 'native')
        .on('last.asset_issuer', '=', ''),
    )
    .select([
      sql<bigint>`(select count(distinct wallet_id) from reconciliations where difference_stroops <> 0)`.as(
        'different',
      ),
      sql<bigint>`count(last.wallet_id)`.as('compared'),
      sql<bigint>`count(*) filter (where last.wallet_id is null)`.as('uncompared'),
      sql<Date | null>`min(coalesce(last.checked_at, wallet.created_at))`.as('oldest'),
      sql<Date | null>`min(coalesce(last.summed_at, last.checked_at, wallet.created_at))`.as('oldest_sum'),
    ])
    .executeTakeFirstOrThrow();
}

/** Returns the age of the oldest comparison or sum; 0 if the clock was set back. */
export function ageSeconds(oldest: Date | null, now: Date): number {
  return oldest ? Math.max(Math.round((now.getTime() - oldest.getTime()) / 1000), 0) : 0;
}
