// Written by scripts/contract.ts from docs/openapi.json.
export interface components {
    schemas: {
        EmptyAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Empty"];
        };
        Empty: Record<string, never>;
        ReadinessAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Readiness"];
        };
        Readiness: {
            database: components["schemas"]["Check"];
            network: components["schemas"]["Check"];
            deposits: components["schemas"]["Check"];
            quarantine: components["schemas"]["Check"];
            protocol: components["schemas"]["Check"];
            withdrawals: components["schemas"]["Check"];
            reconciliation: components["schemas"]["Check"];
            keys: components["schemas"]["Check"];
            key_provider: components["schemas"]["Check"];
            treasury: components["schemas"]["Check"];
            contract_calls: components["schemas"]["Check"];
        };
        Check: {
            ok: boolean;
            message: string;
        };
        Error: {
            statusCode: number;
            message: string;
            error: components["schemas"]["ErrorBody"];
        };
        ErrorBody: {
            code: components["schemas"]["ErrorCode"];
            details?: components["schemas"]["ErrorDetail"][];
            /** @description Also the header `X-Request-Id`; the log has it */
            request_id: string;
        };
        /**
         * @description What is wrong, for programs; a later version may answer more codes.
         * @enum {string}
         */
        ErrorCode: "invalid_json" | "invalid_request" | "idempotency_key_missing" | "idempotency_key_invalid" | "ambiguous_destination" | "memo_required" | "webhook_url_not_public" | "unsupported_grant_type" | "unauthenticated" | "login_required" | "wrong_credentials" | "invalid_client" | "second_factor_wrong" | "challenge_ended" | "role_missing" | "scope_missing" | "person_required" | "address_not_allowed" | "may_not_approve" | "factor_required" | "second_factor_required" | "second_factor_stopped" | "not_found" | "method_not_allowed" | "idempotency_key_reused" | "idempotency_key_in_flight" | "idempotency_key_mismatch" | "possible_duplicate" | "asset_in_use" | "last_owner" | "last_factor" | "too_few_approvers" | "not_awaiting_approval" | "already_decided" | "order_changed" | "wrong_payout_status" | "duplicates_not_confirmed" | "already_in_team" | "disabled_by_operator" | "exam_running" | "deposit_attributed" | "deposit_refunded" | "body_too_large" | "unsupported_media_type" | "misdirected_request" | "wallet_unfunded" | "destination_is_issuer" | "destination_not_supported" | "transfer_would_fail" | "fee_above_limit" | "asset_not_empty" | "asset_change_failed" | "policy_frozen" | "policy_asset_without_limit" | "policy_amount_limit" | "policy_daily_limit" | "policy_destination_not_allowed" | "treasury_budget_spent" | "refund_not_possible" | "sandbox_payment_failed" | "too_many_endpoints" | "too_many_factors" | "passkeys_unavailable" | "too_many_service_users" | "too_many_secrets" | "too_many_api_keys" | "too_many_access_changes" | "too_many_invitations" | "too_many_wallets" | "too_many_addresses" | "endpoint_disabled" | "sequence_unknown" | "too_many_logins" | "too_many_waiting" | "rate_limited" | "internal_error" | "network_unavailable" | "treasury_unfunded" | "ledger_not_caught_up" | "database_unavailable" | "search_timed_out" | "service_stopping" | "key_journal_unavailable" | "key_provider_unavailable" | "outcome_pending";
        /** @description A field that is at fault. */
        ErrorDetail: {
            /** @description A JSON pointer into the body, or the name of a header or query parameter */
            path: string;
            message: string;
        };
        ServiceAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Service"];
        };
        Service: {
            /** @constant */
            name: "Stellar Teller";
            version: string;
            /** @enum {string} */
            network: "sandbox" | "testnet" | "public";
            passphrase: string;
            /** @description Web pages about transactions and accounts; null when none are known for this network */
            explorer: {
                /** @description URL of a transaction, with {hash} as placeholder */
                transaction: string;
                /** @description URL of an account, with {account} as placeholder for a G… address */
                account: string;
            } | null;
            /** @description The issued assets of this network that the service knows by itself */
            known_assets: {
                asset_code: string;
                asset_issuer: string;
            }[];
            /** @description The protocol of the network, the highest that a source tells; null while none does */
            network_protocol: number | null;
            /** @description The highest protocol of the network that this version of the service reads */
            known_protocol: number;
            /** @description The sources of the network, in the order of the configuration; those that have not answered yet are left out */
            sources: components["schemas"]["SourceProtocol"][];
            /** @description Issued assets that `payOnSandbox` pays; empty on other networks than the sandbox */
            test_assets: components["schemas"]["TestAsset"][];
        };
        SourceProtocol: {
            /** @description Its place in the configuration, from 1 on: the RPC servers come before the Horizon servers */
            source: number;
            /** @description The protocol of the network as this source has it; null when it does not tell it */
            network_protocol: number | null;
            /** @description The highest protocol that the source supports; null when it does not tell it */
            supported_protocol: number | null;
        };
        TestAsset: {
            asset_code: components["schemas"]["AssetCode"];
            asset_issuer: components["schemas"]["AssetIssuer"];
            /** @description What its issuer can do, in words */
            note: string;
        };
        /** @description 1–12 characters A–Z a–z 0–9; `native` without an issuer is the native asset. */
        AssetCode: string;
        /** @description The G… account that issues the asset. */
        AssetIssuer: string;
        PayOnSandboxBody: {
            /** @description G… or M… address */
            destination: string;
            amount_stroops: components["schemas"]["Stroops"];
            memo_id?: components["schemas"]["MemoId"] | null;
            asset_code?: components["schemas"]["AssetCode"] | null;
            asset_issuer?: components["schemas"]["AssetIssuer"] | null;
        };
        /**
         * Format: int64
         * @description Stroops; 10,000,000 are one unit of the native asset. From 1 to 9223372036854775807.
         */
        Stroops: bigint;
        /**
         * Format: uint64
         * @description Unsigned 64-bit integer; may exceed 2^53. From 0 to 18446744073709551615.
         */
        MemoId: bigint;
        PayOnSandboxAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["PayOnSandboxData"];
        };
        PayOnSandboxData: {
            stellar_tx_hash: string;
        };
        SessionPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["SessionPage"];
        };
        SessionPage: {
            items: components["schemas"]["Session"][];
            next_cursor: string | null;
        };
        Session: {
            id: string;
            /** @enum {string} */
            kind: "browser" | "program";
            /** @description The browser and its system, or the program */
            device: string | null;
            /** @description Where the login came from */
            ip: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description To the minute */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description The end, unless it is used or its token is renewed before
             */
            expires_at: string;
            /** @description Whether it is the session of this request */
            current: boolean;
        };
        EmptyBody: Record<string, never>;
        EndOtherSessionsAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["EndOtherSessionsData"];
        };
        EndOtherSessionsData: {
            ended: number;
        };
        SessionAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Session"];
        };
        RenewTokenAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["RenewTokenData"];
        };
        RenewTokenData: {
            token: string;
            /** @description Seconds until the new token ends */
            expires_in: number;
            /** Format: date-time */
            session_ends_at: string;
        };
        LoginBody: {
            email: string;
            password: string;
        };
        LoggedInAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["LoggedIn"];
        };
        LoggedIn: {
            /** @description The login token. Absent only when `Teller-Browser` was sent */
            token?: string;
            user: components["schemas"]["User"];
        };
        User: {
            id: string;
            email: string;
            name: string;
            /** Format: date-time */
            created_at: string;
        };
        ProveSecondFactorBody: {
            challenge: string;
            /** @description The six digits that an authenticator app shows */
            totp?: string | null;
            passkey?: components["schemas"]["PasskeyProof"] | null;
            recovery_code?: string | null;
        };
        PasskeyProof: {
            id: string;
            rawId: string;
            /** @constant */
            type: "public-key";
            response: components["schemas"]["PasskeyAssertion"];
        };
        PasskeyAssertion: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
            userHandle?: string | null;
        };
        MeAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Me"];
        };
        Me: {
            id: string;
            /** @description Empty for a service user */
            email: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            kind: "user" | "service";
            role: components["schemas"]["Role"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            team: {
                name: string;
            };
        };
        /** @enum {string} */
        Role: "owner" | "admin" | "operator" | "approver" | "developer" | "auditor" | "viewer";
        ChangePasswordBody: {
            current_password: string;
            new_password: string;
        };
        UserAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["User"];
        };
        StepUpBody: {
            /** @description The six digits that an authenticator app shows */
            totp?: string | null;
            passkey?: components["schemas"]["PasskeyProof"] | null;
            recovery_code?: string | null;
        };
        SteppedUpAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["SteppedUp"];
        };
        SteppedUp: {
            /** Format: date-time */
            proven_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        PasskeyOptionsAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["PasskeyOptions"];
        };
        /** @description For the browser: `startRegistration` or `startAuthentication` of @simplewebauthn/browser */
        PasskeyOptions: {
            challenge: string;
        } & {
            [key: string]: unknown;
        };
        FactorsAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Factors"];
        };
        Factors: {
            factors: components["schemas"]["Factor"][];
            recovery_codes_left: number;
            required_by_team: boolean;
            /** @description After 100 failures in a row, codes of an authenticator app are refused until a passkey or a recovery code is used */
            stopped: boolean;
            /** @description Where passkeys of this service work: PUBLIC_URL. Null where no browser allows them */
            passkey_origin: string | null;
        };
        Factor: {
            id: string;
            /** @enum {string} */
            kind: "totp" | "passkey";
            name: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
        };
        RenameFactorBody: {
            name: string;
        };
        FactorAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Factor"];
        };
        ReplaceRecoveryCodesAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["ReplaceRecoveryCodesData"];
        };
        ReplaceRecoveryCodesData: {
            recovery_codes: components["schemas"]["RecoveryCodes"];
        };
        /** @description Each is used once in place of a factor. They are shown only in this answer. */
        RecoveryCodes: string[];
        BeginTotpBody: {
            name: string;
            /** @description Required for the first factor */
            current_password?: string | null;
        };
        BeginTotpAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["BeginTotpData"];
        };
        BeginTotpData: {
            id: string;
            secret: string;
            uri: string;
        };
        ConfirmTotpBody: {
            code: string;
        };
        NewFactorAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["NewFactor"];
        };
        NewFactor: {
            id: string;
            /** @enum {string} */
            kind: "totp" | "passkey";
            name: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            /** @description Of the first factor; null of further ones */
            recovery_codes: components["schemas"]["RecoveryCodes"] | null;
        };
        BeginPasskeyBody: {
            /** @description Required for the first factor */
            current_password?: string | null;
        };
        AddPasskeyBody: {
            name: string;
            passkey: components["schemas"]["NewPasskey"];
        };
        NewPasskey: {
            id: string;
            rawId: string;
            /** @constant */
            type: "public-key";
            response: components["schemas"]["PasskeyRegistration"];
        };
        PasskeyRegistration: {
            clientDataJSON: string;
            attestationObject: string;
            transports?: string[] | null;
        };
        TeamAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Team"];
        };
        Team: {
            name: string;
            second_factor_required: boolean;
            /** Format: date-time */
            created_at: string;
        };
        ChangeTeamBody: {
            name?: string | null;
            second_factor_required?: boolean | null;
        };
        StepUpError: {
            statusCode: number;
            message: string;
            error: components["schemas"]["ErrorBody"];
            data?: components["schemas"]["StepUp"];
        };
        StepUp: {
            /** @description How; none for a user who must add a second factor first */
            methods: components["schemas"]["FactorMethod"][];
        };
        /** @enum {string} */
        FactorMethod: "totp" | "passkey" | "recovery_code";
        MemberPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["MemberPage"];
        };
        MemberPage: {
            items: components["schemas"]["Member"][];
            next_cursor: string | null;
        };
        Member: {
            user_id: string;
            email: string;
            name: string;
            role: components["schemas"]["Role"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** Format: date-time */
            joined_at: string;
        };
        AddMemberBody: {
            email: string;
            name: string;
            password: string;
            role: components["schemas"]["Role"];
            /** @description Absent: every wallet of the team */
            wallet_ids?: string[] | null;
        };
        MemberAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Member"];
        };
        AccessChangeAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["AccessChange"];
        };
        /** @description A change of who has access, which other members must approve first. */
        AccessChange: {
            id: string;
            /**
             * @description `approved`: its requester sends the same request again, which then does it, before `approval_expires_at`
             * @enum {string}
             */
            status: "awaiting_approval" | "approved";
            /**
             * @description The operation that was requested
             * @enum {string}
             */
            operation: "addMember" | "changeMember" | "createInvitation" | "createServiceUser" | "changeServiceUser" | "addServiceUserSecret" | "createApiKey" | "regenerateApiKey";
            /** @description Of an API key; null for members and service users */
            wallet_id: string | null;
            /** @description The member or service user that is changed; null for what is made */
            target_id: string | null;
            /** @description What it does, without secrets. `before`: what is there now */
            change: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** @description The user who asked for it; null where it is not known */
            requested_by: string | null;
            /** @description How many members must approve it; 0 when it needs no approvals */
            approvals_required: number;
            /** @description What members have decided. An approval counts while its member may still approve: one who has left, or has other rights since, does not */
            approvals: components["schemas"]["Approval"][];
            /** @description SHA-256 of what is approved, hex. An approval sends it back, so that nobody approves what they did not see. Null without approvals */
            order_hash: string | null;
            /** @description When it ends unless it is approved; null without approvals */
            approval_expires_at: string | null;
        };
        Approval: {
            user_id: string;
            /** @enum {string} */
            decision: "approved" | "rejected";
            comment: string | null;
            /** Format: date-time */
            at: string;
        };
        ChangeMemberBody: {
            role?: components["schemas"]["Role"] | null;
            wallet_ids?: string[] | null;
            /** @description Every wallet, in place of some */
            all_wallets?: true | null;
        };
        RemovedMemberAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["RemovedMember"];
        };
        RemovedMember: {
            /** @description The service users of the team with a valid credential that the user knows */
            service_users: components["schemas"]["IdAndName"][];
        };
        IdAndName: {
            id: string;
            name: string;
        };
        InvitationPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["InvitationPage"];
        };
        InvitationPage: {
            items: components["schemas"]["Invitation"][];
            next_cursor: string | null;
        };
        Invitation: {
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            invited_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        CreateInvitationBody: {
            email: string;
            role: components["schemas"]["Role"];
            /** @description Absent: every wallet of the team */
            wallet_ids?: string[] | null;
        };
        NewInvitationAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["NewInvitation"];
        };
        /** @description An invitation with its token, which is never shown again. */
        NewInvitation: {
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            invited_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            token: string;
            /** @description Of the dashboard’s page that accepts it: the link is the service’s address and this */
            path: string;
            /** @description Whether the service has sent the link to the e-mail address; otherwise send it yourself */
            mailed: boolean;
        };
        AcceptInvitationBody: {
            token: string;
            password: string;
            name?: string | null;
            challenge?: string | null;
            /** @description The six digits that an authenticator app shows */
            totp?: string | null;
            passkey?: components["schemas"]["PasskeyProof"] | null;
            recovery_code?: string | null;
        };
        JoinedAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Joined"];
        };
        Joined: {
            /** @description The login token. Absent only when `Teller-Browser` was sent */
            token?: string;
            user_id: string;
        };
        LoginChallengeError: {
            statusCode: number;
            message: string;
            error: components["schemas"]["ErrorBody"];
            data?: components["schemas"]["LoginChallenge"];
        };
        LoginChallenge: {
            challenge: string;
            methods: components["schemas"]["FactorMethod"][];
            passkey_options: components["schemas"]["PasskeyOptions"] | null;
        };
        /** @enum {string} */
        AuditAction: "login.succeeded" | "login.failed" | "login.factor_asked" | "session.ended" | "session.renewed" | "password.refused" | "password.changed" | "password.reset" | "user.created" | "user.disabled" | "user.enabled" | "command.run" | "second_factor.used" | "second_factor.failed" | "second_factor.stopped" | "recovery_code.used" | "recovery_codes.replaced" | "factor.added" | "factor.renamed" | "factor.removed" | "factors.reset" | "right.refused" | "team.renamed" | "team.alerts_changed" | "team.factors_required" | "member.added" | "member.changed" | "member.removed" | "invitation.created" | "invitation.revoked" | "service_user.created" | "service_user.changed" | "service_user.disabled" | "service_user.enabled" | "service_user.removed" | "service_user.secret_added" | "service_user.secret_retired" | "service_user.token_given" | "service_user.token_refused" | "access_change.requested" | "access_change.approved" | "access_change.rejected" | "access_change.carried_out" | "access_change.expired" | "wallet.created" | "wallet.changed" | "wallet.frozen" | "wallet.unfrozen" | "api_key.regenerated" | "api_key.created" | "api_key.deleted" | "address.created" | "address.changed" | "deposit_minimums.changed" | "deposit.assigned" | "policy.changed" | "policy.change_revoked" | "policy.change_approved" | "policy.change_rejected" | "policy.requests_ended" | "policy.approvals_cleared" | "withdrawal.requested" | "withdrawal.approved" | "withdrawal.rejected" | "withdrawal.approval_expired" | "payout.created" | "payout.started" | "payout.requested" | "payout.approved" | "payout.rejected" | "payout.approval_expired" | "payout.paused" | "payout.resumed" | "payout.cancelled" | "payout.completed" | "asset.added" | "asset.removed" | "endpoint.registered" | "endpoint.changed" | "endpoint.deleted" | "endpoint.secret_rotated" | "endpoint.tested" | "endpoint.examined" | "delivery.repeated" | "deliveries.replayed";
        AuditEntryPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["AuditEntryPage"];
        };
        AuditEntryPage: {
            items: components["schemas"]["AuditEntry"][];
            next_cursor: string | null;
        };
        AuditEntry: {
            /** @description Counts the entries of the team: 1, 2, 3, … without a gap */
            seq: number;
            id: string;
            /** Format: date-time */
            at: string;
            /** @description A stranger has not signed in. The id of an API key is the id that the list of API keys shows. */
            actor: {
                /** @enum {string} */
                kind: "user" | "service_user" | "api_key" | "operator" | "service" | "stranger";
                id: string | null;
                name: string | null;
            };
            session_id: string | null;
            ip: string | null;
            /** @description See AuditAction; later versions have more */
            action: string;
            target: {
                kind: string;
                id: string | null;
            };
            wallet_id: string | null;
            /** @description What the change replaced, without secrets */
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
            /** @description SHA-256 of the hash before, seq and the entry, in hex */
            hash: string;
        };
        AlertsAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Alerts"];
        };
        Alerts: {
            url: string | null;
            /** @description Why nothing is sent to the URL any more; ends when the settings are saved again */
            disabled_reason: string | null;
            /** @description Null: the last alert was acknowledged */
            failing_since: string | null;
            last_failure: components["schemas"]["FailedAlert"] | null;
            /** @description Null: every kind */
            kinds: string[] | null;
            large_payments: components["schemas"]["AssetAmount"][];
            /** @description Whether this service sends mails */
            mails: boolean;
        };
        FailedAlert: {
            /** Format: date-time */
            at: string;
            reason: string;
        };
        AssetAmount: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /**
             * Format: int64
             * @description From 0 to 9223372036854775807.
             */
            amount_stroops: bigint;
        };
        ReplaceAlertsBody: {
            /** @description Public http(s) URL to which alerts are posted; absent: no webhook */
            url?: string | null;
            /** @description Of these kinds the webhook, owners and admins are alerted; absent: of every kind, also of those of later versions. Users get the mails about their own sign-in in any case. */
            kinds?: components["schemas"]["AlertKind"][] | null;
            /** @description A withdrawal of more than this amount makes an alert; absent: none does */
            large_payments?: components["schemas"]["GivenAssetAmount"][] | null;
        };
        /**
         * @description `new_device`: A user signed in at a device that was not known. `password_changed`: A password was changed or reset. `second_factor_changed`: A second factor was added, removed or stopped, or the team’s need of one changed. `recovery_codes_replaced`: A user replaced their recovery codes. `member_changed`: A member or service user came, left, got other rights, or was disabled or enabled. `invitation_created`: An invitation was made. `api_key_made`: An API key, or a secret of a service user, was made or replaced; also with a new wallet. `endpoint_changed`: A webhook endpoint was registered or enabled again, or got another URL. `signing_secret_rotated`: The signing secret of an endpoint was replaced. `policy_loosened`: A policy was loosened, or a looser one was announced. `large_payment`: A withdrawal was requested, or a payout started, above the amount that the team has set. `wallet_frozen`: The operator froze a wallet, or ended the freeze. `alerts_changed`: The alerts of the team changed; always sent
         * @enum {string}
         */
        AlertKind: "new_device" | "password_changed" | "second_factor_changed" | "recovery_codes_replaced" | "member_changed" | "invitation_created" | "api_key_made" | "endpoint_changed" | "signing_secret_rotated" | "policy_loosened" | "large_payment" | "wallet_frozen" | "alerts_changed";
        GivenAssetAmount: {
            asset_code?: components["schemas"]["AssetCode"] | null;
            asset_issuer?: components["schemas"]["AssetIssuer"] | null;
            amount_stroops: components["schemas"]["Stroops"];
        };
        ChangedAlertsAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["ChangedAlerts"];
        };
        ChangedAlerts: {
            url: string | null;
            /** @description Why nothing is sent to the URL any more; ends when the settings are saved again */
            disabled_reason: string | null;
            /** @description Null: the last alert was acknowledged */
            failing_since: string | null;
            last_failure: components["schemas"]["FailedAlert"] | null;
            /** @description Null: every kind */
            kinds: string[] | null;
            large_payments: components["schemas"]["AssetAmount"][];
            /** @description Whether this service sends mails */
            mails: boolean;
            /** @description A new one, which is never shown again; null when the URL has not changed */
            signing_secret: string | null;
        };
        ServiceUserPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["ServiceUserPage"];
        };
        ServiceUserPage: {
            items: components["schemas"]["ServiceUser"][];
            next_cursor: string | null;
        };
        ServiceUser: {
            /** @description The client id, too */
            id: string;
            /** @constant */
            kind: "service";
            name: string;
            role: components["schemas"]["ServiceRole"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            public_keys: components["schemas"]["PublicKey"][];
            secrets: components["schemas"]["ServiceUserSecret"][];
            enabled: boolean;
            /** @description Who has disabled it. What the operator of the service has disabled, only they enable */
            disabled_by: ("team" | "operator") | null;
            /** @description The user who made it; null for the operator */
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description When it got a token the last time */
            last_used_at: string | null;
        };
        /** @enum {string} */
        ServiceRole: "admin" | "operator" | "approver" | "developer" | "auditor" | "viewer";
        PublicKey: {
            kid: string;
            /** @enum {string} */
            kty: "OKP" | "EC";
            /** @enum {string} */
            crv: "Ed25519" | "P-256";
            /** @enum {string} */
            alg: "EdDSA" | "ES256";
            x: string;
            y?: string;
        };
        ServiceUserSecret: {
            id: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
        };
        CreateServiceUserBody: {
            name: string;
            role: components["schemas"]["ServiceRole"];
            /** @description Absent: every wallet of the team */
            wallet_ids?: string[] | null;
            /** @description Absent: every address */
            allowed_ips?: string[] | null;
            /** @description JSON Web Keys, Ed25519 or P-256: the `keys` of a JWKS. At most 5 */
            public_keys?: components["schemas"]["GivenPublicKey"][] | null;
        };
        GivenPublicKey: {
            /** @enum {string} */
            kty: "OKP" | "EC";
            /** @enum {string} */
            crv: "Ed25519" | "P-256";
            x: string;
            y?: string | null;
            kid?: string | null;
            use?: "sig" | null;
            alg?: ("EdDSA" | "ES256") | null;
            key_ops?: "verify"[] | null;
            ext?: boolean | null;
        };
        NewServiceUserAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["NewServiceUser"];
        };
        NewServiceUser: {
            /** @description The client id, too */
            id: string;
            /** @constant */
            kind: "service";
            name: string;
            role: components["schemas"]["ServiceRole"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            public_keys: components["schemas"]["PublicKey"][];
            secrets: components["schemas"]["ServiceUserSecret"][];
            enabled: boolean;
            /** @description Who has disabled it. What the operator of the service has disabled, only they enable */
            disabled_by: ("team" | "operator") | null;
            /** @description The user who made it; null for the operator */
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description When it got a token the last time */
            last_used_at: string | null;
            client_id: string;
            /** @description Shown only here. Null when it has public keys */
            client_secret: string | null;
        };
        ServiceUserAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["ServiceUser"];
        };
        ChangeServiceUserBody: {
            name?: string | null;
            role?: components["schemas"]["ServiceRole"] | null;
            wallet_ids?: string[] | null;
            /** @description Every wallet, in place of some */
            all_wallets?: true | null;
            allowed_ips?: string[] | null;
            /** @description Every address, in place of some */
            all_addresses?: true | null;
            /** @description All of them; an empty array removes all */
            public_keys?: components["schemas"]["GivenPublicKey"][] | null;
            enabled?: boolean | null;
        };
        ChangeServiceUserAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["ChangeServiceUserData"];
        };
        ChangeServiceUserData: {
            /** @description The client id, too */
            id: string;
            /** @enum {string} */
            kind: "service";
            name: string;
            role: components["schemas"]["ServiceRole"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            public_keys: components["schemas"]["PublicKey"][];
            secrets: components["schemas"]["ServiceUserSecret"][];
            enabled: boolean;
            /** @description Who has disabled it. What the operator of the service has disabled, only they enable */
            disabled_by: ("team" | "operator") | null;
            /** @description The user who made it; null for the operator */
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description When it got a token the last time */
            last_used_at: string | null;
            endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        WebhookEndpoint: {
            id: string;
            wallet_id: string;
            url: string;
            description: string | null;
            /** @description The types of events that it gets. Later versions may have more types */
            events: string[];
            enabled: boolean;
            /** @description Why the service disabled the endpoint; null while it is enabled, and if its owner disabled it */
            disabled_reason: string | null;
            /** @description Since when every attempt has failed; null if the last one succeeded. After two days without an attempt the time starts again */
            failing_since: string | null;
            created_by: components["schemas"]["EndpointMaker"];
            /** Format: date-time */
            created_at: string;
        };
        /** @description Who registered it */
        EndpointMaker: {
            /** @enum {string} */
            kind: "user" | "service_user" | "api_key";
            /** @description The main key of a wallet has another id after each regeneration */
            id: string;
            /** @description Null for the main key of the wallet */
            name: string | null;
        };
        RemoveServiceUserAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["RemoveServiceUserData"];
        };
        RemoveServiceUserData: {
            /** @description The client id, too */
            id: string;
            /** @enum {string} */
            kind: "service";
            name: string;
            role: components["schemas"]["ServiceRole"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            public_keys: components["schemas"]["PublicKey"][];
            secrets: components["schemas"]["ServiceUserSecret"][];
            enabled: boolean;
            /** @description Who has disabled it. What the operator of the service has disabled, only they enable */
            disabled_by: ("team" | "operator") | null;
            /** @description The user who made it; null for the operator */
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description When it got a token the last time */
            last_used_at: string | null;
            endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        NewServiceUserSecretAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["NewServiceUserSecret"];
        };
        NewServiceUserSecret: {
            id: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            /** @description Shown only here */
            client_secret: string;
        };
        ServiceUserSecretAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["ServiceUserSecret"];
        };
        DecisionBody: {
            /** @description The `order_hash` that the member saw. 409 `order_changed` when it is another by now */
            order_hash: string;
            comment?: string | null;
        };
        CreateWalletBody: {
            name: string;
        };
        NewWalletAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["NewWallet"];
        };
        /** @description A wallet with its API key. The key is shown only here. */
        NewWallet: {
            id: string;
            name: string;
            /** @enum {string} */
            network: "sandbox" | "testnet" | "public";
            /** @description The wallet’s Stellar account (G…) */
            account: string;
            /** @enum {string} */
            status: "unfunded" | "active";
            /** @description Whether a memo text of digits counts as a memo id; applies to deposits read afterwards */
            numeric_memo_text: boolean;
            /** Format: date-time */
            created_at: string;
            api_key: string;
        };
        WalletPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["WalletPage"];
        };
        WalletPage: {
            items: components["schemas"]["Wallet"][];
            next_cursor: string | null;
        };
        Wallet: {
            id: string;
            name: string;
            /** @enum {string} */
            network: "sandbox" | "testnet" | "public";
            /** @description The wallet’s Stellar account (G…) */
            account: string;
            /** @enum {string} */
            status: "unfunded" | "active";
            /** @description Whether a memo text of digits counts as a memo id; applies to deposits read afterwards */
            numeric_memo_text: boolean;
            /** Format: date-time */
            created_at: string;
        };
        WalletAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Wallet"];
        };
        ChangeWalletBody: {
            name?: string | null;
            numeric_memo_text?: boolean | null;
        };
        BalancePageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["BalancePage"];
        };
        BalancePage: {
            items: components["schemas"]["Balance"][];
            next_cursor: string | null;
        };
        Balance: {
            asset_code: string;
            asset_issuer: string | null;
            /**
             * Format: int64
             * @description From 0 to 9223372036854775807.
             */
            amount_stroops: bigint;
            /**
             * Format: int64
             * @description From 0 to 9223372036854775807.
             */
            available_stroops: bigint;
            /**
             * @description Whether the issuer lets the wallet take and pay it: as the status of an asset
             * @enum {string}
             */
            status: "active" | "unauthorized" | "maintain_liabilities";
        };
        TransactionPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["TransactionPage"];
        };
        TransactionPage: {
            items: components["schemas"]["Transaction"][];
            next_cursor: string | null;
        };
        Transaction: {
            /** @enum {string} */
            type: "deposit" | "withdrawal" | "adjustment";
            id: string;
            /** @enum {string} */
            status: "awaiting_approval" | "pending" | "confirmed" | "failed";
            /** @description What happened to the wallet, for an adjustment; null for the others */
            reason: ("clawback" | "contract_transfer" | "contract_burn" | "authorized" | "maintain_liabilities" | "authorization_revoked") | null;
            asset_code: string;
            asset_issuer: string | null;
            /**
             * Format: int64
             * @description 0 for an adjustment that changed what a trust line may do. From 0 to 9223372036854775807.
             */
            amount_stroops: bigint;
            /** @description Fee of a withdrawal; null until it is known, and for the others */
            fee_stroops: bigint | null;
            /** @description Who paid or was paid; of an adjustment, the account or contract that did it */
            counterparty: string;
            /** @description Label of the paid deposit address */
            address_label: string | null;
            stellar_tx_hash: string | null;
            memo_id: components["schemas"]["MemoId"] | null;
            /** @description The transaction’s memo, if it is a text; null for all but deposits */
            memo_text: string | null;
            /** @description Of a deposit: smaller than the wallet’s minimum for its asset, so no event announces it */
            below_minimum: boolean;
            /** Format: date-time */
            created_at: string;
        };
        /** @description `native` or `CODE:ISSUER` */
        AssetText: string;
        GetStatisticsAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["GetStatisticsData"];
        };
        GetStatisticsData: {
            days: components["schemas"]["DayOfWallet"][];
        };
        /** @description Sums of confirmed deposits, withdrawals and adjustments of one asset, by the day of their creation */
        DayOfWallet: {
            /**
             * Format: date
             * @description In UTC. Days without transactions are included
             */
            date: string;
            deposits_count: number;
            /** Format: int64 */
            deposits_stroops: bigint;
            withdrawals_count: number;
            /** Format: int64 */
            withdrawals_stroops: bigint;
            /** @description Changes of what a trust line may do are not counted */
            adjustments_count: number;
            /**
             * Format: int64
             * @description What others took from the wallet, for example by a clawback
             */
            adjustments_stroops: bigint;
            /**
             * Format: int64
             * @description Native; 0 for any other asset. Includes fees of withdrawals that failed in the ledger, and of trust lines
             */
            fees_stroops: bigint;
        };
        RegeneratedApiKeyAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["RegeneratedApiKey"];
        };
        RegeneratedApiKey: {
            /** @description Another one after each regeneration */
            id: string;
            prefix: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            api_key: string;
            endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        ApiKeyAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["ApiKey"];
        };
        ApiKey: {
            /** @description Another one after each regeneration */
            id: string;
            prefix: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
        };
        NamedApiKeyPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["NamedApiKeyPage"];
        };
        NamedApiKeyPage: {
            items: components["schemas"]["NamedApiKey"][];
            next_cursor: string | null;
        };
        NamedApiKey: {
            id: string;
            name: string;
            prefix: string;
            last_four: string;
            scopes: components["schemas"]["Scope"][];
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            expires_at: string | null;
            created_by: components["schemas"]["IdAndName"];
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
        };
        /** @enum {string} */
        Scope: "read" | "addresses" | "webhooks";
        CreateApiKeyBody: {
            name: string;
            scopes: components["schemas"]["Scope"][];
            /**
             * Format: date-time
             * @description Absent: it does not expire
             */
            expires_at?: string | null;
            /** @description Absent: every address */
            allowed_ips?: string[] | null;
        };
        NewNamedApiKeyAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["NewNamedApiKey"];
        };
        NewNamedApiKey: {
            id: string;
            name: string;
            prefix: string;
            last_four: string;
            scopes: components["schemas"]["Scope"][];
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            expires_at: string | null;
            created_by: components["schemas"]["IdAndName"];
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            /** @description Shown only here */
            api_key: string;
        };
        DeletedNamedApiKeyAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["DeletedNamedApiKey"];
        };
        DeletedNamedApiKey: {
            id: string;
            name: string;
            prefix: string;
            last_four: string;
            scopes: components["schemas"]["Scope"][];
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            expires_at: string | null;
            created_by: components["schemas"]["IdAndName"];
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        ChangeDepositAddressBody: {
            /** @description An empty text removes it */
            label?: string | null;
            metadata?: components["schemas"]["Metadata"] | null;
        };
        /** @description Any JSON object (≤ 16 KiB); returned exactly as given. */
        Metadata: {
            [key: string]: unknown;
        };
        DepositAddressAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["DepositAddress"];
        };
        DepositAddress: {
            id: string;
            wallet_id: string;
            /** @description M… address: pay this */
            address: string;
            /** @description G… account: pay this with memo_id as MEMO_ID where M… is not supported */
            account: string;
            memo_id: components["schemas"]["MemoId"];
            /** @description SEP-7 payment request; off the public network it names the network */
            uri: string;
            label: string | null;
            metadata: components["schemas"]["Metadata"];
            /** Format: date-time */
            created_at: string;
        };
        DepositAddressWithReceivedAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["DepositAddressWithReceived"];
        };
        DepositAddressWithReceived: {
            id: string;
            wallet_id: string;
            /** @description M… address: pay this */
            address: string;
            /** @description G… account: pay this with memo_id as MEMO_ID where M… is not supported */
            account: string;
            memo_id: components["schemas"]["MemoId"];
            /** @description SEP-7 payment request; off the public network it names the network */
            uri: string;
            label: string | null;
            metadata: components["schemas"]["Metadata"];
            /** Format: date-time */
            created_at: string;
            /** @description All deposits of the address, by asset */
            received: components["schemas"]["ReceivedAsset"][];
        };
        ReceivedAsset: {
            asset_code: string;
            asset_issuer: string | null;
            count: number;
            /** Format: int64 */
            amount_stroops: bigint;
        };
        CreateDepositAddressBody: {
            label?: string | null;
            metadata?: components["schemas"]["Metadata"] | null;
        };
        DepositAddressPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["DepositAddressPage"];
        };
        DepositAddressPage: {
            items: components["schemas"]["DepositAddress"][];
            next_cursor: string | null;
        };
        DepositPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["DepositPage"];
        };
        DepositPage: {
            items: components["schemas"]["Deposit"][];
            next_cursor: string | null;
        };
        Deposit: {
            id: string;
            wallet_id: string;
            address_id: string | null;
            asset_code: string;
            asset_issuer: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            /** @description The payer: G…, or C… for a contract */
            source_account: string;
            /** @description The payer’s M… address, if the payment names one; a refund goes there */
            source_account_muxed: string | null;
            stellar_tx_hash: string;
            operation_index: number;
            /** @description Index of the contract’s event in its operation, else 0. Hash, operation and event identify the deposit on the ledger: they stay the same when the database is restored from an older copy; `id` does not */
            event_index: number;
            /**
             * @description The operation or the event of a Stellar Asset Contract that paid it
             * @enum {string}
             */
            kind: "payment" | "create_account" | "path_payment_strict_send" | "path_payment_strict_receive" | "account_merge" | "contract_transfer" | "contract_mint";
            /** @description Muxed id, else memo id; of a deposit assigned by hand, the memo id of its address */
            memo_id: components["schemas"]["MemoId"] | null;
            /** @enum {string} */
            memo_type: "none" | "id" | "text" | "hash" | "return";
            /** @description The transaction’s memo: digits, a text, or base64 of other bytes */
            memo: string | null;
            ledger: number;
            /** @constant */
            status: "confirmed";
            attributed: boolean;
            assigned_by_hand: boolean;
            /** @description Smaller than the wallet’s minimum for its asset: no event announces it */
            below_minimum: boolean;
            /** @description The withdrawal that refunds it */
            refund_withdrawal_id: string | null;
            metadata: components["schemas"]["Metadata"] | null;
            /** Format: date-time */
            created_at: string;
        };
        DepositAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Deposit"];
        };
        AdjustmentAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Adjustment"];
        };
        /** @description What others did to a wallet without paying it */
        Adjustment: {
            id: string;
            wallet_id: string;
            asset_code: string;
            asset_issuer: string | null;
            /** @enum {string} */
            reason: "clawback" | "contract_transfer" | "contract_burn" | "authorized" | "maintain_liabilities" | "authorization_revoked";
            /**
             * Format: int64
             * @description What was taken; 0 when only the authorization of the trust line has changed. From 0 to 9223372036854775807.
             */
            amount_stroops: bigint;
            /** @description The account (G…) or contract (C…) that did it */
            caused_by: string;
            stellar_tx_hash: string;
            operation_index: number;
            event_index: number;
            ledger: number;
            /** Format: date-time */
            created_at: string;
        };
        AssignDepositBody: {
            address_id: string;
        };
        DepositMinimumsAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["DepositMinimums"];
        };
        /** @description Deposits below these amounts are not announced */
        DepositMinimums: {
            items: components["schemas"]["AssetAmount"][];
        };
        ReplaceDepositMinimumsBody: {
            /** @description The minimums of every asset, in place of all before; [] removes all */
            items: components["schemas"]["GivenAssetAmount"][];
        };
        ExplanationAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Explanation"];
        };
        Explanation: {
            /** @description Of a fee-bump, the outer hash, whichever was asked for */
            stellar_tx_hash: string;
            /** @enum {string} */
            state: "applied" | "failed" | "not_found";
            ledger: number | null;
            /** @description Whether deposits are read up to that ledger */
            read: boolean;
            quarantined: boolean;
            /** @description Null when it is not known any more */
            fee_bump: boolean | null;
            /** @enum {string} */
            memo_type: "none" | "id" | "text" | "hash" | "return";
            memo: string | null;
            message: string;
            operations: {
                operation_index: number;
                /** @description As Horizon names it: `payment`, `path_payment_strict_send`, … */
                type: string;
                /** @description Whether it paid the wallet, by the ledger */
                credited: boolean;
                /** @description A stable word: why it credited the wallet or an address, or why not */
                reason: string;
                /** @description The same in sentences, for a person */
                message: string;
                deposits: components["schemas"]["Deposit"][];
                adjustments: components["schemas"]["Adjustment"][];
            }[];
        };
        ReconciliationAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Reconciliation"];
        };
        Reconciliation: {
            agrees: boolean;
            /** @description The closed ledger at which books and balances were compared */
            ledger: number;
            /**
             * Format: date-time
             * @description Time of the comparison. It is older than a minute only if no comparison is possible now
             */
            checked_at: string;
            items: components["schemas"]["ReconciliationItem"][];
        };
        ReconciliationItem: {
            asset_code: string;
            asset_issuer: string | null;
            /** Format: int64 */
            opening_stroops: bigint;
            /** Format: int64 */
            deposits_stroops: bigint;
            /** Format: int64 */
            withdrawals_stroops: bigint;
            /**
             * Format: int64
             * @description What others took from the wallet, for example by a clawback
             */
            adjustments_stroops: bigint;
            /** Format: int64 */
            fees_stroops: bigint;
            /** Format: int64 */
            expected_stroops: bigint;
            /**
             * Format: int64
             * @description From 0 to 9223372036854775807.
             */
            balance_stroops: bigint;
            /**
             * Format: int64
             * @description The balance on the ledger minus the expected balance
             */
            difference_stroops: bigint;
            /** @description The last ledger without a difference */
            agreed_ledger: number | null;
            may_explain: {
                stellar_tx_hash: string | null;
                ledger: number;
                /** @enum {string} */
                reason: "unmatched" | "quarantined" | "not_booked" | "booked_differently" | "not_on_ledger" | "mentions_wallet" | "books_changed" | "ledgers_not_searched";
            }[];
        };
        PolicyAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Policy"];
        };
        /** @description The policy that is in force now; null is no limit. The two max_… fields and the one for 24 hours are of the native asset. */
        Policy: {
            wallet_id: string;
            /** @description Whether the owner has frozen the wallet */
            frozen: boolean;
            /** @description Null unless the operator of the service has frozen the wallet: new withdrawals are refused, whatever `frozen` says. No login can undo that */
            operator_freeze: {
                /** Format: date-time */
                frozen_at: string;
                reason: string | null;
            } | null;
            max_withdrawal_stroops: components["schemas"]["Stroops"] | null;
            max_rolling_24h_stroops: components["schemas"]["Stroops"] | null;
            /**
             * Format: int64
             * @description Withdrawals of the native asset in the last 24 hours that are not failed
             */
            used_rolling_24h_stroops: bigint;
            /** @description Every asset with a limit, the native one first */
            limits: components["schemas"]["AssetLimits"][];
            /** @description Whether an asset that `limits` does not have may be paid */
            other_assets_allowed: boolean;
            destinations: string[] | null;
            /** @description What needs approvals; null is nothing */
            approvals: components["schemas"]["ApprovalRule"] | null;
            /** @description How long after the request a looser policy takes effect */
            delay_seconds: number;
            pending: components["schemas"]["PendingPolicyChange"][];
        };
        AssetLimits: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            max_withdrawal_stroops: components["schemas"]["Stroops"] | null;
            max_rolling_24h_stroops: components["schemas"]["Stroops"] | null;
            /**
             * Format: int64
             * @description Withdrawals of the asset in the last 24 hours that are not failed
             */
            used_rolling_24h_stroops: bigint;
        };
        ApprovalRule: {
            required: number;
            above: components["schemas"]["AssetAmount"][];
            for: ("withdrawals" | "policies" | "destinations" | "members" | "api_keys")[];
            /** @description Whether members without a second factor may decide */
            without_factor: boolean;
        };
        /** @description A change to a looser policy that is not in force yet. For the field frozen it unfreezes the wallet. For `limits` it allows an asset that is refused, or removes the limits of all assets. */
        PendingPolicyChange: {
            id: string;
            /** @enum {string} */
            field: "frozen" | "max_withdrawal_stroops" | "max_rolling_24h_stroops" | "limits" | "destinations" | "approvals";
            /** @description The asset of a limit; null for other fields, and for `limits` when no asset is limited any more */
            asset_code: string | null;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /** @description For a max_… field: the new limit; null means no limit */
            limit_stroops: components["schemas"]["Stroops"] | null;
            /** @description For `limits`: the limit of an asset that was refused; null means no limit */
            max_withdrawal_stroops: components["schemas"]["Stroops"] | null;
            /** @description The same, for 24 hours */
            max_rolling_24h_stroops: components["schemas"]["Stroops"] | null;
            /** @description For destinations: the address to add; null is everywhere */
            destination: string | null;
            /** @description For approvals: the new rule; null means no rule */
            new_approvals: components["schemas"]["ApprovalRule"] | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The end of the delay. A change that awaits approvals does not take effect before it has them
             */
            takes_effect_at: string;
            /** @enum {string} */
            status: "awaiting_approval" | "pending";
            /** @description The user who asked for it; null where it is not known */
            requested_by: string | null;
            /** @description How many members must approve it; 0 when it needs no approvals */
            approvals_required: number;
            /** @description What members have decided. An approval counts while its member may still approve: one who has left, or has other rights since, does not */
            approvals: components["schemas"]["Approval"][];
            /** @description SHA-256 of what is approved, hex. An approval sends it back, so that nobody approves what they did not see. Null without approvals */
            order_hash: string | null;
            /** @description When it ends unless it is approved; null without approvals */
            approval_expires_at: string | null;
        };
        PolicyBody: {
            /** @description What needs approvals of other members. A rule that asks for less always needs approvals by the rule before it. */
            approvals?: components["schemas"]["GivenApprovalRule"] | null;
            /** @description True: new withdrawals are refused */
            frozen?: boolean | null;
            /** @description Of the native asset */
            max_withdrawal_stroops?: components["schemas"]["Stroops"] | null;
            /** @description Of the native asset */
            max_rolling_24h_stroops?: components["schemas"]["Stroops"] | null;
            /** @description The limits of every asset, in place of all limits before; [] removes all. While one asset has a limit, an asset without a limit is refused. */
            limits?: components["schemas"]["GivenAssetLimits"][] | null;
            /** @description The only addresses that may be paid; [] forbids every payment. A G… address allows its account and every M… address of it, a C… address its contract and every W… address of it; an M… or W… address only itself. */
            destinations?: string[] | null;
        };
        GivenApprovalRule: {
            /** @description How many members must approve, beside the requester; 0 ends the rule */
            required: number;
            /** @description A payment needs approvals when it and what the wallet has paid of the asset without approvals in the last 24 hours are above this amount. Payments of an asset that is not in the list always need them */
            above?: components["schemas"]["GivenAssetAmount"][] | null;
            for?: ("withdrawals" | "policies" | "destinations" | "members" | "api_keys")[] | null;
            /** @description True: members without a second factor may decide, with their password alone. Default false */
            without_factor?: boolean | null;
        };
        GivenAssetLimits: {
            asset_code?: components["schemas"]["AssetCode"] | null;
            asset_issuer?: components["schemas"]["AssetIssuer"] | null;
            max_withdrawal_stroops?: components["schemas"]["Stroops"] | null;
            max_rolling_24h_stroops?: components["schemas"]["Stroops"] | null;
        };
        PendingPolicyChangeAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["PendingPolicyChange"];
        };
        WithdrawBody: {
            /** @description G…, M…, C… or W… address */
            destination: string;
            amount_stroops: components["schemas"]["Stroops"];
            asset_code?: components["schemas"]["AssetCode"] | null;
            asset_issuer?: components["schemas"]["AssetIssuer"] | null;
            /** @description With a contract (C…) it makes the muxed contract (W…) with this id */
            memo_id?: components["schemas"]["MemoId"] | null;
            /** @description True: pay an asset back to its issuer, which destroys it */
            allow_issuer?: boolean | null;
        };
        WithdrawalPreviewAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["WithdrawalPreview"];
        };
        WithdrawalPreview: {
            /**
             * @description What it would be if it were signed now
             * @enum {string}
             */
            operation: "payment" | "create_account" | "contract_transfer";
            /** @description Of a C… address: whether a contract is there */
            destination_exists: boolean;
            /** @description The destination takes no payment without a memo (SEP-29) */
            memo_required: boolean;
            /** @description False when a memo is required and there is none */
            memo_satisfied: boolean;
            /**
             * Format: int64
             * @description Estimate: what 9 of 10 recent transactions paid; through a channel account twice that. Of a contract transfer the whole fee that it declares, of which most comes back; 0 when it cannot be simulated, and when the treasury pays. From 0 to 9223372036854775807.
             */
            fee_stroops: bigint;
            /**
             * Format: int64
             * @description The fee is never higher. From 0 to 9223372036854775807.
             */
            fee_max_stroops: bigint;
            /** @description The fee of a contract transfer, whoever pays it; null for other withdrawals, and when it cannot be simulated */
            contract_fee: components["schemas"]["ContractFee"] | null;
            /**
             * @description `treasury` where the operator pays the fees of all wallets
             * @enum {string}
             */
            fee_paid_by: "wallet" | "treasury";
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /**
             * Format: int64
             * @description What the wallet holds of the asset. From 0 to 9223372036854775807.
             */
            balance_stroops: bigint;
            /**
             * Format: int64
             * @description What the account must keep for its ledger entries; of an issued asset 0. From 0 to 9223372036854775807.
             */
            reserve_stroops: bigint;
            /**
             * Format: int64
             * @description The native balance that can pay the fee: less reserve, liabilities and withdrawals in flight. From 0 to 9223372036854775807.
             */
            fee_available_stroops: bigint;
            /** @description How much more of an issued asset the destination can hold; null where there is no limit */
            room_stroops: bigint | null;
            /**
             * Format: int64
             * @description Balance less reserve, liabilities and withdrawals in flight. From 0 to 9223372036854775807.
             */
            available_stroops: bigint;
            /** @description Estimate, withdrawals in flight counted as paid; null when there is a problem */
            balance_after_stroops: bigint | null;
            /** @description False when the withdrawal would be refused: nothing is sent then */
            would_send: boolean;
            /** @description How many members must approve it before it is signed; 0 when it needs no approvals */
            approvals_required: number;
            /** @description Why it would be refused (the error codes of a withdrawal), or why the network would fail it (op_…, tx_…: sent, and `failed`) */
            problems: components["schemas"]["Problem"][];
        };
        ContractFee: {
            /**
             * Format: int64
             * @description The most that it may become: all of it must be there when the transfer is sent. From 0 to 9223372036854775807.
             */
            declared_stroops: bigint;
            /** @description What is charged when the transfer succeeds; the rest comes back in the same ledger. Null while the network’s prices are unknown */
            expected_stroops: bigint | null;
            /** @description What is charged in any case, also when the transfer fails. Null while the network’s prices are unknown */
            kept_stroops: bigint | null;
        };
        Problem: {
            code: string;
            message: string;
        };
        WithdrawalAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Withdrawal"];
        };
        Withdrawal: {
            id: string;
            wallet_id: string;
            /**
             * @description `awaiting_approval`: members must approve it first; nothing is signed
             * @enum {string}
             */
            status: "awaiting_approval" | "pending" | "confirmed" | "failed";
            /** @description Hash of the envelope in the ledger; before that, of the newest envelope */
            stellar_tx_hash: string | null;
            /** @description Hash of the signed payment inside a fee-bump; otherwise the same */
            inner_tx_hash: string | null;
            /**
             * @description Whether the payment creates the account of its payee is decided when it is signed; before that, what it would do when it was asked for
             * @enum {string}
             */
            operation: "payment" | "create_account" | "contract_transfer";
            destination: string;
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            memo_id: components["schemas"]["MemoId"] | null;
            ledger: number | null;
            /** @description The fee that the wallet paid; 0 when the treasury or somebody else paid it */
            fee_stroops: bigint | null;
            /** @description Who paid the fee: the wallet, the treasury of this service, or a stranger who fee-bumped the transaction. Null where the ledger does not have it */
            fee_paid_by: ("wallet" | "treasury" | "other") | null;
            failure: components["schemas"]["Failure"] | null;
            idempotency_key: string;
            /** @description The deposit that this withdrawal pays back, with MEMO_RETURN of its transaction hash */
            refund_of: string | null;
            /** @description Fee-bump transactions made around the payment; a payment through a channel account always has one */
            fee_bumps: number;
            /** Format: date-time */
            created_at: string;
            signed_at: string | null;
            /** @description When the envelope was committed; it is sent at once after that, never before */
            committed_at: string | null;
            /** @description After this time no ledger can take the payment; null until it is signed */
            expires_at: string | null;
            settled_at: string | null;
            /** @description The user who asked for it; null where it is not known */
            requested_by: string | null;
            /** @description How many members must approve it; 0 when it needs no approvals */
            approvals_required: number;
            /** @description What members have decided. An approval counts while its member may still approve: one who has left, or has other rights since, does not */
            approvals: components["schemas"]["Approval"][];
            /** @description SHA-256 of what is approved, hex. An approval sends it back, so that nobody approves what they did not see. Null without approvals */
            order_hash: string | null;
            /** @description When it ends unless it is approved; null without approvals */
            approval_expires_at: string | null;
        };
        Failure: {
            /** @description The result code of the network */
            code: string;
            message: string;
        };
        RefundDepositError: {
            statusCode: number;
            message: string;
            error: components["schemas"]["ErrorBody"];
            data?: components["schemas"]["Withdrawal"] | components["schemas"]["Deposit"];
        };
        WalletAssetListAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["WalletAssetList"];
        };
        WalletAssetList: {
            items: components["schemas"]["WalletAsset"][];
        };
        WalletAsset: {
            asset_code: string;
            asset_issuer: string;
            /**
             * @description unauthorized: the issuer must approve the wallet, or has withdrawn its approval. maintain_liabilities: the wallet keeps its balance, and can neither take nor pay. absent: the wallet does not have the asset; no list shows it.
             * @enum {string}
             */
            status: "pending" | "active" | "unauthorized" | "maintain_liabilities" | "removing" | "failed" | "absent";
            /** @description Why the network refused to add it */
            failure: components["schemas"]["Failure"] | null;
            /** @description What the issuer can do to new trust lines; null when it is no account any more, or when an event could not read it */
            issuer_flags: {
                auth_required: boolean;
                auth_revocable: boolean;
                clawback_enabled: boolean;
            } | null;
            /** @description Whether the issuer can take the balance of this wallet back */
            clawback_enabled: boolean;
            /** @description What the issuer’s account names. Anybody can name any domain: it proves nothing */
            home_domain: string | null;
            /** @description Whether the stellar.toml of the domain names this asset (SEP-1). unreachable: the service could not read it within 5 seconds. Null: the operator allows no look-ups, there is no domain, or this answers or tells of a change of the asset */
            home_domain_check: ("confirmed" | "not_confirmed" | "unreachable") | null;
            /** @description True for the assets that the service knows by itself */
            verified: boolean;
            /** @description Show it: the asset looks like another one that is known */
            warning: string | null;
            /** @description When it was last asked for */
            created_at: string | null;
        };
        AddAssetBody: {
            asset_code: components["schemas"]["AssetCode"];
            asset_issuer: components["schemas"]["AssetIssuer"];
        };
        WalletAssetAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["WalletAsset"];
        };
        WalletAssetError: {
            statusCode: number;
            message: string;
            error: components["schemas"]["ErrorBody"];
            data?: components["schemas"]["WalletAsset"];
        };
        /** @description `CODE:ISSUER` */
        IssuedAssetText: components["schemas"]["AssetText"];
        AwaitingApprovalPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["AwaitingApprovalPage"];
        };
        AwaitingApprovalPage: {
            items: components["schemas"]["AwaitingApproval"][];
            next_cursor: string | null;
        };
        AwaitingApproval: {
            /** @enum {string} */
            kind: "withdrawal" | "payout" | "policy_change" | "access_change";
            /** @description Null for a change of members or service users */
            wallet_id: string | null;
            /** @description Whether the caller may approve or reject it */
            may_decide: boolean;
            /** @description Whether the caller may approve or reject it once they have added a second factor */
            factor_required: boolean;
            /** @description Null unless `kind` is `withdrawal` */
            withdrawal: components["schemas"]["Withdrawal"] | null;
            /** @description Null unless `kind` is `payout` */
            payout: components["schemas"]["Payout"] | null;
            /** @description Null unless `kind` is `policy_change` */
            change: components["schemas"]["PendingPolicyChange"] | null;
            /** @description Null unless `kind` is `access_change` */
            access_change: components["schemas"]["AccessChange"] | null;
        };
        /** @description Many payments of a wallet as one file. */
        Payout: {
            id: string;
            wallet_id: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "awaiting_approval" | "running" | "paused" | "completed" | "cancelled";
            /** @description Why it is paused or cancelled */
            reason: components["schemas"]["PayoutReason"] | null;
            /** @description The payout whose failed rows it pays again */
            retry_of: string | null;
            row_count: number;
            counts: components["schemas"]["PayoutCounts"];
            totals: components["schemas"]["PayoutTotal"][];
            /** @description SHA-256 of the rows, hex */
            rows_hash: string;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            /** @description When it was completed or cancelled */
            settled_at: string | null;
            /** @description The user who asked for it; null where it is not known */
            requested_by: string | null;
            /** @description How many members must approve it; 0 when it needs no approvals */
            approvals_required: number;
            /** @description What members have decided. An approval counts while its member may still approve: one who has left, or has other rights since, does not */
            approvals: components["schemas"]["Approval"][];
            /** @description SHA-256 of what is approved, hex. An approval sends it back, so that nobody approves what they did not see. Null without approvals */
            order_hash: string | null;
            /** @description When it ends unless it is approved; null without approvals */
            approval_expires_at: string | null;
        };
        PayoutReason: {
            code: string;
            message: string;
        };
        PayoutCounts: {
            waiting: number;
            pending: number;
            confirmed: number;
            failed: number;
            cancelled: number;
        };
        PayoutTotal: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /** Format: int64 */
            amount_stroops: bigint;
            /** Format: int64 */
            confirmed_stroops: bigint;
            /** Format: int64 */
            failed_stroops: bigint;
        };
        CreatePayoutBody: {
            /** @description Required, here or in the query */
            name?: string | null;
            /** @description The rows, or `csv` */
            rows?: components["schemas"]["PayoutRowBody"][] | null;
            /** @description The rows as CSV with the header `idempotency_key,destination,amount_stroops,asset_code,asset_issuer,memo_id,reference`, or `amount` (in units) in the place of `amount_stroops`. A body with `Content-Type: text/csv` is the same */
            csv?: string | null;
            /** @description How many rows there should be: finds a file that was cut */
            expected_count?: number | null;
            /**
             * Format: int64
             * @description The sum of all amounts, whatever their assets: of several assets it may be above 2^63
             */
            expected_total_stroops?: bigint | null;
            /** @description True: rows that pay the same amount to the same payee are meant */
            confirm_duplicates?: boolean | null;
        };
        PayoutRowBody: {
            /** @description The Idempotency-Key of the withdrawal that pays the row: unique in the team, for ever */
            idempotency_key: string;
            /** @description G… or M… address */
            destination: string;
            amount_stroops: components["schemas"]["Stroops"];
            asset_code?: components["schemas"]["AssetCode"] | null;
            asset_issuer?: components["schemas"]["AssetIssuer"] | null;
            memo_id?: components["schemas"]["MemoId"] | null;
            /** @description Your own name for the row; it comes back in the result */
            reference?: string | null;
        };
        PayoutReportAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["PayoutReport"];
        };
        /** @description What a payout would be, and what is wrong with it. */
        PayoutReport: {
            rows: number;
            totals: components["schemas"]["PayoutReportTotal"][];
            /**
             * Format: int64
             * @description The least that the fees of all rows are
             */
            fee_stroops: bigint;
            /** @enum {string} */
            fee_paid_by: "wallet" | "treasury";
            approvals_required: number;
            /** @description What refuses the payout; the first 1,000 */
            errors: components["schemas"]["PayoutProblem"][];
            error_count: number;
            /** @description The first 1,000 */
            warnings: components["schemas"]["PayoutProblem"][];
            warning_count: number;
            /** @description Send `confirm_duplicates: true` */
            needs_confirmation: boolean;
            /** @description The first rows, as they were read */
            sample: components["schemas"]["PayoutSampleRow"][];
        };
        PayoutReportTotal: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            rows: number;
            /** Format: int64 */
            amount_stroops: bigint;
            /** @description What the wallet could pay of it now */
            available_stroops: bigint | null;
        };
        PayoutProblem: {
            /** @description From 1 on; null where the file as a whole is concerned */
            row: number | null;
            /** @description Of the CSV */
            line: number | null;
            field: string | null;
            code: string;
            message: string;
        };
        PayoutSampleRow: {
            /** @description Its number in the file, from 1 on */
            row: number;
            idempotency_key: string;
            destination: string;
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            memo_id: components["schemas"]["MemoId"] | null;
            reference: string | null;
            line: number | null;
        };
        PayoutAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["Payout"];
        };
        PayoutPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["PayoutPage"];
        };
        PayoutPage: {
            items: components["schemas"]["Payout"][];
            next_cursor: string | null;
        };
        PayoutRowPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["PayoutRowPage"];
        };
        PayoutRowPage: {
            items: components["schemas"]["PayoutRow"][];
            next_cursor: string | null;
        };
        PayoutRow: {
            /** @description Its number in the file, from 1 on */
            row: number;
            idempotency_key: string;
            destination: string;
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            memo_id: components["schemas"]["MemoId"] | null;
            reference: string | null;
            /** @enum {string} */
            status: "waiting" | "pending" | "confirmed" | "failed" | "cancelled";
            withdrawal_id: string | null;
            stellar_tx_hash: string | null;
            failure: components["schemas"]["Failure"] | null;
        };
        WithdrawalError: {
            statusCode: number;
            message: string;
            error: components["schemas"]["ErrorBody"];
            data?: components["schemas"]["Withdrawal"];
        };
        WithdrawalPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["WithdrawalPage"];
        };
        WithdrawalPage: {
            items: components["schemas"]["Withdrawal"][];
            next_cursor: string | null;
        };
        RegisterWebhookBody: {
            /** @description Public http(s) URL; loopback and private addresses are refused */
            url: string;
            description?: string | null;
            /** @description The default is `["deposit.created"]` */
            events?: ("deposit.created" | "deposit.unattributed" | "withdrawal.confirmed" | "withdrawal.failed" | "withdrawal.awaiting_approval" | "payout.completed" | "asset.changed" | "endpoint.disabled")[] | null;
        };
        NewWebhookEndpointAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["NewWebhookEndpoint"];
        };
        /** @description An endpoint with its signing secret, which is never shown again. */
        NewWebhookEndpoint: {
            id: string;
            wallet_id: string;
            url: string;
            description: string | null;
            /** @description The types of events that it gets. Later versions may have more types */
            events: string[];
            enabled: boolean;
            /** @description Why the service disabled the endpoint; null while it is enabled, and if its owner disabled it */
            disabled_reason: string | null;
            /** @description Since when every attempt has failed; null if the last one succeeded. After two days without an attempt the time starts again */
            failing_since: string | null;
            created_by: components["schemas"]["EndpointMaker"];
            /** Format: date-time */
            created_at: string;
            signing_secret: string;
        };
        WebhookEndpointPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["WebhookEndpointPage"];
        };
        WebhookEndpointPage: {
            items: components["schemas"]["WebhookEndpoint"][];
            next_cursor: string | null;
        };
        WebhookEndpointAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["WebhookEndpoint"];
        };
        UpdateWebhookBody: {
            /** @description Public http(s) URL; loopback and private addresses are refused */
            url?: string | null;
            description?: string | null;
            /** @description The types of events that it gets, each once */
            events?: ("deposit.created" | "deposit.unattributed" | "withdrawal.confirmed" | "withdrawal.failed" | "withdrawal.awaiting_approval" | "payout.completed" | "asset.changed" | "endpoint.disabled")[] | null;
            enabled?: boolean | null;
        };
        LoggedWebhookDeliveryPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["LoggedWebhookDeliveryPage"];
        };
        LoggedWebhookDeliveryPage: {
            items: components["schemas"]["LoggedWebhookDelivery"][];
            next_cursor: string | null;
        };
        LoggedWebhookDelivery: {
            id: string;
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            event: string;
            /**
             * Format: int64
             * @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence
             */
            sequence: bigint;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts so far */
            attempts: number;
            /** @description Null unless pending */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            settled_at: string | null;
            /** @description The latest 50 attempts, oldest first. They are deleted WEBHOOK_LOG_DAYS after the delivery was acknowledged. */
            attempt_log: components["schemas"]["WebhookAttempt"][];
        };
        WebhookAttempt: {
            number: number;
            /** Format: date-time */
            started_at: string;
            duration_ms: number;
            /** @description The headers that were sent; null if the attempt was not recorded */
            request_headers: {
                [key: string]: string;
            } | null;
            status_code: number | null;
            /** @description Why there was no answer; null if there was one */
            error: string | null;
            /** @description The first 1 KiB of the answer */
            response_body: string | null;
        };
        WebhookDeliveryWithBodyAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["WebhookDeliveryWithBody"];
        };
        WebhookDeliveryWithBody: {
            id: string;
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            event: string;
            /**
             * Format: int64
             * @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence
             */
            sequence: bigint;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts so far */
            attempts: number;
            /** @description Null unless pending */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            settled_at: string | null;
            /** @description The latest 50 attempts, oldest first. They are deleted WEBHOOK_LOG_DAYS after the delivery was acknowledged. */
            attempt_log: components["schemas"]["WebhookAttempt"][];
            body: components["schemas"]["WebhookEventBody"];
        };
        /** @description Exactly the JSON that is sent: {"event": …, "data": …} */
        WebhookEventBody: {
            [key: string]: unknown;
        };
        TestWebhookBody: {
            /**
             * @description A type of event with `.test` behind it; its data is a sample of that type
             * @default ping
             */
            event?: ("ping" | "deposit.test" | "deposit.created.test" | "deposit.unattributed.test" | "withdrawal.confirmed.test" | "withdrawal.failed.test" | "withdrawal.awaiting_approval.test" | "payout.completed.test" | "asset.changed.test" | "endpoint.disabled.test") | null;
        };
        WebhookDeliveryAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["WebhookDelivery"];
        };
        WebhookDelivery: {
            id: string;
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            event: string;
            /**
             * Format: int64
             * @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence
             */
            sequence: bigint;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts so far */
            attempts: number;
            /** @description Null unless pending */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            settled_at: string | null;
        };
        ReplayWebhookBody: {
            /**
             * Format: date-time
             * @description The earliest time at which a delivery was made
             */
            since: string;
            /**
             * @description Send acknowledged deliveries too
             * @default false
             */
            include_delivered?: boolean | null;
        };
        ReplayWebhookAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["ReplayWebhookData"];
        };
        ReplayWebhookData: {
            /** @description Deliveries that are sent again */
            count: number;
        };
        ListEventsAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["ListEventsData"];
        };
        ListEventsData: {
            items: components["schemas"]["WebhookEvent"][];
            /**
             * Format: int64
             * @description The value of `after` for the next request, also after an empty page
             */
            next_after: bigint;
        };
        WebhookEvent: {
            /** @description Sent as webhook-id */
            id: string;
            event: string;
            /** Format: int64 */
            sequence: bigint;
            /** Format: date-time */
            created_at: string;
            /** @description The exact text that is sent: {"event": …, "data": …} */
            body: string;
            /** @description Of a delivery to the endpoint that is sent now; null without webhook_id */
            headers: {
                [key: string]: string;
            } | null;
        };
        WebhookExamAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["WebhookExam"];
        };
        WebhookExam: {
            /** @description True when every case has passed */
            passed: boolean;
            cases: components["schemas"]["WebhookExamCase"][];
            /** @description What no answer can show: look yourself */
            unseen: string[];
        };
        WebhookExamCase: {
            name: string;
            /**
             * @description unknown: the case was not sent, or its answers do not show whether the receiver does it right
             * @enum {string}
             */
            outcome: "passed" | "failed" | "unknown";
            /** @description What was sent, in a sentence */
            sent: string;
            /**
             * @description accepted: every answer has a 2xx status; refused: a 4xx status
             * @enum {string}
             */
            expected: "accepted" | "refused";
            /** @description One for each request; none when nothing was sent */
            answers: components["schemas"]["WebhookExamAttempt"][];
            /** @description What to change in the receiver */
            advice: string | null;
        };
        WebhookExamAttempt: {
            /** @description Sent as webhook-id, unless the case leaves it out */
            event_id: string;
            status_code: number | null;
            /** @description Why there was no answer; null if there was one */
            error: string | null;
            duration_ms: number;
        };
        DepositDeliveryPageAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["DepositDeliveryPage"];
        };
        DepositDeliveryPage: {
            items: components["schemas"]["DepositDelivery"][];
            next_cursor: string | null;
        };
        /** @description A delivery of the event of a deposit, with the URL of its endpoint */
        DepositDelivery: {
            id: string;
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            event: string;
            /**
             * Format: int64
             * @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence
             */
            sequence: bigint;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts so far */
            attempts: number;
            /** @description Null unless pending */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            settled_at: string | null;
            /** @description The latest 50 attempts, oldest first. They are deleted WEBHOOK_LOG_DAYS after the delivery was acknowledged. */
            attempt_log: components["schemas"]["WebhookAttempt"][];
            url: string;
        };
        WalletHealthAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["WalletHealth"];
        };
        WalletHealth: {
            deposits: {
                ok: boolean;
                message: string;
                /** @description How many seconds the reading is behind the network; null when it is unknown */
                lag_seconds: number | null;
            };
            /** @description Whether something blocks the withdrawals of this wallet */
            withdrawals: {
                ok: boolean;
                message: string;
            };
            webhooks: {
                ok: boolean;
                message: string;
                /** @description Endpoints whose last attempt failed */
                failing: number;
                /** @description Endpoints that the service has disabled */
                disabled: number;
            };
            channels: {
                ok: boolean;
                message: string;
                free: number;
                /** @description Channel accounts; all wallets share them */
                total: number;
            };
            reconciliation: {
                ok: boolean;
                message: string;
                /** @description Null before the first comparison */
                ledger: number | null;
            };
            /** @description Whether this version of the service reads the protocol of the network, and the next one that a source supports */
            protocol: {
                ok: boolean;
                message: string;
            };
            inbox: {
                /** @description Deposits without a deposit address that are not refunded; 1000 means that many or more */
                unattributed: number;
            };
        };
        GetServiceTokenBody: {
            /** @description `client_credentials` */
            grant_type: string;
            client_id?: string | null;
            /** @description Or by HTTP Basic, with the client id as the user name */
            client_secret?: string | null;
            /** @description With a public key: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer` */
            client_assertion_type?: string | null;
            /** @description With a public key: the signed JWT (RFC 7523) */
            client_assertion?: string | null;
        };
        GetServiceTokenForm: {
            /** @description `client_credentials` */
            grant_type: string;
            client_id?: string | null;
            /** @description Or by HTTP Basic, with the client id as the user name */
            client_secret?: string | null;
            /** @description With a public key: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer` */
            client_assertion_type?: string | null;
            /** @description With a public key: the signed JWT (RFC 7523) */
            client_assertion?: string | null;
        };
        GetServiceTokenAnswer: {
            statusCode: number;
            message: string;
            data: components["schemas"]["GetServiceTokenData"];
            /** @description `data.token` again, where OAuth clients read it */
            access_token: string;
            /** @enum {string} */
            token_type: "Bearer";
            /** @description Seconds */
            expires_in: number;
        };
        GetServiceTokenData: {
            token: string;
            expires_in: number;
        };
        OAuthError: {
            /** @description A code, as `error.code` of other errors */
            error: string;
            error_description: string;
            statusCode: number;
            message: string;
            request_id: string;
        };
        PayoutError: {
            statusCode: number;
            message: string;
            error: components["schemas"]["ErrorBody"];
            data?: components["schemas"]["Payout"];
        };
        DepositError: {
            statusCode: number;
            message: string;
            error: components["schemas"]["ErrorBody"];
            data?: components["schemas"]["Deposit"];
        };
        PayoutReportError: {
            statusCode: number;
            message: string;
            error: components["schemas"]["ErrorBody"];
            data?: components["schemas"]["PayoutReport"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type EmptyAnswer = components['schemas']['EmptyAnswer'];
export type Empty = components['schemas']['Empty'];
export type ReadinessAnswer = components['schemas']['ReadinessAnswer'];
export type Readiness = components['schemas']['Readiness'];
export type Check = components['schemas']['Check'];
export type Error = components['schemas']['Error'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type ServiceAnswer = components['schemas']['ServiceAnswer'];
export type Service = components['schemas']['Service'];
export type SourceProtocol = components['schemas']['SourceProtocol'];
export type TestAsset = components['schemas']['TestAsset'];
export type AssetCode = components['schemas']['AssetCode'];
export type AssetIssuer = components['schemas']['AssetIssuer'];
export type PayOnSandboxBody = components['schemas']['PayOnSandboxBody'];
export type Stroops = components['schemas']['Stroops'];
export type MemoId = components['schemas']['MemoId'];
export type PayOnSandboxAnswer = components['schemas']['PayOnSandboxAnswer'];
export type PayOnSandboxData = components['schemas']['PayOnSandboxData'];
export type SessionPageAnswer = components['schemas']['SessionPageAnswer'];
export type SessionPage = components['schemas']['SessionPage'];
export type Session = components['schemas']['Session'];
export type EmptyBody = components['schemas']['EmptyBody'];
export type EndOtherSessionsAnswer = components['schemas']['EndOtherSessionsAnswer'];
export type EndOtherSessionsData = components['schemas']['EndOtherSessionsData'];
export type SessionAnswer = components['schemas']['SessionAnswer'];
export type RenewTokenAnswer = components['schemas']['RenewTokenAnswer'];
export type RenewTokenData = components['schemas']['RenewTokenData'];
export type LoginBody = components['schemas']['LoginBody'];
export type LoggedInAnswer = components['schemas']['LoggedInAnswer'];
export type LoggedIn = components['schemas']['LoggedIn'];
export type User = components['schemas']['User'];
export type ProveSecondFactorBody = components['schemas']['ProveSecondFactorBody'];
export type PasskeyProof = components['schemas']['PasskeyProof'];
export type PasskeyAssertion = components['schemas']['PasskeyAssertion'];
export type MeAnswer = components['schemas']['MeAnswer'];
export type Me = components['schemas']['Me'];
export type Role = components['schemas']['Role'];
export type ChangePasswordBody = components['schemas']['ChangePasswordBody'];
export type UserAnswer = components['schemas']['UserAnswer'];
export type StepUpBody = components['schemas']['StepUpBody'];
export type SteppedUpAnswer = components['schemas']['SteppedUpAnswer'];
export type SteppedUp = components['schemas']['SteppedUp'];
export type PasskeyOptionsAnswer = components['schemas']['PasskeyOptionsAnswer'];
export type PasskeyOptions = components['schemas']['PasskeyOptions'];
export type FactorsAnswer = components['schemas']['FactorsAnswer'];
export type Factors = components['schemas']['Factors'];
export type Factor = components['schemas']['Factor'];
export type RenameFactorBody = components['schemas']['RenameFactorBody'];
export type FactorAnswer = components['schemas']['FactorAnswer'];
export type ReplaceRecoveryCodesAnswer = components['schemas']['ReplaceRecoveryCodesAnswer'];
export type ReplaceRecoveryCodesData = components['schemas']['ReplaceRecoveryCodesData'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type BeginTotpBody = components['schemas']['BeginTotpBody'];
export type BeginTotpAnswer = components['schemas']['BeginTotpAnswer'];
export type BeginTotpData = components['schemas']['BeginTotpData'];
export type ConfirmTotpBody = components['schemas']['ConfirmTotpBody'];
export type NewFactorAnswer = components['schemas']['NewFactorAnswer'];
export type NewFactor = components['schemas']['NewFactor'];
export type BeginPasskeyBody = components['schemas']['BeginPasskeyBody'];
export type AddPasskeyBody = components['schemas']['AddPasskeyBody'];
export type NewPasskey = components['schemas']['NewPasskey'];
export type PasskeyRegistration = components['schemas']['PasskeyRegistration'];
export type TeamAnswer = components['schemas']['TeamAnswer'];
export type Team = components['schemas']['Team'];
export type ChangeTeamBody = components['schemas']['ChangeTeamBody'];
export type StepUpError = components['schemas']['StepUpError'];
export type StepUp = components['schemas']['StepUp'];
export type FactorMethod = components['schemas']['FactorMethod'];
export type MemberPageAnswer = components['schemas']['MemberPageAnswer'];
export type MemberPage = components['schemas']['MemberPage'];
export type Member = components['schemas']['Member'];
export type AddMemberBody = components['schemas']['AddMemberBody'];
export type MemberAnswer = components['schemas']['MemberAnswer'];
export type AccessChangeAnswer = components['schemas']['AccessChangeAnswer'];
export type AccessChange = components['schemas']['AccessChange'];
export type Approval = components['schemas']['Approval'];
export type ChangeMemberBody = components['schemas']['ChangeMemberBody'];
export type RemovedMemberAnswer = components['schemas']['RemovedMemberAnswer'];
export type RemovedMember = components['schemas']['RemovedMember'];
export type IdAndName = components['schemas']['IdAndName'];
export type InvitationPageAnswer = components['schemas']['InvitationPageAnswer'];
export type InvitationPage = components['schemas']['InvitationPage'];
export type Invitation = components['schemas']['Invitation'];
export type CreateInvitationBody = components['schemas']['CreateInvitationBody'];
export type NewInvitationAnswer = components['schemas']['NewInvitationAnswer'];
export type NewInvitation = components['schemas']['NewInvitation'];
export type AcceptInvitationBody = components['schemas']['AcceptInvitationBody'];
export type JoinedAnswer = components['schemas']['JoinedAnswer'];
export type Joined = components['schemas']['Joined'];
export type LoginChallengeError = components['schemas']['LoginChallengeError'];
export type LoginChallenge = components['schemas']['LoginChallenge'];
export type AuditAction = components['schemas']['AuditAction'];
export type AuditEntryPageAnswer = components['schemas']['AuditEntryPageAnswer'];
export type AuditEntryPage = components['schemas']['AuditEntryPage'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AlertsAnswer = components['schemas']['AlertsAnswer'];
export type Alerts = components['schemas']['Alerts'];
export type FailedAlert = components['schemas']['FailedAlert'];
export type AssetAmount = components['schemas']['AssetAmount'];
export type ReplaceAlertsBody = components['schemas']['ReplaceAlertsBody'];
export type AlertKind = components['schemas']['AlertKind'];
export type GivenAssetAmount = components['schemas']['GivenAssetAmount'];
export type ChangedAlertsAnswer = components['schemas']['ChangedAlertsAnswer'];
export type ChangedAlerts = components['schemas']['ChangedAlerts'];
export type ServiceUserPageAnswer = components['schemas']['ServiceUserPageAnswer'];
export type ServiceUserPage = components['schemas']['ServiceUserPage'];
export type ServiceUser = components['schemas']['ServiceUser'];
export type ServiceRole = components['schemas']['ServiceRole'];
export type PublicKey = components['schemas']['PublicKey'];
export type ServiceUserSecret = components['schemas']['ServiceUserSecret'];
export type CreateServiceUserBody = components['schemas']['CreateServiceUserBody'];
export type GivenPublicKey = components['schemas']['GivenPublicKey'];
export type NewServiceUserAnswer = components['schemas']['NewServiceUserAnswer'];
export type NewServiceUser = components['schemas']['NewServiceUser'];
export type ServiceUserAnswer = components['schemas']['ServiceUserAnswer'];
export type ChangeServiceUserBody = components['schemas']['ChangeServiceUserBody'];
export type ChangeServiceUserAnswer = components['schemas']['ChangeServiceUserAnswer'];
export type ChangeServiceUserData = components['schemas']['ChangeServiceUserData'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type EndpointMaker = components['schemas']['EndpointMaker'];
export type RemoveServiceUserAnswer = components['schemas']['RemoveServiceUserAnswer'];
export type RemoveServiceUserData = components['schemas']['RemoveServiceUserData'];
export type NewServiceUserSecretAnswer = components['schemas']['NewServiceUserSecretAnswer'];
export type NewServiceUserSecret = components['schemas']['NewServiceUserSecret'];
export type ServiceUserSecretAnswer = components['schemas']['ServiceUserSecretAnswer'];
export type DecisionBody = components['schemas']['DecisionBody'];
export type CreateWalletBody = components['schemas']['CreateWalletBody'];
export type NewWalletAnswer = components['schemas']['NewWalletAnswer'];
export type NewWallet = components['schemas']['NewWallet'];
export type WalletPageAnswer = components['schemas']['WalletPageAnswer'];
export type WalletPage = components['schemas']['WalletPage'];
export type Wallet = components['schemas']['Wallet'];
export type WalletAnswer = components['schemas']['WalletAnswer'];
export type ChangeWalletBody = components['schemas']['ChangeWalletBody'];
export type BalancePageAnswer = components['schemas']['BalancePageAnswer'];
export type BalancePage = components['schemas']['BalancePage'];
export type Balance = components['schemas']['Balance'];
export type TransactionPageAnswer = components['schemas']['TransactionPageAnswer'];
export type TransactionPage = components['schemas']['TransactionPage'];
export type Transaction = components['schemas']['Transaction'];
export type AssetText = components['schemas']['AssetText'];
export type GetStatisticsAnswer = components['schemas']['GetStatisticsAnswer'];
export type GetStatisticsData = components['schemas']['GetStatisticsData'];
export type DayOfWallet = components['schemas']['DayOfWallet'];
export type RegeneratedApiKeyAnswer = components['schemas']['RegeneratedApiKeyAnswer'];
export type RegeneratedApiKey = components['schemas']['RegeneratedApiKey'];
export type ApiKeyAnswer = components['schemas']['ApiKeyAnswer'];
export type ApiKey = components['schemas']['ApiKey'];
export type NamedApiKeyPageAnswer = components['schemas']['NamedApiKeyPageAnswer'];
export type NamedApiKeyPage = components['schemas']['NamedApiKeyPage'];
export type NamedApiKey = components['schemas']['NamedApiKey'];
export type Scope = components['schemas']['Scope'];
export type CreateApiKeyBody = components['schemas']['CreateApiKeyBody'];
export type NewNamedApiKeyAnswer = components['schemas']['NewNamedApiKeyAnswer'];
export type NewNamedApiKey = components['schemas']['NewNamedApiKey'];
export type DeletedNamedApiKeyAnswer = components['schemas']['DeletedNamedApiKeyAnswer'];
export type DeletedNamedApiKey = components['schemas']['DeletedNamedApiKey'];
export type ChangeDepositAddressBody = components['schemas']['ChangeDepositAddressBody'];
export type Metadata = components['schemas']['Metadata'];
export type DepositAddressAnswer = components['schemas']['DepositAddressAnswer'];
export type DepositAddress = components['schemas']['DepositAddress'];
export type DepositAddressWithReceivedAnswer = components['schemas']['DepositAddressWithReceivedAnswer'];
export type DepositAddressWithReceived = components['schemas']['DepositAddressWithReceived'];
export type ReceivedAsset = components['schemas']['ReceivedAsset'];
export type CreateDepositAddressBody = components['schemas']['CreateDepositAddressBody'];
export type DepositAddressPageAnswer = components['schemas']['DepositAddressPageAnswer'];
export type DepositAddressPage = components['schemas']['DepositAddressPage'];
export type DepositPageAnswer = components['schemas']['DepositPageAnswer'];
export type DepositPage = components['schemas']['DepositPage'];
export type Deposit = components['schemas']['Deposit'];
export type DepositAnswer = components['schemas']['DepositAnswer'];
export type AdjustmentAnswer = components['schemas']['AdjustmentAnswer'];
export type Adjustment = components['schemas']['Adjustment'];
export type AssignDepositBody = components['schemas']['AssignDepositBody'];
export type DepositMinimumsAnswer = components['schemas']['DepositMinimumsAnswer'];
export type DepositMinimums = components['schemas']['DepositMinimums'];
export type ReplaceDepositMinimumsBody = components['schemas']['ReplaceDepositMinimumsBody'];
export type ExplanationAnswer = components['schemas']['ExplanationAnswer'];
export type Explanation = components['schemas']['Explanation'];
export type ReconciliationAnswer = components['schemas']['ReconciliationAnswer'];
export type Reconciliation = components['schemas']['Reconciliation'];
export type ReconciliationItem = components['schemas']['ReconciliationItem'];
export type PolicyAnswer = components['schemas']['PolicyAnswer'];
export type Policy = components['schemas']['Policy'];
export type AssetLimits = components['schemas']['AssetLimits'];
export type ApprovalRule = components['schemas']['ApprovalRule'];
export type PendingPolicyChange = components['schemas']['PendingPolicyChange'];
export type PolicyBody = components['schemas']['PolicyBody'];
export type GivenApprovalRule = components['schemas']['GivenApprovalRule'];
export type GivenAssetLimits = components['schemas']['GivenAssetLimits'];
export type PendingPolicyChangeAnswer = components['schemas']['PendingPolicyChangeAnswer'];
export type WithdrawBody = components['schemas']['WithdrawBody'];
export type WithdrawalPreviewAnswer = components['schemas']['WithdrawalPreviewAnswer'];
export type WithdrawalPreview = components['schemas']['WithdrawalPreview'];
export type ContractFee = components['schemas']['ContractFee'];
export type Problem = components['schemas']['Problem'];
export type WithdrawalAnswer = components['schemas']['WithdrawalAnswer'];
export type Withdrawal = components['schemas']['Withdrawal'];
export type Failure = components['schemas']['Failure'];
export type RefundDepositError = components['schemas']['RefundDepositError'];
export type WalletAssetListAnswer = components['schemas']['WalletAssetListAnswer'];
export type WalletAssetList = components['schemas']['WalletAssetList'];
export type WalletAsset = components['schemas']['WalletAsset'];
export type AddAssetBody = components['schemas']['AddAssetBody'];
export type WalletAssetAnswer = components['schemas']['WalletAssetAnswer'];
export type WalletAssetError = components['schemas']['WalletAssetError'];
export type IssuedAssetText = components['schemas']['IssuedAssetText'];
export type AwaitingApprovalPageAnswer = components['schemas']['AwaitingApprovalPageAnswer'];
export type AwaitingApprovalPage = components['schemas']['AwaitingApprovalPage'];
export type AwaitingApproval = components['schemas']['AwaitingApproval'];
export type Payout = components['schemas']['Payout'];
export type PayoutReason = components['schemas']['PayoutReason'];
export type PayoutCounts = components['schemas']['PayoutCounts'];
export type PayoutTotal = components['schemas']['PayoutTotal'];
export type CreatePayoutBody = components['schemas']['CreatePayoutBody'];
export type PayoutRowBody = components['schemas']['PayoutRowBody'];
export type PayoutReportAnswer = components['schemas']['PayoutReportAnswer'];
export type PayoutReport = components['schemas']['PayoutReport'];
export type PayoutReportTotal = components['schemas']['PayoutReportTotal'];
export type PayoutProblem = components['schemas']['PayoutProblem'];
export type PayoutSampleRow = components['schemas']['PayoutSampleRow'];
export type PayoutAnswer = components['schemas']['PayoutAnswer'];
export type PayoutPageAnswer = components['schemas']['PayoutPageAnswer'];
export type PayoutPage = components['schemas']['PayoutPage'];
export type PayoutRowPageAnswer = components['schemas']['PayoutRowPageAnswer'];
export type PayoutRowPage = components['schemas']['PayoutRowPage'];
export type PayoutRow = components['schemas']['PayoutRow'];
export type WithdrawalError = components['schemas']['WithdrawalError'];
export type WithdrawalPageAnswer = components['schemas']['WithdrawalPageAnswer'];
export type WithdrawalPage = components['schemas']['WithdrawalPage'];
export type RegisterWebhookBody = components['schemas']['RegisterWebhookBody'];
export type NewWebhookEndpointAnswer = components['schemas']['NewWebhookEndpointAnswer'];
export type NewWebhookEndpoint = components['schemas']['NewWebhookEndpoint'];
export type WebhookEndpointPageAnswer = components['schemas']['WebhookEndpointPageAnswer'];
export type WebhookEndpointPage = components['schemas']['WebhookEndpointPage'];
export type WebhookEndpointAnswer = components['schemas']['WebhookEndpointAnswer'];
export type UpdateWebhookBody = components['schemas']['UpdateWebhookBody'];
export type LoggedWebhookDeliveryPageAnswer = components['schemas']['LoggedWebhookDeliveryPageAnswer'];
export type LoggedWebhookDeliveryPage = components['schemas']['LoggedWebhookDeliveryPage'];
export type LoggedWebhookDelivery = components['schemas']['LoggedWebhookDelivery'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookDeliveryWithBodyAnswer = components['schemas']['WebhookDeliveryWithBodyAnswer'];
export type WebhookDeliveryWithBody = components['schemas']['WebhookDeliveryWithBody'];
export type WebhookEventBody = components['schemas']['WebhookEventBody'];
export type TestWebhookBody = components['schemas']['TestWebhookBody'];
export type WebhookDeliveryAnswer = components['schemas']['WebhookDeliveryAnswer'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type ReplayWebhookBody = components['schemas']['ReplayWebhookBody'];
export type ReplayWebhookAnswer = components['schemas']['ReplayWebhookAnswer'];
export type ReplayWebhookData = components['schemas']['ReplayWebhookData'];
export type ListEventsAnswer = components['schemas']['ListEventsAnswer'];
export type ListEventsData = components['schemas']['ListEventsData'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type WebhookExamAnswer = components['schemas']['WebhookExamAnswer'];
export type WebhookExam = components['schemas']['WebhookExam'];
export type WebhookExamCase = components['schemas']['WebhookExamCase'];
export type WebhookExamAttempt = components['schemas']['WebhookExamAttempt'];
export type DepositDeliveryPageAnswer = components['schemas']['DepositDeliveryPageAnswer'];
export type DepositDeliveryPage = components['schemas']['DepositDeliveryPage'];
export type DepositDelivery = components['schemas']['DepositDelivery'];
export type WalletHealthAnswer = components['schemas']['WalletHealthAnswer'];
export type WalletHealth = components['schemas']['WalletHealth'];
export type GetServiceTokenBody = components['schemas']['GetServiceTokenBody'];
export type GetServiceTokenForm = components['schemas']['GetServiceTokenForm'];
export type GetServiceTokenAnswer = components['schemas']['GetServiceTokenAnswer'];
export type GetServiceTokenData = components['schemas']['GetServiceTokenData'];
export type OAuthError = components['schemas']['OAuthError'];
export type PayoutError = components['schemas']['PayoutError'];
export type DepositError = components['schemas']['DepositError'];
export type PayoutReportError = components['schemas']['PayoutReportError'];
export interface operations {
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyAnswer"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessAnswer"];
                };
            };
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAnswer"];
                };
            };
        };
    };
    payOnSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayOnSandboxBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayOnSandboxAnswer"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPageAnswer"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndOtherSessionsAnswer"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionAnswer"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionAnswer"];
                };
            };
        };
    };
    renewToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewTokenAnswer"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent by the dashboard: the token comes as a cookie that no script can read */
                "teller-browser"?: "active" | "idle";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedInAnswer"];
                };
            };
        };
    };
    proveSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent by the dashboard: the token comes as a cookie that no script can read */
                "teller-browser"?: "active" | "idle";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProveSecondFactorBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedInAnswer"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyAnswer"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeAnswer"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
        };
    };
    stepUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StepUpBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SteppedUpAnswer"];
                };
            };
        };
    };
    beginPasskeyStepUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptionsAnswer"];
                };
            };
        };
    };
    getFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorsAnswer"];
                };
            };
        };
    };
    removeFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the factor */
                factor_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyAnswer"];
                };
            };
        };
    };
    renameFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the factor */
                factor_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameFactorBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorAnswer"];
                };
            };
        };
    };
    replaceRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplaceRecoveryCodesAnswer"];
                };
            };
        };
    };
    beginTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginTotpBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeginTotpAnswer"];
                };
            };
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the factor */
                factor_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmTotpBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewFactorAnswer"];
                };
            };
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BeginPasskeyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptionsAnswer"];
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPasskeyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewFactorAnswer"];
                };
            };
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamAnswer"];
                };
            };
        };
    };
    changeTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeTeamBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamAnswer"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberPageAnswer"];
                };
            };
        };
    };
    addMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddMemberBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberAnswer"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChangeAnswer"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedMemberAnswer"];
                };
            };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeMemberBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberAnswer"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChangeAnswer"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPageAnswer"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitationAnswer"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChangeAnswer"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the invitation */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyAnswer"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent by the dashboard: the token comes as a cookie that no script can read */
                "teller-browser"?: "active" | "idle";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinedAnswer"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Only entries of this action */
                action?: components["schemas"]["AuditAction"];
                /** @description The id of the actor */
                actor_id?: string;
                /** @description The id of the target */
                target_id?: string;
                /** @description The id of the wallet */
                wallet_id?: string;
                /** @description Entries from this time on */
                since?: string;
                /** @description Entries before this time */
                until?: string;
                /** @description `csv`: every entry as comma-separated values, without pages */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPageAnswer"];
                    "text/csv": string;
                };
            };
        };
    };
    getAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertsAnswer"];
                };
            };
        };
    };
    replaceAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplaceAlertsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedAlertsAnswer"];
                };
            };
        };
    };
    rotateAlertSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedAlertsAnswer"];
                };
            };
        };
    };
    listServiceUsers: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUserPageAnswer"];
                };
            };
        };
    };
    createServiceUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateServiceUserBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewServiceUserAnswer"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChangeAnswer"];
                };
            };
        };
    };
    getServiceUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the service user */
                service_user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUserAnswer"];
                };
            };
        };
    };
    removeServiceUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the service user */
                service_user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveServiceUserAnswer"];
                };
            };
        };
    };
    changeServiceUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the service user */
                service_user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeServiceUserBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeServiceUserAnswer"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChangeAnswer"];
                };
            };
        };
    };
    addServiceUserSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the service user */
                service_user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewServiceUserSecretAnswer"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChangeAnswer"];
                };
            };
        };
    };
    retireServiceUserSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the service user */
                service_user_id: string;
                /** @description The id of the secret */
                secret_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUserSecretAnswer"];
                };
            };
        };
    };
    getAccessChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the access change */
                access_change_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChangeAnswer"];
                };
            };
        };
    };
    approveAccessChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the access change */
                access_change_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChangeAnswer"];
                };
            };
        };
    };
    rejectAccessChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the access change */
                access_change_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChangeAnswer"];
                };
            };
        };
    };
    listWallets: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletPageAnswer"];
                };
            };
        };
    };
    createWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWalletBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWalletAnswer"];
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAnswer"];
                };
            };
        };
    };
    changeWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeWalletBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAnswer"];
                };
            };
        };
    };
    listBalances: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalancePageAnswer"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Only transactions of this type */
                type?: "deposit" | "withdrawal" | "adjustment";
                /** @description Only those with this status */
                status?: "awaiting_approval" | "pending" | "confirmed" | "failed";
                /** @description Selects deposits that belong to an address, or that do not */
                attributed?: "true" | "false";
                /** @description Created at this time or later */
                since?: string;
                /** @description Created before this time */
                until?: string;
                /** @description Beginning of a transaction hash (inner or outer), an address, an account, a memo or an id; or part of the label or metadata of the deposit address */
                search?: string;
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionPageAnswer"];
                };
            };
        };
    };
    getStatistics: {
        parameters: {
            query?: {
                /** @description How many days, up to today */
                days?: number | string;
                /** @description `native` or `CODE:ISSUER` */
                asset?: components["schemas"]["AssetText"];
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStatisticsAnswer"];
                };
            };
        };
    };
    regenerateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegeneratedApiKeyAnswer"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChangeAnswer"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyAnswer"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamedApiKeyPageAnswer"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewNamedApiKeyAnswer"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChangeAnswer"];
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the key */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedNamedApiKeyAnswer"];
                };
            };
        };
    };
    getDepositAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the address */
                address_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositAddressWithReceivedAnswer"];
                };
            };
        };
    };
    changeDepositAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the address */
                address_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeDepositAddressBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositAddressAnswer"];
                };
            };
        };
    };
    listDepositAddresses: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Beginning of an id, an M… address or a memo id; or part of the label or metadata */
                search?: string;
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositAddressPageAnswer"];
                };
            };
        };
    };
    createDepositAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateDepositAddressBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositAddressAnswer"];
                };
            };
        };
    };
    listDeposits: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Only deposits with a deposit address, or only those without one */
                attributed?: "true" | "false";
                /** @description The id of the address */
                address_id?: string;
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositPageAnswer"];
                };
            };
        };
    };
    getDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the deposit */
                deposit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositAnswer"];
                };
            };
        };
    };
    getAdjustment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the adjustment */
                adjustment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdjustmentAnswer"];
                };
            };
        };
    };
    assignDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the deposit */
                deposit_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssignDepositBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositAnswer"];
                };
            };
        };
    };
    getDepositMinimums: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositMinimumsAnswer"];
                };
            };
        };
    };
    replaceDepositMinimums: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceDepositMinimumsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositMinimumsAnswer"];
                };
            };
        };
    };
    explainTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The hash of the transaction, in hex */
                tx_hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplanationAnswer"];
                };
            };
        };
    };
    getReconciliation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconciliationAnswer"];
                };
            };
        };
    };
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyAnswer"];
                };
            };
        };
    };
    replacePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PolicyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyAnswer"];
                };
            };
        };
    };
    changePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PolicyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyAnswer"];
                };
            };
        };
    };
    revokePolicyChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the change */
                change_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingPolicyChangeAnswer"];
                };
            };
        };
    };
    approvePolicyChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the change */
                change_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingPolicyChangeAnswer"];
                };
            };
        };
    };
    rejectPolicyChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the change */
                change_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingPolicyChangeAnswer"];
                };
            };
        };
    };
    previewWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalPreviewAnswer"];
                };
            };
        };
    };
    refundDeposit: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer 202 once the withdrawal is accepted, with `Location`. With `wait=N` too: answer 201 if it has its outcome within N seconds. RFC 7240 */
                prefer?: string;
            };
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the deposit */
                deposit_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
        };
    };
    listAssets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAssetListAnswer"];
                };
            };
        };
    };
    addAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddAssetBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAssetAnswer"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAssetAnswer"];
                };
            };
        };
    };
    getAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description `native` or `CODE:ISSUER` */
                asset: components["schemas"]["IssuedAssetText"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAssetAnswer"];
                };
            };
        };
    };
    removeAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description `native` or `CODE:ISSUER` */
                asset: components["schemas"]["IssuedAssetText"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAssetAnswer"];
                };
            };
        };
    };
    approveWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the withdrawal */
                withdrawal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
        };
    };
    rejectWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the withdrawal */
                withdrawal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
        };
    };
    previewApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the withdrawal */
                withdrawal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalPreviewAnswer"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AwaitingApprovalPageAnswer"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutPageAnswer"];
                };
            };
        };
    };
    createPayout: {
        parameters: {
            query?: {
                /** @description `true`: only the report, and nothing is kept */
                preview?: "true" | "false";
                /** @description Of a CSV, as in a JSON body */
                name?: string;
                /** @description Of a CSV, as in a JSON body */
                expected_count?: string;
                /** @description Of a CSV, as in a JSON body */
                expected_total_stroops?: string;
                /** @description Of a CSV, as in a JSON body */
                confirm_duplicates?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreatePayoutBody"];
                "text/csv": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutReportAnswer"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAnswer"];
                };
            };
        };
    };
    startPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the payout */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAnswer"];
                };
            };
        };
    };
    pausePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the payout */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAnswer"];
                };
            };
        };
    };
    resumePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the payout */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAnswer"];
                };
            };
        };
    };
    cancelPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the payout */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAnswer"];
                };
            };
        };
    };
    retryPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the payout */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAnswer"];
                };
            };
        };
    };
    approvePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the payout */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAnswer"];
                };
            };
        };
    };
    rejectPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the payout */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAnswer"];
                };
            };
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the payout */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAnswer"];
                };
            };
        };
    };
    listPayoutRows: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description `next_cursor` of the page before */
                cursor?: string;
                /** @description Only those with this status */
                status?: "waiting" | "pending" | "confirmed" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the payout */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRowPageAnswer"];
                    "text/csv": string;
                };
            };
        };
    };
    createWithdrawal: {
        parameters: {
            query?: never;
            header: {
                /** @description `respond-async`: answer 202 once the withdrawal is accepted, with `Location`. With `wait=N` too: answer 201 if it has its outcome within N seconds. RFC 7240 */
                prefer?: string;
                /** @description Unique per withdrawal, for ever. Keep it until a withdrawal has it */
                "idempotency-key": string;
            };
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
        };
    };
    listWithdrawals: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Only the withdrawal that has this key */
                idempotency_key?: string;
                /** @description Only those with this status */
                status?: "awaiting_approval";
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalPageAnswer"];
                };
            };
        };
    };
    getWithdrawal: {
        parameters: {
            query?: {
                /** @description While it has no outcome, wait so long for it (1 to 60) */
                wait_seconds?: number | string;
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the withdrawal */
                withdrawal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointPageAnswer"];
                };
            };
        };
    };
    registerWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterWebhookBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookEndpointAnswer"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointAnswer"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointAnswer"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointAnswer"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookEndpointAnswer"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The most items of the page */
                limit?: number | string;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Only those with this status */
                status?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedWebhookDeliveryPageAnswer"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
                /** @description The id of the delivery */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithBodyAnswer"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookBody"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryAnswer"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
                /** @description The id of the delivery */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryAnswer"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookBody"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayWebhookAnswer"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The last number that you have. 0 (the default) starts with the first event, `latest` with the next new one. */
                after?: string;
                /** @description The most items of the page */
                limit?: number | string;
                /** @description Only events for this endpoint, by its `webhook-sequence`, with `headers` signed for it. */
                webhook_id?: string;
                /** @description When there is no event, wait so long for the next one */
                wait_seconds?: number | string;
            };
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventsAnswer"];
                };
            };
        };
    };
    examineWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookExamAnswer"];
                };
            };
        };
    };
    listDepositDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
                /** @description The id of the deposit */
                deposit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositDeliveryPageAnswer"];
                };
            };
        };
    };
    getWalletHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the wallet */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletHealthAnswer"];
                };
            };
        };
    };
    getServiceToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetServiceTokenBody"];
                "application/x-www-form-urlencoded": components["schemas"]["GetServiceTokenForm"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetServiceTokenAnswer"];
                };
            };
        };
    };
}

/** Method and path of each operation. */
export const OPERATIONS = {
    healthz: ["GET", "/healthz"],
    readyz: ["GET", "/readyz"],
    getService: ["GET", "/v1/service"],
    payOnSandbox: ["POST", "/v1/sandbox/pay"],
    listSessions: ["GET", "/v1/auth/sessions"],
    endOtherSessions: ["DELETE", "/v1/auth/sessions"],
    getSession: ["GET", "/v1/auth/sessions/{session_id}"],
    endSession: ["DELETE", "/v1/auth/sessions/{session_id}"],
    renewToken: ["POST", "/v1/auth/token/renew"],
    login: ["POST", "/v1/auth/login"],
    proveSecondFactor: ["POST", "/v1/auth/second-factor"],
    logout: ["POST", "/v1/auth/logout"],
    getMe: ["GET", "/v1/auth/me"],
    changePassword: ["POST", "/v1/auth/password"],
    stepUp: ["POST", "/v1/auth/step-up"],
    beginPasskeyStepUp: ["POST", "/v1/auth/step-up/passkey"],
    getFactors: ["GET", "/v1/auth/factors"],
    renameFactor: ["PATCH", "/v1/auth/factors/{factor_id}"],
    removeFactor: ["DELETE", "/v1/auth/factors/{factor_id}"],
    replaceRecoveryCodes: ["POST", "/v1/auth/factors/recovery-codes"],
    beginTotp: ["POST", "/v1/auth/factors/totp"],
    confirmTotp: ["POST", "/v1/auth/factors/totp/{factor_id}/confirm"],
    beginPasskey: ["POST", "/v1/auth/factors/passkeys/options"],
    addPasskey: ["POST", "/v1/auth/factors/passkeys"],
    getTeam: ["GET", "/v1/team"],
    changeTeam: ["PATCH", "/v1/team"],
    listMembers: ["GET", "/v1/team/members"],
    addMember: ["POST", "/v1/team/members"],
    changeMember: ["PATCH", "/v1/team/members/{user_id}"],
    removeMember: ["DELETE", "/v1/team/members/{user_id}"],
    listInvitations: ["GET", "/v1/team/invitations"],
    createInvitation: ["POST", "/v1/team/invitations"],
    revokeInvitation: ["DELETE", "/v1/team/invitations/{invitation_id}"],
    acceptInvitation: ["POST", "/v1/auth/invitations/accept"],
    listAuditEntries: ["GET", "/v1/audit"],
    getAlerts: ["GET", "/v1/team/alerts"],
    replaceAlerts: ["PUT", "/v1/team/alerts"],
    rotateAlertSecret: ["POST", "/v1/team/alerts/rotate-secret"],
    listServiceUsers: ["GET", "/v1/team/service-users"],
    createServiceUser: ["POST", "/v1/team/service-users"],
    getServiceUser: ["GET", "/v1/team/service-users/{service_user_id}"],
    changeServiceUser: ["PATCH", "/v1/team/service-users/{service_user_id}"],
    removeServiceUser: ["DELETE", "/v1/team/service-users/{service_user_id}"],
    addServiceUserSecret: ["POST", "/v1/team/service-users/{service_user_id}/secrets"],
    retireServiceUserSecret: ["DELETE", "/v1/team/service-users/{service_user_id}/secrets/{secret_id}"],
    getAccessChange: ["GET", "/v1/team/access-changes/{access_change_id}"],
    approveAccessChange: ["POST", "/v1/team/access-changes/{access_change_id}/approve"],
    rejectAccessChange: ["POST", "/v1/team/access-changes/{access_change_id}/reject"],
    createWallet: ["POST", "/v1/wallets"],
    listWallets: ["GET", "/v1/wallets"],
    getWallet: ["GET", "/v1/wallets/{id}"],
    changeWallet: ["PATCH", "/v1/wallets/{id}"],
    listBalances: ["GET", "/v1/wallets/{id}/balances"],
    listTransactions: ["GET", "/v1/wallets/{id}/transactions"],
    getStatistics: ["GET", "/v1/wallets/{id}/statistics"],
    regenerateApiKey: ["POST", "/v1/wallets/{id}/api-key/regenerate"],
    getApiKey: ["GET", "/v1/wallets/{id}/api-key"],
    listApiKeys: ["GET", "/v1/wallets/{id}/api-keys"],
    createApiKey: ["POST", "/v1/wallets/{id}/api-keys"],
    deleteApiKey: ["DELETE", "/v1/wallets/{id}/api-keys/{key_id}"],
    changeDepositAddress: ["PATCH", "/v1/wallets/{id}/addresses/{address_id}"],
    getDepositAddress: ["GET", "/v1/wallets/{id}/addresses/{address_id}"],
    createDepositAddress: ["POST", "/v1/wallets/{id}/addresses"],
    listDepositAddresses: ["GET", "/v1/wallets/{id}/addresses"],
    listDeposits: ["GET", "/v1/wallets/{id}/deposits"],
    getDeposit: ["GET", "/v1/wallets/{id}/deposits/{deposit_id}"],
    getAdjustment: ["GET", "/v1/wallets/{id}/adjustments/{adjustment_id}"],
    assignDeposit: ["POST", "/v1/wallets/{id}/deposits/{deposit_id}/assign"],
    getDepositMinimums: ["GET", "/v1/wallets/{id}/deposit-minimums"],
    replaceDepositMinimums: ["PUT", "/v1/wallets/{id}/deposit-minimums"],
    explainTransaction: ["GET", "/v1/wallets/{id}/explain/{tx_hash}"],
    getReconciliation: ["GET", "/v1/wallets/{id}/reconciliation"],
    getPolicy: ["GET", "/v1/wallets/{id}/policy"],
    replacePolicy: ["PUT", "/v1/wallets/{id}/policy"],
    changePolicy: ["PATCH", "/v1/wallets/{id}/policy"],
    revokePolicyChange: ["DELETE", "/v1/wallets/{id}/policy/pending/{change_id}"],
    approvePolicyChange: ["POST", "/v1/wallets/{id}/policy/pending/{change_id}/approve"],
    rejectPolicyChange: ["POST", "/v1/wallets/{id}/policy/pending/{change_id}/reject"],
    previewWithdrawal: ["POST", "/v1/wallets/{id}/withdraw/preview"],
    refundDeposit: ["POST", "/v1/wallets/{id}/deposits/{deposit_id}/refund"],
    listAssets: ["GET", "/v1/wallets/{id}/assets"],
    addAsset: ["POST", "/v1/wallets/{id}/assets"],
    getAsset: ["GET", "/v1/wallets/{id}/assets/{asset}"],
    removeAsset: ["DELETE", "/v1/wallets/{id}/assets/{asset}"],
    approveWithdrawal: ["POST", "/v1/wallets/{id}/withdrawals/{withdrawal_id}/approve"],
    rejectWithdrawal: ["POST", "/v1/wallets/{id}/withdrawals/{withdrawal_id}/reject"],
    previewApproval: ["GET", "/v1/wallets/{id}/withdrawals/{withdrawal_id}/preview"],
    listApprovals: ["GET", "/v1/approvals"],
    createPayout: ["POST", "/v1/wallets/{id}/payouts"],
    listPayouts: ["GET", "/v1/wallets/{id}/payouts"],
    startPayout: ["POST", "/v1/wallets/{id}/payouts/{payout_id}/start"],
    pausePayout: ["POST", "/v1/wallets/{id}/payouts/{payout_id}/pause"],
    resumePayout: ["POST", "/v1/wallets/{id}/payouts/{payout_id}/resume"],
    cancelPayout: ["POST", "/v1/wallets/{id}/payouts/{payout_id}/cancel"],
    retryPayout: ["POST", "/v1/wallets/{id}/payouts/{payout_id}/retry-failed"],
    approvePayout: ["POST", "/v1/wallets/{id}/payouts/{payout_id}/approve"],
    rejectPayout: ["POST", "/v1/wallets/{id}/payouts/{payout_id}/reject"],
    getPayout: ["GET", "/v1/wallets/{id}/payouts/{payout_id}"],
    listPayoutRows: ["GET", "/v1/wallets/{id}/payouts/{payout_id}/rows"],
    createWithdrawal: ["POST", "/v1/wallets/{id}/withdraw"],
    listWithdrawals: ["GET", "/v1/wallets/{id}/withdrawals"],
    getWithdrawal: ["GET", "/v1/wallets/{id}/withdrawals/{withdrawal_id}"],
    registerWebhook: ["POST", "/v1/wallets/{id}/webhooks"],
    listWebhooks: ["GET", "/v1/wallets/{id}/webhooks"],
    getWebhook: ["GET", "/v1/wallets/{id}/webhooks/{webhook_id}"],
    updateWebhook: ["PATCH", "/v1/wallets/{id}/webhooks/{webhook_id}"],
    deleteWebhook: ["DELETE", "/v1/wallets/{id}/webhooks/{webhook_id}"],
    rotateWebhookSecret: ["POST", "/v1/wallets/{id}/webhooks/{webhook_id}/rotate-secret"],
    listWebhookDeliveries: ["GET", "/v1/wallets/{id}/webhooks/{webhook_id}/deliveries"],
    getWebhookDelivery: ["GET", "/v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}"],
    testWebhook: ["POST", "/v1/wallets/{id}/webhooks/{webhook_id}/test"],
    redeliverWebhook: ["POST", "/v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver"],
    replayWebhook: ["POST", "/v1/wallets/{id}/webhooks/{webhook_id}/replay"],
    listEvents: ["GET", "/v1/wallets/{id}/events"],
    examineWebhook: ["POST", "/v1/wallets/{id}/webhooks/{webhook_id}/exam"],
    listDepositDeliveries: ["GET", "/v1/wallets/{id}/deposits/{deposit_id}/deliveries"],
    getWalletHealth: ["GET", "/v1/wallets/{id}/health"],
    getServiceToken: ["POST", "/v1/auth/token"],
} as const satisfies Record<keyof operations, readonly [method: string, path: string]>;
/** Roles that may call each operation, of those that need a login. */
export const ROLES_OF = {
    payOnSandbox: ["owner","admin","operator","developer"],
    listSessions: ["owner","admin","operator","approver","developer","auditor","viewer"],
    endOtherSessions: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getSession: ["owner","admin","operator","approver","developer","auditor","viewer"],
    endSession: ["owner","admin","operator","approver","developer","auditor","viewer"],
    renewToken: ["owner","admin","operator","approver","developer","auditor","viewer"],
    logout: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getMe: ["owner","admin","operator","approver","developer","auditor","viewer"],
    changePassword: ["owner","admin","operator","approver","developer","auditor","viewer"],
    stepUp: ["owner","admin","operator","approver","developer","auditor","viewer"],
    beginPasskeyStepUp: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getFactors: ["owner","admin","operator","approver","developer","auditor","viewer"],
    renameFactor: ["owner","admin","operator","approver","developer","auditor","viewer"],
    removeFactor: ["owner","admin","operator","approver","developer","auditor","viewer"],
    replaceRecoveryCodes: ["owner","admin","operator","approver","developer","auditor","viewer"],
    beginTotp: ["owner","admin","operator","approver","developer","auditor","viewer"],
    confirmTotp: ["owner","admin","operator","approver","developer","auditor","viewer"],
    beginPasskey: ["owner","admin","operator","approver","developer","auditor","viewer"],
    addPasskey: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getTeam: ["owner","admin","operator","approver","developer","auditor","viewer"],
    changeTeam: ["owner","admin"],
    listMembers: ["owner","admin","operator","approver","developer","auditor","viewer"],
    addMember: ["owner","admin"],
    changeMember: ["owner","admin"],
    removeMember: ["owner","admin","operator","approver","developer","auditor","viewer"],
    listInvitations: ["owner","admin"],
    createInvitation: ["owner","admin"],
    revokeInvitation: ["owner","admin"],
    listAuditEntries: ["owner","admin","auditor"],
    getAlerts: ["owner","admin","auditor"],
    replaceAlerts: ["owner","admin"],
    rotateAlertSecret: ["owner","admin"],
    listServiceUsers: ["owner","admin"],
    createServiceUser: ["owner","admin"],
    getServiceUser: ["owner","admin"],
    changeServiceUser: ["owner","admin"],
    removeServiceUser: ["owner","admin"],
    addServiceUserSecret: ["owner","admin"],
    retireServiceUserSecret: ["owner","admin"],
    getAccessChange: ["owner","admin","operator","approver","developer","auditor","viewer"],
    approveAccessChange: ["owner","admin","approver"],
    rejectAccessChange: ["owner","admin","approver","developer"],
    createWallet: ["owner","admin"],
    listWallets: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getWallet: ["owner","admin","operator","approver","developer","auditor","viewer"],
    changeWallet: ["owner","admin"],
    listBalances: ["owner","admin","operator","approver","developer","auditor","viewer"],
    listTransactions: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getStatistics: ["owner","admin","operator","approver","developer","auditor","viewer"],
    regenerateApiKey: ["owner","admin","developer"],
    getApiKey: ["owner","admin","operator","approver","developer","auditor","viewer"],
    listApiKeys: ["owner","admin","operator","approver","developer","auditor","viewer"],
    createApiKey: ["owner","admin","developer"],
    deleteApiKey: ["owner","admin","developer"],
    changeDepositAddress: ["owner","admin","operator","developer"],
    getDepositAddress: ["owner","admin","operator","approver","developer","auditor","viewer"],
    createDepositAddress: ["owner","admin","operator","developer"],
    listDepositAddresses: ["owner","admin","operator","approver","developer","auditor","viewer"],
    listDeposits: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getDeposit: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getAdjustment: ["owner","admin","operator","approver","developer","auditor","viewer"],
    assignDeposit: ["owner","admin","operator"],
    getDepositMinimums: ["owner","admin","operator","approver","developer","auditor","viewer"],
    replaceDepositMinimums: ["owner","admin"],
    explainTransaction: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getReconciliation: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getPolicy: ["owner","admin","operator","approver","developer","auditor","viewer"],
    replacePolicy: ["owner","admin"],
    changePolicy: ["owner","admin"],
    revokePolicyChange: ["owner","admin"],
    approvePolicyChange: ["owner","admin","approver"],
    rejectPolicyChange: ["owner","admin","approver"],
    previewWithdrawal: ["owner","admin","operator","approver"],
    refundDeposit: ["owner","admin","operator"],
    listAssets: ["owner","admin","operator","approver","developer","auditor","viewer"],
    addAsset: ["owner","admin"],
    getAsset: ["owner","admin","operator","approver","developer","auditor","viewer"],
    removeAsset: ["owner","admin"],
    approveWithdrawal: ["owner","admin","approver"],
    rejectWithdrawal: ["owner","admin","operator","approver"],
    previewApproval: ["owner","admin","operator","approver"],
    listApprovals: ["owner","admin","operator","approver","developer","auditor","viewer"],
    createPayout: ["owner","admin","operator"],
    listPayouts: ["owner","admin","operator","approver","developer","auditor","viewer"],
    startPayout: ["owner","admin","operator"],
    pausePayout: ["owner","admin","operator"],
    resumePayout: ["owner","admin","operator"],
    cancelPayout: ["owner","admin","operator"],
    retryPayout: ["owner","admin","operator"],
    approvePayout: ["owner","admin","approver"],
    rejectPayout: ["owner","admin","operator","approver"],
    getPayout: ["owner","admin","operator","approver","developer","auditor","viewer"],
    listPayoutRows: ["owner","admin","operator","approver","developer","auditor","viewer"],
    createWithdrawal: ["owner","admin","operator"],
    listWithdrawals: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getWithdrawal: ["owner","admin","operator","approver","developer","auditor","viewer"],
    registerWebhook: ["owner","admin","developer"],
    listWebhooks: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getWebhook: ["owner","admin","operator","approver","developer","auditor","viewer"],
    updateWebhook: ["owner","admin","developer"],
    deleteWebhook: ["owner","admin","developer"],
    rotateWebhookSecret: ["owner","admin","developer"],
    listWebhookDeliveries: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getWebhookDelivery: ["owner","admin","operator","approver","developer","auditor","viewer"],
    testWebhook: ["owner","admin","developer"],
    redeliverWebhook: ["owner","admin","developer"],
    replayWebhook: ["owner","admin","developer"],
    listEvents: ["owner","admin","operator","approver","developer","auditor","viewer"],
    examineWebhook: ["owner","admin","developer"],
    listDepositDeliveries: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getWalletHealth: ["owner","admin","operator","approver","developer","auditor","viewer"],
} as const satisfies Partial<Record<keyof operations, readonly Role[]>>;
