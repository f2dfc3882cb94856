/** What the operator does for a user who has lost every factor, or whose codes are stopped. */
import { audited, operator } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { teamOfUser } from '../teams/team-store.ts';
import { endKnown } from '../users/known-password-store.ts';
import { endSessions } from '../users/operator-store.ts';
import { deleteFactors, listFactors, lockFactors } from './factor-store.ts';

/** Removes every factor and recovery code, and ends every session. Returns how many factors there were. */
export async function resetFactors(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
  user_id: string,
): Promise<number> {
  return audited(deps, operator(), async (trx, note) => {
    await lockFactors(trx, user_id);
    const factors = await listFactors(trx, user_id);
    await deleteFactors(trx, user_id);
    await endKnown(trx, user_id);
    await endSessions(trx, user_id);
    const team_id = (await teamOfUser(trx, user_id))?.team_id ?? null;
    const before = { factors: factors.map(({ id, kind, name }) => ({ id, kind, name })) };
    note({ team_id, action: 'factors.reset', target: { kind: 'user', id: user_id }, before });
    return factors.length;
  });
}
