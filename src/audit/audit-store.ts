/** The only writer of audit_log and audit_heads. */
import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';

/** An entry in its chain. `entry` is the text that `hash` is over. */
export type Appended = { chain: string; seq: bigint; entry: string; hash: Buffer };

/** Appends the entries in this order. Each head stays locked until the transaction ends. */
export async function appendEntries<Entry extends Pick<Appended, 'chain' | 'entry'>>(
  trx: Trx,
  entries: Entry[],
): Promise<(Entry & Appended)[]> {
  const chains = entries.map(({ chain }) => chain);
  const texts = entries.map(({ entry }) => entry);
  const { rows } = await sql<{ seq: bigint; hash: Buffer }>`
    select seq, hash from append_audit(${chains}::text[], ${texts}::text[])`.execute(trx);
  return entries.map((each, index) => ({ ...each, ...(rows[index] as { seq: bigint; hash: Buffer }) }));
}

/** `wallet_ids`: only entries about these wallets; null for all. `since` is included, `until` is not. */
export type AuditFilter = {
  wallet_ids: readonly string[] | null;
  action?: string | undefined;
  seq?: number | undefined;
  actor_id?: string | undefined;
  target_id?: string | undefined;
  wallet_id?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
};

/** Reads up to `limit` entries, newest first. With `before_seq`, only entries below it. */
export async function listEntries(
  db: Db,
  chain: string,
  filter: AuditFilter,
  page: { limit: number; before_seq: bigint | undefined },
): Promise<Appended[]> {
  let query = db
    .selectFrom('audit_log')
    .select(['chain', 'seq', 'entry', 'hash'])
    .where('chain', '=', chain)
    .orderBy('seq', 'desc')
    .limit(page.limit);
  if (page.before_seq !== undefined) query = query.where('seq', '<', page.before_seq);
  if (filter.seq !== undefined) query = query.where('seq', '=', BigInt(filter.seq));
  for (const column of ['action', 'actor_id', 'target_id', 'wallet_id'] as const) {
    const value = filter[column];
    if (value !== undefined) query = query.where(column, '=', value);
  }
  if (filter.wallet_ids)
    query = query.where(sql<SqlBool>`wallet_id = any(${[...filter.wallet_ids]}::text[])`);
  // The texts of times in UTC sort like the times.
  if (filter.since) query = query.where('at', '>=', filter.since.toISOString());
  if (filter.until) query = query.where('at', '<', filter.until.toISOString());
  return query.execute();
}

/** Reads the head of each chain: the number and the hash of the last entry. */
export async function listHeads(db: Db): Promise<{ chain: string; seq: bigint; hash: Buffer }[]> {
  return db.selectFrom('audit_heads').selectAll().orderBy('chain').execute();
}

/** Returns true when the database role of the service can change or remove entries, if it takes the triggers away first. */
export async function canChangeEntries(db: Db): Promise<boolean> {
  const { rows } = await sql<{ can: boolean }>`
    select has_table_privilege(current_user, 'audit_log', 'update, delete, truncate') as can`.execute(db);
  return rows[0]?.can ?? true;
}

/** Returns the names of all chains that have an entry. */
export async function listChains(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('audit_log').select('chain').distinct().orderBy('chain').execute();
  return rows.map(({ chain }) => chain);
}

/** Reads up to `limit` entries of the chain after `seq`, oldest first. */
export async function readChain(db: Db, chain: string, seq: bigint, limit: number): Promise<Appended[]> {
  return db
    .selectFrom('audit_log')
    .select(['chain', 'seq', 'entry', 'hash'])
    .where('chain', '=', chain)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}
