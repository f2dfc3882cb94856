"""The methods of the client, in groups. Written by scripts/python-client.ts from docs/openapi.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from . import _operations as op
from . import models
from ._async import AsyncCsv, AsyncDriver, AsyncGroup, AsyncListing, EventsBase, PayoutsBase, WithdrawalsBase
from ._core import Call


class Service(AsyncGroup):
    async def health(self) -> dict[str, Any]:
        """Check liveness. 200 while the process responds."""
        return await self._call(Call(op.HEALTHZ))

    async def ready(self) -> models.Readiness:
        """Check readiness. 200 while database, network and the reading of deposits work. The
        other checks leave the status at 200. The same path on METRICS_PORT has the reasons."""
        return await self._call(Call(op.READYZ))

    async def get(self) -> models.Service:
        """Get service. Version of the service, its Stellar network, and the protocols that both
        know."""
        return await self._call(Call(op.GET_SERVICE))


class Sandbox(AsyncGroup):
    async def pay(
        self,
        *,
        destination: str,
        amount_stroops: int,
        memo_id: int | None = None,
        asset_code: str | None = None,
        asset_issuer: str | None = None,
    ) -> models.PayOnSandboxData:
        """Pay on sandbox. Only on the sandbox: pays an address from a funded test account, like
        a customer. A test asset is paid by its issuer."""
        return await self._call(
            Call(
                op.PAY_ON_SANDBOX,
                body={
                    "destination": destination,
                    "amount_stroops": amount_stroops,
                    "memo_id": memo_id,
                    "asset_code": asset_code,
                    "asset_issuer": asset_issuer,
                },
            )
        )


class Sessions(AsyncGroup):
    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncListing[models.Session]:
        """List sessions. Lists the open sessions of the user, newest first."""
        return self._list(Call(op.LIST_SESSIONS, query={"limit": limit, "cursor": cursor}))

    async def end_others(self) -> models.EndOtherSessionsData:
        """End other sessions. Ends every session of the user but the one of this request, at
        once."""
        return await self._call(Call(op.END_OTHER_SESSIONS))

    async def get(self, session_id: str) -> models.Session:
        """Get session. An open session of the caller."""
        return await self._call(Call(op.GET_SESSION, path={"session_id": session_id}))

    async def end(self, session_id: str) -> models.Session:
        """End session. Ends one session of the user at once. Its token is refused from then on."""
        return await self._call(Call(op.END_SESSION, path={"session_id": session_id}))


class Auth(AsyncGroup):
    async def renew_token(self) -> models.RenewTokenData:
        """Renew login token. Gives a program a new login token of the same session. The old
        token stays valid until its own end, or until a minute after the new one is first used: a
        program that loses the answer renews again. A session cannot be renewed beyond
        `session_ends_at`: log in again then."""
        return await self._call(Call(op.RENEW_TOKEN))

    async def login(self, *, email: str, password: str) -> models.LoggedIn:
        """Log in. Checks e-mail and password of a dashboard user and gives a login token. Sets a
        device cookie, by which the browser is known at the next login; it is no credential.
        After ten failed logins on an account the next attempt must wait, at most a minute: 429
        `too_many_logins` with Retry-After. Failures of others do not delay a known browser; a
        program that keeps no cookie waits with everybody else. For a user with a second factor:
        401 `second_factor_required`, and `data` has a challenge for `POST
        /v1/auth/second-factor`."""
        return await self._call(Call(op.LOGIN, body={"email": email, "password": password}))

    async def prove_second_factor(
        self,
        *,
        challenge: str,
        totp: str | None = None,
        passkey: models.PasskeyProof | None = None,
        recovery_code: str | None = None,
    ) -> models.LoggedIn:
        """Log in: second factor. Answers the challenge of a login, within five minutes, with one
        of `totp`, `passkey` and `recovery_code`. The answer is that of the login. After 100
        failures in a row, codes of an authenticator app are refused: 403
        `second_factor_stopped`."""
        return await self._call(
            Call(
                op.PROVE_SECOND_FACTOR,
                body={
                    "challenge": challenge,
                    "totp": totp,
                    "passkey": passkey,
                    "recovery_code": recovery_code,
                },
            )
        )

    async def logout(self) -> dict[str, Any]:
        """Log out. Ends the session of the login token, or of the cookie, at once."""
        return await self._call(Call(op.LOGOUT))

    async def me(self) -> models.Me:
        """Get current user. The user or service user of the login token, the team, and what they
        may do in it."""
        return await self._call(Call(op.GET_ME))

    async def change_password(self, *, current_password: str, new_password: str) -> models.User:
        """Change password. Replaces the password of the user. Every other session of the user
        ends, and no other browser is known any more. A new password that is common, or contains
        only the e-mail address or the name of this service, is refused with 400."""
        return await self._call(
            Call(
                op.CHANGE_PASSWORD,
                body={"current_password": current_password, "new_password": new_password},
            )
        )

    async def step_up(
        self,
        *,
        totp: str | None = None,
        passkey: models.PasskeyProof | None = None,
        recovery_code: str | None = None,
    ) -> models.SteppedUp:
        """Prove second factor. Proves a second factor for this session. Operations with
        `x-step-up` are allowed for ten minutes from then on. A login with a second factor counts
        too."""
        return await self._call(
            Call(
                op.STEP_UP,
                body={"totp": totp, "passkey": passkey, "recovery_code": recovery_code},
            )
        )

    async def begin_passkey_step_up(self) -> models.PasskeyOptions:
        """Begin with passkey. What the browser needs to ask for a passkey. Its answer counts
        once, within five minutes."""
        return await self._call(Call(op.BEGIN_PASSKEY_STEP_UP))

    async def read_invitation(self, *, token: str) -> models.ReceivedInvitation:
        """Read invitation. Who invites whom to which team, before the invitation is accepted.
        Only a browser with a device cookie learns whether it is known to a user with the e-mail
        address. An invitation that was revoked, or expired a month ago, is not found. After a
        hundred tokens that open no invitation the addresses of the caller must wait."""
        return await self._call(Call(op.READ_INVITATION, body={"token": token}))

    async def accept_invitation(
        self,
        *,
        token: str,
        password: str,
        name: str | None = None,
        challenge: str | None = None,
        totp: str | None = None,
        passkey: models.PasskeyProof | None = None,
        recovery_code: str | None = None,
    ) -> models.Joined:
        """Accept invitation. Makes the invited e-mail address a member, and logs in. A new user
        gives a name and chooses a password. Without a `name`, a user gives the password they
        have, and leaves a team of one that has no wallets. A user with a second factor gets a
        challenge as at a login, and sends the same again with `challenge` and one of `totp`,
        `passkey` and `recovery_code`."""
        return await self._call(
            Call(
                op.ACCEPT_INVITATION,
                body={
                    "token": token,
                    "password": password,
                    "name": name,
                    "challenge": challenge,
                    "totp": totp,
                    "passkey": passkey,
                    "recovery_code": recovery_code,
                },
            )
        )

    async def service_token(
        self,
        *,
        grant_type: str,
        client_id: str | None = None,
        client_secret: str | None = None,
        client_assertion_type: str | None = None,
        client_assertion: str | None = None,
    ) -> models.GetServiceTokenData:
        """Get token of service user. Exchanges the credential of a service user for a login
        token of minutes (RFC 6749, 4.4): its secret, by HTTP Basic or in the body, or an
        assertion that its key has signed (`private_key_jwt`, RFC 7523; `aud` is PUBLIC_URL
        alone, `exp` is at most 300 seconds after `iat`, and each `jti` works once). Use one way
        only. Ask again when the token ends. A request in a form gets errors as RFC 6749 says:
        `error` is a word, `error_description` says more."""
        return await self._call(
            Call(
                op.GET_SERVICE_TOKEN,
                body={
                    "grant_type": grant_type,
                    "client_id": client_id,
                    "client_secret": client_secret,
                    "client_assertion_type": client_assertion_type,
                    "client_assertion": client_assertion,
                },
            )
        )


class Factors(AsyncGroup):
    async def get(self) -> models.Factors:
        """Read second factors. The second factors of the user, and how many recovery codes are
        left."""
        return await self._call(Call(op.GET_FACTORS))

    async def rename(self, factor_id: str, *, name: str) -> models.Factor:
        """Rename factor. Changes the name under which the user finds the factor."""
        return await self._call(
            Call(
                op.RENAME_FACTOR,
                path={"factor_id": factor_id},
                body={"name": name},
            )
        )

    async def remove(self, factor_id: str) -> dict[str, Any]:
        """Remove factor. Every other session of the user ends. With the last factor the recovery
        codes go too; 409 `last_factor` while the team requires one."""
        return await self._call(Call(op.REMOVE_FACTOR, path={"factor_id": factor_id}))

    async def replace_recovery_codes(self) -> models.ReplaceRecoveryCodesData:
        """Replace recovery codes. Gives ten new recovery codes, once. The codes from before are
        refused."""
        return await self._call(Call(op.REPLACE_RECOVERY_CODES))

    async def begin_totp(
        self,
        *,
        name: str,
        current_password: str | None = None,
    ) -> models.BeginTotpData:
        """Begin authenticator app. Gives the secret for an authenticator app (TOTP), once. It
        becomes a factor when a code of the app is confirmed."""
        return await self._call(
            Call(
                op.BEGIN_TOTP,
                body={"name": name, "current_password": current_password},
            )
        )

    async def confirm_totp(self, factor_id: str, *, code: str) -> models.NewFactor:
        """Confirm authenticator app. Every other session of the user ends."""
        return await self._call(
            Call(
                op.CONFIRM_TOTP,
                path={"factor_id": factor_id},
                body={"code": code},
            )
        )

    async def begin_passkey(self, *, current_password: str | None = None) -> models.PasskeyOptions:
        """Begin passkey. What the browser needs to make a passkey. Its answer counts once,
        within five minutes."""
        return await self._call(Call(op.BEGIN_PASSKEY, body={"current_password": current_password}))

    async def add_passkey(self, *, name: str, passkey: models.NewPasskey) -> models.NewFactor:
        """Add passkey. Every other session of the user ends."""
        return await self._call(Call(op.ADD_PASSKEY, body={"name": name, "passkey": passkey}))


class Team(AsyncGroup):
    async def get(self) -> models.Team:
        """Read team. The team that the user is in. It owns the wallets."""
        return await self._call(Call(op.GET_TEAM))

    async def change(
        self,
        *,
        name: str | None = None,
        second_factor_required: bool | None = None,
    ) -> models.Team:
        """Change team. Renames the team; `second_factor_required`: whether its members need a
        second factor for operations with `x-step-up`. Only an owner who has one decides that."""
        return await self._call(
            Call(
                op.CHANGE_TEAM,
                body={"name": name, "second_factor_required": second_factor_required},
            )
        )

    def list_members(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        former: bool | None = None,
    ) -> AsyncListing[models.Member]:
        """List members. Lists the members of the team, or its former members, newest user first."""
        return self._list(
            Call(
                op.LIST_MEMBERS,
                query={"limit": limit, "cursor": cursor, "former": former},
            )
        )

    async def add_member(
        self,
        *,
        email: str,
        name: str,
        password: str,
        role: models.Role,
        wallet_ids: Sequence[str] | None = None,
    ) -> models.Member | models.AccessChange:
        """Add member. Makes a user with a password that you choose and tell them. An invitation
        lets them choose it themselves. Another team may have a user with the same e-mail:
        nothing tells. An admin cannot make owners."""
        return await self._call(
            Call(
                op.ADD_MEMBER,
                body={
                    "email": email,
                    "name": name,
                    "password": password,
                    "role": role,
                    "wallet_ids": wallet_ids,
                },
            )
        )

    async def change_member(
        self,
        user_id: str,
        *,
        role: models.Role | None = None,
        wallet_ids: Sequence[str] | None = None,
        all_wallets: Literal[True] | None = None,
    ) -> models.Member | models.AccessChange:
        """Change rights of member. The rights hold for the next request of the member. A member
        who becomes an owner or admin uses every wallet."""
        return await self._call(
            Call(
                op.CHANGE_MEMBER,
                path={"user_id": user_id},
                body={"role": role, "wallet_ids": wallet_ids, "all_wallets": all_wallets},
            )
        )

    async def remove_member(self, user_id: str) -> models.RemovedMember:
        """Remove member, or leave. Ends the membership and every session of the user, who cannot
        log in until a team invites them. Everyone may leave, but for the last owner. Service
        users whose credentials the user knows go on: the answer lists them, so that their
        credentials can be replaced."""
        return await self._call(Call(op.REMOVE_MEMBER, path={"user_id": user_id}))

    def list_invitations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncListing[models.Invitation]:
        """List invitations. Lists the invitations that can still be accepted, newest first."""
        return self._list(Call(op.LIST_INVITATIONS, query={"limit": limit, "cursor": cursor}))

    async def create_invitation(
        self,
        *,
        email: str,
        role: models.Role,
        idempotency_key: str | None = None,
        wallet_ids: Sequence[str] | None = None,
    ) -> models.NewInvitation | models.AccessChange:
        """Invite. The link makes this e-mail address a member, once, within 7 days. A service
        with a mail server sends it to the address (`mailed`), at most once an hour to one
        address; otherwise it is shown in this response, once. A team has at most 50 invitations
        that are open or of the last 24 hours, 3 of them of one e-mail. An admin cannot invite
        owners."""
        return await self._call(
            Call(
                op.CREATE_INVITATION,
                body={"email": email, "role": role, "wallet_ids": wallet_ids},
                headers={"idempotency-key": idempotency_key},
            )
        )

    async def revoke_invitation(self, invitation_id: str) -> dict[str, Any]:
        """Revoke invitation. Ends an open invitation: its link is refused from now on."""
        return await self._call(Call(op.REVOKE_INVITATION, path={"invitation_id": invitation_id}))

    async def get_alerts(self) -> models.Alerts:
        """Read alerts. What the team is alerted of, and where alerts are sent."""
        return await self._call(Call(op.GET_ALERTS))

    async def replace_alerts(
        self,
        *,
        url: str | None = None,
        kinds: Sequence[models.AlertKind] | None = None,
        large_payments: Sequence[models.GivenAssetAmount] | None = None,
    ) -> models.ChangedAlerts:
        """Replace alerts. Replaces all settings. A webhook with another URL gets another signing
        secret, which is shown only in this response. A webhook that was disabled is enabled
        again. For a day, the former URL still gets the alerts of changed settings."""
        return await self._call(
            Call(
                op.REPLACE_ALERTS,
                body={"url": url, "kinds": kinds, "large_payments": large_payments},
            )
        )

    async def rotate_alert_secret(
        self,
        *,
        idempotency_key: str | None = None,
    ) -> models.ChangedAlerts:
        """Replace signing secret of alerts. The new secret is never shown again, and signs
        alerts from now on. The alert of the change is also sent with the former secret."""
        return await self._call(
            Call(
                op.ROTATE_ALERT_SECRET,
                headers={"idempotency-key": idempotency_key},
            )
        )

    async def get_access_change(self, access_change_id: str) -> models.AccessChange:
        """Read change of access. Reads a change of members, service users or API keys that
        awaits approvals, or has them. 404 once it is carried out, rejected or over. `GET
        /v1/approvals` lists all."""
        return await self._call(
            Call(
                op.GET_ACCESS_CHANGE,
                path={"access_change_id": access_change_id},
            )
        )

    async def approve_access_change(
        self,
        access_change_id: str,
        *,
        order_hash: str,
        comment: str | None = None,
    ) -> models.AccessChange:
        """Approve change of access. Approves a change of another member. With the last approval
        its requester can carry it out within 24 hours: by the same request again."""
        return await self._call(
            Call(
                op.APPROVE_ACCESS_CHANGE,
                path={"access_change_id": access_change_id},
                body={"order_hash": order_hash, "comment": comment},
            )
        )

    async def reject_access_change(
        self,
        access_change_id: str,
        *,
        order_hash: str,
        comment: str | None = None,
    ) -> models.AccessChange:
        """Reject change of access, or take it back. Rejects a change of another member, or takes
        back one’s own: it is gone."""
        return await self._call(
            Call(
                op.REJECT_ACCESS_CHANGE,
                path={"access_change_id": access_change_id},
                body={"order_hash": order_hash, "comment": comment},
            )
        )


class Audit(AsyncGroup):
    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        action: models.AuditAction | None = None,
        seq: int | None = None,
        actor_id: str | None = None,
        target_id: str | None = None,
        wallet_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> AsyncListing[models.AuditEntry]:
        """Read audit log. Who changed what, when and from where, newest first: every change of a
        person, a program or the operator, every login, and what was refused. A member who is
        limited to some wallets sees the entries of these."""
        return self._list(
            Call(
                op.LIST_AUDIT_ENTRIES,
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "action": action,
                    "seq": seq,
                    "actor_id": actor_id,
                    "target_id": target_id,
                    "wallet_id": wallet_id,
                    "since": since,
                    "until": until,
                },
            )
        )

    def csv(
        self,
        *,
        action: models.AuditAction | None = None,
        seq: int | None = None,
        actor_id: str | None = None,
        target_id: str | None = None,
        wallet_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> AsyncCsv:
        """Read audit log. Everything as CSV, without pages."""
        return self._csv(
            Call(
                op.LIST_AUDIT_ENTRIES,
                query={
                    "action": action,
                    "seq": seq,
                    "actor_id": actor_id,
                    "target_id": target_id,
                    "wallet_id": wallet_id,
                    "since": since,
                    "until": until,
                    "format": "csv",
                },
            )
        )


class ServiceUsers(AsyncGroup):
    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncListing[models.ServiceUser]:
        """List service users. Lists the service users of the team, newest first. The list of
        members does not have them."""
        return self._list(Call(op.LIST_SERVICE_USERS, query={"limit": limit, "cursor": cursor}))

    async def create(
        self,
        *,
        name: str,
        role: models.ServiceRole,
        idempotency_key: str | None = None,
        wallet_ids: Sequence[str] | None = None,
        allowed_ips: Sequence[str] | None = None,
        public_keys: Sequence[models.GivenPublicKey] | None = None,
    ) -> models.NewServiceUser | models.AccessChange:
        """Make service user. Makes a program that acts with the rights of a member. Without
        `public_keys` it gets a secret, which is shown only here. Its backend exchanges secret or
        signed assertion for a login token at `POST /v1/auth/token`."""
        return await self._call(
            Call(
                op.CREATE_SERVICE_USER,
                body={
                    "name": name,
                    "role": role,
                    "wallet_ids": wallet_ids,
                    "allowed_ips": allowed_ips,
                    "public_keys": public_keys,
                },
                headers={"idempotency-key": idempotency_key},
            )
        )

    async def get(self, service_user_id: str) -> models.ServiceUser:
        """Read service user. A service user with its public keys, and its secrets without their
        values."""
        return await self._call(
            Call(
                op.GET_SERVICE_USER,
                path={"service_user_id": service_user_id},
            )
        )

    async def change(
        self,
        service_user_id: str,
        *,
        name: str | None = None,
        role: models.ServiceRole | None = None,
        wallet_ids: Sequence[str] | None = None,
        all_wallets: Literal[True] | None = None,
        allowed_ips: Sequence[str] | None = None,
        all_addresses: Literal[True] | None = None,
        public_keys: Sequence[models.GivenPublicKey] | None = None,
        enabled: bool | None = None,
    ) -> models.ChangeServiceUserData | models.AccessChange:
        """Change service user. Changes name, rights, addresses or public keys, or disables or
        enables it. All hold for its next request. Disabling it, and removing a public key, ends
        its tokens at once. `endpoints` are the webhook endpoints that it has registered, which
        go on whatever it may do from now on."""
        return await self._call(
            Call(
                op.CHANGE_SERVICE_USER,
                path={"service_user_id": service_user_id},
                body={
                    "name": name,
                    "role": role,
                    "wallet_ids": wallet_ids,
                    "all_wallets": all_wallets,
                    "allowed_ips": allowed_ips,
                    "all_addresses": all_addresses,
                    "public_keys": public_keys,
                    "enabled": enabled,
                },
            )
        )

    async def remove(self, service_user_id: str) -> models.RemoveServiceUserData:
        """Remove service user. Its secrets, keys and tokens are refused from now on. It cannot
        come back. `endpoints` are the webhook endpoints that it has registered, which go on:
        disable those that you do not know."""
        return await self._call(
            Call(
                op.REMOVE_SERVICE_USER,
                path={"service_user_id": service_user_id},
            )
        )

    async def add_secret(
        self,
        service_user_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.NewServiceUserSecret | models.AccessChange:
        """Add secret. Gives the service user one more secret, which is shown only here. It may
        have two, so that a rotation has no gap: add one, let the backend use it, retire the
        other one."""
        return await self._call(
            Call(
                op.ADD_SERVICE_USER_SECRET,
                path={"service_user_id": service_user_id},
                headers={"idempotency-key": idempotency_key},
            )
        )

    async def retire_secret(self, service_user_id: str, secret_id: str) -> models.ServiceUserSecret:
        """Retire secret. The secret, and the tokens that were given for it, are refused from now
        on."""
        return await self._call(
            Call(
                op.RETIRE_SERVICE_USER_SECRET,
                path={"service_user_id": service_user_id, "secret_id": secret_id},
            )
        )


class Payees(AsyncGroup):
    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncListing[models.Payee]:
        """List payees. Lists the payees of the team, newest first."""
        return self._list(Call(op.LIST_PAYEES, query={"limit": limit, "cursor": cursor}))

    async def create(
        self,
        *,
        name: str,
        destination: str,
        idempotency_key: str | None = None,
        memo_id: int | None = None,
        asset_code: str | None = None,
        asset_issuer: str | None = None,
        note: str | None = None,
    ) -> models.Payee | models.AccessChange:
        """Create payee. Adds a payee to the team. Its destination, memo and asset never change:
        another destination is another payee. 202: a policy asks for approvals of new
        destinations; nothing was added, and the same request adds the payee once it has them."""
        return await self._call(
            Call(
                op.CREATE_PAYEE,
                body={
                    "name": name,
                    "destination": destination,
                    "memo_id": memo_id,
                    "asset_code": asset_code,
                    "asset_issuer": asset_issuer,
                    "note": note,
                },
                headers={"idempotency-key": idempotency_key},
            )
        )

    async def get(self, payee_id: str) -> models.PayeeWithPaid:
        """Read payee. A payee, with what it was paid. 404 for a payee that was deleted."""
        return await self._call(Call(op.GET_PAYEE, path={"payee_id": payee_id}))

    async def change(
        self,
        payee_id: str,
        *,
        name: str | None = None,
        note: str | None = None,
    ) -> models.Payee | models.AccessChange:
        """Change payee. Changes the name or the note. With another name the payee is marked as
        new again. 202: as of a new payee, and of another name alone."""
        return await self._call(
            Call(
                op.CHANGE_PAYEE,
                path={"payee_id": payee_id},
                body={"name": name, "note": note},
            )
        )

    async def delete(self, payee_id: str) -> models.Payee:
        """Delete payee. Deletes the payee: no request can name it any more. Its payments keep
        its id. 409 `payee_in_use` while an allow list has it."""
        return await self._call(Call(op.DELETE_PAYEE, path={"payee_id": payee_id}))


class Wallets(AsyncGroup):
    async def create(self, *, name: str, idempotency_key: str | None = None) -> models.NewWallet:
        """Create wallet. Creates a wallet and its API key. The key is shown only in this
        response."""
        return await self._call(
            Call(
                op.CREATE_WALLET,
                body={"name": name},
                headers={"idempotency-key": idempotency_key},
            )
        )

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncListing[models.Wallet]:
        """List wallets. Lists the wallets that the member may use, newest first."""
        return self._list(Call(op.LIST_WALLETS, query={"limit": limit, "cursor": cursor}))

    async def get(self, wallet_id: str) -> models.Wallet:
        """Read wallet. A wallet with its account on the network."""
        return await self._call(Call(op.GET_WALLET, path={"id": wallet_id}))

    async def change(
        self,
        wallet_id: str,
        *,
        name: str | None = None,
        numeric_memo_text: bool | None = None,
    ) -> models.Wallet:
        """Change wallet. Changes the wallet’s name, or whether a memo text of digits counts as a
        memo id."""
        return await self._call(
            Call(
                op.CHANGE_WALLET,
                path={"id": wallet_id},
                body={"name": name, "numeric_memo_text": numeric_memo_text},
            )
        )

    def balances(self, wallet_id: str) -> AsyncListing[models.Balance]:
        """List balances. Lists the wallet’s balances on the ledger. `available_stroops` is the
        part that a withdrawal can use now: the amount less `reserved_stroops` and
        `in_flight_stroops`, 0 at least."""
        return self._list(Call(op.LIST_BALANCES, path={"id": wallet_id}))

    def list_transactions(
        self,
        wallet_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        type: Literal["deposit", "withdrawal", "adjustment"] | None = None,
        status: Literal["awaiting_approval", "pending", "confirmed", "failed"] | None = None,
        attributed: bool | None = None,
        since: str | None = None,
        until: str | None = None,
        asset: str | None = None,
        min_amount_stroops: int | None = None,
        max_amount_stroops: int | None = None,
        search: str | None = None,
    ) -> AsyncListing[models.Transaction]:
        """List transactions. Lists deposits, withdrawals and adjustments together, newest first."""
        return self._list(
            Call(
                op.LIST_TRANSACTIONS,
                path={"id": wallet_id},
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "type": type,
                    "status": status,
                    "attributed": attributed,
                    "since": since,
                    "until": until,
                    "asset": asset,
                    "min_amount_stroops": min_amount_stroops,
                    "max_amount_stroops": max_amount_stroops,
                    "search": search,
                },
            )
        )

    async def statistics(
        self,
        wallet_id: str,
        *,
        days: int | None = None,
        asset: str | None = None,
    ) -> models.GetStatisticsData:
        """Read statistics. Gives the sums of deposits, withdrawals, adjustments and fees per
        day."""
        return await self._call(
            Call(
                op.GET_STATISTICS,
                path={"id": wallet_id},
                query={"days": days, "asset": asset},
            )
        )

    async def explain_transaction(self, wallet_id: str, tx_hash: str) -> models.Explanation:
        """Explain transaction. Explains each operation of a transaction: what it did for the
        wallet, and why it is a deposit or not. Takes the hash of a fee-bump, or of the
        transaction inside it."""
        return await self._call(
            Call(
                op.EXPLAIN_TRANSACTION,
                path={"id": wallet_id, "tx_hash": tx_hash},
            )
        )

    async def reconciliation(self, wallet_id: str) -> models.Reconciliation:
        """Read reconciliation. Compares the books (deposits minus withdrawals, adjustments and
        fees) with the account’s balances on the ledger."""
        return await self._call(Call(op.GET_RECONCILIATION, path={"id": wallet_id}))

    async def health(self, wallet_id: str) -> models.WalletHealth:
        """Get wallet health. Whether deposits, withdrawals, webhooks, channel accounts and books
        of the wallet work as they should, and whether the service knows the protocol of the
        network."""
        return await self._call(Call(op.GET_WALLET_HEALTH, path={"id": wallet_id}))

    def search(self, *, search: str) -> AsyncListing[models.SearchResult]:
        """Search wallets. Finds what has this text: payees of the team, and what is in the
        wallets that the member may use. At most five of each kind, the newest of those that it
        has read. Lists with `search` find all of one wallet. The id of an event finds what the
        event tells of, too."""
        return self._list(Call(op.SEARCH_WALLETS, query={"search": search}))


class ApiKeys(AsyncGroup):
    async def regenerate_main(
        self,
        wallet_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.RegeneratedApiKey | models.AccessChange:
        """Regenerate API key. Replaces the API key. The old key is invalid when this request is
        answered. `endpoints` are the webhook endpoints that the old key has registered, which go
        on: a stolen key may have registered one. Disable those that you do not know. 202: the
        policy asks for approvals of API keys; the old key stays until the same request is sent
        again after them."""
        return await self._call(
            Call(
                op.REGENERATE_API_KEY,
                path={"id": wallet_id},
                headers={"idempotency-key": idempotency_key},
            )
        )

    async def get_main(self, wallet_id: str) -> models.ApiKey:
        """Read API key. Reads prefix, last four characters and times of the API key, never the
        key itself."""
        return await self._call(Call(op.GET_API_KEY, path={"id": wallet_id}))

    def list(
        self,
        wallet_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncListing[models.NamedApiKey]:
        """List named API keys. Lists the named API keys of the wallet, newest first, expired
        ones too. The main key is not among them."""
        return self._list(
            Call(
                op.LIST_API_KEYS,
                path={"id": wallet_id},
                query={"limit": limit, "cursor": cursor},
            )
        )

    async def create(
        self,
        wallet_id: str,
        *,
        name: str,
        scopes: Sequence[models.Scope],
        idempotency_key: str | None = None,
        expires_at: str | None = None,
        allowed_ips: Sequence[str] | None = None,
    ) -> models.NewNamedApiKey | models.AccessChange:
        """Make named API key. Makes an API key of the wallet beside its main key. The key is
        shown only here. Two at once let a program change from one to the other without a gap. No
        API key can withdraw."""
        return await self._call(
            Call(
                op.CREATE_API_KEY,
                path={"id": wallet_id},
                body={
                    "name": name,
                    "scopes": scopes,
                    "expires_at": expires_at,
                    "allowed_ips": allowed_ips,
                },
                headers={"idempotency-key": idempotency_key},
            )
        )

    async def delete(self, wallet_id: str, key_id: str) -> models.DeletedNamedApiKey:
        """Delete named API key. The key is refused from now on. `endpoints` are the webhook
        endpoints that it has registered, which go on: disable those that you do not know."""
        return await self._call(Call(op.DELETE_API_KEY, path={"id": wallet_id, "key_id": key_id}))


class Addresses(AsyncGroup):
    async def change(
        self,
        wallet_id: str,
        address_id: str,
        *,
        label: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        metadata_text: str | None = None,
    ) -> models.DepositAddress:
        """Change deposit address. Changes the label or the metadata, which is replaced as a
        whole. Deposits that are attributed from now on have the new metadata, and so have their
        events. Earlier deposits and events keep theirs."""
        return await self._call(
            Call(
                op.CHANGE_DEPOSIT_ADDRESS,
                path={"id": wallet_id, "address_id": address_id},
                body={"label": label, "metadata": metadata, "metadata_text": metadata_text},
            )
        )

    async def get(self, wallet_id: str, address_id: str) -> models.DepositAddressWithReceived:
        """Read deposit address. Reads one address, with the sums of its deposits by asset."""
        return await self._call(
            Call(
                op.GET_DEPOSIT_ADDRESS,
                path={"id": wallet_id, "address_id": address_id},
            )
        )

    async def create(
        self,
        wallet_id: str,
        *,
        idempotency_key: str | None = None,
        label: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        metadata_text: str | None = None,
    ) -> models.DepositAddress:
        """Create deposit address. Creates an address for one of your customers. Every payment to
        it is attributed to it."""
        return await self._call(
            Call(
                op.CREATE_DEPOSIT_ADDRESS,
                path={"id": wallet_id},
                body={"label": label, "metadata": metadata, "metadata_text": metadata_text},
                headers={"idempotency-key": idempotency_key},
            )
        )

    def list(
        self,
        wallet_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        search: str | None = None,
        order: Literal["created", "last_deposit"] | None = None,
        received_days: int | None = None,
    ) -> AsyncListing[models.ListedDepositAddress]:
        """List deposit addresses. Lists the wallet’s deposit addresses, newest first or by their
        last deposit."""
        return self._list(
            Call(
                op.LIST_DEPOSIT_ADDRESSES,
                path={"id": wallet_id},
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "since": since,
                    "until": until,
                    "search": search,
                    "order": order,
                    "received_days": received_days,
                },
            )
        )


class Deposits(AsyncGroup):
    def list(
        self,
        wallet_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        attributed: bool | None = None,
        address_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> AsyncListing[models.Deposit]:
        """List deposits. Lists every payment into the wallet, newest first."""
        return self._list(
            Call(
                op.LIST_DEPOSITS,
                path={"id": wallet_id},
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "attributed": attributed,
                    "address_id": address_id,
                    "since": since,
                    "until": until,
                },
            )
        )

    async def get(self, wallet_id: str, deposit_id: str) -> models.Deposit:
        """Read deposit. One deposit, as its event shows it."""
        return await self._call(
            Call(
                op.GET_DEPOSIT,
                path={"id": wallet_id, "deposit_id": deposit_id},
            )
        )

    async def get_adjustment(self, wallet_id: str, adjustment_id: str) -> models.Adjustment:
        """Read adjustment. What others did to the wallet without paying it: they took an amount
        of it (a clawback), or changed what a trust line may do. The list of transactions has
        them all."""
        return await self._call(
            Call(
                op.GET_ADJUSTMENT,
                path={"id": wallet_id, "adjustment_id": adjustment_id},
            )
        )

    async def assign(self, wallet_id: str, deposit_id: str, *, address_id: str) -> models.Deposit:
        """Assign deposit. Assigns an unattributed deposit to a deposit address of the wallet.
        Fires `deposit.created`, once."""
        return await self._call(
            Call(
                op.ASSIGN_DEPOSIT,
                path={"id": wallet_id, "deposit_id": deposit_id},
                body={"address_id": address_id},
            )
        )

    def get_minimums(self, wallet_id: str) -> AsyncListing[models.AssetAmount]:
        """Read deposit minimums. The smallest deposits, by asset, that an event announces. An
        asset that is not listed has no minimum."""
        return self._list(Call(op.GET_DEPOSIT_MINIMUMS, path={"id": wallet_id}))

    async def replace_minimums(
        self,
        wallet_id: str,
        *,
        items: Sequence[models.GivenAssetAmount],
    ) -> models.DepositMinimums:
        """Replace deposit minimums. Deposits below the minimum of their asset are recorded and
        listed with `below_minimum: true`; no event and no delivery is made for them. It holds
        for the deposits that are recorded afterwards."""
        return await self._call(
            Call(
                op.REPLACE_DEPOSIT_MINIMUMS,
                path={"id": wallet_id},
                body={"items": items},
            )
        )

    async def refund(
        self,
        wallet_id: str,
        deposit_id: str,
        *,
        prefer: str | None = None,
        reference: str | None = None,
    ) -> models.Withdrawal:
        """Refund deposit. Pays an unattributed deposit back to its sender, and answers when the
        outcome is proven. It is a withdrawal of the whole amount with MEMO_RETURN of the
        deposit’s transaction hash. It needs no Idempotency-Key: a deposit is refunded once, and
        a refund that failed may be tried again. 409 `deposit_refunded` has the refund as `data`.
        202: members must approve the refund first and nothing is signed, or the request prefers
        `respond-async`."""
        return await self._call(
            Call(
                op.REFUND_DEPOSIT,
                path={"id": wallet_id, "deposit_id": deposit_id},
                body={"reference": reference},
                headers={"prefer": prefer},
            )
        )

    def list_deliveries(
        self,
        wallet_id: str,
        deposit_id: str,
    ) -> AsyncListing[models.DepositDelivery]:
        """List deposit deliveries. The webhook deliveries of the events of this deposit to all
        endpoints, with the responses."""
        return self._list(
            Call(
                op.LIST_DEPOSIT_DELIVERIES,
                path={"id": wallet_id, "deposit_id": deposit_id},
            )
        )


class Policies(AsyncGroup):
    async def get(self, wallet_id: str) -> models.Policy:
        """Get policy. What the wallet may pay out now, and the pending changes."""
        return await self._call(Call(op.GET_POLICY, path={"id": wallet_id}))

    async def replace(
        self,
        wallet_id: str,
        *,
        approvals: models.GivenApprovalRule | None = None,
        frozen: bool | None = None,
        max_withdrawal_stroops: int | None = None,
        max_rolling_24h_stroops: int | None = None,
        limits: Sequence[models.GivenAssetLimits] | None = None,
        destinations: Sequence[str] | None = None,
    ) -> models.Policy:
        """Replace policy. A field that is absent is no limit. Without `limits`, the native asset
        alone can have limits. Stricter limits apply at once; looser ones after the delay."""
        return await self._call(
            Call(
                op.REPLACE_POLICY,
                path={"id": wallet_id},
                body={
                    "approvals": approvals,
                    "frozen": frozen,
                    "max_withdrawal_stroops": max_withdrawal_stroops,
                    "max_rolling_24h_stroops": max_rolling_24h_stroops,
                    "limits": limits,
                    "destinations": destinations,
                },
            )
        )

    async def change(
        self,
        wallet_id: str,
        *,
        approvals: models.GivenApprovalRule | None = None,
        frozen: bool | None = None,
        max_withdrawal_stroops: int | None = None,
        max_rolling_24h_stroops: int | None = None,
        limits: Sequence[models.GivenAssetLimits] | None = None,
        destinations: Sequence[str] | None = None,
    ) -> models.Policy:
        """Change policy. Changes these fields only; the others, and their pending changes, stay.
        `limits` is replaced as a whole list. Stricter limits apply at once; looser ones after
        the delay."""
        return await self._call(
            Call(
                op.CHANGE_POLICY,
                path={"id": wallet_id},
                body={
                    "approvals": approvals,
                    "frozen": frozen,
                    "max_withdrawal_stroops": max_withdrawal_stroops,
                    "max_rolling_24h_stroops": max_rolling_24h_stroops,
                    "limits": limits,
                    "destinations": destinations,
                },
            )
        )

    async def revoke_change(self, wallet_id: str, change_id: str) -> models.PendingPolicyChange:
        """Revoke policy change. Revokes a pending change. 404 once the change is in force."""
        return await self._call(
            Call(
                op.REVOKE_POLICY_CHANGE,
                path={"id": wallet_id, "change_id": change_id},
            )
        )

    async def approve_change(
        self,
        wallet_id: str,
        change_id: str,
        *,
        order_hash: str,
        comment: str | None = None,
    ) -> models.PendingPolicyChange:
        """Approve policy change. Approves a change that awaits approvals, of another member.
        With the last one it takes effect after its delay."""
        return await self._call(
            Call(
                op.APPROVE_POLICY_CHANGE,
                path={"id": wallet_id, "change_id": change_id},
                body={"order_hash": order_hash, "comment": comment},
            )
        )

    async def reject_change(
        self,
        wallet_id: str,
        change_id: str,
        *,
        order_hash: str,
        comment: str | None = None,
    ) -> models.PendingPolicyChange:
        """Reject policy change. Rejects a change that awaits approvals: it is gone."""
        return await self._call(
            Call(
                op.REJECT_POLICY_CHANGE,
                path={"id": wallet_id, "change_id": change_id},
                body={"order_hash": order_hash, "comment": comment},
            )
        )


class Withdrawals(WithdrawalsBase):
    async def preview(
        self,
        wallet_id: str,
        *,
        amount_stroops: int,
        destination: str | None = None,
        payee_id: str | None = None,
        asset_code: str | None = None,
        asset_issuer: str | None = None,
        memo_id: int | None = None,
        allow_issuer: bool | None = None,
        reference: str | None = None,
    ) -> models.WithdrawalPreview:
        """Preview withdrawal. What a withdrawal with this body would do now. Sends nothing and
        stores nothing."""
        return await self._call(
            Call(
                op.PREVIEW_WITHDRAWAL,
                path={"id": wallet_id},
                body={
                    "destination": destination,
                    "payee_id": payee_id,
                    "amount_stroops": amount_stroops,
                    "asset_code": asset_code,
                    "asset_issuer": asset_issuer,
                    "memo_id": memo_id,
                    "allow_issuer": allow_issuer,
                    "reference": reference,
                },
            )
        )

    async def approve(
        self,
        wallet_id: str,
        withdrawal_id: str,
        *,
        order_hash: str,
        comment: str | None = None,
    ) -> models.Withdrawal:
        """Approve withdrawal. Approves a withdrawal of another member that awaits approvals. The
        last approval that is needed sends it: `status` is `pending` then. The policy as it is
        now must allow it. An approval counts only while its member may approve."""
        return await self._call(
            Call(
                op.APPROVE_WITHDRAWAL,
                path={"id": wallet_id, "withdrawal_id": withdrawal_id},
                body={"order_hash": order_hash, "comment": comment},
            )
        )

    async def reject(
        self,
        wallet_id: str,
        withdrawal_id: str,
        *,
        order_hash: str,
        comment: str | None = None,
    ) -> models.Withdrawal:
        """Reject withdrawal. Rejects a withdrawal of another member that awaits approvals, or
        takes back one’s own. It is `failed` with the code `rejected`; nothing was signed. One
        rejection is enough."""
        return await self._call(
            Call(
                op.REJECT_WITHDRAWAL,
                path={"id": wallet_id, "withdrawal_id": withdrawal_id},
                body={"order_hash": order_hash, "comment": comment},
            )
        )

    async def preview_approval(
        self,
        wallet_id: str,
        withdrawal_id: str,
    ) -> models.WithdrawalPreview:
        """Preview approval. What a withdrawal that awaits approvals would do now, from its
        stored order. Sends nothing and stores nothing."""
        return await self._call(
            Call(
                op.PREVIEW_APPROVAL,
                path={"id": wallet_id, "withdrawal_id": withdrawal_id},
            )
        )

    def list_approvals(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncListing[models.AwaitingApproval]:
        """List what awaits approvals. The withdrawals, payouts, changes of policies and changes
        of access that await approvals, of every wallet that the caller may use, newest first. A
        change of access stays in the list until its requester carries it out."""
        return self._list(Call(op.LIST_APPROVALS, query={"limit": limit, "cursor": cursor}))

    def list_decided_approvals(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncListing[models.DecidedApproval]:
        """List decided approvals. The withdrawals, payouts, changes of policies and changes of
        access that awaited approvals and are decided or over, newest decision first. The caller
        sees those that the caller would see while they await approvals."""
        return self._list(Call(op.LIST_DECIDED_APPROVALS, query={"limit": limit, "cursor": cursor}))

    async def withdraw(
        self,
        wallet_id: str,
        *,
        idempotency_key: str,
        amount_stroops: int,
        prefer: str | None = None,
        destination: str | None = None,
        payee_id: str | None = None,
        asset_code: str | None = None,
        asset_issuer: str | None = None,
        memo_id: int | None = None,
        allow_issuer: bool | None = None,
        reference: str | None = None,
    ) -> models.Withdrawal:
        """Create withdrawal. Pays from the wallet, and answers when the outcome is proven on the
        ledger. 504 `outcome_pending`: the withdrawal continues without the request; `data` is
        its state. 409: the key is used; `data` is the withdrawal that has it. 409
        `possible_duplicate`: the ledger has a payment that this database has forgotten, and this
        may be the same one; nothing was started. 202: members must approve it first (`status` is
        `awaiting_approval`), the key is taken, and nothing is signed; or the request prefers
        `respond-async`: the withdrawal is accepted, and `Location` shows its outcome later."""
        return await self._call(
            Call(
                op.CREATE_WITHDRAWAL,
                path={"id": wallet_id},
                body={
                    "destination": destination,
                    "payee_id": payee_id,
                    "amount_stroops": amount_stroops,
                    "asset_code": asset_code,
                    "asset_issuer": asset_issuer,
                    "memo_id": memo_id,
                    "allow_issuer": allow_issuer,
                    "reference": reference,
                },
                headers={"prefer": prefer, "idempotency-key": idempotency_key},
            )
        )

    def list(
        self,
        wallet_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        idempotency_key: str | None = None,
        status: Literal["awaiting_approval"] | None = None,
    ) -> AsyncListing[models.Withdrawal]:
        """List withdrawals. The wallet’s withdrawals, newest first."""
        return self._list(
            Call(
                op.LIST_WITHDRAWALS,
                path={"id": wallet_id},
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "since": since,
                    "until": until,
                    "idempotency_key": idempotency_key,
                    "status": status,
                },
            )
        )

    async def get(
        self,
        wallet_id: str,
        withdrawal_id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.Withdrawal:
        """Get withdrawal. One withdrawal as it is now. A status that is settled does not change
        any more. With `wait_seconds` the answer comes when it has its outcome, or when the time
        is over. With Retry-After: too many requests of the wallet or the team wait already, so
        this one did not."""
        return await self._call(
            Call(
                op.GET_WITHDRAWAL,
                path={"id": wallet_id, "withdrawal_id": withdrawal_id},
                query={"wait_seconds": wait_seconds},
            )
        )


class Assets(AsyncGroup):
    def list(self, wallet_id: str) -> AsyncListing[models.WalletAsset]:
        """List assets. The issued assets of the wallet, by code. The native asset needs no trust
        line and is not among them."""
        return self._list(Call(op.LIST_ASSETS, path={"id": wallet_id}))

    async def add(
        self,
        wallet_id: str,
        *,
        asset_code: str,
        asset_issuer: str,
    ) -> models.WalletAsset:
        """Add asset. Makes a trust line, so that the wallet can hold the asset; answers when the
        ledger has it. 200: the wallet had the asset. 504 `outcome_pending`: the change continues
        without the request; ask again, it is made once."""
        return await self._call(
            Call(
                op.ADD_ASSET,
                path={"id": wallet_id},
                body={"asset_code": asset_code, "asset_issuer": asset_issuer},
            )
        )

    async def get(self, wallet_id: str, asset: str) -> models.WalletAsset:
        """Get asset. An asset and what its issuer can do, before it is added too: its status is
        `absent` then."""
        return await self._call(Call(op.GET_ASSET, path={"id": wallet_id, "asset": asset}))

    async def remove(self, wallet_id: str, asset: str) -> models.WalletAsset:
        """Remove asset. Removes the trust line of an asset that the wallet holds nothing of;
        answers when the ledger has done it."""
        return await self._call(Call(op.REMOVE_ASSET, path={"id": wallet_id, "asset": asset}))


class Payouts(PayoutsBase):
    async def create(
        self,
        wallet_id: str,
        *,
        idempotency_key: str | None = None,
        name: str | None = None,
        rows: Sequence[models.PayoutRowBody] | None = None,
        csv: str | None = None,
        decimal: Literal["point", "comma"] | None = None,
        columns: Sequence[models.CreatePayoutColumnsItem] | None = None,
        makes_keys: bool | None = None,
        expected_count: int | None = None,
        expected_total_stroops: int | None = None,
        confirm_duplicates: bool | None = None,
    ) -> models.Payout:
        """Create payout. Makes a draft of up to 10,000 payments, from JSON or a CSV
        (`Content-Type: text/csv`, with `name` in the query; then the other members of the body
        are in the query too). The whole file is checked first; when anything is refused, nothing
        is kept: 400 with every error, 409 `duplicates_not_confirmed`, both with the report as
        `data`. With `?preview=true` only the report is made (200). Nothing is paid before the
        payout is started."""
        return await self._call(
            Call(
                op.CREATE_PAYOUT,
                path={"id": wallet_id},
                body={
                    "name": name,
                    "rows": rows,
                    "csv": csv,
                    "decimal": decimal,
                    "columns": columns,
                    "makes_keys": makes_keys,
                    "expected_count": expected_count,
                    "expected_total_stroops": expected_total_stroops,
                    "confirm_duplicates": confirm_duplicates,
                },
                headers={"idempotency-key": idempotency_key},
            )
        )

    async def preview(
        self,
        wallet_id: str,
        *,
        name: str | None = None,
        rows: Sequence[models.PayoutRowBody] | None = None,
        csv: str | None = None,
        decimal: Literal["point", "comma"] | None = None,
        columns: Sequence[models.CreatePayoutColumnsItem] | None = None,
        makes_keys: bool | None = None,
        expected_count: int | None = None,
        expected_total_stroops: int | None = None,
        confirm_duplicates: bool | None = None,
    ) -> models.PayoutReport:
        """Preview of `create`: checks everything and keeps nothing."""
        return await self._call(
            Call(
                op.PREVIEW_PAYOUT,
                path={"id": wallet_id},
                query={"preview": True},
                body={
                    "name": name,
                    "rows": rows,
                    "csv": csv,
                    "decimal": decimal,
                    "columns": columns,
                    "makes_keys": makes_keys,
                    "expected_count": expected_count,
                    "expected_total_stroops": expected_total_stroops,
                    "confirm_duplicates": confirm_duplicates,
                },
            )
        )

    def list(
        self,
        wallet_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncListing[models.Payout]:
        """List payouts. The wallet’s payouts, newest first."""
        return self._list(
            Call(
                op.LIST_PAYOUTS,
                path={"id": wallet_id},
                query={"limit": limit, "cursor": cursor},
            )
        )

    async def start(self, wallet_id: str, payout_id: str) -> models.Payout:
        """Start payout. Begins to pay a draft: `running`. Where the policy asks for approvals,
        by the sum of each asset: `awaiting_approval`; one approval is for the whole file."""
        return await self._call(
            Call(
                op.START_PAYOUT,
                path={"id": wallet_id, "payout_id": payout_id},
            )
        )

    async def pause(self, wallet_id: str, payout_id: str) -> models.Payout:
        """Pause payout. No further row begins. Rows that have begun go on to their outcomes."""
        return await self._call(
            Call(
                op.PAUSE_PAYOUT,
                path={"id": wallet_id, "payout_id": payout_id},
            )
        )

    async def resume(self, wallet_id: str, payout_id: str) -> models.Payout:
        """Resume payout. Rows of a paused payout begin again."""
        return await self._call(
            Call(
                op.RESUME_PAYOUT,
                path={"id": wallet_id, "payout_id": payout_id},
            )
        )

    async def cancel(self, wallet_id: str, payout_id: str) -> models.Payout:
        """Cancel payout. Rows that have not begun never will. Rows that have begun go on to
        their outcomes."""
        return await self._call(
            Call(
                op.CANCEL_PAYOUT,
                path={"id": wallet_id, "payout_id": payout_id},
            )
        )

    async def retry_failed(
        self,
        wallet_id: str,
        payout_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Payout:
        """Retry failed rows. Makes another draft of the failed rows of a payout that has ended,
        each with a key that follows from its own (`…·retry1`). What fails again can be retried
        again. Rows that a retry has already, or whose keys have paid something else, are left
        out."""
        return await self._call(
            Call(
                op.RETRY_PAYOUT,
                path={"id": wallet_id, "payout_id": payout_id},
                headers={"idempotency-key": idempotency_key},
            )
        )

    async def approve(
        self,
        wallet_id: str,
        payout_id: str,
        *,
        order_hash: str,
        comment: str | None = None,
    ) -> models.Payout:
        """Approve payout. Approves a payout of another member that awaits approvals: exactly
        this file, by its `order_hash`. With the last approval that is needed it runs."""
        return await self._call(
            Call(
                op.APPROVE_PAYOUT,
                path={"id": wallet_id, "payout_id": payout_id},
                body={"order_hash": order_hash, "comment": comment},
            )
        )

    async def reject(
        self,
        wallet_id: str,
        payout_id: str,
        *,
        order_hash: str,
        comment: str | None = None,
    ) -> models.Payout:
        """Reject payout. Rejects a payout of another member that awaits approvals, or takes back
        one’s own. It is `cancelled`; nothing of it was paid. One rejection is enough."""
        return await self._call(
            Call(
                op.REJECT_PAYOUT,
                path={"id": wallet_id, "payout_id": payout_id},
                body={"order_hash": order_hash, "comment": comment},
            )
        )

    async def get(self, wallet_id: str, payout_id: str) -> models.Payout:
        """Get payout. One payout as it is now, with its rows counted and summed by status."""
        return await self._call(Call(op.GET_PAYOUT, path={"id": wallet_id, "payout_id": payout_id}))

    def list_rows(
        self,
        wallet_id: str,
        payout_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["waiting", "pending", "confirmed", "failed", "cancelled"] | None = None,
    ) -> AsyncListing[models.PayoutRow]:
        """List rows of a payout. The rows in the order of the file. With `Accept: text/csv` all
        of them as CSV; a field that a spreadsheet would calculate has an apostrophe in front."""
        return self._list(
            Call(
                op.LIST_PAYOUT_ROWS,
                path={"id": wallet_id, "payout_id": payout_id},
                query={"limit": limit, "cursor": cursor, "status": status},
            )
        )

    def rows_csv(
        self,
        wallet_id: str,
        payout_id: str,
        *,
        status: Literal["waiting", "pending", "confirmed", "failed", "cancelled"] | None = None,
    ) -> AsyncCsv:
        """List rows of a payout. Everything as CSV, without pages."""
        return self._csv(
            Call(
                op.LIST_PAYOUT_ROWS,
                path={"id": wallet_id, "payout_id": payout_id},
                query={"status": status},
            )
        )


class Webhooks(AsyncGroup):
    async def register(
        self,
        wallet_id: str,
        *,
        url: str,
        idempotency_key: str | None = None,
        description: str | None = None,
        events: Sequence[Literal["deposit.created", "deposit.unattributed", "withdrawal.confirmed", "withdrawal.failed", "withdrawal.awaiting_approval", "payout.completed", "asset.changed", "endpoint.disabled"]] | None = None,
    ) -> models.NewWebhookEndpoint:
        """Register webhook endpoint. Registers a URL for the wallet’s events, of the types that
        `events` names. The signing secret is never shown again."""
        return await self._call(
            Call(
                op.REGISTER_WEBHOOK,
                path={"id": wallet_id},
                body={"url": url, "description": description, "events": events},
                headers={"idempotency-key": idempotency_key},
            )
        )

    def list(
        self,
        wallet_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncListing[models.WebhookEndpoint]:
        """List webhook endpoints. The endpoints of the wallet, newest first, without their
        signing secrets."""
        return self._list(
            Call(
                op.LIST_WEBHOOKS,
                path={"id": wallet_id},
                query={"limit": limit, "cursor": cursor},
            )
        )

    async def get(self, wallet_id: str, webhook_id: str) -> models.WebhookEndpoint:
        """Read webhook endpoint. An endpoint without its signing secret."""
        return await self._call(
            Call(
                op.GET_WEBHOOK,
                path={"id": wallet_id, "webhook_id": webhook_id},
            )
        )

    async def change(
        self,
        wallet_id: str,
        webhook_id: str,
        *,
        url: str | None = None,
        description: str | None = None,
        events: Sequence[Literal["deposit.created", "deposit.unattributed", "withdrawal.confirmed", "withdrawal.failed", "withdrawal.awaiting_approval", "payout.completed", "asset.changed", "endpoint.disabled"]] | None = None,
        enabled: bool | None = None,
    ) -> models.WebhookEndpoint:
        """Change webhook endpoint. Changes, disables or enables a webhook endpoint. When it is
        enabled or gets another URL, its pending deliveries are sent at once, each with its whole
        schedule. Another choice of `events` counts for what happens from then on."""
        return await self._call(
            Call(
                op.UPDATE_WEBHOOK,
                path={"id": wallet_id, "webhook_id": webhook_id},
                body={"url": url, "description": description, "events": events, "enabled": enabled},
            )
        )

    async def delete(self, wallet_id: str, webhook_id: str) -> models.WebhookEndpoint:
        """Delete webhook endpoint. Deletes a webhook endpoint. Its pending deliveries are given
        up."""
        return await self._call(
            Call(
                op.DELETE_WEBHOOK,
                path={"id": wallet_id, "webhook_id": webhook_id},
            )
        )

    async def statistics(self, wallet_id: str, webhook_id: str) -> models.WebhookEndpointStatistics:
        """Read webhook statistics. How the endpoint has answered in the last 24 hours."""
        return await self._call(
            Call(
                op.GET_WEBHOOK_STATISTICS,
                path={"id": wallet_id, "webhook_id": webhook_id},
            )
        )

    async def rotate_secret(
        self,
        wallet_id: str,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.NewWebhookEndpoint:
        """Replace signing secret. The new secret is never shown again. `X-Svc-Signature` uses it
        at once, for retries too. `webhook-signature` also has a signature of each replaced
        secret, newest first, for 24 hours after its replacement; at most of the newest four of
        them."""
        return await self._call(
            Call(
                op.ROTATE_WEBHOOK_SECRET,
                path={"id": wallet_id, "webhook_id": webhook_id},
                headers={"idempotency-key": idempotency_key},
            )
        )

    def list_deliveries(
        self,
        wallet_id: str,
        webhook_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["pending", "delivered", "failed"] | None = None,
    ) -> AsyncListing[models.LoggedWebhookDelivery]:
        """List webhook deliveries. Deliveries to the endpoint, newest first, with their attempts
        and the answers to them."""
        return self._list(
            Call(
                op.LIST_WEBHOOK_DELIVERIES,
                path={"id": wallet_id, "webhook_id": webhook_id},
                query={"limit": limit, "cursor": cursor, "status": status},
            )
        )

    async def get_delivery(
        self,
        wallet_id: str,
        webhook_id: str,
        delivery_id: str,
    ) -> models.WebhookDeliveryWithBody:
        """Read webhook delivery. A delivery with its exact body and its attempts."""
        return await self._call(
            Call(
                op.GET_WEBHOOK_DELIVERY,
                path={"id": wallet_id, "webhook_id": webhook_id, "delivery_id": delivery_id},
            )
        )

    async def test(
        self,
        wallet_id: str,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
        event: Literal["ping", "deposit.test", "deposit.created.test", "deposit.unattributed.test", "withdrawal.confirmed.test", "withdrawal.failed.test", "withdrawal.awaiting_approval.test", "payout.completed.test", "asset.changed.test", "endpoint.disabled.test"] | None = None,
    ) -> models.WebhookDelivery:
        """Send test event. Queues a signed test event for this endpoint only, whatever types of
        events it has chosen. No name of a test event is that of a real one."""
        return await self._call(
            Call(
                op.TEST_WEBHOOK,
                path={"id": wallet_id, "webhook_id": webhook_id},
                body={"event": event},
                headers={"idempotency-key": idempotency_key},
            )
        )

    async def redeliver(
        self,
        wallet_id: str,
        webhook_id: str,
        delivery_id: str,
    ) -> models.WebhookDelivery:
        """Repeat webhook delivery. Sends a delivery again: the same bytes under the same
        webhook-id, with a new schedule."""
        return await self._call(
            Call(
                op.REDELIVER_WEBHOOK,
                path={"id": wallet_id, "webhook_id": webhook_id, "delivery_id": delivery_id},
            )
        )

    async def replay(
        self,
        wallet_id: str,
        webhook_id: str,
        *,
        since: str,
        include_delivered: bool | None = None,
    ) -> models.ReplayWebhookData:
        """Replay webhook deliveries. Sends all deliveries again that were made since a time and
        are not acknowledged: the same bytes under the same webhook-id and webhook-sequence,
        oldest first, each with a new schedule. A disabled endpoint gets them when it is enabled.
        Another replay sends those again that are still not acknowledged."""
        return await self._call(
            Call(
                op.REPLAY_WEBHOOK,
                path={"id": wallet_id, "webhook_id": webhook_id},
                body={"since": since, "include_delivered": include_delivered},
            )
        )

    async def examine(self, wallet_id: str, webhook_id: str) -> models.WebhookExam:
        """Examine webhook receiver. Sends right and wrong requests to the endpoint, one after
        the other, and reports the answers. Their events have types that end in `.test`, with ids
        and accounts that cannot exist. They are no deliveries: they use no sequence number and
        are not in the delivery log. The answer comes after at most 45 seconds. One exam of an
        endpoint runs at a time."""
        return await self._call(
            Call(
                op.EXAMINE_WEBHOOK,
                path={"id": wallet_id, "webhook_id": webhook_id},
            )
        )


class Events(EventsBase):
    def list(
        self,
        wallet_id: str,
        *,
        after: int | Literal["latest"] | None = None,
        limit: int | None = None,
        webhook_id: str | None = None,
        wait_seconds: int | None = None,
    ) -> AsyncListing[models.WebhookEvent]:
        """List wallet events. The wallet’s events after a number, for events that a receiver
        missed or as a stream. Oldest first, unlike other lists: continue after the last number
        that you have. Numbers have no gap, and new events never change earlier pages. Without
        `webhook_id` the numbers count the wallet’s events; with it they are the
        `webhook-sequence` of that endpoint’s deliveries. Besides `deposit.created`, an event is
        there only if an endpoint had chosen its type. `body` is the exact text that is signed:
        verify `headers` over its UTF-8 bytes, as for a delivery. Reading acknowledges nothing.
        An empty page with Retry-After: too many requests of the wallet or the team wait already,
        so this one did not."""
        return self._list(
            Call(
                op.LIST_EVENTS,
                path={"id": wallet_id},
                query={
                    "after": after,
                    "limit": limit,
                    "webhook_id": webhook_id,
                    "wait_seconds": wait_seconds,
                },
            )
        )


class AsyncGroups:
    """What every client has."""

    def __init__(self, driver: AsyncDriver) -> None:
        self.service = Service(driver)
        self.sandbox = Sandbox(driver)
        self.sessions = Sessions(driver)
        self.auth = Auth(driver)
        self.factors = Factors(driver)
        self.team = Team(driver)
        self.audit = Audit(driver)
        self.service_users = ServiceUsers(driver)
        self.payees = Payees(driver)
        self.wallets = Wallets(driver)
        self.api_keys = ApiKeys(driver)
        self.addresses = Addresses(driver)
        self.deposits = Deposits(driver)
        self.policies = Policies(driver)
        self.withdrawals = Withdrawals(driver)
        self.assets = Assets(driver)
        self.payouts = Payouts(driver)
        self.webhooks = Webhooks(driver)
        self.events = Events(driver)
