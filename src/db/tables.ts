/** Rows as PostgreSQL has them. Written by "npm run schema" from the migrated schema: do not edit. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export type Tables = {
  access_changes: {
    id: string;
    team_id: string;
    kind: 'members' | 'api_keys' | 'payees';
    operation: string;
    wallet_id: string | null;
    wallet_ids: string[] | null;
    target_id: string | null;
    change: string;
    order_hash: string;
    requested_by: string;
    approvals: ColumnType<
      {
        user_id: string;
        decision: 'approved' | 'rejected';
        comment: string | null;
        order_hash: string;
        at: string;
      }[],
      string | undefined,
      string
    >;
    created_at: Date;
    expires_at: Date;
  };
  address_activity: {
    address_id: string;
    wallet_id: string;
    latest_id: string;
  };
  adjustments: {
    id: string;
    wallet_id: string;
    asset_code: string;
    asset_issuer: string | null;
    reason:
      | 'clawback'
      | 'contract_transfer'
      | 'contract_burn'
      | 'authorized'
      | 'maintain_liabilities'
      | 'authorization_revoked';
    amount_stroops: bigint;
    operation: 'clawback' | 'set_trust_line_flags' | 'allow_trust' | 'invoke_host_function';
    caused_by: string;
    stellar_tx_hash: string;
    operation_index: number;
    event_index: Generated<number>;
    ledger: number;
    created_at: Generated<Date>;
  };
  alert_cursors: {
    chain: string;
    seq: bigint;
  };
  alert_old_webhooks: {
    id: Generated<bigint>;
    team_id: string;
    url: string;
    sealed_secret: Buffer;
    told_until: Date;
  };
  alert_settings: {
    team_id: string;
    kinds: string[] | null;
    url: string | null;
    sealed_secret: Buffer | null;
    disabled_reason: string | null;
    failing_since: Date | null;
    last_failed_at: Date | null;
    last_failure: string | null;
  };
  alert_thresholds: {
    team_id: string;
    asset_code: string;
    asset_issuer: string | null;
    amount_stroops: bigint;
  };
  alerts: {
    chain: string;
    seq: bigint;
    receiver: string;
    kind: string;
    attempts: Generated<number>;
    due_at: Date;
    created_at: Date;
  };
  api_keys: {
    id: string;
    wallet_id: string;
    name: string | null;
    key_hash: Buffer;
    prefix: string;
    last_four: string;
    scopes: string[] | null;
    allowed_ips: string[] | null;
    created_by: string | null;
    created_at: Generated<Date>;
    expires_at: Date | null;
    last_used_at: Date | null;
  };
  audit_heads: {
    chain: string;
    seq: bigint;
    hash: Buffer;
  };
  audit_log: {
    chain: string;
    seq: bigint;
    entry: string;
    hash: Buffer;
    id: GeneratedAlways<string>;
    at: GeneratedAlways<string>;
    action: GeneratedAlways<string>;
    actor_id: GeneratedAlways<string | null>;
    target_id: GeneratedAlways<string | null>;
    wallet_id: GeneratedAlways<string | null>;
  };
  channels: {
    account: string;
    id: string;
    sealed_seed: Buffer;
    sponsor: string;
    status: 'creating' | 'active' | 'retired' | 'merged';
    tx_hash: string | null;
    created_at: Generated<Date>;
  };
  decided_changes: {
    id: string;
    team_id: string;
    kind: 'policy_change' | 'members' | 'api_keys' | 'payees';
    wallet_ids: string[] | null;
    outcome: 'approved' | 'not_needed' | 'rejected' | 'approval_expired' | 'requester_removed' | 'cancelled';
    change: string;
    decided_at: Date;
  };
  deposit_addresses: {
    id: string;
    wallet_id: string;
    memo_id: bigint;
    label: string | null;
    metadata: string | null;
    metadata_version: Generated<number>;
    created_at: Generated<Date>;
  };
  deposit_cursor: {
    singleton: Generated<boolean>;
    ledger: number;
    ledger_hash: string | null;
    close_time: bigint | null;
    stop_reason: string | null;
    updated_at: Generated<Date>;
  };
  deposit_days: {
    wallet_id: string;
    day: Date;
    asset_code: string;
    asset_issuer: string | null;
    deposits: number;
    stroops: bigint;
    own_funds: number;
    own_funds_stroops: bigint;
  };
  deposit_minimums: {
    wallet_id: string;
    asset_code: string;
    asset_issuer: string | null;
    amount_stroops: bigint;
  };
  deposit_positions: {
    ledger: number;
    ledger_hash: string;
    close_time: bigint;
  };
  deposits: {
    id: string;
    wallet_id: string;
    address_id: string | null;
    metadata_version: number | null;
    asset_code: string;
    asset_issuer: string | null;
    amount_stroops: bigint;
    below_minimum: Generated<boolean>;
    source_account: string;
    source_account_muxed: string | null;
    stellar_tx_hash: string;
    operation_index: number;
    event_index: Generated<number>;
    kind: Generated<
      | 'payment'
      | 'create_account'
      | 'path_payment_strict_send'
      | 'path_payment_strict_receive'
      | 'account_merge'
      | 'contract_transfer'
      | 'contract_mint'
    >;
    memo_id: bigint | null;
    memo_type: Generated<'none' | 'id' | 'text' | 'hash' | 'return'>;
    memo: string | null;
    ledger: number;
    attributed: boolean;
    assigned_by_hand: Generated<boolean>;
    created_at: Generated<Date>;
  };
  factor_challenges: {
    id: Generated<bigint>;
    token_hash: Buffer | null;
    user_id: string;
    purpose: 'login' | 'step_up' | 'register';
    session_id: string | null;
    verified_hash: string | null;
    device: string | null;
    failures: Generated<number>;
    passkey_challenge: string;
    expires_at: Date;
  };
  idempotent_requests: {
    owner_id: string;
    operation: string;
    key_hash: Buffer;
    body_hash: Buffer;
    claim_id: string;
    state: Generated<'in_flight' | 'made'>;
    lease_until: Date;
    target_kind: string | null;
    target_id: string | null;
    status: number | null;
    answer: string | null;
    created_at: Date;
  };
  installation: {
    singleton: Generated<boolean>;
    network: string;
    passphrase: string;
    key_check: Buffer;
    provider_check: Buffer | null;
    start_ledger: number;
    start_ledger_hash: string;
    created_at: Generated<Date>;
  };
  invitation_mails: {
    email_folded: string;
    mailed_at: Date;
  };
  key_providers: {
    key_check: Buffer;
    kind: 'aws-kms' | 'pkcs11';
    key: string;
    wrapped: Buffer;
    since: Date;
    left_at: Date | null;
  };
  known_passwords: {
    user_id: string;
    known_to: string[];
    old_factors: string[] | null;
    ended_at: Date | null;
  };
  leaderships: {
    work: string;
    term: bigint;
    leader: string;
    moved_at: Date;
    disputed_at: Date | null;
  };
  login_failure_counts: {
    key: string;
    failures: number;
    failed_at: Date;
  };
  master_keys: {
    key_check: Buffer;
    sealing_since: Date;
    left_at: Date | null;
  };
  payees: {
    id: string;
    team_id: string;
    name: string;
    destination: string;
    memo_id: bigint | null;
    asset_code: string | null;
    asset_issuer: string | null;
    note: string | null;
    created_by: string;
    created_at: Date;
    named_at: Date;
    paid_before: Date | null;
    deleted_at: Date | null;
  };
  payout_rows: {
    payout_id: string;
    number: number;
    owner_id: string;
    idempotency_key: string;
    destination: string;
    amount_stroops: bigint;
    asset_code: Generated<string>;
    asset_issuer: string | null;
    memo_id: bigint | null;
    reference: string | null;
    row_hash: string;
    status: Generated<'waiting' | 'pending' | 'confirmed' | 'failed' | 'cancelled'>;
    withdrawal_id: string | null;
    failure_code: string | null;
    failure_message: string | null;
  };
  payouts: {
    id: string;
    wallet_id: string;
    owner_id: string;
    name: string;
    status: 'draft' | 'awaiting_approval' | 'running' | 'paused' | 'completed' | 'cancelled';
    reason_code: string | null;
    reason: string | null;
    retry_of: string | null;
    row_count: number;
    rows_hash: string;
    created_by: string;
    created_at: Date;
    requested_by: string | null;
    requested_at: Date | null;
    approvals_required: Generated<number>;
    approvals_cause: 'amount' | 'sum' | null;
    approvals: ColumnType<
      {
        user_id: string;
        decision: 'approved' | 'rejected';
        comment: string | null;
        order_hash: string;
        at: string;
      }[],
      string | undefined,
      string
    >;
    order_hash: string | null;
    approval_expires_at: Date | null;
    approved_at: Date | null;
    started_at: Date | null;
    settled_at: Date | null;
  };
  policy_changes: {
    id: string;
    wallet_id: string;
    field:
      | 'frozen'
      | 'max_withdrawal_stroops'
      | 'max_rolling_24h_stroops'
      | 'limits'
      | 'destinations'
      | 'approvals';
    asset_code: string | null;
    asset_issuer: string | null;
    limit_stroops: bigint | null;
    max_withdrawal_stroops: bigint | null;
    max_rolling_24h_stroops: bigint | null;
    destination: string | null;
    new_approvals: ColumnType<unknown, string | null, never>;
    requested_by: string;
    created_at: Date;
    takes_effect_at: Date;
    approvals_required: number;
    approvals: ColumnType<
      {
        user_id: string;
        decision: 'approved' | 'rejected';
        comment: string | null;
        order_hash: string;
        at: string;
      }[],
      string,
      never
    >;
    expires_at: Date | null;
    approved_at: Date | null;
  };
  quarantined_transactions: {
    hash: string;
    ledger: number;
    reason: string;
    envelope_xdr: string;
    result_xdr: string;
    meta_xdr: string | null;
    created_at: Generated<Date>;
    resolved_at: Date | null;
    dismissed_at: Date | null;
    dismissed_reason: string | null;
  };
  reconciliations: {
    wallet_id: string;
    asset_code: string;
    asset_issuer: Generated<string>;
    ledger: number;
    opening_stroops: Generated<bigint>;
    opening_reason: string | null;
    deposits_stroops: bigint;
    withdrawals_stroops: bigint;
    adjustments_stroops: Generated<bigint>;
    fees_stroops: bigint;
    balance_stroops: bigint;
    difference_stroops: bigint;
    agreed_ledger: number | null;
    may_explain: ColumnType<unknown, string | null | undefined, string | null>;
    summed_at: Date | null;
    checked_at: Date;
  };
  recovery_codes: {
    user_id: string;
    code_hash: Buffer;
  };
  replaced_metadata: {
    address_id: string;
    version: number;
    metadata: string | null;
  };
  second_factors: {
    id: string;
    user_id: string;
    kind: 'totp' | 'passkey';
    name: string;
    created_at: Date;
    confirmed_at: Date | null;
    last_used_at: Date | null;
    begun_by: string | null;
    wrong_codes: Generated<number>;
    sealed_secret: Buffer | null;
    last_step: bigint | null;
    credential_id: string | null;
    public_key: Buffer | null;
    counter: bigint | null;
    transports: string[] | null;
    device_type: string | null;
    backed_up: boolean | null;
    aaguid: string | null;
    rp_id: string | null;
  };
  service_user_credentials: {
    service_user_id: string;
    credential: string;
    known_to: string[];
    ended_at: Date | null;
  };
  service_user_secrets: {
    id: string;
    service_user_id: string;
    secret_hash: Buffer;
    last_four: string;
    created_at: Generated<Date>;
    last_used_at: Date | null;
  };
  service_user_tokens: {
    id: string;
    service_user_id: string;
    credential: string;
    created_at: Generated<Date>;
    expires_at: Date;
  };
  service_users: {
    id: string;
    team_id: string;
    name: string;
    role: 'admin' | 'operator' | 'approver' | 'developer' | 'auditor' | 'viewer';
    wallet_ids: string[] | null;
    allowed_ips: string[] | null;
    public_keys: Generated<string>;
    created_by: string | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
    disabled_at: Date | null;
    disabled_by: 'team' | 'operator' | null;
    removed_at: Date | null;
  };
  sessions: {
    id: string;
    user_id: string;
    kind: 'browser' | 'program';
    device: string | null;
    ip: string | null;
    renewals: Generated<number>;
    renewed_at: Date | null;
    factor_at: Date | null;
    last_used_at: Date | null;
    created_at: Generated<Date>;
    expires_at: Date;
  };
  team_invitations: {
    id: string;
    team_id: string;
    email: string;
    email_folded: string;
    role: 'owner' | 'admin' | 'operator' | 'approver' | 'developer' | 'auditor' | 'viewer';
    wallet_ids: string[] | null;
    token_hash: Buffer;
    invited_by: string;
    known_to: string[];
    created_at: Generated<Date>;
    expires_at: Date;
    accepted_at: Date | null;
    revoked_at: Date | null;
  };
  team_members: {
    user_id: string;
    team_id: string;
    role: 'owner' | 'admin' | 'operator' | 'approver' | 'developer' | 'auditor' | 'viewer';
    email_folded: string;
    wallet_ids: string[] | null;
    joined_at: Generated<Date>;
    rights_since: Date | null;
    left_at: Date | null;
  };
  team_usage: {
    team_id: string;
    wallets: Generated<bigint>;
    addresses: Generated<bigint>;
  };
  teams: {
    id: string;
    name: string;
    second_factor_required: Generated<boolean>;
    created_at: Generated<Date>;
  };
  treasury: {
    account: string;
    id: string;
    sealed_seed: Buffer;
    ledger: Generated<number>;
    tx_hash: string | null;
    envelope_xdr: string | null;
    max_time: bigint | null;
    signed_ledger: number | null;
    created_at: Generated<Date>;
  };
  treasury_budgets: {
    team_id: string;
    daily_stroops: bigint | null;
  };
  tx_sources: {
    account: string;
    kind: Generated<'wallet' | 'channel'>;
    withdrawal_id: string | null;
    last_sequence: bigint | null;
    blocked_reason: string | null;
  };
  unmatched_transactions: {
    hash: string;
    wallet_id: string;
    ledger: number;
    envelope_xdr: string;
    result_xdr: string;
    key_fingerprint: number | null;
    refunds_hash: string | null;
    withdrawal_id: string | null;
    found_at: Generated<Date>;
    resolved_at: Date | null;
    released_at: Date | null;
  };
  unread_wallets: {
    hash: string;
    wallet_id: string;
  };
  used_assertions: {
    service_user_id: string;
    jti_hash: Buffer;
    expires_at: Date;
  };
  users: {
    id: string;
    email: string;
    email_folded: string;
    name: string;
    password_hash: string;
    enabled_password_hash: string | null;
    password_of_team: Generated<boolean>;
    factor_failures: Generated<number>;
    last_login_at: Date | null;
    disabled_at: Date | null;
    created_at: Generated<Date>;
  };
  wallet_policies: {
    wallet_id: string;
    frozen: Generated<boolean>;
    limits: ColumnType<unknown, string | null | undefined, string | null>;
    destinations: string[] | null;
    approvals: ColumnType<unknown, string | null | undefined, string | null>;
    operator_frozen_at: Date | null;
    operator_freeze_reason: string | null;
  };
  wallets: {
    id: string;
    owner_id: string;
    name: string;
    network: 'sandbox' | 'testnet' | 'public';
    account: string;
    sealed_seed: Buffer;
    funded_at: Date | null;
    numeric_memo_text: Generated<boolean>;
    inserted_xid: Generated<string>;
    created_at: Generated<Date>;
  };
  webhook_attempts: {
    delivery_id: string;
    number: number;
    started_at: Date;
    duration_ms: number;
    status_code: number | null;
    error: string | null;
    response_body: string | null;
    request_headers: Record<string, string> | null;
  };
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
    leased_until: Date | null;
    settled_at: Date | null;
    created_at: Generated<Date>;
  };
  webhook_endpoints: {
    id: string;
    wallet_id: string;
    url: string;
    description: string | null;
    events: Generated<string[]>;
    enabled: Generated<boolean>;
    disabled_reason: string | null;
    sealed_secret: Buffer;
    failing_since: Date | null;
    last_failed_at: Date | null;
    examined_until: Date | null;
    exam_passed_at: Date | null;
    created_by_kind: 'user' | 'service_user' | 'api_key';
    created_by_id: string;
    created_by_name: string | null;
    created_at: Generated<Date>;
    deleted_at: Date | null;
  };
  webhook_events: {
    id: string;
    wallet_id: string;
    sequence: bigint;
    type: string;
    deposit_id: string | null;
    body: Buffer;
    traceparent: string | null;
    created_at: Generated<Date>;
  };
  webhook_old_secrets: {
    id: Generated<bigint>;
    endpoint_id: string;
    sealed_secret: Buffer;
    signs_until: Date;
  };
  webhook_sequences: {
    owner_id: string;
    last: bigint;
  };
  withdrawal_cursor: {
    singleton: Generated<boolean>;
    ledger: number;
    ledger_hash: string | null;
    close_time: bigint;
    sign_after: Generated<bigint>;
    longest_valid_seconds: Generated<number>;
    stop_reason: string | null;
    database_timeline: Generated<string>;
    updated_at: Generated<Date>;
  };
  withdrawal_days: {
    wallet_id: string;
    day: Date;
    asset_code: string;
    asset_issuer: string | null;
    withdrawals: number;
    stroops: bigint;
    fees_stroops: bigint;
  };
  withdrawals: {
    id: string;
    wallet_id: string;
    owner_id: string;
    idempotency_key: string;
    status: 'awaiting_approval' | 'queued' | 'signed' | 'confirmed' | 'failed';
    operation:
      | 'payment'
      | 'create_account'
      | 'asset_payment'
      | 'contract_transfer'
      | 'add_trust_line'
      | 'remove_trust_line';
    destination: string;
    amount_stroops: bigint;
    asset_code: Generated<string>;
    asset_issuer: string | null;
    memo_id: bigint | null;
    memo_return: string | null;
    refund_of: string | null;
    payee_id: string | null;
    reference: string | null;
    payout_id: string | null;
    payout_row: number | null;
    requested_by: string | null;
    approvals_required: number;
    approvals_cause: 'amount' | 'sum' | null;
    approvals: ColumnType<
      {
        user_id: string;
        decision: 'approved' | 'rejected';
        comment: string | null;
        order_hash: string;
        at: string;
      }[],
      string | undefined,
      never
    >;
    order_hash: string | null;
    approval_expires_at: Date | null;
    approved_at: Date | null;
    tx_source: string | null;
    sequence: bigint | null;
    soroban_data: string | null;
    resource_fee_stroops: bigint | null;
    treasury_stroops: bigint | null;
    envelope_xdr: string | null;
    inner_tx_hash: string | null;
    stellar_tx_hash: string | null;
    fee_bump_hashes: Generated<string[]>;
    fee_bid_stroops: bigint | null;
    max_time: bigint | null;
    signed_ledger: number | null;
    ledger: number | null;
    fee_stroops: bigint | null;
    fee_charged_stroops: bigint | null;
    fee_paid_by: 'wallet' | 'channel' | 'treasury' | 'other' | null;
    failure_code: string | null;
    failure_message: string | null;
    traceparent: string | null;
    leased_until: Date;
    created_at: Generated<Date>;
    signed_at: Date | null;
    committed_at: Date | null;
    settled_at: Date | null;
  };
  address_labels: Pick<Tables['deposit_addresses'], 'id' | 'wallet_id' | 'memo_id' | 'label' | 'metadata'>;
  adjustment_movements: Pick<
    Tables['adjustments'],
    | 'id'
    | 'wallet_id'
    | 'asset_code'
    | 'asset_issuer'
    | 'reason'
    | 'amount_stroops'
    | 'caused_by'
    | 'stellar_tx_hash'
    | 'created_at'
  >;
  allowed_destinations: Pick<Tables['policy_changes'], 'wallet_id' | 'destination'>;
  approval_needs: Pick<Tables['wallet_policies'], 'wallet_id' | 'approvals'>;
  audit_entries: Pick<Tables['audit_log'], 'chain' | 'seq' | 'entry' | 'hash' | 'action'>;
  audit_tails: Pick<Tables['audit_heads'], 'chain' | 'seq'>;
  deposit_movements: Pick<
    Tables['deposits'],
    | 'id'
    | 'wallet_id'
    | 'address_id'
    | 'asset_code'
    | 'asset_issuer'
    | 'amount_stroops'
    | 'below_minimum'
    | 'source_account'
    | 'stellar_tx_hash'
    | 'kind'
    | 'memo_id'
    | 'memo_type'
    | 'memo'
    | 'attributed'
    | 'assigned_by_hand'
    | 'created_at'
  >;
  fees_in_flight: Pick<Tables['withdrawals'], 'wallet_id' | 'fee_bid_stroops' | 'resource_fee_stroops'>;
  known_payees: Pick<Tables['payees'], 'id' | 'team_id' | 'destination' | 'memo_id'>;
  member_roles: Pick<Tables['team_members'], 'user_id' | 'team_id' | 'role'>;
  payee_payments: Pick<
    Tables['withdrawals'],
    'payee_id' | 'wallet_id' | 'asset_code' | 'asset_issuer' | 'amount_stroops' | 'settled_at'
  >;
  payments_to_destinations: Pick<
    Tables['withdrawals'],
    'wallet_id' | 'destination' | 'memo_id' | 'settled_at'
  >;
  refundable_deposits: Pick<
    Tables['deposits'],
    | 'id'
    | 'wallet_id'
    | 'asset_code'
    | 'asset_issuer'
    | 'amount_stroops'
    | 'source_account'
    | 'source_account_muxed'
    | 'stellar_tx_hash'
    | 'attributed'
  >;
  refunds: Pick<Tables['withdrawals'], 'id' | 'refund_of' | 'status' | 'stellar_tx_hash'>;
  team_names: Pick<Tables['teams'], 'id' | 'name'>;
  user_addresses: Pick<Tables['users'], 'id' | 'email' | 'disabled_at'>;
  wallet_accounts: Pick<Tables['wallets'], 'id' | 'account' | 'numeric_memo_text' | 'created_at'>;
  wallet_assets: Pick<Tables['withdrawals'], 'wallet_id' | 'asset_code' | 'asset_issuer'>;
  wallet_keys: Pick<Tables['wallets'], 'id' | 'account' | 'sealed_seed'>;
  wallet_owners: Pick<Tables['wallets'], 'id' | 'owner_id'>;
  withdrawal_bookings: Pick<
    Tables['withdrawals'],
    | 'id'
    | 'wallet_id'
    | 'status'
    | 'asset_code'
    | 'asset_issuer'
    | 'amount_stroops'
    | 'fee_stroops'
    | 'stellar_tx_hash'
    | 'ledger'
    | 'created_at'
  >;
  withdrawal_movements: Pick<
    Tables['withdrawals'],
    | 'id'
    | 'wallet_id'
    | 'owner_id'
    | 'idempotency_key'
    | 'reference'
    | 'payout_id'
    | 'payout_row'
    | 'status'
    | 'operation'
    | 'destination'
    | 'amount_stroops'
    | 'asset_code'
    | 'asset_issuer'
    | 'fee_stroops'
    | 'memo_id'
    | 'stellar_tx_hash'
    | 'inner_tx_hash'
    | 'ledger'
    | 'created_at'
  >;
};
