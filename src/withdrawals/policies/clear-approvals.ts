/**
 * The way out for a team that has lost its approvers: the operator ends the approvals of a wallet's policy. No login can do
 * that. It takes the lock of the policy: a withdrawal under way is checked before it or after it.
 */
import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../lib/errors.ts';
import { asOf, awaitsApproval } from './policies.ts';
import { updatePolicy } from './policy-store.ts';

/**
 * Clears the rule of approvals, and returns a text for the operator. Changes that members should approve are gone: their rule
 * is. A withdrawal that awaits approvals goes on to wait for them, and ends with its time.
 * @throws OperatorError when the policy asks for no approvals
 */
export async function clearApprovals(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
  by: OnWallet,
  reason: string | null,
): Promise<string> {
  const wallet_id = by.wallet.id;
  await auditedOnWallet(deps, by, async (trx, note) => {
    await updatePolicy(trx, wallet_id, (before) => {
      const now = deps.clock.now();
      const { policy, pending } = asOf(before, now);
      if (policy.approvals === null)
        throw new OperatorError(`The policy of ${wallet_id} asks for no approvals. Nothing was changed.`);
      const target = { kind: 'policy', id: wallet_id };
      note({
        action: 'policy.approvals_cleared',
        target,
        before: { approvals: policy.approvals },
        after: { reason },
      });
      return {
        now,
        policy: { ...policy, approvals: null },
        // Another rule of approvals that was to come would come back in the place of the one that is cleared.
        pending: pending.filter((change) => !awaitsApproval(change) && change.field !== 'approvals'),
      };
    });
  });
  return (
    `Cleared: the policy of ${wallet_id} asks for no approvals any more.\n` +
    'Withdrawals that await approvals end with their time, and nothing is signed for them. Ask for them again.\n'
  );
}
