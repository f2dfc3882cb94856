/** The rules of one decision, the same for withdrawals and for changes of a policy. */
import type { Actor, OnWallet } from '../../audit/audit.ts';
import { type Approver, eligibleFor, knewRequester } from '../../auth/teams/approvers.ts';
import { AppError } from '../../errors.ts';
import type { Approval } from './approval.ts';

/** What a member says. `order_hash`: of what they saw. */
export type Decision = {
  by: OnWallet;
  decision: Approval['decision'];
  order_hash: string;
  comment: string | null;
};

/** What is decided about, as it is now. */
export type Decided = {
  requested_by: string | null;
  created_at: Date;
  order_hash: string;
  approvals: Approval[];
};

/**
 * The decision as it is recorded, and how many approvals count with it.
 * @throws AppError `may_not_approve` for the requester, for who knew a credential of the requesting program at the request or
 * since, and for who has the right since the request only; `already_decided`; `order_changed` when the member saw something
 * else
 */
export function checkDecision(
  decided: Decided,
  { by, decision, order_hash, comment }: Decision,
  { approvers, now }: { approvers: Approver[]; now: Date },
): { approval: Approval; counting: number } {
  const user_id = requireUser(by.actor);
  if (user_id === decided.requested_by)
    throw new AppError('may_not_approve', 'You asked for this yourself: another member decides.');
  const own = approvers.find((approver) => approver.user_id === user_id);
  if (own && knewRequester(own, decided))
    throw new AppError(
      'may_not_approve',
      'You have made the program that asks, or gave it a credential: another member decides.',
    );
  const eligible = eligibleFor(approvers, decided);
  if (!eligible.has(user_id))
    throw new AppError(
      'may_not_approve',
      'You may decide only about what was requested after you got your role and your wallets.',
    );
  if (decided.approvals.some((each) => each.user_id === user_id))
    throw new AppError('already_decided', 'You have decided about this already.');
  if (order_hash !== decided.order_hash)
    throw new AppError('order_changed', 'This is not what you saw. Read it again, then decide.');
  const approval = { user_id, decision, comment, order_hash, at: now.toISOString() };
  const counting = [...decided.approvals, approval].filter(
    (each) => each.decision === 'approved' && each.order_hash === order_hash && eligible.has(each.user_id),
  );
  return { approval, counting: counting.length };
}

/** Programs ask, people decide. */
function requireUser(actor: Actor): string {
  if (actor.kind === 'user' && actor.id !== null) return actor.id;
  throw new AppError('may_not_approve', 'Only a person who has signed in decides about this.');
}
