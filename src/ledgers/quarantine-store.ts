/** The only writer of quarantined_transactions and unread_wallets. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { LedgerTransaction } from '../stellar/stellar.ts';

export type Quarantined = Selectable<Tables['quarantined_transactions']>;
export type NewQuarantined = Pick<
  Quarantined,
  'hash' | 'ledger' | 'reason' | 'envelope_xdr' | 'result_xdr' | 'meta_xdr'
>;

/** Inserts transactions. Returns the number of those that were not known. */
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

/** Reads the transactions that could not be read yet, in the order of the ledgers. */
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

/** Reads the transactions that a person has dismissed, and that could not be read since. */
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

/** Dismisses a transaction. Returns false when the transaction does not wait in quarantine. */
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

/** Finds the transaction, if it is in quarantine now, dismissed or not. */
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

/**
 * Takes transactions that could be read out of quarantine. Their ledgers have proven them, so their envelopes
 * and results take the place of the stored ones, which may be made up (`DOUBTFUL`).
 */
export async function resolveQuarantined(trx: Trx, readable: LedgerTransaction[], now: Date): Promise<void> {
  if (readable.length === 0) return;
  const resolved = await trx
    .updateTable('quarantined_transactions')
    .set({ resolved_at: now })
    .where('hash', '=', sql<string>`any(${readable.map(({ hash }) => hash)}::text[])`)
    .where('resolved_at', 'is', null)
    .returning('hash')
    .execute();
  const hashes = new Set(resolved.map(({ hash }) => hash));
  for (const transaction of readable.filter(({ hash }) => hashes.has(hash))) {
    const { hash, envelope_xdr, result_xdr } = toQuarantined(transaction, '');
    await trx
      .updateTable('quarantined_transactions')
      .set({ envelope_xdr, result_xdr })
      .where('hash', '=', hash)
      .execute();
  }
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

/** Counts the transactions that wait in quarantine. */
export async function countQuarantined(db: Db): Promise<bigint> {
  const { count } = await db
    .selectFrom('quarantined_transactions')
    .select(sql<bigint>`count(*)`.as('count'))
    .where('resolved_at', 'is', null)
    .where('dismissed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

const MAX_QUARANTINED = 1_000;

/** Reads the quarantined transactions, dismissed ones too, newest first. Their XDR is in base64. */
export async function newestQuarantined(
  db: Db,
): Promise<Pick<Quarantined, 'hash' | 'ledger' | 'envelope_xdr' | 'result_xdr' | 'meta_xdr'>[]> {
  return db
    .selectFrom('quarantined_transactions')
    .select(['hash', 'ledger', 'envelope_xdr', 'result_xdr', 'meta_xdr'])
    .where('resolved_at', 'is', null)
    .orderBy('ledger', 'desc')
    .limit(MAX_QUARANTINED)
    .execute();
}

/** A condition on a quarantined transaction `quarantined`: it waits for a person or a newer version. */
const isWaiting = sql`quarantined.resolved_at is null and quarantined.dismissed_at is null`;

/** Returns a condition on the wallet with this id: a transaction of a later protocol names it and waits in quarantine. */
export function isNamedByUnread(wallet_id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
  select from unread_wallets named join quarantined_transactions quarantined on quarantined.hash = named.hash
   where named.wallet_id = ${wallet_id} and ${isWaiting})`;
}

/** Quarantines the transactions, with the wallets for which nothing is signed while they wait. Known ones stay as they are. */
export async function quarantineUnread(
  trx: Trx,
  unread: { row: NewQuarantined; wallet_ids: string[] }[],
  now: Date,
): Promise<number> {
  const rows = unread.map(({ row }) => row);
  const inserted = await insertQuarantined(trx, rows, now);
  const named = unread.flatMap(({ row: { hash }, wallet_ids }) =>
    wallet_ids.map((wallet_id) => ({ hash, wallet_id })),
  );
  if (named.length > 0)
    await trx
      .insertInto('unread_wallets')
      .values(named)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return inserted;
}

/** Counts the transactions that wait in quarantine and name this wallet. */
export async function countUnread(db: Db, wallet_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from unread_wallets named join quarantined_transactions quarantined on quarantined.hash = named.hash
     where named.wallet_id = ${wallet_id} and ${isWaiting}`.execute(db);
  return rows[0]?.count ?? 0;
}

export type UnreadTransaction = Pick<
  Quarantined,
  'ledger' | 'reason' | 'envelope_xdr' | 'result_xdr' | 'resolved_at'
>;

/**
 * Reads the transactions that name this wallet, and that the withdrawals' side could not read when it processed their ledgers. Also
 * those that were dismissed, or could be read since.
 */
export async function unreadOf(db: Db, wallet_id: string): Promise<UnreadTransaction[]> {
  return db
    .selectFrom('unread_wallets')
    .innerJoin('quarantined_transactions', 'quarantined_transactions.hash', 'unread_wallets.hash')
    .select(['ledger', 'reason', 'envelope_xdr', 'result_xdr', 'resolved_at'])
    .where('wallet_id', '=', wallet_id)
    .execute();
}

/** Reads the wallets that transactions in quarantine name, by the hash of the transaction. Nothing is signed for them. */
export async function walletsOfUnread(db: Db): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ hash: string; wallet_ids: string[] }>`
    select named.hash, array_agg(named.wallet_id::text order by named.wallet_id) as wallet_ids
      from unread_wallets named join quarantined_transactions quarantined on quarantined.hash = named.hash
     where ${isWaiting} group by named.hash`.execute(db);
  return new Map(rows.map(({ hash, wallet_ids }) => [hash, wallet_ids]));
}

export function toQuarantined({ hash, ledger, ...xdr }: LedgerTransaction, reason: string): NewQuarantined {
  return {
    hash,
    ledger,
    reason,
    envelope_xdr: xdr.envelope.toString('base64'),
    result_xdr: xdr.result.toString('base64'),
    meta_xdr: xdr.meta?.toString('base64') ?? null,
  };
}

/** A quarantined transaction with this reason must not be read from its stored XDR: only its ledger can prove it. */
export const DOUBTFUL =
  'the ledger does not prove that this is a transaction of its own: a source may have cut it out of others';

/**
 * Says why a transaction of a proven ledger cannot be read: it is of a later protocol, or may be made up. Null when it can. What is
 * both may be made up: a version that knows the protocol must not read its stored XDR.
 */
export function whyUnreadable({ unknown, isDoubtful }: LedgerTransaction): string | null {
  return isDoubtful?.() ? DOUBTFUL : (unknown ?? null);
}
