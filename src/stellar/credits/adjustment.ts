/** The types of adjustments: what others do to an account without paying it. */
import type { Asset } from '../stellar.ts';

/** Reasons that lower a balance; each has an amount. */
export const LOSS_REASONS = ['clawback', 'contract_transfer', 'contract_burn'] as const;
/** What a trust line became; the amount is 0. */
export const LINE_REASONS = ['authorized', 'maintain_liabilities', 'authorization_revoked'] as const;
export const ADJUSTMENT_REASONS = [...LOSS_REASONS, ...LINE_REASONS] as const;
export type AdjustmentReason = (typeof ADJUSTMENT_REASONS)[number];

export type AdjustmentOperation =
  | 'clawback'
  | 'set_trust_line_flags'
  | 'allow_trust'
  | 'invoke_host_function';

type Place = { operation: AdjustmentOperation; operation_index: number; event_index: number };

export type Adjustment = Place & {
  account: string;
  asset_code: string;
  asset_issuer: string | null;
  /** What was taken; 0 for a change of the trust line. */
  amount_stroops: bigint;
  reason: AdjustmentReason;
  /** The account (G…) or contract (C…) that did it. */
  caused_by: string;
};

/** Somebody has set the authorization of a trust line, to what it was or to another. */
export type LineOrder = Place & { account: string; asset: Asset; caused_by: string };
