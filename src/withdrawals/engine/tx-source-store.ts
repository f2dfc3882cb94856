/**
 * The only writer of tx_sources, and of `withdrawals.tx_source`. A transaction source and its withdrawal are bound and
 * separated in one statement. `tx_sources.withdrawal_id` is unique: a transaction source never has two withdrawals.
 */
import { strict as assert } from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { signingAllowed } from '../../ledgers/signing-allowed.ts';
import { hasForgottenPayment, walletHasUnmatched } from '../../ledgers/unmatched-store.ts';
import type { Phase } from './congestion-window.ts';
import { columns, isAnyOf, type Withdrawal } from './store.ts';

/** A queued withdrawal with its transaction source, and the keys that sign for it. */
export type AssignedWithdrawal = Withdrawal & {
  tx_source: string;
  last_sequence: bigint | null;
  blocked_reason: string | null;
  wallet_account: string;
  wallet_sealed_seed: Buffer;
  /** Null when the transaction source is the wallet's own account. */
  channel_id: string | null;
  channel_sealed_seed: Buffer | null;
  /** The treasury that pays now, whether or not it pays for anything; null when there is none. */
  treasury: { id: string; account: string; sealed_seed: Buffer } | null;
};

/**
 * Returns a condition on the wallet with this id: no withdrawal of it is assigned a transaction source, while it has an unmatched
 * transaction that may be any of its payments, or a blocked own account.
 */
export function isBlockedWallet(wallet_id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
  ${walletHasUnmatched(wallet_id)}
  or exists (select from wallet_accounts as wallet join tx_sources on tx_sources.account = wallet.account
              where wallet.id = ${wallet_id} and tx_sources.blocked_reason is not null))`;
}

/** A condition on a row of `withdrawals`: as above, or a forgotten payment has its key. */
export const isBlocked = sql`(${hasForgottenPayment} or ${isBlockedWallet(sql`withdrawals.wallet_id`)})`;

/** The wallet's own account is free. Its next withdrawal uses that account: a channel may cost a fee-bump. */
const hasFreeWalletSource = sql`exists (select from wallet_accounts as wallet join tx_sources on tx_sources.account = wallet.account
              where wallet.id = withdrawals.wallet_id and tx_sources.withdrawal_id is null)`;

/**
 * `shared`: several teams withdraw now, so some channels are kept free (`RESERVED_PART`). `payouts`: only rows of payouts, or only
 * single withdrawals; null is both.
 */
type Assigning = {
  until: Date;
  /** Called for each withdrawal with the time of its claim or its last approval. */
  onAssigned?: (waits_since: Date) => void;
  limit: number;
  phase?: Phase | null;
  shared?: boolean;
  payouts?: boolean | null;
};

/**
 * Assigns transaction sources to queued withdrawals, at most `limit`. Teams take turns, in a team its wallets, and of each wallet
 * the oldest comes first. The wallets' own accounts get half of `limit`, then channels the rest, then own accounts what is left:
 * otherwise a team with many wallets would leave no room to others' withdrawals on channels.
 * Every row that two processes could want is locked or skipped, so each transaction source is assigned once. `phase`: only
 * such withdrawals. Returns the ids of the withdrawals that have one now.
 */
export async function assignTxSources(
  db: Db,
  { until, limit, onAssigned = () => {}, phase = null, shared = false, payouts = null }: Assigning,
): Promise<string[]> {
  const waits = waitsInPhase(phase, payouts);
  const kept = payouts === true;
  const half = Math.ceil(limit / 2);
  const own = await assignWalletSources(db, until, { limit: half, waits });
  const given = [
    ...own,
    ...(await assignChannelSources(db, until, { limit: limit - own.length, waits, shared, kept })),
  ];
  if (own.length === half && given.length < limit)
    given.push(...(await assignWalletSources(db, until, { limit: limit - given.length, waits })));
  for (const { waits_since } of given) onAssigned(waits_since);
  return given.map(({ id }) => id);
}

/** The payee’s account is being created: the row waits for the account (payee-accounts.ts), and needs no transaction source yet. */
const isBeingCreated = sql`(withdrawals.operation in ('payment', 'create_account') and exists (
  select from withdrawals creating
   where creating.destination = withdrawals.destination and creating.operation = 'create_account' and creating.status = 'signed'))`;

/** Returns the predicate on `withdrawals` that it waits for a transaction source, in this phase and of this kind; null is both. */
function waitsInPhase(phase: Phase | null, payouts: boolean | null) {
  const all = sql<boolean>`status = 'queued' and tx_source is null and not ${isBeingCreated}`;
  const waits = payouts === null ? all : sql<boolean>`${all} and (payout_id is not null) = ${payouts}`;
  if (phase === null) return waits;
  return sql<boolean>`${waits} and (operation = 'contract_transfer') = ${phase === 'contracts'}`;
}

type Wanted = { limit: number; waits: ReturnType<typeof waitsInPhase> };

async function assignWalletSources(db: Db, until: Date, { limit, waits }: Wanted): Promise<AssignedRow[]> {
  const { rows } = await sql<AssignedRow>`
    with heads as (
      select distinct on (wallet_id) id, owner_id from withdrawals
       where ${waits} and not ${isBlocked} and ${signingAllowed()}
       order by wallet_id, id
    ), turns as (
      select id, row_number() over (partition by owner_id order by id) as turn from heads
    ), candidates as (
      select withdrawals.id, withdrawals.wallet_id, turns.turn from withdrawals join turns using (id)
       where ${waits}
       order by withdrawals.id for update of withdrawals skip locked
    ), pairs as (
      select tx_sources.account, candidates.id
        from candidates join wallet_accounts as wallet on wallet.id = candidates.wallet_id
             join tx_sources on tx_sources.account = wallet.account
       where tx_sources.withdrawal_id is null and tx_sources.blocked_reason is null
       order by candidates.turn, candidates.id limit ${limit}
         for update of tx_sources skip locked
    ), ${assignPairs(until)}
  `.execute(db);
  return checked(rows);
}

/**
 * One of so many channels is kept for teams that have few, when several teams withdraw: a team that asks for more channels than
 * there are would otherwise let the others wait for the next ledger.
 */
const RESERVED_PART = 8;

/**
 * Assigns channels. `kept`: for payouts, which leave that part of the channels to single withdrawals: those would wait for the next ledger.
 * `place` counts what a team uses and asks for: the team that uses the fewest channels is served first. Places above the reserve get
 * only what is free beyond the reserve.
 */
async function assignChannelSources(
  db: Db,
  until: Date,
  { limit, waits, shared, kept }: Wanted & { shared: boolean; kept: boolean },
): Promise<AssignedRow[]> {
  const { rows } = await sql<AssignedRow>`
    with usable as (
      select tx_sources.account, tx_sources.withdrawal_id
        from tx_sources join channels on channels.account = tx_sources.account
       where tx_sources.kind = 'channel' and tx_sources.blocked_reason is null and channels.status = 'active'
         and exists (select from withdrawals where ${waits})
    ), counted as (
      select count(*) filter (where withdrawal_id is null) as free,
             case when ${shared} then count(*) / ${sql.lit(RESERVED_PART)} else 0 end as reserve,
             case when ${kept} then count(*) / ${sql.lit(RESERVED_PART)} else 0 end as kept from usable
    ), used as (
      select owner_id, count(*) as channels from usable join withdrawals on withdrawals.id = usable.withdrawal_id
       group by owner_id
    ), free as (
      select tx_sources.account from tx_sources
       where account in (select account from usable) and withdrawal_id is null and blocked_reason is null
         and ${signingAllowed()}
       order by account limit ${limit}
         for update skip locked
    ), turns as (
      select id, owner_id, row_number() over (partition by wallet_id order by id) as turn
        from withdrawals where ${waits} and not ${isBlocked} and not ${hasFreeWalletSource}
    ), places as (
      select id, coalesce(used.channels, 0) + row_number() over (partition by owner_id order by turn, id) as place
        from turns left join used using (owner_id)
    ), ranked as (
      select id, place <= reserve as is_small, free - reserve as beyond_reserve, free - kept as beyond_kept,
             row_number() over (order by place, id) as rank
        from places cross join counted
    ), next as (
      select id from ranked where (is_small or rank <= beyond_reserve) and rank <= beyond_kept
       order by rank limit (select count(*) from free)
    ), candidates as (
      select id from withdrawals where id in (select id from next) and ${waits}
         for update skip locked
    ), pairs as (
      select account, id from (select account, row_number() over () as place from free) tx_source
        join (select id, row_number() over (order by id) as place from candidates) candidate using (place)
    ), ${assignPairs(until)}
  `.execute(db);
  return checked(rows);
}

/** Returns the end of both statements, which assigns each transaction source of `pairs` to its withdrawal. */
function assignPairs(until: Date) {
  return sql`assigned as (
      update tx_sources set withdrawal_id = pairs.id from pairs where tx_sources.account = pairs.account
      returning tx_sources.account, tx_sources.withdrawal_id
    )
    update withdrawals set tx_source = assigned.account, leased_until = ${until}
      from assigned where withdrawals.id = assigned.withdrawal_id
    returning withdrawals.id, greatest(withdrawals.created_at, withdrawals.approved_at) as waits_since,
              (select count(*)::int from assigned) as assigned`;
}

type AssignedRow = { id: string; waits_since: Date; assigned: number };

/** Asserts that each source has its withdrawal. The rows are locked in the statement itself, so only a fault of the statement can separate the two counts. */
function checked(rows: AssignedRow[]): AssignedRow[] {
  assert.equal(rows.length, rows[0]?.assigned ?? 0, 'each transaction source is assigned to one withdrawal');
  return rows;
}

/** Reads those of these withdrawals that have a transaction source and are not signed yet, oldest first. */
export async function readAssigned(db: Db, ids: string[]): Promise<AssignedWithdrawal[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('withdrawals')
    .innerJoin('tx_sources', (join) =>
      join
        .onRef('tx_sources.account', '=', 'withdrawals.tx_source')
        .onRef('tx_sources.withdrawal_id', '=', 'withdrawals.id'),
    )
    .innerJoin('wallet_keys', 'wallet_keys.id', 'withdrawals.wallet_id')
    .leftJoin('channels', 'channels.account', 'tx_sources.account')
    .leftJoin('treasury', (join) =>
      join.on('treasury.id', '=', (eb) =>
        eb.selectFrom('treasury as newest').select(({ fn }) => fn.max('id').as('id')),
      ),
    )
    .select(columns.map((column) => `withdrawals.${column}` as const))
    .select(['tx_sources.account as tx_source', 'tx_sources.last_sequence', 'tx_sources.blocked_reason'])
    .select(['wallet_keys.account as wallet_account', 'wallet_keys.sealed_seed as wallet_sealed_seed'])
    .select(['channels.id as channel_id', 'channels.sealed_seed as channel_sealed_seed'])
    .select(['treasury.id as treasury_id', 'treasury.account as treasury_account'])
    .select('treasury.sealed_seed as treasury_sealed_seed')
    .where('withdrawals.id', '=', isAnyOf(ids))
    .where('withdrawals.status', '=', 'queued')
    .orderBy('withdrawals.id')
    .execute();
  return rows.map(({ treasury_id, treasury_account, treasury_sealed_seed, ...row }) => {
    const found = treasury_id !== null && treasury_account !== null && treasury_sealed_seed !== null;
    const treasury = found
      ? { id: treasury_id, account: treasury_account, sealed_seed: treasury_sealed_seed }
      : null;
    return { ...row, treasury };
  });
}

/**
 * Makes each wallet's own account a transaction source, with its first withdrawal. An account that has a row already is not
 * inserted: `on conflict` alone would wait for every transaction that is changing the row.
 */
export async function insertWalletSources(db: Db, accounts: string[]): Promise<void> {
  if (accounts.length === 0) return;
  await sql`
    insert into tx_sources (account)
    select account from unnest(${accounts}::text[]) as wanted (account)
     where not exists (select from tx_sources where tx_sources.account = wanted.account)
     order by account collate "C"
    on conflict do nothing
  `.execute(db);
}

/** Adds transaction sources for channel accounts that now exist on the network: from now on they can be assigned. */
export async function insertChannelSources(trx: Trx, accounts: string[]): Promise<void> {
  await trx
    .insertInto('tx_sources')
    .values(accounts.map((account) => ({ account, kind: 'channel' as const })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes these transaction sources, except those that a withdrawal has. True when no withdrawal has one of them. */
export async function deleteChannelSources(trx: Trx, accounts: string[]): Promise<boolean> {
  await trx
    .deleteFrom('tx_sources')
    .where('account', 'in', accounts)
    .where('withdrawal_id', 'is', null)
    .execute();
  const held = await trx
    .selectFrom('tx_sources')
    .select('account')
    .where('account', 'in', accounts)
    .execute();
  return held.length === 0;
}

/**
 * Releases the unusable transaction source of a queued withdrawal, which then waits for another. Does nothing once the
 * withdrawal is signed.
 */
export async function releaseTxSource(
  db: Db,
  { id, tx_source }: { id: string; tx_source: string },
): Promise<void> {
  const { rows } = await sql<{ freed: number; released: number }>`
    with freed as (
      update withdrawals set tx_source = null where id = ${id} and tx_source = ${tx_source} and status = 'queued' returning id
    ), released as (
      update tx_sources set withdrawal_id = null where account = ${tx_source} and withdrawal_id in (select id from freed) returning account
    )
    select (select count(*)::int from freed) as freed, (select count(*)::int from released) as released
  `.execute(db);
  assert.equal(rows[0]?.released, rows[0]?.freed, 'a withdrawal has the transaction source that it names');
}

/** A transaction of the ledger: its source, and whether that is the own account of a wallet. */
export type UsedSource = { account: string; sequence: bigint; is_wallet: boolean };

/**
 * Advances last sequence numbers to those that the ledger shows, never back, and releases the transaction sources of these withdrawals,
 * whose outcomes are recorded. The own account of a wallet becomes a transaction source if it is not one yet. Other accounts are ignored.
 */
export async function recordUsedSources(db: Db, used: UsedSource[], withdrawal_ids: string[]): Promise<void> {
  if (used.length === 0 && withdrawal_ids.length === 0) return;
  const of = <K extends keyof UsedSource>(key: K) => used.map((each) => each[key]);
  // Whether a withdrawal has the source is asked of the row that is updated: another process may have assigned it since.
  const isOver = sql`tx_sources.withdrawal_id = any(${withdrawal_ids}::text[])`;
  await sql`
    with used as (
      select account, max(sequence) as sequence, bool_or(is_wallet) as is_wallet
        from unnest(${of('account')}::text[], ${of('sequence')}::bigint[], ${of('is_wallet')}::boolean[])
             as used (account, sequence, is_wallet)
       group by account
    ), inserted as (
      insert into tx_sources (account, last_sequence)
      select account, sequence from used
       where is_wallet and not exists (select from tx_sources where tx_sources.account = used.account)
       order by account collate "C"
      on conflict (account) do update set last_sequence = greatest(tx_sources.last_sequence, excluded.last_sequence)
    ), changed as (
      select account, sequence from used
       union all
      select account, null from tx_sources where ${isOver} and account not in (select account from used)
    )
    update tx_sources set last_sequence = greatest(last_sequence, changed.sequence),
           withdrawal_id = case when ${isOver} then null else withdrawal_id end,
           blocked_reason = case when ${isOver} then null else blocked_reason end
      from changed where tx_sources.account = changed.account
  `.execute(db);
}

/**
 * Releases the transaction sources of these withdrawals, and clears their blocked reasons. Call it when their outcomes
 * are recorded.
 */
export async function freeTxSources(db: Db, withdrawal_ids: string[]): Promise<void> {
  await db
    .updateTable('tx_sources')
    .set({ withdrawal_id: null, blocked_reason: null })
    .where('withdrawal_id', '=', isAnyOf(withdrawal_ids))
    .execute();
}

/**
 * Records the blocked reason of the transaction source; null clears it. False when the same reason is recorded already,
 * or when the withdrawal does not have the transaction source any more.
 */
export async function recordBlockedReason(
  db: Db,
  {
    account,
    withdrawal_id,
    blocked_reason,
  }: { account: string; withdrawal_id: string; blocked_reason: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tx_sources')
    .set({ blocked_reason })
    .where('account', '=', account)
    .where('withdrawal_id', '=', withdrawal_id)
    .where('blocked_reason', 'is distinct from', blocked_reason)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Clears the blocked reasons of channels, so that they are tried again: the node that gave false answers, or lagged,
 * may have been replaced. A channel that is still unusable is blocked again at once. (A wallet's own account keeps its
 * withdrawal, which is tried again.)
 */
export async function unblockFreeChannels(db: Db): Promise<void> {
  await db
    .updateTable('tx_sources')
    .set({ blocked_reason: null })
    .where('kind', '=', 'channel')
    .where('withdrawal_id', 'is', null)
    .where('blocked_reason', 'is not', null)
    .execute();
}

/** Lists the blocked transaction sources, each with its reason and the number of withdrawals that wait for it. */
export async function blockedTxSources(
  db: Db,
): Promise<{ account: string; blocked_reason: string; waiting: bigint }[]> {
  const { rows } = await sql<{ account: string; blocked_reason: string; waiting: bigint }>`
    select tx_sources.account, tx_sources.blocked_reason,
           (select count(*) from withdrawals left join wallet_accounts as wallet on wallet.id = withdrawals.wallet_id
             where withdrawals.status in ('queued', 'signed')
               and (withdrawals.tx_source = tx_sources.account or wallet.account = tx_sources.account)) as waiting
      from tx_sources where tx_sources.blocked_reason is not null order by tx_sources.account
  `.execute(db);
  return rows;
}

/** Counts the blocked transaction sources: `free` ones are channels without a withdrawal, so that nothing waits for them. */
export async function countBlockedTxSources(db: Db): Promise<{ assigned: number; free: number }> {
  const isFree = sql`kind = 'channel' and withdrawal_id is null`;
  return db
    .selectFrom('tx_sources')
    .select([
      sql<number>`(count(*) filter (where not (${isFree})))::int`.as('assigned'),
      sql<number>`(count(*) filter (where ${isFree}))::int`.as('free'),
    ])
    .where('blocked_reason', 'is not', null)
    .executeTakeFirstOrThrow();
}

/** Says why nothing is signed with this transaction source; null when it is not blocked or does not exist. */
export async function blockedReasonOf(db: Db, account: string): Promise<string | null> {
  const tx_source = await db
    .selectFrom('tx_sources')
    .select('blocked_reason')
    .where('account', '=', account)
    .executeTakeFirst();
  return tx_source?.blocked_reason ?? null;
}

/** Counts the channels; `free` ones could be assigned now. */
export async function countChannelSources(db: Db): Promise<{ total: number; free: number; blocked: number }> {
  return db
    .selectFrom('tx_sources')
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (where withdrawal_id is null and blocked_reason is null))::int`.as('free'),
      sql<number>`(count(*) filter (where blocked_reason is not null))::int`.as('blocked'),
    ])
    .where('kind', '=', 'channel')
    .executeTakeFirstOrThrow();
}

/**
 * Accepts a sequence number, when an operator has found out what used the sequence numbers up to this one: signing continues after it.
 * Returns false when the transaction source is not blocked.
 */
export async function acceptSequence(db: Db, account: string, sequence: bigint): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tx_sources')
    .set({ last_sequence: sequence, blocked_reason: null })
    .where('account', '=', account)
    .where('blocked_reason', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
