/** Statements about the use, the renewal and the end of sessions; store.ts inserts and finds them. */
import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { PageRequest } from '../db/newest-first.ts';
import type { SessionKind } from './session-ends.ts';

/** A session as its user and the operator see it. Null: not known. */
export type ListedSession = {
  id: string;
  kind: SessionKind;
  device: string | null;
  ip: string | null;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date;
};

const listedColumns = [
  ...(['id', 'kind', 'device', 'ip'] as const),
  ...(['created_at', 'last_used_at', 'expires_at'] as const),
];

/** Lists the sessions of a user that can be used at `now`, newest first. */
export async function listSessions(
  db: Db,
  user_id: string,
  { now, page }: { now: Date; page?: PageRequest },
): Promise<ListedSession[]> {
  let query = selectOpen(db, user_id, now).orderBy('id', 'desc');
  if (page) query = query.limit(page.limit);
  if (page?.before !== undefined) query = query.where('id', '<', page.before);
  return (await query.execute()) as ListedSession[];
}

/** Finds the session of the user with this id, if it can be used at `now`. */
export async function findOpenSession(
  db: Db,
  session: { id: string; user_id: string },
  now: Date,
): Promise<ListedSession | undefined> {
  const found = await selectOpen(db, session.user_id, now).where('id', '=', session.id).executeTakeFirst();
  return found as ListedSession | undefined;
}

function selectOpen(db: Db, user_id: string, now: Date) {
  return db
    .selectFrom('sessions')
    .select(listedColumns)
    .where('user_id', '=', user_id)
    .where('expires_at', '>', now);
}

/**
 * Records a use, unless one was recorded at `now` or in the time before it: of several processes only one writes the row. A
 * session that has ended stays so.
 */
export async function touchSession(
  db: Db,
  session: { id: string; expires_at: Date },
  { now, interval_ms }: { now: Date; interval_ms: number },
): Promise<void> {
  const [since, until] = [-interval_ms, interval_ms].map((ms) => new Date(now.getTime() + ms));
  await db
    .updateTable('sessions')
    .set({ last_used_at: now, expires_at: sql`greatest(expires_at, ${session.expires_at})` })
    .where('id', '=', session.id)
    .where('expires_at', '>', now)
    // After `until` too: a clock that was set back must not keep the session from being used.
    .where(sql<boolean>`(last_used_at is null or last_used_at not between ${since} and ${until})`)
    .execute();
}

/**
 * Records that a renewed token is used for the first time: the token before it ends soon. This is done once, by whichever process is
 * first.
 */
export async function confirmRenewal(
  db: Db,
  session: { id: string; renewals: number },
  now: Date,
): Promise<void> {
  const { id, renewals } = session;
  await db
    .updateTable('sessions')
    .set({ renewals, renewed_at: now, last_used_at: now })
    .where('id', '=', id)
    .where('renewals', '<', renewals)
    .execute();
}

/** Lets a session go on until `expires_at`, if that is later. Returns false when the session has ended. */
export async function extendSession(
  trx: Trx,
  session: { id: string; expires_at: Date },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('sessions')
    .set({ expires_at: sql`greatest(expires_at, ${session.expires_at})` })
    .where('id', '=', session.id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends all sessions of the user but one. Returns how many of them could be used at `now`. */
export async function endOtherSessions(
  trx: Trx,
  session: { id: string; user_id: string },
  now: Date,
): Promise<number> {
  const rows = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', session.user_id)
    .where('id', '!=', session.id)
    .returning('expires_at')
    .execute();
  return rows.filter(({ expires_at }) => expires_at > now).length;
}
