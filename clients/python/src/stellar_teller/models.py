"""The resources of the API as types. Written by scripts/python-client.ts from docs/openapi.json."""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict, final

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


class Readiness(TypedDict):
    database: Check
    network: Check
    deposits: Check
    quarantine: Check
    protocol: Check
    withdrawals: Check
    reconciliation: Check
    keys: Check
    key_provider: Check
    treasury: Check
    contract_calls: Check


class Service(TypedDict):
    name: Literal["Stellar Teller"]
    """The name of this software"""
    version: str
    """The version of the service"""
    network: Literal["sandbox", "testnet", "public"]
    """The Stellar network"""
    passphrase: str
    """The passphrase of the network, which signatures contain"""
    explorer: ServiceExplorer | None
    """Web pages about transactions and accounts; null when none are known for this network"""
    known_assets: list[ServiceKnownAssetsItem]
    """The issued assets of this network that the service knows by itself"""
    network_protocol: int | None
    """The protocol of the network, the highest that a source tells; null while none does"""
    known_protocol: int
    """The highest protocol of the network that this version of the service reads"""
    sources: list[SourceProtocol]
    """The sources of the network, in the order of the configuration; those that have not
    answered yet are left out"""
    test_assets: list[TestAsset]
    """Issued assets that `payOnSandbox` pays; empty on other networks than the sandbox"""


class PayOnSandboxData(TypedDict):
    stellar_tx_hash: str
    """The hash of the transaction, in hex; null while there is none"""


class Session(TypedDict):
    id: str
    """The id of it"""
    kind: Literal["browser", "program"]
    """A browser, or a program"""
    device: str | None
    """The browser and its system, or the program"""
    ip: str | None
    """Where the login came from"""
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """To the minute"""
    expires_at: str
    """The end, unless it is used or its token is renewed before"""
    current: bool
    """Whether it is the session of this request"""


class EndOtherSessionsData(TypedDict):
    ended: int
    """How many sessions were ended"""


class RenewTokenData(TypedDict):
    token: str
    """The login token"""
    expires_in: int
    """Seconds until the new token ends"""
    session_ends_at: str
    """When the session ends, whatever is renewed"""


class LoggedIn(TypedDict):
    token: NotRequired[str]
    """The login token. Absent only when `Teller-Browser` was sent"""
    user: User


class PasskeyProof(TypedDict):
    id: str
    """The id of the passkey, as the browser gives it"""
    rawId: str
    """As the browser gives it"""
    type: Literal["public-key"]
    """As the browser gives it"""
    response: PasskeyAssertion


class Me(TypedDict):
    id: str
    """The id of it"""
    email: str
    """Empty for a service user"""
    name: str
    """What people call it"""
    created_at: str
    """When it was made"""
    kind: Literal["user", "service"]
    """A person, or a service user"""
    role: Role
    wallet_ids: list[str] | None
    """The wallets that the member may use; null for every wallet of the team"""
    team: MeTeam
    """The team of the user"""


class User(TypedDict):
    id: str
    """The id of it"""
    email: str
    """The e-mail address"""
    name: str
    """What people call it"""
    created_at: str
    """When it was made"""


class SteppedUp(TypedDict):
    proven_at: str
    """When the factor was proven"""
    expires_at: str
    """When the proof no longer counts"""


class PasskeyOptions(TypedDict):
    """For the browser: `startRegistration` or `startAuthentication` of @simplewebauthn/browser"""

    challenge: str
    """What the passkey signs"""


class Factors(TypedDict):
    factors: list[Factor]
    """The second factors of the user"""
    recovery_codes_left: int
    """How many recovery codes are not used"""
    required_by_team: bool
    """Whether the team asks every member for a second factor"""
    stopped: bool
    """After 100 failures in a row, codes of an authenticator app are refused until a passkey or
    a recovery code is used"""
    passkey_origin: str | None
    """Where passkeys of this service work: PUBLIC_URL. Null where no browser allows them"""


class Factor(TypedDict):
    id: str
    """The id of it"""
    kind: Literal["totp", "passkey"]
    """Which kind it is of"""
    name: str
    """What people call it"""
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it was used the last time; null for never"""


class ReplaceRecoveryCodesData(TypedDict):
    recovery_codes: list[str]


class BeginTotpData(TypedDict):
    id: str
    """The id of the factor, for its confirmation"""
    secret: str
    """What the authenticator app keeps. Shown only here"""
    uri: str
    """The same as a URI, for a QR code"""


class NewFactor(TypedDict):
    id: str
    """The id of it"""
    kind: Literal["totp", "passkey"]
    """Which kind it is of"""
    name: str
    """What people call it"""
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it was used the last time; null for never"""
    recovery_codes: list[str] | None
    """Of the first factor; null of further ones"""


class NewPasskey(TypedDict):
    id: str
    """The id of the passkey, as the browser gives it"""
    rawId: str
    """As the browser gives it"""
    type: Literal["public-key"]
    """As the browser gives it"""
    response: PasskeyRegistration


class Team(TypedDict):
    name: str
    """What people call it"""
    second_factor_required: bool
    """Whether every member must have a second factor"""
    created_at: str
    """When it was made"""


@final
class Member(TypedDict):
    user_id: str
    """The id of the user"""
    email: str
    """The e-mail address"""
    name: str
    """What people call it"""
    role: Role
    wallet_ids: list[str] | None
    """The wallets that the member may use; null for every wallet of the team"""
    joined_at: str
    """When the member joined the team"""
    left_at: str | None
    """When a former member left the team; role and wallets are those of then. Null of a member"""


@final
class AccessChange(TypedDict):
    """A change of who has access or of whom the team pays, which other members must approve
    first."""

    id: str
    """The id of it"""
    status: Literal["awaiting_approval", "approved"]
    """`approved`: its requester sends the same request again, which then does it, before
    `approval_expires_at`"""
    operation: Literal["addMember", "changeMember", "createInvitation", "createServiceUser", "changeServiceUser", "addServiceUserSecret", "createApiKey", "regenerateApiKey", "createPayee", "changePayee"]
    """The operation that was requested"""
    wallet_id: str | None
    """Of an API key; null for members, service users and payees"""
    target_id: str | None
    """The member, service user or payee that is changed; null for what is made"""
    change: dict[str, Any]
    """What it does, without secrets. `before`: what is there now"""
    created_at: str
    """When it was made"""
    requested_by: str | None
    """The user who asked for it; null where it is not known"""
    approvals_required: int
    """How many members must approve it; 0 when it needs no approvals"""
    approvals: list[Approval]
    """What members have decided. An approval counts while its member may still approve: one who
    has left, or has other rights since, does not"""
    order_hash: str | None
    """SHA-256 of what is approved, hex. An approval sends it back, so that nobody approves what
    they did not see. Null without approvals"""
    approval_expires_at: str | None
    """When it ends unless it is approved; null without approvals"""


Role = Literal[
    "owner",
    "admin",
    "operator",
    "approver",
    "developer",
    "auditor",
    "viewer",
]


class RemovedMember(TypedDict):
    service_users: list[IdAndName]
    """The service users of the team with a valid credential that the user knows"""


class Invitation(TypedDict):
    id: str
    """The id of it"""
    email: str
    """The e-mail address"""
    role: Role
    wallet_ids: list[str] | None
    """The wallets that the member may use; null for every wallet of the team"""
    invited_by: str
    """The user who made the invitation"""
    created_at: str
    """When it was made"""
    expires_at: str
    """When its link ends"""


@final
class NewInvitation(TypedDict):
    """An invitation. Its token is shown only now, and only when the link was not mailed."""

    id: str
    """The id of it"""
    email: str
    """The e-mail address"""
    role: Role
    wallet_ids: list[str] | None
    """The wallets that the member may use; null for every wallet of the team"""
    invited_by: str
    """The user who made the invitation"""
    created_at: str
    """When it was made"""
    expires_at: str
    """When its link ends"""
    token: str | None
    """The text after `#` in the link of the invitation; null when the link was mailed. Shown
    only here: null in a repeat with the same Idempotency-Key"""
    path: str | None
    """Of the dashboard’s page that accepts it: the link is the service’s address and this; null
    when the link was mailed. Shown only here: null in a repeat with the same Idempotency-Key"""
    mailed: bool
    """Whether the service has sent the link to the e-mail address; otherwise send it yourself"""


class ReceivedInvitation(TypedDict):
    """What an invitation says to the person who has its link"""

    state: Literal["open", "accepted", "expired"]
    """Only an open one can be accepted"""
    team_name: str
    """Name of the team"""
    inviter_name: str
    """Name of the user who made the invitation"""
    inviter_email: str
    """E-mail address of the user who made the invitation"""
    email: str
    """The invited e-mail address"""
    role: Role
    wallets: int | None
    """How many wallets of the team the member uses; null: every wallet"""
    expires_at: str
    """When it ends; null for never"""
    is_known_device: bool
    """Whether a user with the invited e-mail address has signed in at this browser before, which
    keeps a device cookie then"""


class Joined(TypedDict):
    token: NotRequired[str]
    """The login token. Absent only when `Teller-Browser` was sent"""
    user_id: str
    """The id of the user"""


class AuditEntry(TypedDict):
    seq: int
    """Counts the entries of the team: 1, 2, 3, … without a gap"""
    id: str
    """The id of it"""
    at: str
    """When it was"""
    actor: AuditEntryActor
    """A stranger has not signed in. The id of an API key is the id that the list of API keys
    shows."""
    session_id: str | None
    """The session in which it was done; null without one"""
    ip: str | None
    """The address that the request came from; null without one"""
    action: str
    """See AuditAction; later versions have more"""
    target: AuditEntryTarget
    """What was changed"""
    wallet_id: str | None
    """The wallet that is concerned; null for none"""
    before: dict[str, Any] | None
    """What the change replaced, without secrets"""
    after: dict[str, Any] | None
    """What the change made of it, without secrets"""
    hash: str
    """SHA-256 of the hash before, seq and the entry, in hex"""


AuditAction = Literal[
    "login.succeeded",
    "login.failed",
    "login.factor_asked",
    "session.ended",
    "session.renewed",
    "password.refused",
    "password.changed",
    "password.reset",
    "user.created",
    "user.disabled",
    "user.enabled",
    "command.run",
    "second_factor.used",
    "second_factor.failed",
    "second_factor.stopped",
    "recovery_code.used",
    "recovery_codes.replaced",
    "factor.added",
    "factor.renamed",
    "factor.removed",
    "factors.reset",
    "right.refused",
    "team.renamed",
    "team.alerts_changed",
    "team.factors_required",
    "member.added",
    "member.changed",
    "member.removed",
    "invitation.created",
    "invitation.revoked",
    "service_user.created",
    "service_user.changed",
    "service_user.disabled",
    "service_user.enabled",
    "service_user.removed",
    "service_user.secret_added",
    "service_user.secret_retired",
    "service_user.token_given",
    "service_user.token_refused",
    "access_change.requested",
    "access_change.approved",
    "access_change.rejected",
    "access_change.carried_out",
    "access_change.expired",
    "payee.created",
    "payee.changed",
    "payee.deleted",
    "wallet.created",
    "wallet.changed",
    "wallet.frozen",
    "wallet.unfrozen",
    "api_key.regenerated",
    "api_key.created",
    "api_key.deleted",
    "address.created",
    "address.changed",
    "deposit_minimums.changed",
    "deposit.assigned",
    "policy.changed",
    "policy.change_revoked",
    "policy.change_approved",
    "policy.change_rejected",
    "policy.requests_ended",
    "policy.approvals_cleared",
    "withdrawal.requested",
    "withdrawal.approved",
    "withdrawal.rejected",
    "withdrawal.approval_expired",
    "payout.created",
    "payout.started",
    "payout.requested",
    "payout.approved",
    "payout.rejected",
    "payout.approval_expired",
    "payout.paused",
    "payout.resumed",
    "payout.cancelled",
    "payout.completed",
    "asset.added",
    "asset.removed",
    "endpoint.registered",
    "endpoint.changed",
    "endpoint.deleted",
    "endpoint.secret_rotated",
    "endpoint.tested",
    "endpoint.examined",
    "delivery.repeated",
    "deliveries.replayed",
]


class Alerts(TypedDict):
    url: str | None
    """Where alerts are sent; null for nowhere"""
    disabled_reason: str | None
    """Why nothing is sent to the URL any more; ends when the settings are saved again"""
    failing_since: str | None
    """Null: the last alert was acknowledged"""
    last_failure: FailedAlert | None
    """The last alert that was not acknowledged; null for none"""
    kinds: list[str] | None
    """Null: every kind"""
    large_payments: list[AssetAmount]
    """A payment of at least this amount is reported, by asset"""
    mails: bool
    """Whether this service sends mails"""


class ChangedAlerts(TypedDict):
    url: str | None
    """Where alerts are sent; null for nowhere"""
    disabled_reason: str | None
    """Why nothing is sent to the URL any more; ends when the settings are saved again"""
    failing_since: str | None
    """Null: the last alert was acknowledged"""
    last_failure: FailedAlert | None
    """The last alert that was not acknowledged; null for none"""
    kinds: list[str] | None
    """Null: every kind"""
    large_payments: list[AssetAmount]
    """A payment of at least this amount is reported, by asset"""
    mails: bool
    """Whether this service sends mails"""
    signing_secret: str | None
    """A new one; null when the URL has not changed. Shown only here: null in a repeat with the
    same Idempotency-Key"""


AlertKind = Literal[
    "new_device",
    "password_changed",
    "second_factor_changed",
    "recovery_codes_replaced",
    "member_changed",
    "invitation_created",
    "api_key_made",
    "endpoint_changed",
    "signing_secret_rotated",
    "policy_loosened",
    "large_payment",
    "wallet_frozen",
    "alerts_changed",
]


class GivenAssetAmount(TypedDict):
    asset_code: NotRequired[str | None]
    """The native asset is `native`"""
    asset_issuer: NotRequired[str | None]
    """Null or absent for the native asset"""
    amount_stroops: int


class ServiceUser(TypedDict):
    id: str
    """The client id, too"""
    kind: Literal["service"]
    """Which kind it is of"""
    name: str
    """What people call it"""
    role: ServiceRole
    wallet_ids: list[str] | None
    """The wallets that the member may use; null for every wallet of the team"""
    allowed_ips: list[str] | None
    """Addresses and CIDR blocks that it may be used from; null for every address"""
    public_keys: list[PublicKey]
    """The keys whose signatures it may log in with"""
    secrets: list[ServiceUserSecret]
    """The client secrets, without their texts"""
    enabled: bool
    """Whether it is in use"""
    disabled_by: Literal["team", "operator"] | None
    """Who has disabled it. What the operator of the service has disabled, only they enable"""
    created_by: str | None
    """The user who made it; null for the operator"""
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it got a token the last time"""


@final
class NewServiceUser(TypedDict):
    id: str
    """The client id, too"""
    kind: Literal["service"]
    """Which kind it is of"""
    name: str
    """What people call it"""
    role: ServiceRole
    wallet_ids: list[str] | None
    """The wallets that the member may use; null for every wallet of the team"""
    allowed_ips: list[str] | None
    """Addresses and CIDR blocks that it may be used from; null for every address"""
    public_keys: list[PublicKey]
    """The keys whose signatures it may log in with"""
    secrets: list[ServiceUserSecret]
    """The client secrets, without their texts"""
    enabled: bool
    """Whether it is in use"""
    disabled_by: Literal["team", "operator"] | None
    """Who has disabled it. What the operator of the service has disabled, only they enable"""
    created_by: str | None
    """The user who made it; null for the operator"""
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it got a token the last time"""
    client_id: str
    """The id of the service user"""
    client_secret: str | None
    """Its secret; null when it has public keys. Shown only here: null in a repeat with the same
    Idempotency-Key"""


ServiceRole = Literal[
    "admin",
    "operator",
    "approver",
    "developer",
    "auditor",
    "viewer",
]


class GivenPublicKey(TypedDict):
    kty: Literal["OKP", "EC"]
    """The type of the key"""
    crv: Literal["Ed25519", "P-256"]
    """The curve of the key"""
    x: str
    """The point of the key, in base64url"""
    y: NotRequired[str | None]
    """The second coordinate, for P-256 only"""
    kid: NotRequired[str | None]
    """The name of the key, as the `kid` of an assertion"""
    use: NotRequired[Literal["sig"] | None]
    """As in a JWK"""
    alg: NotRequired[Literal["EdDSA", "ES256"] | None]
    """The algorithm of the signatures"""
    key_ops: NotRequired[list[Literal["verify"]] | None]
    """As in a JWK"""
    ext: NotRequired[bool | None]
    """As in a JWK"""


@final
class ChangeServiceUserData(TypedDict):
    id: str
    """The client id, too"""
    kind: Literal["service"]
    """Which kind it is of"""
    name: str
    """What people call it"""
    role: ServiceRole
    wallet_ids: list[str] | None
    """The wallets that the member may use; null for every wallet of the team"""
    allowed_ips: list[str] | None
    """Addresses and CIDR blocks that it may be used from; null for every address"""
    public_keys: list[PublicKey]
    """The keys whose signatures it may log in with"""
    secrets: list[ServiceUserSecret]
    """The client secrets, without their texts"""
    enabled: bool
    """Whether it is in use"""
    disabled_by: Literal["team", "operator"] | None
    """Who has disabled it. What the operator of the service has disabled, only they enable"""
    created_by: str | None
    """The user who made it; null for the operator"""
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it got a token the last time"""
    endpoints: list[WebhookEndpoint]
    """The webhook endpoints that it has registered, which go on"""


class RemoveServiceUserData(TypedDict):
    id: str
    """The client id, too"""
    kind: Literal["service"]
    """Which kind it is of"""
    name: str
    """What people call it"""
    role: ServiceRole
    wallet_ids: list[str] | None
    """The wallets that the member may use; null for every wallet of the team"""
    allowed_ips: list[str] | None
    """Addresses and CIDR blocks that it may be used from; null for every address"""
    public_keys: list[PublicKey]
    """The keys whose signatures it may log in with"""
    secrets: list[ServiceUserSecret]
    """The client secrets, without their texts"""
    enabled: bool
    """Whether it is in use"""
    disabled_by: Literal["team", "operator"] | None
    """Who has disabled it. What the operator of the service has disabled, only they enable"""
    created_by: str | None
    """The user who made it; null for the operator"""
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it got a token the last time"""
    endpoints: list[WebhookEndpoint]
    """The webhook endpoints that it has registered, which go on"""


@final
class NewServiceUserSecret(TypedDict):
    id: str
    """The id of it"""
    last_four: str
    """The last four characters"""
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it was used the last time; null for never"""
    client_secret: str | None
    """The text of the secret. Shown only here: null in a repeat with the same Idempotency-Key"""


class ServiceUserSecret(TypedDict):
    id: str
    """The id of it"""
    last_four: str
    """The last four characters"""
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it was used the last time; null for never"""


@final
class Payee(TypedDict):
    """Whom the team pays, by name."""

    id: str
    """The id of it"""
    name: str
    """What people call it"""
    destination: str
    """The address of the payee"""
    memo_id: int | None
    """The memo of every payment; null: each payment says its own"""
    asset_code: str | None
    """The only asset that is paid, `native` for the native asset; null: any asset"""
    asset_issuer: str | None
    """Null for the native asset"""
    note: str | None
    """For people"""
    created_by: str
    """The user or service user"""
    created_at: str
    """When it was made"""
    new_until: str
    """Until then it is marked as new: one day from its creation, or since it has its name"""
    last_paid_at: str | None
    """When it was last paid, also before it was a payee; null: never"""


class PayeeWithPaid(TypedDict):
    id: str
    """The id of it"""
    name: str
    """What people call it"""
    destination: str
    """The address of the payee"""
    memo_id: int | None
    """The memo of every payment; null: each payment says its own"""
    asset_code: str | None
    """The only asset that is paid, `native` for the native asset; null: any asset"""
    asset_issuer: str | None
    """Null for the native asset"""
    note: str | None
    """For people"""
    created_by: str
    """The user or service user"""
    created_at: str
    """When it was made"""
    new_until: str
    """Until then it is marked as new: one day from its creation, or since it has its name"""
    last_paid_at: str | None
    """When it was last paid, also before it was a payee; null: never"""
    paid: list[PaidAmount]
    """What confirmed withdrawals have paid since it is a payee, by asset; of the wallets that
    you may use"""


class NewWallet(TypedDict):
    """A wallet with its API key."""

    id: str
    """The id of it"""
    name: str
    """What people call it"""
    network: Literal["sandbox", "testnet", "public"]
    """The Stellar network"""
    account: str
    """The wallet’s Stellar account (G…)"""
    status: Literal["unfunded", "active"]
    """`unfunded`: the ledger does not have its account yet"""
    numeric_memo_text: bool
    """Whether a memo text of digits counts as a memo id; applies to deposits read afterwards"""
    created_at: str
    """When it was made"""
    api_key: str | None
    """Its main API key. Shown only here: null in a repeat with the same Idempotency-Key"""


class Wallet(TypedDict):
    id: str
    """The id of it"""
    name: str
    """What people call it"""
    network: Literal["sandbox", "testnet", "public"]
    """The Stellar network"""
    account: str
    """The wallet’s Stellar account (G…)"""
    status: Literal["unfunded", "active"]
    """`unfunded`: the ledger does not have its account yet"""
    numeric_memo_text: bool
    """Whether a memo text of digits counts as a memo id; applies to deposits read afterwards"""
    created_at: str
    """When it was made"""


class Balance(TypedDict):
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null or absent for the native asset"""
    amount_stroops: int
    """From 0 to 9223372036854775807."""
    available_stroops: int
    """From 0 to 9223372036854775807."""
    reserved_stroops: int
    """What the network keeps: the reserve of the account and amounts in open offers; all of an
    asset that the issuer does not let the wallet use. From 0 to 9223372036854775807."""
    in_flight_stroops: int
    """The wallet’s withdrawals without an outcome, those that await approvals too; native: with
    the fees that contract transfers declare"""
    status: Literal["active", "unauthorized", "maintain_liabilities"]
    """Whether the issuer lets the wallet take and pay it: as the status of an asset"""


class Transaction(TypedDict):
    type: Literal["deposit", "withdrawal", "adjustment"]
    """What it is"""
    id: str
    """The id of it"""
    status: Literal["awaiting_approval", "pending", "confirmed", "failed"]
    """Deposits and adjustments are always `confirmed`"""
    reason: Literal["clawback", "contract_transfer", "contract_burn", "authorized", "maintain_liabilities", "authorization_revoked"] | None
    """What happened to the wallet, for an adjustment; null for the others"""
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null or absent for the native asset"""
    amount_stroops: int
    """0 for an adjustment that changed what a trust line may do. From 0 to 9223372036854775807."""
    fee_stroops: int | None
    """Fee of a withdrawal; null until it is known, and for the others"""
    counterparty: str
    """Who paid or was paid; of an adjustment, the account or contract that did it"""
    address_label: str | None
    """Label of the paid deposit address"""
    stellar_tx_hash: str | None
    """The hash of the transaction, in hex; null while there is none"""
    memo_id: int | None
    """The id in the memo; null for none"""
    memo_text: str | None
    """The transaction’s memo, if it is a text; null for all but deposits"""
    reference: str | None
    """What you call it, if it is a withdrawal; null for the others"""
    payout_id: str | None
    """The payout whose row it pays, if it is a withdrawal; null for the others"""
    payout_row: int | None
    """The number of that row, from 1 on"""
    below_minimum: bool
    """Of a deposit: smaller than the wallet’s minimum for its asset, so no event announces it"""
    created_at: str
    """When it was made"""


class GetStatisticsData(TypedDict):
    days: list[DayOfWallet]
    """The days, one by one"""


@final
class RegeneratedApiKey(TypedDict):
    id: str
    """Another one after each regeneration"""
    prefix: str
    """How the API key begins"""
    last_four: str
    """The last four characters"""
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it was used the last time; null for never"""
    api_key: str | None
    """The new API key. Shown only here: null in a repeat with the same Idempotency-Key"""
    endpoints: list[WebhookEndpoint]
    """The webhook endpoints that the key of before has registered, which go on"""


class ApiKey(TypedDict):
    id: str
    """Another one after each regeneration"""
    prefix: str
    """How the API key begins"""
    last_four: str
    """The last four characters"""
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it was used the last time; null for never"""


class NamedApiKey(TypedDict):
    id: str
    """The id of it"""
    name: str
    """What people call it"""
    prefix: str
    """How the API key begins"""
    last_four: str
    """The last four characters"""
    scopes: list[Scope]
    """What the API key may do"""
    allowed_ips: list[str] | None
    """Addresses and CIDR blocks that it may be used from; null for every address"""
    expires_at: str | None
    """When it ends; null for never"""
    created_by: IdAndName
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it was used the last time; null for never"""


@final
class NewNamedApiKey(TypedDict):
    id: str
    """The id of it"""
    name: str
    """What people call it"""
    prefix: str
    """How the API key begins"""
    last_four: str
    """The last four characters"""
    scopes: list[Scope]
    """What the API key may do"""
    allowed_ips: list[str] | None
    """Addresses and CIDR blocks that it may be used from; null for every address"""
    expires_at: str | None
    """When it ends; null for never"""
    created_by: IdAndName
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it was used the last time; null for never"""
    api_key: str | None
    """The text of the key. Shown only here: null in a repeat with the same Idempotency-Key"""


Scope = Literal[
    "read",
    "addresses",
    "webhooks",
]


class DeletedNamedApiKey(TypedDict):
    id: str
    """The id of it"""
    name: str
    """What people call it"""
    prefix: str
    """How the API key begins"""
    last_four: str
    """The last four characters"""
    scopes: list[Scope]
    """What the API key may do"""
    allowed_ips: list[str] | None
    """Addresses and CIDR blocks that it may be used from; null for every address"""
    expires_at: str | None
    """When it ends; null for never"""
    created_by: IdAndName
    created_at: str
    """When it was made"""
    last_used_at: str | None
    """When it was used the last time; null for never"""
    endpoints: list[WebhookEndpoint]
    """The webhook endpoints that it has registered, which go on"""


class DepositAddress(TypedDict):
    id: str
    """The id of it"""
    wallet_id: str
    """The id of the wallet"""
    address: str
    """M… address: pay this"""
    account: str
    """G… account: pay this with memo_id as MEMO_ID where M… is not supported"""
    memo_id: int
    uri: str
    """SEP-7 payment request; off the public network it names the network"""
    label: str | None
    """What people call the address; senders do not see it"""
    metadata: dict[str, Any]
    metadata_text: NotRequired[str | None]
    """The source text of `metadata`."""
    last_deposit_at: str | None
    """When its last deposit was recorded; null before the first one"""
    created_at: str
    """When it was made"""


class DepositAddressWithReceived(TypedDict):
    id: str
    """The id of it"""
    wallet_id: str
    """The id of the wallet"""
    address: str
    """M… address: pay this"""
    account: str
    """G… account: pay this with memo_id as MEMO_ID where M… is not supported"""
    memo_id: int
    uri: str
    """SEP-7 payment request; off the public network it names the network"""
    label: str | None
    """What people call the address; senders do not see it"""
    metadata: dict[str, Any]
    metadata_text: NotRequired[str | None]
    """The source text of `metadata`."""
    last_deposit_at: str | None
    """When its last deposit was recorded; null before the first one"""
    created_at: str
    """When it was made"""
    received: list[ReceivedAsset]
    """All deposits of the address, by asset"""


class ListedDepositAddress(TypedDict):
    id: str
    """The id of it"""
    wallet_id: str
    """The id of the wallet"""
    address: str
    """M… address: pay this"""
    account: str
    """G… account: pay this with memo_id as MEMO_ID where M… is not supported"""
    memo_id: int
    uri: str
    """SEP-7 payment request; off the public network it names the network"""
    label: str | None
    """What people call the address; senders do not see it"""
    metadata: dict[str, Any]
    metadata_text: NotRequired[str | None]
    """The source text of `metadata`."""
    last_deposit_at: str | None
    """When its last deposit was recorded; null before the first one"""
    created_at: str
    """When it was made"""
    received: list[ReceivedAsset] | None
    """Its deposits of the last `received_days` days, by asset. Null for a request without
    `received_days`, and for an address with more than 10000 deposits in these days"""


class Deposit(TypedDict):
    id: str
    """The id of it"""
    wallet_id: str
    """The id of the wallet"""
    address_id: str | None
    """The id of the deposit address; null for none"""
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null or absent for the native asset"""
    amount_stroops: int
    source_account: str
    """The payer: G…, or C… for a contract"""
    source_account_muxed: str | None
    """The payer’s M… address, if the payment names one; a refund goes there"""
    stellar_tx_hash: str
    """The hash of the transaction, in hex; null while there is none"""
    operation_index: int
    """Counts the operations of the transaction, from 0 on"""
    event_index: int
    """Index of the contract’s event in its operation, else 0. Hash, operation and event identify
    the deposit on the ledger: they stay the same when the database is restored from an older
    copy; `id` does not"""
    kind: Literal["payment", "create_account", "path_payment_strict_send", "path_payment_strict_receive", "account_merge", "contract_transfer", "contract_mint"]
    """The operation or the event of a Stellar Asset Contract that paid it"""
    memo_id: int | None
    """Muxed id, else memo id; of a deposit assigned by hand, the memo id of its address"""
    memo_type: Literal["none", "id", "text", "hash", "return"]
    """The type of the memo of the transaction"""
    memo: str | None
    """The transaction’s memo: digits, a text, or base64 of other bytes"""
    ledger: int
    """The ledger that has the transaction; null while none has it"""
    status: Literal["confirmed"]
    """A deposit is recorded when the ledger has confirmed it"""
    attributed: bool
    """Whether it belongs to a deposit address"""
    assigned_by_hand: bool
    """Whether a person has given it to its address"""
    below_minimum: bool
    """Smaller than the wallet’s minimum for its asset: no event announces it"""
    refund_withdrawal_id: str | None
    """The withdrawal that refunds it"""
    metadata: dict[str, Any] | None
    """That of its address when it was attributed; null without an address"""
    metadata_text: NotRequired[str | None]
    """The source text of `metadata`."""
    created_at: str
    """When it was made"""


class Adjustment(TypedDict):
    """What others did to a wallet without paying it"""

    id: str
    """The id of it"""
    wallet_id: str
    """The id of the wallet"""
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null or absent for the native asset"""
    reason: Literal["clawback", "contract_transfer", "contract_burn", "authorized", "maintain_liabilities", "authorization_revoked"]
    """What happened to the wallet"""
    amount_stroops: int
    """What was taken; 0 when only the authorization of the trust line has changed. From 0 to
    9223372036854775807."""
    caused_by: str
    """The account (G…) or contract (C…) that did it"""
    stellar_tx_hash: str
    """The hash of the transaction, in hex; null while there is none"""
    operation_index: int
    """Counts the operations of the transaction, from 0 on"""
    event_index: int
    """The index of the contract’s event in its operation, else 0"""
    ledger: int
    """The ledger that has the transaction; null while none has it"""
    created_at: str
    """When it was made"""


class AssetAmount(TypedDict):
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null for the native asset"""
    amount_stroops: int
    """From 0 to 9223372036854775807."""


class DepositMinimums(TypedDict):
    """Deposits below these amounts are not announced"""

    items: list[AssetAmount]
    """Each asset that has a minimum"""


class Explanation(TypedDict):
    stellar_tx_hash: str
    """Of a fee-bump, the outer hash, whichever was asked for"""
    state: Literal["applied", "failed", "not_found"]
    """What the network made of the transaction"""
    ledger: int | None
    """The ledger that has the transaction; null while none has it"""
    read: bool
    """Whether deposits are read up to that ledger"""
    quarantined: bool
    """Whether the service could not read it, and keeps it for later"""
    fee_bump: bool | None
    """Null when it is not known any more"""
    memo_type: Literal["none", "id", "text", "hash", "return"]
    """The type of the memo of the transaction"""
    memo: str | None
    """The memo of the transaction, as text; null for none"""
    message: str
    """In words, for a person"""
    operations: list[ExplanationOperationsItem]
    """Its operations, one by one"""


class Reconciliation(TypedDict):
    agrees: bool
    """Whether the books and the balances are the same for every asset"""
    ledger: int
    """The closed ledger at which books and balances were compared"""
    checked_at: str
    """Time of the comparison. It is older than a minute only if no comparison is possible now"""
    items: list[ReconciliationItem]
    """One for each asset"""


class Policy(TypedDict):
    """The policy that is in force now; null is no limit. The two max_… fields and the one for 24
    hours are of the native asset."""

    wallet_id: str
    """The id of the wallet"""
    frozen: bool
    """Whether the owner has frozen the wallet"""
    operator_freeze: PolicyOperatorFreeze | None
    """Null unless the operator of the service has frozen the wallet: new withdrawals are
    refused, whatever `frozen` says. No login can undo that"""
    max_withdrawal_stroops: int | None
    """The most that one withdrawal may pay; null for no limit"""
    max_rolling_24h_stroops: int | None
    """The most that may be paid in 24 hours; null for no limit"""
    used_rolling_24h_stroops: int
    """Withdrawals of the native asset in the last 24 hours that are not failed"""
    limits: list[AssetLimits]
    """Every asset with a limit, the native one first"""
    other_assets_allowed: bool
    """Whether an asset that `limits` does not have may be paid"""
    destinations: list[str] | None
    """Addresses, and ids of payees"""
    approvals: ApprovalRule | None
    """What needs approvals; null is nothing"""
    delay_seconds: int
    """How long after the request a looser policy takes effect"""
    pending: list[PendingPolicyChange]
    """Changes that are not in force yet"""


GivenApprovalRule = TypedDict(
    "GivenApprovalRule",
    {
        "required": "int",
        "above": "NotRequired[list[GivenAssetAmount] | None]",
        "for": "NotRequired[list[Literal[\"withdrawals\", \"policies\", \"destinations\", \"members\", \"api_keys\"]] | None]",
        "without_factor": "NotRequired[bool | None]",
    },
)


class GivenAssetLimits(TypedDict):
    asset_code: NotRequired[str | None]
    """The native asset is `native`"""
    asset_issuer: NotRequired[str | None]
    """Null or absent for the native asset"""
    max_withdrawal_stroops: NotRequired[int | None]
    """The most that one withdrawal may pay; null for no limit"""
    max_rolling_24h_stroops: NotRequired[int | None]
    """The most that may be paid in 24 hours; null for no limit"""


class PendingPolicyChange(TypedDict):
    """A change to a looser policy that is not in force yet. For the field frozen it unfreezes
    the wallet. For `limits` it allows an asset that is refused, or removes the limits of all
    assets."""

    id: str
    """The id of it"""
    field: Literal["frozen", "max_withdrawal_stroops", "max_rolling_24h_stroops", "limits", "destinations", "approvals"]
    """What of the policy it changes"""
    asset_code: str | None
    """The asset of a limit; null for other fields, and for `limits` when no asset is limited any
    more"""
    asset_issuer: str | None
    """Null for the native asset"""
    limit_stroops: int | None
    """For a max_… field: the new limit; null means no limit"""
    max_withdrawal_stroops: int | None
    """For `limits`: the limit of an asset that was refused; null means no limit"""
    max_rolling_24h_stroops: int | None
    """The same, for 24 hours"""
    destination: str | None
    """For destinations: the address to add, or the id of the payee; null is everywhere"""
    new_approvals: ApprovalRule | None
    """For approvals: the new rule; null means no rule"""
    created_at: str
    """When it was made"""
    takes_effect_at: str
    """The end of the delay. A change that awaits approvals does not take effect before it has
    them"""
    status: Literal["awaiting_approval", "pending"]
    """`awaiting_approval`: members must approve it first"""
    requested_by: str | None
    """The user who asked for it; null where it is not known"""
    approvals_required: int
    """How many members must approve it; 0 when it needs no approvals"""
    approvals: list[Approval]
    """What members have decided. An approval counts while its member may still approve: one who
    has left, or has other rights since, does not"""
    order_hash: str | None
    """SHA-256 of what is approved, hex. An approval sends it back, so that nobody approves what
    they did not see. Null without approvals"""
    approval_expires_at: str | None
    """When it ends unless it is approved; null without approvals"""


class WithdrawalPreview(TypedDict):
    operation: Literal["payment", "create_account", "contract_transfer"]
    """What it would be if it were signed now"""
    destination_exists: bool
    """Of a C… address: whether a contract is there"""
    memo_required: bool
    """The destination takes no payment without a memo (SEP-29)"""
    memo_satisfied: bool
    """False when a memo is required and there is none"""
    fee_stroops: int
    """Estimate of what the wallet pays: what 9 of 10 recent transactions paid. Through a channel
    account it is twice that, or 0 where channels pay their fees. Of a contract transfer the
    whole fee that it declares, of which most comes back; 0 when it cannot be simulated, and when
    the treasury pays. From 0 to 9223372036854775807."""
    fee_max_stroops: int
    """The fee is never higher. From 0 to 9223372036854775807."""
    contract_fee: ContractFee | None
    """The fee of a contract transfer, whoever pays it; null for other withdrawals, and when it
    cannot be simulated"""
    fee_paid_by: Literal["wallet", "treasury"]
    """`treasury` where the operator pays the fees of all wallets; otherwise `wallet`, though a
    channel account may pay in its place"""
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null for the native asset"""
    balance_stroops: int
    """What the wallet holds of the asset. From 0 to 9223372036854775807."""
    reserve_stroops: int
    """What the account must keep for its ledger entries; of an issued asset 0. From 0 to
    9223372036854775807."""
    fee_available_stroops: int
    """The native balance that can pay the fee: less reserve, liabilities and withdrawals in
    flight. From 0 to 9223372036854775807."""
    room_stroops: int | None
    """How much more of an issued asset the destination can hold; null where there is no limit"""
    available_stroops: int
    """Balance less reserve, liabilities and withdrawals in flight. From 0 to
    9223372036854775807."""
    balance_after_stroops: int | None
    """Estimate, withdrawals in flight counted as paid; null when there is a problem"""
    would_send: bool
    """False when the withdrawal would be refused: nothing is sent then"""
    approvals_required: int
    """How many members must approve it before it is signed; 0 when it needs no approvals"""
    approvals_cause: Literal["amount", "sum"] | None
    """Why it needs approvals. `amount`: what it pays is above the amount of its asset, or its
    asset has none. `sum`: only with what the wallet has paid of the asset without approvals in
    24 hours. Null when it needs none"""
    unapproved_stroops: int
    """What the wallet has paid of the asset without approvals in the last 24 hours; 0 where the
    policy does not count it"""
    problems: list[Problem]
    """Why it would be refused (the error codes of a withdrawal), or why the network would fail
    it (op_…, tx_…: sent, and `failed`)"""


class Withdrawal(TypedDict):
    id: str
    """The id of it"""
    wallet_id: str
    """The id of the wallet"""
    status: Literal["awaiting_approval", "pending", "confirmed", "failed"]
    """`awaiting_approval`: members must approve it first; nothing is signed"""
    stellar_tx_hash: str | None
    """Hash of the envelope in the ledger; before that, of the newest envelope"""
    inner_tx_hash: str | None
    """Hash of the signed payment inside a fee-bump; otherwise the same"""
    operation: Literal["payment", "create_account", "contract_transfer"]
    """Whether the payment creates the account of its payee is decided when it is signed; before
    that, what it would do when it was asked for"""
    destination: str
    """The address of the payee"""
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null for the native asset"""
    amount_stroops: int
    memo_id: int | None
    """The id in the memo; null for none"""
    payee_id: str | None
    """The payee of the team that it pays, as it was when it was asked for"""
    ledger: int | None
    """The ledger that has the transaction; null while none has it"""
    fee_stroops: int | None
    """The fee that the wallet paid; 0 when somebody else paid it: a channel account, the
    treasury, a stranger"""
    fee_paid_by: Literal["wallet", "channel", "treasury", "other"] | None
    """Who paid the fee: the wallet, a channel account or the treasury of this service, or a
    stranger who fee-bumped the transaction. Null where the ledger does not have it"""
    failure: Failure | None
    """Why it failed; null unless it failed"""
    idempotency_key: str
    """The key of the withdrawal, for ever"""
    reference: str | None
    """What you call it; of a row of a payout, the reference of the row"""
    refund_of: str | None
    """The deposit that this withdrawal pays back, with MEMO_RETURN of its transaction hash"""
    payout_id: str | None
    """The payout whose row it pays"""
    payout_row: int | None
    """The number of that row in its file, from 1 on"""
    fee_bumps: int
    """Fee-bump transactions made around the payment; a payment through a channel account has
    one, unless the channel pays its fee"""
    created_at: str
    """When it was made"""
    signed_at: str | None
    """When it was signed; null before"""
    committed_at: str | None
    """When the envelope was committed; it is sent at once after that, never before"""
    expires_at: str | None
    """After this time no ledger can take the payment; null until it is signed"""
    settled_at: str | None
    """When it had its outcome; null before"""
    requested_by: str | None
    """The user who asked for it; null where it is not known"""
    approvals_required: int
    """How many members must approve it; 0 when it needs no approvals"""
    approvals: list[Approval]
    """What members have decided. An approval counts while its member may still approve: one who
    has left, or has other rights since, does not"""
    order_hash: str | None
    """SHA-256 of what is approved, hex. An approval sends it back, so that nobody approves what
    they did not see. Null without approvals"""
    approval_expires_at: str | None
    """When it ends unless it is approved; null without approvals"""
    approvals_cause: Literal["amount", "sum"] | None
    """Why it needs approvals. `amount`: what it pays is above the amount of its asset, or its
    asset has none. `sum`: only with what the wallet has paid of the asset without approvals in
    24 hours. Null when it needs none"""


class WalletAsset(TypedDict):
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str
    """Null or absent for the native asset"""
    status: Literal["pending", "active", "unauthorized", "maintain_liabilities", "removing", "failed", "absent"]
    """unauthorized: the issuer must approve the wallet, or has withdrawn its approval.
    maintain_liabilities: the wallet keeps its balance, and can neither take nor pay. absent: the
    wallet does not have the asset; no list shows it."""
    failure: Failure | None
    """Why the network refused to add it"""
    issuer_flags: WalletAssetIssuerFlags | None
    """What the issuer can do to new trust lines; null when it is no account any more, or when an
    event could not read it"""
    clawback_enabled: bool
    """Whether the issuer can take the balance of this wallet back"""
    home_domain: str | None
    """What the issuer’s account names. Anybody can name any domain: it proves nothing"""
    home_domain_check: Literal["confirmed", "not_confirmed", "unreachable"] | None
    """Whether the stellar.toml of the domain names this asset (SEP-1). unreachable: the service
    could not read it within 5 seconds. Null: the operator allows no look-ups, there is no
    domain, or this answers or tells of a change of the asset"""
    verified: bool
    """True for the assets that the service knows by itself"""
    warning: str | None
    """Show it: the asset looks like another one that is known"""
    created_at: str | None
    """When it was last asked for"""


class AwaitingApproval(TypedDict):
    kind: Literal["withdrawal", "payout", "policy_change", "access_change"]
    """Which kind it is of"""
    wallet_id: str | None
    """Null for a change of members or service users"""
    may_decide: bool
    """Whether the caller may approve or reject it"""
    factor_required: bool
    """Whether the caller may approve or reject it once they have added a second factor"""
    withdrawal: Withdrawal | None
    """Null unless `kind` is `withdrawal`"""
    payout: Payout | None
    """Null unless `kind` is `payout`"""
    change: PendingPolicyChange | None
    """Null unless `kind` is `policy_change`"""
    access_change: AccessChange | None
    """Null unless `kind` is `access_change`"""


class DecidedApproval(TypedDict):
    """A request that awaited approvals and is decided or over. `approvals` of the request has
    who decided what, when, and with which comment. A withdrawal and a payout are shown as they
    are now, a change as it was then."""

    kind: Literal["withdrawal", "payout", "policy_change", "access_change"]
    """Which kind it is of"""
    wallet_id: str | None
    """Null for a change of members or service users"""
    outcome: Literal["approved", "not_needed", "rejected", "approval_expired", "requester_removed", "cancelled"]
    """`not_needed`: its requester carried out the change of access after the rule had ended that
    asked for approvals. `rejected`: by a member, or taken back by its requester.
    `approval_expired`: its time was over. `requester_removed`: its requester was removed or
    disabled. `cancelled`: it ended before it was decided, because somebody cancelled, revoked or
    replaced it, or by the operator of the service"""
    decided_at: str
    """When it was decided or ended. A change of access that is approved or needed no approvals
    any more: when it was carried out"""
    withdrawal: Withdrawal | None
    """Null unless `kind` is `withdrawal`"""
    payout: Payout | None
    """Null unless `kind` is `payout`"""
    change: PendingPolicyChange | None
    """Null unless `kind` is `policy_change`"""
    access_change: AccessChange | None
    """Null unless `kind` is `access_change`"""


@final
class PayoutReport(TypedDict):
    """What a payout would be, and what is wrong with it."""

    rows: int
    """How many rows"""
    totals: list[PayoutReportTotal]
    """The sums of each asset"""
    fee_stroops: int
    """The fees of all rows, each as from the account of the wallet itself. Through a channel
    account a row costs twice that, or the wallet nothing where channels pay their fees"""
    fee_paid_by: Literal["wallet", "treasury"]
    """Who pays the fees"""
    approvals_required: int
    """How many members must approve it; 0 when it needs no approvals"""
    approvals_cause: Literal["amount", "sum"] | None
    """Why it needs approvals. `amount`: what it pays is above the amount of its asset, or its
    asset has none. `sum`: only with what the wallet has paid of the asset without approvals in
    24 hours. Null when it needs none"""
    errors: list[PayoutProblem]
    """What refuses the payout; the first 1,000"""
    error_count: int
    """How many errors there are"""
    warnings: list[PayoutProblem]
    """The first 1,000"""
    warning_count: int
    """How many warnings there are"""
    new_payees: int
    """How many destinations the wallet has never paid"""
    needs_confirmation: bool
    """Send `confirm_duplicates: true`"""
    readings: list[PayoutReading]
    """How amounts of a CSV were read that are written in another way than `12.5`; the first
    1,000"""
    reading_count: int
    """How many amounts were read that are written in another way than `12.5`"""
    columns: list[PayoutColumn]
    """The columns of a CSV"""
    has_made_keys: bool
    """True: the keys are not in the file, but were made for it"""
    sample: list[PayoutSampleRow]
    """The first rows, as they were read"""


@final
class Payout(TypedDict):
    """Many payments of a wallet as one file."""

    id: str
    """The id of it"""
    wallet_id: str
    """The id of the wallet"""
    name: str
    """What people call it"""
    status: Literal["draft", "awaiting_approval", "running", "paused", "completed", "cancelled"]
    """`draft`: nothing is paid before it is started"""
    reason: PayoutReason | None
    """Why it is paused or cancelled"""
    retry_of: str | None
    """The payout whose failed rows it pays again"""
    row_count: int
    """How many rows it has"""
    counts: PayoutCounts
    totals: list[PayoutTotal]
    """The sums of each asset"""
    rows_hash: str
    """SHA-256 of the rows, hex"""
    created_by: str
    """The user who made it"""
    created_at: str
    """When it was made"""
    requested_at: str | None
    """When a member asked to start it; null before"""
    started_at: str | None
    """When it was started; null before"""
    settled_at: str | None
    """When it was completed or cancelled"""
    requested_by: str | None
    """The user who asked for it; null where it is not known"""
    approvals_required: int
    """How many members must approve it; 0 when it needs no approvals. Of a draft: how many a
    start would ask for now"""
    approvals: list[Approval]
    """What members have decided. An approval counts while its member may still approve: one who
    has left, or has other rights since, does not"""
    order_hash: str | None
    """SHA-256 of what is approved, hex. An approval sends it back, so that nobody approves what
    they did not see. Null without approvals"""
    approval_expires_at: str | None
    """When it ends unless it is approved; null without approvals"""
    approvals_cause: Literal["amount", "sum"] | None
    """Why it needs approvals. `amount`: what it pays is above the amount of its asset, or its
    asset has none. `sum`: only with what the wallet has paid of the asset without approvals in
    24 hours. Null when it needs none"""


class PayoutRowBody(TypedDict):
    idempotency_key: str
    """The Idempotency-Key of the withdrawal that pays the row: unique in the team, for ever"""
    destination: NotRequired[str | None]
    """G… or M… address; required without `payee_id`"""
    payee_id: NotRequired[str | None]
    """In place of the destination: a payee of the team, with its memo and its asset where it has
    them"""
    amount_stroops: int
    asset_code: NotRequired[str | None]
    """The native asset is `native`"""
    asset_issuer: NotRequired[str | None]
    """Null or absent for the native asset"""
    memo_id: NotRequired[int | None]
    """The id in the memo; null for none"""
    reference: NotRequired[str | None]
    """Your own name for the row; its withdrawal and the result have it"""


class CreatePayoutColumnsItem(TypedDict):
    name: str
    """The name of the column in the header of the CSV"""
    column: NotRequired[Literal["idempotency_key", "destination", "payee", "amount_stroops", "amount", "asset_code", "asset_issuer", "memo_id", "reference"] | None]
    """What it is; null: it is left out"""


class PayoutRow(TypedDict):
    row: int
    """Its number in the file, from 1 on"""
    idempotency_key: str
    """The key of the withdrawal, for ever"""
    destination: str
    """The address of the payee"""
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null for the native asset"""
    amount_stroops: int
    memo_id: int | None
    """The id in the memo; null for none"""
    reference: str | None
    """Your own name for the payment; null for none"""
    status: Literal["waiting", "pending", "confirmed", "failed", "cancelled"]
    """`waiting`: it has no withdrawal yet"""
    withdrawal_id: str | None
    """The withdrawal that pays it; null before"""
    stellar_tx_hash: str | None
    """The hash of the transaction, in hex; null while there is none"""
    failure: Failure | None
    """Why it failed; null unless it failed"""


class NewWebhookEndpoint(TypedDict):
    """An endpoint with its signing secret."""

    id: str
    """The id of it"""
    wallet_id: str
    """The id of the wallet"""
    url: str
    """Where it is sent"""
    description: str | None
    """What people call it; it is not sent"""
    events: list[str]
    """The types of events that it gets. Later versions may have more types"""
    enabled: bool
    """Whether it is in use"""
    disabled_reason: str | None
    """Why the service disabled the endpoint; null while it is enabled, and if its owner disabled
    it"""
    failing_since: str | None
    """Since when every attempt has failed; null if the last one succeeded. After two days
    without an attempt the time starts again"""
    exam_passed_at: str | None
    """When the receiver passed an exam last; null if it has not passed one at this URL"""
    created_by: EndpointMaker
    created_at: str
    """When it was made"""
    signing_secret: str | None
    """Signs every delivery. Shown only here: null in a repeat with the same Idempotency-Key"""


class WebhookEndpoint(TypedDict):
    id: str
    """The id of it"""
    wallet_id: str
    """The id of the wallet"""
    url: str
    """Where it is sent"""
    description: str | None
    """What people call it; it is not sent"""
    events: list[str]
    """The types of events that it gets. Later versions may have more types"""
    enabled: bool
    """Whether it is in use"""
    disabled_reason: str | None
    """Why the service disabled the endpoint; null while it is enabled, and if its owner disabled
    it"""
    failing_since: str | None
    """Since when every attempt has failed; null if the last one succeeded. After two days
    without an attempt the time starts again"""
    exam_passed_at: str | None
    """When the receiver passed an exam last; null if it has not passed one at this URL"""
    created_by: EndpointMaker
    created_at: str
    """When it was made"""


class WebhookEndpointStatistics(TypedDict):
    """How an endpoint has answered lately"""

    since: str
    """24 hours ago"""
    deliveries: int
    """The newest deliveries that were made since then, 2,000 at most: what the rest is about"""
    attempts: int
    """Attempts that were recorded, at most the last 50 of a delivery"""
    acknowledged: int
    """Attempts that got a 2xx response"""
    p95_ms: int | None
    """Within how many milliseconds 95 of 100 responses came; null without a response"""


class LoggedWebhookDelivery(TypedDict):
    id: str
    """The id of it"""
    webhook_id: str
    """The id of the webhook endpoint"""
    event_id: str
    """Sent as webhook-id. The same for every attempt, and for the same subject after the
    database was restored"""
    event: str
    """What has happened"""
    subject: WebhookSubject | None
    """What the event tells of; null for a test event"""
    sequence: int
    """Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence"""
    status: Literal["pending", "delivered", "failed"]
    """`pending`: it is neither acknowledged nor given up"""
    attempts: int
    """Number of attempts so far"""
    next_attempt_at: str | None
    """Null unless pending"""
    created_at: str
    """When it was made"""
    settled_at: str | None
    """When it had its outcome; null before"""
    attempt_log: list[WebhookAttempt]
    """The latest 50 attempts, oldest first. They are deleted WEBHOOK_LOG_DAYS after the delivery
    was acknowledged."""


class WebhookDeliveryWithBody(TypedDict):
    id: str
    """The id of it"""
    webhook_id: str
    """The id of the webhook endpoint"""
    event_id: str
    """Sent as webhook-id. The same for every attempt, and for the same subject after the
    database was restored"""
    event: str
    """What has happened"""
    subject: WebhookSubject | None
    """What the event tells of; null for a test event"""
    sequence: int
    """Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence"""
    status: Literal["pending", "delivered", "failed"]
    """`pending`: it is neither acknowledged nor given up"""
    attempts: int
    """Number of attempts so far"""
    next_attempt_at: str | None
    """Null unless pending"""
    created_at: str
    """When it was made"""
    settled_at: str | None
    """When it had its outcome; null before"""
    attempt_log: list[WebhookAttempt]
    """The latest 50 attempts, oldest first. They are deleted WEBHOOK_LOG_DAYS after the delivery
    was acknowledged."""
    body: dict[str, Any]


class WebhookDelivery(TypedDict):
    id: str
    """The id of it"""
    webhook_id: str
    """The id of the webhook endpoint"""
    event_id: str
    """Sent as webhook-id. The same for every attempt, and for the same subject after the
    database was restored"""
    event: str
    """What has happened"""
    subject: WebhookSubject | None
    """What the event tells of; null for a test event"""
    sequence: int
    """Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence"""
    status: Literal["pending", "delivered", "failed"]
    """`pending`: it is neither acknowledged nor given up"""
    attempts: int
    """Number of attempts so far"""
    next_attempt_at: str | None
    """Null unless pending"""
    created_at: str
    """When it was made"""
    settled_at: str | None
    """When it had its outcome; null before"""


class ReplayWebhookData(TypedDict):
    count: int
    """Deliveries that are sent again"""


class WebhookEvent(TypedDict):
    id: str
    """Sent as webhook-id"""
    event: str
    """What has happened"""
    sequence: int
    """Its number, which orders the events"""
    created_at: str
    """When it was made"""
    body: str
    """The exact text that is sent: {"event": …, "data": …}"""
    headers: dict[str, str] | None
    """Of a delivery to the endpoint that is sent now; null without webhook_id"""


class WebhookExam(TypedDict):
    passed: bool
    """True when every case has passed. `unseen` says what the cases could not show"""
    cases: list[WebhookExamCase]
    """The cases, in the order in which they were sent"""
    unseen: list[str]
    """Typical faults that neither the answers nor a look-up of the receiver could show: look
    yourself. Empty when there are none"""


class DepositDelivery(TypedDict):
    """A delivery of the event of a deposit, with the URL of its endpoint"""

    id: str
    """The id of it"""
    webhook_id: str
    """The id of the webhook endpoint"""
    event_id: str
    """Sent as webhook-id. The same for every attempt, and for the same subject after the
    database was restored"""
    event: str
    """What has happened"""
    subject: WebhookSubject | None
    """What the event tells of; null for a test event"""
    sequence: int
    """Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence"""
    status: Literal["pending", "delivered", "failed"]
    """`pending`: it is neither acknowledged nor given up"""
    attempts: int
    """Number of attempts so far"""
    next_attempt_at: str | None
    """Null unless pending"""
    created_at: str
    """When it was made"""
    settled_at: str | None
    """When it had its outcome; null before"""
    attempt_log: list[WebhookAttempt]
    """The latest 50 attempts, oldest first. They are deleted WEBHOOK_LOG_DAYS after the delivery
    was acknowledged."""
    url: str
    """Where it is sent"""


class WalletHealth(TypedDict):
    deposits: WalletHealthDeposits
    """Whether deposits are read"""
    withdrawals: WalletHealthWithdrawals
    """Whether something blocks the withdrawals of this wallet"""
    webhooks: WalletHealthWebhooks
    """Whether the endpoints of the wallet get their deliveries"""
    channels: WalletHealthChannels
    """Whether there are channel accounts for withdrawals"""
    reconciliation: WalletHealthReconciliation
    """Whether the books agree with the ledger"""
    protocol: WalletHealthProtocol
    """Whether this version of the service reads the protocol of the network, and the next one
    that a source supports"""
    inbox: WalletHealthInbox
    """What waits for a person"""


class SearchResult(TypedDict):
    """What a search has found. What its kind does not have is null."""

    kind: Literal["wallet", "payee", "address", "deposit", "withdrawal", "adjustment", "payout", "asset", "webhook", "delivery"]
    """What it is; a later version may find more"""
    id: str
    """As in the paths of the API; `CODE:ISSUER` of an asset"""
    wallet_id: str | None
    """The wallet that has it, or the wallet itself; null for a payee, which is of the team"""
    webhook_id: str | None
    """The endpoint of a delivery; null for the others"""
    name: str | None
    """Name of a wallet, payee or payout; label of an address, or of the address that a deposit
    paid; reference of a withdrawal; URL of an endpoint; type of the event that a delivery sends"""
    asset_code: str | None
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null or absent for the native asset"""
    amount_stroops: int | None
    """The sum of the amounts"""
    counterparty: str | None
    """As in the list of transactions; the destination of a payee"""
    created_at: str | None
    """Null for an address and an asset"""


class GetServiceTokenData(TypedDict):
    token: str
    """The login token"""
    expires_in: int
    """Seconds until the token ends"""


class DepositCreatedEvent(TypedDict):
    event: Literal["deposit.created"]
    """What has happened"""
    data: Deposit


class DepositUnattributedEvent(TypedDict):
    event: Literal["deposit.unattributed"]
    """What has happened"""
    data: Deposit


class WithdrawalConfirmedEvent(TypedDict):
    event: Literal["withdrawal.confirmed"]
    """What has happened"""
    data: Withdrawal


class WithdrawalFailedEvent(TypedDict):
    event: Literal["withdrawal.failed"]
    """What has happened"""
    data: Withdrawal


class WithdrawalAwaitingApprovalEvent(TypedDict):
    event: Literal["withdrawal.awaiting_approval"]
    """What has happened"""
    data: Withdrawal


class PayoutCompletedEvent(TypedDict):
    event: Literal["payout.completed"]
    """What has happened"""
    data: Payout


class AssetChangedEvent(TypedDict):
    event: Literal["asset.changed"]
    """What has happened"""
    data: WalletAsset


class EndpointDisabledEvent(TypedDict):
    event: Literal["endpoint.disabled"]
    """What has happened"""
    data: WebhookEndpoint


class PingEvent(TypedDict):
    event: Literal["ping"]
    """What has happened"""
    data: Ping


class DepositTestEvent(TypedDict):
    event: Literal["deposit.test"]
    """What has happened"""
    data: Deposit


class DepositCreatedTestEvent(TypedDict):
    event: Literal["deposit.created.test"]
    """What has happened"""
    data: Deposit


class DepositUnattributedTestEvent(TypedDict):
    event: Literal["deposit.unattributed.test"]
    """What has happened"""
    data: Deposit


class WithdrawalConfirmedTestEvent(TypedDict):
    event: Literal["withdrawal.confirmed.test"]
    """What has happened"""
    data: Withdrawal


class WithdrawalFailedTestEvent(TypedDict):
    event: Literal["withdrawal.failed.test"]
    """What has happened"""
    data: Withdrawal


class WithdrawalAwaitingApprovalTestEvent(TypedDict):
    event: Literal["withdrawal.awaiting_approval.test"]
    """What has happened"""
    data: Withdrawal


class PayoutCompletedTestEvent(TypedDict):
    event: Literal["payout.completed.test"]
    """What has happened"""
    data: Payout


class AssetChangedTestEvent(TypedDict):
    event: Literal["asset.changed.test"]
    """What has happened"""
    data: WalletAsset


class EndpointDisabledTestEvent(TypedDict):
    event: Literal["endpoint.disabled.test"]
    """What has happened"""
    data: WebhookEndpoint


class Check(TypedDict):
    ok: bool
    """Whether it works"""
    message: str
    """In words, for a person"""


class ServiceExplorer(TypedDict):
    transaction: str
    """URL of a transaction, with {hash} as placeholder"""
    account: str
    """URL of an account, with {account} as placeholder for a G… address"""


class ServiceKnownAssetsItem(TypedDict):
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str
    """Null or absent for the native asset"""


class SourceProtocol(TypedDict):
    source: int
    """Its place in the configuration, from 1 on: the RPC servers come before the Horizon servers"""
    network_protocol: int | None
    """The protocol of the network as this source has it; null when it does not tell it"""
    supported_protocol: int | None
    """The highest protocol that the source supports; null when it does not tell it"""


class TestAsset(TypedDict):
    asset_code: str
    asset_issuer: str
    note: str
    """What its issuer can do, in words"""


class PasskeyAssertion(TypedDict):
    clientDataJSON: str
    """As the browser gives it"""
    authenticatorData: str
    """As the browser gives it"""
    signature: str
    """As the browser gives it"""
    userHandle: NotRequired[str | None]
    """As the browser gives it"""


class MeTeam(TypedDict):
    """The team of the user"""

    name: str
    """What people call it"""


class PasskeyRegistration(TypedDict):
    clientDataJSON: str
    """As the browser gives it"""
    attestationObject: str
    """As the browser gives it"""
    transports: NotRequired[list[str] | None]
    """As the browser gives it"""


class Approval(TypedDict):
    user_id: str
    """The id of the user"""
    decision: Literal["approved", "rejected"]
    """What the member has decided"""
    comment: str | None
    """What the member says to it"""
    at: str
    """When it was"""


class IdAndName(TypedDict):
    id: str
    """The id of it"""
    name: str
    """What people call it"""


class AuditEntryActor(TypedDict):
    """A stranger has not signed in. The id of an API key is the id that the list of API keys
    shows."""

    kind: Literal["user", "service_user", "api_key", "operator", "service", "stranger"]
    """Who did it"""
    id: str | None
    """The id of who did it; null for strangers and the operator"""
    name: str | None
    """What people called them then"""


class AuditEntryTarget(TypedDict):
    """What was changed"""

    kind: str
    """What was changed"""
    id: str | None
    """The id of what was changed; null where it has none"""


class FailedAlert(TypedDict):
    at: str
    """When it was"""
    reason: str
    """Why it was not acknowledged"""


class PublicKey(TypedDict):
    kid: str
    """The name of the key, as the `kid` of an assertion"""
    kty: Literal["OKP", "EC"]
    """The type of the key"""
    crv: Literal["Ed25519", "P-256"]
    """The curve of the key"""
    alg: Literal["EdDSA", "ES256"]
    """The algorithm of the signatures"""
    x: str
    """The point of the key, in base64url"""
    y: NotRequired[str]
    """The second coordinate, for P-256 only"""


class PaidAmount(TypedDict):
    """What was paid of an asset"""

    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null for the native asset"""
    amount_stroops: int
    """The sum of the amounts"""


class DayOfWallet(TypedDict):
    """Sums of confirmed deposits, withdrawals and adjustments of one asset, by the day of their
    creation"""

    date: str
    """In UTC. Days without transactions are included"""
    deposits_count: int
    """How many deposits"""
    deposits_stroops: int
    """The sum of the deposits"""
    own_funds_count: int
    """How many of these deposits are own funds: without an address and a memo, they made the
    account, or came from a wallet of the same team"""
    own_funds_stroops: int
    """The part of `deposits_stroops` that is own funds"""
    withdrawals_count: int
    """How many withdrawals"""
    withdrawals_stroops: int
    """The sum of the withdrawals"""
    adjustments_count: int
    """Changes of what a trust line may do are not counted"""
    adjustments_stroops: int
    """What others took from the wallet, for example by a clawback"""
    fees_stroops: int
    """Native; 0 for any other asset. Includes fees of withdrawals that failed in the ledger, and
    of trust lines"""


class ReceivedAsset(TypedDict):
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null or absent for the native asset"""
    count: int
    """How many deposits"""
    amount_stroops: int
    """The sum of the amounts"""


class ExplanationOperationsItem(TypedDict):
    operation_index: int
    """Counts the operations of the transaction, from 0 on"""
    type: str
    """As Horizon names it: `payment`, `path_payment_strict_send`, …"""
    credited: bool
    """Whether it paid the wallet, by the ledger"""
    reason: str
    """A stable word: why it credited the wallet or an address, or why not"""
    message: str
    """The same in sentences, for a person"""
    deposits: list[Deposit]
    """The deposits that were recorded of it"""
    adjustments: list[Adjustment]
    """The adjustments that were recorded of it"""


class ReconciliationItem(TypedDict):
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null or absent for the native asset"""
    opening_stroops: int
    """The balance with which the books began"""
    deposits_stroops: int
    """The sum of the deposits"""
    withdrawals_stroops: int
    """The sum of the withdrawals"""
    adjustments_stroops: int
    """What others took from the wallet, for example by a clawback"""
    fees_stroops: int
    """The sum of the fees"""
    expected_stroops: int
    """The balance by the books"""
    balance_stroops: int
    """From 0 to 9223372036854775807."""
    difference_stroops: int
    """The balance on the ledger minus the expected balance"""
    agreed_ledger: int | None
    """The last ledger without a difference"""
    may_explain: list[ReconciliationItemMayExplainItem]
    """What may explain the difference"""


class PolicyOperatorFreeze(TypedDict):
    frozen_at: str
    """When the operator froze the wallet"""
    reason: str | None
    """Why, in the words of the operator"""


class AssetLimits(TypedDict):
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null for the native asset"""
    max_withdrawal_stroops: int | None
    """The most that one withdrawal may pay; null for no limit"""
    max_rolling_24h_stroops: int | None
    """The most that may be paid in 24 hours; null for no limit"""
    used_rolling_24h_stroops: int
    """Withdrawals of the asset in the last 24 hours that are not failed"""


ApprovalRule = TypedDict(
    "ApprovalRule",
    {
        "required": "int",
        "above": "list[AssetAmount]",
        "for": "list[Literal[\"withdrawals\", \"policies\", \"destinations\", \"members\", \"api_keys\"]]",
        "without_factor": "bool",
    },
)


class ContractFee(TypedDict):
    declared_stroops: int
    """The most that it may become: all of it must be there when the transfer is sent. From 0 to
    9223372036854775807."""
    expected_stroops: int | None
    """What is charged when the transfer succeeds; the rest comes back in the same ledger. Null
    while the network’s prices are unknown"""
    kept_stroops: int | None
    """What is charged in any case, also when the transfer fails. Null while the network’s prices
    are unknown"""


class Problem(TypedDict):
    code: str
    """What is wrong, for programs"""
    message: str
    """In words, for a person"""


class Failure(TypedDict):
    code: str
    """The result code of the network"""
    message: str
    """In words, for a person"""


class WalletAssetIssuerFlags(TypedDict):
    auth_required: bool
    """Whether the issuer must allow each trust line"""
    auth_revocable: bool
    """Whether the issuer may take that back"""
    clawback_enabled: bool
    """Whether the issuer may take back what it has paid"""


class PayoutReportTotal(TypedDict):
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null for the native asset"""
    rows: int
    """How many rows"""
    amount_stroops: int
    """The sum of the amounts"""
    available_stroops: int | None
    """What the wallet could pay of it now"""
    largest_row: PayoutLargestRow
    """The row with the largest amount, the first of several"""


class PayoutProblem(TypedDict):
    row: int | None
    """From 1 on; null where the file as a whole is concerned"""
    line: int | None
    """Of the CSV"""
    field: str | None
    """The field of the row; null where the row as a whole is concerned"""
    code: str
    """What is wrong, for programs"""
    message: str
    """In words, for a person"""


class PayoutReading(TypedDict):
    row: int
    """Its number in the file, from 1 on"""
    line: int | None
    """The line of the CSV; null for JSON"""
    field: Literal["amount"]
    """The field that was read"""
    text: str
    """As the file has it: `1.234,50`"""
    read_as: str
    """The same amount as the API writes it: `1234.5`"""


class PayoutColumn(TypedDict):
    name: str
    """Its name in the header"""
    column: Literal["idempotency_key", "destination", "payee", "amount_stroops", "amount", "asset_code", "asset_issuer", "memo_id", "reference"] | None
    """What it was read as; null: it is left out, or its name is not known"""
    example: str | None
    """The first text in it"""


class PayoutSampleRow(TypedDict):
    row: int
    """Its number in the file, from 1 on"""
    idempotency_key: str
    """The key of the withdrawal, for ever"""
    destination: str
    """The address of the payee"""
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null for the native asset"""
    amount_stroops: int
    memo_id: int | None
    """The id in the memo; null for none"""
    reference: str | None
    """Your own name for the payment; null for none"""
    line: int | None
    """The line of the CSV; null for JSON"""
    new_payee: bool
    """True: the wallet has never paid this destination"""


class PayoutReason(TypedDict):
    code: str
    """What is wrong, for programs"""
    message: str
    """In words, for a person"""


class PayoutCounts(TypedDict):
    waiting: int
    """Rows without a withdrawal"""
    pending: int
    """Rows whose withdrawal has no outcome yet"""
    confirmed: int
    """Rows that are paid"""
    failed: int
    """Rows that could not be paid"""
    cancelled: int
    """Rows that were never begun"""


class PayoutTotal(TypedDict):
    asset_code: str
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null for the native asset"""
    amount_stroops: int
    """The sum of the amounts"""
    confirmed_stroops: int
    """What of it is paid"""
    failed_stroops: int
    """What of it could not be paid"""


class EndpointMaker(TypedDict):
    """Who registered it"""

    kind: Literal["user", "service_user", "api_key"]
    """A person, a service user or an API key"""
    id: str
    """The main key of a wallet has another id after each regeneration"""
    name: str | None
    """Null for the main key of the wallet"""


class WebhookSubject(TypedDict):
    """What an event tells of"""

    type: Literal["deposit", "withdrawal", "payout", "asset", "endpoint"]
    """What it is"""
    id: str
    """As in the paths of the API; CODE:ISSUER of an asset"""
    name: str | None
    """Label of the deposit address that was paid, as it is now; destination of a withdrawal;
    name of a payout; URL of an endpoint"""
    asset_code: str | None
    """The native asset is `native`"""
    asset_issuer: str | None
    """Null or absent for the native asset"""
    amount_stroops: int | None
    """The sum of the amounts"""


class WebhookAttempt(TypedDict):
    number: int
    """Counts the attempts, from 1 on"""
    started_at: str
    """When the attempt began"""
    duration_ms: int
    """How long the attempt took"""
    request_headers: dict[str, str] | None
    """The headers that were sent; null if the attempt was not recorded"""
    status_code: int | None
    """The HTTP status of the answer; null when there was none"""
    error: str | None
    """Why there was no answer; null if there was one"""
    response_body: str | None
    """The first 1 KiB of the answer"""


class WebhookExamCase(TypedDict):
    name: str
    """The name of the case"""
    outcome: Literal["passed", "failed", "unknown"]
    """unknown: the case was not sent, or its answers do not show whether the receiver does it
    right"""
    sent: str
    """What was sent, in a sentence"""
    expected: Literal["accepted", "refused"]
    """accepted: every answer has a 2xx status; refused: a 4xx status"""
    answers: list[WebhookExamAttempt]
    """One for each request; none when nothing was sent"""
    advice: str | None
    """What to change in the receiver"""


class WalletHealthDeposits(TypedDict):
    """Whether deposits are read"""

    ok: bool
    """Whether it works"""
    message: str
    """In words, for a person"""
    lag_seconds: int | None
    """How many seconds the reading is behind the network; null when it is unknown"""


class WalletHealthWithdrawals(TypedDict):
    """Whether something blocks the withdrawals of this wallet"""

    ok: bool
    """Whether it works"""
    message: str
    """In words, for a person"""


class WalletHealthWebhooks(TypedDict):
    """Whether the endpoints of the wallet get their deliveries"""

    ok: bool
    """Whether it works"""
    message: str
    """In words, for a person"""
    total: int
    """Endpoints of the wallet"""
    failing: int
    """Endpoints whose last attempt failed"""
    disabled: int
    """Endpoints that the service has disabled"""


class WalletHealthChannels(TypedDict):
    """Whether there are channel accounts for withdrawals"""

    ok: bool
    """Whether it works"""
    message: str
    """In words, for a person"""
    free: int
    """Channel accounts that nothing uses now"""
    total: int
    """Channel accounts; all wallets share them"""


class WalletHealthReconciliation(TypedDict):
    """Whether the books agree with the ledger"""

    ok: bool
    """Whether it works"""
    message: str
    """In words, for a person"""
    ledger: int | None
    """Null before the first comparison"""
    checked_at: str | None
    """Time of the comparison; null before the first one"""


class WalletHealthProtocol(TypedDict):
    """Whether this version of the service reads the protocol of the network, and the next one
    that a source supports"""

    ok: bool
    """Whether it works"""
    message: str
    """In words, for a person"""


class WalletHealthInbox(TypedDict):
    """What waits for a person"""

    unattributed: int
    """Deposits without a deposit address that are not refunded; 1000 means that many or more"""
    own_funds: int
    """How many of these are own funds, as in the statistics: nobody has to assign or refund them"""


class Ping(TypedDict):
    webhook_id: str
    """The id of the webhook endpoint"""
    created_at: str
    """When it was made"""


class ReconciliationItemMayExplainItem(TypedDict):
    stellar_tx_hash: str | None
    """The hash of the transaction, in hex; null while there is none"""
    ledger: int
    """The ledger that has the transaction; null while none has it"""
    reason: Literal["unmatched", "quarantined", "not_booked", "booked_differently", "not_on_ledger", "mentions_wallet", "books_changed", "ledgers_not_searched"]
    """How it may explain the difference"""


class PayoutLargestRow(TypedDict):
    row: int
    """Its number in the file, from 1 on"""
    line: int | None
    """The line of the CSV; null for JSON"""
    destination: str
    """The address of the payee"""
    amount_stroops: int
    reference: str | None
    """Your own name for the payment; null for none"""


class WebhookExamAttempt(TypedDict):
    event_id: str
    """Sent as webhook-id, unless the case leaves it out"""
    status_code: int | None
    """The HTTP status of the answer; null when there was none"""
    error: str | None
    """Why there was no answer; null if there was one"""
    duration_ms: int
    """How long the attempt took"""


KnownEvent = (
    DepositCreatedEvent
    | DepositUnattributedEvent
    | WithdrawalConfirmedEvent
    | WithdrawalFailedEvent
    | WithdrawalAwaitingApprovalEvent
    | PayoutCompletedEvent
    | AssetChangedEvent
    | EndpointDisabledEvent
    | PingEvent
    | DepositTestEvent
    | DepositCreatedTestEvent
    | DepositUnattributedTestEvent
    | WithdrawalConfirmedTestEvent
    | WithdrawalFailedTestEvent
    | WithdrawalAwaitingApprovalTestEvent
    | PayoutCompletedTestEvent
    | AssetChangedTestEvent
    | EndpointDisabledTestEvent
)
"""Bodies of the events of this version. A type whose name ends with test is a test event: it looks like a real one, and nobody has paid."""

EVENTS = frozenset(
    (
        "deposit.created",
        "deposit.unattributed",
        "withdrawal.confirmed",
        "withdrawal.failed",
        "withdrawal.awaiting_approval",
        "payout.completed",
        "asset.changed",
        "endpoint.disabled",
        "ping",
        "deposit.test",
        "deposit.created.test",
        "deposit.unattributed.test",
        "withdrawal.confirmed.test",
        "withdrawal.failed.test",
        "withdrawal.awaiting_approval.test",
        "payout.completed.test",
        "asset.changed.test",
        "endpoint.disabled.test",
    )
)
"""The names of them."""
