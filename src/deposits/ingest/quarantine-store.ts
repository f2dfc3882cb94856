/** The only writer of quarantined_transactions. */
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';

export type Quarantined = Selectable<Tables['quarantined_transactions']>;
export type NewQuarantined = Pick<
  Quarantined,
  'hash' | 'ledger' | 'reason' | 'envelope_xdr' | 'result_xdr' | 'meta_xdr'
>;

/** Gives the number of transactions that were not known. */
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

/** Transactions that could not be read yet, in the order of the ledgers. */
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

/** Transactions that a person has dismissed, and that could not be read since. */
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

/** False when the transaction is not waiting in quarantine. */
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

/** Call it for transactions that could be read: takes them out of quarantine. */
export async function resolveQuarantined(trx: Trx, hashes: string[], now: Date): Promise<void> {
  if (hashes.length === 0) return;
  await trx
    .updateTable('quarantined_transactions')
    .set({ resolved_at: now })
    .where('hash', '=', sql<string>`any(${hashes}::text[])`)
    .where('resolved_at', 'is', null)
    .execute();
}

/** Updates the reason, and the XDR as the last source gave it. If this source has no meta, the stored meta stays. */
export async function updateQuarantined(db: Db, quarantined: NewQuarantined): Promise<void> {
  const { hash, reason, envelope_xdr, result_xdr, meta_xdr } = quarantined;
  await db
    .updateTable('quarantined_transactions')
    .set({ reason, envelope_xdr, result_xdr, ...(meta_xdr !== null && { meta_xdr }) })
    .where('hash', '=', hash)
    .where('resolved_at', 'is', null)
    .execute();
}

/** How many transactions wait in quarantine. */
export async function countQuarantined(db: Db): Promise<bigint> {
  const { count } = await db
    .selectFrom('quarantined_transactions')
    .select(sql<bigint>`count(*)`.as('count'))
    .where('resolved_at', 'is', null)
    .where('dismissed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
