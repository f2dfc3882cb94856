/** The only writer of withdrawals and lanes. Each transition names the state it starts from: a late writer changes nothing. */
import { type Selectable, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

export type Withdrawal = Omit<Selectable<Tables['withdrawals']>, 'leased_until'>;

const columns = [
  'id',
  'wallet_id',
  'owner_id',
  'idempotency_key',
  'status',
  'operation',
  'destination',
  'amount_stroops',
  'memo_id',
  'lane',
  'sequence',
  'envelope_xdr',
  'inner_tx_hash',
  'stellar_tx_hash',
  'fee_bump_hashes',
  'fee_bid_stroops',
  'max_time',
  'first_sent_ledger',
  'ledger',
  'fee_stroops',
  'failure_code',
  'failure_message',
  'created_at',
  'settled_at',
] as const;

export type Claim = Pick<
  Withdrawal,
  | 'id'
  | 'wallet_id'
  | 'owner_id'
  | 'idempotency_key'
  | 'operation'
  | 'destination'
  | 'amount_stroops'
  | 'memo_id'
  | 'lane'
  | 'created_at'
>;

/**
 * Takes the Idempotency-Key for this withdrawal, for ever; `claimed` false gives the withdrawal that has it.
 * Safe to repeat after an error that left open whether it took effect: its own row is recognised by its id.
 */
export async function claim(
  db: Db,
  order: Claim,
  leased_until: Date,
): Promise<{ claimed: boolean; withdrawal: Withdrawal }> {
  return db.transaction().execute(async (trx) => {
    await trx
      .insertInto('lanes')
      .values({ account: order.lane })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await trx
      .insertInto('withdrawals')
      .values({ ...order, status: 'queued', leased_until })
      .onConflict((conflict) => conflict.columns(['owner_id', 'idempotency_key']).doNothing())
      .execute();
    const withdrawal = await trx
      .selectFrom('withdrawals')
      .select(columns)
      .where('owner_id', '=', order.owner_id)
      .where('idempotency_key', '=', order.idempotency_key)
      .executeTakeFirstOrThrow();
    return { claimed: withdrawal.id === order.id, withdrawal };
  });
}

/**
 * Gives the lane to a queued withdrawal if it is free and no older one waits for it. Whoever has it keeps it, even if
 * an older one has come since: ids are made before they are committed, and two that wait for each other never end.
 * A holder that is settled has no claim to it. Null when it is not this one's turn.
 */
export async function takeLane(
  db: Db,
  withdrawal: { id: string; lane: string },
): Promise<{ last_sequence: bigint | null; trouble: string | null } | null> {
  const { rows } = await sql<{ last_sequence: bigint | null; trouble: string | null }>`
    update lanes set holder = ${withdrawal.id}
     where account = ${withdrawal.lane}
       and exists (select from withdrawals where id = ${withdrawal.id} and status = 'queued')
       and (holder = ${withdrawal.id}
            or ((holder is null or exists (
                  select from withdrawals settled
                   where settled.id = lanes.holder and settled.status in ('confirmed', 'failed')))
                and ${withdrawal.id} = (
                select id from withdrawals where lane = lanes.account and status = 'queued' order by id limit 1)))
    returning last_sequence, trouble
  `.execute(db);
  return rows[0] ?? null;
}

/** The sequence number of the lane's last envelope proven to be applied, or that an operator accepted. */
export async function lastSequence(db: Db, account: string): Promise<bigint | null> {
  const lane = await db
    .selectFrom('lanes')
    .select('last_sequence')
    .where('account', '=', account)
    .executeTakeFirstOrThrow();
  return lane.last_sequence;
}

/**
 * Says why the lane stands still, or with null that it does no more. False when that is known already (each look would
 * say it again), or when the withdrawal is not in the state any more in which it was seen: another process has brought it further, and what was seen was that process's work.
 */
export async function recordLaneTrouble(
  db: Db,
  withdrawal: { id: string; status: Withdrawal['status'] },
  trouble: string | null,
): Promise<boolean> {
  const updated = await db
    .updateTable('lanes')
    .set({ trouble })
    .where('holder', '=', withdrawal.id)
    .where('trouble', 'is distinct from', trouble)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('withdrawals')
          .select('id')
          .where('id', '=', withdrawal.id)
          .where('status', '=', withdrawal.status)
          .forShare(),
      ),
    )
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** Lanes for which nothing is signed, with the reason and how many withdrawals wait. */
export async function lanesInTrouble(
  db: Db,
): Promise<{ account: string; trouble: string; waiting: bigint }[]> {
  const { rows } = await sql<{ account: string; trouble: string; waiting: bigint }>`
    select account, trouble,
           (select count(*) from withdrawals where lane = lanes.account and status in ('queued', 'signed')) as waiting
      from lanes where trouble is not null order by account
  `.execute(db);
  return rows;
}

/** An operator has found out what used the sequence numbers up to this one: signing goes on after it. */
export async function acceptSequence(db: Db, account: string, sequence: bigint): Promise<boolean> {
  const updated = await db
    .updateTable('lanes')
    .set({ last_sequence: sequence, trouble: null })
    .where('account', '=', account)
    .where('trouble', 'is not', null)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** For a settled withdrawal: takes its hand off the lane, should a late `takeLane` have put it there again. */
export async function leaveLane(db: Db, id: string): Promise<void> {
  await db.updateTable('lanes').set({ holder: null }).where('holder', '=', id).execute();
}

export type Signed = {
  sequence: bigint;
  envelope_xdr: string;
  hash: string;
  max_time: bigint;
  first_sent_ledger: number;
};

/**
 * Commits the one envelope. False when the row is not `queued` under this lane holder any more: another process has
 * signed it, and the envelope in hand must never be sent.
 */
export async function recordSigned(db: Db, id: string, signed: Signed): Promise<boolean> {
  const { hash, ...rest } = signed;
  const updated = await db
    .updateTable('withdrawals')
    .set({ ...rest, inner_tx_hash: hash, stellar_tx_hash: hash, status: 'signed' })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where((eb) => eb.exists(eb.selectFrom('lanes').select('account').where('holder', '=', id)))
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export type Outcome =
  | {
      status: 'confirmed' | 'failed';
      applied: true;
      ledger: number;
      fee_stroops: bigint;
      stellar_tx_hash: string;
      failure: { code: string; message: string } | null;
    }
  | { status: 'failed'; applied: false; failure: { code: string; message: string } };

/** Records the proven outcome and frees the lane, together. Does nothing if another process has recorded it. */
export async function finish(db: Db, withdrawal: Withdrawal, outcome: Outcome, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const applied = outcome.applied
      ? { ledger: outcome.ledger, fee_stroops: outcome.fee_stroops, stellar_tx_hash: outcome.stellar_tx_hash }
      : {};
    await trx
      .updateTable('withdrawals')
      .set({
        ...applied,
        status: outcome.status,
        failure_code: outcome.failure?.code ?? null,
        failure_message: outcome.failure?.message ?? null,
        settled_at: now,
      })
      .where('id', '=', withdrawal.id)
      .where('status', '=', 'signed')
      .execute();
    await trx
      .updateTable('lanes')
      .set({ holder: null, trouble: null, ...(outcome.applied && { last_sequence: withdrawal.sequence }) })
      .where('account', '=', withdrawal.lane)
      .where('holder', '=', withdrawal.id)
      .execute();
  });
}

/** Keeps the other processes off the row until then; false when it is settled. */
export async function lease(db: Db, id: string, until: Date): Promise<boolean> {
  const updated = await db
    .updateTable('withdrawals')
    .set({ leased_until: until })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'signed'])
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** Open withdrawals that nobody works on: their process crashed or stopped. Leases them to the caller. */
export async function adoptOrphans(
  db: Db,
  options: { now: Date; until: Date; longest_until: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .updateTable('withdrawals')
    .set({ leased_until: options.until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('withdrawals')
        .select('id')
        .where('status', 'in', ['queued', 'signed'])
        // A lease that ends later than any of ours can comes from a clock that runs ahead: it counts as ended.
        .where((where) =>
          where.or([
            where('leased_until', '<=', options.now),
            where('leased_until', '>', options.longest_until),
          ]),
        )
        .orderBy('id')
        .limit(options.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** For a process that knows that it is alone: whoever held a lease is dead. */
export async function endLeases(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('withdrawals')
    .set({ leased_until: now })
    .where('status', 'in', ['queued', 'signed'])
    .execute();
}

export async function findWithdrawal(db: Db, id: string): Promise<Withdrawal | undefined> {
  return db.selectFrom('withdrawals').select(columns).where('id', '=', id).executeTakeFirst();
}

export async function findByKey(
  db: Db,
  owner_id: string,
  idempotency_key: string,
): Promise<Withdrawal | undefined> {
  return db
    .selectFrom('withdrawals')
    .select(columns)
    .where('owner_id', '=', owner_id)
    .where('idempotency_key', '=', idempotency_key)
    .executeTakeFirst();
}

export async function findOfWallet(db: Db, wallet_id: string, id: string): Promise<Withdrawal | undefined> {
  return db
    .selectFrom('withdrawals')
    .select(columns)
    .where('wallet_id', '=', wallet_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Newest first. */
export async function listOfWallet(
  db: Db,
  wallet_id: string,
  filter: { idempotency_key: string | undefined },
  page: { limit: number; before: string | undefined },
): Promise<Withdrawal[]> {
  let query = db.selectFrom('withdrawals').select(columns).where('wallet_id', '=', wallet_id);
  if (filter.idempotency_key !== undefined)
    query = query.where('idempotency_key', '=', filter.idempotency_key);
  if (page.before !== undefined) query = query.where('id', '<', page.before);
  return query.orderBy('id', 'desc').limit(page.limit).execute();
}

/** What signing needs of the wallet; read only: wallets/store.ts writes it. */
export async function findSealedSeed(
  db: Db,
  wallet_id: string,
): Promise<{ account: string; sealed_seed: Buffer } | undefined> {
  return db
    .selectFrom('wallets')
    .select(['account', 'sealed_seed'])
    .where('id', '=', wallet_id)
    .executeTakeFirst();
}
