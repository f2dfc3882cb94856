/**
 * The operator's freeze of a wallet. It stands beside the policy, because whoever has stolen the owner's login can loosen
 * the policy after the delay. It takes the lock of the policy: a claim under way is accepted before it or refused after it.
 */
import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../lib/errors.ts';
import { asOf } from './policies.ts';
import { updatePolicy } from './policy-store.ts';

type FreezeDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>;

/**
 * Freezes the wallet, and returns a text for the operator. A pending unfreezing by the owner is taken back, as by the owner's
 * own freeze.
 * @throws OperatorError when the operator has frozen the wallet already
 */
export async function freezeByOperator(
  deps: FreezeDeps,
  by: OnWallet,
  reason: string | null,
): Promise<string> {
  const wallet_id = by.wallet.id;
  await auditedOnWallet(deps, by, async (trx, note) => {
    await updatePolicy(trx, wallet_id, (before) => {
      const { operator_freeze } = before;
      if (operator_freeze)
        throw new OperatorError(
          `${wallet_id} is frozen by the operator already, since ${operator_freeze.frozen_at.toISOString()}. Nothing was changed.`,
        );
      const now = deps.clock.now(); // with the lock held
      const { policy, pending } = asOf(before, now);
      return {
        now,
        policy,
        pending: pending.filter(({ field }) => field !== 'frozen'),
        operator_freeze: { frozen_at: now, reason },
      };
    });
    note({ action: 'wallet.frozen', target: { kind: 'wallet', id: wallet_id }, after: { reason } });
  });
  return (
    `Frozen: ${wallet_id} accepts no new withdrawals, until "teller wallet unfreeze ${wallet_id}".\n` +
    'Withdrawals that were accepted before continue. Deposits are credited.\n'
  );
}

/**
 * Ends the operator's freeze, and returns a text for the operator.
 * @throws OperatorError when the operator has not frozen the wallet
 */
export async function unfreezeByOperator(deps: FreezeDeps, by: OnWallet): Promise<string> {
  const wallet_id = by.wallet.id;
  const { policy } = await auditedOnWallet(deps, by, async (trx, note) => {
    note({ action: 'wallet.unfrozen', target: { kind: 'wallet', id: wallet_id } });
    return updatePolicy(trx, wallet_id, (before) => {
      if (!before.operator_freeze)
        throw new OperatorError(`${wallet_id} is not frozen by the operator. Nothing was changed.`);
      const now = deps.clock.now();
      return { ...asOf(before, now), now, operator_freeze: null };
    });
  });
  if (policy.frozen)
    return `Unfrozen by the operator: ${wallet_id}. Its owner has frozen it too: only the owner can undo that.\n`;
  return `Unfrozen: ${wallet_id} accepts withdrawals again.\n`;
}
