import type { Actor } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createRefusedRights } from '../refused-rights.ts';

/** Runs decisions; writes down who tried to approve their own request, or to decide without the right since before it. */
export function createDecisionNotes(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>) {
  const noteRefused = createRefusedRights(deps);
  return async <T>(
    { actor, team_id }: { actor: Actor; team_id: string },
    operation: string,
    decided: Promise<T>,
  ): Promise<T> => {
    try {
      return await decided;
    } catch (error) {
      if (error instanceof AppError && error.code === 'may_not_approve')
        await noteRefused({ actor, team_id, operation, code: error.code });
      throw error;
    }
  };
}
