import type { Actor } from '../audit/audit.ts';
import { createRefusedRights } from '../auth/callers/refused-rights.ts';
import type { Deps } from '../deps.ts';
import { AppError, type ErrorCode } from '../lib/errors.ts';

const NOTED: readonly ErrorCode[] = ['may_not_approve', 'factor_required'];

/** Runs decisions; writes down who tried to approve their own request, or to decide without the right since before it or a factor. */
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
      if (error instanceof AppError && NOTED.includes(error.code))
        await noteRefused({ actor, team_id, operation, code: error.code });
      throw error;
    }
  };
}
