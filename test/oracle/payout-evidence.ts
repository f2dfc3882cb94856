/** What is known of payouts after a run: what was uploaded, what members were told, and each step as the database has noted it. */
import type { Asked, Decided, PolicyThen } from './approval-evidence.ts';
import type { ToldEvent } from './choice-checks.ts';
import type { Order } from './order.ts';

/** What is uploaded. No other file has its name; two uploads of one file have the same. */
export type PayoutFile = { name: string; wallet_id: string; confirm_duplicates: boolean; rows: Order[] };

export type PayoutCounts = Record<'waiting' | 'pending' | 'confirmed' | 'failed' | 'cancelled', number>;
/** The payout in an answer. */
export type ShownPayout = { id: string; status: string; row_count: number; counts: PayoutCounts };
export type PayoutAnswer = { status: number; code: string; data: ShownPayout | null };

/** `answer`: null when it was lost. */
export type PayoutUpload = { file: PayoutFile; answer: PayoutAnswer | null };

export type PayoutVerb = 'start' | 'pause' | 'resume' | 'cancel' | 'retry' | 'approve' | 'reject';
/** What somebody asked of a payout. `order_hash`: what a member has seen, for decisions. */
export type PayoutCall = {
  payout_id: string;
  wallet_id: string;
  verb: PayoutVerb;
  asked_by: string;
  order_hash: string | null;
  answer: PayoutAnswer | null;
};

/** `at`: the place among all notes about payouts. */
type Note = { at: number };

type Total = { asset_code: string; asset_issuer: string | null; amount_stroops: bigint };

/** A payout that is made (`was` null), changes its status, or gets a decision. `unsettled`: rows without an outcome then. */
export type PayoutStep = Note &
  Asked & {
    id: string;
    name: string;
    was: string | null;
    status: string;
    retry_of: string | null;
    row_count: number;
    rows_hash: string;
    approvals_required: number;
    had: Decided[];
    approvals: Decided[];
    order_hash: string | null;
    expires_ms: number | null;
    settled_ms: number | null;
    reason_code: string | null;
    unsettled: number;
    totals: Total[];
    policy: PolicyThen;
  };

/** A row that is made (`was` null) or changes its status. `payout_status`: that of its payout at that moment. */
export type PayoutRowStep = Note & {
  payout_id: string;
  number: number;
  was: string | null;
  status: string;
  withdrawal_id: string | null;
  failure_code: string | null;
  idempotency_key: string;
  payout_status: string;
};

/** A withdrawal that is made for a row. */
export type PayoutClaim = Note & {
  /** Of the withdrawal. */
  id: string;
  payout_id: string;
  payout_row: number;
  idempotency_key: string;
  payout_status: string;
  /** Of the payout. */
  approvals_required: number;
  payout_approvals: Decided[];
  /** Of the withdrawal. */
  approvals: Decided[];
  policy: PolicyThen;
};

/** As they are at the end. */
export type PayoutRow = {
  payout_id: string;
  number: number;
  idempotency_key: string;
  destination: string;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  memo_id: bigint | null;
  row_hash: string;
  status: keyof PayoutCounts;
  withdrawal_id: string | null;
  failure_code: string | null;
};
export type PayoutNow = {
  id: string;
  wallet_id: string;
  name: string;
  status: string;
  retry_of: string | null;
  row_count: number;
  rows_hash: string;
  requested_by: string | null;
  approvals: Decided[];
  approvals_required: number;
  order_hash: string | null;
  expires_ms: number | null;
};

export type PayoutEvidence = {
  uploads: PayoutUpload[];
  calls: PayoutCall[];
  /** As the service shows them, after the last event; null where nobody asked for them. */
  shown: ShownPayout[] | null;
  payouts: PayoutNow[];
  rows: PayoutRow[];
  steps: PayoutStep[];
  row_steps: PayoutRowStep[];
  claims: PayoutClaim[];
  /** Of `payout.completed`; `at` is that of audit.ts. */
  events: ToldEvent[];
  deliveries: { event_id: string; endpoint_id: string }[];
  /** Places of audit.ts at which payouts were completed. */
  completed_at: Map<string, number>;
};
