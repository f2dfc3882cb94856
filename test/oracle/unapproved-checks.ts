/** Pure: what contradicts "without approvals no wallet pays more in 24 hours than its rule allows", in words. */
import type { ApprovalRule, ApprovalStep } from './approval-evidence.ts';
import type { Evidence } from './evidence.ts';

/** Shorter than the 24 hours by what the clocks of processes may be wrong. */
const WINDOW_MS = 23 * 3_600_000;

/** What was paid before the wallet had a rule is not noted, so this asks for less than the service does. */
export function unapprovedViolations(evidence: Evidence): string[] {
  if (evidence.restored) return []; // what an older copy of the database has forgotten it cannot count
  return [...paidUnapproved(evidence)].flatMap(([name, steps]) =>
    steps.flatMap((step, index) => {
      const allowed = mostAllowed(step);
      const sum = steps
        .slice(0, index + 1)
        .filter(({ created_ms }) => created_ms > step.created_ms - WINDOW_MS)
        .reduce((total, { amount_stroops }) => total + amount_stroops, 0n);
      return allowed === null || sum <= allowed
        ? []
        : [`${name}: ${sum} was paid WITHOUT APPROVALS in a day, and ${allowed} is allowed (${step.id})`];
    }),
  );
}

/** What was confirmed and never awaited approvals, by wallet and asset, in the order of the commits. */
function paidUnapproved({ approvals: { steps }, rows }: Evidence): Map<string, ApprovalStep[]> {
  const confirmed = new Set(rows.filter(({ state }) => state === 'confirmed').map(({ id }) => id));
  const held = new Set(steps.filter(({ status }) => status === 'awaiting_approval').map(({ id }) => id));
  const free = steps.filter(
    ({ id, was, approvals_required }) =>
      was === null && approvals_required === 0 && confirmed.has(id) && !held.has(id),
  );
  return Map.groupBy(free, (step) => `${step.wallet_id} ${step.asset_code} ${step.asset_issuer}`);
}

/** Null: any amount. A change may have come into force between the request and its claim. */
function mostAllowed({ policy, ...payment }: ApprovalStep): bigint | null {
  const allowed = [policy.rule, ...policy.changes.map(({ rule }) => rule)].map((rule) =>
    allowedBy(rule, payment),
  );
  return allowed.reduce((most, each) => (most === null || each === null ? null : each > most ? each : most));
}

function allowedBy(
  rule: ApprovalRule | null,
  { asset_code, asset_issuer }: Pick<ApprovalStep, 'asset_code' | 'asset_issuer'>,
): bigint | null {
  if (!rule?.for.includes('withdrawals')) return null;
  const named = rule.above.find((one) => one.asset_code === asset_code && one.asset_issuer === asset_issuer);
  return named ? BigInt(named.amount_stroops) : 0n;
}
