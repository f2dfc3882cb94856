/**
 * Starts, pauses, resumes and cancels payouts.
 *
 * | status    | what is true                                  | next                                     | a crash here leads to |
 * |-----------|-----------------------------------------------|------------------------------------------|-----------------------|
 * | draft     | the file is checked and kept; nothing begins  | start: running, or awaiting_approval     | nothing               |
 * | awaiting_ | members must approve exactly this file;       | enough approvals: running. A rejection,  | nothing               |
 * | approval  | nothing begins                                | or its end: cancelled (decide-payout.ts) |                       |
 * | running   | the loop claims rows, a few at a time         | pause, cancel; a refusal by the policy   | another process       |
 * |           | (claim-rows.ts)                               | or a wallet without funds: paused. No    | claims the next rows  |
 * |           |                                               | row waits or is pending: completed       |                       |
 * | paused    | no further row begins; those that have begun  | resume: running; cancel                  | nothing               |
 * |           | go on to their outcomes                       |                                          |                       |
 * | completed | every row has its outcome                     | retry-failed makes another payout        |                       |
 * | cancelled | rows that had not begun never will; those     | the same                                 |                       |
 * |           | that had go on to their outcomes              |                                          |                       |
 *
 * Each change is one transaction that locks the payout. A claim locks it too, so after a pause or a cancel nothing begins.
 */
import { expiryOf } from '../../approvals/approval.ts';
import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Db, Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { leastCloseTime } from '../../ledgers/least-close-time.ts';
import { AppError } from '../../lib/errors.ts';
import { requireRow, type Wallet } from '../../wallets/access.ts';
import { checkPayoutPolicy, type PayoutTotal } from '../policies/policy-check.ts';
import { payoutHash } from './payout-hash.ts';
import { cancelWaiting, countRows, pastOf } from './payout-row-store.ts';
import { type ShownPayout, showPayout } from './payout-schema.ts';
import {
  countAwaitingPayouts,
  lockPayout,
  type Payout,
  type PayoutStatus,
  recordChange,
} from './payout-store.ts';

export type OnPayout = OnWallet & { wallet: Wallet };

/** More than members decide about. */
const MOST_AWAITING = 100;

/**
 * Starts a payout: it begins, or awaits approvals where the policy of the wallet asks for them.
 * @throws AppError `not_found`; `wrong_payout_status`; 422 `policy_frozen`; 429 `too_many_waiting`
 */
export async function startPayout(deps: Deps, id: string, by: OnPayout): Promise<ShownPayout> {
  return changing(deps, id, by, ['draft'], async (trx, payout, now) => {
    const totals = await totalsOfPayout(trx, id);
    const { frozen, ...needed } = await checkPayoutPolicy(trx, payout, totals, now);
    if (frozen) throw new AppError(frozen.code, frozen.message, frozen);
    const asked = { requested_by: by.actor.id, requested_at: now, ...needed };
    if (needed.approvals_required === 0)
      return { action: 'payout.started', change: { ...asked, status: 'running', started_at: now }, totals };
    if ((await countAwaitingPayouts(trx, payout.wallet_id)) >= MOST_AWAITING)
      throw new AppError(
        'too_many_waiting',
        `${MOST_AWAITING} payouts of this wallet await approvals. Decide about those first.`,
      );
    const approval_expires_at = expiryOf(now);
    const order_hash = hashOf(deps, by.wallet, { ...payout, ...asked, approval_expires_at });
    return {
      action: 'payout.requested',
      change: { ...asked, status: 'awaiting_approval', order_hash, approval_expires_at },
      totals,
    };
  });
}

/** Computes the hash of what the members of the wallet approve. */
export function hashOf({ config }: Pick<Deps, 'config'>, wallet: Wallet, payout: Payout): string {
  const paid_by = {
    passphrase: config.passphrase,
    wallet_id: wallet.id,
    wallet_account: wallet.account,
  };
  return payoutHash(paid_by, payout);
}

/** Returns the totals of all rows together, by asset. */
export async function totalsOfPayout(db: Db, id: string): Promise<PayoutTotal[]> {
  const sums = new Map<string, PayoutTotal>();
  for (const { asset_code, asset_issuer, amount_stroops } of await countRows(db, [id])) {
    const name = `${asset_code} ${asset_issuer}`;
    const before = sums.get(name)?.amount_stroops ?? 0n;
    sums.set(name, { asset_code, asset_issuer, amount_stroops: before + amount_stroops });
  }
  return [...sums.values()];
}

/** Pauses a payout: no further row begins. @throws AppError `not_found`, `wrong_payout_status` */
export async function pausePayout(deps: Deps, id: string, by: OnPayout): Promise<ShownPayout> {
  return changing(deps, id, by, ['running'], async () => ({
    action: 'payout.paused',
    change: { status: 'paused', reason_code: 'paused', reason: 'A member paused the payout.' },
  }));
}

/** Resumes a payout: rows begin again. @throws AppError `not_found`, `wrong_payout_status`; 422 `policy_frozen` */
export async function resumePayout(deps: Deps, id: string, by: OnPayout): Promise<ShownPayout> {
  return changing(deps, id, by, ['paused'], async (trx, payout, now) => {
    const { frozen } = await checkPayoutPolicy(trx, payout, [], now);
    if (frozen) throw new AppError(frozen.code, frozen.message, frozen);
    return { action: 'payout.resumed', change: { status: 'running', reason_code: null, reason: null } };
  });
}

const CANCELLED_FROM = ['draft', 'awaiting_approval', 'running', 'paused'] as const;

/**
 * Cancels a payout: rows that have not begun never will.
 * @throws AppError `not_found`, `wrong_payout_status`; 503 `ledger_not_caught_up` while a ledger may have one of these rows;
 * NetworkUnavailable
 */
export async function cancelPayout(deps: Deps, id: string, by: OnPayout): Promise<ShownPayout> {
  const least_close_time = await leastCloseTime(deps);
  return changing(deps, id, by, CANCELLED_FROM, async (trx, payout, now) => ({
    action: 'payout.cancelled',
    change: await ending(trx, payout, {
      now,
      least_close_time,
      reason_code: 'cancelled',
      reason: 'A member cancelled the payout.',
    }),
  }));
}

export type Ending = { now: Date; least_close_time: bigint; reason_code: string; reason: string };

/** Cancels the rows that wait, and gives what becomes of the payout, which is locked. @throws AppError `ledger_not_caught_up` */
export async function ending(
  trx: Trx,
  payout: Payout,
  { now, least_close_time, reason_code, reason }: Ending,
): Promise<{ status: 'cancelled'; settled_at: Date; reason_code: string; reason: string }> {
  // This database may be an older copy, which shows a row that was paid as one that waits.
  if ((await pastOf(trx, payout, least_close_time)) !== 'unpaid')
    throw new AppError(
      'ledger_not_caught_up',
      'The ledgers are not processed yet, or the wallet has an unmatched transaction: rows may be paid already, so the payout was ' +
        'not ended. Pause it, and try again later.',
      { retry_after_seconds: 5 },
    );
  await cancelWaiting(trx, payout.id);
  return { status: 'cancelled', settled_at: now, reason_code, reason };
}

type Changed = {
  action: 'payout.started' | 'payout.requested' | 'payout.paused' | 'payout.resumed' | 'payout.cancelled';
  change: Parameters<typeof recordChange>[3];
  /** What is asked for, where the change asks for a payment. */
  totals?: PayoutTotal[];
};

async function changing(
  deps: Deps,
  id: string,
  by: OnPayout,
  from: readonly PayoutStatus[],
  change: (trx: Trx, payout: Payout, now: Date) => Promise<Changed>,
): Promise<ShownPayout> {
  const { wallet } = by;
  return auditedOnWallet(deps, by, async (trx, note) => {
    const payout = await requireRow('payout', id, (known) => lockPayout(trx, wallet.id, known));
    if (!from.includes(payout.status)) throw await wrongStatus(trx, payout, deps.clock.now());
    const { action, change: changed, totals } = await change(trx, payout, deps.clock.now()); // with the lock held
    await recordChange(trx, id, from, changed);
    note({
      action,
      target: { kind: 'payout', id },
      before: { status: payout.status },
      after: {
        status: changed.status,
        name: payout.name,
        rows: payout.row_count,
        rows_hash: payout.rows_hash,
        ...(totals && { totals }),
      },
    });
    return showChanged(trx, payout);
  });
}

/**
 * Shows the payout as responses have it. Call it in the transaction of the change: a read after the commit may fail, and the
 * response would say that nothing was done.
 */
export async function showChanged(
  trx: Trx,
  { id, wallet_id }: Pick<Payout, 'id' | 'wallet_id'>,
): Promise<ShownPayout> {
  return showPayout((await lockPayout(trx, wallet_id, id)) as Payout, await countRows(trx, [id]));
}

/** Returns the error 409 `wrong_payout_status` with the payout as `data`. */
async function wrongStatus(trx: Trx, payout: Payout, now: Date): Promise<AppError> {
  const data = await showRefused(trx, payout, now);
  const message = `The payout is ${payout.status}: that cannot be done now; see data.`;
  return new AppError('wrong_payout_status', message, { data });
}

/** Shows a locked payout in a refusal as its GET does: a draft with what its start would ask for. Locks the policy then. */
export async function showRefused(trx: Trx, payout: Payout, now: Date): Promise<ShownPayout> {
  const shown = showPayout(payout, await countRows(trx, [payout.id]));
  if (payout.status !== 'draft') return shown;
  const { frozen: _, ...needed } = await checkPayoutPolicy(trx, payout, shown.totals, now);
  return { ...shown, ...needed };
}
