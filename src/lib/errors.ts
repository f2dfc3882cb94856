/** Every error code of the API with its HTTP status. The OpenAPI document lists them. */
export const STATUS_OF_CODE = {
  invalid_json: 400,
  invalid_request: 400,
  idempotency_key_missing: 400,
  idempotency_key_invalid: 400,
  ambiguous_destination: 400,
  memo_required: 400,
  webhook_url_not_public: 400,
  unsupported_grant_type: 400,
  unauthenticated: 401,
  login_required: 401,
  wrong_credentials: 401,
  invalid_client: 401,
  second_factor_wrong: 401,
  challenge_ended: 401,
  role_missing: 403,
  scope_missing: 403,
  person_required: 403,
  address_not_allowed: 403,
  may_not_approve: 403,
  factor_required: 403,
  second_factor_required: 403, // 401 at a login, before there is a session
  second_factor_stopped: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_key_reused: 409,
  idempotency_key_in_flight: 409,
  idempotency_key_mismatch: 409,
  idempotency_answer_lost: 409,
  possible_duplicate: 409,
  asset_in_use: 409,
  last_owner: 409,
  last_factor: 409,
  too_few_approvers: 409,
  not_awaiting_approval: 409,
  already_decided: 409,
  order_changed: 409,
  wrong_payout_status: 409,
  duplicates_not_confirmed: 409,
  already_in_team: 409,
  payee_exists: 409,
  payee_in_use: 409,
  disabled_by_operator: 409,
  exam_running: 409,
  deposit_attributed: 409,
  deposit_refunded: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  wallet_unfunded: 422,
  destination_is_issuer: 422,
  destination_not_supported: 422,
  transfer_would_fail: 422,
  fee_above_limit: 422,
  asset_not_empty: 422,
  asset_change_failed: 422,
  policy_frozen: 422,
  policy_asset_without_limit: 422,
  policy_amount_limit: 422,
  policy_daily_limit: 422,
  policy_destination_not_allowed: 422,
  treasury_budget_spent: 422,
  refund_not_possible: 422,
  sandbox_payment_failed: 422,
  too_many_endpoints: 422,
  too_many_factors: 422,
  passkeys_unavailable: 422,
  too_many_service_users: 422,
  too_many_secrets: 422,
  too_many_api_keys: 422,
  too_many_access_changes: 422,
  too_many_invitations: 422,
  too_many_wallets: 422,
  too_many_payees: 422,
  payee_deleted: 422,
  too_many_addresses: 422,
  endpoint_disabled: 422,
  sequence_unknown: 422,
  too_many_logins: 429,
  too_many_waiting: 429,
  rate_limited: 429,
  internal_error: 500,
  network_unavailable: 503,
  treasury_unfunded: 503,
  ledger_not_caught_up: 503,
  database_unavailable: 503,
  search_timed_out: 503,
  service_stopping: 503,
  key_journal_unavailable: 503,
  key_provider_unavailable: 503,
  outcome_pending: 504,
} as const;

export type ErrorCode = keyof typeof STATUS_OF_CODE;
export const ERROR_CODES = Object.keys(STATUS_OF_CODE) as [ErrorCode, ...ErrorCode[]];

/** `path`: a JSON pointer into the body, or the name of a header or query parameter. */
export type ErrorDetail = { path: string; message: string };

/**
 * A fault of the caller, or a state that the caller must know. The response contains `message`: write it for a person,
 * without secrets. `data` is the resource that the response contains beside the error (409 and 504 of a withdrawal).
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly data: unknown;
  readonly retry_after_seconds: number | undefined;
  readonly status: number;

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      details?: ErrorDetail[];
      data?: unknown;
      retry_after_seconds?: number;
      cause?: unknown;
      /** Where a code has another status than in the table. */
      status?: number;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = more.details;
    this.data = more.data;
    this.retry_after_seconds = more.retry_after_seconds;
    this.status = more.status ?? STATUS_OF_CODE[code];
  }
}

/** A fault that the operator can fix. The message says how; the command line prints it as one line, without a stack. */
export class OperatorError extends Error {}
