/** What is known after a run: the ledger, which is the truth, the rows, and what clients were told. */
import type { DepositEvidence } from './deposit-evidence.ts';
import type { AppliedTransaction } from './ledger.ts';
import type { WebhookEvidence } from './webhook-evidence.ts';

/** One body of a request; its serial number is in the amount, so that the ledger shows whose payment it is. */
export type Order = {
  serial: number;
  key: string;
  wallet_id: string;
  destination: string;
  /** `native` or CODE:ISSUER. */
  asset: string;
  amount_stroops: bigint;
  memo_id: bigint | null;
};

/** The withdrawal in an answer; what the API shows. */
export type ShownWithdrawal = {
  id: string;
  status: 'pending' | 'confirmed' | 'failed';
  stellar_tx_hash: string | null;
  inner_tx_hash: string | null;
  ledger: number | null;
  fee_stroops: bigint | null;
};

/** `lost`: the process died, or nobody knows what went wrong. `no`: nothing was started, or so it was said. */
export type Answer = { status: number; code: string; data: ShownWithdrawal | null };
export type Call = { order: Order; answer: Answer | null };

/** A refund, or an assignment to this address. */
export type InboxCall = {
  deposit_id: string;
  wallet_id: string;
  address_id: string | null;
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
  failure_code: string | null;
  refund_of: string | null;
  memo_return: string | null;
  /** As it is in the table. */
  state: string;
};

/** A row that changes a trust line. */
export type TrustLineRow = {
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

type Reconciliation = {
  wallet_id: string;
  asset_code: string;
  asset_issuer: string;
  difference_stroops: bigint;
  ledger: number;
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
    /** Of the issued asset, which it had nothing of; null where there is none. */
    issued: { asset: string; balance_stroops: bigint } | null;
  }[];
  rows: WithdrawalRow[];
  trust_lines: TrustLineRow[];
  tx_sources: {
    account: string;
    withdrawal_id: string | null;
    last_sequence: bigint | null;
    blocked_reason: string | null;
    sequence: bigint | null;
  }[];
  calls: Call[];
  inbox: InboxCall[];
  /** The last comparison of each wallet's books with its account, per asset; null where nobody asked for it. */
  reconciliations: Reconciliation[] | null;
  deposits: DepositEvidence;
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
