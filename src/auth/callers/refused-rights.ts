/** Writes down who tried what they may not do. A loop that tries on fills no disk: one entry a minute for each operation. */
import { type Actor, auditAlone } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';

const INTERVAL_MS = 60_000;
/** Of actors with an operation. Beyond that the oldest is forgotten, and may be written once more. */
const REMEMBERED = 10_000;

export type RefusedRight = { actor: Actor; team_id: string | null; operation: string; code: string };

/**
 * Returns a function that writes a refusal to the audit log, once a minute at most for the same actor, address, operation and code.
 * The refusal stands whether it can be written down or not.
 */
export function createRefusedRights(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
): (refused: RefusedRight) => Promise<void> {
  const written_ms = new Map<string, number>();
  return async ({ actor, team_id, operation, code }) => {
    const key = `${actor.kind} ${actor.id} ${actor.ip} ${operation} ${code}`;
    const now_ms = deps.clock.now().getTime();
    if (Math.abs(now_ms - (written_ms.get(key) ?? Number.NEGATIVE_INFINITY)) < INTERVAL_MS) return;
    written_ms.delete(key);
    written_ms.set(key, now_ms);
    if (written_ms.size > REMEMBERED) written_ms.delete(written_ms.keys().next().value as string);
    const target = { kind: 'operation', id: operation };
    try {
      await auditAlone(deps, actor, { team_id, action: 'right.refused', target, after: { code } });
    } catch (error) {
      deps.log.warn(
        { err: error, actor, operation },
        'a refused right could not be written to the audit log',
      );
    }
  };
}
