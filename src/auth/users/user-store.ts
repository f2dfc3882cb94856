/** The writer of users. operator-store.ts writes them too. */
import { strict as assert } from 'node:assert';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { foldEmail, parseEmail } from '../../lib/email.ts';

export type User = { id: string; email: string; name: string; created_at: Date };

/**
 * A user with what a login needs. `last_login_at`: null for a user who has never logged in, as far as is known.
 * `password_of_team`: whether a team has chosen the password, and the user none since.
 */
export type KnownUser = User & {
  password_hash: string;
  password_of_team: boolean;
  last_login_at: Date | null;
};

const userColumns = ['id', 'email', 'name', 'created_at'] as const;

/** Locks an e-mail. Until the transaction ends, no other transaction that calls this makes a user with this e-mail. */
export async function lockEmail(trx: Trx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`users with ${foldEmail(email)}`}, 0))`.execute(
    trx,
  );
}

/** Inserts a user. The caller has checked that the team, or the operator, has no user with this e-mail. */
export async function insertUser(
  db: Db,
  user: { id: string; email: string; name: string; password_hash: string; password_of_team?: boolean },
): Promise<void> {
  const address = parseEmail(user.email);
  assert(address, 'the e-mail of a new user was checked');
  await db
    .insertInto('users')
    .values({ ...user, email: address.email, email_folded: address.folded })
    .execute();
}

export async function anyUser(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function findUser(db: Db, id: string): Promise<KnownUser | undefined> {
  return db
    .selectFrom('users')
    .select([...userColumns, 'password_hash', 'password_of_team', 'last_login_at'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Lists the users with this e-mail, oldest first. `members`: only those who are in a team; the others cannot log in. */
export async function findUsersByEmail(
  db: Db,
  email: string,
  { members }: { members: boolean },
): Promise<(KnownUser & { disabled_at: Date | null })[]> {
  const users = db
    .selectFrom('users')
    .select([...userColumns, 'password_hash', 'password_of_team', 'disabled_at', 'last_login_at'])
    .where('email_folded', '=', foldEmail(email))
    .orderBy('created_at')
    .orderBy('id');
  if (!members) return users.execute();
  const current = (eb: ExpressionBuilder<Tables, 'users'>) =>
    eb
      .selectFrom('team_members')
      .select('team_members.user_id')
      .whereRef('team_members.user_id', '=', 'users.id')
      .where('left_at', 'is', null);
  return users.where((eb) => eb.exists(current(eb))).execute();
}

/**
 * Sets the password and ends every session of the user except `kept_session_id`. Returns false, without any change, when the verified
 * password is no longer the user's or the session has ended: of two changes at once, the second one was verified with a password that
 * the first one has replaced.
 */
export async function replacePassword(
  trx: Trx,
  change: { user_id: string; verified_hash: string; password_hash: string; kept_session_id: string },
): Promise<boolean> {
  const updated = await trx
    .updateTable('users')
    .set({ password_hash: change.password_hash, password_of_team: false })
    .where('id', '=', change.user_id)
    .where('password_hash', '=', change.verified_hash)
    .where((eb) => eb.exists(eb.selectFrom('sessions').select('id').where('id', '=', change.kept_session_id)))
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  await trx
    .deleteFrom('sessions')
    .where('user_id', '=', change.user_id)
    .where('id', '!=', change.kept_session_id)
    .execute();
  return true;
}
