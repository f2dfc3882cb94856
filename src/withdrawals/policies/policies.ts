/**
 * What a wallet may pay, and how that changes. Pure: no clock, no database.
 *
 * A request names a whole policy, the target. Where the target is stricter than the policy in force, it applies at once.
 * Where it is looser, it becomes a pending change, which applies after the delay:
 *
 * | field                    | tightening: at once                 | loosening: after the delay      |
 * |--------------------------|-------------------------------------|---------------------------------|
 * | frozen                   | to true                             | to false                        |
 * | limits                   | a wallet's first limit, a lower     | a higher limit, none while the  |
 * | (asset-limits.ts)        | limit, an asset that goes while     | other field stays limited, an   |
 * |                          | another stays limited               | asset that comes, or no limits  |
 * | destinations             | a first list, an address that goes, | an address that comes, or       |
 * |                          | an M… in the place of its own G…    | everywhere                      |
 * | approvals                | what asks for more (approval-       | whatever asks for less          |
 * |                          | rules.ts)                           |                                 |
 *
 * A looser field may need approvals by the policy in force. Then it becomes a change with a `request`, which applies once
 * it is approved and its delay is over, and is void when it is not approved in time. A change that was pending before its
 * rule of approvals came into force becomes such a change then (`underRule`).
 *
 * After a request exactly the loosenings between the policy in force and the target are pending. An earlier pending change
 * goes away when the target does not contain it any more, and keeps its time when it does; two never add up. Therefore **a
 * payment is allowed only if every target during the last delay allows it** (policies.test.ts).
 */

import { type Approval, expiryOf } from '../../approvals/approval.ts';
import { covers } from './allowed-destinations.ts';
import { type Approvals, approvalsOfChange, sameApprovals, stricterApprovals } from './approval-rules.ts';
import {
  type LimitLoosening,
  type Limits,
  limitLoosenings,
  loosenedLimits,
  narrowerLimits,
} from './asset-limits.ts';

/**
 * `limits` null allows every asset, `destinations` null every address. allowed-destinations.ts says what its entries allow.
 */
export type Policy = {
  frozen: boolean;
  limits: Limits;
  destinations: string[] | null;
  approvals: Approvals | null;
};

export const NO_LIMITS: Policy = { frozen: false, limits: null, destinations: null, approvals: null };

/**
 * `destination` is the entry to add, null for everywhere. `approvals` is the rule that replaces the one in force. The fields
 * that do not belong to `field` are null.
 */
type Loosening = Omit<LimitLoosening, 'field'> & {
  field: LimitLoosening['field'] | 'frozen' | 'destinations' | 'approvals';
  destination: string | null;
  approvals: Approvals | null;
};

const NOTHING = {
  asset_code: null,
  asset_issuer: null,
  limit_stroops: null,
  max_withdrawal_stroops: null,
  max_rolling_24h_stroops: null,
  destination: null,
  approvals: null,
};

/** The approvals that a change needs. `approved_at`: null until it has them. */
export type ChangeRequest = {
  approvals_required: number;
  decisions: Approval[];
  expires_at: Date;
  approved_at: Date | null;
};

/** `requested_by`: the user who asked first. `request`: null when the change needs no approvals. */
export type PendingChange = Loosening & {
  id: string;
  requested_by: string;
  created_at: Date;
  takes_effect_at: Date;
  request: ChangeRequest | null;
};

export type PolicyState = { policy: Policy; pending: PendingChange[] };

/**
 * Returns the state at a time: pending changes whose time has come are in force, and those that were not approved in time are
 * gone, although no row was changed.
 */
export function asOf({ policy, pending }: PolicyState, now: Date): PolicyState {
  const isDue = (change: PendingChange) => change.takes_effect_at <= now && !awaitsApproval(change);
  return {
    policy: pending.filter(isDue).reduce(loosened, policy),
    pending: pending.filter((change) => !isDue(change) && !isVoid(change, now)),
  };
}

export function awaitsApproval({ request }: PendingChange): boolean {
  return request !== null && request.approved_at === null;
}

function isVoid(change: PendingChange, now: Date): boolean {
  return awaitsApproval(change) && change.request !== null && change.request.expires_at <= now;
}

/** Returns the policy in force once every pending change has taken effect. */
export function targetOf({ policy, pending }: PolicyState): Policy {
  return pending.reduce(loosened, policy);
}

/**
 * Returns the state after a request of this user for `target`. The rule of approvals that is in force after it says which
 * changes need approvals, the pending ones too: a rule holds for what was asked before the rule came.
 */
export function changed(
  state: PolicyState,
  target: Policy,
  options: { now: Date; delay_seconds: number; requested_by: string; newId: () => string },
): PolicyState {
  const { now, delay_seconds, requested_by, newId } = options;
  const { policy, pending } = asOf(state, now);
  const tightened: Policy = {
    frozen: policy.frozen || target.frozen,
    limits: narrowerLimits(policy.limits, target.limits),
    destinations: narrower(policy.destinations, target.destinations),
    approvals: stricterApprovals(policy.approvals, target.approvals),
  };
  const takes_effect_at = new Date(now.getTime() + delay_seconds * 1000);
  const wanted = loosenings(tightened, target).map((loosening) => {
    const made = { id: newId(), ...loosening, requested_by, created_at: now, takes_effect_at, request: null };
    const change = pending.find((known) => isSame(known, loosening)) ?? made;
    return underRule({ before: policy.approvals, rule: tightened.approvals }, change, now);
  });
  return asOf({ policy: tightened, pending: wanted }, now); // without a delay all of it is in force already
}

/**
 * Returns the change as it stands under this rule of approvals. Members decide about it again from the beginning, with another
 * `order_hash`, where it has fewer approvals than the rule asks for, and where it was approved under a rule that asked for no
 * second factor and this one does: an approval may have needed a stolen password only.
 */
function underRule(
  { before, rule }: { before: Approvals | null; rule: Approvals | null },
  change: PendingChange,
  now: Date,
): PendingChange {
  const needed = approvalsOfChange(rule, change.field);
  const had = change.request?.approvals_required ?? 0;
  const asks_for_factor = needed > 0 && before?.without_factor === true && !rule?.without_factor;
  const lacks_factor = asks_for_factor && !awaitsApproval(change); // at a later decision the factor is asked for anyway
  if (needed <= had && !lacks_factor) return change;
  const approvals_required = Math.max(needed, had);
  if (change.request && awaitsApproval(change))
    return { ...change, request: { ...change.request, approvals_required } };
  const request = { approvals_required, decisions: [], expires_at: expiryOf(now), approved_at: null };
  return { ...change, request };
}

function loosened(policy: Policy, { field, destination, approvals, ...change }: Loosening): Policy {
  switch (field) {
    case 'approvals':
      return { ...policy, approvals };
    case 'frozen':
      return { ...policy, frozen: false };
    case 'destinations':
      if (destination === null || policy.destinations === null) return { ...policy, destinations: null };
      return { ...policy, destinations: [...policy.destinations, destination] };
    default:
      return { ...policy, limits: loosenedLimits(policy.limits, { ...change, field }) };
  }
}

/** Returns the entries that both lists allow. */
function narrower(current: string[] | null, target: string[] | null): string[] | null {
  if (current === null || target === null) return current ?? target;
  const allowed = target.filter((entry) => covers(current, entry));
  // An M… that the target replaces by its G… stays until the G… is in force.
  const staying = current.filter((entry) => !covers(allowed, entry) && covers(target, entry));
  return [...allowed, ...staying];
}

function loosenings(policy: Policy, target: Policy): Loosening[] {
  const found: Loosening[] = [];
  if (policy.frozen && !target.frozen) found.push({ ...NOTHING, field: 'frozen' });
  // `policy` is the tightened one.
  for (const change of limitLoosenings(policy.limits, target.limits)) found.push({ ...NOTHING, ...change });
  const { destinations } = policy;
  if (destinations !== null) {
    const added = target.destinations?.filter((entry) => !destinations.includes(entry)) ?? [null];
    for (const destination of added) found.push({ ...NOTHING, field: 'destinations', destination });
  }
  if (!sameApprovals(policy.approvals, target.approvals))
    found.push({ ...NOTHING, field: 'approvals', approvals: target.approvals });
  return found;
}

function isSame(one: Loosening, other: Loosening): boolean {
  const { approvals: _, ...others } = NOTHING;
  const names = ['field', ...Object.keys(others)] as (keyof Loosening)[];
  return names.every((name) => one[name] === other[name]) && sameApprovals(one.approvals, other.approvals);
}
