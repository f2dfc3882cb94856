import type { OnWallet } from '../../audit/audit.ts';
import { createRefusedRights } from '../../auth/refused-rights.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';

/** Runs decisions; writes down who tried to decide about their own request, or without the right since before it. */
export function createDecisionNotes(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
  const noteRefused = createRefusedRights(deps);
  return async <T>({ actor, wallet }: OnWallet, operation: string, decided: Promise<T>): Promise<T> => {
    try {
      return await decided;
    } catch (error) {
      if (error instanceof AppError && error.code === 'may_not_approve')
        await noteRefused({ actor, team_id: wallet.owner_id, operation, code: error.code });
      throw error;
    }
  };
}
