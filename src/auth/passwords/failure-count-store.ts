/** The only writer of login_failure_counts. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { FailureCount, Limit } from './login-limits.ts';

/** The most rows. An attacker who guesses from many addresses at many e-mails makes many; the oldest ones are deleted. */
const COUNTS_MAX = 100_000;

/** Reads the count of each limit, as it is now. A limit without a row has no failures. */
export async function findCounts(
  db: Db,
  limits: readonly Limit[],
): Promise<{ limit: Limit; count: FailureCount }[]> {
  const keys = limits.map(({ key }) => key);
  const rows = await db
    .selectFrom('login_failure_counts')
    .select(['key', 'failures', 'failed_at'])
    .where('key', 'in', keys)
    .execute();
  return limits.map((limit) => ({ limit, count: rows.find(({ key }) => key === limit.key) ?? NO_FAILURES }));
}

const NO_FAILURES: FailureCount = { failures: 0, failed_at: new Date(0) };

/**
 * Counts one failure for each limit. `wait_ms`: 0; or, without any change, how long the attempt must wait. `kept_back_ms`: how
 * long the next attempt must wait if this one fails. Concurrent attempts count one after the other: each locks the rows of the
 * limits, in the order of `limits`, which is the same for all.
 */
export async function countAttempt(db: Db, limits: readonly Limit[], now: Date): Promise<CountedAttempt> {
  return db.transaction().execute(async (trx) => {
    const locked = [];
    for (const limit of limits) locked.push({ limit, count: await lockCount(trx, limit.key, now) });
    const wait_ms = Math.max(...locked.map(({ limit, count }) => limit.wait_ms(count, now)));
    if (wait_ms > 0) return { wait_ms, kept_back_ms: wait_ms, changes: [] };
    let kept_back_ms = 0;
    const changes = [];
    for (const { limit, count } of locked) {
      const counted = limit.counted(count, now);
      kept_back_ms = Math.max(kept_back_ms, limit.wait_ms(counted, now));
      await trx.updateTable('login_failure_counts').set(counted).where('key', '=', limit.key).execute();
      changes.push({ limit, before: count, counted });
    }
    return { wait_ms: 0, kept_back_ms, changes };
  });
}

/** What an attempt has changed, to be taken back after a right password. */
export type CountedAttempt = {
  wait_ms: number;
  kept_back_ms: number;
  changes: { limit: Limit; before: FailureCount; counted: FailureCount }[];
};

/** Locks the row of a count. Inserts the row when it is absent. */
async function lockCount(db: Db, key: string, now: Date): Promise<FailureCount> {
  return db
    .insertInto('login_failure_counts')
    .values({ key, failures: 0, failed_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
    .returning(['failures', 'failed_at'])
    .executeTakeFirstOrThrow();
}

/** Takes an attempt back after a right password: each count that no other attempt has changed since gets its former value. */
export async function takeBackAttempt(db: Db, { changes }: CountedAttempt): Promise<void> {
  for (const { limit, before, counted } of changes) {
    const { key } = limit;
    const unchanged = sql`failures = ${counted.failures} and failed_at = ${counted.failed_at}`;
    if (limit.ends_with_success) {
      await db.deleteFrom('login_failure_counts').where('key', '=', key).execute();
      continue;
    }
    await db
      .updateTable('login_failure_counts')
      .set({
        failures: sql`case when ${unchanged} then ${before.failures} else greatest(failures - 1, 0) end`,
        failed_at: sql<Date>`case when ${unchanged} then ${before.failed_at} else failed_at end`,
      })
      .where('key', '=', key)
      .execute();
  }
}

/** Deletes the counts whose last failure was before `since`, and the oldest of those that are too many. */
export async function deleteForgottenCounts(db: Db, since: Date): Promise<void> {
  await db.deleteFrom('login_failure_counts').where('failed_at', '<=', since).execute();
  await db
    .deleteFrom('login_failure_counts')
    .where('failed_at', '<=', (eb) =>
      eb
        .selectFrom('login_failure_counts')
        .select('failed_at')
        .orderBy('failed_at', 'desc')
        .offset(COUNTS_MAX)
        .limit(1),
    )
    .execute();
}
