/** Whether every member of a team needs a second factor where a route asks `always` for one. */
import { audited } from '../../audit/audit.ts';
import type { Requester } from '../../auth/callers/authenticate.ts';
import { lockTeamOf } from '../../auth/callers/lock-team.ts';
import { listFactors } from '../../auth/factors/factor-store.ts';
import { findTeam, setSecondFactorRequired } from '../../auth/teams/team-store.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';

/** @throws AppError `role_missing` unless the caller is an owner; `second_factor_required` for an owner who has none */
export async function requireFactorsOfTeam(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
  { login, actor }: Requester,
  required: boolean,
): Promise<void> {
  await audited(deps, actor, async (trx, note) => {
    const { team_id, role } = await lockTeamOf(trx, login, []);
    if (role !== 'owner')
      throw new AppError('role_missing', 'Only an owner decides whether the team requires a second factor.');
    if (required && (await listFactors(trx, login.user.id)).length === 0)
      throw new AppError('second_factor_required', 'Add a second factor of your own first.', {
        data: { methods: [] },
      });
    const { second_factor_required: before } = await findTeam(trx, team_id);
    if (before === required) return;
    await setSecondFactorRequired(trx, team_id, required);
    const target = { kind: 'team', id: team_id };
    const changed = { team_id, action: 'team.factors_required', target } as const;
    note({ ...changed, before: { required: before }, after: { required } });
  });
}
