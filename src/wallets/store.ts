/** The only writer of wallets. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Membership } from '../auth/teams/team-store.ts';
import type { NetworkName } from '../config.ts';
import type { Db, Trx } from '../db/database.ts';
import { createFinder } from '../db/finder.ts';
import { newestFirst, type PageRequest } from '../db/newest-first.ts';
import { sealedRows } from '../db/sealed-rows.ts';
import { type AssetFields, assetText } from '../stellar/asset.ts';

export type Wallet = {
  id: string;
  /** The team. */
  owner_id: string;
  name: string;
  network: NetworkName;
  account: string;
  status: 'unfunded' | 'active';
  /** Whether a memo text of digits counts as a memo id. */
  numeric_memo_text: boolean;
  created_at: Date;
};

/** A wallet is active once its account exists for sure: friendbot funded it, or it has a deposit. */
const isActive = sql<SqlBool>`(
  wallets.funded_at is not null or exists (select from deposit_movements as deposit where deposit.wallet_id = wallets.id)
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

/** Of a wallet, to open or to record. */
type WalletKey = {
  id: string;
  account: string;
  sealed_seed: Buffer;
  owner_id: string;
  name: string;
  created_at: Date;
};

const KEYS_OF_PAGE = 1_000;

/** Reads the sealed keys of all wallets in the order of ids, page by page. */
export async function* walletKeys(db: Db): AsyncGenerator<WalletKey[]> {
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('wallets')
      .select(['id', 'account', 'sealed_seed', 'owner_id', 'name', 'created_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(KEYS_OF_PAGE)
      .execute();
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.id;
  }
}

export const sealedWallets = sealedRows({
  kind: 'wallets',
  table: 'wallets',
  column: 'sealed_seed',
  key: 'id',
  key_type: 'text',
  sealed_for: 'id',
});

/** Returns the id of the team of a wallet; undefined when there is no such wallet. */
export async function ownerOf(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('wallets').select('owner_id').where('id', '=', id).executeTakeFirst();
  return row?.owner_id;
}

/** Returns those of these ids that belong to wallets. */
export async function walletsWithIds(db: Db, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('wallets')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export type WalletChange = { name?: string; numeric_memo_text?: boolean };

export async function updateWallet(db: Db, id: string, change: WalletChange): Promise<Wallet> {
  if (Object.keys(change).length > 0) {
    await db.updateTable('wallets').set(change).where('id', '=', id).execute();
  }
  return selectWallets(db).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Makes a function that finds a wallet by id. Concurrent calls share one statement. */
export function createWalletFinder(db: Db): (id: string) => Promise<Wallet | undefined> {
  return createFinder((ids) =>
    selectWallets(db).where('id', '=', sql<string>`any(${ids}::text[])`).execute(),
  );
}

/** Reads a page of the wallets of a team, newest first; where `wallet_ids` are given, only these. */
export async function listWallets(
  db: Db,
  { team_id, wallet_ids }: { team_id: string; wallet_ids: string[] | null },
  page: PageRequest,
): Promise<Wallet[]> {
  const { where, order } = newestFirst('wallets', { owner_id: team_id }, page.before);
  const wallets = selectWallets(db).where(where).orderBy(order).limit(page.limit);
  return (
    wallet_ids === null ? wallets : wallets.where('id', '=', sql<string>`any(${wallet_ids}::text[])`)
  ).execute();
}

/** Returns the select of the wallets that a search of the member looks into. */
export function walletsToSearch({
  team_id,
  wallet_ids,
}: Pick<Membership, 'team_id' | 'wallet_ids'>): RawBuilder<unknown> {
  const limited = wallet_ids === null ? sql`true` : sql`id = any(${wallet_ids}::text[])`;
  return sql`select id, account, name, created_at from wallets where owner_id = ${team_id} and ${limited}`;
}

export async function countWallets(db: Db): Promise<bigint> {
  const { count } = await db
    .selectFrom('wallets')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Reads the wallets of all teams, oldest first. */
export async function listAllWallets(db: Db): Promise<Wallet[]> {
  return selectWallets(db).orderBy('id').execute();
}

/** Locks the wallet until the transaction ends. Other transactions may still read and reference it. */
export async function lockWallet(trx: Trx, id: string): Promise<void> {
  await trx
    .selectFrom('wallets')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** `pays_fees`: false where the treasury pays them (TREASURY_PAYS). */
type FeePayer = { pays_fees: boolean };

/**
 * Sums the wallet's withdrawals of an asset that have no outcome, in stroops, those that await approvals too. The native sum
 * includes the whole fees that contract transfers declare, if the wallet `pays_fees`. The fees of payments are too small to count.
 */
export async function inFlightStroops(
  db: Db,
  wallet_id: string,
  { asset_code, asset_issuer }: AssetFields,
  { pays_fees }: FeePayer,
): Promise<bigint> {
  const { total } = await db
    .selectFrom('withdrawal_movements')
    .select(sql<bigint>`coalesce(sum(amount_stroops), 0)`.as('total'))
    .where('wallet_id', '=', wallet_id)
    .where(hasNoOutcome)
    .where('asset_code', '=', asset_code)
    .where('asset_issuer', 'is not distinct from', asset_issuer)
    .executeTakeFirstOrThrow();
  return asset_issuer === null && pays_fees ? total + (await declaredFees(db, wallet_id)) : total;
}

/** In the words of two small indexes. */
const hasNoOutcome = sql<boolean>`(status in ('queued', 'signed') or status = 'awaiting_approval')`;

/** Sums the fees that the wallet's contract transfers without an outcome declare, in stroops. Most of it comes back later. */
async function declaredFees(db: Db, wallet_id: string): Promise<bigint> {
  const { total } = await db
    .selectFrom('fees_in_flight')
    .select(sql<bigint>`coalesce(sum(greatest(fee_bid_stroops, resource_fee_stroops)), 0)`.as('total'))
    .where('wallet_id', '=', wallet_id)
    .executeTakeFirstOrThrow();
  return total;
}

/** Sums the same as `inFlightStroops`, for every asset with such withdrawals. Returns the sums in stroops by `assetText`. */
export async function assetsInFlight(
  db: Db,
  wallet_id: string,
  { pays_fees }: FeePayer,
): Promise<Map<string, bigint>> {
  const rows = await db
    .selectFrom('withdrawal_movements')
    .select(['asset_code', 'asset_issuer', sql<bigint>`sum(amount_stroops)`.as('total')])
    .where('wallet_id', '=', wallet_id)
    .where(hasNoOutcome)
    .groupBy(['asset_code', 'asset_issuer'])
    .execute();
  const in_flight = new Map(rows.map(({ total, ...asset }) => [assetText(asset), total]));
  const fees = pays_fees ? await declaredFees(db, wallet_id) : 0n;
  if (fees > 0n) in_flight.set('native', (in_flight.get('native') ?? 0n) + fees);
  return in_flight;
}

/** Reads the issued assets that the wallet has, had or asked for, by code. */
export async function heldAssets(
  db: Db,
  wallet_id: string,
): Promise<{ asset_code: string; asset_issuer: string }[]> {
  return db
    .selectFrom('wallet_assets')
    .select(['asset_code', 'asset_issuer'])
    .where('wallet_id', '=', wallet_id)
    .orderBy('asset_code')
    .orderBy('asset_issuer')
    .$narrowType<{ asset_issuer: string }>()
    .execute();
}

/** What `accountsSince` has seen of the database; only its next call uses it. */
export type WalletsReading = { database: string; xmin: string };

/**
 * Reads the accounts of the wallets that may have been committed since a reading, or of all wallets. How it works:
 * deposits/ingest/watched-accounts.ts. `database` is another one after a fail-over, a restore or a restart of the server.
 */
export async function accountsSince(
  db: Db,
  reading: WalletsReading | null,
): Promise<{ accounts: string[]; reading: WalletsReading }> {
  const { rows } = await sql<WalletsReading & { accounts: string[] }>`
    select array(select account from wallets where inserted_xid >= ${reading?.xmin ?? '0'}::xid8) as accounts,
           concat_ws(' ', database_timeline(), pg_postmaster_start_time(), pg_relation_filenode('wallets')) as database,
           pg_snapshot_xmin(pg_current_snapshot())::text as xmin`.execute(db);
  const { accounts, ...now } = rows[0] as WalletsReading & { accounts: string[] };
  return { accounts, reading: now };
}
