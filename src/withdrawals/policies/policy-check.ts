/**
 * Checks withdrawals against the policies of their wallets.
 *
 * The check is in the transaction that claims the key, with the wallet's policy locked. Every withdrawal that is not
 * failed counts, queued and signed ones in full. So concurrent withdrawals, on any number of processes, are checked one
 * after the other. A withdrawal is checked once, and after that it continues, even if the policy changes. One that awaits
 * approvals is checked again at each of them.
 *
 * A decision uses one clock, that of its process (`now`); the rows have the times of the processes that made them. Clocks
 * that differ by a second shift a delay, or the limit of 24 hours, by a second.
 */
import { strict as assert } from 'node:assert';
import type { Db, Trx } from '../../db/database.ts';
import { inTurns, mapInParts } from '../../lib/in-parts.ts';
import { type AssetFields, assetText, NATIVE } from '../../stellar/asset.ts';
import type { NewWithdrawal } from '../engine/store.ts';
import type { AllowedPayment } from './allowed-destinations.ts';
import {
  type ApprovalCause,
  causeOfApprovals,
  computeApprovals,
  countsUnapproved,
  type NeededApprovals,
} from './approval-rules.ts';
import { limitOf } from './asset-limits.ts';
import { asOf, type Policy } from './policies.ts';
import {
  brokenRules,
  explain,
  type PolicyQuestion,
  type PolicyViolation,
  type Spending,
  windowStart,
} from './policy-rules.ts';
import { findPolicy, lockPolicies, type StoredPolicy } from './policy-store.ts';
import { listSpent, type Spent, sumSpent, sumUnapproved } from './spending.ts';

/** `approvals_required`: how many approvals the order has been given, or awaits. */
export type PolicyOrder = AssetFields & {
  id: string;
  wallet_id: string;
  operation: NewWithdrawal['operation'];
  destination: string;
  memo_id: bigint | null;
  amount_stroops: bigint;
  created_at: Date;
  approvals_required?: number;
};

function questionOf({
  operation,
  ...order
}: Omit<PolicyOrder, 'id' | 'created_at' | 'wallet_id'>): PolicyQuestion {
  return {
    ...order,
    changes_trust_line: operation === 'add_trust_line' || operation === 'remove_trust_line',
  };
}

/** `violation`: the rule that the order breaks. */
export type PolicyVerdict = NeededApprovals & { violation: PolicyViolation | null };

/**
 * Checks what the policies say of each order. The orders are checked in turn: one that breaks no rule counts for the orders
 * after it. Locks the policies until the transaction ends. Rows of the orders themselves do not count.
 */
export async function checkPolicies(
  trx: Trx,
  orders: PolicyOrder[],
  now: Date,
  wallets_to_lock: readonly string[] = [],
): Promise<PolicyVerdict[]> {
  if (orders.length === 0) return [];
  const by_wallet = Map.groupBy(orders, ({ wallet_id }) => wallet_id);
  const except = orders.map(({ id }) => id);
  const since = windowStart(now);
  const states = await lockPolicies(trx, [...new Set([...by_wallet.keys(), ...wallets_to_lock])]);
  const verdicts = new Map<PolicyOrder, PolicyVerdict>();
  for (const [wallet_id, own] of by_wallet) {
    const state = states.get(wallet_id);
    assert(state);
    const { policy } = asOf(state, now);
    const { operator_freeze } = state;
    // The sums of 24 hours are by asset, so each asset's orders are checked by themselves.
    for (const same of Map.groupBy(own, assetText).values()) {
      const [asset] = same;
      assert(asset);
      const spent = { wallet_id, asset, since, except };
      const used_stroops = hasDailyLimit(policy, asset) ? await sumSpent(trx, spent) : 0n;
      const past = () => listSpent(trx, spent);
      const checked = await checkInTurn({ policy, operator_freeze }, same, { used_stroops, past });
      let unapproved_stroops = await unapprovedOf(trx, policy, spent);
      for (const order of same) {
        const violation = checked.get(order) ?? null;
        const needed = computeApprovals(policy.approvals, questionOf(order), unapproved_stroops);
        verdicts.set(order, { violation, ...needed });
        const isFree =
          violation === null && Math.max(needed.approvals_required, order.approvals_required ?? 0) === 0;
        if (isFree) unapproved_stroops += order.amount_stroops;
      }
    }
  }
  return orders.map((order) => verdicts.get(order) as PolicyVerdict);
}

/** Reads nothing where no amount of the policy depends on it. */
async function unapprovedOf(
  db: Db,
  { approvals }: Policy,
  spent: Parameters<typeof sumUnapproved>[1],
): Promise<bigint> {
  return countsUnapproved(approvals, spent.asset) ? sumUnapproved(db, spent) : 0n;
}

function hasDailyLimit({ limits }: Policy, asset: AssetFields): boolean {
  return (limitOf(limits, asset)?.max_rolling_24h_stroops ?? null) !== null;
}

/**
 * Orders of one asset. `past` lists the payments in `used_stroops`, oldest first. It is called only when the limit is
 * reached.
 */
async function checkInTurn(
  { policy, operator_freeze }: Pick<StoredPolicy, 'policy' | 'operator_freeze'>,
  orders: PolicyOrder[],
  { used_stroops, past }: { used_stroops: bigint; past: () => Promise<Spending[]> },
): Promise<Map<PolicyOrder, PolicyViolation>> {
  const violations = new Map<PolicyOrder, PolicyViolation>();
  const accepted: Spending[] = [];
  let used = used_stroops;
  let listed: Spending[] | null = null;
  for (const order of orders) {
    const [broken] = brokenRules(policy, questionOf(order), used, operator_freeze);
    if (!broken) {
      accepted.push(order);
      used += order.amount_stroops;
      continue;
    }
    if (broken.code === 'policy_daily_limit') listed ??= await past();
    violations.set(order, explain(broken, order, [...(listed ?? []), ...accepted]));
  }
  return violations;
}

/**
 * What a withdrawal would need. `unapproved_stroops`: what the wallet has paid of the asset without approvals in
 * 24 hours; 0 where the policy does not count it.
 */
export type ForeseenApprovals = NeededApprovals & { unapproved_stroops: bigint };

/**
 * Foresees every rule that a withdrawal would break now, and how many approvals it would need. Locks nothing: the rules may
 * differ when the withdrawal is made. `except`: the withdrawal itself, when it awaits approvals.
 */
export async function foreseePolicy(
  db: Db,
  { except, ...order }: Omit<PolicyOrder, 'id' | 'created_at'> & { except: string[] },
  now: Date,
): Promise<{ violations: PolicyViolation[]; approvals: ForeseenApprovals }> {
  const since = windowStart(now);
  const state = await findPolicy(db, order.wallet_id);
  const { policy } = asOf(state, now);
  const { wallet_id } = order;
  const question: Spent = { wallet_id, asset: order, since, except };
  const spent = hasDailyLimit(policy, order) ? await listSpent(db, question) : [];
  const unapproved_stroops = await unapprovedOf(db, policy, question);
  const used_stroops = spent.reduce((sum, { amount_stroops }) => sum + amount_stroops, 0n);
  const broken = brokenRules(policy, questionOf(order), used_stroops, state.operator_freeze);
  return {
    violations: broken.map((rule) => explain(rule, order, spent)),
    approvals: {
      ...computeApprovals(policy.approvals, questionOf(order), unapproved_stroops),
      unapproved_stroops,
    },
  };
}

/** The payments of a payout: by asset all of them together, because splitting them must avoid no approval. */
export type PayoutTotal = AssetFields & { amount_stroops: bigint };

/**
 * Checks how many approvals a payout needs now, and whether the wallet is frozen (`frozen`: null when it is not). Locks the
 * policy until the transaction ends. The rows of the payout that have begun are in its totals, so they do not count a second
 * time.
 */
export async function checkPayoutPolicy(
  trx: Trx,
  { id: payout_id, wallet_id }: { id: string; wallet_id: string },
  totals: PayoutTotal[],
  now: Date,
): Promise<NeededApprovals & { frozen: PolicyViolation | null }> {
  const state = (await lockPolicies(trx, [wallet_id])).get(wallet_id);
  assert(state);
  const { policy } = asOf(state, now);
  const others = { wallet_id, payout_id, since: windowStart(now) };
  const needed = await approvalsOfTotals(trx, policy, { totals, others });
  return { frozen: frozenOf(state, policy), ...needed };
}

/**
 * Returns why a payout needs more approvals now than it has: by what it pays, or by the sum with what the wallet has paid without
 * approvals in 24 hours. Null when it needs no more. Locks nothing.
 */
export async function whyNotCovered(
  db: Db,
  { id: payout_id, wallet_id, approvals_required: had }: PayoutWithApprovals,
  totals: PayoutTotal[],
  now: Date,
): Promise<{ cause: ApprovalCause; total: PayoutTotal; unapproved_stroops: bigint } | null> {
  const { policy } = asOf(await findPolicy(db, wallet_id), now);
  const others = { wallet_id, payout_id, since: windowStart(now) };
  for await (const { payment, unapproved_stroops } of withUnapproved(db, policy, { totals, others })) {
    const cause = causeOfApprovals(policy.approvals, payment, { unapproved_stroops, had });
    if (cause) return { cause, total: payment, unapproved_stroops };
  }
  return null;
}

type PayoutWithApprovals = { id: string; wallet_id: string; approvals_required: number };

/**
 * Returns the violation when the wallet is frozen by its owner or by the operator of the service, else null. No payment is
 * needed to say so.
 */
function frozenOf(
  { operator_freeze }: Pick<StoredPolicy, 'operator_freeze'>,
  { frozen }: Policy,
): PolicyViolation | null {
  if (!frozen && !operator_freeze) return null;
  return explain({ code: 'policy_frozen', operator_freeze }, { ...NATIVE, amount_stroops: 0n }, []);
}

/** `others`: the payments that count beside those of the payout. */
type PayoutPayments = {
  totals: PayoutTotal[];
  others: { wallet_id: string; payout_id?: string; since: Date };
};

/** Returns what a payout needs: as many approvals as the total that needs the most, and why. */
async function approvalsOfTotals(db: Db, policy: Policy, payments: PayoutPayments): Promise<NeededApprovals> {
  let most: NeededApprovals = { approvals_required: 0, approvals_cause: null };
  for await (const { payment, unapproved_stroops } of withUnapproved(db, policy, payments)) {
    const needed = computeApprovals(policy.approvals, payment, unapproved_stroops);
    if (needed.approvals_required > most.approvals_required) most = needed;
  }
  return most;
}

/** Foresees which approvals each of these payouts of a wallet would need if it was started now. Locks nothing. */
export async function foreseeStarts(
  db: Db,
  { wallet_id, payouts }: { wallet_id: string; payouts: PayoutTotal[][] },
  now: Date,
): Promise<NeededApprovals[]> {
  if (payouts.length === 0) return [];
  const { policy } = asOf(await findPolicy(db, wallet_id), now);
  const others = { wallet_id, since: windowStart(now) };
  const needed: NeededApprovals[] = [];
  for (const totals of payouts) needed.push(await approvalsOfTotals(db, policy, { totals, others }));
  return needed;
}

/** Yields each total as one payment, with what the wallet has paid of its asset without approvals beside it. */
async function* withUnapproved(db: Db, policy: Policy, { totals, others }: PayoutPayments) {
  for (const total of totals)
    yield {
      payment: { ...total, changes_trust_line: false },
      unapproved_stroops: await unapprovedOf(db, policy, { ...others, asset: total }),
    };
}

/** Foresees what the policy says now of each payment of a payout by itself, and of all together. Locks nothing. */
export async function foreseePayout(
  db: Db,
  { wallet_id, payments, totals }: { wallet_id: string; payments: PolicyPayment[]; totals: PayoutTotal[] },
  now: Date,
): Promise<{
  frozen: PolicyViolation | null;
  violations: (PolicyViolation | null)[];
  of_totals: PolicyViolation[];
  approvals: NeededApprovals;
}> {
  const state = await findPolicy(db, wallet_id);
  const { policy } = asOf(state, now);
  const unfrozen = { ...policy, frozen: false };
  const violationOf = (payment: PolicyPayment) => {
    const [broken] = brokenRules(unfrozen, { ...payment, changes_trust_line: false }, 0n);
    return broken ? explain(broken, payment, []) : null;
  };
  const violations = await inTurns(mapInParts(payments, violationOf));
  const of_totals: PolicyViolation[] = [];
  for (const total of totals) {
    const limit_stroops = limitOf(policy.limits ?? [], total)?.max_rolling_24h_stroops ?? null;
    if (limit_stroops === null) continue;
    const spent = { wallet_id, asset: total, since: windowStart(now) };
    const used_stroops = await sumSpent(db, spent);
    const broken = { code: 'policy_daily_limit' as const, limit_stroops, used_stroops };
    if (used_stroops + total.amount_stroops > limit_stroops)
      of_totals.push(explain(broken, total, await listSpent(db, spent)));
  }
  const others = { wallet_id, since: windowStart(now) };
  const approvals = await approvalsOfTotals(db, policy, { totals, others });
  return { frozen: frozenOf(state, policy), violations, of_totals, approvals };
}

type PolicyPayment = AllowedPayment & { amount_stroops: bigint };
