/**
 * A member approves or rejects a withdrawal that awaits approvals.
 *
 * | step (in one transaction)               | guarantee                                                               |
 * |-----------------------------------------|-------------------------------------------------------------------------|
 * | lock the team                           | no rights change until the end: a member who lost them does not count   |
 * | lock the withdrawal                     | of two approvals at once, the second sees the first                     |
 * | check the decision (approvals/decision) | never the requester, never twice, never what the member did not see     |
 * | lock the policy and check the           | a freeze, a lower limit or a shorter allow list stops it; a policy that |
 * | withdrawal again                        | asks for more approvals by now gets more, one that asks for fewer not   |
 * | record it (recordApproval,              | the last approval and the status `queued` are one statement. A crash    |
 * | recordRefusal)                          | before the commit changes nothing; after it, the engine goes on         |
 *
 * A withdrawal counts in the limit of 24 hours while it waits, and from its approval on for 24 hours (policies/spending.ts).
 */
import { strict as assert } from 'node:assert';
import { lockApprovers } from '../../approvals/approvers.ts';
import { type Decision, decide, rejectionInWords } from '../../approvals/decision.ts';
import { auditedOnWallet } from '../../audit/audit.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { leastCloseTime } from '../../ledgers/least-close-time.ts';
import { AppError } from '../../lib/errors.ts';
import { requireRow, type Wallet } from '../../wallets/access.ts';
import { showWithdrawal } from '../answers/schema.ts';
import { recordApproval, recordRefusal } from '../engine/awaiting-store.ts';
import { orderHash } from '../engine/order-hash.ts';
import { notifyOutcomes, type Withdrawal } from '../engine/store.ts';
import { tellOutcomes } from '../events/withdrawal-events.ts';
import { checkPolicies } from '../policies/policy-check.ts';
import { findAgain, lockWithdrawal } from './approval-store.ts';

type OnOwnWallet = Decision & { by: { wallet: Wallet } };

/**
 * Approves the withdrawal and gives it as it is then: `queued` when no more approvals are needed.
 * @throws AppError `not_found`; `not_awaiting_approval` with the withdrawal as `data`; those of `decide`; 422 when the
 * policy does not allow the withdrawal now
 */
export async function approveWithdrawal(deps: Deps, id: string, decision: OnOwnWallet): Promise<Withdrawal> {
  return auditedOnWallet(deps, decision.by, async (trx, note) => {
    const { row, approval, counting, now } = await checkAll(deps, trx, id, decision);
    const [verdict] = await checkPolicies(trx, [row], now);
    const { violation = null, approvals_required: asked = 0 } = verdict ?? {};
    if (violation) throw new AppError(violation.code, violation.message, violation);
    const approvals_required = Math.max(row.approvals_required, asked);
    const sends = counting >= approvals_required;
    const recorded = await recordApproval(trx, row.id, { approval, approvals_required, sends }, now);
    assert(recorded, 'the withdrawal is locked above');
    const after = { ...auditOf(row, decision), approvals_required, counting, sent: sends };
    note({ action: 'withdrawal.approved', target: { kind: 'withdrawal', id: row.id }, after });
    return findAgain(trx, row.id);
  });
}

/**
 * Rejects the withdrawal, or takes it back: it is `failed`, and was never signed. One rejection is enough.
 * @throws AppError as `approveWithdrawal`, without those of the policy; 503 `ledger_not_caught_up` while a ledger may have it
 */
export async function rejectWithdrawal(deps: Deps, id: string, decision: OnOwnWallet): Promise<Withdrawal> {
  const least_close_time = await leastCloseTime(deps);
  const rejected = await auditedOnWallet(deps, decision.by, async (trx, note) => {
    const { row, approval, now } = await checkAll(deps, trx, id, decision);
    const message = `${rejectionInWords('withdrawal', approval, row.requested_by)}. Nothing was signed.`;
    const refusal = { code: 'rejected' as const, message, rejection: approval };
    if (!(await recordRefusal(trx, row.id, refusal, { now, least_close_time }))) throw mayBePaid();
    await notifyOutcomes(trx);
    await tellOutcomes(trx, deps, [row], { now });
    const target = { kind: 'withdrawal', id: row.id };
    note({ action: 'withdrawal.rejected', target, after: auditOf(row, decision) });
    return findAgain(trx, row.id);
  });
  deps.metrics.withdrawal_failures.inc({ reason: 'rejected' });
  return rejected;
}

async function checkAll(deps: Deps, trx: Trx, id: string, decision: OnOwnWallet) {
  const { wallet } = decision.by;
  const deciders = await lockApprovers(trx, wallet.id);
  const row = await requireRow('withdrawal', id, (known) => lockWithdrawal(trx, wallet.id, known));
  const now = deps.clock.now(); // with the locks held
  const { order_hash, approval_expires_at: expires_at } = row;
  if (row.status !== 'awaiting_approval' || order_hash === null || expires_at === null)
    throw notAwaiting(row, 'The withdrawal does not await approvals; see data.');
  const subject = {
    ...row,
    team_id: row.owner_id,
    expires_at,
    order_hash,
    was_changed: orderHash(deps.config.passphrase, { ...row, wallet_account: wallet.account }) !== order_hash,
    kind: 'withdrawal' as const,
    end: 'the withdrawal ends without being sent',
    notAwaiting: (message: string) => notAwaiting(row, message),
  };
  return { row, now, ...(await decide(trx, subject, decision, { ...deciders, now })) };
}

function notAwaiting(row: Withdrawal, message: string): AppError {
  return new AppError('not_awaiting_approval', message, { data: showWithdrawal(row) });
}

function mayBePaid(): AppError {
  return new AppError(
    'ledger_not_caught_up',
    'The ledgers are not processed yet, or the wallet has an unmatched transaction. The withdrawal may be paid already, so ' +
      'it was not rejected. It cannot be signed before that is known.',
    { retry_after_seconds: 5 },
  );
}

function auditOf(row: Withdrawal, { comment }: Decision) {
  const { asset_code, asset_issuer, amount_stroops, destination, memo_id, order_hash } = row;
  return { asset_code, asset_issuer, amount_stroops, destination, memo_id, order_hash, comment };
}
