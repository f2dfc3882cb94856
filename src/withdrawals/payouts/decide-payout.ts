/**
 * A member approves or rejects a payout that awaits approvals: the whole file by one decision, which names its hash. The rules are
 * those of withdrawals (approvals/decide-withdrawal.ts), in the same order of locks: team, payout, policy.
 */
import { strict as assert } from 'node:assert';
import { lockApprovers } from '../../approvals/approvers.ts';
import { type Decision, decide, rejectionInWords } from '../../approvals/decision.ts';
import { endInVain, type PageInVain } from '../../approvals/end-in-vain.ts';
import { reasonToEnd } from '../../approvals/requesters.ts';
import { auditedOnWallet, THE_SERVICE } from '../../audit/audit.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { leastCloseTime } from '../../ledgers/least-close-time.ts';
import { AppError } from '../../lib/errors.ts';
import { requireRow } from '../../wallets/access.ts';
import { checkPayoutPolicy } from '../policies/policy-check.ts';
import { ending, hashOf, type OnPayout, showChanged, showRefused, totalsOfPayout } from './change-payout.ts';
import { foundHash } from './payout-row-store.ts';
import type { ShownPayout } from './payout-schema.ts';
import { lockPayout, type Payout, payoutsInVain, recordChange } from './payout-store.ts';

type Deciding = Decision & { by: OnPayout };

/**
 * Approves the payout; with the last approval it runs.
 * @throws AppError `not_found`; `not_awaiting_approval` with the payout as `data`; those of `decide`; 422 `policy_frozen`
 */
export async function approvePayout(deps: Deps, id: string, decision: Deciding): Promise<ShownPayout> {
  return auditedOnWallet(deps, decision.by, async (trx, note) => {
    const { payout, approval, counting, now } = await checkAll(deps, trx, id, decision);
    const totals = await totalsOfPayout(trx, id);
    const verdict = await checkPayoutPolicy(trx, payout, totals, now);
    if (verdict.frozen) throw new AppError(verdict.frozen.code, verdict.frozen.message, verdict.frozen);
    const approvals_required = Math.max(payout.approvals_required, verdict.approvals_required);
    const starts = counting >= approvals_required;
    await recordChange(trx, id, ['awaiting_approval'], {
      approvals: [...payout.approvals, approval],
      approvals_required,
      ...(starts && { status: 'running', approved_at: now, started_at: now }),
    });
    const after = { ...auditOf(payout, decision), approvals_required, counting, sent: starts };
    note({ action: 'payout.approved', target: { kind: 'payout', id }, after });
    return showChanged(trx, payout);
  });
}

/**
 * Rejects the payout, or takes it back: it is cancelled, and nothing of it was paid. One rejection is enough.
 * @throws AppError as `approvePayout`; 503 `ledger_not_caught_up`
 */
export async function rejectPayout(deps: Deps, id: string, decision: Deciding): Promise<ShownPayout> {
  const least_close_time = await leastCloseTime(deps);
  return auditedOnWallet(deps, decision.by, async (trx, note) => {
    const { payout, approval, now } = await checkAll(deps, trx, id, decision);
    const ended = await ending(trx, payout, {
      now,
      least_close_time,
      reason_code: 'rejected',
      reason: `${rejectionInWords('payout', approval, payout.requested_by)}. Nothing of it was paid.`,
    });
    await recordChange(trx, id, ['awaiting_approval'], {
      ...ended,
      approvals: [...payout.approvals, approval],
    });
    note({ action: 'payout.rejected', target: { kind: 'payout', id }, after: auditOf(payout, decision) });
    return showChanged(trx, payout);
  });
}

async function checkAll(deps: Deps, trx: Trx, id: string, decision: Deciding) {
  const { wallet } = decision.by;
  const deciders = await lockApprovers(trx, wallet.id);
  const payout = await requireRow('payout', id, (known) => lockPayout(trx, wallet.id, known));
  const now = deps.clock.now(); // with the locks held
  const { order_hash, approval_expires_at: expires_at, requested_at } = payout;
  if (payout.status !== 'awaiting_approval' || !order_hash || !expires_at || !requested_at)
    throw await notAwaiting(trx, { payout, now }, 'The payout does not await approvals; see data.');
  const subject = {
    ...payout,
    team_id: payout.owner_id,
    created_at: requested_at,
    expires_at,
    order_hash,
    was_changed:
      hashOf(deps, wallet, payout) !== order_hash || (await foundHash(trx, id)) !== payout.rows_hash,
    kind: 'payout' as const,
    end: 'the payout ends without being paid',
    notAwaiting: (message: string) => notAwaiting(trx, { payout, now }, message),
  };
  return { payout, now, ...(await decide(trx, subject, decision, { ...deciders, now })) };
}

async function notAwaiting(
  trx: Trx,
  { payout, now }: { payout: Payout; now: Date },
  message: string,
): Promise<AppError> {
  const data = await showRefused(trx, payout, now);
  return new AppError('not_awaiting_approval', message, { data });
}

function auditOf({ name, row_count, rows_hash, order_hash }: Payout, { comment }: Decision) {
  return { name, rows: row_count, rows_hash, order_hash, comment };
}

const MESSAGES = {
  approval_expired: 'Not enough members approved the payout in time. Nothing of it was paid.',
  requester_removed:
    'The member or service user that started the payout was removed or disabled. Nothing of it was paid.',
};

/**
 * Ends the payouts that were not approved in time, or whose requester was removed or disabled.
 * `readLeastCloseTime`: as `leastCloseTime`.
 * @throws NetworkUnavailable when there are any and no ledger can be read
 */
export function endPayouts(deps: Deps, readLeastCloseTime: () => Promise<bigint>): Promise<void> {
  const list = (page: PageInVain) => payoutsInVain(deps.db, deps.clock.now(), page);
  return endInVain(list, async (payout) => {
    const least_close_time = await readLeastCloseTime();
    try {
      await endPayout(deps, payout, least_close_time);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      deps.log.warn(
        { err: error, payout_id: payout.id },
        'a payout that was not approved cannot be ended yet',
      );
    }
  });
}

async function endPayout(
  deps: Deps,
  { id, wallet_id, owner_id }: Payout,
  least_close_time: bigint,
): Promise<void> {
  const by = { actor: THE_SERVICE, wallet: { id: wallet_id, owner_id } };
  await auditedOnWallet(deps, by, async (trx, note) => {
    const payout = await lockPayout(trx, wallet_id, id);
    if (payout?.status !== 'awaiting_approval') return;
    const now = deps.clock.now();
    const { requested_at, approval_expires_at: expires_at } = payout;
    assert(requested_at && expires_at, 'what awaits approvals was requested, and has an end');
    const request = { ...payout, team_id: owner_id, created_at: requested_at, expires_at };
    const reason_code = await reasonToEnd(trx, request, now);
    if (reason_code === null) return;
    const end = { now, least_close_time, reason_code, reason: MESSAGES[reason_code] };
    await recordChange(trx, id, ['awaiting_approval'], await ending(trx, payout, end));
    const after = { name: payout.name, order_hash: payout.order_hash, reason: reason_code };
    note({ action: 'payout.approval_expired', target: { kind: 'payout', id }, after });
  });
}
