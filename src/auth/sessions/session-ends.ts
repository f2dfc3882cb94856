/**
 * When a session ends. Its row is deleted when it is ended by a person, by the operator or with the password, and when the
 * times of this table have passed.
 *
 * | kind | ends without | ends in any case |
 * |---|---|---|
 * | browser | a request by an active person for SESSION_IDLE_SECONDS | SESSION_MAX_SECONDS after the sign-in |
 * | program | a renewal of its login token for JWT_TTL_SECONDS | the same; never before its first token does |
 *
 * NIST SP 800-63B-4, 2.2.3, limits both for browsers. A program has nobody who leaves it alone: its token is what is stolen,
 * so the life of the token is limited.
 */
import type { Config } from '../../config.ts';

/** `browser`: the token is in a cookie. `program`: the caller sends the token. */
export type SessionKind = 'browser' | 'program';

type Settings = Pick<Config, 'jwt_ttl_seconds' | 'session_idle_seconds' | 'session_max_seconds'>;
type Session = { kind: SessionKind; created_at: Date };

/** Returns the time beyond which no use and no renewal takes a session. Another setting holds for sessions that are open already. */
export function absoluteEnd(settings: Settings, { kind, created_at }: Session): Date {
  const { session_max_seconds: max, jwt_ttl_seconds: ttl } = settings;
  return after(created_at, kind === 'program' ? Math.max(max, ttl) : max);
}

/** Returns when the session ends unless it is used (browser), or its token is renewed (program), after `now`. */
export function endAfterUse(settings: Settings, session: Session, now: Date): Date {
  const { session_idle_seconds: idle, jwt_ttl_seconds: ttl } = settings;
  const end = after(now, session.kind === 'browser' ? idle : ttl);
  const absolute = absoluteEnd(settings, session);
  return end < absolute ? end : absolute;
}

function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}
