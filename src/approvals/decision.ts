/** The rules of one decision, the same for withdrawals, payouts, changes of a policy and changes of access. */
import type { Actor } from '../audit/audit.ts';
import type { Trx } from '../db/database.ts';
import { AppError } from '../lib/errors.ts';
import type { Approval } from './approval.ts';
import { countingFor, type Deciders, eligibleFor, knewRequester } from './approvers.ts';
import { type OpenRequest, reasonToEnd } from './requesters.ts';

/** What a member says. `order_hash`: of what they saw. */
export type Decision = {
  by: { actor: Actor };
  decision: Approval['decision'];
  order_hash: string;
  comment: string | null;
};

/** What is decided about. `order_hash`: of what would be done now. */
type Decided = Pick<OpenRequest, 'requested_by' | 'created_at'> & {
  order_hash: string;
  approvals: Approval[];
};

/**
 * What a kind of request hands in, with its row locked. `was_changed`: what would be done is another thing than was requested.
 * `kind` and `end`: in the words of messages. `notAwaiting` makes the error that shows the request as it is.
 */
export type Subject = Decided &
  OpenRequest & {
    was_changed: boolean;
    kind: 'withdrawal' | 'payout' | 'change';
    end: string;
    notAwaiting: (message: string) => AppError | Promise<AppError>;
  };

/**
 * Decides about a request that awaits approvals. Call it with its row and the team locked, and record what it returns: the decision, and
 * how many approvals count with it.
 * @throws AppError `not_awaiting_approval` when its time is over or its requester is gone; `order_changed` when it is no more what was
 * requested; those of `checkDecision`
 */
export async function decide(
  trx: Trx,
  subject: Subject,
  decision: Decision,
  deciders: Deciders & { now: Date },
): Promise<{ approval: Approval; counting: number }> {
  const { kind, end, notAwaiting } = subject;
  const reason = await reasonToEnd(trx, subject, deciders.now);
  if (reason !== null) throw await notAwaiting(`${ENDED[reason]}: ${end}.`);
  // The row may be changed by SQL: the member must decide about what would be done.
  if (subject.was_changed)
    throw new AppError(
      'order_changed',
      `The ${kind} is another one than was requested. Tell the operator of the service.`,
    );
  return checkDecision(subject, decision, deciders);
}

const ENDED = {
  approval_expired: 'The time to decide is over',
  requester_removed: 'Its requester was removed or disabled',
};

/**
 * Checks a decision. Returns it as it is recorded, and how many approvals count with it. The requester takes the request back by a
 * rejection.
 * @throws AppError `may_not_approve` for a program, for an approval of the requester, and for a decision of a member who may not
 * approve, who knew a credential or password of the requester at the request or since, or who has the right only since the request;
 * `factor_required` for a member who must add a second factor first; `already_decided`; `order_changed` when the member saw something
 * else
 */
function checkDecision(
  decided: Decided,
  { by, decision, order_hash, comment }: Decision,
  { now, ...deciders }: Deciders & { now: Date },
): { approval: Approval; counting: number } {
  const user_id = requireUser(by.actor);
  if (user_id !== decided.requested_by) requireEligible(user_id, decided, deciders);
  else if (decision === 'approved')
    throw new AppError('may_not_approve', 'You asked for this yourself: another member decides.');
  if (decided.approvals.some((each) => each.user_id === user_id))
    throw new AppError('already_decided', 'You have decided about this already.');
  if (order_hash !== decided.order_hash)
    throw new AppError('order_changed', 'This is not what you saw. Read it again, then decide.');
  const approval = { user_id, decision, comment, order_hash, at: now.toISOString() };
  return { approval, counting: countApprovals(deciders, decided, [...decided.approvals, approval]) };
}

/** Returns how many of the approvals count: those of exactly this request by members who may still decide about it. */
export function countApprovals(
  deciders: Deciders,
  decided: Omit<Decided, 'approvals'>,
  approvals: Approval[],
): number {
  const counted = countingFor(deciders, decided);
  return approvals.filter(
    ({ decision, order_hash, user_id }) =>
      decision === 'approved' && order_hash === decided.order_hash && counted.has(user_id),
  ).length;
}

/** What a member is offered. `factor_required`: they may decide once they have added a second factor. */
export type Offer = { may_decide: boolean; factor_required: boolean };

/** Returns what this member is offered for a request that awaits approvals. */
export function offerOf(
  { approvers, needs_factor }: Deciders,
  user_id: string,
  { approvals, ...asked }: Omit<Decided, 'order_hash'>,
): Offer {
  const own = approvers.filter((approver) => approver.user_id === user_id);
  const is_awaited =
    eligibleFor(own, asked).has(user_id) && !approvals.some((each) => each.user_id === user_id);
  const factor_required = is_awaited && needs_factor && own.some(({ has_factor }) => !has_factor);
  return { may_decide: is_awaited && !factor_required, factor_required };
}

/** Returns who ended the request that got this rejection, in words. */
export function rejectionInWords(
  kind: Subject['kind'],
  { user_id }: Approval,
  requested_by: string | null,
): string {
  return user_id === requested_by ? `The requester took the ${kind} back` : `A member rejected the ${kind}`;
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

/** Returns the id of the user who decides. @throws AppError `may_not_approve` for a program: programs ask, people decide */
function requireUser(actor: Actor): string {
  if (actor.kind === 'user' && actor.id !== null) return actor.id;
  throw new AppError('may_not_approve', 'Only a person who has signed in decides about this.');
}
