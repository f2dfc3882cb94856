/** Whether a deposit can still be refunded: asked early, for a quick answer, and again in the transaction that claims. */
import type { Trx } from '../../db/database.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { Withdrawal } from '../engine/store.ts';
import { showWithdrawal } from '../schema.ts';
import { findRefunds, lockDeposits, type RefundedDeposit } from './refund-store.ts';

export type RefundViolation = {
  code: Extract<ErrorCode, `deposit_${string}` | 'not_found'>;
  message: string;
  data?: ReturnType<typeof showWithdrawal>;
};

type RefundOrder = { id: string; refund_of: string | null };

/**
 * For those of the orders that are refunds and must not be made, why. Holds their deposits until the transaction ends;
 * assigning one takes the same lock. What was committed meanwhile is seen, because a statement sees all that was
 * committed before it began, and the second begins when the locks are held.
 */
export async function checkRefunds(trx: Trx, orders: RefundOrder[]): Promise<Map<string, RefundViolation>> {
  const deposit_ids = orders.flatMap(({ refund_of }) => refund_of ?? []);
  if (deposit_ids.length === 0) return new Map();
  const deposits = new Map((await lockDeposits(trx, deposit_ids)).map((deposit) => [deposit.id, deposit]));
  const refunds = await findRefunds(trx, deposit_ids);
  const violations = new Map<string, RefundViolation>();
  for (const { id, refund_of } of orders) {
    if (refund_of === null) continue;
    // Not itself: a claim is repeated after an error that left open whether it took effect.
    const others = refunds.filter((each) => each.refund_of === refund_of && each.id !== id);
    const deposit = deposits.get(refund_of);
    const violation = deposit ? whyNot(deposit, others) : GONE;
    if (violation) violations.set(id, violation);
  }
  return violations;
}

/** It was there a moment ago. The claim would break the reference to it, and with it the claims of all the others. */
const GONE: RefundViolation = { code: 'not_found', message: 'There is no such deposit any more.' };

/** `refunds`: all that there are of the deposit. A failed one has moved nothing, and will never. */
export function whyNot(deposit: RefundedDeposit, refunds: Withdrawal[]): RefundViolation | null {
  if (deposit.attributed) {
    const message = 'The deposit belongs to a deposit address and was announced: pay it out by a withdrawal.';
    return { code: 'deposit_attributed', message };
  }
  const refund = refunds.find(({ status }) => status !== 'failed');
  return refund ? refundedBy(refund) : null;
}

export function refundedBy(refund: Withdrawal): RefundViolation {
  const message =
    refund.status === 'failed'
      ? 'Another refund of the deposit has failed meanwhile; see data, and try again.'
      : 'The deposit is refunded, or being refunded; see data.';
  return { code: 'deposit_refunded', message, data: showWithdrawal(refund) };
}

export function errorOf(violation: RefundViolation): AppError {
  return new AppError(violation.code, violation.message, violation);
}
