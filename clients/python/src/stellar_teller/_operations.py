"""The operations of the API. Written by scripts/python-client.ts from docs/openapi.json."""

from __future__ import annotations

from typing import Any

from . import models
from ._core import Operation

HEALTHZ: Operation[dict[str, Any]] = Operation(
    "healthz", "GET", "/healthz", repeatable=True, public=True
)
READYZ: Operation[models.Readiness] = Operation(
    "readyz", "GET", "/readyz", repeatable=True, public=True, statuses_with_data=(503,)
)
GET_SERVICE: Operation[models.Service] = Operation(
    "getService", "GET", "/v1/service", repeatable=True, public=True
)
PAY_ON_SANDBOX: Operation[models.PayOnSandboxData] = Operation(
    "payOnSandbox", "POST", "/v1/sandbox/pay"
)
LIST_SESSIONS: Operation[models.Session] = Operation(
    "listSessions", "GET", "/v1/auth/sessions", pages="cursor", repeatable=True
)
END_OTHER_SESSIONS: Operation[models.EndOtherSessionsData] = Operation(
    "endOtherSessions", "DELETE", "/v1/auth/sessions"
)
GET_SESSION: Operation[models.Session] = Operation(
    "getSession", "GET", "/v1/auth/sessions/{session_id}", repeatable=True
)
END_SESSION: Operation[models.Session] = Operation(
    "endSession", "DELETE", "/v1/auth/sessions/{session_id}"
)
RENEW_TOKEN: Operation[models.RenewTokenData] = Operation(
    "renewToken", "POST", "/v1/auth/token/renew"
)
LOGIN: Operation[models.LoggedIn] = Operation("login", "POST", "/v1/auth/login", public=True)
PROVE_SECOND_FACTOR: Operation[models.LoggedIn] = Operation(
    "proveSecondFactor", "POST", "/v1/auth/second-factor", public=True
)
LOGOUT: Operation[dict[str, Any]] = Operation("logout", "POST", "/v1/auth/logout")
GET_ME: Operation[models.Me] = Operation("getMe", "GET", "/v1/auth/me", repeatable=True)
CHANGE_PASSWORD: Operation[models.User] = Operation("changePassword", "POST", "/v1/auth/password")
STEP_UP: Operation[models.SteppedUp] = Operation("stepUp", "POST", "/v1/auth/step-up")
BEGIN_PASSKEY_STEP_UP: Operation[models.PasskeyOptions] = Operation(
    "beginPasskeyStepUp", "POST", "/v1/auth/step-up/passkey"
)
GET_FACTORS: Operation[models.Factors] = Operation(
    "getFactors", "GET", "/v1/auth/factors", repeatable=True
)
RENAME_FACTOR: Operation[models.Factor] = Operation(
    "renameFactor", "PATCH", "/v1/auth/factors/{factor_id}"
)
REMOVE_FACTOR: Operation[dict[str, Any]] = Operation(
    "removeFactor", "DELETE", "/v1/auth/factors/{factor_id}"
)
REPLACE_RECOVERY_CODES: Operation[models.ReplaceRecoveryCodesData] = Operation(
    "replaceRecoveryCodes", "POST", "/v1/auth/factors/recovery-codes"
)
BEGIN_TOTP: Operation[models.BeginTotpData] = Operation(
    "beginTotp", "POST", "/v1/auth/factors/totp"
)
CONFIRM_TOTP: Operation[models.NewFactor] = Operation(
    "confirmTotp", "POST", "/v1/auth/factors/totp/{factor_id}/confirm"
)
BEGIN_PASSKEY: Operation[models.PasskeyOptions] = Operation(
    "beginPasskey", "POST", "/v1/auth/factors/passkeys/options"
)
ADD_PASSKEY: Operation[models.NewFactor] = Operation(
    "addPasskey", "POST", "/v1/auth/factors/passkeys"
)
GET_TEAM: Operation[models.Team] = Operation("getTeam", "GET", "/v1/team", repeatable=True)
CHANGE_TEAM: Operation[models.Team] = Operation("changeTeam", "PATCH", "/v1/team")
LIST_MEMBERS: Operation[models.Member] = Operation(
    "listMembers", "GET", "/v1/team/members", pages="cursor", repeatable=True
)
ADD_MEMBER: Operation[models.Member | models.AccessChange] = Operation(
    "addMember", "POST", "/v1/team/members"
)
CHANGE_MEMBER: Operation[models.Member | models.AccessChange] = Operation(
    "changeMember", "PATCH", "/v1/team/members/{user_id}"
)
REMOVE_MEMBER: Operation[models.RemovedMember] = Operation(
    "removeMember", "DELETE", "/v1/team/members/{user_id}"
)
LIST_INVITATIONS: Operation[models.Invitation] = Operation(
    "listInvitations", "GET", "/v1/team/invitations", pages="cursor", repeatable=True
)
CREATE_INVITATION: Operation[models.NewInvitation | models.AccessChange] = Operation(
    "createInvitation", "POST", "/v1/team/invitations", repeatable=True, makes=True
)
REVOKE_INVITATION: Operation[dict[str, Any]] = Operation(
    "revokeInvitation", "DELETE", "/v1/team/invitations/{invitation_id}"
)
READ_INVITATION: Operation[models.ReceivedInvitation] = Operation(
    "readInvitation", "POST", "/v1/auth/invitations/read", public=True
)
ACCEPT_INVITATION: Operation[models.Joined] = Operation(
    "acceptInvitation", "POST", "/v1/auth/invitations/accept", public=True
)
LIST_AUDIT_ENTRIES: Operation[models.AuditEntry] = Operation(
    "listAuditEntries", "GET", "/v1/audit", pages="cursor", repeatable=True
)
GET_ALERTS: Operation[models.Alerts] = Operation(
    "getAlerts", "GET", "/v1/team/alerts", repeatable=True
)
REPLACE_ALERTS: Operation[models.ChangedAlerts] = Operation(
    "replaceAlerts", "PUT", "/v1/team/alerts"
)
ROTATE_ALERT_SECRET: Operation[models.ChangedAlerts] = Operation(
    "rotateAlertSecret", "POST", "/v1/team/alerts/rotate-secret", repeatable=True, makes=True
)
LIST_SERVICE_USERS: Operation[models.ServiceUser] = Operation(
    "listServiceUsers", "GET", "/v1/team/service-users", pages="cursor", repeatable=True
)
CREATE_SERVICE_USER: Operation[models.NewServiceUser | models.AccessChange] = Operation(
    "createServiceUser", "POST", "/v1/team/service-users", repeatable=True, makes=True
)
GET_SERVICE_USER: Operation[models.ServiceUser] = Operation(
    "getServiceUser", "GET", "/v1/team/service-users/{service_user_id}", repeatable=True
)
CHANGE_SERVICE_USER: Operation[models.ChangeServiceUserData | models.AccessChange] = Operation(
    "changeServiceUser", "PATCH", "/v1/team/service-users/{service_user_id}"
)
REMOVE_SERVICE_USER: Operation[models.RemoveServiceUserData] = Operation(
    "removeServiceUser", "DELETE", "/v1/team/service-users/{service_user_id}"
)
ADD_SERVICE_USER_SECRET: Operation[models.NewServiceUserSecret | models.AccessChange] = Operation(
    "addServiceUserSecret", "POST", "/v1/team/service-users/{service_user_id}/secrets", repeatable=True, makes=True
)
RETIRE_SERVICE_USER_SECRET: Operation[models.ServiceUserSecret] = Operation(
    "retireServiceUserSecret", "DELETE", "/v1/team/service-users/{service_user_id}/secrets/{secret_id}"
)
GET_ACCESS_CHANGE: Operation[models.AccessChange] = Operation(
    "getAccessChange", "GET", "/v1/team/access-changes/{access_change_id}", repeatable=True
)
APPROVE_ACCESS_CHANGE: Operation[models.AccessChange] = Operation(
    "approveAccessChange", "POST", "/v1/team/access-changes/{access_change_id}/approve"
)
REJECT_ACCESS_CHANGE: Operation[models.AccessChange] = Operation(
    "rejectAccessChange", "POST", "/v1/team/access-changes/{access_change_id}/reject"
)
LIST_PAYEES: Operation[models.Payee] = Operation(
    "listPayees", "GET", "/v1/team/payees", pages="cursor", repeatable=True
)
CREATE_PAYEE: Operation[models.Payee | models.AccessChange] = Operation(
    "createPayee", "POST", "/v1/team/payees", repeatable=True, makes=True
)
GET_PAYEE: Operation[models.PayeeWithPaid] = Operation(
    "getPayee", "GET", "/v1/team/payees/{payee_id}", repeatable=True
)
CHANGE_PAYEE: Operation[models.Payee | models.AccessChange] = Operation(
    "changePayee", "PATCH", "/v1/team/payees/{payee_id}"
)
DELETE_PAYEE: Operation[models.Payee] = Operation(
    "deletePayee", "DELETE", "/v1/team/payees/{payee_id}"
)
CREATE_WALLET: Operation[models.NewWallet] = Operation(
    "createWallet", "POST", "/v1/wallets", repeatable=True, makes=True
)
LIST_WALLETS: Operation[models.Wallet] = Operation(
    "listWallets", "GET", "/v1/wallets", pages="cursor", repeatable=True
)
GET_WALLET: Operation[models.Wallet] = Operation(
    "getWallet", "GET", "/v1/wallets/{id}", repeatable=True
)
CHANGE_WALLET: Operation[models.Wallet] = Operation("changeWallet", "PATCH", "/v1/wallets/{id}")
LIST_BALANCES: Operation[models.Balance] = Operation(
    "listBalances", "GET", "/v1/wallets/{id}/balances", pages="cursor", repeatable=True
)
LIST_TRANSACTIONS: Operation[models.Transaction] = Operation(
    "listTransactions", "GET", "/v1/wallets/{id}/transactions", pages="cursor", repeatable=True
)
GET_STATISTICS: Operation[models.GetStatisticsData] = Operation(
    "getStatistics", "GET", "/v1/wallets/{id}/statistics", repeatable=True
)
REGENERATE_API_KEY: Operation[models.RegeneratedApiKey | models.AccessChange] = Operation(
    "regenerateApiKey", "POST", "/v1/wallets/{id}/api-key/regenerate", repeatable=True, makes=True
)
GET_API_KEY: Operation[models.ApiKey] = Operation(
    "getApiKey", "GET", "/v1/wallets/{id}/api-key", repeatable=True
)
LIST_API_KEYS: Operation[models.NamedApiKey] = Operation(
    "listApiKeys", "GET", "/v1/wallets/{id}/api-keys", pages="cursor", repeatable=True
)
CREATE_API_KEY: Operation[models.NewNamedApiKey | models.AccessChange] = Operation(
    "createApiKey", "POST", "/v1/wallets/{id}/api-keys", repeatable=True, makes=True
)
DELETE_API_KEY: Operation[models.DeletedNamedApiKey] = Operation(
    "deleteApiKey", "DELETE", "/v1/wallets/{id}/api-keys/{key_id}"
)
CHANGE_DEPOSIT_ADDRESS: Operation[models.DepositAddress] = Operation(
    "changeDepositAddress", "PATCH", "/v1/wallets/{id}/addresses/{address_id}"
)
GET_DEPOSIT_ADDRESS: Operation[models.DepositAddressWithReceived] = Operation(
    "getDepositAddress", "GET", "/v1/wallets/{id}/addresses/{address_id}", repeatable=True
)
CREATE_DEPOSIT_ADDRESS: Operation[models.DepositAddress] = Operation(
    "createDepositAddress", "POST", "/v1/wallets/{id}/addresses", repeatable=True, makes=True
)
LIST_DEPOSIT_ADDRESSES: Operation[models.ListedDepositAddress] = Operation(
    "listDepositAddresses", "GET", "/v1/wallets/{id}/addresses", pages="cursor", repeatable=True
)
LIST_DEPOSITS: Operation[models.Deposit] = Operation(
    "listDeposits", "GET", "/v1/wallets/{id}/deposits", pages="cursor", repeatable=True
)
GET_DEPOSIT: Operation[models.Deposit] = Operation(
    "getDeposit", "GET", "/v1/wallets/{id}/deposits/{deposit_id}", repeatable=True
)
GET_ADJUSTMENT: Operation[models.Adjustment] = Operation(
    "getAdjustment", "GET", "/v1/wallets/{id}/adjustments/{adjustment_id}", repeatable=True
)
ASSIGN_DEPOSIT: Operation[models.Deposit] = Operation(
    "assignDeposit", "POST", "/v1/wallets/{id}/deposits/{deposit_id}/assign"
)
GET_DEPOSIT_MINIMUMS: Operation[models.AssetAmount] = Operation(
    "getDepositMinimums", "GET", "/v1/wallets/{id}/deposit-minimums", pages="cursor", repeatable=True
)
REPLACE_DEPOSIT_MINIMUMS: Operation[models.DepositMinimums] = Operation(
    "replaceDepositMinimums", "PUT", "/v1/wallets/{id}/deposit-minimums"
)
EXPLAIN_TRANSACTION: Operation[models.Explanation] = Operation(
    "explainTransaction", "GET", "/v1/wallets/{id}/explain/{tx_hash}", repeatable=True
)
GET_RECONCILIATION: Operation[models.Reconciliation] = Operation(
    "getReconciliation", "GET", "/v1/wallets/{id}/reconciliation", repeatable=True
)
GET_POLICY: Operation[models.Policy] = Operation(
    "getPolicy", "GET", "/v1/wallets/{id}/policy", repeatable=True
)
REPLACE_POLICY: Operation[models.Policy] = Operation(
    "replacePolicy", "PUT", "/v1/wallets/{id}/policy"
)
CHANGE_POLICY: Operation[models.Policy] = Operation(
    "changePolicy", "PATCH", "/v1/wallets/{id}/policy"
)
REVOKE_POLICY_CHANGE: Operation[models.PendingPolicyChange] = Operation(
    "revokePolicyChange", "DELETE", "/v1/wallets/{id}/policy/pending/{change_id}"
)
APPROVE_POLICY_CHANGE: Operation[models.PendingPolicyChange] = Operation(
    "approvePolicyChange", "POST", "/v1/wallets/{id}/policy/pending/{change_id}/approve"
)
REJECT_POLICY_CHANGE: Operation[models.PendingPolicyChange] = Operation(
    "rejectPolicyChange", "POST", "/v1/wallets/{id}/policy/pending/{change_id}/reject"
)
PREVIEW_WITHDRAWAL: Operation[models.WithdrawalPreview] = Operation(
    "previewWithdrawal", "POST", "/v1/wallets/{id}/withdraw/preview", repeatable=True
)
REFUND_DEPOSIT: Operation[models.Withdrawal] = Operation(
    "refundDeposit", "POST", "/v1/wallets/{id}/deposits/{deposit_id}/refund", repeatable=True, timeout_seconds=150
)
LIST_ASSETS: Operation[models.WalletAsset] = Operation(
    "listAssets", "GET", "/v1/wallets/{id}/assets", pages="cursor", repeatable=True
)
ADD_ASSET: Operation[models.WalletAsset] = Operation(
    "addAsset", "POST", "/v1/wallets/{id}/assets", repeatable=True, timeout_seconds=150
)
GET_ASSET: Operation[models.WalletAsset] = Operation(
    "getAsset", "GET", "/v1/wallets/{id}/assets/{asset}", repeatable=True
)
REMOVE_ASSET: Operation[models.WalletAsset] = Operation(
    "removeAsset", "DELETE", "/v1/wallets/{id}/assets/{asset}", timeout_seconds=150
)
APPROVE_WITHDRAWAL: Operation[models.Withdrawal] = Operation(
    "approveWithdrawal", "POST", "/v1/wallets/{id}/withdrawals/{withdrawal_id}/approve"
)
REJECT_WITHDRAWAL: Operation[models.Withdrawal] = Operation(
    "rejectWithdrawal", "POST", "/v1/wallets/{id}/withdrawals/{withdrawal_id}/reject"
)
PREVIEW_APPROVAL: Operation[models.WithdrawalPreview] = Operation(
    "previewApproval", "GET", "/v1/wallets/{id}/withdrawals/{withdrawal_id}/preview", repeatable=True
)
LIST_APPROVALS: Operation[models.AwaitingApproval] = Operation(
    "listApprovals", "GET", "/v1/approvals", pages="cursor", repeatable=True
)
LIST_DECIDED_APPROVALS: Operation[models.DecidedApproval] = Operation(
    "listDecidedApprovals", "GET", "/v1/approvals/decided", pages="cursor", repeatable=True
)
CREATE_PAYOUT: Operation[models.Payout] = Operation(
    "createPayout", "POST", "/v1/wallets/{id}/payouts", repeatable=True, makes=True, timeout_seconds=240
)
PREVIEW_PAYOUT: Operation[models.PayoutReport] = Operation(
    "createPayout", "POST", "/v1/wallets/{id}/payouts", repeatable=True, timeout_seconds=240
)
LIST_PAYOUTS: Operation[models.Payout] = Operation(
    "listPayouts", "GET", "/v1/wallets/{id}/payouts", pages="cursor", repeatable=True
)
START_PAYOUT: Operation[models.Payout] = Operation(
    "startPayout", "POST", "/v1/wallets/{id}/payouts/{payout_id}/start"
)
PAUSE_PAYOUT: Operation[models.Payout] = Operation(
    "pausePayout", "POST", "/v1/wallets/{id}/payouts/{payout_id}/pause"
)
RESUME_PAYOUT: Operation[models.Payout] = Operation(
    "resumePayout", "POST", "/v1/wallets/{id}/payouts/{payout_id}/resume"
)
CANCEL_PAYOUT: Operation[models.Payout] = Operation(
    "cancelPayout", "POST", "/v1/wallets/{id}/payouts/{payout_id}/cancel"
)
RETRY_PAYOUT: Operation[models.Payout] = Operation(
    "retryPayout", "POST", "/v1/wallets/{id}/payouts/{payout_id}/retry-failed", repeatable=True, makes=True, timeout_seconds=240
)
APPROVE_PAYOUT: Operation[models.Payout] = Operation(
    "approvePayout", "POST", "/v1/wallets/{id}/payouts/{payout_id}/approve"
)
REJECT_PAYOUT: Operation[models.Payout] = Operation(
    "rejectPayout", "POST", "/v1/wallets/{id}/payouts/{payout_id}/reject"
)
GET_PAYOUT: Operation[models.Payout] = Operation(
    "getPayout", "GET", "/v1/wallets/{id}/payouts/{payout_id}", repeatable=True
)
LIST_PAYOUT_ROWS: Operation[models.PayoutRow] = Operation(
    "listPayoutRows", "GET", "/v1/wallets/{id}/payouts/{payout_id}/rows", pages="cursor", repeatable=True
)
CREATE_WITHDRAWAL: Operation[models.Withdrawal] = Operation(
    "createWithdrawal", "POST", "/v1/wallets/{id}/withdraw", repeatable=True, timeout_seconds=150
)
LIST_WITHDRAWALS: Operation[models.Withdrawal] = Operation(
    "listWithdrawals", "GET", "/v1/wallets/{id}/withdrawals", pages="cursor", repeatable=True
)
GET_WITHDRAWAL: Operation[models.Withdrawal] = Operation(
    "getWithdrawal", "GET", "/v1/wallets/{id}/withdrawals/{withdrawal_id}", repeatable=True
)
REGISTER_WEBHOOK: Operation[models.NewWebhookEndpoint] = Operation(
    "registerWebhook", "POST", "/v1/wallets/{id}/webhooks", repeatable=True, makes=True
)
LIST_WEBHOOKS: Operation[models.WebhookEndpoint] = Operation(
    "listWebhooks", "GET", "/v1/wallets/{id}/webhooks", pages="cursor", repeatable=True
)
GET_WEBHOOK: Operation[models.WebhookEndpoint] = Operation(
    "getWebhook", "GET", "/v1/wallets/{id}/webhooks/{webhook_id}", repeatable=True
)
UPDATE_WEBHOOK: Operation[models.WebhookEndpoint] = Operation(
    "updateWebhook", "PATCH", "/v1/wallets/{id}/webhooks/{webhook_id}"
)
DELETE_WEBHOOK: Operation[models.WebhookEndpoint] = Operation(
    "deleteWebhook", "DELETE", "/v1/wallets/{id}/webhooks/{webhook_id}"
)
GET_WEBHOOK_STATISTICS: Operation[models.WebhookEndpointStatistics] = Operation(
    "getWebhookStatistics", "GET", "/v1/wallets/{id}/webhooks/{webhook_id}/statistics", repeatable=True
)
ROTATE_WEBHOOK_SECRET: Operation[models.NewWebhookEndpoint] = Operation(
    "rotateWebhookSecret", "POST", "/v1/wallets/{id}/webhooks/{webhook_id}/rotate-secret", repeatable=True, makes=True
)
LIST_WEBHOOK_DELIVERIES: Operation[models.LoggedWebhookDelivery] = Operation(
    "listWebhookDeliveries", "GET", "/v1/wallets/{id}/webhooks/{webhook_id}/deliveries", pages="cursor", repeatable=True
)
GET_WEBHOOK_DELIVERY: Operation[models.WebhookDeliveryWithBody] = Operation(
    "getWebhookDelivery", "GET", "/v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}", repeatable=True
)
TEST_WEBHOOK: Operation[models.WebhookDelivery] = Operation(
    "testWebhook", "POST", "/v1/wallets/{id}/webhooks/{webhook_id}/test", repeatable=True, makes=True
)
REDELIVER_WEBHOOK: Operation[models.WebhookDelivery] = Operation(
    "redeliverWebhook", "POST", "/v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver"
)
REPLAY_WEBHOOK: Operation[models.ReplayWebhookData] = Operation(
    "replayWebhook", "POST", "/v1/wallets/{id}/webhooks/{webhook_id}/replay"
)
LIST_EVENTS: Operation[models.WebhookEvent] = Operation(
    "listEvents", "GET", "/v1/wallets/{id}/events", pages="after", repeatable=True
)
EXAMINE_WEBHOOK: Operation[models.WebhookExam] = Operation(
    "examineWebhook", "POST", "/v1/wallets/{id}/webhooks/{webhook_id}/exam", timeout_seconds=90
)
LIST_DEPOSIT_DELIVERIES: Operation[models.DepositDelivery] = Operation(
    "listDepositDeliveries", "GET", "/v1/wallets/{id}/deposits/{deposit_id}/deliveries", pages="cursor", repeatable=True
)
GET_WALLET_HEALTH: Operation[models.WalletHealth] = Operation(
    "getWalletHealth", "GET", "/v1/wallets/{id}/health", repeatable=True
)
SEARCH_WALLETS: Operation[models.SearchResult] = Operation(
    "searchWallets", "GET", "/v1/search", pages="cursor", repeatable=True
)
GET_SERVICE_TOKEN: Operation[models.GetServiceTokenData] = Operation(
    "getServiceToken", "POST", "/v1/auth/token", repeatable=True, public=True
)

ALL: tuple[Operation[Any], ...] = (
    HEALTHZ,
    READYZ,
    GET_SERVICE,
    PAY_ON_SANDBOX,
    LIST_SESSIONS,
    END_OTHER_SESSIONS,
    GET_SESSION,
    END_SESSION,
    RENEW_TOKEN,
    LOGIN,
    PROVE_SECOND_FACTOR,
    LOGOUT,
    GET_ME,
    CHANGE_PASSWORD,
    STEP_UP,
    BEGIN_PASSKEY_STEP_UP,
    GET_FACTORS,
    RENAME_FACTOR,
    REMOVE_FACTOR,
    REPLACE_RECOVERY_CODES,
    BEGIN_TOTP,
    CONFIRM_TOTP,
    BEGIN_PASSKEY,
    ADD_PASSKEY,
    GET_TEAM,
    CHANGE_TEAM,
    LIST_MEMBERS,
    ADD_MEMBER,
    CHANGE_MEMBER,
    REMOVE_MEMBER,
    LIST_INVITATIONS,
    CREATE_INVITATION,
    REVOKE_INVITATION,
    READ_INVITATION,
    ACCEPT_INVITATION,
    LIST_AUDIT_ENTRIES,
    GET_ALERTS,
    REPLACE_ALERTS,
    ROTATE_ALERT_SECRET,
    LIST_SERVICE_USERS,
    CREATE_SERVICE_USER,
    GET_SERVICE_USER,
    CHANGE_SERVICE_USER,
    REMOVE_SERVICE_USER,
    ADD_SERVICE_USER_SECRET,
    RETIRE_SERVICE_USER_SECRET,
    GET_ACCESS_CHANGE,
    APPROVE_ACCESS_CHANGE,
    REJECT_ACCESS_CHANGE,
    LIST_PAYEES,
    CREATE_PAYEE,
    GET_PAYEE,
    CHANGE_PAYEE,
    DELETE_PAYEE,
    CREATE_WALLET,
    LIST_WALLETS,
    GET_WALLET,
    CHANGE_WALLET,
    LIST_BALANCES,
    LIST_TRANSACTIONS,
    GET_STATISTICS,
    REGENERATE_API_KEY,
    GET_API_KEY,
    LIST_API_KEYS,
    CREATE_API_KEY,
    DELETE_API_KEY,
    CHANGE_DEPOSIT_ADDRESS,
    GET_DEPOSIT_ADDRESS,
    CREATE_DEPOSIT_ADDRESS,
    LIST_DEPOSIT_ADDRESSES,
    LIST_DEPOSITS,
    GET_DEPOSIT,
    GET_ADJUSTMENT,
    ASSIGN_DEPOSIT,
    GET_DEPOSIT_MINIMUMS,
    REPLACE_DEPOSIT_MINIMUMS,
    EXPLAIN_TRANSACTION,
    GET_RECONCILIATION,
    GET_POLICY,
    REPLACE_POLICY,
    CHANGE_POLICY,
    REVOKE_POLICY_CHANGE,
    APPROVE_POLICY_CHANGE,
    REJECT_POLICY_CHANGE,
    PREVIEW_WITHDRAWAL,
    REFUND_DEPOSIT,
    LIST_ASSETS,
    ADD_ASSET,
    GET_ASSET,
    REMOVE_ASSET,
    APPROVE_WITHDRAWAL,
    REJECT_WITHDRAWAL,
    PREVIEW_APPROVAL,
    LIST_APPROVALS,
    LIST_DECIDED_APPROVALS,
    CREATE_PAYOUT,
    PREVIEW_PAYOUT,
    LIST_PAYOUTS,
    START_PAYOUT,
    PAUSE_PAYOUT,
    RESUME_PAYOUT,
    CANCEL_PAYOUT,
    RETRY_PAYOUT,
    APPROVE_PAYOUT,
    REJECT_PAYOUT,
    GET_PAYOUT,
    LIST_PAYOUT_ROWS,
    CREATE_WITHDRAWAL,
    LIST_WITHDRAWALS,
    GET_WITHDRAWAL,
    REGISTER_WEBHOOK,
    LIST_WEBHOOKS,
    GET_WEBHOOK,
    UPDATE_WEBHOOK,
    DELETE_WEBHOOK,
    GET_WEBHOOK_STATISTICS,
    ROTATE_WEBHOOK_SECRET,
    LIST_WEBHOOK_DELIVERIES,
    GET_WEBHOOK_DELIVERY,
    TEST_WEBHOOK,
    REDELIVER_WEBHOOK,
    REPLAY_WEBHOOK,
    LIST_EVENTS,
    EXAMINE_WEBHOOK,
    LIST_DEPOSIT_DELIVERIES,
    GET_WALLET_HEALTH,
    SEARCH_WALLETS,
    GET_SERVICE_TOKEN,
)
