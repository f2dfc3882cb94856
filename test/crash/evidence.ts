/** What the parties know after a run: the client, the receiver, the service's rows, and the ledger, which is the truth. */
import type { LedgerTruth } from '../support/ledger-truth.ts';

export type Order = {
  key: string;
  wallet_id: string;
  /** With `memo_id` unique among all orders: the ledger shows which order a payment belongs to. */
  destination: string;
  amount_stroops: bigint;
  memo_id: bigint | null;
};

/** A withdrawal as an answer of the API has it. */
export type Shown = {
  id: string;
  wallet_id: string;
  status: 'pending' | 'confirmed' | 'failed';
  stellar_tx_hash: string | null;
  inner_tx_hash: string | null;
  destination: string;
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
export type Said = { key: string; http_status: number; data: Shown };

export type Deposit = {
  id: string;
  wallet_id: string;
  address_id: string | null;
  amount_stroops: bigint;
  source_account: string;
  stellar_tx_hash: string;
  memo_id: bigint | null;
  ledger: bigint;
  attributed: boolean;
};

export type Wallet = {
  id: string;
  account: string;
  /** Of the account on the ledger; 0 when there is none. */
  balance_stroops: bigint;
  addresses: { id: string; memo_id: bigint }[];
  deposits: Deposit[];
  withdrawals: Shown[];
  endpoints: { id: string; url: string; signing_secret: string; deliveries: { status: string }[] }[];
};

/** A webhook as the receiver got it, and what it answered: null is no answer. */
export type Receipt = {
  url: string;
  body: string;
  signature: string;
  webhook_id: string;
  answered: number | null;
};

export type Evidence = {
  ledger: LedgerTruth;
  wallets: Wallet[];
  orders: Order[];
  /** In the order in which they were heard. */
  said: Said[];
  receipts: Receipt[];
  /** Hashes of transactions that payers saw applied. */
  seen_by_payers: string[];
};
