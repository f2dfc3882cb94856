/**
 * A member approves or rejects a change of a policy that awaits approvals. The team is locked first, then the policy, as by
 * every change of a policy. A change that has its approvals and whose delay is over is in force when this returns.
 */
import { strict as assert } from 'node:assert';
import { lockApprovers } from '../../approvals/approvers.ts';
import { type Decision, decide } from '../../approvals/decision.ts';
import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { approvalsOfChange } from './approval-rules.ts';
import { changeHash } from './change-hash.ts';
import { isRequested, type RequestedChange } from './change-store.ts';
import { asOf, awaitsApproval, type PolicyState } from './policies.ts';
import { updatePolicy } from './policy-store.ts';

type DecideDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>;
type OfWallet = Decision & { by: OnWallet };

/**
 * Approves the change and gives it with the approval. A policy that asks for more approvals by now gets more.
 * @throws AppError `not_found`, `not_awaiting_approval`, and those of `decide`
 */
export function approveChange(deps: DecideDeps, id: string, decision: OfWallet): Promise<RequestedChange> {
  return decideChange(deps, id, decision, ({ policy, pending }, decided, { counting, now }) => {
    const { request } = decided;
    const approvals_required = Math.max(
      request.approvals_required,
      approvalsOfChange(policy.approvals, decided.field),
    );
    const approved_at = counting >= approvals_required ? now : null;
    const approved = { ...decided, request: { ...request, approvals_required, approved_at } };
    const others = pending.filter((change) => change.id !== decided.id);
    return { decided: approved, state: { policy, pending: [...others, approved] } };
  });
}

/** Rejects the change, which is gone, and gives it with the rejection. @throws AppError as `approveChange` */
export function rejectChange(deps: DecideDeps, id: string, decision: OfWallet): Promise<RequestedChange> {
  return decideChange(deps, id, decision, ({ policy, pending }, decided) => {
    return { decided, state: { policy, pending: pending.filter((change) => change.id !== decided.id) } };
  });
}

/** `decided` has the new decision among its decisions. */
type Apply = (
  state: PolicyState,
  decided: RequestedChange,
  found: { counting: number; now: Date },
) => { decided: RequestedChange; state: PolicyState };

async function decideChange(
  deps: DecideDeps,
  id: string,
  decision: OfWallet,
  apply: Apply,
): Promise<RequestedChange> {
  const { wallet } = decision.by;
  return auditedOnWallet(deps, decision.by, async (trx, note) => {
    const deciders = await lockApprovers(trx, wallet.id);
    let decided: RequestedChange | undefined;
    await updatePolicy(trx, wallet.id, async (before) => {
      const now = deps.clock.now(); // with the locks held
      const state = asOf(before, now);
      const change = requireAwaiting(state, id);
      const { request } = change;
      const order_hash = changeHash(wallet.id, change);
      assert(order_hash);
      const { decisions } = request;
      const subject = {
        ...change,
        team_id: wallet.owner_id,
        expires_at: request.expires_at,
        approvals: decisions,
        order_hash,
        was_changed: false, // its hash is in no column
        kind: 'change' as const,
        end: 'the change goes away',
        notAwaiting,
      };
      const { approval, counting } = await decide(trx, subject, decision, { ...deciders, now });
      const applied = apply(
        state,
        { ...change, request: { ...request, decisions: [...decisions, approval] } },
        { counting, now },
      );
      decided = applied.decided;
      return { ...asOf(applied.state, now), now, decided };
    });
    assert(decided);
    const action =
      decision.decision === 'approved' ? 'policy.change_approved' : ('policy.change_rejected' as const);
    const { created_at: _, ...after } = decided;
    note({ action, target: { kind: 'policy', id: wallet.id }, after });
    return decided;
  });
}

function requireAwaiting({ pending }: PolicyState, id: string): RequestedChange {
  const change = pending.find((each) => each.id === id);
  if (!change) throw new AppError('not_found', 'There is no such pending change.');
  if (isRequested(change) && awaitsApproval(change)) return change;
  throw notAwaiting('The change does not await approvals.');
}

function notAwaiting(message: string): AppError {
  return new AppError('not_awaiting_approval', message);
}
