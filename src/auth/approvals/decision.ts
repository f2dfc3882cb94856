/** The rules of one decision, the same for withdrawals, payouts, changes of a policy and changes of access. */
import type { Actor } from '../../audit/audit.ts';
import { AppError } from '../../lib/errors.ts';
import { countingFor, type Deciders, eligibleFor, knewRequester } from '../teams/approvers.ts';
import type { Approval } from './approval.ts';

/** What a member says. `order_hash`: of what they saw. */
export type Decision = {
  by: { actor: Actor };
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
 * The decision as it is recorded, and how many approvals count with it. The requester takes the request back by a rejection.
 * @throws AppError `may_not_approve` for an approval of the requester, for who may not approve, for who knew a credential of the
 * requesting program at the request or since, and for who has the right since the request only; `factor_required` for who must
 * add a second factor first; `already_decided`; `order_changed` when the member saw something else
 */
export function checkDecision(
  decided: Decided,
  { by, decision, order_hash, comment }: Decision,
  { now, ...deciders }: Deciders & { now: Date },
): { approval: Approval; counting: number } {
  const user_id = requireUser(by.actor);
  const counted = countingFor(deciders, decided);
  if (user_id !== decided.requested_by) requireEligible(user_id, decided, deciders);
  else if (decision === 'approved')
    throw new AppError('may_not_approve', 'You asked for this yourself: another member decides.');
  if (decided.approvals.some((each) => each.user_id === user_id))
    throw new AppError('already_decided', 'You have decided about this already.');
  if (order_hash !== decided.order_hash)
    throw new AppError('order_changed', 'This is not what you saw. Read it again, then decide.');
  const approval = { user_id, decision, comment, order_hash, at: now.toISOString() };
  const counting = [...decided.approvals, approval].filter(
    (each) => each.decision === 'approved' && each.order_hash === order_hash && counted.has(each.user_id),
  );
  return { approval, counting: counting.length };
}

function requireEligible(user_id: string, decided: Decided, { approvers, needs_factor }: Deciders): void {
  const own = approvers.find((approver) => approver.user_id === user_id);
  if (own && knewRequester(own, decided))
    throw new AppError('may_not_approve', isProgram(decided.requested_by) ? KNOWS_PROGRAM : KNOWS_MEMBER);
  if (!own)
    throw new AppError('may_not_approve', 'Your role or your wallets do not let you decide about this.');
  if (!eligibleFor(approvers, decided).has(user_id))
    throw new AppError(
      'may_not_approve',
      'You may decide only about what was requested after you got your role and your wallets.',
    );
  if (needs_factor && !own.has_factor)
    throw new AppError(
      'factor_required',
      'A decision needs a second factor, and you have none. Add one first.',
    );
}

const KNOWS_PROGRAM =
  'You have made the program that asks, or gave it a credential: another member decides. The same holds when a person who knows ' +
  'your first password did so.';
const KNOWS_MEMBER =
  'One person could be you and the member who asks: a first password is known to who chose it, and to who saw the link of the ' +
  'invitation. Another member decides, until an hour after the new member has chosen another password and replaced the ' +
  'second factors from before.';

function isProgram(requested_by: string | null): boolean {
  return requested_by?.startsWith('svu_') ?? false;
}

/** Programs ask, people decide. */
function requireUser(actor: Actor): string {
  if (actor.kind === 'user' && actor.id !== null) return actor.id;
  throw new AppError('may_not_approve', 'Only a person who has signed in decides about this.');
}
