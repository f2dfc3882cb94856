/** What is known after a run: the oracle's evidence, and what clients saw over HTTP, who know no database. */
import type { Evidence } from '../oracle/evidence.ts';

/** A withdrawal as an answer of the API has it. */
export type ApiWithdrawal = {
  id: string;
  wallet_id: string;
  status: 'pending' | 'confirmed' | 'failed';
  stellar_tx_hash: string | null;
  inner_tx_hash: string | null;
  destination: string;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  memo_id: bigint | null;
  ledger: bigint | null;
  fee_stroops: bigint | null;
  failure: { code: string } | null;
  idempotency_key: string;
  created_at: string;
  expires_at: string | null;
  settled_at: string | null;
};

/** An answer about a withdrawal, while the service was being killed or after: to its call, or 200 to a look at it. */
export type WithdrawalAnswer = { key: string; http_status: number; data: ApiWithdrawal };

export type ApiDeposit = {
  id: string;
  wallet_id: string;
  address_id: string | null;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  source_account: string;
  stellar_tx_hash: string;
  memo_id: bigint | null;
  ledger: bigint;
  attributed: boolean;
};

/** The secret is the last one that its owner was given. */
export type ApiEndpoint = {
  id: string;
  url: string;
  signing_secret: string;
  deliveries: { status: string }[];
};

export type ApiWallet = {
  id: string;
  account: string;
  deposits: ApiDeposit[];
  withdrawals: ApiWithdrawal[];
  endpoints: ApiEndpoint[];
};

export type ClientEvidence = {
  /** As the API lists them at rest. */
  wallets: ApiWallet[];
  /** In the order in which they were heard. */
  answers: WithdrawalAnswer[];
  /** Hashes of transactions that payers saw applied. */
  seen_by_payers: string[];
};

export type CrashEvidence = Evidence & { clients: ClientEvidence };
