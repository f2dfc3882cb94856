/** The writer of users and sessions. operator-store.ts writes both too, session-store.ts sessions. */
import { strict as assert } from 'node:assert';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { createFinder } from '../db/finder.ts';
import type { Tables } from '../db/tables.ts';
import { foldEmail, parseEmail } from '../lib/email.ts';
import type { SessionKind } from './session-ends.ts';
import type { Membership } from './teams/team-store.ts';

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

// sessions

/**
 * Inserts a session. Returns false when the user's password has changed since, the user was disabled, which changes the hash too, or
 * the user is in no team. Waits for a change that is in progress.
 */
export async function insertSession(
  db: Db,
  session: NewSession,
  user: { id: string; password_hash: string },
): Promise<boolean> {
  const inserted = await sql`
    with member as (
      select user_id from team_members where user_id = ${user.id} and left_at is null for share
    ), held as (
      update users set last_login_at = ${session.created_at} from member
       where id = member.user_id and password_hash = ${user.password_hash} returning id
    )
    insert into sessions (id, user_id, created_at, last_used_at, expires_at, kind, device, ip, factor_at)
    select ${session.id}, held.id, ${session.created_at}, ${session.created_at}, ${session.expires_at},
           ${session.kind}, ${session.device}, ${session.ip}, ${session.factor_at}
      from held
  `.execute(db);
  return inserted.numAffectedRows === 1n;
}

type NewSession = {
  id: string;
  created_at: Date;
  expires_at: Date;
  kind: SessionKind;
  device: string | null;
  ip: string | null;
  factor_at: Date | null;
};

/** `proven_at`: when the session last proved a second factor. */
export type FactorState = { has_factor: boolean; team_requires: boolean; proven_at: Date | null };

/** `renewals`: the number of its newest login token that was used. `renewed_at`: when that was first used. */
export type Session = {
  id: string;
  kind: SessionKind;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date;
  renewals: number;
  renewed_at: Date | null;
  user: User;
  member: Membership;
  factors: FactorState;
};

/** Returns a function that finds a session by its id. The session may have expired. */
export function createSessionFinder(db: Db): (id: string) => Promise<Session | undefined> {
  return createFinder(async (ids) => {
    const rows = await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .innerJoin('team_members', (join) =>
        join.onRef('team_members.user_id', '=', 'users.id').on('left_at', 'is', null),
      )
      .innerJoin('teams', 'teams.id', 'team_members.team_id')
      .select(['sessions.id as session_id', 'sessions.created_at as opened_at', 'expires_at'])
      .select(['kind', 'last_used_at', 'renewals', 'renewed_at', 'sessions.factor_at'])
      .select('teams.second_factor_required')
      .select((eb) => eb.exists(factorsOf(eb)).as('has_factor'))
      .select(['users.id', 'users.email', 'users.name', 'users.created_at'])
      .select(['team_id', 'role', 'wallet_ids'])
      .where('sessions.id', '=', sql<string>`any(${ids}::text[])`)
      .execute();
    return rows.map(({ id, email, name, created_at, team_id, role, wallet_ids, ...row }) => {
      const { session_id, opened_at, kind, factor_at, second_factor_required, has_factor, ...session } = row;
      return {
        ...session,
        id: session_id,
        kind: kind as SessionKind,
        created_at: opened_at,
        user: { id, email, name, created_at },
        member: { team_id, role, wallet_ids },
        factors: {
          has_factor: Boolean(has_factor),
          team_requires: second_factor_required,
          proven_at: factor_at,
        },
      };
    });
  });
}

function factorsOf(eb: ExpressionBuilder<Tables, 'users'>) {
  return eb
    .selectFrom('second_factors')
    .select('second_factors.id')
    .whereRef('second_factors.user_id', '=', 'users.id')
    .where('confirmed_at', 'is not', null);
}

export async function markProven(trx: Trx, session_id: string, now: Date): Promise<void> {
  await trx.updateTable('sessions').set({ factor_at: now }).where('id', '=', session_id).execute();
}

/** Forgets the proofs of second factors in all sessions of a user who has no factor any more. */
export async function forgetProofs(trx: Trx, user_id: string): Promise<void> {
  await trx.updateTable('sessions').set({ factor_at: null }).where('user_id', '=', user_id).execute();
}

export async function endOtherSessions(trx: Trx, user_id: string, kept_session_id: string): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('id', '!=', kept_session_id)
    .execute();
}

export async function deleteSession(db: Db, session_id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', session_id).execute();
}

export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
}
