/**
 * The limits of a wallet's payments, and how the limits change. Pure: no clock, no database.
 *
 * A request names a whole policy, the target. Where the target is stricter than the policy in force, it applies at once.
 * Where it is looser, it becomes a pending change, which applies after the delay:
 *
 * | field                    | tightening: at once                 | loosening: after the delay      |
 * |--------------------------|-------------------------------------|---------------------------------|
 * | frozen                   | to true                             | to false                        |
 * | max_…_stroops            | a first or a lower limit            | a higher limit, or none         |
 * | destinations             | a first list, an address that goes, | an address that comes, or       |
 * |                          | an M… in the place of its own G…    | everywhere                      |
 *
 * After a request exactly the loosenings between the policy in force and the target are pending. An earlier pending change
 * goes away when the target does not contain it any more, and keeps its time when it does; two never add up. Therefore **a
 * payment is allowed only if every target during the last delay allows it** (policies.test.ts).
 */

import type { ErrorCode, ErrorDetail } from '../../errors.ts';
import { stroopsInWords } from '../../lib/stroops.ts';
import { parseAddress } from '../../stellar/address.ts';

const WINDOW_MS = 24 * 3_600_000;

/**
 * Null is no limit; `destinations` null allows every address. A G… entry allows its account and every M… of it, an M…
 * only itself.
 */
export type Policy = {
  frozen: boolean;
  max_withdrawal_stroops: bigint | null;
  max_rolling_24h_stroops: bigint | null;
  destinations: string[] | null;
};

export const NO_LIMITS: Policy = {
  frozen: false,
  max_withdrawal_stroops: null,
  max_rolling_24h_stroops: null,
  destinations: null,
};

/** `limit_stroops` is for the limits, null for none; `destination` is the address to add, null for everywhere. */
type Loosening = { field: keyof Policy; limit_stroops: bigint | null; destination: string | null };

export type PendingChange = Loosening & { id: string; created_at: Date; takes_effect_at: Date };

export type PolicyState = { policy: Policy; pending: PendingChange[] };

/** The state at a time: pending changes whose time has come are in force, although no row was changed. */
export function asOf({ policy, pending }: PolicyState, now: Date): PolicyState {
  const isDue = (change: PendingChange) => change.takes_effect_at <= now;
  return {
    policy: pending.filter(isDue).reduce(loosened, policy),
    pending: pending.filter((change) => !isDue(change)),
  };
}

/** The policy in force once every pending change has taken effect. */
export function targetOf({ policy, pending }: PolicyState): Policy {
  return pending.reduce(loosened, policy);
}

/** The state after a request for `target`. */
export function changed(
  state: PolicyState,
  target: Policy,
  options: { now: Date; delay_seconds: number; newId: () => string },
): PolicyState {
  const { now, delay_seconds, newId } = options;
  const { policy, pending } = asOf(state, now);
  const tightened: Policy = {
    frozen: policy.frozen || target.frozen,
    max_withdrawal_stroops: lower(policy.max_withdrawal_stroops, target.max_withdrawal_stroops),
    max_rolling_24h_stroops: lower(policy.max_rolling_24h_stroops, target.max_rolling_24h_stroops),
    destinations: narrower(policy.destinations, target.destinations),
  };
  const takes_effect_at = new Date(now.getTime() + delay_seconds * 1000);
  const wanted = loosenings(tightened, target).map(
    (loosening) =>
      pending.find((change) => isSame(change, loosening)) ?? {
        id: newId(),
        ...loosening,
        created_at: now,
        takes_effect_at,
      },
  );
  return asOf({ policy: tightened, pending: wanted }, now); // without a delay all of it is in force already
}

function loosened(policy: Policy, { field, limit_stroops, destination }: Loosening): Policy {
  switch (field) {
    case 'frozen':
      return { ...policy, frozen: false };
    case 'destinations':
      if (destination === null || policy.destinations === null) return { ...policy, destinations: null };
      return { ...policy, destinations: [...policy.destinations, destination] };
    default:
      return { ...policy, [field]: limit_stroops };
  }
}

function lower(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** The entries that both lists allow. */
function narrower(current: string[] | null, target: string[] | null): string[] | null {
  if (current === null || target === null) return current ?? target;
  const allowed = target.filter((entry) => covers(current, entry));
  // An M… that the target replaces by its G… stays until the G… is in force.
  const meanwhile = current.filter((entry) => !covers(allowed, entry) && covers(target, entry));
  return [...allowed, ...meanwhile];
}

function loosenings(policy: Policy, target: Policy): Loosening[] {
  const found: Loosening[] = [];
  if (policy.frozen && !target.frozen) {
    found.push({ field: 'frozen', limit_stroops: null, destination: null });
  }
  for (const field of ['max_withdrawal_stroops', 'max_rolling_24h_stroops'] as const) {
    // `policy` is the tightened one: its limit is the target's or a lower one.
    if (policy[field] !== target[field]) {
      found.push({ field, limit_stroops: target[field], destination: null });
    }
  }
  const { destinations } = policy;
  if (destinations !== null) {
    const added = target.destinations?.filter((entry) => !destinations.includes(entry)) ?? [null];
    for (const destination of added) found.push({ field: 'destinations', limit_stroops: null, destination });
  }
  return found;
}

function isSame(one: Loosening, other: Loosening): boolean {
  return (
    one.field === other.field &&
    one.limit_stroops === other.limit_stroops &&
    one.destination === other.destination
  );
}

/** A list allows its entries, and every M… address of a G… entry. A G… with a memo is not the M… with that id. */
function covers(list: string[], destination: string): boolean {
  if (list.includes(destination)) return true;
  const account = parseAddress(destination)?.account;
  return account !== undefined && list.includes(account);
}

// checking a payment ---------------------------------------------------------------------------------------

/** A payment that counts towards the limit of 24 hours. */
export type Spending = { created_at: Date; amount_stroops: bigint };

/** Payments made after this time count towards the limit of 24 hours. */
export function windowStart(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS);
}

/**
 * What a policy is asked about. Limits are of the native asset: a wallet that has one pays no other asset, because that
 * would go around the limit. `changes_trust_line`: no payment; only a frozen wallet refuses it.
 */
export type PolicyQuestion = {
  asset_issuer: string | null;
  changes_trust_line: boolean;
  destination: string;
  amount_stroops: bigint;
};

type BrokenRule =
  | { code: 'policy_frozen' }
  | { code: 'policy_asset_without_limit' }
  | { code: 'policy_destination_not_allowed' }
  | { code: 'policy_amount_limit'; limit_stroops: bigint }
  | { code: 'policy_daily_limit'; limit_stroops: bigint; used_stroops: bigint };

/** The rules that a payment would break, `used_stroops` being what the wallet has paid in the last 24 hours. */
export function brokenRules(policy: Policy, order: PolicyQuestion, used_stroops: bigint): BrokenRule[] {
  const { frozen, max_withdrawal_stroops, max_rolling_24h_stroops, destinations } = policy;
  const broken: BrokenRule[] = [];
  if (frozen) broken.push({ code: 'policy_frozen' });
  if (order.changes_trust_line) return broken;
  if (destinations !== null && !covers(destinations, order.destination)) {
    broken.push({ code: 'policy_destination_not_allowed' });
  }
  if (order.asset_issuer !== null) {
    const isLimited = max_withdrawal_stroops !== null || max_rolling_24h_stroops !== null;
    return isLimited ? [...broken, { code: 'policy_asset_without_limit' }] : broken;
  }
  if (max_withdrawal_stroops !== null && order.amount_stroops > max_withdrawal_stroops) {
    broken.push({ code: 'policy_amount_limit', limit_stroops: max_withdrawal_stroops });
  }
  if (max_rolling_24h_stroops !== null && used_stroops + order.amount_stroops > max_rolling_24h_stroops) {
    broken.push({ code: 'policy_daily_limit', limit_stroops: max_rolling_24h_stroops, used_stroops });
  }
  return broken;
}

export type PolicyViolation = {
  code: Extract<ErrorCode, `policy_${string}`>;
  message: string;
  details?: ErrorDetail[];
};

/**
 * A broken rule as an error: the limit, the rest of it, and when more is possible. `spent`: the payments that count,
 * oldest first.
 */
export function explain(broken: BrokenRule, amount_stroops: bigint, spent: Spending[]): PolicyViolation {
  const { code } = broken;
  switch (code) {
    case 'policy_frozen':
      return { code, message: 'The wallet is frozen: new withdrawals are refused.' };
    case 'policy_asset_without_limit': {
      const details = [
        { path: '/asset_code', message: 'has no limit in the policy, which limits another asset' },
      ];
      return { code, message: 'The wallet’s policy has limits, and none for this asset.', details };
    }
    case 'policy_destination_not_allowed': {
      const details = [{ path: '/destination', message: 'is not among the destinations of the policy' }];
      return { code, message: 'The wallet’s policy does not allow this destination.', details };
    }
    case 'policy_amount_limit': {
      const limit = `at most ${stroopsInWords(broken.limit_stroops)}`;
      const details = [{ path: '/amount_stroops', message: `must be ${limit}` }];
      return { code, message: `The wallet’s policy allows ${limit} per withdrawal.`, details };
    }
    case 'policy_daily_limit': {
      const { limit_stroops, used_stroops } = broken;
      const left = used_stroops < limit_stroops ? limit_stroops - used_stroops : 0n;
      const possible_at = whenFreed(spent, used_stroops + amount_stroops - limit_stroops);
      const when = possible_at
        ? `this amount is possible from ${possible_at.toISOString()} on, if nothing else is paid until then`
        : 'this amount is more than the limit itself';
      const limit = stroopsInWords(limit_stroops);
      const message = `The wallet’s policy allows ${limit} in 24 hours, with ${stroopsInWords(left)} left; ${when}.`;
      return {
        code,
        message,
        details: [{ path: '/amount_stroops', message: `must be at most ${stroopsInWords(left)} now` }],
      };
    }
  }
}

/**
 * When the oldest payments, together at least `stroops`, are more than 24 hours old; null when all payments together
 * are less.
 */
function whenFreed(spent: Spending[], stroops: bigint): Date | null {
  let freed = 0n;
  for (const { created_at, amount_stroops } of spent) {
    freed += amount_stroops;
    if (freed >= stroops) return new Date(created_at.getTime() + WINDOW_MS);
  }
  return null;
}
