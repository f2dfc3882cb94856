/**
 * Which error codes each operation can answer. The guard and the reading of requests answer most of them: these follow from
 * the route. The rest is in the table OWN. /openapi.json says both, and the tests of `test/spec/` fail for an answer that it
 * does not say (test/support/api.ts).
 */
import { type ErrorCode, STATUS_OF_CODE } from '../../errors.ts';

/** What of a route decides what the guard answers. */
export type GuardedRoute = {
  operation: string;
  method: string;
  path: string;
  access: 'public' | 'key' | 'login';
  /** Whether some roles may not call it, or service users may not. */
  is_for_some_roles: boolean;
  is_for_people: boolean;
  asks_for_step_up: boolean;
  awaits_outcome: boolean;
};

const PASSWORD: ErrorCode[] = ['wrong_credentials', 'too_many_logins'];
const PROOF: ErrorCode[] = ['second_factor_wrong', 'second_factor_stopped', 'challenge_ended'];
const DECISION: ErrorCode[] = [
  'may_not_approve',
  'already_decided',
  'order_changed',
  'not_awaiting_approval',
];
const MANAGES: ErrorCode[] = ['role_missing', 'too_few_approvers', 'too_many_access_changes'];
const NETWORK: ErrorCode[] = ['network_unavailable'];
const SEARCH: ErrorCode[] = ['too_many_waiting', 'search_timed_out'];
const POLICY: ErrorCode[] = [
  'policy_frozen',
  'policy_asset_without_limit',
  'policy_amount_limit',
  'policy_daily_limit',
  'policy_destination_not_allowed',
];
/** A withdrawal and a refund; both begin at the preflight and wait for the outcome. */
const PAYMENT: ErrorCode[] = [
  ...POLICY,
  'idempotency_key_reused',
  'idempotency_key_in_flight',
  'idempotency_key_mismatch',
  'possible_duplicate',
  'wallet_unfunded',
  'destination_not_supported',
  'transfer_would_fail',
  'fee_above_limit',
  'treasury_budget_spent',
  'treasury_unfunded',
  'network_unavailable',
  'outcome_pending',
];
/** The check of a whole file, which waits for its turn. */
const PAYOUT_CHECK: ErrorCode[] = ['too_many_waiting', 'network_unavailable', 'treasury_unfunded'];
/** The end of a payout needs the ledgers: a row that waits may be paid. */
const PAYOUT_END: ErrorCode[] = ['network_unavailable', 'ledger_not_caught_up'];
const TRUST_LINE: ErrorCode[] = [
  'asset_in_use',
  'wallet_unfunded',
  'policy_frozen',
  'asset_change_failed',
  'treasury_budget_spent',
  'treasury_unfunded',
  'network_unavailable',
  'outcome_pending',
];

const OWN: Record<string, ErrorCode[]> = {
  payOnSandbox: ['not_found', 'sandbox_payment_failed', 'network_unavailable'],
  login: PASSWORD,
  proveSecondFactor: [...PROOF, 'wrong_credentials'],
  acceptInvitation: [...PASSWORD, ...PROOF, 'not_found', 'already_in_team'],
  changePassword: PASSWORD,
  getServiceToken: [
    'unsupported_grant_type',
    'invalid_client',
    'address_not_allowed',
    'too_many_logins',
    'rate_limited',
  ],
  stepUp: ['second_factor_wrong', 'second_factor_stopped', 'second_factor_required'],
  beginPasskeyStepUp: ['not_found'],
  removeFactor: ['last_factor'],
  replaceRecoveryCodes: ['second_factor_required'],
  beginTotp: [...PASSWORD, 'too_many_factors'],
  confirmTotp: ['too_many_factors'],
  beginPasskey: [...PASSWORD, 'too_many_factors', 'passkeys_unavailable'],
  addPasskey: ['challenge_ended', 'too_many_factors', 'passkeys_unavailable'],
  changeTeam: ['second_factor_required'],
  addMember: [...MANAGES, 'already_in_team', 'too_many_invitations', 'too_many_logins'],
  changeMember: [...MANAGES, 'last_owner'],
  removeMember: ['role_missing', 'too_few_approvers', 'last_owner'],
  createInvitation: [...MANAGES, 'already_in_team', 'too_many_invitations'],
  createServiceUser: [...MANAGES, 'too_many_service_users'],
  changeServiceUser: [...MANAGES, 'disabled_by_operator'],
  addServiceUserSecret: [...MANAGES, 'too_many_secrets'],
  approveAccessChange: DECISION,
  rejectAccessChange: DECISION,
  replaceAlerts: ['webhook_url_not_public'],
  rotateAlertSecret: ['not_found'],
  createWallet: ['too_many_wallets', 'key_journal_unavailable', 'key_provider_unavailable'],
  listBalances: NETWORK,
  listTransactions: SEARCH,
  regenerateApiKey: ['too_many_access_changes'],
  createApiKey: ['too_many_api_keys', 'too_many_access_changes'],
  createDepositAddress: ['too_many_addresses'],
  listDepositAddresses: SEARCH,
  assignDeposit: ['deposit_attributed', 'deposit_refunded', 'ledger_not_caught_up'],
  refundDeposit: [...PAYMENT, 'deposit_attributed', 'deposit_refunded', 'refund_not_possible'],
  explainTransaction: NETWORK,
  getReconciliation: [...NETWORK, 'ledger_not_caught_up'],
  createWithdrawal: [
    ...PAYMENT,
    'idempotency_key_missing',
    'idempotency_key_invalid',
    'ambiguous_destination',
    'memo_required',
    'destination_is_issuer',
  ],
  previewWithdrawal: [...NETWORK, 'ambiguous_destination'],
  previewApproval: [...NETWORK, 'ambiguous_destination'],
  approveWithdrawal: [...DECISION, ...POLICY, 'ledger_not_caught_up'],
  rejectWithdrawal: [...DECISION, 'ledger_not_caught_up'],
  replacePolicy: ['too_few_approvers'],
  changePolicy: ['too_few_approvers'],
  approvePolicyChange: DECISION,
  rejectPolicyChange: DECISION,
  listAssets: NETWORK,
  getAsset: NETWORK,
  addAsset: TRUST_LINE,
  removeAsset: [...TRUST_LINE, 'asset_not_empty'],
  registerWebhook: ['webhook_url_not_public', 'too_many_endpoints'],
  updateWebhook: ['webhook_url_not_public'],
  testWebhook: ['endpoint_disabled'],
  examineWebhook: ['endpoint_disabled', 'exam_running'],
  createPayout: [...PAYOUT_CHECK, 'duplicates_not_confirmed'],
  startPayout: ['wrong_payout_status', 'policy_frozen', 'too_many_waiting'],
  pausePayout: ['wrong_payout_status'],
  resumePayout: ['wrong_payout_status', 'policy_frozen'],
  cancelPayout: ['wrong_payout_status', ...PAYOUT_END],
  retryPayout: [...PAYOUT_CHECK, 'wrong_payout_status'],
  approvePayout: [...DECISION, 'policy_frozen'],
  rejectPayout: [...DECISION, ...PAYOUT_END],
  listEvents: ['sequence_unknown'],
};

/** Before there is a session, the second factor of a login is a matter of the credential. */
const BEFORE_A_SESSION = new Set(['login', 'acceptInvitation']);

/** They answer whatever Host the check of a proxy sends. */
const OF_HEALTH = new Set(['healthz', 'readyz']);

/** Every code that the operation can answer, without repeats, by status. */
export function codesOf(route: GuardedRoute): { code: ErrorCode; status: number }[] {
  const { operation } = route;
  const codes = new Set([...codesOfRequest(route), ...codesOfGuard(route), ...(OWN[operation] ?? [])]);
  const answered = [...codes].map((code) => ({ code, status: STATUS_OF_CODE[code] as number }));
  if (BEFORE_A_SESSION.has(operation)) answered.push({ code: 'second_factor_required', status: 401 });
  return answered.sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
}

function codesOfRequest({ operation, method, path }: GuardedRoute): ErrorCode[] {
  const codes: ErrorCode[] = ['invalid_request', 'internal_error'];
  if (!OF_HEALTH.has(operation)) codes.push('misdirected_request');
  if (operation !== 'healthz') codes.push('service_stopping');
  if (path.startsWith('/v1/')) codes.push('database_unavailable');
  if (path.includes('{')) codes.push('not_found');
  if (method !== 'GET') codes.push('invalid_json', 'body_too_large', 'unsupported_media_type');
  return codes;
}

function codesOfGuard(route: GuardedRoute): ErrorCode[] {
  const { access } = route;
  if (access === 'public') return [];
  const codes: ErrorCode[] = ['unauthenticated', 'address_not_allowed', 'rate_limited'];
  codes.push(access === 'key' ? 'scope_missing' : 'login_required');
  if (route.is_for_some_roles) codes.push('role_missing');
  if (route.is_for_people) codes.push('person_required');
  if (route.asks_for_step_up) codes.push('second_factor_required');
  if (route.awaits_outcome) codes.push('too_many_waiting');
  return codes;
}
