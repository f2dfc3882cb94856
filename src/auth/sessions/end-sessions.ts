/** Sessions that their user ends. Each is refused, in every process, when the function returns. */
import { type Actor, audited } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { endSession } from '../users/operator-store.ts';
import { endOtherSessions, findOpenSession, type ListedSession } from './session-store.ts';
import type { LoginOf } from './sessions.ts';

type EndDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>;
/** The caller, and the same for the audit log. */
type By = { login: LoginOf; actor: Actor };

/** Ends a session of the caller. Returns it as it was. @throws AppError `not_found` when the caller has no such open session */
export async function endOwnSession(deps: EndDeps, { login, actor }: By, id: string): Promise<ListedSession> {
  const session = { id, user_id: login.user.id };
  return audited(deps, actor, async (trx, note) => {
    const found = await findOpenSession(trx, session, deps.clock.now());
    if (!found || !(await endSession(trx, session)))
      throw new AppError('not_found', 'There is no such open session of yours.');
    note(endOf(id, login));
    return found;
  });
}

/** Ends every session of the caller but this one. Returns how many have ended. */
export async function endAllOthers(deps: EndDeps, { login, actor }: By): Promise<number> {
  const kept = { id: login.session_id, user_id: login.user.id };
  return audited(deps, actor, async (trx, note) => {
    const ended = await endOtherSessions(trx, kept, deps.clock.now());
    // One entry: a program that logs in for each call may have thousands of sessions.
    const target = { kind: 'user', id: login.user.id };
    if (ended > 0) note({ ...endOf(null, login), target, after: { ended: 'all others', count: ended } });
    return ended;
  });
}

/** Ends the session before in a browser in which somebody signs in again: it must not stay open without a cookie. */
export async function endReplaced(deps: EndDeps, { login, actor }: By): Promise<void> {
  await audited(deps, actor, async (trx, note) => {
    const ended = await endSession(trx, { id: login.session_id, user_id: login.user.id });
    if (ended) note({ ...endOf(login.session_id, login), after: { replaced: true } });
  });
}

function endOf(id: string | null, { member }: LoginOf) {
  return { team_id: member.team_id, action: 'session.ended', target: { kind: 'session', id } } as const;
}
