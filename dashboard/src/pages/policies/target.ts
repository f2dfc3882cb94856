/** Pure: the effect of a policy change, and when it applies. The rules are the service's (docs/decisions/0010). */
import type { PendingPolicyChange, Policy } from '../../api/contract.ts';
import type { BodyOf } from '../../api/operations.ts';

export type LimitField = 'max_withdrawal_stroops' | 'max_rolling_24h_stroops';

/** Null: no limit; for `destinations`: every destination. */
export type Rules = Pick<Policy, 'frozen' | LimitField | 'destinations'>;

/** The policy requested so far: the rules in force with the pending changes applied. */
export function targetOf(policy: Policy): Rules {
  const { frozen, max_withdrawal_stroops, max_rolling_24h_stroops, destinations } = policy;
  const in_force: Rules = { frozen, max_withdrawal_stroops, max_rolling_24h_stroops, destinations };
  return policy.pending.reduce(loosened, in_force);
}

function loosened(rules: Rules, { field, limit_stroops, destination }: PendingPolicyChange): Rules {
  if (field === 'frozen') return { ...rules, frozen: false };
  if (field !== 'destinations') return { ...rules, [field]: limit_stroops };
  if (destination === null || rules.destinations === null) return { ...rules, destinations: null };
  return { ...rules, destinations: [...rules.destinations, destination] };
}

/** Whether every destination is a pending change. A change of the list cancels it. */
export function everywhereIsPending({ pending }: Policy): boolean {
  return pending.some(({ field, destination }) => field === 'destinations' && destination === null);
}

export const EVERYWHERE_GOES = ' The pending change to allow every destination is cancelled.';

/** The body of PUT. An absent field is no limit. */
export function bodyOf({ frozen, destinations, ...limits }: Rules): BodyOf<'replacePolicy'> {
  const { max_withdrawal_stroops, max_rolling_24h_stroops } = limits;
  return {
    frozen,
    ...(max_withdrawal_stroops === null ? {} : { max_withdrawal_stroops }),
    ...(max_rolling_24h_stroops === null ? {} : { max_rolling_24h_stroops }),
    ...(destinations === null ? {} : { destinations }),
  };
}

/** `none`: already in force, so that a pending change is cancelled. */
export type Effect = 'none' | 'at_once' | 'later';

/** When a new limit applies: a first or lower one at once, a higher one or none after the delay. */
export function effectOfLimit(in_force: bigint | null, wanted: bigint | null): Effect {
  if (in_force === wanted) return 'none';
  if (wanted === null) return 'later';
  return in_force === null || wanted < in_force ? 'at_once' : 'later';
}

/** Whether the rules are the same. New payments are no difference. */
export function isSamePolicy(one: Policy, other: Policy): boolean {
  return textOf(one) === textOf(other);
}

function textOf(policy: Policy): string {
  const { frozen, max_withdrawal_stroops, max_rolling_24h_stroops, destinations, pending } = policy;
  const ids = pending.map(({ id }) => id);
  const limits = [max_withdrawal_stroops, max_rolling_24h_stroops].map(String);
  return JSON.stringify([frozen, limits, destinations, ids]);
}
