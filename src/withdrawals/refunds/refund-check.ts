/** Whether a deposit can still be refunded: checked early for a quick answer, and again in the transaction of the claim. */
import type { Trx } from '../../db/database.ts';
import { AppError, type ErrorCode } from '../../lib/errors.ts';
import { showWithdrawal } from '../answers/schema.ts';
import type { Withdrawal } from '../engine/store.ts';
import { findRefunds, lockDeposits, type RefundedDeposit } from './refund-store.ts';

export type RefundViolation = {
  code: Extract<ErrorCode, `deposit_${string}` | 'not_found'>;
  message: string;
  data?: ReturnType<typeof showWithdrawal>;
};

type RefundOrder = { id: string; refund_of: string | null };

/**
 * Checks refunds, and returns by order id the reason why one must not be made. Locks the deposits until the transaction ends;
 * assigning a deposit takes the same lock. The second statement begins when the locks are held, so it sees what was committed
 * while the first one waited.
 */
export async function checkRefunds(trx: Trx, orders: RefundOrder[]): Promise<Map<string, RefundViolation>> {
  const deposit_ids = orders.flatMap(({ refund_of }) => refund_of ?? []);
  if (deposit_ids.length === 0) return new Map();
  const deposits = new Map((await lockDeposits(trx, deposit_ids)).map((deposit) => [deposit.id, deposit]));
  const refunds = await findRefunds(trx, deposit_ids);
  const violations = new Map<string, RefundViolation>();
  for (const { id, refund_of } of orders) {
    if (refund_of === null) continue;
    // The order itself does not count: a claim is repeated after a lost commit.
    const others = refunds.filter((each) => each.refund_of === refund_of && each.id !== id);
    const deposit = deposits.get(refund_of);
    const violation = deposit ? whyNot(deposit, others) : GONE;
    if (violation) violations.set(id, violation);
  }
  return violations;
}

/**
 * The deposit existed a moment ago. Without this check its claim would violate the foreign key, and the other claims
 * would fail with it.
 */
const GONE: RefundViolation = { code: 'not_found', message: 'There is no such deposit any more.' };

/**
 * Returns why the deposit must not be refunded; null when it may be. `refunds`: all refunds of the deposit. A failed one has
 * paid nothing and never will.
 */
export function whyNot(deposit: RefundedDeposit, refunds: Withdrawal[]): RefundViolation | null {
  if (deposit.attributed) {
    const message =
      'The deposit belongs to a deposit address, and your backend was told. Pay it out by a withdrawal.';
    return { code: 'deposit_attributed', message };
  }
  const refund = refunds.find(({ status }) => status !== 'failed');
  return refund ? refundedBy(refund) : null;
}

export function refundedBy(refund: Withdrawal): RefundViolation {
  const message =
    refund.status === 'failed'
      ? 'Another refund of the deposit has just failed; see data. Try again.'
      : 'The deposit is refunded, or being refunded; see data.';
  return { code: 'deposit_refunded', message, data: showWithdrawal(refund) };
}

export function errorOf(violation: RefundViolation): AppError {
  return new AppError(violation.code, violation.message, violation);
}
