import { type Actor, audited } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { deleteServiceToken } from '../service-users/service-token-store.ts';
import { deleteSession } from '../sessions/session-store.ts';
import type { LoginCaller } from './authenticate.ts';

/** Ends the session of the caller at once. */
export async function logOut(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
  { login, actor }: { login: LoginCaller; actor: Actor },
): Promise<void> {
  const { by, session_id, member } = login;
  await audited(deps, actor, async (trx, note) => {
    await (by === 'user' ? deleteSession : deleteServiceToken)(trx, session_id);
    note({ team_id: member.team_id, action: 'session.ended', target: { kind: 'session', id: session_id } });
  });
}
