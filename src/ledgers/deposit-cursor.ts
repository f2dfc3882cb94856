/** The only writer of deposit_cursor, deposit_positions and quarantined_transactions. */
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { Anchor } from '../stellar/stellar.ts';

// cursor

export type DepositCursor = Pick<
  Selectable<Tables['deposit_cursor']>,
  'ledger' | 'ledger_hash' | 'close_time' | 'stop_reason' | 'updated_at'
> & {
  /** How many transactions wait in quarantine. */
  quarantined: bigint;
};

/** A ledger that was read, its hash (hex), and when it closed in Unix seconds. */
export type DepositPosition = Selectable<Tables['deposit_positions']>;

/** Longer than Stellar RPC keeps ledgers by default, seven days of 5 s each: from before that nothing can be read again there. */
const KEPT_LEDGERS = 121_000;

/** What the next ledgers must follow; null where the hash is not known. */
export function anchorOf({
  ledger,
  ledger_hash: hash,
}: Pick<DepositCursor, 'ledger' | 'ledger_hash'>): Anchor | null {
  return hash === null ? null : { ledger, hash };
}

/** The last ledger whose deposits are committed; begins at the installation's first ledger. */
export async function readDepositCursor(db: Db): Promise<DepositCursor> {
  const found = await findDepositCursor(db);
  if (found) return found;
  await db
    .insertInto('deposit_cursor')
    .columns(['ledger', 'ledger_hash'])
    .expression((eb) => eb.selectFrom('installation').select(['start_ledger', 'start_ledger_hash']))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const created = await findDepositCursor(db);
  if (!created) throw new Error('the database is not bound to a network yet');
  return created;
}

export async function findDepositCursor(db: Db): Promise<DepositCursor | undefined> {
  return db
    .selectFrom('deposit_cursor')
    .select(['ledger', 'ledger_hash', 'close_time', 'stop_reason', 'updated_at'])
    .select(
      sql<bigint>`(select count(*) from quarantined_transactions where resolved_at is null and dismissed_at is null)`.as(
        'quarantined',
      ),
    )
    .executeTakeFirst();
}

type From = Pick<DepositCursor, 'ledger' | 'ledger_hash'>;

/**
 * False, and nothing is changed, when the cursor is not at `from` any more: another process has moved it, or a person has put
 * it back, since when it may have come to another ledger of the same number.
 */
export async function moveDepositCursor(
  trx: Trx,
  { from, to, now }: { from: From; to: DepositPosition; now: Date },
): Promise<boolean> {
  if (!(await setDepositCursor(trx, { from, to, now }))) return false;
  const { ledger } = to;
  await sql`
    with forgotten as (delete from deposit_positions where ledger < ${ledger - KEPT_LEDGERS}::int)
    insert into deposit_positions ${sql.raw('(ledger, ledger_hash, close_time)')}
    values (${ledger}, ${to.ledger_hash}, ${to.close_time})
    on conflict (ledger) do update set ledger_hash = excluded.ledger_hash, close_time = excluded.close_time`.execute(
    trx,
  );
  return true;
}

async function setDepositCursor(
  trx: Trx,
  {
    from,
    to,
    now,
  }: { from: From; to: Omit<DepositPosition, 'close_time'> & Pick<DepositCursor, 'close_time'>; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('deposit_cursor')
    .set({ ...to, stop_reason: null, updated_at: now })
    .where('ledger', '=', from.ledger)
    .where('ledger_hash', 'is not distinct from', from.ledger_hash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A place that the reading can go on from again; the installation's first has no close time. */
export type KeptPosition = Omit<DepositPosition, 'close_time'> & { close_time: bigint | null };

/** Where the reading was, up to `ledger`, oldest first; the installation's first ledger is the oldest of all. */
export async function keptPositions(db: Db, ledger: number): Promise<KeptPosition[]> {
  const { rows } = await sql<KeptPosition>`
    select ledger, ledger_hash, close_time from deposit_positions where ledger <= ${ledger}::int
    union
    select start_ledger, start_ledger_hash, null from installation
     where start_ledger <= ${ledger}::int
       and not exists (select from deposit_positions where ledger = start_ledger)
    order by ledger`.execute(db);
  return rows;
}

/** The reading goes on from `to`, as if it had never been further. False, and nothing is changed, when it is not at `from` any more. */
export async function rewindCursor(
  db: Db,
  { from, to, now }: { from: From; to: KeptPosition; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await setDepositCursor(trx, { from, to, now }))) return false;
    await trx.deleteFrom('deposit_positions').where('ledger', '>', to.ledger).execute();
    return true;
  });
}

/** Why the cursor stays where it is; null: it need not. Nothing is said of a cursor that has moved on since. */
export async function recordStopReason(db: Db, from: number, stop_reason: string | null): Promise<void> {
  await db.updateTable('deposit_cursor').set({ stop_reason }).where('ledger', '=', from).execute();
}

/** What is recorded of a ledger; the last two are a deposit's only. */
export type Booked = {
  kind: 'deposit' | 'withdrawal';
  id: string;
  wallet_id: string;
  stellar_tx_hash: string;
  ledger: number;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  operation_index: number;
  event_index: number;
};

/** Deposits and settled withdrawals of later ledgers than this, in the order of the ledger. */
export async function bookedAfter(db: Db, ledger: number): Promise<Booked[]> {
  const { rows } = await sql<Booked>`
    select 'deposit' as kind, id, wallet_id, stellar_tx_hash, ledger, asset_code, asset_issuer, amount_stroops,
           operation_index, event_index
      from deposits where ledger > ${ledger}::int
    union all
    select 'withdrawal', id, wallet_id, stellar_tx_hash, ledger, 'native', null, amount_stroops, 0, 0
      from withdrawals where ledger > ${ledger}::int
    order by ledger, id`.execute(db);
  return rows;
}

// wallets, as far as the prefilter has to know them

/** What `accountsSince` has seen of the database; it is for nothing but the next call. */
export type Reading = { database: string; xmin: string };

/**
 * The accounts of the wallets that may have been committed since a reading, or of all. What is behind it: watched.ts.
 * `database` is another one after a fail-over, a restore or a restart of the server.
 */
export async function accountsSince(
  db: Db,
  reading: Reading | null,
): Promise<{ accounts: string[]; reading: Reading }> {
  const { rows } = await sql<Reading & { accounts: string[] }>`
    select array(select account from wallets where inserted_xid >= ${reading?.xmin ?? '0'}::xid8) as accounts,
           concat_ws(' ', database_timeline(), pg_postmaster_start_time(), pg_relation_filenode('wallets')) as database,
           pg_snapshot_xmin(pg_current_snapshot())::text as xmin`.execute(db);
  const { accounts, ...now } = rows[0] as Reading & { accounts: string[] };
  return { accounts, reading: now };
}

// quarantine

export type Quarantined = Selectable<Tables['quarantined_transactions']>;
export type NewQuarantined = Pick<
  Quarantined,
  'hash' | 'ledger' | 'reason' | 'envelope_xdr' | 'result_xdr' | 'meta_xdr'
>;

/** How many of them were not known. */
export async function insertQuarantined(trx: Trx, rows: NewQuarantined[], now: Date): Promise<number> {
  if (rows.length === 0) return 0;
  const inserted = await trx
    .insertInto('quarantined_transactions')
    .values(rows.map((row) => ({ ...row, created_at: now })))
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash')
    .execute();
  return inserted.length;
}

/** Those that nobody could read yet, in the order of the ledger. */
export async function openQuarantined(db: Db): Promise<Quarantined[]> {
  return db
    .selectFrom('quarantined_transactions')
    .selectAll()
    .where('resolved_at', 'is', null)
    .where('dismissed_at', 'is', null)
    .orderBy('ledger')
    .orderBy('hash')
    .execute();
}

/** Those that a person has dismissed, and that could not be read since. */
export async function dismissedQuarantined(db: Db): Promise<Quarantined[]> {
  return db
    .selectFrom('quarantined_transactions')
    .selectAll()
    .where('resolved_at', 'is', null)
    .where('dismissed_at', 'is not', null)
    .orderBy('ledger')
    .orderBy('hash')
    .execute();
}

/** False when it does not wait. */
export async function dismissQuarantined(db: Db, hash: string, reason: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('quarantined_transactions')
    .set({ dismissed_at: now, dismissed_reason: reason })
    .where('hash', '=', hash)
    .where('resolved_at', 'is', null)
    .where('dismissed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The transaction, if it is in quarantine now, dismissed or not. */
export async function findQuarantined(
  db: Db,
  hash: string,
): Promise<Pick<Quarantined, 'ledger' | 'reason' | 'dismissed_at'> | undefined> {
  return db
    .selectFrom('quarantined_transactions')
    .select(['ledger', 'reason', 'dismissed_at'])
    .where('hash', '=', hash)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
}

/** These could be read: what waits in quarantine of them has come out of it. */
export async function resolveQuarantined(trx: Trx, hashes: string[], now: Date): Promise<void> {
  if (hashes.length === 0) return;
  await trx
    .updateTable('quarantined_transactions')
    .set({ resolved_at: now })
    .where('hash', '=', sql<string>`any(${hashes}::text[])`)
    .where('resolved_at', 'is', null)
    .execute();
}

/** Why it still cannot be read, and what it is by the last source that told it; a meta is kept when that one has none. */
export async function updateQuarantined(db: Db, quarantined: NewQuarantined): Promise<void> {
  const { hash, reason, envelope_xdr, result_xdr, meta_xdr } = quarantined;
  await db
    .updateTable('quarantined_transactions')
    .set({ reason, envelope_xdr, result_xdr, ...(meta_xdr !== null && { meta_xdr }) })
    .where('hash', '=', hash)
    .where('resolved_at', 'is', null)
    .execute();
}
