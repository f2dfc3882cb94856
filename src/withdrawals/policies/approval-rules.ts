/**
 * Which payments and changes of a policy need approvals, and which of two rules is stricter. Pure.
 *
 * | what is asked for                     | needs approvals where `for` has                       |
 * |---------------------------------------|-------------------------------------------------------|
 * | a payment that, with what was paid    | `withdrawals`                                         |
 * | without approvals in 24 hours, is     |                                                       |
 * | above its asset's amount; a payment   |                                                       |
 * | of an asset that `above` has not      |                                                       |
 * | a looser rule of approvals            | anything: otherwise one member could remove the rule  |
 * | another address in the allow list     | `destinations` or `policies`                          |
 * | any other looser policy               | `policies`                                            |
 * | a change of members, an API key       | `members`, `api_keys` (access/changes/)               |
 *
 * The rule in force decides, never the one that is asked for.
 */
import { type AssetFields, assetText } from '../../stellar/asset.ts';

export const APPROVED_KINDS = ['withdrawals', 'policies', 'destinations', 'members', 'api_keys'] as const;
export type ApprovedKind = (typeof APPROVED_KINDS)[number];

type Threshold = AssetFields & { amount_stroops: bigint };

/**
 * `required`: how many members must approve. `above`: payments of these assets need approvals once the sum of 24 hours without
 * approvals is above these amounts, payments of other assets always. `for` has at least one kind; `above` is empty without `withdrawals`.
 * `without_factor`: members without a second factor may decide.
 */
export type Approvals = {
  required: number;
  above: Threshold[];
  for: ApprovedKind[];
  without_factor: boolean;
};

/** How many approvals something needs, and what makes it need them; null when it needs none. */
export type NeededApprovals = { approvals_required: number; approvals_cause: ApprovalCause | null };

/** Returns what a payment needs. `unapproved_stroops`: as of `approvalsOfPayment`. */
export function computeApprovals(
  approvals: Approvals | null,
  payment: Parameters<typeof approvalsOfPayment>[1],
  unapproved_stroops: bigint,
): NeededApprovals {
  return {
    approvals_required: approvalsOfPayment(approvals, payment, unapproved_stroops),
    approvals_cause: causeOfApprovals(approvals, payment, { unapproved_stroops }),
  };
}

/**
 * Returns how many approvals a payment needs. `unapproved_stroops`: what the wallet has paid of the asset without approvals in
 * the last 24 hours. A change of a trust line is no payment and needs no approvals.
 */
export function approvalsOfPayment(
  approvals: Approvals | null,
  payment: AssetFields & { amount_stroops: bigint; changes_trust_line: boolean },
  unapproved_stroops: bigint,
): number {
  if (!approvals?.for.includes('withdrawals') || payment.changes_trust_line) return 0;
  const threshold = thresholdOf(approvals.above, payment);
  const total_stroops = unapproved_stroops + payment.amount_stroops;
  return threshold !== undefined && total_stroops <= threshold ? 0 : approvals.required;
}

/** What makes a payment need approvals: its own amount or asset, or the sum with what was paid without approvals in 24 hours. */
export type ApprovalCause = 'amount' | 'sum';

/** Returns what makes the payment need more approvals than `had`; null when it needs no more. */
export function causeOfApprovals(
  approvals: Approvals | null,
  payment: Parameters<typeof approvalsOfPayment>[1],
  { unapproved_stroops, had = 0 }: { unapproved_stroops: bigint; had?: number },
): ApprovalCause | null {
  if (approvalsOfPayment(approvals, payment, unapproved_stroops) <= had) return null;
  return approvalsOfPayment(approvals, payment, 0n) > had ? 'amount' : 'sum';
}

/** Says whether what was paid of this asset without approvals decides anything. */
export function countsUnapproved(approvals: Approvals | null, asset: AssetFields): boolean {
  return approvals !== null && thresholdOf(approvals.above, asset) !== undefined;
}

/** Returns how many approvals a looser policy needs, by the field that becomes looser. */
export function approvalsOfChange(approvals: Approvals | null, field: string): number {
  if (!approvals) return 0;
  const covered_by: Record<string, ApprovedKind[]> = {
    approvals: [...APPROVED_KINDS],
    destinations: ['destinations', 'policies'],
  };
  const kinds = covered_by[field] ?? ['policies'];
  return approvals.for.some((kind) => kinds.includes(kind)) ? approvals.required : 0;
}

/** Returns the rule that asks for what either of the two asks for. */
export function stricterApprovals(one: Approvals | null, other: Approvals | null): Approvals | null {
  if (one === null || other === null) return one ?? other;
  return approvalsOf({
    required: Math.max(one.required, other.required),
    above: stricterThresholds(one, other),
    for: [...one.for, ...other.for],
    without_factor: one.without_factor && other.without_factor,
  });
}

function stricterThresholds(one: Approvals, other: Approvals): Threshold[] {
  if (!one.for.includes('withdrawals')) return other.above;
  if (!other.for.includes('withdrawals')) return one.above;
  // An asset that one of the two does not name needs approvals always.
  return one.above.flatMap((entry) => {
    const amount_stroops = thresholdOf(other.above, entry);
    if (amount_stroops === undefined) return [];
    return amount_stroops < entry.amount_stroops ? [{ ...entry, amount_stroops }] : [entry];
  });
}

function thresholdOf(above: Threshold[], asset: AssetFields): bigint | undefined {
  return above.find((entry) => assetText(entry) === assetText(asset))?.amount_stroops;
}

export function sameApprovals(one: Approvals | null, other: Approvals | null): boolean {
  return approvalsText(one) === approvalsText(other);
}

/** Brings a rule into its one form: each kind once, the native asset first, then by code and issuer. */
export function approvalsOf({ required, above, for: kinds, without_factor }: Approvals): Approvals {
  const rank = (entry: AssetFields) => (entry.asset_issuer === null ? '' : assetText(entry));
  return {
    required,
    above: above.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)),
    for: APPROVED_KINDS.filter((kind) => kinds.includes(kind)),
    without_factor,
  };
}

/** Writes the rule as a column has it: JSON with the amounts as texts, because JSON numbers are doubles for many readers. */
export function approvalsText(approvals: Approvals | null): string | null {
  return (
    approvals && JSON.stringify(approvals, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  );
}

/** Reads a column that `approvalsText` has written. */
export function readApprovals(column: unknown): Approvals | null {
  if (column === null) return null;
  const {
    required,
    above,
    for: kinds,
    without_factor = false,
  } = column as Approvals & {
    above: (AssetFields & { amount_stroops: string })[];
  };
  return {
    required,
    above: above.map((entry) => ({ ...entry, amount_stroops: BigInt(entry.amount_stroops) })),
    for: kinds,
    without_factor,
  };
}
