/**
 * What a wallet has paid, for its limits of 24 hours: withdrawals that are not failed, those without an outcome in full. One
 * that awaits approvals counts too. One that was approved counts from its approval on, which is when it is paid.
 */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { type AssetFields, assetText } from '../../stellar/asset.ts';
import type { Spending } from './policy-rules.ts';

/** Withdrawals of one asset that were made or approved after `since`. `except`: ids of those that are being checked. */
export type Spent = { wallet_id: string; asset: AssetFields; since: Date; except?: string[] };

/** Returns the sum of these withdrawals, in stroops. */
export async function sumSpent(db: Db, question: Spent): Promise<bigint> {
  const { total } = await db
    .selectFrom(() => spent(db, question).as('spent'))
    .select(sql<bigint>`coalesce(sum(amount_stroops), 0)`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/**
 * Returns what was asked for without approvals since then and did not fail, in stroops: a payment counts from its request on, so
 * one that is paid more than a day later counts no more. `payout_id`: of a payout whose rows do not count.
 */
export async function sumUnapproved(
  db: Db,
  { payout_id, ...question }: Spent & { payout_id?: string },
): Promise<bigint> {
  const all = ofAsset(db, question)
    .select(sql<bigint>`coalesce(sum(amount_stroops), 0)`.as('total'))
    .where('created_at', '>', question.since)
    .where('approvals_required', '=', 0);
  const of_others =
    payout_id === undefined ? all : all.where(sql<boolean>`payout_id is distinct from ${payout_id}`);
  const { total } = await of_others.executeTakeFirstOrThrow();
  return total;
}

/** Returns the sums of issued assets, in stroops, by `assetText`. */
export async function sumsSpent(
  db: Db,
  { wallet_id, assets, since }: { wallet_id: string; assets: AssetFields[]; since: Date },
): Promise<Map<string, bigint>> {
  if (assets.length === 0) return new Map();
  const { rows } = await sql<AssetFields & { total: bigint }>`
    select asset_code, asset_issuer,
           coalesce((select sum(amount_stroops) from withdrawals w
                      where w.wallet_id = ${wallet_id} and w.created_at > ${since} and w.status <> 'failed'
                        and w.asset_code = asset.asset_code and w.asset_issuer = asset.asset_issuer), 0)
           + coalesce((select sum(amount_stroops) from withdrawals w
                        where w.wallet_id = ${wallet_id} and w.approved_at > ${since} and w.created_at <= ${since}
                          and w.status <> 'failed'
                          and w.asset_code = asset.asset_code and w.asset_issuer = asset.asset_issuer), 0) total
      from unnest(${assets.map(({ asset_code }) => asset_code)}::text[],
                  ${assets.map(({ asset_issuer }) => asset_issuer)}::text[]) asset (asset_code, asset_issuer)
  `.execute(db);
  return new Map(rows.map(({ total, ...asset }) => [assetText(asset), total]));
}

/** Returns the same withdrawals one by one, oldest first. */
export async function listSpent(db: Db, question: Spent): Promise<Spending[]> {
  return spent(db, question).orderBy('created_at').execute();
}

/**
 * Selects these withdrawals, with the conditions of the indexes withdrawals_spent_native, withdrawals_spent_issued and
 * withdrawals_approved, as `sumUnapproved` does.
 */
function spent(db: Db, question: Spent) {
  const { since } = question;
  const approved = ofAsset(db, question)
    .select([sql<Date>`approved_at`.as('created_at'), 'amount_stroops'])
    .where('approved_at', '>', since)
    .where('created_at', '<=', since);
  return ofAsset(db, question)
    .select([sql<Date>`coalesce(approved_at, created_at)`.as('created_at'), 'amount_stroops'])
    .where('created_at', '>', since)
    .unionAll(approved);
}

function ofAsset(db: Db, { wallet_id, asset, except = [] }: Spent) {
  const { asset_code, asset_issuer } = asset;
  const all = db.selectFrom('withdrawals').where('wallet_id', '=', wallet_id).where('status', '<>', 'failed');
  const of_wallet = except.length === 0 ? all : all.where(sql<boolean>`id <> all(${except}::text[])`);
  return asset_issuer === null
    ? of_wallet.where('asset_issuer', 'is', null)
    : of_wallet.where('asset_code', '=', asset_code).where('asset_issuer', '=', asset_issuer);
}
