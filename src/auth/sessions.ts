import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { createSessionFinder, deleteExpiredSessions, insertSession, type User } from './store.ts';
import { signToken, verifyToken } from './tokens.ts';

type SessionDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'jwt_key'>;

/**
 * A login token. Its id names a session row: the token is alive while the row is. Null when the password that was
 * verified is not the user's any more: the change that ended all sessions must not miss this one.
 */
export async function openSession(
  deps: SessionDeps,
  user: { id: string; password_hash: string },
): Promise<string | null> {
  const issued_at = deps.clock.now();
  const expires_at = new Date(issued_at.getTime() + deps.config.jwt_ttl_seconds * 1000);
  const session_id = newId('ses', issued_at);
  await deleteExpiredSessions(deps.db, issued_at);
  if (!(await insertSession(deps.db, { id: session_id, expires_at }, user))) return null;
  return signToken(deps.jwt_key, { session_id, user_id: user.id, issued_at, expires_at });
}

/** Gives a function from a token to its user and session; null if it is malformed, forged, expired or logged out. */
export function createSessionReader(
  deps: Pick<Deps, 'db' | 'clock' | 'jwt_key'>,
): (token: string) => Promise<{ user: User; session_id: string } | null> {
  const find = createSessionFinder(deps.db);
  return async (token) => {
    const now = deps.clock.now();
    const session_id = await verifyToken(deps.jwt_key, token, now);
    const session = session_id === null ? undefined : await find(session_id);
    return session && session.expires_at > now ? { user: session.user, session_id: session.id } : null;
  };
}
