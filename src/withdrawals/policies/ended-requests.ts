/** Changes that had to be approved leave policy_changes once they are in force, void, or asked for by a member who is gone. */
import { auditedOnWallet, THE_SERVICE } from '../../audit/audit.ts';
import { isRequesterGone } from '../../auth/approvals/requesters.ts';
import type { Deps } from '../../deps.ts';
import { ownerOfWallet } from '../engine/queries.ts';
import { walletsWithEndedRequests } from './change-store.ts';
import { asOf, awaitsApproval } from './policies.ts';
import { auditOfPolicy } from './policy-changes.ts';
import { lockPolicies, updatePolicy } from './policy-store.ts';

const WALLETS_PER_STEP = 50;

/**
 * Ends them. Nothing depends on it: every reader applies the same rule (`asOf`), and every decision asks whether the requester is
 * gone. Returns whether there may be more to do.
 */
export async function endRequests(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>): Promise<boolean> {
  const wallet_ids = await walletsWithEndedRequests(deps.db, deps.clock.now(), WALLETS_PER_STEP);
  for (const id of wallet_ids) {
    const wallet = { id, owner_id: await ownerOfWallet(deps.db, id) };
    await auditedOnWallet(deps, { actor: THE_SERVICE, wallet }, async (trx, note) => {
      const known = (await lockPolicies(trx, [id])).get(id)?.pending ?? [];
      const gone = new Set<string>();
      for (const change of known)
        if (await isRequesterGone(trx, { ...change, team_id: wallet.owner_id })) gone.add(change.id);
      await updatePolicy(trx, id, (before) => {
        const { policy, pending } = asOf(before, deps.clock.now());
        const kept = pending.filter((change) => !awaitsApproval(change) || !gone.has(change.id));
        const after = { ...before, policy, pending: kept };
        note({
          action: 'policy.requests_ended',
          target: { kind: 'policy', id },
          before: auditOfPolicy(before),
          after: auditOfPolicy(after),
        });
        return after;
      });
    });
  }
  return wallet_ids.length === WALLETS_PER_STEP;
}
