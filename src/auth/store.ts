/**
 * The writer of users, sessions and login_failure_counts. operator-store.ts writes users and sessions too,
 * session-store.ts sessions.
 */
import { type ExpressionBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { createFinder } from '../db/finder.ts';
import type { Tables } from '../db/tables.ts';
import type { FailureCount, Limit } from './login-limits.ts';
import type { SessionKind } from './session-ends.ts';
import type { Membership } from './teams/team-store.ts';

export type User = { id: string; email: string; name: string; created_at: Date };

/** A user with what a login needs. `last_login_at`: null for a user who has never logged in, as far as is known. */
export type KnownUser = User & { password_hash: string; last_login_at: Date | null };

const userColumns = ['id', 'email', 'name', 'created_at'] as const;

/** False when the e-mail is taken; upper and lower case count as the same. */
export async function insertUser(
  db: Db,
  user: { id: string; email: string; name: string; password_hash: string },
) {
  const inserted = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function anyUser(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function findUser(db: Db, id: string): Promise<KnownUser | undefined> {
  return db
    .selectFrom('users')
    .select([...userColumns, 'password_hash', 'last_login_at'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function findUserByEmail(
  db: Db,
  email: string,
): Promise<(KnownUser & { disabled_at: Date | null }) | undefined> {
  return db
    .selectFrom('users')
    .select([...userColumns, 'password_hash', 'disabled_at', 'last_login_at'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
}

/**
 * Sets the password and ends every session of the user except `kept_session_id`. False, without any change, when the verified password is no longer the user's or the session has ended: of two changes at once, the
 * second one was verified with a password that the first one has replaced.
 */
export async function replacePassword(
  trx: Trx,
  change: { user_id: string; verified_hash: string; password_hash: string; kept_session_id: string },
): Promise<boolean> {
  const updated = await trx
    .updateTable('users')
    .set({ password_hash: change.password_hash })
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
 * False when the user's password has changed since, the user was disabled, which changes the hash too, or the user is in no
 * team. Waits for a change that is in progress.
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

/** Gives a function that finds a session by its id. The session may have expired. */
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
        ...{ id: session_id, kind: kind as SessionKind, created_at: opened_at },
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

/** For a user who has no factor any more. */
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

// counts of failed logins

/** Whoever guesses from many addresses at many e-mails makes rows; the oldest ones go first. */
const COUNTS_MAX = 100_000;

/** The count of each limit, as it is now. */
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
export async function countAttempt(
  db: Db,
  limits: readonly Limit[],
  now: Date,
): Promise<{ wait_ms: number; kept_back_ms: number }> {
  return db.transaction().execute(async (trx) => {
    const locked = [];
    for (const limit of limits) locked.push({ limit, count: await lockCount(trx, limit.key, now) });
    const wait_ms = Math.max(...locked.map(({ limit, count }) => limit.wait_ms(count, now)));
    if (wait_ms > 0) return { wait_ms, kept_back_ms: wait_ms };
    let kept_back_ms = 0;
    for (const { limit, count } of locked) {
      const counted = limit.counted(count, now);
      kept_back_ms = Math.max(kept_back_ms, limit.wait_ms(counted, now));
      await trx.updateTable('login_failure_counts').set(counted).where('key', '=', limit.key).execute();
    }
    return { wait_ms: 0, kept_back_ms };
  });
}

/** Inserts the row when it is absent. */
async function lockCount(db: Db, key: string, now: Date): Promise<FailureCount> {
  return db
    .insertInto('login_failure_counts')
    .values({ key, failures: 0, failed_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
    .returning(['failures', 'failed_at'])
    .executeTakeFirstOrThrow();
}

/** After a right password. */
export async function takeBackAttempt(db: Db, limits: readonly Limit[]): Promise<void> {
  for (const { key, ends_with_success } of limits) {
    if (ends_with_success) {
      await db.deleteFrom('login_failure_counts').where('key', '=', key).execute();
      continue;
    }
    await db
      .updateTable('login_failure_counts')
      .set({ failures: sql`greatest(failures - 1, 0)` })
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
