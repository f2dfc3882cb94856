import { audited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { userActor } from './actor.ts';
import { createSessionFinder, deleteExpiredSessions, insertSession, type User } from './store.ts';
import { type Membership, teamOfUser } from './teams/team-store.ts';
import { signToken, verifyToken } from './tokens.ts';

type LoginOf = { user: User; session_id: string; member: Membership };
type SessionDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'config' | 'jwt_key'>;

/**
 * Opens a session and gives its login token, which is valid while the row of the session exists. Null when the user is in
 * no team, or the password is no longer the verified one: what changes the password, disables the user or removes the
 * member ends all sessions, and must not miss this one. `is_new_device`: the user has signed in before, and not in this browser.
 */
export async function openSession(
  deps: SessionDeps,
  user: User & { password_hash: string },
  ip: string,
  is_new_device = false,
): Promise<string | null> {
  const issued_at = deps.clock.now();
  const expires_at = new Date(issued_at.getTime() + deps.config.jwt_ttl_seconds * 1000);
  const session_id = newId('ses', issued_at);
  await deleteExpiredSessions(deps.db, issued_at);
  const session = { id: session_id, created_at: issued_at, expires_at };
  const inserted = await audited(deps, userActor(user, session_id, ip), async (trx, note) => {
    if (!(await insertSession(trx, session, user))) return false;
    const team_id = (await teamOfUser(trx, user.id))?.team_id ?? null;
    const target = { kind: 'user', id: user.id };
    note({
      team_id,
      action: 'login.succeeded',
      target,
      after: is_new_device ? { known_device: false } : null,
    });
    return true;
  });
  if (!inserted) return null;
  return signToken(deps.jwt_key, { session_id, user_id: user.id, issued_at, expires_at });
}

/** Gives a function that finds user and session of a token; null if it is malformed, forged, expired or logged out. */
export function createSessionReader(
  deps: Pick<Deps, 'db' | 'clock' | 'jwt_key'>,
): (token: string) => Promise<LoginOf | null> {
  const find = createSessionFinder(deps.db);
  return async (token) => {
    const now = deps.clock.now();
    const session_id = await verifyToken(deps.jwt_key, token, now);
    const session = session_id === null ? undefined : await find(session_id);
    if (!session || session.expires_at <= now) return null;
    return { user: session.user, session_id: session.id, member: session.member };
  };
}
