import { jwtVerify, SignJWT } from 'jose';
import { JOSEError } from 'jose/errors';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { deleteExpiredSessions, insertSession, type User, userOfSession } from './store.ts';

const ISSUER = 'stellar-teller';
const AUDIENCE = 'stellar-teller/v1';

type SessionDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'jwt_key'>;

/**
 * A login token (JWT, HS256). Its id names a session row: the token is alive while the row is. Null when the password
 * that was verified is not the user's any more: the change that ended all sessions must not miss this one.
 */
export async function openSession(
  deps: SessionDeps,
  user: { id: string; password_hash: string },
): Promise<string | null> {
  const now = deps.clock.now();
  const expires_at = new Date(now.getTime() + deps.config.jwt_ttl_seconds * 1000);
  const id = newId('ses', now);
  await deleteExpiredSessions(deps.db, now);
  if (!(await insertSession(deps.db, { id, expires_at }, user))) return null;
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(user.id)
    .setJti(id)
    .setIssuedAt(now)
    .setExpirationTime(expires_at)
    .sign(deps.jwt_key);
}

/** The user and session of a token, or null if it is malformed, forged, expired or logged out. */
export async function readSession(
  deps: SessionDeps,
  token: string,
): Promise<{ user: User; session_id: string } | null> {
  const session_id = await verify(deps, token);
  if (!session_id) return null;
  const user = await userOfSession(deps.db, session_id, deps.clock.now());
  return user ? { user, session_id } : null;
}

async function verify(deps: SessionDeps, token: string): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, deps.jwt_key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      currentDate: deps.clock.now(),
    });
    return payload.jti;
  } catch (error) {
    if (error instanceof JOSEError || error instanceof TypeError) return undefined; // not a token of ours
    throw error;
  }
}
