/** The only writer of withdrawals and lanes. Each transition names the state it starts from: a late writer changes nothing. */
import type { ExpressionBuilder, Selectable } from 'kysely';
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
 * Gives the lane to the withdrawal if it is free (or already its own) and no older one waits for it.
 * Returns the lane's last proven sequence number, or null when it is not this one's turn.
 */
export async function takeLane(db: Db, withdrawal: { id: string; lane: string }): Promise<bigint | null> {
  const oldestQueued = (eb: ExpressionBuilder<Tables, 'lanes'>) =>
    eb
      .selectFrom('withdrawals')
      .select('withdrawals.id')
      .where('withdrawals.lane', '=', withdrawal.lane)
      .where('withdrawals.status', '=', 'queued')
      .orderBy('withdrawals.id')
      .limit(1);
  const taken = await db
    .updateTable('lanes')
    .set({ holder: withdrawal.id })
    .where('account', '=', withdrawal.lane)
    .where((eb) => eb.or([eb('holder', 'is', null), eb('holder', '=', withdrawal.id)]))
    .where((eb) => eb(eb.val(withdrawal.id), '=', oldestQueued(eb)))
    .returning('last_sequence')
    .executeTakeFirst();
  return taken?.last_sequence ?? null;
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
      .set({ holder: null, ...(outcome.applied && { last_sequence: withdrawal.sequence ?? 0n }) })
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
  options: { now: Date; until: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .updateTable('withdrawals')
    .set({ leased_until: options.until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('withdrawals')
        .select('id')
        .where('status', 'in', ['queued', 'signed'])
        .where('leased_until', '<=', options.now)
        .orderBy('id')
        .limit(options.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
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
