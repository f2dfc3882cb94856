/** The writer of sessions. What ends sessions with a change of their user is with that change: users/. */
import { type ExpressionBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { createFinder } from '../../db/finder.ts';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Tables } from '../../db/tables.ts';
import type { Membership } from '../teams/team-store.ts';
import type { User } from '../users/user-store.ts';
import type { SessionKind } from './session-ends.ts';

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

export async function deleteSession(db: Db, session_id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', session_id).execute();
}

export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
}

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
