/**
 * The only writer of channels and treasury. Each transition names the state it starts from, so a late writer changes
 * nothing; the transaction source is made or deleted in the same transaction.
 */
import { strict as assert } from 'node:assert';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { sealedRows } from '../../db/sealed-rows.ts';
import type { Tables } from '../../db/tables.ts';
import { deleteChannelSources, insertChannelSources } from '../engine/tx-source-store.ts';

export type Treasury = Selectable<Tables['treasury']>;
export type Channel = Pick<Selectable<Tables['channels']>, 'account' | 'id' | 'sealed_seed' | 'sponsor'>;
export type ChannelStatus = Tables['channels']['status'];
type Keys = { id: string; account: string; sealed_seed: Buffer };

/** A treasury's transaction that may have been sent, and has no proven outcome yet. */
export type UnderWay = {
  tx_hash: string;
  envelope_xdr: string;
  max_time: bigint;
  signed_ledger: number;
};

/** A fixed number that nothing else in the database uses. */
const POOL_LOCK = 7_354_003;

/**
 * Locks the pool until the transaction ends: one process at a time decides how many channels are made, and which account pays
 * for them.
 */
async function lockPool(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${POOL_LOCK})`.execute(trx);
}

/** Keeps the keys of a treasury. Keys of a known account are not replaced. */
export async function keepTreasury(db: Db, treasury: Keys): Promise<void> {
  await db
    .insertInto('treasury')
    .values(treasury)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Makes this treasury the newest one, which pays from now on. A known one gets its new keys (the same seed, sealed for the
 * new id), unless it is the newest already.
 */
export async function keepNewestTreasury(db: Db, treasury: Keys): Promise<void> {
  const { id, sealed_seed } = treasury;
  await db
    .insertInto('treasury')
    .values(treasury)
    .onConflict((conflict) =>
      conflict
        .column('account')
        .doUpdateSet({ id, sealed_seed })
        .where('treasury.id', '<', (eb) =>
          eb.selectFrom('treasury as newest').select(({ fn }) => fn.max('newest.id').as('id')),
        ),
    )
    .execute();
}

/** Keeps the keys only if there is no treasury. Two processes that do it at once get the same one. */
export async function keepFirstTreasury(db: Db, treasury: Keys): Promise<Treasury> {
  return db.transaction().execute(async (trx) => {
    await lockPool(trx);
    if (!(await newestTreasury(trx))) await keepTreasury(trx, treasury);
    return trx.selectFrom('treasury').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
  });
}

export async function newestTreasury(db: Db): Promise<Treasury | undefined> {
  return db.selectFrom('treasury').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
}

export async function findTreasury(db: Db, account: string): Promise<Treasury> {
  return db.selectFrom('treasury').selectAll().where('account', '=', account).executeTakeFirstOrThrow();
}

/** Returns the accounts of the treasuries that have a transaction under way. */
export async function busyTreasuries(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('treasury').select('account').where('tx_hash', 'is not', null).execute();
  return rows.map(({ account }) => account);
}

export type ChannelCounts = Record<ChannelStatus, number>;

export async function countChannels(db: Db): Promise<ChannelCounts> {
  const rows = await db
    .selectFrom('channels')
    .select(['status', sql<number>`count(*)::integer`.as('count')])
    .groupBy('status')
    .execute();
  const counts: ChannelCounts = { creating: 0, active: 0, retired: 0, merged: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/**
 * Commits the keys of new channels and returns how many. `missing` computes how many from the present counts. A lock
 * lets one process decide at a time. `record` gives at most that many keys, which are in the key journal already; when it gives
 * null, nothing is committed and null is returned.
 */
export async function planChannels(
  db: Db,
  sponsor: string,
  missing: (counts: ChannelCounts) => number,
  record: (trx: Trx, count: number) => Promise<Keys[] | null>,
): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    await lockPool(trx);
    const count = missing(await countChannels(trx));
    if (count <= 0) return 0;
    const recorded = await record(trx, count);
    if (!recorded?.length) return recorded && 0;
    const rows = recorded.map((keys) => ({ ...keys, sponsor, status: 'creating' as const }));
    await trx.insertInto('channels').values(rows).execute();
    return rows.length;
  });
}

/** Returns the sealed keys of all channels and treasuries. */
export async function channelAndTreasuryKeys(db: Db) {
  const columns = ['id', 'account', 'sealed_seed', 'created_at'] as const;
  const channels = await db
    .selectFrom('channels')
    .select([...columns, 'sponsor'])
    .orderBy('id')
    .execute();
  const treasuries = await db.selectFrom('treasury').select(columns).orderBy('id').execute();
  return { channels, treasuries };
}

export const sealedChannels = sealedRows({
  kind: 'channel accounts',
  table: 'channels',
  column: 'sealed_seed',
  key: 'account',
  key_type: 'text',
  sealed_for: 'id',
});

export const sealedTreasuries = sealedRows({
  kind: 'treasuries',
  table: 'treasury',
  column: 'sealed_seed',
  key: 'account',
  key_type: 'text',
  sealed_for: 'id',
});

/**
 * Inserts a channel that this database has forgotten, with the keys of the key journal: as one that is being made, so that
 * it becomes active when it is found on the network. False when it is known, or its treasury is not.
 */
export async function insertForgottenChannel(db: Db, channel: Channel): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('channels')
    .columns(['id', 'account', 'sealed_seed', 'sponsor', 'status'])
    .expression(
      db
        .selectFrom('treasury')
        .select([
          sql<string>`${channel.id}::text`.as('id'),
          sql<string>`${channel.account}::text`.as('account'),
          sql<Buffer>`${channel.sealed_seed}::bytea`.as('sealed_seed'),
          'treasury.account as sponsor',
          sql<ChannelStatus>`'creating'`.as('status'),
        ])
        .where('treasury.account', '=', channel.sponsor),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns planned channels that no transaction under way creates. */
export async function channelsToCreate(db: Db, limit: number): Promise<Channel[]> {
  return db
    .selectFrom('channels')
    .select(['account', 'id', 'sealed_seed', 'sponsor'])
    .where('status', '=', 'creating')
    .where('tx_hash', 'is', null)
    .orderBy('account')
    .limit(limit)
    .execute();
}

/** Returns retired channels of one sponsor that no withdrawal uses and no transaction under way merges. */
export async function channelsToMerge(db: Db, limit: number): Promise<Channel[]> {
  const channels = await db
    .selectFrom('channels')
    .leftJoin('tx_sources', 'tx_sources.account', 'channels.account')
    .select(['channels.account', 'id', 'sealed_seed', 'sponsor'])
    .where('status', '=', 'retired')
    .where('tx_hash', 'is', null)
    .where('tx_sources.withdrawal_id', 'is', null)
    .orderBy('sponsor')
    .orderBy('channels.account')
    .limit(limit)
    .execute();
  return channels.filter(({ sponsor }) => sponsor === channels[0]?.sponsor);
}

/**
 * Commits the sponsor's next transaction, which creates these channels, or merges them and deletes their transaction
 * sources. False when the sponsor has one under way, a channel has left the state `from`, or a withdrawal uses one:
 * then the envelope must never be sent.
 */
export async function commitTransaction(
  db: Db,
  sponsor: string,
  order: { from: 'creating' | 'retired'; accounts: string[]; transaction: UnderWay },
): Promise<boolean> {
  const { from, accounts, transaction } = order;
  return db.transaction().execute(async (trx) => {
    const free = await trx
      .selectFrom('treasury')
      .select('account')
      .where('account', '=', sponsor)
      .where('tx_hash', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    const ready = await trx
      .selectFrom('channels')
      .select('account')
      .where('account', 'in', accounts)
      .where('status', '=', from)
      .where('tx_hash', 'is', null)
      .orderBy('account')
      .forUpdate()
      .execute();
    if (!free || ready.length !== accounts.length) return false;
    // Some may be deleted although a withdrawal uses another one. That does no harm: a retired channel is not assigned.
    if (from === 'retired' && !(await deleteChannelSources(trx, accounts))) return false;
    const paying = await trx
      .updateTable('treasury')
      .set(transaction)
      .where('account', '=', sponsor)
      .executeTakeFirst();
    assert.equal(paying.numUpdatedRows, 1n, 'the treasury is locked above');
    const { tx_hash } = transaction;
    const bound = await trx
      .updateTable('channels')
      .set({ tx_hash, sponsor })
      .where('account', 'in', accounts)
      .executeTakeFirst();
    assert.equal(bound.numUpdatedRows, BigInt(accounts.length), 'the channels are locked above');
    return true;
  });
}

/**
 * Commits the next transaction of the newest treasury, read as it is given here, which fills these active channels. False when any
 * treasury has a transaction under way, this one has had one since or is not the newest any more, or a channel is not active: then the
 * envelope must never be sent, because others may have filled the channels since they were read.
 */
export async function commitFilling(
  db: Db,
  { account, ledger }: Pick<Treasury, 'account' | 'ledger'>,
  { accounts, transaction }: { accounts: string[]; transaction: UnderWay },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockPool(trx);
    const newest = await trx
      .selectFrom('treasury')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .forUpdate()
      .executeTakeFirst();
    const busy = await busyTreasuries(trx);
    const active = await trx
      .selectFrom('channels')
      .select('account')
      .where('account', 'in', accounts)
      .where('status', '=', 'active')
      .orderBy('account')
      .forShare()
      .execute();
    const isAsRead = newest?.account === account && newest.ledger === ledger && busy.length === 0;
    if (!isAsRead || active.length !== accounts.length) return false;
    await trx.updateTable('treasury').set(transaction).where('account', '=', account).execute();
    return true;
  });
}

/**
 * Records the outcome of the sponsor's transaction under way: `done` moves its channels to their next state; otherwise they
 * stay in the state before it. `ledger` is one at which this is known. Does nothing when it is recorded already.
 */
export async function finishTransaction(
  db: Db,
  sponsor: string,
  tx_hash: string,
  outcome: { done: boolean; ledger: number },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const finished = await trx
      .updateTable('treasury')
      .set({ tx_hash: null, envelope_xdr: null, max_time: null, signed_ledger: null })
      .set({ ledger: sql`greatest(ledger, ${outcome.ledger})` })
      .where('account', '=', sponsor)
      .where('tx_hash', '=', tx_hash)
      .executeTakeFirst();
    if (finished.numUpdatedRows === 0n) return;
    const channels = await trx
      .updateTable('channels')
      .set({ tx_hash: null })
      .where('tx_hash', '=', tx_hash)
      .returning(['account', 'status'])
      .execute();
    if (outcome.done) await moveOn(trx, channels);
  });
}

/**
 * Records planned channels that exist on the network as active: this database has forgotten the transaction that created them.
 */
export async function recordFound(db: Db, accounts: string[]): Promise<void> {
  await moveIdle(db, 'creating', accounts);
}

/** Records retired channels that no longer exist on the network as merged. */
export async function recordGone(db: Db, accounts: string[]): Promise<void> {
  await moveIdle(db, 'retired', accounts);
}

async function moveIdle(db: Db, from: 'creating' | 'retired', accounts: string[]): Promise<void> {
  if (accounts.length === 0) return;
  await db.transaction().execute(async (trx) => {
    const channels = await trx
      .selectFrom('channels')
      .select(['account', 'status'])
      .where('account', 'in', accounts)
      .where('status', '=', from)
      .where('tx_hash', 'is', null)
      .orderBy('account')
      .forUpdate()
      .execute();
    await moveOn(trx, channels);
  });
}

/** Moves channels from `creating` to `active`, with a transaction source, and from `retired` to `merged`, without one. */
async function moveOn(trx: Trx, channels: { account: string; status: ChannelStatus }[]): Promise<void> {
  const accountsOf = (status: ChannelStatus) =>
    channels.filter((channel) => channel.status === status).map(({ account }) => account);
  const [created, merged] = [accountsOf('creating'), accountsOf('retired')];
  if (created.length > 0) {
    await setStatus(trx, created, 'active');
    await insertChannelSources(trx, created);
  }
  if (merged.length > 0) {
    await setStatus(trx, merged, 'merged');
    await deleteChannelSources(trx, merged);
  }
}

/** Sets the status of channels. Call it for channels that this transaction has locked. */
async function setStatus(trx: Trx, accounts: string[], status: 'active' | 'merged'): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set({ status })
    .where('account', 'in', accounts)
    .executeTakeFirst();
  assert.equal(numUpdatedRows, BigInt(accounts.length), 'the channels are locked by this transaction');
}

/** Retires active channels: this one, or `count` of them, first those that no withdrawal uses. Returns how many. */
export async function retire(db: Db, which: { account: string } | { count: number }): Promise<number> {
  const one = 'account' in which ? which.account : null;
  const limit = 'count' in which ? which.count : 1;
  const { rows } = await sql<{ account: string }>`
    update channels set status = 'retired'
     where status = 'active' and account in (
           select channels.account from channels left join tx_sources on tx_sources.account = channels.account
            where channels.status = 'active' and (${one}::text is null or channels.account = ${one})
            order by tx_sources.withdrawal_id is not null, channels.account
            limit ${limit})
    returning account
  `.execute(db);
  return rows.length;
}

/** Returns the accounts of the channels in one of these states. */
export async function channelsIn(db: Db, statuses: ChannelStatus[]): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .select('account')
    .where('status', 'in', statuses)
    .orderBy('account')
    .execute();
  return rows.map(({ account }) => account);
}

export type ChannelRow = {
  account: string;
  status: ChannelStatus;
  sponsor: string;
  withdrawal_id: string | null;
  blocked_reason: string | null;
};

/** Returns all channels that are not merged, in order of account. */
export async function listChannels(db: Db): Promise<ChannelRow[]> {
  return db
    .selectFrom('channels')
    .leftJoin('tx_sources', 'tx_sources.account', 'channels.account')
    .select(['channels.account', 'status', 'sponsor', 'withdrawal_id', 'blocked_reason'])
    .where('status', '<>', 'merged')
    .orderBy('channels.account')
    .execute();
}
