/** What awaits approvals in a team, of all its wallets that a member may use, and approved changes of access. */
import { type AccessChangeView, listAccessChanges } from '../../access/changes/access-change-store.ts';
import { withDeciders } from '../../access/changes/access-changes.ts';
import { callerAsApprover, listApprovalNeeds, needsFactor } from '../../approvals/approvers.ts';
import { type Offer, offerOf } from '../../approvals/decision.ts';
import type { LoginCaller } from '../../auth/callers/authenticate.ts';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Deps } from '../../deps.ts';
import type { Withdrawal } from '../engine/store.ts';
import { type Counted, countRows } from '../payouts/payout-row-store.ts';
import { awaitingPayouts, type Payout } from '../payouts/payout-store.ts';
import { awaitingChanges, type RequestedChange } from '../policies/change-store.ts';
import { awaitingWithdrawals } from './approval-store.ts';

/**
 * `sort_key`: the end of the id, which sorts by time. `may_decide`: whether the caller may approve or reject it. `factor_required`:
 * whether the caller may once they have added a second factor. `wallet_id`: null for members and service users.
 */
export type Awaiting = Offer & { sort_key: string; wallet_id: string | null } & (
    | { kind: 'withdrawal'; withdrawal: Withdrawal }
    | { kind: 'payout'; payout: Payout; counted: Counted[] }
    | { kind: 'policy_change'; wallet_id: string; change: RequestedChange }
    | { kind: 'access_change'; access_change: AccessChangeView }
  );

/** Returns what awaits approvals, newest first. `page.before`: the sort key of the last item of the page before. */
export async function listAwaiting(
  { readInTurn, clock }: Pick<Deps, 'readInTurn' | 'clock'>,
  login: LoginCaller,
  page: PageRequest,
): Promise<Awaiting[]> {
  const { member, user } = login;
  const now = clock.now();
  // One after the other: a turn has one connection.
  const { approver, needs, withdrawals, payouts, counted, changes, access } = await readInTurn(
    member.team_id,
    async (db) => {
      const payouts = await awaitingPayouts(db, member, page);
      return {
        payouts,
        counted: await countRows(
          db,
          payouts.map(({ id }) => id),
        ),
        approver: await callerAsApprover(db, login),
        needs: await listApprovalNeeds(db, member.team_id),
        withdrawals: await awaitingWithdrawals(db, member, page),
        changes: await awaitingChanges(db, member, { ...page, now }),
        access: await withDeciders(db, await listAccessChanges(db, member, { ...page, now }), user.id),
      };
    },
  );
  const deciding = (wallet_id: string, asked: Parameters<typeof offerOf>[2]): Offer => {
    const needs_factor = needsFactor(needs.filter((need) => need.wallet_id === wallet_id));
    return offerOf({ approvers: approver ? [approver] : [], needs_factor }, user.id, asked);
  };
  const items: Awaiting[] = [
    ...withdrawals.map((withdrawal) => ({
      kind: 'withdrawal' as const,
      withdrawal,
      wallet_id: withdrawal.wallet_id,
      sort_key: sortKeyOf(withdrawal.id),
      ...deciding(withdrawal.wallet_id, withdrawal),
    })),
    ...payouts.map((payout) => ({
      kind: 'payout' as const,
      payout,
      counted,
      wallet_id: payout.wallet_id,
      sort_key: sortKeyOf(payout.id),
      ...deciding(payout.wallet_id, { ...payout, created_at: payout.requested_at ?? payout.created_at }),
    })),
    ...changes.map(({ wallet_id, ...change }) => ({
      kind: 'policy_change' as const,
      change,
      wallet_id,
      sort_key: sortKeyOf(change.id),
      ...deciding(wallet_id, { ...change, approvals: change.request.decisions }),
    })),
    ...access.map(({ access_change, ...deciders }) => ({
      kind: 'access_change' as const,
      access_change,
      ...deciders,
      wallet_id: access_change.wallet_id,
      sort_key: sortKeyOf(access_change.id),
    })),
  ];
  return items.sort((one, other) => (one.sort_key < other.sort_key ? 1 : -1)).slice(0, page.limit);
}

function sortKeyOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
