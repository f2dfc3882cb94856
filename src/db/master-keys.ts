/**
 * Which master key seals, as the database says. `installation` names the key of now, `master_keys` the keys before.
 *
 * | state                        | installation            | master_keys                                                |
 * |------------------------------|-------------------------|------------------------------------------------------------|
 * | before the first rotation    | key A                   | empty                                                      |
 * | rotated, not yet re-sealed   | key B                   | A and B; `left_at` of A is null                            |
 * | re-sealed                    | key B                   | A and B; `left_at` of A is the time when no row needed it  |
 *
 * Each change of state is one transaction. Triggers refuse rows that another key than that of now has sealed.
 */
import { sql } from 'kysely';
import pg from 'pg';
import type { Db, Trx } from './database.ts';

export type SealingKey = {
  key_check: Buffer;
  /** The key of the provider that wraps the data keys of new seeds (key-providers.ts); null without one. */
  provider_check: Buffer | null;
};

/** `left_at`: from then on no row was sealed with the key; null while rows may be. */
export type MasterKeyRow = { key_check: Buffer; sealing_since: Date; left_at: Date | null };

/** SQLSTATE of the triggers. */
const SEALED_WITH_ANOTHER_KEY = 'TK001';

/** Reads the key that seals; null before the first start. */
export async function readSealingKey(db: Db): Promise<SealingKey | null> {
  return (await db.selectFrom('installation').select(SEALING).executeTakeFirst()) ?? null;
}

/**
 * Reads the same and locks it. Until this transaction ends no other key and no other provider begins to seal, and rows that others insert until then
 * are sealed with the returned key.
 */
export async function holdSealingKey(trx: Trx): Promise<SealingKey | null> {
  return (await trx.selectFrom('installation').select(SEALING).forShare().executeTakeFirst()) ?? null;
}

const SEALING = ['key_check', 'provider_check'] as const;

/** Lists the keys of this database, the newest one first. */
export async function listMasterKeys(db: Db): Promise<MasterKeyRow[]> {
  const rows = await db.selectFrom('master_keys').selectAll().orderBy('sealing_since', 'desc').execute();
  return rows.length > 0 ? rows : firstKey(db);
}

async function firstKey(db: Db): Promise<MasterKeyRow[]> {
  return db
    .selectFrom('installation')
    .select(['key_check', 'created_at as sealing_since', sql<null>`null`.as('left_at')])
    .execute();
}

/**
 * Lets the key `to` seal from the commit on. Waits for the transactions
 * that are inserting sealed rows now. Other inserts may join them: when inserts never pause, the statement times out, and nothing is
 * changed. Returns false, and changes nothing, when another key than `from` seals.
 */
export async function changeSealingKey(
  db: Db,
  { from, to, now }: { from: Buffer; to: Buffer; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('installation')
      .select(['key_check', 'created_at'])
      .forUpdate()
      .executeTakeFirst();
    if (!found?.key_check.equals(from)) return false;
    await trx
      .insertInto('master_keys')
      .values({ key_check: from, sealing_since: found.created_at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await trx
      .insertInto('master_keys')
      .values({ key_check: to, sealing_since: now })
      .onConflict((conflict) =>
        conflict.column('key_check').doUpdateSet({ sealing_since: now, left_at: null }),
      )
      .execute();
    await trx.updateTable('installation').set({ key_check: to }).execute();
    return true;
  });
}

/**
 * Notes that no row is sealed with another key than the one that `held` names: what `holdSealingKey` has given in this
 * transaction, in which the caller has counted the rows.
 */
export async function leaveOtherKeys(trx: Trx, held: SealingKey, now: Date): Promise<void> {
  await trx
    .updateTable('master_keys')
    .set({ left_at: now })
    .where('key_check', '<>', held.key_check)
    .where('left_at', 'is', null)
    .execute();
}

/** Returns true when the database has refused a row because a rotation came between its sealing and its commit. */
export function isSealedWithAnotherKey(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === SEALED_WITH_ANOTHER_KEY;
}
