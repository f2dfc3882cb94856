import { strict as assert } from 'node:assert';
import { lockTeamOfWallet, requireEnough } from '../../approvals/approvers.ts';
import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { assetText, NATIVE } from '../../stellar/asset.ts';
import { sameApprovals } from './approval-rules.ts';
import { asOf, changed, type PendingChange, type Policy, type PolicyState, targetOf } from './policies.ts';
import { windowStart } from './policy-rules.ts';
import { findPolicy, NO_POLICY, type StoredPolicy, updatePolicy } from './policy-store.ts';
import { sumSpent, sumsSpent } from './spending.ts';

/** A wallet's policy in force, its pending changes, and what it has paid in the last 24 hours, by `assetText`. */
export type PolicyView = StoredPolicy & {
  wallet_id: string;
  /** Of the native asset and of the assets that have a limit. */
  used_stroops: Map<string, bigint>;
  delay_seconds: number;
};

type PolicyDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

export async function readPolicy(deps: PolicyDeps, wallet_id: string): Promise<PolicyView> {
  const now = deps.clock.now();
  const stored = await findPolicy(deps.db, wallet_id);
  return view(deps, wallet_id, { ...stored, ...asOf(stored, now) }, now);
}

/**
 * Requests the policy that `wish` makes of the present target, with the team locked. Stricter limits apply when this returns; looser ones are
 * pending (policies.ts). The team is locked before the policy, so that no approver leaves before the end.
 * @throws AppError `too_few_approvers` when the policy would ask for more approvals than the team could give
 */
export async function changePolicy(
  deps: Deps,
  by: OnWallet,
  wish: (target: Policy, trx: Trx) => Policy | Promise<Policy>,
): Promise<PolicyView> {
  const wallet_id = by.wallet.id;
  const requested_by = by.actor.id;
  assert(requested_by !== null);
  const state = await auditedOnWallet(deps, by, async (trx, note) => {
    await lockTeamOfWallet(trx, wallet_id);
    let before: StoredPolicy = NO_POLICY;
    const after = await updatePolicy(trx, wallet_id, async (found) => {
      const now = deps.clock.now(); // with the lock held: the delay begins when the change is made
      before = { ...found, ...asOf(found, now) };
      const { policy_delay_seconds } = deps.config;
      const asked = {
        now,
        delay_seconds: policy_delay_seconds,
        requested_by,
        newId: () => newId('pch', now),
      };
      return { ...changed(before, await wish(targetOf(before), trx), asked), now };
    });
    const { approvals } = after.policy;
    if (approvals && !sameApprovals(approvals, before.policy.approvals)) await requireEnough(trx, wallet_id);
    const target = { kind: 'policy', id: wallet_id };
    note({ action: 'policy.changed', target, before: auditOfPolicy(before), after: auditOfPolicy(after) });
    return after;
  });
  deps.log.info(
    { wallet_id, pending: state.pending.map(({ id, field, asset_code }) => ({ id, field, asset_code })) },
    'policy changed',
  );
  return view(deps, wallet_id, state, deps.clock.now());
}

/**
 * Revokes a pending change, and gives it.
 * @throws AppError `not_found` when there is none of this id, or it is in force already; then nothing is written
 */
export async function revokeChange(deps: Deps, by: OnWallet, id: string): Promise<PendingChange> {
  const wallet_id = by.wallet.id;
  const revoked = await auditedOnWallet(deps, by, async (trx, note) => {
    let found: PendingChange | undefined;
    await updatePolicy(trx, wallet_id, (before) => {
      const now = deps.clock.now();
      const { policy, pending } = asOf(before, now);
      found = pending.find((change) => change.id === id);
      if (!found) throw new AppError('not_found', 'There is no such pending change.');
      return { now, policy, pending: pending.filter((change) => change !== found) };
    });
    assert(found);
    note({ action: 'policy.change_revoked', target: { kind: 'policy', id: wallet_id }, before: found });
    return found;
  });
  deps.log.info({ wallet_id, change: id, field: revoked.field }, 'policy change revoked');
  return revoked;
}

/** Returns what an entry of the audit log shows of a policy. Each decision about a pending change has an entry of its own. */
export function auditOfPolicy({ policy, pending }: PolicyState) {
  return { ...policy, pending: pending.map(auditOfChange) };
}

function auditOfChange({ created_at: _, request, ...change }: PendingChange) {
  const { decisions: __, ...asked } = request ?? { decisions: [] };
  const members = Object.entries({ ...change, ...(request && { request: asked }) });
  return Object.fromEntries(members.filter(([, value]) => value !== null));
}

async function view(
  { db, config }: PolicyDeps,
  wallet_id: string,
  state: StoredPolicy,
  now: Date,
): Promise<PolicyView> {
  const since = windowStart(now);
  const issued = (state.policy.limits ?? []).filter(({ asset_issuer }) => asset_issuer !== null);
  const [native, used_stroops] = await Promise.all([
    sumSpent(db, { wallet_id, asset: NATIVE, since }),
    sumsSpent(db, { wallet_id, assets: issued, since }),
  ]);
  used_stroops.set(assetText(NATIVE), native);
  return { ...state, wallet_id, used_stroops, delay_seconds: config.policy_delay_seconds };
}
