import type { ColumnType, Generated } from 'kysely';
import type { CreditKind, MemoType } from '../stellar/credits/credit.ts';

/** Written by the database or by us; a Date in, a Date out. */
type CreatedAt = Generated<Date>;
/** timestamptz that starts as null. */
type Later = ColumnType<Date | null, Date | null | undefined, Date | null>;
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

export type Tables = {
  installation: {
    singleton: Generated<boolean>;
    network: string;
    passphrase: string;
    key_check: Buffer;
    start_ledger: number;
    start_hash: Nullable<string>;
    created_at: CreatedAt;
  };
  users: { id: string; email: string; name: string; password_hash: string; created_at: CreatedAt };
  sessions: { id: string; user_id: string; created_at: CreatedAt; expires_at: Date };
  login_failures: { id: Generated<bigint>; email: string; ip: string; failed_at: CreatedAt };
  wallets: {
    id: string;
    owner_id: string;
    name: string;
    network: 'sandbox' | 'testnet' | 'public';
    account: string;
    sealed_seed: Buffer;
    funded_at: Later;
    numeric_memo_text: Generated<boolean>;
    inserted_xid: Generated<string>;
    created_at: CreatedAt;
  };
  api_keys: {
    wallet_id: string;
    key_hash: Buffer;
    prefix: string;
    last_four: string;
    created_at: CreatedAt;
    last_used_at: Later;
  };
  deposit_addresses: {
    id: string;
    wallet_id: string;
    memo_id: bigint;
    label: Nullable<string>;
    metadata: Nullable<string>;
    created_at: CreatedAt;
  };
  deposit_cursor: {
    singleton: Generated<boolean>;
    ledger: number;
    ledger_hash: Nullable<string>;
    close_time: Nullable<bigint>;
    stop_reason: Nullable<string>;
    updated_at: CreatedAt;
  };
  deposit_positions: { ledger: number; ledger_hash: string; close_time: bigint };
  quarantined_transactions: {
    hash: string;
    ledger: number;
    reason: string;
    envelope_xdr: string;
    result_xdr: string;
    meta_xdr: Nullable<string>;
    created_at: CreatedAt;
    resolved_at: Later;
    dismissed_at: Later;
    dismissed_reason: Nullable<string>;
  };
  reconciliations: {
    wallet_id: string;
    asset_code: string;
    asset_issuer: Generated<string>;
    ledger: number;
    opening_stroops: Generated<bigint>;
    opening_reason: Nullable<string>;
    deposits_stroops: bigint;
    withdrawals_stroops: bigint;
    fees_stroops: bigint;
    balance_stroops: bigint;
    difference_stroops: bigint;
    agreed_ledger: Nullable<number>;
    may_explain: ColumnType<unknown, string | null | undefined, string | null>;
    checked_at: Date;
  };
  deposits: {
    id: string;
    wallet_id: string;
    address_id: Nullable<string>;
    asset_code: string;
    asset_issuer: Nullable<string>;
    amount_stroops: bigint;
    source_account: string;
    source_account_muxed: Nullable<string>;
    stellar_tx_hash: string;
    operation_index: number;
    event_index: Generated<number>;
    kind: Generated<CreditKind>;
    memo_id: Nullable<bigint>;
    memo_type: Generated<MemoType>;
    memo: Nullable<string>;
    ledger: number;
    attributed: boolean;
    assigned_by_hand: Generated<boolean>;
    created_at: CreatedAt;
  };
  tx_sources: {
    account: string;
    kind: Generated<'wallet' | 'channel'>;
    holder: Nullable<string>;
    last_sequence: Nullable<bigint>;
    blocked_reason: Nullable<string>;
  };
  treasury: {
    account: string;
    id: string;
    sealed_seed: Buffer;
    ledger: Generated<number>;
    tx_hash: Nullable<string>;
    envelope_xdr: Nullable<string>;
    max_time: Nullable<bigint>;
    signed_ledger: Nullable<number>;
    created_at: CreatedAt;
  };
  channels: {
    account: string;
    id: string;
    sealed_seed: Buffer;
    sponsor: string;
    status: 'creating' | 'active' | 'retired' | 'merged';
    tx_hash: Nullable<string>;
    created_at: CreatedAt;
  };
  withdrawal_cursor: {
    singleton: Generated<boolean>;
    ledger: number;
    close_time: bigint;
    ledger_hash: Nullable<string>;
    sign_after: Generated<bigint>;
    stop_reason: Nullable<string>;
    database_timeline: Generated<string>;
    updated_at: CreatedAt;
  };
  unmatched_transactions: {
    hash: string;
    wallet_id: string;
    ledger: number;
    envelope_xdr: string;
    result_xdr: string;
    found_at: CreatedAt;
    resolved_at: Later;
    withdrawal_id: Nullable<string>;
  };
  withdrawals: {
    id: string;
    wallet_id: string;
    owner_id: string;
    idempotency_key: string;
    status: 'queued' | 'signed' | 'confirmed' | 'failed';
    operation: 'payment' | 'create_account';
    destination: string;
    amount_stroops: bigint;
    memo_id: Nullable<bigint>;
    tx_source: Nullable<string>;
    sequence: Nullable<bigint>;
    envelope_xdr: Nullable<string>;
    inner_tx_hash: Nullable<string>;
    stellar_tx_hash: Nullable<string>;
    fee_bump_hashes: Generated<string[]>;
    fee_bid_stroops: Nullable<bigint>;
    max_time: Nullable<bigint>;
    signed_ledger: Nullable<number>;
    ledger: Nullable<number>;
    fee_stroops: Nullable<bigint>;
    failure_code: Nullable<string>;
    failure_message: Nullable<string>;
    leased_until: ColumnType<Date, Date, Date>;
    refund_of: Nullable<string>;
    memo_return: Nullable<string>;
    created_at: CreatedAt;
    signed_at: Later;
    committed_at: Later;
    settled_at: Later;
  };
  wallet_policies: {
    wallet_id: string;
    frozen: Generated<boolean>;
    max_withdrawal_stroops: Nullable<bigint>;
    max_rolling_24h_stroops: Nullable<bigint>;
    destinations: Nullable<string[]>;
  };
  policy_changes: {
    id: string;
    wallet_id: string;
    field: 'frozen' | 'max_withdrawal_stroops' | 'max_rolling_24h_stroops' | 'destinations';
    limit_stroops: Nullable<bigint>;
    destination: Nullable<string>;
    created_at: Date;
    takes_effect_at: Date;
  };
  webhook_endpoints: {
    id: string;
    wallet_id: string;
    url: string;
    description: Nullable<string>;
    enabled: Generated<boolean>;
    disabled_reason: Nullable<string>;
    sealed_secret: Buffer;
    failing_since: Later;
    failed_at: Later;
    deleted_at: Later;
    created_at: CreatedAt;
  };
  webhook_old_secrets: {
    id: Generated<bigint>;
    endpoint_id: string;
    sealed_secret: Buffer;
    signs_until: Date;
  };
  webhook_events: {
    id: string;
    wallet_id: string;
    sequence: bigint;
    type: string;
    deposit_id: Nullable<string>;
    body: Buffer;
    created_at: CreatedAt;
  };
  webhook_sequences: { owner_id: string; last: bigint };
  webhook_deliveries: {
    id: string;
    event_id: string;
    endpoint_id: string;
    sequence: bigint;
    status: Generated<'pending' | 'delivered' | 'failed'>;
    attempts: Generated<number>;
    schedule_step: Generated<number>;
    log_pruned: Generated<boolean>;
    next_attempt_at: Generated<Date>;
    leased_until: Later;
    settled_at: Later;
    created_at: CreatedAt;
  };
  webhook_attempts: {
    delivery_id: string;
    number: number;
    started_at: Date;
    duration_ms: number;
    status_code: Nullable<number>;
    error: Nullable<string>;
    response_body: Nullable<string>;
    request_headers: Nullable<Record<string, string>>;
  };
};
