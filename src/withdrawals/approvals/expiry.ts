/**
 * Ends what was not approved in time, and what a member or service user has asked for that was removed or disabled since. Each
 * withdrawal is ended in a transaction of its own, so that one whose ledgers are unknown keeps no other back. Two processes that do
 * this at once end each withdrawal once: the second finds no row that awaits approvals.
 */
import { strict as assert } from 'node:assert';
import { endAccessChanges } from '../../access/changes/access-changes.ts';
import { endInVain, type PageInVain } from '../../approvals/end-in-vain.ts';
import { reasonToEnd } from '../../approvals/requesters.ts';
import { audited, THE_SERVICE } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { leastCloseTime } from '../../ledgers/least-close-time.ts';
import { type Loop, startLoop } from '../../lib/loop.ts';
import { recordRefusal } from '../engine/awaiting-store.ts';
import { notifyOutcomes, type Withdrawal } from '../engine/store.ts';
import { tellOutcomes } from '../events/withdrawal-events.ts';
import { endPayouts } from '../payouts/decide-payout.ts';
import { endRequests } from '../policies/ended-requests.ts';
import { withdrawalsInVain } from './approval-store.ts';

const LOOK_MS = 5_000;
const MESSAGES = {
  approval_expired: 'Not enough members approved the withdrawal in time. Nothing was signed.',
  requester_removed:
    'The member or service user that asked for the withdrawal was removed or disabled. Nothing was signed.',
};

/** Starts the loop of a process with the role settler. */
export function startExpiry(deps: Deps): Loop {
  const step = async () => {
    await endExpired(deps);
    return false;
  };
  return startLoop({ ...deps, name: 'approvals', step, idle_ms: LOOK_MS });
}

/** @throws NetworkUnavailable when a payment is over and no ledger can be read */
export async function endExpired(deps: Deps): Promise<void> {
  await endRequests(deps);
  await endAccessChanges(deps);
  let read: Promise<bigint> | undefined;
  const leastOnce = () => (read ??= leastCloseTime(deps)); // of all that ends now
  await endPayouts(deps, leastOnce);
  const list = (page: PageInVain) => withdrawalsInVain(deps.db, deps.clock.now(), page);
  await endInVain(list, async (row) => endOne(deps, row, await leastOnce()));
}

/** Leaves it when members have just decided, or when a ledger may have the payment: a later look finds out. */
async function endOne(deps: Deps, row: Withdrawal, least_close_time: bigint): Promise<void> {
  const { id, wallet_id, owner_id: team_id, order_hash, approval_expires_at: expires_at } = row;
  assert(expires_at, 'what awaits approvals has an end');
  const ended = await audited(deps, THE_SERVICE, async (trx, note) => {
    const now = deps.clock.now();
    const reason = await reasonToEnd(trx, { ...row, team_id, expires_at }, now);
    if (reason === null) return null;
    const refusal = { code: reason, message: MESSAGES[reason], rejection: null };
    if (!(await recordRefusal(trx, id, refusal, { now, least_close_time }))) return null;
    const target = { kind: 'withdrawal', id };
    await notifyOutcomes(trx);
    await tellOutcomes(trx, deps, [row], { now });
    const after = { order_hash, reason };
    note({ team_id, wallet_id, action: 'withdrawal.approval_expired', target, after });
    return reason;
  });
  if (ended) deps.metrics.withdrawal_failures.inc({ reason: ended });
}
