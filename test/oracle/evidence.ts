/** What is known after a run: the ledger, which is the truth, the rows, and what clients were told. */
import type { ApprovalEvidence, Decided } from './approval-evidence.ts';
import type { ChoiceEvidence } from './choice-checks.ts';
import type { DepositEvidence } from './deposit-evidence.ts';
import type { AppliedTransaction } from './ledger.ts';
import type { Order } from './order.ts';
import type { PayoutEvidence } from './payout-evidence.ts';
import type { WebhookEvidence } from './webhook-evidence.ts';

/** The withdrawal in an answer; what the API shows. */
export type ShownWithdrawal = {
  id: string;
  status: 'awaiting_approval' | 'pending' | 'confirmed' | 'failed';
  stellar_tx_hash: string | null;
  inner_tx_hash: string | null;
  ledger: number | null;
  fee_stroops: bigint | null;
};

/** `lost`: the process died, or nobody knows what went wrong. `no`: nothing was started, or so it was said. */
export type Answer = { status: number; code: string; data: ShownWithdrawal | null };
/** `asked_by`: the user or program that asked; absent where all callers are one. */
export type Call = { order: Order; answer: Answer | null; asked_by?: string };

/** A refund, or an assignment to this address. */
export type InboxCall = {
  asked_by?: string;
  deposit_id: string;
  wallet_id: string;
  address_id: string | null;
  answer: Answer | null;
};

/** What a member said about a withdrawal that awaits approvals, and the answer. */
export type DecisionCall = {
  withdrawal_id: string;
  wallet_id: string;
  user_id: string;
  decision: Decided['decision'];
  order_hash: string;
  /** By the true time. */
  asked_ms: number;
  answer: Answer | null;
};

export type WithdrawalRow = ShownWithdrawal & {
  wallet_id: string;
  idempotency_key: string;
  destination: string;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  memo_id: bigint | null;
  max_time: bigint | null;
  /** The ledger that the signer decided by. */
  signed_ledger: number | null;
  failure_code: string | null;
  failure_message: string | null;
  refund_of: string | null;
  memo_return: string | null;
  order_hash: string | null;
  decided: Decided[];
  /** When the withdrawal ends unless it is approved; null where it needs no approvals. */
  approval_ends_ms: number | null;
  /** As it is in the table. */
  state: string;
  /** The payout whose row it pays, and the number of the row; null: it is a single withdrawal. */
  payout_id: string | null;
  payout_row: number | null;
} & PaidFee &
  Budgeted;

/** Whom the row says to have paid the fee, and all of the fee; null for what no ledger has. */
export type PaidFee = {
  fee_paid_by: 'wallet' | 'channel' | 'treasury' | 'other' | null;
  fee_charged_stroops: bigint | null;
};

export type Budgeted = {
  /** The team. */
  owner_id: string;
  /** What the treasury was to pay when the order was claimed; null: nothing. */
  treasury_stroops: bigint | null;
  /** Since when it counts in limits of 24 hours: its approval, or its request. */
  counted_ms: number;
};

/** A row that changes a trust line. */
export type TrustLineRow = PaidFee &
  Budgeted & {
    id: string;
    wallet_id: string;
    idempotency_key: string;
    operation: 'add_trust_line' | 'remove_trust_line';
    asset_code: string;
    asset_issuer: string;
    status: string;
    inner_tx_hash: string | null;
    stellar_tx_hash: string | null;
    ledger: number | null;
    fee_stroops: bigint | null;
    max_time: bigint | null;
  };

/** What somebody asked for a trust line of a wallet. `made`: this request has added the trust line. */
export type AssetCall = {
  wallet_id: string;
  /** Of the wallet. The ledger still has it when a restored copy of the database no longer knows the wallet. */
  account: string;
  /** CODE:ISSUER */
  asset: string;
  wish: 'add' | 'remove';
  answer: { status: number; code: string; made: boolean } | null;
};

export type LineAuthorization = 'full' | 'maintain_liabilities' | 'none';

/** An asset as the service shows it for a wallet. */
export type ShownAsset = { wallet_id: string; asset: string; status: string };

/** What others did to a wallet without paying it. */
export type AdjustmentRow = {
  id: string;
  wallet_id: string;
  asset_code: string;
  asset_issuer: string | null;
  reason: string;
  amount_stroops: bigint;
  operation: string;
  caused_by: string;
  stellar_tx_hash: string;
  operation_index: number;
  event_index: number;
  ledger: number;
};

/** Of a wallet that pays nothing else. They were set before anything was paid, and stay. */
export type WalletLimits = {
  wallet_id: string;
  assets: { asset: string; max_withdrawal_stroops: bigint; max_rolling_24h_stroops: bigint }[];
};

type Reconciliation = {
  wallet_id: string;
  asset_code: string;
  asset_issuer: string;
  difference_stroops: bigint;
  ledger: number;
};

export type TreasuryEvidence = {
  account: string;
  /** What it paid for wallets all the time (TREASURY_PAYS); null when that has changed. */
  pays: { fees: boolean; reserves: boolean } | null;
  balance_stroops: bigint;
  /** What a channel holds at most, so that it pays its fees (CHANNEL_FEES=channel); null where channels pay none. */
  channel_stroops: bigint | null;
  /** How many reserves of others it pays, by its account. */
  sponsoring: number;
  /** The most that the treasury pays for one team in 24 hours; null: teams have different budgets. */
  daily_stroops: bigint | null;
};

/** The audit log of the service. */
export type AuditEvidence = {
  /** What "teller audit verify" says. */
  faults: string[];
  /** The entries about requested withdrawals and trust lines. */
  requested: { withdrawal_id: string; destination: string | null; amount_stroops: bigint | null }[];
  /** Whether every row has an entry: no process of a version without the log made one, and no operator restored one. */
  complete: boolean;
};

export type Evidence = {
  transactions: AppliedTransaction[];
  latest_ledger: number;
  latest_close_time: bigint;
  wallets: {
    id: string;
    account: string;
    /** Of the native asset, before anything was read. */
    opening_stroops: bigint;
    balance_stroops: bigint;
    /** Of issued assets, which it had nothing of; `authorization` is null where it has no trust line. */
    issued: { asset: string; balance_stroops: bigint; authorization: LineAuthorization | null }[];
  }[];
  rows: WithdrawalRow[];
  trust_lines: TrustLineRow[];
  adjustments: AdjustmentRow[];
  asset_calls: AssetCall[];
  /** Of all wallets, after the last event; null where nobody asked for them. */
  shown_assets: ShownAsset[] | null;
  /** Null where nobody looked at it. */
  treasury: TreasuryEvidence | null;
  /** The accounts of all channels, merged ones too. */
  channels: string[];
  tx_sources: {
    account: string;
    withdrawal_id: string | null;
    last_sequence: bigint | null;
    blocked_reason: string | null;
    sequence: bigint | null;
  }[];
  calls: Call[];
  limits: WalletLimits[];
  inbox: InboxCall[];
  decisions: DecisionCall[];
  approvals: ApprovalEvidence;
  payouts: PayoutEvidence;
  /** The last comparison of each wallet's books with its account, per asset; null where nobody asked for it. */
  reconciliations: Reconciliation[] | null;
  /** Days whose sums are not those of their rows, in words. */
  wrong_days: string[];
  audit: AuditEvidence;
  deposits: DepositEvidence;
  /** Outcomes of withdrawals, and who was told of them. */
  choices: ChoiceEvidence;
  webhooks: WebhookEvidence;
  /** Hashes of what others signed with our wallets' keys. */
  foreign: string[];
  /** The database was put back to an older copy: keys may be forgotten, and payments without a row. */
  restored: boolean;
};

/** Amounts end in the serial number of their order. */
const SERIALS = 100_000n;

export function amountOf(about_stroops: number, serial: number): bigint {
  return (BigInt(about_stroops) / SERIALS) * SERIALS + BigInt(serial);
}

export function serialOf(amount_stroops: bigint): number {
  return Number(amount_stroops % SERIALS);
}

/** `native` or CODE:ISSUER. The comparison of books has no issuer for the native asset. */
export function assetNameOf({
  asset_code,
  asset_issuer,
}: {
  asset_code: string;
  asset_issuer: string | null;
}): string {
  return asset_issuer ? `${asset_code}:${asset_issuer}` : asset_code;
}
