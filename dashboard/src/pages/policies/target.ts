/** Pure: what a change of the policy comes to, and when. The rules are the service's (docs/decisions/0010). */
import type { PendingPolicyChange, Policy } from '../../api/contract.ts';
import type { BodyOf } from '../../api/operations.ts';

export type LimitField = 'max_withdrawal_stroops' | 'max_rolling_24h_stroops';

/** Null is no limit; `destinations` null is everywhere. */
export type Rules = Pick<Policy, 'frozen' | LimitField | 'destinations'>;

/** What was asked for so far: what is in force, and what is pending. */
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

/** A change of the list takes that back. */
export function everywhereIsPending({ pending }: Policy): boolean {
  return pending.some(({ field, destination }) => field === 'destinations' && destination === null);
}

export const EVERYWHERE_GOES = ' The pending change to allow every destination is cancelled.';

/** The body of PUT: what is absent is no limit. */
export function bodyOf({ frozen, destinations, ...limits }: Rules): BodyOf<'replacePolicy'> {
  const { max_withdrawal_stroops, max_rolling_24h_stroops } = limits;
  return {
    frozen,
    ...(max_withdrawal_stroops === null ? {} : { max_withdrawal_stroops }),
    ...(max_rolling_24h_stroops === null ? {} : { max_rolling_24h_stroops }),
    ...(destinations === null ? {} : { destinations }),
  };
}

/** `none`: it is in force already, so that what is pending is taken back. */
export type Effect = 'none' | 'at_once' | 'later';

/** What asking for another limit does: a first or a lower one holds at once, a higher one or none after the delay. */
export function effectOfLimit(in_force: bigint | null, wanted: bigint | null): Effect {
  if (in_force === wanted) return 'none';
  if (wanted === null) return 'later';
  return in_force === null || wanted < in_force ? 'at_once' : 'later';
}

/** Whether somebody else has changed the policy since it was shown; what was paid meanwhile is no change. */
export function isSamePolicy(one: Policy, other: Policy): boolean {
  return textOf(one) === textOf(other);
}

function textOf(policy: Policy): string {
  const { frozen, max_withdrawal_stroops, max_rolling_24h_stroops, destinations, pending } = policy;
  const ids = pending.map(({ id }) => id);
  const limits = [max_withdrawal_stroops, max_rolling_24h_stroops].map(String);
  return JSON.stringify([frozen, limits, destinations, ids]);
}
