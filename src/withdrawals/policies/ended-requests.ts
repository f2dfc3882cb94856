/** Changes that had to be approved leave policy_changes once they are in force, or void. */
import { auditedOnWallet, THE_SERVICE } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { ownerOfWallet } from '../engine/queries.ts';
import { walletsWithEndedRequests } from './change-store.ts';
import { asOf } from './policies.ts';
import { auditOfPolicy } from './policy-changes.ts';
import { updatePolicy } from './policy-store.ts';

const WALLETS_PER_STEP = 50;

/** Nothing depends on it: every reader applies the same rule (`asOf`). Gives whether there may be more to do. */
export async function endRequests(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>): Promise<boolean> {
  const wallet_ids = await walletsWithEndedRequests(deps.db, deps.clock.now(), WALLETS_PER_STEP);
  for (const id of wallet_ids) {
    const wallet = { id, owner_id: await ownerOfWallet(deps.db, id) };
    await auditedOnWallet(deps, { actor: THE_SERVICE, wallet }, async (trx, note) => {
      await updatePolicy(trx, id, (before) => {
        const after = { ...before, ...asOf(before, deps.clock.now()) };
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
