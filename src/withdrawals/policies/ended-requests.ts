/** Changes that had to be approved leave policy_changes once they are in force, void, or asked for by a member who is gone. */
import { endInVain, type PageInVain } from '../../approvals/end-in-vain.ts';
import { reasonToEnd } from '../../approvals/requesters.ts';
import { auditedOnWallet, THE_SERVICE } from '../../audit/audit.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { ownerOfWallet } from '../engine/queries.ts';
import { isRequested, walletsWithEndedRequests } from './change-store.ts';
import { asOf, awaitsApproval, type PendingChange } from './policies.ts';
import { auditOfPolicy } from './policy-changes.ts';
import { updatePolicy } from './policy-store.ts';

/**
 * Ends them. Nothing depends on it: every reader applies the same rule (`asOf`), and every decision asks whether the requester is
 * gone.
 */
export function endRequests(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>): Promise<void> {
  const list = (page: PageInVain) => walletsWithEndedRequests(deps.db, deps.clock.now(), page);
  return endInVain(list, async ({ id }) => {
    const wallet = { id, owner_id: await ownerOfWallet(deps.db, id) };
    await auditedOnWallet(deps, { actor: THE_SERVICE, wallet }, async (trx, note) => {
      await updatePolicy(trx, id, async (before) => {
        const now = deps.clock.now();
        const { policy, pending } = asOf(before, now);
        const kept: PendingChange[] = [];
        for (const change of pending) if (!(await isOver(trx, wallet, change, now))) kept.push(change);
        const after = { ...before, policy, pending: kept };
        note({
          action: 'policy.requests_ended',
          target: { kind: 'policy', id },
          before: auditOfPolicy(before),
          after: auditOfPolicy(after),
        });
        return { ...after, now, reason: 'requester_removed' };
      });
    });
  });
}

async function isOver(
  trx: Trx,
  { owner_id: team_id }: { owner_id: string },
  change: PendingChange,
  now: Date,
): Promise<boolean> {
  if (!isRequested(change) || !awaitsApproval(change)) return false;
  const { expires_at } = change.request;
  return (await reasonToEnd(trx, { ...change, team_id, expires_at }, now)) !== null;
}
