/** Statements of the operator's commands about users. Those that change a user end the sessions in the same transaction. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';

/** A user as an operator sees it. `sessions`: how many can be used now. */
export type ListedUser = {
  id: string;
  email: string;
  name: string;
  created_at: Date;
  disabled_at: Date | null;
  last_login_at: Date | null;
  sessions: number;
};

/** Lists all users, oldest first. */
export async function listUsers(db: Db, now: Date): Promise<ListedUser[]> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('sessions', 'sessions.user_id', 'users.id')
    .select([
      'users.id',
      'users.email',
      'users.name',
      'users.created_at',
      'users.disabled_at',
      'last_login_at',
    ])
    .select(sql<bigint>`count(*) filter (where sessions.expires_at > ${now})`.as('sessions'))
    .groupBy('users.id')
    .orderBy('users.id')
    .execute();
  return rows.map((row) => ({ ...row, sessions: Number(row.sessions) }));
}

/**
 * Disables a user. Keeps the password's hash for `enableUser` and puts `unusable_hash` in its place. So every process refuses the
 * password, and a login that has verified it already opens no session. Returns false when the user is disabled already.
 */
export async function disableUser(
  trx: Trx,
  change: { user_id: string; unusable_hash: string; now: Date },
): Promise<boolean> {
  const updated = await trx
    .updateTable('users')
    .set({
      disabled_at: change.now,
      enabled_password_hash: sql`password_hash`,
      password_hash: change.unusable_hash,
    })
    .where('id', '=', change.user_id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  await endSessions(trx, change.user_id);
  return true;
}

/** Enables a user: the password from before is valid again. Returns false when the user is not disabled. */
export async function enableUser(db: Db, user_id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({
      disabled_at: null,
      password_hash: sql<string>`enabled_password_hash`,
      enabled_password_hash: null,
    })
    .where('id', '=', user_id)
    .where('disabled_at', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Sets a new password, and ends every session of the user. A disabled user stays disabled, and has the new password once enabled. */
export async function resetPassword(
  trx: Trx,
  change: { user_id: string; password_hash: string },
): Promise<{ disabled_at: Date | null }> {
  const { user_id, password_hash } = change;
  const updated = await trx
    .updateTable('users')
    .set({
      password_hash: sql<string>`case when disabled_at is null then ${password_hash} else password_hash end`,
      enabled_password_hash: sql<string | null>`case when disabled_at is not null then ${password_hash} end`,
    })
    .where('id', '=', user_id)
    .returning('disabled_at')
    .executeTakeFirstOrThrow();
  await endSessions(trx, user_id);
  return updated;
}

/**
 * Ends every session of a user. In a transaction, call it after the change of the user, as a statement of its own: only that sees the
 * session of a login that the change has waited for.
 */
export async function endSessions(db: Db | Trx, user_id: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', user_id).execute();
}

/** Ends a session. Returns false when the user has no such session. */
export async function endSession(db: Db, session: { id: string; user_id: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', session.id)
    .where('user_id', '=', session.user_id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
