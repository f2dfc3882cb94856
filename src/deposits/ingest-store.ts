/** The only writer of ingest_cursor and quarantined_transactions. */
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

// cursor

export type Cursor = Pick<
  Selectable<Tables['ingest_cursor']>,
  'ledger' | 'ledger_hash' | 'close_time' | 'trouble' | 'updated_at'
> & {
  /** How many transactions wait in quarantine. */
  quarantined: bigint;
};

/** A ledger, its hash (hex), and when it closed in Unix seconds; both null while none was read. */
export type Position = Pick<Cursor, 'ledger' | 'ledger_hash' | 'close_time'>;

/** The last ledger whose deposits are committed; begins at the installation's first ledger. */
export async function readCursor(db: Db): Promise<Cursor> {
  const found = await findCursor(db);
  if (found) return found;
  await db
    .insertInto('ingest_cursor')
    .columns(['ledger'])
    .expression((eb) => eb.selectFrom('installation').select('start_ledger'))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const created = await findCursor(db);
  if (!created) throw new Error('the database is not bound to a network yet');
  return created;
}

export async function findCursor(db: Db): Promise<Cursor | undefined> {
  return db
    .selectFrom('ingest_cursor')
    .select(['ledger', 'ledger_hash', 'close_time', 'trouble', 'updated_at'])
    .select(
      sql<bigint>`(select count(*) from quarantined_transactions where resolved_at is null)`.as(
        'quarantined',
      ),
    )
    .executeTakeFirst();
}

/** False, and nothing is changed, when the cursor is not at `from` any more: another process has moved it. */
export async function moveCursor(
  trx: Trx,
  { from, to, now }: { from: number; to: Position; now: Date },
): Promise<boolean> {
  const moved = await trx
    .updateTable('ingest_cursor')
    .set({ ...to, trouble: null, updated_at: now })
    .where('ledger', '=', from)
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

/** Why the cursor stays where it is; null: it need not. Nothing is said of a cursor that has moved on since. */
export async function recordTrouble(db: Db, from: number, trouble: string | null): Promise<void> {
  await db.updateTable('ingest_cursor').set({ trouble }).where('ledger', '=', from).execute();
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
    .orderBy('ledger')
    .orderBy('hash')
    .execute();
}

/** The transaction, if it is in quarantine now. */
export async function findQuarantined(
  db: Db,
  hash: string,
): Promise<Pick<Quarantined, 'ledger' | 'reason'> | undefined> {
  return db
    .selectFrom('quarantined_transactions')
    .select(['ledger', 'reason'])
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

export async function explainQuarantined(db: Db, hash: string, reason: string): Promise<void> {
  await db
    .updateTable('quarantined_transactions')
    .set({ reason })
    .where('hash', '=', hash)
    .where('reason', '<>', reason)
    .where('resolved_at', 'is', null)
    .execute();
}
