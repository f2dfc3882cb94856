// Written by scripts/contract.ts from docs/openapi.json.

export type Error = {
  statusCode: number;
  message: string;
  error: {
    code: "invalid_json" | "invalid_request" | "idempotency_key_missing" | "idempotency_key_invalid" | "ambiguous_destination" | "memo_required" | "webhook_url_not_public" | "unauthenticated" | "login_required" | "wrong_credentials" | "not_found" | "idempotency_key_reused" | "idempotency_key_in_flight" | "idempotency_key_mismatch" | "deposit_attributed" | "deposit_refunded" | "body_too_large" | "unsupported_media_type" | "misdirected_request" | "wallet_unfunded" | "policy_frozen" | "policy_amount_limit" | "policy_daily_limit" | "policy_destination_not_allowed" | "refund_not_possible" | "sandbox_payment_failed" | "too_many_endpoints" | "endpoint_disabled" | "sequence_unknown" | "too_many_logins" | "too_many_waiting" | "internal_error" | "network_unavailable" | "database_unavailable" | "outcome_pending";
    details?: {
      path: string;
      message: string;
    }[];
    request_id: string;
  };
};

/** Stroops; 10,000,000 are one unit of the native asset. */
export type Stroops = bigint;

/** Unsigned 64-bit integer; may exceed 2^53. */
export type MemoId = bigint;

/** Any JSON object (≤ 16 KiB); returned exactly as given. */
export type Metadata = Record<string, unknown>;

export type User = {
  id: string;
  email: string;
  name: string;
  created_at: string;
};

export type ReconciliationItem = {
  asset_code: string;
  asset_issuer: string | null;
  opening_stroops: bigint;
  deposits_stroops: bigint;
  withdrawals_stroops: bigint;
  fees_stroops: bigint;
  expected_stroops: bigint;
  balance_stroops: bigint;
  /** The balance on the ledger minus the expected balance */
  difference_stroops: bigint;
  /** The last ledger without a difference */
  agreed_ledger: number | null;
  may_explain: ({
    stellar_tx_hash: string | null;
    ledger: number;
    reason: "unmatched" | "quarantined" | "not_booked" | "booked_differently" | "not_on_ledger" | "mentions_wallet" | "books_changed" | "ledgers_not_searched";
  })[];
};

export type Reconciliation = {
  agrees: boolean;
  /** The closed ledger at which books and balances were compared */
  ledger: number;
  /** Time of the comparison. It is older than a minute only if no comparison is possible now */
  checked_at: string;
  items: ReconciliationItem[];
};

export type DepositAddress = {
  id: string;
  wallet_id: string;
  /** M… address: pay this */
  address: string;
  /** G… account: pay this with memo_id as MEMO_ID where M… is not supported */
  account: string;
  memo_id: MemoId;
  /** SEP-7 payment request; off the public network it names the network */
  uri: string;
  label: string | null;
  metadata: Metadata | null;
  created_at: string;
};

export type ReceivedAsset = {
  asset_code: string;
  asset_issuer: string | null;
  count: number;
  amount_stroops: bigint;
};

export type DepositAddressWithReceived = {
  id: string;
  wallet_id: string;
  /** M… address: pay this */
  address: string;
  /** G… account: pay this with memo_id as MEMO_ID where M… is not supported */
  account: string;
  memo_id: MemoId;
  /** SEP-7 payment request; off the public network it names the network */
  uri: string;
  label: string | null;
  metadata: Metadata | null;
  created_at: string;
  /** All deposits of the address, by asset */
  received: ReceivedAsset[];
};

export type Deposit = {
  id: string;
  wallet_id: string;
  address_id: string | null;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: Stroops;
  /** The payer: G…, or C… for a contract */
  source_account: string;
  /** The payer’s M… address, if the payment names one; a refund goes there */
  source_account_muxed: string | null;
  stellar_tx_hash: string;
  operation_index: number;
  /** Index of the contract’s event in its operation, else 0. Hash, operation and event identify the deposit on the ledger: they stay the same when the database is restored from an older copy; `id` does not */
  event_index: number;
  /** The operation or the event of a Stellar Asset Contract that paid it */
  kind: "payment" | "create_account" | "path_payment_strict_send" | "path_payment_strict_receive" | "account_merge" | "contract_transfer" | "contract_mint";
  /** Muxed id, else memo id; of a deposit assigned by hand, the memo id of its address */
  memo_id: MemoId | null;
  memo_type: "none" | "id" | "text" | "hash" | "return";
  /** The transaction’s memo: digits, a text, or base64 of other bytes */
  memo: string | null;
  ledger: number;
  status: "confirmed";
  attributed: boolean;
  assigned_by_hand: boolean;
  /** The withdrawal that refunds it */
  refund_withdrawal_id: string | null;
  metadata: Metadata | null;
  created_at: string;
};

export type Explanation = {
  /** Of a fee-bump, the outer hash, whichever was asked for */
  stellar_tx_hash: string;
  state: "applied" | "failed" | "not_found";
  ledger: number | null;
  /** Whether deposits are read up to that ledger */
  read: boolean;
  quarantined: boolean;
  /** Null when it is not known any more */
  fee_bump: boolean | null;
  memo_type: "none" | "id" | "text" | "hash" | "return";
  memo: string | null;
  message: string;
  operations: {
    operation_index: number;
    /** As Horizon names it: `payment`, `path_payment_strict_send`, … */
    type: string;
    /** Whether it paid the wallet, by the ledger */
    credited: boolean;
    /** A stable word: why it credited the wallet or an address, or why not */
    reason: string;
    /** The same in sentences, for a person */
    message: string;
    deposits: Deposit[];
  }[];
};

export type Transaction = {
  type: "deposit" | "withdrawal";
  id: string;
  status: "pending" | "confirmed" | "failed";
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: Stroops;
  /** Fee of a withdrawal; null until it is known, and for deposits */
  fee_stroops: bigint | null;
  counterparty: string;
  /** Label of the paid deposit address */
  address_label: string | null;
  stellar_tx_hash: string | null;
  memo_id: MemoId | null;
  /** The transaction’s memo, if it is a text; null for withdrawals */
  memo_text: string | null;
  created_at: string;
};

/** Sums of confirmed deposits and withdrawals of the native asset, by the day of their creation */
export type DayOfWallet = {
  /** In UTC. Days without transactions are included */
  date: string;
  deposits_count: number;
  deposits_stroops: bigint;
  withdrawals_count: number;
  withdrawals_stroops: bigint;
  /** Includes fees of withdrawals that failed in the ledger */
  fees_stroops: bigint;
};

export type Wallet = {
  id: string;
  name: string;
  network: "sandbox" | "testnet" | "public";
  /** The wallet’s Stellar account (G…) */
  account: string;
  status: "unfunded" | "active";
  /** Whether a memo text of digits counts as a memo id; applies to deposits read afterwards */
  numeric_memo_text: boolean;
  created_at: string;
};

/** A wallet with its API key. The key is shown only here. */
export type NewWallet = {
  id: string;
  name: string;
  network: "sandbox" | "testnet" | "public";
  /** The wallet’s Stellar account (G…) */
  account: string;
  status: "unfunded" | "active";
  /** Whether a memo text of digits counts as a memo id; applies to deposits read afterwards */
  numeric_memo_text: boolean;
  created_at: string;
  api_key: string;
};

export type Balance = {
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  available_stroops: bigint;
};

export type ApiKey = {
  prefix: string;
  last_four: string;
  created_at: string;
  last_used_at: string | null;
};

export type WebhookEndpoint = {
  id: string;
  wallet_id: string;
  url: string;
  description: string | null;
  enabled: boolean;
  /** Why the service disabled it; null while it is enabled, or if its owner disabled it */
  disabled_reason: string | null;
  /** Since when every attempt has failed; null when the last one succeeded. Two days without an attempt begin it anew */
  failing_since: string | null;
  created_at: string;
};

/** An endpoint with its signing secret, which is shown this once. */
export type NewWebhookEndpoint = {
  id: string;
  wallet_id: string;
  url: string;
  description: string | null;
  enabled: boolean;
  /** Why the service disabled it; null while it is enabled, or if its owner disabled it */
  disabled_reason: string | null;
  /** Since when every attempt has failed; null when the last one succeeded. Two days without an attempt begin it anew */
  failing_since: string | null;
  created_at: string;
  signing_secret: string;
};

export type WebhookAttempt = {
  number: number;
  started_at: string;
  duration_ms: number;
  /** What was sent; null when nobody recorded it */
  request_headers: Record<string, string> | null;
  status_code: number | null;
  /** Why there was no answer; null when there was one */
  error: string | null;
  /** The first 1 KiB of the answer */
  response_body: string | null;
};

export type WebhookDelivery = {
  id: string;
  webhook_id: string;
  /** Sent as webhook-id; the same on every attempt, and for the same deposit after a restore of the database */
  event_id: string;
  event: string;
  /** Counts the endpoint’s deliveries without a gap; sent as webhook-sequence */
  sequence: bigint;
  status: "pending" | "delivered" | "failed";
  /** Attempts so far */
  attempts: number;
  /** Null unless pending */
  next_attempt_at: string | null;
  created_at: string;
  settled_at: string | null;
};

export type LoggedWebhookDelivery = {
  id: string;
  webhook_id: string;
  /** Sent as webhook-id; the same on every attempt, and for the same deposit after a restore of the database */
  event_id: string;
  event: string;
  /** Counts the endpoint’s deliveries without a gap; sent as webhook-sequence */
  sequence: bigint;
  status: "pending" | "delivered" | "failed";
  /** Attempts so far */
  attempts: number;
  /** Null unless pending */
  next_attempt_at: string | null;
  created_at: string;
  settled_at: string | null;
  /** The latest 50 attempts, in their order. Those of a delivery are no longer kept WEBHOOK_LOG_DAYS after it was acknowledged. */
  attempt_log: WebhookAttempt[];
};

/** Exactly the JSON that is sent: {"event": …, "data": …} */
export type WebhookEventBody = Record<string, unknown>;

export type WebhookDeliveryWithBody = {
  id: string;
  webhook_id: string;
  /** Sent as webhook-id; the same on every attempt, and for the same deposit after a restore of the database */
  event_id: string;
  event: string;
  /** Counts the endpoint’s deliveries without a gap; sent as webhook-sequence */
  sequence: bigint;
  status: "pending" | "delivered" | "failed";
  /** Attempts so far */
  attempts: number;
  /** Null unless pending */
  next_attempt_at: string | null;
  created_at: string;
  settled_at: string | null;
  /** The latest 50 attempts, in their order. Those of a delivery are no longer kept WEBHOOK_LOG_DAYS after it was acknowledged. */
  attempt_log: WebhookAttempt[];
  body: WebhookEventBody;
};

export type WebhookEvent = {
  /** Sent as webhook-id */
  id: string;
  event: string;
  sequence: bigint;
  created_at: string;
  /** The exact text that is sent: {"event": …, "data": …} */
  body: string;
  /** Of a delivery to the endpoint that is sent now; null without webhook_id */
  headers: Record<string, string> | null;
};

export type Withdrawal = {
  id: string;
  wallet_id: string;
  status: "pending" | "confirmed" | "failed";
  /** Hash of the envelope in the ledger; before proof, of the latest one sent */
  stellar_tx_hash: string | null;
  /** Hash of the signed payment; differs when it is fee-bumped */
  inner_tx_hash: string | null;
  operation: "payment" | "create_account";
  destination: string;
  amount_stroops: Stroops;
  memo_id: MemoId | null;
  ledger: number | null;
  fee_stroops: bigint | null;
  failure: {
    code: string;
    message: string;
  } | null;
  idempotency_key: string;
  /** The deposit that this pays back, with MEMO_RETURN of its transaction’s hash */
  refund_of: string | null;
  /** Fee-bump transactions made around it, the one that every payment through a channel account has included */
  fee_bumps: number;
  created_at: string;
  signed_at: string | null;
  /** When its envelope was committed to be sent, which is at once: never sent before */
  committed_at: string | null;
  /** By then it is confirmed or can never be; null until it is signed */
  expires_at: string | null;
  settled_at: string | null;
};

/** A loosening that is not in force yet. One of frozen unfreezes. */
export type PendingPolicyChange = {
  id: string;
  field: "frozen" | "max_withdrawal_stroops" | "max_rolling_24h_stroops" | "destinations";
  /** For a max_… field: the limit to be, null is none */
  limit_stroops: Stroops | null;
  /** For destinations: the address to be added, null is everywhere */
  destination: string | null;
  created_at: string;
  takes_effect_at: string;
};

/** What is in force now; null is no limit. */
export type Policy = {
  wallet_id: string;
  frozen: boolean;
  max_withdrawal_stroops: Stroops | null;
  max_rolling_24h_stroops: Stroops | null;
  /** Withdrawals of the last 24 hours that are not failed */
  used_rolling_24h_stroops: bigint;
  destinations: string[] | null;
  /** How long after it is asked for a loosening takes effect */
  delay_seconds: number;
  pending: PendingPolicyChange[];
};

export type WithdrawalPreview = {
  operation: "payment" | "create_account";
  destination_exists: boolean;
  /** The destination takes no payment without a memo (SEP-29) */
  memo_required: boolean;
  /** False when a memo is required and there is none */
  memo_satisfied: boolean;
  /** Estimate: what 9 of 10 recent transactions paid; through a channel account twice that */
  fee_stroops: bigint;
  /** The fee is never higher */
  fee_max_stroops: bigint;
  balance_stroops: bigint;
  /** What the account must keep for its ledger entries */
  reserve_stroops: bigint;
  /** Balance less reserve, liabilities and withdrawals in flight */
  available_stroops: bigint;
  /** Estimate, withdrawals in flight counted as paid; null when there is a problem */
  balance_after_stroops: bigint | null;
  /** False when the withdrawal would be refused: nothing is sent then */
  would_send: boolean;
  /** Why it would be refused (the error codes of a withdrawal), or why the network would fail it (op_…, tx_…: sent, and `failed`) */
  problems: {
    code: string;
    message: string;
  }[];
};

/** A delivery of a deposit’s event, with the URL of its endpoint */
export type DepositDelivery = {
  id: string;
  webhook_id: string;
  /** Sent as webhook-id; the same on every attempt, and for the same deposit after a restore of the database */
  event_id: string;
  event: string;
  /** Counts the endpoint’s deliveries without a gap; sent as webhook-sequence */
  sequence: bigint;
  status: "pending" | "delivered" | "failed";
  /** Attempts so far */
  attempts: number;
  /** Null unless pending */
  next_attempt_at: string | null;
  created_at: string;
  settled_at: string | null;
  /** The latest 50 attempts, in their order. Those of a delivery are no longer kept WEBHOOK_LOG_DAYS after it was acknowledged. */
  attempt_log: WebhookAttempt[];
  url: string;
};

export type WalletHealth = {
  deposits: {
    ok: boolean;
    message: string;
    /** How far the reading is behind the ledger; null when that cannot be known now */
    lag_seconds: number | null;
  };
  /** Whether something keeps this wallet from paying */
  withdrawals: {
    ok: boolean;
    message: string;
  };
  webhooks: {
    ok: boolean;
    message: string;
    /** Endpoints whose last attempt has failed */
    failing: number;
    /** Endpoints that the service has disabled */
    disabled: number;
  };
  channels: {
    ok: boolean;
    message: string;
    free: number;
    /** Channel accounts that all wallets share */
    total: number;
  };
  reconciliation: {
    ok: boolean;
    message: string;
    /** Null before the first comparison */
    ledger: number | null;
  };
  inbox: {
    /** Deposits of no address that are not refunded; 1000 stands for as many or more */
    unattributed: number;
  };
};

export type Service = {
  name: "Stellar Teller";
  version: string;
  network: "sandbox" | "testnet" | "public";
  passphrase: string;
  /** Pages about transactions and accounts; null where nobody is known to have them */
  explorer: {
    /** With {hash} in it */
    transaction: string;
    /** With {account} in it: a G… address */
    account: string;
  } | null;
};

export type Operations = {
  /** GET /healthz: The process is alive */
  healthz: {
    data: {
      
    };
  };
  /** GET /readyz: Database, network and the reading of deposits work */
  readyz: {
    data: {
      database: {
        ok: boolean;
        message: string;
      };
      network: {
        ok: boolean;
        message: string;
      };
      deposits: {
        ok: boolean;
        message: string;
      };
      quarantine: {
        ok: boolean;
        message: string;
      };
      withdrawals: {
        ok: boolean;
        message: string;
      };
      reconciliation: {
        ok: boolean;
        message: string;
      };
    };
  };
  /** GET /v1/service: The service and the network that it is on */
  getService: {
    data: Service;
  };
  /** POST /v1/sandbox/pay: On the sandbox only: pay from a test account, as a customer would */
  payOnSandbox: {
    body: {
      /** G… or M… address */
      destination: string;
      amount_stroops: Stroops;
      memo_id?: MemoId;
    };
    data: {
      stellar_tx_hash: string;
    };
  };
  /** POST /v1/auth/login: Log a dashboard user in */
  login: {
    body: {
      email: string;
      password: string;
    };
    data: {
      token: string;
      user: User;
    };
  };
  /** POST /v1/auth/logout: End the session of the login token at once */
  logout: {
    data: {
      
    };
  };
  /** GET /v1/auth/me: The user who is logged in */
  getMe: {
    data: User;
  };
  /** POST /v1/auth/password: Change the password; every other session of the user ends */
  changePassword: {
    body: {
      current_password: string;
      new_password: string;
    };
    data: User;
  };
  /** POST /v1/wallets: Create wallet */
  createWallet: {
    body: {
      name: string;
    };
    data: NewWallet;
  };
  /** GET /v1/wallets: List wallets */
  listWallets: {
    query: { "limit"?: string; "cursor"?: string };
    data: {
      items: Wallet[];
      next_cursor: string | null;
    };
  };
  /** GET /v1/wallets/{id}: Read wallet */
  getWallet: {
    path: { "id": string };
    data: Wallet;
  };
  /** PATCH /v1/wallets/{id}: Change wallet */
  changeWallet: {
    path: { "id": string };
    body: {
      name?: string;
      numeric_memo_text?: boolean;
    };
    data: Wallet;
  };
  /** GET /v1/wallets/{id}/balances: List balances */
  listBalances: {
    path: { "id": string };
    data: {
      items: Balance[];
      next_cursor: string | null;
    };
  };
  /** GET /v1/wallets/{id}/transactions: List transactions */
  listTransactions: {
    path: { "id": string };
    query: { "limit"?: string; "cursor"?: string; "type"?: "deposit" | "withdrawal"; "status"?: "pending" | "confirmed" | "failed"; "attributed"?: "true" | "false"; "since"?: string; "until"?: string; "search"?: string };
    data: {
      items: Transaction[];
      next_cursor: string | null;
    };
  };
  /** GET /v1/wallets/{id}/statistics: Read statistics */
  getStatistics: {
    path: { "id": string };
    query: { "days"?: string };
    data: {
      days: DayOfWallet[];
    };
  };
  /** POST /v1/wallets/{id}/api-key/regenerate: Regenerate API key */
  regenerateApiKey: {
    path: { "id": string };
    data: {
      prefix: string;
      last_four: string;
      created_at: string;
      last_used_at: string | null;
      api_key: string;
    };
  };
  /** GET /v1/wallets/{id}/api-key: Read API key */
  getApiKey: {
    path: { "id": string };
    data: ApiKey;
  };
  /** POST /v1/wallets/{id}/addresses: Create deposit address */
  createDepositAddress: {
    path: { "id": string };
    body: {
      label?: string;
      metadata?: Metadata;
    };
    data: DepositAddress;
  };
  /** GET /v1/wallets/{id}/addresses: List deposit addresses */
  listDepositAddresses: {
    path: { "id": string };
    query: { "limit"?: string; "cursor"?: string; "search"?: string };
    data: {
      items: DepositAddress[];
      next_cursor: string | null;
    };
  };
  /** GET /v1/wallets/{id}/addresses/{address_id}: Read deposit address */
  getDepositAddress: {
    path: { "id": string; "address_id": string };
    data: DepositAddressWithReceived;
  };
  /** GET /v1/wallets/{id}/deposits: List deposits */
  listDeposits: {
    path: { "id": string };
    query: { "limit"?: string; "cursor"?: string; "attributed"?: "true" | "false"; "address_id"?: string };
    data: {
      items: Deposit[];
      next_cursor: string | null;
    };
  };
  /** GET /v1/wallets/{id}/deposits/{deposit_id}: Read deposit */
  getDeposit: {
    path: { "id": string; "deposit_id": string };
    data: Deposit;
  };
  /** POST /v1/wallets/{id}/deposits/{deposit_id}/assign: Assign deposit */
  assignDeposit: {
    path: { "id": string; "deposit_id": string };
    body: {
      address_id: string;
    };
    data: Deposit;
  };
  /** GET /v1/wallets/{id}/explain/{tx_hash}: Explain transaction */
  explainTransaction: {
    path: { "id": string; "tx_hash": string };
    data: Explanation;
  };
  /** GET /v1/wallets/{id}/reconciliation: Read reconciliation */
  getReconciliation: {
    path: { "id": string };
    data: Reconciliation;
  };
  /** GET /v1/wallets/{id}/policy: What the wallet may pay out, and the changes that are pending */
  getPolicy: {
    path: { "id": string };
    data: Policy;
  };
  /** PUT /v1/wallets/{id}/policy: Ask for this policy as a whole: a field that is absent is no limit */
  replacePolicy: {
    path: { "id": string };
    body: {
      /** True: no new withdrawal is taken */
      frozen?: boolean;
      max_withdrawal_stroops?: Stroops;
      max_rolling_24h_stroops?: Stroops;
      /** The only addresses that may be paid; [] is none. A G… address allows its account and every M… of it, an M… only itself. */
      destinations?: string[];
    };
    data: Policy;
  };
  /** PATCH /v1/wallets/{id}/policy: Ask for another value of these fields: the others, and what is pending of them, stay */
  changePolicy: {
    path: { "id": string };
    body: {
      /** True: no new withdrawal is taken */
      frozen?: boolean;
      max_withdrawal_stroops?: Stroops;
      max_rolling_24h_stroops?: Stroops;
      /** The only addresses that may be paid; [] is none. A G… address allows its account and every M… of it, an M… only itself. */
      destinations?: string[];
    };
    data: Policy;
  };
  /** DELETE /v1/wallets/{id}/policy/pending/{change_id}: Take a pending change back; 404 once it is in force */
  revokePolicyChange: {
    path: { "id": string; "change_id": string };
    data: PendingPolicyChange;
  };
  /** POST /v1/wallets/{id}/withdraw/preview: What a withdrawal would do; sends nothing and keeps nothing */
  previewWithdrawal: {
    path: { "id": string };
    body: {
      /** G… or M… address */
      destination: string;
      amount_stroops: Stroops;
      memo_id?: MemoId;
    };
    data: WithdrawalPreview;
  };
  /** POST /v1/wallets/{id}/deposits/{deposit_id}/refund: Pay an unattributed deposit back to its sender; answers when the outcome is proven */
  refundDeposit: {
    path: { "id": string; "deposit_id": string };
    data: Withdrawal;
  };
  /** POST /v1/wallets/{id}/withdraw: Pay from the wallet; answers when the outcome is proven on the ledger */
  createWithdrawal: {
    path: { "id": string };
    headers: { "idempotency-key": string };
    body: {
      /** G… or M… address */
      destination: string;
      amount_stroops: Stroops;
      memo_id?: MemoId;
    };
    data: Withdrawal;
  };
  /** GET /v1/wallets/{id}/withdrawals: The wallet’s withdrawals */
  listWithdrawals: {
    path: { "id": string };
    query: { "limit"?: string; "cursor"?: string; "idempotency_key"?: string };
    data: {
      items: Withdrawal[];
      next_cursor: string | null;
    };
  };
  /** GET /v1/wallets/{id}/withdrawals/{withdrawal_id}: Read a withdrawal */
  getWithdrawal: {
    path: { "id": string; "withdrawal_id": string };
    data: Withdrawal;
  };
  /** POST /v1/wallets/{id}/webhooks: Register a URL for the wallet’s events; shows its signing secret this once */
  registerWebhook: {
    path: { "id": string };
    body: {
      /** Public http(s) URL; loopback and private addresses are refused */
      url: string;
      description?: string;
    };
    data: NewWebhookEndpoint;
  };
  /** GET /v1/wallets/{id}/webhooks: The wallet’s webhook endpoints */
  listWebhooks: {
    path: { "id": string };
    query: { "limit"?: string; "cursor"?: string };
    data: {
      items: WebhookEndpoint[];
      next_cursor: string | null;
    };
  };
  /** GET /v1/wallets/{id}/webhooks/{webhook_id}: Read a webhook endpoint */
  getWebhook: {
    path: { "id": string; "webhook_id": string };
    data: WebhookEndpoint;
  };
  /** PATCH /v1/wallets/{id}/webhooks/{webhook_id}: Change a webhook endpoint, or disable or enable it */
  updateWebhook: {
    path: { "id": string; "webhook_id": string };
    body: {
      /** Public http(s) URL; loopback and private addresses are refused */
      url?: string;
      description?: string;
      enabled?: boolean;
    };
    data: WebhookEndpoint;
  };
  /** DELETE /v1/wallets/{id}/webhooks/{webhook_id}: Delete a webhook endpoint; what it still had to get is given up */
  deleteWebhook: {
    path: { "id": string; "webhook_id": string };
    data: WebhookEndpoint;
  };
  /** POST /v1/wallets/{id}/webhooks/{webhook_id}/rotate-secret: Replace the signing secret; shows the new one this once */
  rotateWebhookSecret: {
    path: { "id": string; "webhook_id": string };
    data: NewWebhookEndpoint;
  };
  /** GET /v1/wallets/{id}/webhooks/{webhook_id}/deliveries: What was sent to the endpoint, and what came back */
  listWebhookDeliveries: {
    path: { "id": string; "webhook_id": string };
    query: { "limit"?: string; "cursor"?: string; "status"?: "pending" | "delivered" | "failed" };
    data: {
      items: LoggedWebhookDelivery[];
      next_cursor: string | null;
    };
  };
  /** GET /v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}: Read a delivery with its body and attempts */
  getWebhookDelivery: {
    path: { "id": string; "webhook_id": string; "delivery_id": string };
    data: WebhookDeliveryWithBody;
  };
  /** POST /v1/wallets/{id}/webhooks/{webhook_id}/test: Queue a signed test event for this endpoint only */
  testWebhook: {
    path: { "id": string; "webhook_id": string };
    body: {
      event?: "ping" | "deposit.test";
    };
    data: WebhookDelivery;
  };
  /** POST /v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver: Send a delivery again, with the same bytes and a new schedule */
  redeliverWebhook: {
    path: { "id": string; "webhook_id": string; "delivery_id": string };
    data: WebhookDelivery;
  };
  /** POST /v1/wallets/{id}/webhooks/{webhook_id}/replay: Send everything again that the endpoint has not acknowledged since a time */
  replayWebhook: {
    path: { "id": string; "webhook_id": string };
    body: {
      /** What was made for the endpoint at this time or later */
      since: string;
      /** What was acknowledged too */
      include_delivered?: boolean;
    };
    data: {
      /** Deliveries that are sent again */
      count: number;
    };
  };
  /** GET /v1/wallets/{id}/events: The wallet’s events after a number: what a receiver missed, or a stream of them */
  listEvents: {
    path: { "id": string };
    query: { "after"?: string; "limit"?: string; "webhook_id"?: string; "wait_seconds"?: string };
    data: {
      items: WebhookEvent[];
      /** Where to go on, also when there was nothing */
      next_after: bigint;
    };
  };
  /** GET /v1/wallets/{id}/deposits/{deposit_id}/deliveries: The webhook deliveries of the deposit’s event, to all endpoints, and what came back */
  listDepositDeliveries: {
    path: { "id": string; "deposit_id": string };
    data: {
      items: DepositDelivery[];
      next_cursor: string | null;
    };
  };
  /** GET /v1/wallets/{id}/health: Whether deposits, withdrawals, webhooks and books of the wallet are well */
  getWalletHealth: {
    path: { "id": string };
    data: WalletHealth;
  };
};

export const OPERATIONS = {
  healthz: ['GET', '/healthz'],
  readyz: ['GET', '/readyz'],
  getService: ['GET', '/v1/service'],
  payOnSandbox: ['POST', '/v1/sandbox/pay'],
  login: ['POST', '/v1/auth/login'],
  logout: ['POST', '/v1/auth/logout'],
  getMe: ['GET', '/v1/auth/me'],
  changePassword: ['POST', '/v1/auth/password'],
  createWallet: ['POST', '/v1/wallets'],
  listWallets: ['GET', '/v1/wallets'],
  getWallet: ['GET', '/v1/wallets/{id}'],
  changeWallet: ['PATCH', '/v1/wallets/{id}'],
  listBalances: ['GET', '/v1/wallets/{id}/balances'],
  listTransactions: ['GET', '/v1/wallets/{id}/transactions'],
  getStatistics: ['GET', '/v1/wallets/{id}/statistics'],
  regenerateApiKey: ['POST', '/v1/wallets/{id}/api-key/regenerate'],
  getApiKey: ['GET', '/v1/wallets/{id}/api-key'],
  createDepositAddress: ['POST', '/v1/wallets/{id}/addresses'],
  listDepositAddresses: ['GET', '/v1/wallets/{id}/addresses'],
  getDepositAddress: ['GET', '/v1/wallets/{id}/addresses/{address_id}'],
  listDeposits: ['GET', '/v1/wallets/{id}/deposits'],
  getDeposit: ['GET', '/v1/wallets/{id}/deposits/{deposit_id}'],
  assignDeposit: ['POST', '/v1/wallets/{id}/deposits/{deposit_id}/assign'],
  explainTransaction: ['GET', '/v1/wallets/{id}/explain/{tx_hash}'],
  getReconciliation: ['GET', '/v1/wallets/{id}/reconciliation'],
  getPolicy: ['GET', '/v1/wallets/{id}/policy'],
  replacePolicy: ['PUT', '/v1/wallets/{id}/policy'],
  changePolicy: ['PATCH', '/v1/wallets/{id}/policy'],
  revokePolicyChange: ['DELETE', '/v1/wallets/{id}/policy/pending/{change_id}'],
  previewWithdrawal: ['POST', '/v1/wallets/{id}/withdraw/preview'],
  refundDeposit: ['POST', '/v1/wallets/{id}/deposits/{deposit_id}/refund'],
  createWithdrawal: ['POST', '/v1/wallets/{id}/withdraw'],
  listWithdrawals: ['GET', '/v1/wallets/{id}/withdrawals'],
  getWithdrawal: ['GET', '/v1/wallets/{id}/withdrawals/{withdrawal_id}'],
  registerWebhook: ['POST', '/v1/wallets/{id}/webhooks'],
  listWebhooks: ['GET', '/v1/wallets/{id}/webhooks'],
  getWebhook: ['GET', '/v1/wallets/{id}/webhooks/{webhook_id}'],
  updateWebhook: ['PATCH', '/v1/wallets/{id}/webhooks/{webhook_id}'],
  deleteWebhook: ['DELETE', '/v1/wallets/{id}/webhooks/{webhook_id}'],
  rotateWebhookSecret: ['POST', '/v1/wallets/{id}/webhooks/{webhook_id}/rotate-secret'],
  listWebhookDeliveries: ['GET', '/v1/wallets/{id}/webhooks/{webhook_id}/deliveries'],
  getWebhookDelivery: ['GET', '/v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}'],
  testWebhook: ['POST', '/v1/wallets/{id}/webhooks/{webhook_id}/test'],
  redeliverWebhook: ['POST', '/v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver'],
  replayWebhook: ['POST', '/v1/wallets/{id}/webhooks/{webhook_id}/replay'],
  listEvents: ['GET', '/v1/wallets/{id}/events'],
  listDepositDeliveries: ['GET', '/v1/wallets/{id}/deposits/{deposit_id}/deliveries'],
  getWalletHealth: ['GET', '/v1/wallets/{id}/health'],
} as const satisfies Record<keyof Operations, readonly [method: string, path: string]>;
