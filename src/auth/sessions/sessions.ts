/**
 * Sessions. A login token is valid while the row of its session exists, has not ended (session-ends.ts), and has not seen a
 * newer token for long. `renewals` of the row is the number of the newest token that was used:
 *
 * | step of a renewal | the old token (number n) | the new token (n + 1) | a crash, or a lost answer, after it |
 * |---|---|---|---|
 * | before | valid | – | nothing has happened |
 * | answered; nobody has used the new token | valid until its own end | valid | the program renews the old one again |
 * | the new token is used | valid for OVERLAP_MS, for requests that are on their way | valid | the program has the new one |
 */
import { type Actor, audited } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Membership, teamOfUser } from '../teams/team-store.ts';
import { userActor } from '../users/actor.ts';
import type { User } from '../users/user-store.ts';
import { absoluteEnd, endAfterUse, type SessionKind } from './session-ends.ts';
import {
  confirmRenewal,
  createSessionFinder,
  deleteExpiredSessions,
  extendSession,
  type FactorState,
  insertSession,
  type Session,
  touchSession,
} from './session-store.ts';
import { signToken, type TokenOf, verifyToken } from './tokens.ts';

/** The user of a token, with the rights of this moment. */
export type LoginOf = {
  user: User;
  session_id: string;
  member: Membership;
  /** `renewal`: the number of the token. */
  session: { kind: SessionKind; created_at: Date; renewal: number };
  factors: FactorState;
};
type ReaderDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'jwt_keys'>;
type SessionDeps = ReaderDeps & Pick<Deps, 'log' | 'metrics'>;

/** What opens a session, and from where. `device`: its name, from the User-Agent; null when that tells nothing. */
export type SessionClient = { kind: SessionKind; device: string | null; ip: string };

/** Uses of a session are recorded this often: fewer writes, and an end that comes at most so much too early. */
const TOUCH_INTERVAL_MS = 60_000;
/** Requests that were sent with the old token must still be answered when another request has shown the new one. */
const OVERLAP_MS = 60_000;

/**
 * Opens a session and returns its login token, which is valid while the row of the session exists. Returns null when the user is in
 * no team, or the password is no longer the verified one: what changes the password, disables the user or removes the member ends all
 * sessions, and must not miss this one. `factor_at`: when a second factor was proven; the database opens no session without it for a
 * user who has one. `is_new_device`: the user has signed in before, and not in this browser.
 */
export async function openSession(
  deps: SessionDeps,
  user: User & { password_hash: string },
  client: SessionClient,
  { factor_at = null, is_new_device = false }: { factor_at?: Date | null; is_new_device?: boolean } = {},
): Promise<string | null> {
  const issued_at = deps.clock.now();
  const opened = { kind: client.kind, created_at: issued_at };
  const expires_at = endAfterUse(deps.config, opened, issued_at);
  const session_id = newId('ses', issued_at);
  await deleteExpiredSessions(deps.db, issued_at);
  const session = { id: session_id, expires_at, factor_at, ...opened, ...client };
  const { kind, device, ip } = client;
  const inserted = await audited(deps, userActor(user, session_id, ip), async (trx, note) => {
    if (!(await insertSession(trx, session, user))) return false;
    const team_id = (await teamOfUser(trx, user.id))?.team_id ?? null;
    const target = { kind: 'user', id: user.id };
    const after = { kind, device, ...(is_new_device && { known_device: false }) };
    note({ team_id, action: 'login.succeeded', target, after });
    return true;
  });
  if (!inserted) return null;
  // The token of a browser stays the same: its row has the end that comes without use.
  const token_end = kind === 'browser' ? absoluteEnd(deps.config, opened) : expires_at;
  const token = { session_id, user_id: user.id, renewal: 0, issued_at, expires_at: token_end };
  return signToken(deps.jwt_keys, { ...token, second_factor: factor_at !== null });
}

/**
 * A token, and the way it came: a token counts for sessions of this kind only. `is_use`: whether the request keeps the session
 * from ending; the polls of a page that nobody looks at do not.
 */
export type Presented = { token: string; kind: SessionKind; is_use: boolean };

/**
 * Returns a function that finds user and session of a token. The function returns null for a token that is malformed, forged,
 * replaced, expired or logged out, or that came in the way of the other kind of session.
 */
export function createSessionReader(deps: ReaderDeps): (presented: Presented) => Promise<LoginOf | null> {
  const find = createSessionFinder(deps.db);
  const touch = createToucher(deps);
  return async ({ token, kind, is_use }) => {
    const now = deps.clock.now();
    const verified = await verifyToken(deps.jwt_keys, token, now);
    const session = verified === null ? undefined : await find(verified.session_id);
    if (!verified || session?.kind !== kind || hasEnded(deps, session, now)) return null;
    if (isReplaced(verified, session, now)) return null;
    if (verified.renewal > session.renewals)
      await confirmRenewal(deps.db, { id: session.id, renewals: verified.renewal }, now);
    if (is_use) await touch(session, now);
    const { id: session_id, user, member, created_at, factors } = session;
    return { user, session_id, member, factors, session: { kind, created_at, renewal: verified.renewal } };
  };
}

function hasEnded({ config }: Pick<Deps, 'config'>, session: Session, now: Date): boolean {
  return session.expires_at <= now || absoluteEnd(config, session) <= now;
}

/** Returns true when a newer token has been used for so long that this one has ended. */
function isReplaced({ renewal }: TokenOf, { renewals, renewed_at }: Session, now: Date): boolean {
  if (renewal >= renewals) return false;
  const since_ms = now.getTime() - (renewed_at?.getTime() ?? 0);
  return renewal < renewals - 1 || since_ms >= OVERLAP_MS;
}

/**
 * Returns a function that records the use of a session. Of the requests of one moment, one writes the row; the others would only wait
 * for it.
 */
function createToucher(deps: ReaderDeps) {
  const touching = new Set<string>();
  return async (session: Session, now: Date): Promise<void> => {
    const { id, kind, last_used_at } = session;
    const is_recorded = Math.abs(now.getTime() - (last_used_at?.getTime() ?? 0)) <= TOUCH_INTERVAL_MS;
    if (is_recorded || touching.has(id)) return;
    touching.add(id);
    const expires_at = kind === 'browser' ? endAfterUse(deps.config, session, now) : session.expires_at;
    const times = { now, interval_ms: TOUCH_INTERVAL_MS };
    await touchSession(deps.db, { id, expires_at }, times).finally(() => touching.delete(id));
  };
}

/**
 * Returns a new login token of the same session, and the time at which the session ends in any case. The old token ends as the table at the
 * top says. @throws AppError `invalid_request` for the session of a browser; `unauthenticated` when it has ended
 */
export async function renewToken(
  deps: SessionDeps,
  { user, session_id, session, member, factors }: LoginOf,
  actor: Actor,
): Promise<{ token: string; expires_in: number; session_ends_at: Date }> {
  if (session.kind === 'browser')
    throw new AppError(
      'invalid_request',
      'The session of a browser goes on while it is used; only programs renew.',
    );
  const now = deps.clock.now();
  const expires_at = endAfterUse(deps.config, session, now);
  await audited(deps, actor, async (trx, note) => {
    if (!(await extendSession(trx, { id: session_id, expires_at }, now)))
      throw new AppError('unauthenticated', 'The session has ended.');
    const target = { kind: 'session', id: session_id };
    note({ team_id: member.team_id, action: 'session.renewed', target, after: { expires_at } });
  });
  const renewed = {
    session_id,
    user_id: user.id,
    renewal: session.renewal + 1,
    issued_at: now,
    expires_at,
    second_factor: factors.proven_at !== null,
  };
  return {
    token: await signToken(deps.jwt_keys, renewed),
    // The token names whole seconds.
    expires_in: Math.floor(Math.floor(expires_at.getTime() / 1000) - now.getTime() / 1000),
    session_ends_at: absoluteEnd(deps.config, session),
  };
}
