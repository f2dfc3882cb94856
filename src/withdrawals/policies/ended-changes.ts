/** Keeps what became of changes that awaited approvals, when a write of their policy ends them. */
import type { Outcome } from '../../approvals/decided.ts';
import { recordDecided } from '../../approvals/decided-change-store.ts';
import type { Trx } from '../../db/database.ts';
import { stringify } from '../../http/exact-json.ts';
import { ownerOfWallet } from '../engine/queries.ts';
import { showChange } from './change-schema.ts';
import { isRequested, type RequestedChange } from './change-store.ts';
import { awaitsApproval, type PendingChange } from './policies.ts';

/**
 * What a write knows of the changes that it ends. `decided`: the change that a member decides about, with that decision. `reason`: why
 * the others end that are not over; null: somebody revoked or replaced them.
 */
export type Ending = { now: Date; decided?: RequestedChange | undefined; reason?: 'requester_removed' };

type Ended = { change: RequestedChange; outcome: Outcome };

/** Returns those of the changes `before` that no longer await approvals `after` the write. */
export function endedChanges(before: PendingChange[], after: PendingChange[], ending: Ending): Ended[] {
  const waiting = new Set(after.filter(awaitsApproval).map(({ id }) => id));
  return before
    .filter(isRequested)
    .filter((change) => awaitsApproval(change) && !waiting.has(change.id))
    .map((change) => endOf(change, ending));
}

function endOf(change: RequestedChange, { now, decided, reason }: Ending): Ended {
  if (decided?.id === change.id)
    return { change: decided, outcome: decided.request.approved_at ? 'approved' : 'rejected' };
  return { change, outcome: change.request.expires_at <= now ? 'approval_expired' : (reason ?? 'cancelled') };
}

export async function recordEnded(trx: Trx, wallet_id: string, ended: Ended[], now: Date): Promise<void> {
  if (ended.length === 0) return;
  const team_id = await ownerOfWallet(trx, wallet_id);
  await recordDecided(
    trx,
    ended.map(({ change, outcome }) => ({
      id: change.id,
      team_id,
      kind: 'policy_change' as const,
      wallet_ids: [wallet_id],
      outcome,
      change: stringify(showChange(wallet_id, change)),
      decided_at: now,
    })),
  );
}
