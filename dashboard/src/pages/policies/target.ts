/** Pure: the policy that was requested so far, and its requests. The rules are the service's (docs/decisions/0010). */
import type { ApprovalRule, PendingPolicyChange, Policy } from '../../api/contract.ts';
import type { BodyOf } from '../../api/operations.ts';
import { amountsInBody } from '../../text/typed-amounts.ts';
import { type Limits, limitsInForce, loosenedLimits } from './limits.ts';

/** `limits` null: no asset has a limit; `destinations` null: every destination. */
export type Rules = Pick<Policy, 'frozen' | 'destinations' | 'approvals'> & { limits: Limits };

/** Whether new withdrawals are refused. */
export function isFrozen({ frozen, operator_freeze }: Policy): boolean {
  return frozen || operator_freeze !== null;
}

/** The policy requested so far: the rules in force with the pending changes applied. */
export function targetOf(policy: Policy): Rules {
  const { frozen, destinations, approvals } = policy;
  const in_force: Rules = { frozen, destinations, approvals, limits: limitsInForce(policy) };
  return policy.pending.reduce(loosened, in_force);
}

function loosened(rules: Rules, change: PendingPolicyChange): Rules {
  const { field, destination } = change;
  if (field === 'frozen') return { ...rules, frozen: false };
  if (field === 'approvals') return { ...rules, approvals: change.new_approvals };
  if (field !== 'destinations') return { ...rules, limits: loosenedLimits(rules.limits, change) };
  if (destination === null || rules.destinations === null) return { ...rules, destinations: null };
  return { ...rules, destinations: [...rules.destinations, destination] };
}

/** The limits to change: those requested so far. If the end of all limits is pending, those in force. */
export function requestedLimits(policy: Policy): Limits {
  return targetOf(policy).limits ?? limitsInForce(policy);
}

/** Whether every destination is a pending change. A change of the list cancels it. */
export function everywhereIsPending({ pending }: Policy): boolean {
  return pending.some(({ field, destination }) => field === 'destinations' && destination === null);
}

export const EVERYWHERE_GOES = ' The pending change to allow every destination is cancelled.';

/** The body of PUT. An absent field is no limit. Null: PUT cannot say that every asset is refused. */
export function bodyOf({ frozen, destinations, limits, approvals }: Rules): BodyOf<'replacePolicy'> | null {
  if (limits?.length === 0) return null;
  return {
    frozen,
    limits: listOf(limits),
    ...(destinations === null ? {} : { destinations }),
    ...(approvals ? { approvals: ruleOf(approvals) } : {}),
  };
}

/** The body of PATCH; null where only PUT can request the change. */
export function patchOf({
  destinations,
  limits,
  approvals,
  ...change
}: Partial<Rules>): BodyOf<'changePolicy'> | null {
  if (destinations === null) return null;
  return {
    ...change,
    ...(limits === undefined ? {} : { limits: listOf(limits) }),
    ...(destinations === undefined ? {} : { destinations }),
    ...(approvals === undefined ? {} : { approvals: approvals ? ruleOf(approvals) : { required: 0 } }),
  };
}

/** As bodies have it. An empty list of amounts is one where every withdrawal needs approvals. */
function ruleOf({
  required,
  above,
  for: kinds,
  without_factor,
}: ApprovalRule): NonNullable<BodyOf<'changePolicy'>['approvals']> {
  const amounts = kinds.includes('withdrawals') ? { above: amountsInBody(above) } : {};
  return { required, for: kinds, ...(without_factor && { without_factor }), ...amounts };
}

/** As bodies have it: what is null is absent. */
function listOf(limits: Limits): NonNullable<BodyOf<'replacePolicy'>['limits']> {
  return (limits ?? []).map(({ asset_code, asset_issuer, ...fields }) => {
    const { max_withdrawal_stroops, max_rolling_24h_stroops } = fields;
    return {
      asset_code,
      ...(asset_issuer === null ? {} : { asset_issuer }),
      ...(max_withdrawal_stroops === null ? {} : { max_withdrawal_stroops }),
      ...(max_rolling_24h_stroops === null ? {} : { max_rolling_24h_stroops }),
    };
  });
}

/** Whether a change that allows more needs approvals of other members first. The service decides (approval-rules.ts). */
export function needsApprovals({ approvals }: Policy, rule: 'destinations' | 'other'): boolean {
  const kinds = approvals?.for ?? [];
  return kinds.includes('policies') || (rule === 'destinations' && kinds.includes('destinations'));
}

export type Effect = 'at_once' | 'later';

function ruleText(approvals: ApprovalRule | null): string[] | null {
  if (!approvals) return null;
  const { required, without_factor, for: kinds, above } = approvals;
  return [`${required} ${without_factor}`, ...kinds, ...above.flatMap(valuesOf)];
}

function valuesOf(entry: ApprovalRule['above'][number]): string[] {
  return Object.values(entry).map(String);
}

/** Whether the rules are the same. New payments are no difference. */
export function isSamePolicy(one: Policy, other: Policy): boolean {
  return textOf(one) === textOf(other);
}

function textOf(policy: Policy): string {
  const { frozen, destinations, approvals, pending } = policy;
  const ids = pending.map(({ id }) => id);
  const limits = limitsInForce(policy)?.map((entry) => Object.values(entry).map(String));
  return JSON.stringify([frozen, limits ?? null, destinations, ids, ruleText(approvals)]);
}
