/**
 * The operator's freeze of a wallet. It stands beside the policy, because whoever has stolen the owner's login can loosen
 * the policy after the delay. It takes the lock of the policy: a claim under way is accepted before it or refused after it.
 */
import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../errors.ts';
import { asOf } from './policies.ts';
import { updatePolicy } from './policy-store.ts';

type FreezeDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Gives a text for the operator. A pending unfreezing by the owner is taken back, as by the owner's own freeze: the version
 * before knows only that one.
 * @throws OperatorError when the operator has frozen the wallet already
 */
export async function freezeByOperator(
  { db, clock }: FreezeDeps,
  wallet_id: string,
  reason: string | null,
): Promise<string> {
  await updatePolicy(db, wallet_id, (before) => {
    const { operator_freeze } = before;
    if (operator_freeze)
      throw new OperatorError(
        `${wallet_id} is frozen by the operator already, since ${operator_freeze.frozen_at.toISOString()}. Nothing was changed.`,
      );
    const now = clock.now(); // with the lock held
    const { policy, pending } = asOf(before, now);
    return {
      policy,
      pending: pending.filter(({ field }) => field !== 'frozen'),
      operator_freeze: { frozen_at: now, reason },
    };
  });
  return (
    `Frozen: ${wallet_id} accepts no new withdrawals, until "teller wallet unfreeze ${wallet_id}".\n` +
    'Withdrawals that were accepted before continue. Deposits are credited.\n'
  );
}

/** Gives a text for the operator. @throws OperatorError when the operator has not frozen the wallet */
export async function unfreezeByOperator({ db, clock }: FreezeDeps, wallet_id: string): Promise<string> {
  const { policy } = await updatePolicy(db, wallet_id, (before) => {
    if (!before.operator_freeze)
      throw new OperatorError(`${wallet_id} is not frozen by the operator. Nothing was changed.`);
    return { ...asOf(before, clock.now()), operator_freeze: null };
  });
  if (policy.frozen)
    return `Unfrozen by the operator: ${wallet_id}. Its owner has frozen it too: only the owner can undo that.\n`;
  return `Unfrozen: ${wallet_id} accepts withdrawals again.\n`;
}
