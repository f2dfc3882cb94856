/** What is known of deposits after a run, beside the ledger. Places (`at`) are those of transactions in the order of their commits. */

/** An address as its company was told of it. */
export type ReturnedAddress = {
  id: string;
  wallet_id: string;
  account: string;
  memo_id: bigint;
  metadata: string | null;
};

export type DepositRow = {
  id: string;
  wallet_id: string;
  address_id: string | null;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  source_account: string;
  source_account_muxed: string | null;
  stellar_tx_hash: string;
  operation_index: number;
  event_index: number;
  kind: string;
  memo_id: bigint | null;
  memo_type: string;
  memo: string | null;
  ledger: number;
  attributed: boolean;
  assigned_by_hand: boolean;
};

export type DepositEvidence = {
  /** Nothing in it or before it is a deposit. */
  start_ledger: number;
  cursor: { ledger: number; stop_reason: string | null };
  /** Every ledger that the cursor was moved to, in this order. */
  moves: number[];
  rows: DepositRow[];
  addresses: Omit<ReturnedAddress, 'account'>[];
  returned_addresses: ReturnedAddress[];
  wallets: { id: string; account: string; numeric_memo_text: boolean }[];
  events: { id: string; wallet_id: string; body: string; at: number }[];
  deliveries: { event_id: string; endpoint_id: string }[];
  /** `events`: the types that it has chosen. */
  endpoints: { id: string; wallet_id: string; events: string[]; at: number; gone_at: number | null }[];
  /** Hashes of transactions that nobody could read. */
  quarantined: string[];
};
