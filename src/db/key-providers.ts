/**
 * Which key provider wraps the data keys of seeds, as the database says. `installation` names the provider of now.
 *
 * | state                           | installation | key_providers                                               |
 * |---------------------------------|--------------|-------------------------------------------------------------|
 * | the master key alone seals      | null         | empty, or those before, with `left_at`                      |
 * | turned on                       | P            | P, whose `left_at` is null                                  |
 * | turned off, not yet re-sealed   | null         | P, whose `left_at` is null: seeds may still need it         |
 * | turned off and re-sealed        | null         | P, with the time when no seed needed it                     |
 *
 * Each change of state is one transaction. Triggers refuse seeds that are sealed in another way than that of now.
 */
import type { Db, Trx } from './database.ts';
import type { SealingKey } from './master-keys.ts';

export type ProviderRow = { key_check: Buffer; kind: 'aws-kms' | 'pkcs11'; key: string; wrapped: Buffer };

/** Finds the provider that seeds may need; there is at most one. */
export async function findProvider(db: Db): Promise<(ProviderRow & { since: Date }) | undefined> {
  return db
    .selectFrom('key_providers')
    .select(['key_check', 'kind', 'key', 'wrapped', 'since'])
    .where('left_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Lets new seeds be sealed with the help of `to`, or of no provider, from the commit on, and ends the processes of versions that
 * know no provider. Waits for the transactions that insert seeds now. Gives false, and changes nothing, when another provider than
 * `from` is named, or another one than `to` may still be needed.
 */
export async function changeProvider(
  db: Db,
  { from, to, now }: { from: Buffer | null; to: ProviderRow | null; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('installation')
      .select('provider_check')
      .forUpdate()
      .executeTakeFirst();
    const isSame =
      found && (from === null ? found.provider_check === null : found.provider_check?.equals(from));
    if (!isSame) return false;
    const needed = await findProvider(trx);
    if (to && needed && !needed.key_check.equals(to.key_check)) return false;
    if (to)
      await trx
        .insertInto('key_providers')
        .values({ ...to, since: now })
        .onConflict((conflict) => conflict.column('key_check').doUpdateSet({ since: now, left_at: null }))
        .execute();
    await trx
      .updateTable('installation')
      .set({ provider_check: to?.key_check ?? null })
      .execute();
    return true;
  });
}

/**
 * Notes that no seed needs another provider than the one that `held` names: what `holdSealingKey` has given in this transaction,
 * in which the caller has counted the seeds.
 */
export async function leaveOtherProviders(trx: Trx, held: SealingKey, now: Date): Promise<void> {
  await trx
    .updateTable('key_providers')
    .set({ left_at: now })
    .where('left_at', 'is', null)
    .$if(held.provider_check !== null, (query) =>
      query.where('key_check', '<>', held.provider_check as Buffer),
    )
    .execute();
}
