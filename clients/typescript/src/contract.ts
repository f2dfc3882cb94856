// Written by scripts/client.ts from docs/openapi.json.
export interface components {
    schemas: {
        AcceptInvitationBody: {
            /** @description The text after `#` in the link of the invitation */
            token: string;
            /** @description The password */
            password: string;
            /** @description What the team calls the new user */
            name?: string | null;
            /** @description Ties the proof to this login */
            challenge?: string | null;
            /** @description The six digits that an authenticator app shows */
            totp?: string | null;
            /** @description The proof by a passkey, as the browser gives it */
            passkey?: components["schemas"]["PasskeyProof"] | null;
            /** @description One of the recovery codes; each works once */
            recovery_code?: string | null;
        };
        /** @description A change of who has access or of whom the team pays, which other members must approve first. */
        AccessChange: {
            /** @description The id of it */
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
            operation: "addMember" | "changeMember" | "createInvitation" | "createServiceUser" | "changeServiceUser" | "addServiceUserSecret" | "createApiKey" | "regenerateApiKey" | "createPayee" | "changePayee";
            /** @description Of an API key; null for members, service users and payees */
            wallet_id: string | null;
            /** @description The member, service user or payee that is changed; null for what is made */
            target_id: string | null;
            /** @description What it does, without secrets. `before`: what is there now */
            change: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was made
             */
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
        AccessChangeAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["AccessChange"];
        };
        AddAssetBody: {
            asset_code: components["schemas"]["AssetCode"];
            asset_issuer: components["schemas"]["AssetIssuer"];
        };
        AddMemberBody: {
            /** @description The e-mail address */
            email: string;
            /** @description What the team calls the member */
            name: string;
            /** @description The password */
            password: string;
            role: components["schemas"]["Role"];
            /** @description Absent: every wallet of the team */
            wallet_ids?: string[] | null;
        };
        AddPasskeyBody: {
            /** @description What people call it */
            name: string;
            passkey: components["schemas"]["NewPasskey"];
        };
        /** @description What others did to a wallet without paying it */
        Adjustment: {
            /** @description The id of it */
            id: string;
            /** @description The id of the wallet */
            wallet_id: string;
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null or absent for the native asset */
            asset_issuer: string | null;
            /**
             * @description What happened to the wallet
             * @enum {string}
             */
            reason: "clawback" | "contract_transfer" | "contract_burn" | "authorized" | "maintain_liabilities" | "authorization_revoked";
            /**
             * Format: exact-integer
             * @description What was taken; 0 when only the authorization of the trust line has changed. From 0 to 9223372036854775807.
             */
            amount_stroops: bigint;
            /** @description The account (G…) or contract (C…) that did it */
            caused_by: string;
            /** @description The hash of the transaction, in hex; null while there is none */
            stellar_tx_hash: string;
            /** @description Counts the operations of the transaction, from 0 on */
            operation_index: number;
            /** @description The index of the contract’s event in its operation, else 0 */
            event_index: number;
            /** @description The ledger that has the transaction; null while none has it */
            ledger: number;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
        };
        AdjustmentAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Adjustment"];
        };
        /**
         * @description `new_device`: A user signed in at a device that was not known. `password_changed`: A password was changed or reset. `second_factor_changed`: A second factor was added, removed or stopped, or the team’s need of one changed. `recovery_codes_replaced`: A user replaced their recovery codes. `member_changed`: A member or service user came, left, got other rights, or was disabled or enabled. `invitation_created`: An invitation was made. `api_key_made`: An API key, or a secret of a service user, was made or replaced; also with a new wallet. `endpoint_changed`: A webhook endpoint was registered or enabled again, or got another URL. `signing_secret_rotated`: The signing secret of an endpoint was replaced. `policy_loosened`: A policy was loosened, or a looser one was announced. `large_payment`: A withdrawal was requested, or a payout started, above the amount that the team has set. `wallet_frozen`: The operator froze a wallet, or ended the freeze. `alerts_changed`: The alerts of the team changed; always sent
         * @enum {string}
         */
        AlertKind: "new_device" | "password_changed" | "second_factor_changed" | "recovery_codes_replaced" | "member_changed" | "invitation_created" | "api_key_made" | "endpoint_changed" | "signing_secret_rotated" | "policy_loosened" | "large_payment" | "wallet_frozen" | "alerts_changed";
        Alerts: {
            /** @description Where alerts are sent; null for nowhere */
            url: string | null;
            /** @description Why nothing is sent to the URL any more; ends when the settings are saved again */
            disabled_reason: string | null;
            /** @description Null: the last alert was acknowledged */
            failing_since: string | null;
            /** @description The last alert that was not acknowledged; null for none */
            last_failure: components["schemas"]["FailedAlert"] | null;
            /** @description Null: every kind */
            kinds: string[] | null;
            /** @description A payment of at least this amount is reported, by asset */
            large_payments: components["schemas"]["AssetAmount"][];
            /** @description Whether this service sends mails */
            mails: boolean;
        };
        AlertsAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Alerts"];
        };
        ApiKey: {
            /** @description Another one after each regeneration */
            id: string;
            /** @description How the API key begins */
            prefix: string;
            /** @description The last four characters */
            last_four: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it was used the last time; null for never */
            last_used_at: string | null;
        };
        ApiKeyAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["ApiKey"];
        };
        Approval: {
            /** @description The id of the user */
            user_id: string;
            /**
             * @description What the member has decided
             * @enum {string}
             */
            decision: "approved" | "rejected";
            /** @description What the member says to it */
            comment: string | null;
            /**
             * Format: date-time
             * @description When it was
             */
            at: string;
        };
        ApprovalRule: {
            /** @description How many members must approve */
            required: number;
            /** @description What may be paid of an asset in 24 hours without approvals; an asset that is not in the list always needs them */
            above: components["schemas"]["AssetAmount"][];
            /** @description What needs approvals */
            for: ("withdrawals" | "policies" | "destinations" | "members" | "api_keys")[];
            /** @description Whether members without a second factor may decide */
            without_factor: boolean;
        };
        AssetAmount: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /**
             * Format: exact-integer
             * @description From 0 to 9223372036854775807.
             */
            amount_stroops: bigint;
        };
        AssetChangedEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "asset.changed";
            data: components["schemas"]["WalletAsset"];
        };
        AssetChangedTestEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "asset.changed.test";
            data: components["schemas"]["WalletAsset"];
        };
        /** @description 1–12 characters A–Z a–z 0–9; `native` without an issuer is the native asset. */
        AssetCode: string;
        /** @description The G… account that issues the asset. */
        AssetIssuer: string;
        AssetLimits: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /** @description The most that one withdrawal may pay; null for no limit */
            max_withdrawal_stroops: components["schemas"]["Stroops"] | null;
            /** @description The most that may be paid in 24 hours; null for no limit */
            max_rolling_24h_stroops: components["schemas"]["Stroops"] | null;
            /**
             * Format: exact-integer
             * @description Withdrawals of the asset in the last 24 hours that are not failed
             */
            used_rolling_24h_stroops: bigint;
        };
        /** @description `native` or `CODE:ISSUER` */
        AssetText: string;
        AssignDepositBody: {
            /** @description The id of the deposit address */
            address_id: string;
        };
        /** @enum {string} */
        AuditAction: "login.succeeded" | "login.failed" | "login.factor_asked" | "session.ended" | "session.renewed" | "password.refused" | "password.changed" | "password.reset" | "user.created" | "user.disabled" | "user.enabled" | "command.run" | "second_factor.used" | "second_factor.failed" | "second_factor.stopped" | "recovery_code.used" | "recovery_codes.replaced" | "factor.added" | "factor.renamed" | "factor.removed" | "factors.reset" | "right.refused" | "team.renamed" | "team.alerts_changed" | "team.factors_required" | "member.added" | "member.changed" | "member.removed" | "invitation.created" | "invitation.revoked" | "service_user.created" | "service_user.changed" | "service_user.disabled" | "service_user.enabled" | "service_user.removed" | "service_user.secret_added" | "service_user.secret_retired" | "service_user.token_given" | "service_user.token_refused" | "access_change.requested" | "access_change.approved" | "access_change.rejected" | "access_change.carried_out" | "access_change.expired" | "payee.created" | "payee.changed" | "payee.deleted" | "wallet.created" | "wallet.changed" | "wallet.frozen" | "wallet.unfrozen" | "api_key.regenerated" | "api_key.created" | "api_key.deleted" | "address.created" | "address.changed" | "deposit_minimums.changed" | "deposit.assigned" | "policy.changed" | "policy.change_revoked" | "policy.change_approved" | "policy.change_rejected" | "policy.requests_ended" | "policy.approvals_cleared" | "withdrawal.requested" | "withdrawal.approved" | "withdrawal.rejected" | "withdrawal.approval_expired" | "payout.created" | "payout.started" | "payout.requested" | "payout.approved" | "payout.rejected" | "payout.approval_expired" | "payout.paused" | "payout.resumed" | "payout.cancelled" | "payout.completed" | "asset.added" | "asset.removed" | "endpoint.registered" | "endpoint.changed" | "endpoint.deleted" | "endpoint.secret_rotated" | "endpoint.tested" | "endpoint.examined" | "delivery.repeated" | "deliveries.replayed";
        AuditEntry: {
            /** @description Counts the entries of the team: 1, 2, 3, … without a gap */
            seq: number;
            /** @description The id of it */
            id: string;
            /**
             * Format: date-time
             * @description When it was
             */
            at: string;
            /** @description A stranger has not signed in. The id of an API key is the id that the list of API keys shows. */
            actor: {
                /**
                 * @description Who did it
                 * @enum {string}
                 */
                kind: "user" | "service_user" | "api_key" | "operator" | "service" | "stranger";
                /** @description The id of who did it; null for strangers and the operator */
                id: string | null;
                /** @description What people called them then */
                name: string | null;
            };
            /** @description The session in which it was done; null without one */
            session_id: string | null;
            /** @description The address that the request came from; null without one */
            ip: string | null;
            /** @description See AuditAction; later versions have more */
            action: string;
            /** @description What was changed */
            target: {
                /** @description What was changed */
                kind: string;
                /** @description The id of what was changed; null where it has none */
                id: string | null;
            };
            /** @description The wallet that is concerned; null for none */
            wallet_id: string | null;
            /** @description What the change replaced, without secrets */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description What the change made of it, without secrets */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description SHA-256 of the hash before, seq and the entry, in hex */
            hash: string;
        };
        AuditEntryPage: {
            /** @description The items of the page */
            items: components["schemas"]["AuditEntry"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        AuditEntryPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["AuditEntryPage"];
        };
        AwaitingApproval: {
            /**
             * @description Which kind it is of
             * @enum {string}
             */
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
        AwaitingApprovalPage: {
            /** @description The items of the page */
            items: components["schemas"]["AwaitingApproval"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        AwaitingApprovalPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["AwaitingApprovalPage"];
        };
        Balance: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null or absent for the native asset */
            asset_issuer: string | null;
            /**
             * Format: exact-integer
             * @description From 0 to 9223372036854775807.
             */
            amount_stroops: bigint;
            /**
             * Format: exact-integer
             * @description From 0 to 9223372036854775807.
             */
            available_stroops: bigint;
            /**
             * Format: exact-integer
             * @description What the network keeps: the reserve of the account and amounts in open offers; all of an asset that the issuer does not let the wallet use. From 0 to 9223372036854775807.
             */
            reserved_stroops: bigint;
            /**
             * Format: exact-integer
             * @description The wallet’s withdrawals without an outcome, those that await approvals too; native: with the fees that contract transfers declare
             */
            in_flight_stroops: bigint;
            /**
             * @description Whether the issuer lets the wallet take and pay it: as the status of an asset
             * @enum {string}
             */
            status: "active" | "unauthorized" | "maintain_liabilities";
        };
        BalancePage: {
            /** @description The items of the page */
            items: components["schemas"]["Balance"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        BalancePageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["BalancePage"];
        };
        BeginPasskeyBody: {
            /** @description Required for the first factor */
            current_password?: string | null;
        };
        BeginTotpAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["BeginTotpData"];
        };
        BeginTotpBody: {
            /** @description What people call it */
            name: string;
            /** @description Required for the first factor */
            current_password?: string | null;
        };
        BeginTotpData: {
            /** @description The id of the factor, for its confirmation */
            id: string;
            /** @description What the authenticator app keeps. Shown only here */
            secret: string;
            /** @description The same as a URI, for a QR code */
            uri: string;
        };
        ChangeDepositAddressBody: {
            /** @description An empty text removes it */
            label?: string | null;
            /** @description Any JSON object; given back exactly as it was given */
            metadata?: components["schemas"]["Metadata"] | null;
            /** @description The exact text of `metadata` */
            metadata_text?: string;
        };
        ChangeMemberBody: {
            /** @description What the member may do */
            role?: components["schemas"]["Role"] | null;
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids?: string[] | null;
            /** @description Every wallet, in place of some */
            all_wallets?: true | null;
        };
        ChangePasswordBody: {
            /** @description The password of before */
            current_password: string;
            /** @description The password from now on */
            new_password: string;
        };
        ChangeServiceUserAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["ChangeServiceUserData"];
        };
        ChangeServiceUserBody: {
            /** @description What people call it */
            name?: string | null;
            /** @description What the member may do */
            role?: components["schemas"]["ServiceRole"] | null;
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids?: string[] | null;
            /** @description Every wallet, in place of some */
            all_wallets?: true | null;
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips?: string[] | null;
            /** @description Every address, in place of some */
            all_addresses?: true | null;
            /** @description All of them; an empty array removes all */
            public_keys?: components["schemas"]["GivenPublicKey"][] | null;
            /** @description Whether it is in use */
            enabled?: boolean | null;
        };
        ChangeServiceUserData: {
            /** @description The client id, too */
            id: string;
            /**
             * @description Which kind it is of
             * @enum {string}
             */
            kind: "service";
            /** @description What people call it */
            name: string;
            role: components["schemas"]["ServiceRole"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            /** @description The keys whose signatures it may log in with */
            public_keys: components["schemas"]["PublicKey"][];
            /** @description The client secrets, without their texts */
            secrets: components["schemas"]["ServiceUserSecret"][];
            /** @description Whether it is in use */
            enabled: boolean;
            /** @description Who has disabled it. What the operator of the service has disabled, only they enable */
            disabled_by: ("team" | "operator") | null;
            /** @description The user who made it; null for the operator */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it got a token the last time */
            last_used_at: string | null;
            /** @description The webhook endpoints that it has registered, which go on */
            endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        ChangeTeamBody: {
            /** @description What people call it */
            name?: string | null;
            /** @description Whether every member must have a second factor */
            second_factor_required?: boolean | null;
        };
        ChangeWalletBody: {
            /** @description What people call it */
            name?: string | null;
            /** @description Whether a memo text of digits counts as a memo id */
            numeric_memo_text?: boolean | null;
        };
        ChangedAlerts: {
            /** @description Where alerts are sent; null for nowhere */
            url: string | null;
            /** @description Why nothing is sent to the URL any more; ends when the settings are saved again */
            disabled_reason: string | null;
            /** @description Null: the last alert was acknowledged */
            failing_since: string | null;
            /** @description The last alert that was not acknowledged; null for none */
            last_failure: components["schemas"]["FailedAlert"] | null;
            /** @description Null: every kind */
            kinds: string[] | null;
            /** @description A payment of at least this amount is reported, by asset */
            large_payments: components["schemas"]["AssetAmount"][];
            /** @description Whether this service sends mails */
            mails: boolean;
            /** @description A new one; null when the URL has not changed. Shown only here: null in a repeat with the same Idempotency-Key */
            signing_secret: string | null;
        };
        ChangedAlertsAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["ChangedAlerts"];
        };
        Check: {
            /** @description Whether it works */
            ok: boolean;
            /** @description In words, for a person */
            message: string;
        };
        ConfirmTotpBody: {
            /** @description The code that the authenticator app shows */
            code: string;
        };
        ContractFee: {
            /**
             * Format: exact-integer
             * @description The most that it may become: all of it must be there when the transfer is sent. From 0 to 9223372036854775807.
             */
            declared_stroops: bigint;
            /** @description What is charged when the transfer succeeds; the rest comes back in the same ledger. Null while the network’s prices are unknown */
            expected_stroops: bigint | null;
            /** @description What is charged in any case, also when the transfer fails. Null while the network’s prices are unknown */
            kept_stroops: bigint | null;
        };
        CreateApiKeyBody: {
            /** @description What people call it */
            name: string;
            /** @description What the API key may do */
            scopes: components["schemas"]["Scope"][];
            /**
             * Format: date-time
             * @description Absent: it does not expire
             */
            expires_at?: string | null;
            /** @description Absent: every address */
            allowed_ips?: string[] | null;
        };
        CreateDepositAddressBody: {
            /** @description What people call the address; senders do not see it */
            label?: string | null;
            /** @description Any JSON object; given back exactly as it was given */
            metadata?: components["schemas"]["Metadata"] | null;
            /** @description The exact text of `metadata` */
            metadata_text?: string;
        };
        CreateInvitationBody: {
            /** @description The e-mail address */
            email: string;
            role: components["schemas"]["Role"];
            /** @description Absent: every wallet of the team */
            wallet_ids?: string[] | null;
        };
        CreatePayoutBody: {
            /** @description Required, here or in the query */
            name?: string | null;
            /** @description The rows, or `csv` */
            rows?: components["schemas"]["PayoutRowBody"][] | null;
            /** @description The rows as CSV with the header `idempotency_key,destination,amount_stroops,asset_code,asset_issuer,memo_id,reference` (`payee` may stand in the place of `destination`), or `amount` (in units) in the place of `amount_stroops`. A body with `Content-Type: text/csv` is the same */
            csv?: string | null;
            /** @description What the amounts of the CSV have before their decimals. Without it, an amount that can be read in two ways is refused */
            decimal?: ("point" | "comma") | null;
            /** @description What the columns of the CSV are whose names the service does not know */
            columns?: {
                /** @description The name of the column in the header of the CSV */
                name: string;
                /** @description What it is; null: it is left out */
                column?: ("idempotency_key" | "destination" | "payee" | "amount_stroops" | "amount" | "asset_code" | "asset_issuer" | "memo_id" | "reference") | null;
            }[] | null;
            /** @description True: a CSV without a column of keys gets them, of the name of the payout and the numbers of the rows. A payment of the last 31 days, or a planned one, must be confirmed then */
            makes_keys?: boolean | null;
            /** @description How many rows there should be: finds a file that was cut */
            expected_count?: number | null;
            /**
             * Format: exact-integer
             * @description The sum of all amounts, whatever their assets: of several assets it may be above 2^63
             */
            expected_total_stroops?: bigint | null;
            /** @description True: rows that pay the same amount to the same payee, or what was paid before, are meant */
            confirm_duplicates?: boolean | null;
        };
        CreateServiceUserBody: {
            /** @description What people call it */
            name: string;
            role: components["schemas"]["ServiceRole"];
            /** @description Absent: every wallet of the team */
            wallet_ids?: string[] | null;
            /** @description Absent: every address */
            allowed_ips?: string[] | null;
            /** @description JSON Web Keys, Ed25519 or P-256: the `keys` of a JWKS. At most 5 */
            public_keys?: components["schemas"]["GivenPublicKey"][] | null;
        };
        CreateWalletBody: {
            /** @description What people call it */
            name: string;
        };
        /** @description Sums of confirmed deposits, withdrawals and adjustments of one asset, by the day of their creation */
        DayOfWallet: {
            /**
             * Format: date
             * @description In UTC. Days without transactions are included
             */
            date: string;
            /** @description How many deposits */
            deposits_count: number;
            /**
             * Format: exact-integer
             * @description The sum of the deposits
             */
            deposits_stroops: bigint;
            /** @description How many of these deposits are own funds: without an address and a memo, they made the account, or came from a wallet of the same team */
            own_funds_count: number;
            /**
             * Format: exact-integer
             * @description The part of `deposits_stroops` that is own funds
             */
            own_funds_stroops: bigint;
            /** @description How many withdrawals */
            withdrawals_count: number;
            /**
             * Format: exact-integer
             * @description The sum of the withdrawals
             */
            withdrawals_stroops: bigint;
            /** @description Changes of what a trust line may do are not counted */
            adjustments_count: number;
            /**
             * Format: exact-integer
             * @description What others took from the wallet, for example by a clawback
             */
            adjustments_stroops: bigint;
            /**
             * Format: exact-integer
             * @description Native; 0 for any other asset. Includes fees of withdrawals that failed in the ledger, and of trust lines
             */
            fees_stroops: bigint;
        };
        /** @description A request that awaited approvals and is decided or over. `approvals` of the request has who decided what, when, and with which comment. A withdrawal and a payout are shown as they are now, a change as it was then. */
        DecidedApproval: {
            /**
             * @description Which kind it is of
             * @enum {string}
             */
            kind: "withdrawal" | "payout" | "policy_change" | "access_change";
            /** @description Null for a change of members or service users */
            wallet_id: string | null;
            /**
             * @description `not_needed`: its requester carried out the change of access after the rule had ended that asked for approvals. `rejected`: by a member, or taken back by its requester. `approval_expired`: its time was over. `requester_removed`: its requester was removed or disabled. `cancelled`: it ended before it was decided, because somebody cancelled, revoked or replaced it, or by the operator of the service
             * @enum {string}
             */
            outcome: "approved" | "not_needed" | "rejected" | "approval_expired" | "requester_removed" | "cancelled";
            /**
             * Format: date-time
             * @description When it was decided or ended. A change of access that is approved or needed no approvals any more: when it was carried out
             */
            decided_at: string;
            /** @description Null unless `kind` is `withdrawal` */
            withdrawal: components["schemas"]["Withdrawal"] | null;
            /** @description Null unless `kind` is `payout` */
            payout: components["schemas"]["Payout"] | null;
            /** @description Null unless `kind` is `policy_change` */
            change: components["schemas"]["PendingPolicyChange"] | null;
            /** @description Null unless `kind` is `access_change` */
            access_change: components["schemas"]["AccessChange"] | null;
        };
        DecidedApprovalPage: {
            /** @description The items of the page */
            items: components["schemas"]["DecidedApproval"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        DecidedApprovalPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["DecidedApprovalPage"];
        };
        DecisionBody: {
            /** @description The `order_hash` that the member saw. 409 `order_changed` when it is another by now */
            order_hash: string;
            /** @description What the member says to it */
            comment?: string | null;
        };
        DeletedNamedApiKey: {
            /** @description The id of it */
            id: string;
            /** @description What people call it */
            name: string;
            /** @description How the API key begins */
            prefix: string;
            /** @description The last four characters */
            last_four: string;
            /** @description What the API key may do */
            scopes: components["schemas"]["Scope"][];
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            /** @description When it ends; null for never */
            expires_at: string | null;
            created_by: components["schemas"]["IdAndName"];
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it was used the last time; null for never */
            last_used_at: string | null;
            /** @description The webhook endpoints that it has registered, which go on */
            endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        DeletedNamedApiKeyAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["DeletedNamedApiKey"];
        };
        Deposit: {
            /** @description The id of it */
            id: string;
            /** @description The id of the wallet */
            wallet_id: string;
            /** @description The id of the deposit address; null for none */
            address_id: string | null;
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null or absent for the native asset */
            asset_issuer: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            /** @description The payer: G…, or C… for a contract */
            source_account: string;
            /** @description The payer’s M… address, if the payment names one; a refund goes there */
            source_account_muxed: string | null;
            /** @description The hash of the transaction, in hex; null while there is none */
            stellar_tx_hash: string;
            /** @description Counts the operations of the transaction, from 0 on */
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
            /**
             * @description The type of the memo of the transaction
             * @enum {string}
             */
            memo_type: "none" | "id" | "text" | "hash" | "return";
            /** @description The transaction’s memo: digits, a text, or base64 of other bytes */
            memo: string | null;
            /** @description The ledger that has the transaction; null while none has it */
            ledger: number;
            /**
             * @description A deposit is recorded when the ledger has confirmed it
             * @constant
             */
            status: "confirmed";
            /** @description Whether it belongs to a deposit address */
            attributed: boolean;
            /** @description Whether a person has given it to its address */
            assigned_by_hand: boolean;
            /** @description Smaller than the wallet’s minimum for its asset: no event announces it */
            below_minimum: boolean;
            /** @description The withdrawal that refunds it */
            refund_withdrawal_id: string | null;
            /** @description That of its address when it was attributed; null without an address */
            metadata: components["schemas"]["Metadata"] | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description The exact text of `metadata` */
            metadata_text: string | null;
        };
        DepositAddress: {
            /** @description The id of it */
            id: string;
            /** @description The id of the wallet */
            wallet_id: string;
            /** @description M… address: pay this */
            address: string;
            /** @description G… account: pay this with memo_id as MEMO_ID where M… is not supported */
            account: string;
            memo_id: components["schemas"]["MemoId"];
            /** @description SEP-7 payment request; off the public network it names the network */
            uri: string;
            /** @description What people call the address; senders do not see it */
            label: string | null;
            metadata: components["schemas"]["Metadata"];
            /** @description When its last deposit was recorded; null before the first one */
            last_deposit_at: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description The exact text of `metadata` */
            metadata_text: string | null;
        };
        DepositAddressAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["DepositAddress"];
        };
        DepositAddressWithReceived: {
            /** @description The id of it */
            id: string;
            /** @description The id of the wallet */
            wallet_id: string;
            /** @description M… address: pay this */
            address: string;
            /** @description G… account: pay this with memo_id as MEMO_ID where M… is not supported */
            account: string;
            memo_id: components["schemas"]["MemoId"];
            /** @description SEP-7 payment request; off the public network it names the network */
            uri: string;
            /** @description What people call the address; senders do not see it */
            label: string | null;
            metadata: components["schemas"]["Metadata"];
            /** @description When its last deposit was recorded; null before the first one */
            last_deposit_at: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description All deposits of the address, by asset */
            received: components["schemas"]["ReceivedAsset"][];
            /** @description The exact text of `metadata` */
            metadata_text: string | null;
        };
        DepositAddressWithReceivedAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["DepositAddressWithReceived"];
        };
        DepositAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Deposit"];
        };
        DepositCreatedEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "deposit.created";
            data: components["schemas"]["Deposit"];
        };
        DepositCreatedTestEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "deposit.created.test";
            data: components["schemas"]["Deposit"];
        };
        /** @description A delivery of the event of a deposit, with the URL of its endpoint */
        DepositDelivery: {
            /** @description The id of it */
            id: string;
            /** @description The id of the webhook endpoint */
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            /** @description What has happened */
            event: string;
            /** @description What the event tells of; null for a test event */
            subject: components["schemas"]["WebhookSubject"] | null;
            /**
             * Format: exact-integer
             * @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence
             */
            sequence: bigint;
            /**
             * @description `pending`: it is neither acknowledged nor given up
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts so far */
            attempts: number;
            /** @description Null unless pending */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it had its outcome; null before */
            settled_at: string | null;
            /** @description The latest 50 attempts, oldest first. They are deleted WEBHOOK_LOG_DAYS after the delivery was acknowledged. */
            attempt_log: components["schemas"]["WebhookAttempt"][];
            /** @description Where it is sent */
            url: string;
        };
        DepositDeliveryPage: {
            /** @description The items of the page */
            items: components["schemas"]["DepositDelivery"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        DepositDeliveryPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["DepositDeliveryPage"];
        };
        /** @description Deposits below these amounts are not announced */
        DepositMinimums: {
            /** @description Each asset that has a minimum */
            items: components["schemas"]["AssetAmount"][];
        };
        DepositMinimumsAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["DepositMinimums"];
        };
        DepositPage: {
            /** @description The items of the page */
            items: components["schemas"]["Deposit"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        DepositPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["DepositPage"];
        };
        DepositTestEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "deposit.test";
            data: components["schemas"]["Deposit"];
        };
        DepositUnattributedEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "deposit.unattributed";
            data: components["schemas"]["Deposit"];
        };
        DepositUnattributedTestEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "deposit.unattributed.test";
            data: components["schemas"]["Deposit"];
        };
        Empty: Record<string, never>;
        EmptyAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Empty"];
        };
        EmptyBody: Record<string, never>;
        EndOtherSessionsAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["EndOtherSessionsData"];
        };
        EndOtherSessionsData: {
            /** @description How many sessions were ended */
            ended: number;
        };
        EndpointDisabledEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "endpoint.disabled";
            data: components["schemas"]["WebhookEndpoint"];
        };
        EndpointDisabledTestEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "endpoint.disabled.test";
            data: components["schemas"]["WebhookEndpoint"];
        };
        /** @description Who registered it */
        EndpointMaker: {
            /**
             * @description A person, a service user or an API key
             * @enum {string}
             */
            kind: "user" | "service_user" | "api_key";
            /** @description The main key of a wallet has another id after each regeneration */
            id: string;
            /** @description Null for the main key of the wallet */
            name: string | null;
        };
        Explanation: {
            /** @description Of a fee-bump, the outer hash, whichever was asked for */
            stellar_tx_hash: string;
            /**
             * @description What the network made of the transaction
             * @enum {string}
             */
            state: "applied" | "failed" | "not_found";
            /** @description The ledger that has the transaction; null while none has it */
            ledger: number | null;
            /** @description Whether deposits are read up to that ledger */
            read: boolean;
            /** @description Whether the service could not read it, and keeps it for later */
            quarantined: boolean;
            /** @description Null when it is not known any more */
            fee_bump: boolean | null;
            /**
             * @description The type of the memo of the transaction
             * @enum {string}
             */
            memo_type: "none" | "id" | "text" | "hash" | "return";
            /** @description The memo of the transaction, as text; null for none */
            memo: string | null;
            /** @description In words, for a person */
            message: string;
            /** @description Its operations, one by one */
            operations: {
                /** @description Counts the operations of the transaction, from 0 on */
                operation_index: number;
                /** @description As Horizon names it: `payment`, `path_payment_strict_send`, … */
                type: string;
                /** @description Whether it paid the wallet, by the ledger */
                credited: boolean;
                /** @description A stable word: why it credited the wallet or an address, or why not */
                reason: string;
                /** @description The same in sentences, for a person */
                message: string;
                /** @description The deposits that were recorded of it */
                deposits: components["schemas"]["Deposit"][];
                /** @description The adjustments that were recorded of it */
                adjustments: components["schemas"]["Adjustment"][];
            }[];
        };
        ExplanationAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Explanation"];
        };
        Factor: {
            /** @description The id of it */
            id: string;
            /**
             * @description Which kind it is of
             * @enum {string}
             */
            kind: "totp" | "passkey";
            /** @description What people call it */
            name: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it was used the last time; null for never */
            last_used_at: string | null;
        };
        FactorAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Factor"];
        };
        /** @enum {string} */
        FactorMethod: "totp" | "passkey" | "recovery_code";
        Factors: {
            /** @description The second factors of the user */
            factors: components["schemas"]["Factor"][];
            /** @description How many recovery codes are not used */
            recovery_codes_left: number;
            /** @description Whether the team asks every member for a second factor */
            required_by_team: boolean;
            /** @description After 100 failures in a row, codes of an authenticator app are refused until a passkey or a recovery code is used */
            stopped: boolean;
            /** @description Where passkeys of this service work: PUBLIC_URL. Null where no browser allows them */
            passkey_origin: string | null;
        };
        FactorsAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Factors"];
        };
        FailedAlert: {
            /**
             * Format: date-time
             * @description When it was
             */
            at: string;
            /** @description Why it was not acknowledged */
            reason: string;
        };
        Failure: {
            /** @description The result code of the network */
            code: string;
            /** @description In words, for a person */
            message: string;
        };
        GetServiceTokenAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["GetServiceTokenData"];
            /** @description `data.token` again, where OAuth clients read it */
            access_token: string;
            /**
             * @description As OAuth clients expect it
             * @enum {string}
             */
            token_type: "Bearer";
            /** @description Seconds */
            expires_in: number;
        };
        GetServiceTokenBody: {
            /** @description `client_credentials` */
            grant_type: string;
            /** @description The id of the service user */
            client_id?: string | null;
            /** @description Or by HTTP Basic, with the client id as the user name */
            client_secret?: string | null;
            /** @description With a public key: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer` */
            client_assertion_type?: string | null;
            /** @description With a public key: the signed JWT (RFC 7523) */
            client_assertion?: string | null;
        };
        GetServiceTokenData: {
            /** @description The login token */
            token: string;
            /** @description Seconds until the token ends */
            expires_in: number;
        };
        GetServiceTokenForm: {
            /** @description `client_credentials` */
            grant_type: string;
            /** @description The id of the service user */
            client_id?: string | null;
            /** @description Or by HTTP Basic, with the client id as the user name */
            client_secret?: string | null;
            /** @description With a public key: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer` */
            client_assertion_type?: string | null;
            /** @description With a public key: the signed JWT (RFC 7523) */
            client_assertion?: string | null;
        };
        GetStatisticsAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["GetStatisticsData"];
        };
        GetStatisticsData: {
            /** @description The days, one by one */
            days: components["schemas"]["DayOfWallet"][];
        };
        GivenApprovalRule: {
            /** @description How many members must approve, beside the requester; 0 ends the rule */
            required: number;
            /** @description A payment needs approvals when it and what the wallet has paid of the asset without approvals in the last 24 hours are above this amount. Payments of an asset that is not in the list always need them */
            above?: components["schemas"]["GivenAssetAmount"][] | null;
            /** @description What needs approvals */
            for?: ("withdrawals" | "policies" | "destinations" | "members" | "api_keys")[] | null;
            /** @description True: members without a second factor may decide, with their password alone. Default false */
            without_factor?: boolean | null;
        };
        GivenAssetAmount: {
            /** @description The native asset is `native` */
            asset_code?: components["schemas"]["AssetCode"] | null;
            /** @description Null or absent for the native asset */
            asset_issuer?: components["schemas"]["AssetIssuer"] | null;
            amount_stroops: components["schemas"]["Stroops"];
        };
        GivenAssetLimits: {
            /** @description The native asset is `native` */
            asset_code?: components["schemas"]["AssetCode"] | null;
            /** @description Null or absent for the native asset */
            asset_issuer?: components["schemas"]["AssetIssuer"] | null;
            /** @description The most that one withdrawal may pay; null for no limit */
            max_withdrawal_stroops?: components["schemas"]["Stroops"] | null;
            /** @description The most that may be paid in 24 hours; null for no limit */
            max_rolling_24h_stroops?: components["schemas"]["Stroops"] | null;
        };
        GivenPublicKey: {
            /**
             * @description The type of the key
             * @enum {string}
             */
            kty: "OKP" | "EC";
            /**
             * @description The curve of the key
             * @enum {string}
             */
            crv: "Ed25519" | "P-256";
            /** @description The point of the key, in base64url */
            x: string;
            /** @description The second coordinate, for P-256 only */
            y?: string | null;
            /** @description The name of the key, as the `kid` of an assertion */
            kid?: string | null;
            /** @description As in a JWK */
            use?: "sig" | null;
            /** @description The algorithm of the signatures */
            alg?: ("EdDSA" | "ES256") | null;
            /** @description As in a JWK */
            key_ops?: "verify"[] | null;
            /** @description As in a JWK */
            ext?: boolean | null;
        };
        IdAndName: {
            /** @description The id of it */
            id: string;
            /** @description What people call it */
            name: string;
        };
        Invitation: {
            /** @description The id of it */
            id: string;
            /** @description The e-mail address */
            email: string;
            role: components["schemas"]["Role"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** @description The user who made the invitation */
            invited_by: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its link ends
             */
            expires_at: string;
        };
        InvitationPage: {
            /** @description The items of the page */
            items: components["schemas"]["Invitation"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        InvitationPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["InvitationPage"];
        };
        /** @description `CODE:ISSUER` */
        IssuedAssetText: components["schemas"]["AssetText"];
        Joined: {
            /** @description The login token. Absent only when `Teller-Browser` was sent */
            token?: string;
            /** @description The id of the user */
            user_id: string;
        };
        JoinedAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Joined"];
        };
        ListEventsAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["ListEventsData"];
        };
        ListEventsData: {
            /** @description The events, the oldest first */
            items: components["schemas"]["WebhookEvent"][];
            /**
             * Format: exact-integer
             * @description The value of `after` for the next request, also after an empty page
             */
            next_after: bigint;
        };
        ListedDepositAddress: {
            /** @description The id of it */
            id: string;
            /** @description The id of the wallet */
            wallet_id: string;
            /** @description M… address: pay this */
            address: string;
            /** @description G… account: pay this with memo_id as MEMO_ID where M… is not supported */
            account: string;
            memo_id: components["schemas"]["MemoId"];
            /** @description SEP-7 payment request; off the public network it names the network */
            uri: string;
            /** @description What people call the address; senders do not see it */
            label: string | null;
            metadata: components["schemas"]["Metadata"];
            /** @description When its last deposit was recorded; null before the first one */
            last_deposit_at: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description Its deposits of the last `received_days` days, by asset. Null for a request without `received_days`, and for an address with more than 10000 deposits in these days */
            received: components["schemas"]["ReceivedAsset"][] | null;
            /** @description The exact text of `metadata` */
            metadata_text: string | null;
        };
        ListedDepositAddressPage: {
            /** @description The items of the page */
            items: components["schemas"]["ListedDepositAddress"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        ListedDepositAddressPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["ListedDepositAddressPage"];
        };
        LoggedIn: {
            /** @description The login token. Absent only when `Teller-Browser` was sent */
            token?: string;
            user: components["schemas"]["User"];
        };
        LoggedInAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["LoggedIn"];
        };
        LoggedWebhookDelivery: {
            /** @description The id of it */
            id: string;
            /** @description The id of the webhook endpoint */
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            /** @description What has happened */
            event: string;
            /** @description What the event tells of; null for a test event */
            subject: components["schemas"]["WebhookSubject"] | null;
            /**
             * Format: exact-integer
             * @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence
             */
            sequence: bigint;
            /**
             * @description `pending`: it is neither acknowledged nor given up
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts so far */
            attempts: number;
            /** @description Null unless pending */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it had its outcome; null before */
            settled_at: string | null;
            /** @description The latest 50 attempts, oldest first. They are deleted WEBHOOK_LOG_DAYS after the delivery was acknowledged. */
            attempt_log: components["schemas"]["WebhookAttempt"][];
        };
        LoggedWebhookDeliveryPage: {
            /** @description The items of the page */
            items: components["schemas"]["LoggedWebhookDelivery"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        LoggedWebhookDeliveryPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["LoggedWebhookDeliveryPage"];
        };
        LoginBody: {
            /** @description The e-mail address */
            email: string;
            /** @description The password */
            password: string;
        };
        LoginChallenge: {
            /** @description Ties the proof to this login */
            challenge: string;
            /** @description The factors that the user has */
            methods: components["schemas"]["FactorMethod"][];
            /** @description For the browser, when the user has a passkey; null otherwise */
            passkey_options: components["schemas"]["PasskeyOptions"] | null;
        };
        /** @description What the request with this key has made. `id` is null where that has no id of its own, like a signing secret. */
        Made: {
            /** @description What it is, like `deposit_address`; a secret is a change of whose secret it is, like `webhook_endpoint` */
            kind: string;
            /** @description Its id */
            id: string | null;
        };
        Me: {
            /** @description The id of it */
            id: string;
            /** @description Empty for a service user */
            email: string;
            /** @description What people call it */
            name: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * @description A person, or a service user
             * @enum {string}
             */
            kind: "user" | "service";
            role: components["schemas"]["Role"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** @description The team of the user */
            team: {
                /** @description What people call it */
                name: string;
            };
        };
        MeAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Me"];
        };
        Member: {
            /** @description The id of the user */
            user_id: string;
            /** @description The e-mail address */
            email: string;
            /** @description What people call it */
            name: string;
            role: components["schemas"]["Role"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /**
             * Format: date-time
             * @description When the member joined the team
             */
            joined_at: string;
            /** @description When a former member left the team; role and wallets are those of then. Null of a member */
            left_at: string | null;
        };
        MemberAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Member"];
        };
        MemberPage: {
            /** @description The items of the page */
            items: components["schemas"]["Member"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        MemberPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["MemberPage"];
        };
        /**
         * Format: exact-integer
         * @description Unsigned 64-bit integer; may exceed 2^53. From 0 to 18446744073709551615.
         */
        MemoId: bigint;
        /** @description Any JSON object (≤ 16 KiB); returned exactly as given. */
        Metadata: {
            [key: string]: unknown;
        };
        NamedApiKey: {
            /** @description The id of it */
            id: string;
            /** @description What people call it */
            name: string;
            /** @description How the API key begins */
            prefix: string;
            /** @description The last four characters */
            last_four: string;
            /** @description What the API key may do */
            scopes: components["schemas"]["Scope"][];
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            /** @description When it ends; null for never */
            expires_at: string | null;
            created_by: components["schemas"]["IdAndName"];
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it was used the last time; null for never */
            last_used_at: string | null;
        };
        NamedApiKeyPage: {
            /** @description The items of the page */
            items: components["schemas"]["NamedApiKey"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        NamedApiKeyPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["NamedApiKeyPage"];
        };
        NewFactor: {
            /** @description The id of it */
            id: string;
            /**
             * @description Which kind it is of
             * @enum {string}
             */
            kind: "totp" | "passkey";
            /** @description What people call it */
            name: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it was used the last time; null for never */
            last_used_at: string | null;
            /** @description Of the first factor; null of further ones */
            recovery_codes: components["schemas"]["RecoveryCodes"] | null;
        };
        NewFactorAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["NewFactor"];
        };
        /** @description An invitation. Its token is shown only now, and only when the link was not mailed. */
        NewInvitation: {
            /** @description The id of it */
            id: string;
            /** @description The e-mail address */
            email: string;
            role: components["schemas"]["Role"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** @description The user who made the invitation */
            invited_by: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its link ends
             */
            expires_at: string;
            /** @description The text after `#` in the link of the invitation; null when the link was mailed. Shown only here: null in a repeat with the same Idempotency-Key */
            token: string | null;
            /** @description Of the dashboard’s page that accepts it: the link is the service’s address and this; null when the link was mailed. Shown only here: null in a repeat with the same Idempotency-Key */
            path: string | null;
            /** @description Whether the service has sent the link to the e-mail address; otherwise send it yourself */
            mailed: boolean;
        };
        NewInvitationAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["NewInvitation"];
        };
        NewNamedApiKey: {
            /** @description The id of it */
            id: string;
            /** @description What people call it */
            name: string;
            /** @description How the API key begins */
            prefix: string;
            /** @description The last four characters */
            last_four: string;
            /** @description What the API key may do */
            scopes: components["schemas"]["Scope"][];
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            /** @description When it ends; null for never */
            expires_at: string | null;
            created_by: components["schemas"]["IdAndName"];
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it was used the last time; null for never */
            last_used_at: string | null;
            /** @description The text of the key. Shown only here: null in a repeat with the same Idempotency-Key */
            api_key: string | null;
        };
        NewNamedApiKeyAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["NewNamedApiKey"];
        };
        NewPasskey: {
            /** @description The id of the passkey, as the browser gives it */
            id: string;
            /** @description As the browser gives it */
            rawId: string;
            /**
             * @description As the browser gives it
             * @constant
             */
            type: "public-key";
            response: components["schemas"]["PasskeyRegistration"];
        };
        NewServiceUser: {
            /** @description The client id, too */
            id: string;
            /**
             * @description Which kind it is of
             * @constant
             */
            kind: "service";
            /** @description What people call it */
            name: string;
            role: components["schemas"]["ServiceRole"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            /** @description The keys whose signatures it may log in with */
            public_keys: components["schemas"]["PublicKey"][];
            /** @description The client secrets, without their texts */
            secrets: components["schemas"]["ServiceUserSecret"][];
            /** @description Whether it is in use */
            enabled: boolean;
            /** @description Who has disabled it. What the operator of the service has disabled, only they enable */
            disabled_by: ("team" | "operator") | null;
            /** @description The user who made it; null for the operator */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it got a token the last time */
            last_used_at: string | null;
            /** @description The id of the service user */
            client_id: string;
            /** @description Its secret; null when it has public keys. Shown only here: null in a repeat with the same Idempotency-Key */
            client_secret: string | null;
        };
        NewServiceUserAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["NewServiceUser"];
        };
        NewServiceUserSecret: {
            /** @description The id of it */
            id: string;
            /** @description The last four characters */
            last_four: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it was used the last time; null for never */
            last_used_at: string | null;
            /** @description The text of the secret. Shown only here: null in a repeat with the same Idempotency-Key */
            client_secret: string | null;
        };
        NewServiceUserSecretAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["NewServiceUserSecret"];
        };
        /** @description A wallet with its API key. */
        NewWallet: {
            /** @description The id of it */
            id: string;
            /** @description What people call it */
            name: string;
            /**
             * @description The Stellar network
             * @enum {string}
             */
            network: "sandbox" | "testnet" | "public";
            /** @description The wallet’s Stellar account (G…) */
            account: string;
            /**
             * @description `unfunded`: the ledger does not have its account yet
             * @enum {string}
             */
            status: "unfunded" | "active";
            /** @description Whether a memo text of digits counts as a memo id; applies to deposits read afterwards */
            numeric_memo_text: boolean;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description Its main API key. Shown only here: null in a repeat with the same Idempotency-Key */
            api_key: string | null;
        };
        NewWalletAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["NewWallet"];
        };
        /** @description An endpoint with its signing secret. */
        NewWebhookEndpoint: {
            /** @description The id of it */
            id: string;
            /** @description The id of the wallet */
            wallet_id: string;
            /** @description Where it is sent */
            url: string;
            /** @description What people call it; it is not sent */
            description: string | null;
            /** @description The types of events that it gets. Later versions may have more types */
            events: string[];
            /** @description Whether it is in use */
            enabled: boolean;
            /** @description Why the service disabled the endpoint; null while it is enabled, and if its owner disabled it */
            disabled_reason: string | null;
            /** @description Since when every attempt has failed; null if the last one succeeded. After two days without an attempt the time starts again */
            failing_since: string | null;
            /** @description When the receiver passed an exam last; null if it has not passed one at this URL */
            exam_passed_at: string | null;
            created_by: components["schemas"]["EndpointMaker"];
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description Signs every delivery. Shown only here: null in a repeat with the same Idempotency-Key */
            signing_secret: string | null;
        };
        NewWebhookEndpointAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["NewWebhookEndpoint"];
        };
        /** @description What was paid of an asset */
        PaidAmount: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /**
             * Format: exact-integer
             * @description The sum of the amounts
             */
            amount_stroops: bigint;
        };
        PasskeyAssertion: {
            /** @description As the browser gives it */
            clientDataJSON: string;
            /** @description As the browser gives it */
            authenticatorData: string;
            /** @description As the browser gives it */
            signature: string;
            /** @description As the browser gives it */
            userHandle?: string | null;
        };
        /** @description For the browser: `startRegistration` or `startAuthentication` of @simplewebauthn/browser */
        PasskeyOptions: {
            /** @description What the passkey signs */
            challenge: string;
        } & {
            [key: string]: unknown;
        };
        PasskeyOptionsAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["PasskeyOptions"];
        };
        PasskeyProof: {
            /** @description The id of the passkey, as the browser gives it */
            id: string;
            /** @description As the browser gives it */
            rawId: string;
            /**
             * @description As the browser gives it
             * @constant
             */
            type: "public-key";
            response: components["schemas"]["PasskeyAssertion"];
        };
        PasskeyRegistration: {
            /** @description As the browser gives it */
            clientDataJSON: string;
            /** @description As the browser gives it */
            attestationObject: string;
            /** @description As the browser gives it */
            transports?: string[] | null;
        };
        PayOnSandboxAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["PayOnSandboxData"];
        };
        PayOnSandboxBody: {
            /** @description G… or M… address */
            destination: string;
            amount_stroops: components["schemas"]["Stroops"];
            /** @description The id in the memo; null for none */
            memo_id?: components["schemas"]["MemoId"] | null;
            /** @description The native asset is `native` */
            asset_code?: components["schemas"]["AssetCode"] | null;
            /** @description Null or absent for the native asset */
            asset_issuer?: components["schemas"]["AssetIssuer"] | null;
        };
        PayOnSandboxData: {
            /** @description The hash of the transaction, in hex; null while there is none */
            stellar_tx_hash: string;
        };
        /** @description Whom the team pays, by name. */
        Payee: {
            /** @description The id of it */
            id: string;
            /** @description What people call it */
            name: string;
            /** @description The address of the payee */
            destination: string;
            /** @description The memo of every payment; null: each payment says its own */
            memo_id: components["schemas"]["MemoId"] | null;
            /** @description The only asset that is paid, `native` for the native asset; null: any asset */
            asset_code: string | null;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /** @description For people */
            note: string | null;
            /** @description The user or service user */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until then it is marked as new: one day from its creation, or since it has its name
             */
            new_until: string;
            /** @description When it was last paid, also before it was a payee; null: never */
            last_paid_at: string | null;
        };
        PayeeAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Payee"];
        };
        PayeeBody: {
            /** @description Unique in the team; lower and upper case are the same */
            name: string;
            /** @description G…, M…, C… or W… address; it never changes */
            destination: string;
            /** @description The memo of every payment; absent: each payment says its own, or has none */
            memo_id?: components["schemas"]["MemoId"] | null;
            /** @description With its issuer, the only asset that is paid; `native` alone: the native asset; absent: any asset */
            asset_code?: components["schemas"]["AssetCode"] | null;
            /** @description Null or absent for the native asset */
            asset_issuer?: components["schemas"]["AssetIssuer"] | null;
            /** @description For people */
            note?: string | null;
        };
        PayeeChangeBody: {
            /** @description What people call it */
            name?: string | null;
            /** @description An empty text removes the note */
            note?: string | null;
        };
        PayeePage: {
            /** @description The items of the page */
            items: components["schemas"]["Payee"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        PayeePageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["PayeePage"];
        };
        PayeeWithPaid: {
            /** @description The id of it */
            id: string;
            /** @description What people call it */
            name: string;
            /** @description The address of the payee */
            destination: string;
            /** @description The memo of every payment; null: each payment says its own */
            memo_id: components["schemas"]["MemoId"] | null;
            /** @description The only asset that is paid, `native` for the native asset; null: any asset */
            asset_code: string | null;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /** @description For people */
            note: string | null;
            /** @description The user or service user */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until then it is marked as new: one day from its creation, or since it has its name
             */
            new_until: string;
            /** @description When it was last paid, also before it was a payee; null: never */
            last_paid_at: string | null;
            /** @description What confirmed withdrawals have paid since it is a payee, by asset; of the wallets that you may use */
            paid: components["schemas"]["PaidAmount"][];
        };
        PayeeWithPaidAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["PayeeWithPaid"];
        };
        /** @description Many payments of a wallet as one file. */
        Payout: {
            /** @description The id of it */
            id: string;
            /** @description The id of the wallet */
            wallet_id: string;
            /** @description What people call it */
            name: string;
            /**
             * @description `draft`: nothing is paid before it is started
             * @enum {string}
             */
            status: "draft" | "awaiting_approval" | "running" | "paused" | "completed" | "cancelled";
            /** @description Why it is paused or cancelled */
            reason: components["schemas"]["PayoutReason"] | null;
            /** @description The payout whose failed rows it pays again */
            retry_of: string | null;
            /** @description How many rows it has */
            row_count: number;
            counts: components["schemas"]["PayoutCounts"];
            /** @description The sums of each asset */
            totals: components["schemas"]["PayoutTotal"][];
            /** @description SHA-256 of the rows, hex */
            rows_hash: string;
            /** @description The user who made it */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When a member asked to start it; null before */
            requested_at: string | null;
            /** @description When it was started; null before */
            started_at: string | null;
            /** @description When it was completed or cancelled */
            settled_at: string | null;
            /** @description The user who asked for it; null where it is not known */
            requested_by: string | null;
            /** @description How many members must approve it; 0 when it needs no approvals. Of a draft: how many a start would ask for now */
            approvals_required: number;
            /** @description What members have decided. An approval counts while its member may still approve: one who has left, or has other rights since, does not */
            approvals: components["schemas"]["Approval"][];
            /** @description SHA-256 of what is approved, hex. An approval sends it back, so that nobody approves what they did not see. Null without approvals */
            order_hash: string | null;
            /** @description When it ends unless it is approved; null without approvals */
            approval_expires_at: string | null;
            /** @description Why it needs approvals. `amount`: what it pays is above the amount of its asset, or its asset has none. `sum`: only with what the wallet has paid of the asset without approvals in 24 hours. Null when it needs none */
            approvals_cause: ("amount" | "sum") | null;
        };
        PayoutAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Payout"];
        };
        PayoutColumn: {
            /** @description Its name in the header */
            name: string;
            /** @description What it was read as; null: it is left out, or its name is not known */
            column: ("idempotency_key" | "destination" | "payee" | "amount_stroops" | "amount" | "asset_code" | "asset_issuer" | "memo_id" | "reference") | null;
            /** @description The first text in it */
            example: string | null;
        };
        PayoutCompletedEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "payout.completed";
            data: components["schemas"]["Payout"];
        };
        PayoutCompletedTestEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "payout.completed.test";
            data: components["schemas"]["Payout"];
        };
        PayoutCounts: {
            /** @description Rows without a withdrawal */
            waiting: number;
            /** @description Rows whose withdrawal has no outcome yet */
            pending: number;
            /** @description Rows that are paid */
            confirmed: number;
            /** @description Rows that could not be paid */
            failed: number;
            /** @description Rows that were never begun */
            cancelled: number;
        };
        PayoutLargestRow: {
            /** @description Its number in the file, from 1 on */
            row: number;
            /** @description The line of the CSV; null for JSON */
            line: number | null;
            /** @description The address of the payee */
            destination: string;
            amount_stroops: components["schemas"]["Stroops"];
            /** @description Your own name for the payment; null for none */
            reference: string | null;
        };
        PayoutPage: {
            /** @description The items of the page */
            items: components["schemas"]["Payout"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        PayoutPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["PayoutPage"];
        };
        PayoutProblem: {
            /** @description From 1 on; null where the file as a whole is concerned */
            row: number | null;
            /** @description Of the CSV */
            line: number | null;
            /** @description The field of the row; null where the row as a whole is concerned */
            field: string | null;
            /** @description What is wrong, for programs */
            code: string;
            /** @description In words, for a person */
            message: string;
        };
        PayoutReading: {
            /** @description Its number in the file, from 1 on */
            row: number;
            /** @description The line of the CSV; null for JSON */
            line: number | null;
            /**
             * @description The field that was read
             * @constant
             */
            field: "amount";
            /** @description As the file has it: `1.234,50` */
            text: string;
            /** @description The same amount as the API writes it: `1234.5` */
            read_as: string;
        };
        PayoutReason: {
            /** @description What is wrong, for programs */
            code: string;
            /** @description In words, for a person */
            message: string;
        };
        /** @description What a payout would be, and what is wrong with it. */
        PayoutReport: {
            /** @description How many rows */
            rows: number;
            /** @description The sums of each asset */
            totals: components["schemas"]["PayoutReportTotal"][];
            /**
             * Format: exact-integer
             * @description The fees of all rows, each as from the account of the wallet itself. Through a channel account a row costs twice that, or the wallet nothing where channels pay their fees
             */
            fee_stroops: bigint;
            /**
             * @description Who pays the fees
             * @enum {string}
             */
            fee_paid_by: "wallet" | "treasury";
            /** @description How many members must approve it; 0 when it needs no approvals */
            approvals_required: number;
            /** @description Why it needs approvals. `amount`: what it pays is above the amount of its asset, or its asset has none. `sum`: only with what the wallet has paid of the asset without approvals in 24 hours. Null when it needs none */
            approvals_cause: ("amount" | "sum") | null;
            /** @description What refuses the payout; the first 1,000 */
            errors: components["schemas"]["PayoutProblem"][];
            /** @description How many errors there are */
            error_count: number;
            /** @description The first 1,000 */
            warnings: components["schemas"]["PayoutProblem"][];
            /** @description How many warnings there are */
            warning_count: number;
            /** @description How many destinations the wallet has never paid */
            new_payees: number;
            /** @description Send `confirm_duplicates: true` */
            needs_confirmation: boolean;
            /** @description How amounts of a CSV were read that are written in another way than `12.5`; the first 1,000 */
            readings: components["schemas"]["PayoutReading"][];
            /** @description How many amounts were read that are written in another way than `12.5` */
            reading_count: number;
            /** @description The columns of a CSV */
            columns: components["schemas"]["PayoutColumn"][];
            /** @description True: the keys are not in the file, but were made for it */
            has_made_keys: boolean;
            /** @description The first rows, as they were read */
            sample: components["schemas"]["PayoutSampleRow"][];
        };
        PayoutReportAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["PayoutReport"];
        };
        PayoutReportTotal: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /** @description How many rows */
            rows: number;
            /**
             * Format: exact-integer
             * @description The sum of the amounts
             */
            amount_stroops: bigint;
            /** @description What the wallet could pay of it now */
            available_stroops: bigint | null;
            /** @description The row with the largest amount, the first of several */
            largest_row: components["schemas"]["PayoutLargestRow"];
        };
        PayoutRow: {
            /** @description Its number in the file, from 1 on */
            row: number;
            /** @description The key of the withdrawal, for ever */
            idempotency_key: string;
            /** @description The address of the payee */
            destination: string;
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            /** @description The id in the memo; null for none */
            memo_id: components["schemas"]["MemoId"] | null;
            /** @description Your own name for the payment; null for none */
            reference: string | null;
            /**
             * @description `waiting`: it has no withdrawal yet
             * @enum {string}
             */
            status: "waiting" | "pending" | "confirmed" | "failed" | "cancelled";
            /** @description The withdrawal that pays it; null before */
            withdrawal_id: string | null;
            /** @description The hash of the transaction, in hex; null while there is none */
            stellar_tx_hash: string | null;
            /** @description Why it failed; null unless it failed */
            failure: components["schemas"]["Failure"] | null;
        };
        PayoutRowBody: {
            /** @description The Idempotency-Key of the withdrawal that pays the row: unique in the team, for ever */
            idempotency_key: string;
            /** @description G… or M… address; required without `payee_id` */
            destination?: string | null;
            /** @description In place of the destination: a payee of the team, with its memo and its asset where it has them */
            payee_id?: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            /** @description The native asset is `native` */
            asset_code?: components["schemas"]["AssetCode"] | null;
            /** @description Null or absent for the native asset */
            asset_issuer?: components["schemas"]["AssetIssuer"] | null;
            /** @description The id in the memo; null for none */
            memo_id?: components["schemas"]["MemoId"] | null;
            /** @description Your own name for the row; its withdrawal and the result have it */
            reference?: string | null;
        };
        PayoutRowPage: {
            /** @description The items of the page */
            items: components["schemas"]["PayoutRow"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        PayoutRowPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["PayoutRowPage"];
        };
        PayoutSampleRow: {
            /** @description Its number in the file, from 1 on */
            row: number;
            /** @description The key of the withdrawal, for ever */
            idempotency_key: string;
            /** @description The address of the payee */
            destination: string;
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            /** @description The id in the memo; null for none */
            memo_id: components["schemas"]["MemoId"] | null;
            /** @description Your own name for the payment; null for none */
            reference: string | null;
            /** @description The line of the CSV; null for JSON */
            line: number | null;
            /** @description True: the wallet has never paid this destination */
            new_payee: boolean;
        };
        PayoutTotal: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /**
             * Format: exact-integer
             * @description The sum of the amounts
             */
            amount_stroops: bigint;
            /**
             * Format: exact-integer
             * @description What of it is paid
             */
            confirmed_stroops: bigint;
            /**
             * Format: exact-integer
             * @description What of it could not be paid
             */
            failed_stroops: bigint;
        };
        /** @description A change to a looser policy that is not in force yet. For the field frozen it unfreezes the wallet. For `limits` it allows an asset that is refused, or removes the limits of all assets. */
        PendingPolicyChange: {
            /** @description The id of it */
            id: string;
            /**
             * @description What of the policy it changes
             * @enum {string}
             */
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
            /** @description For destinations: the address to add, or the id of the payee; null is everywhere */
            destination: string | null;
            /** @description For approvals: the new rule; null means no rule */
            new_approvals: components["schemas"]["ApprovalRule"] | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The end of the delay. A change that awaits approvals does not take effect before it has them
             */
            takes_effect_at: string;
            /**
             * @description `awaiting_approval`: members must approve it first
             * @enum {string}
             */
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
        PendingPolicyChangeAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["PendingPolicyChange"];
        };
        Ping: {
            /** @description The id of the webhook endpoint */
            webhook_id: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
        };
        PingEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "ping";
            data: components["schemas"]["Ping"];
        };
        /** @description The policy that is in force now; null is no limit. The two max_… fields and the one for 24 hours are of the native asset. */
        Policy: {
            /** @description The id of the wallet */
            wallet_id: string;
            /** @description Whether the owner has frozen the wallet */
            frozen: boolean;
            /** @description Null unless the operator of the service has frozen the wallet: new withdrawals are refused, whatever `frozen` says. No login can undo that */
            operator_freeze: {
                /**
                 * Format: date-time
                 * @description When the operator froze the wallet
                 */
                frozen_at: string;
                /** @description Why, in the words of the operator */
                reason: string | null;
            } | null;
            /** @description The most that one withdrawal may pay; null for no limit */
            max_withdrawal_stroops: components["schemas"]["Stroops"] | null;
            /** @description The most that may be paid in 24 hours; null for no limit */
            max_rolling_24h_stroops: components["schemas"]["Stroops"] | null;
            /**
             * Format: exact-integer
             * @description Withdrawals of the native asset in the last 24 hours that are not failed
             */
            used_rolling_24h_stroops: bigint;
            /** @description Every asset with a limit, the native one first */
            limits: components["schemas"]["AssetLimits"][];
            /** @description Whether an asset that `limits` does not have may be paid */
            other_assets_allowed: boolean;
            /** @description Addresses, and ids of payees */
            destinations: string[] | null;
            /** @description What needs approvals; null is nothing */
            approvals: components["schemas"]["ApprovalRule"] | null;
            /** @description How long after the request a looser policy takes effect */
            delay_seconds: number;
            /** @description Changes that are not in force yet */
            pending: components["schemas"]["PendingPolicyChange"][];
        };
        PolicyAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Policy"];
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
            /** @description The only addresses that may be paid; [] forbids every payment. A G… address allows its account and every M… address of it, a C… address its contract and every W… address of it; an M… or W… address only itself. The id of a payee (pye_…) allows exactly that payee: its destination, with its memo and in its asset where it has them. */
            destinations?: string[] | null;
        };
        Problem: {
            /** @description What is wrong, for programs */
            code: string;
            /** @description In words, for a person */
            message: string;
        };
        ProveSecondFactorBody: {
            /** @description Ties the proof to this login */
            challenge: string;
            /** @description The six digits that an authenticator app shows */
            totp?: string | null;
            /** @description The proof by a passkey, as the browser gives it */
            passkey?: components["schemas"]["PasskeyProof"] | null;
            /** @description One of the recovery codes; each works once */
            recovery_code?: string | null;
        };
        PublicKey: {
            /** @description The name of the key, as the `kid` of an assertion */
            kid: string;
            /**
             * @description The type of the key
             * @enum {string}
             */
            kty: "OKP" | "EC";
            /**
             * @description The curve of the key
             * @enum {string}
             */
            crv: "Ed25519" | "P-256";
            /**
             * @description The algorithm of the signatures
             * @enum {string}
             */
            alg: "EdDSA" | "ES256";
            /** @description The point of the key, in base64url */
            x: string;
            /** @description The second coordinate, for P-256 only */
            y?: string;
        };
        ReadInvitationBody: {
            /** @description The text after `#` in the link of the invitation */
            token: string;
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
        ReadinessAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Readiness"];
        };
        ReceivedAsset: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null or absent for the native asset */
            asset_issuer: string | null;
            /** @description How many deposits */
            count: number;
            /**
             * Format: exact-integer
             * @description The sum of the amounts
             */
            amount_stroops: bigint;
        };
        /** @description What an invitation says to the person who has its link */
        ReceivedInvitation: {
            /**
             * @description Only an open one can be accepted
             * @enum {string}
             */
            state: "open" | "accepted" | "expired";
            /** @description Name of the team */
            team_name: string;
            /** @description Name of the user who made the invitation */
            inviter_name: string;
            /** @description E-mail address of the user who made the invitation */
            inviter_email: string;
            /** @description The invited e-mail address */
            email: string;
            role: components["schemas"]["Role"];
            /** @description How many wallets of the team the member uses; null: every wallet */
            wallets: number | null;
            /**
             * Format: date-time
             * @description When it ends; null for never
             */
            expires_at: string;
            /** @description Whether a user with the invited e-mail address has signed in at this browser before, which keeps a device cookie then */
            is_known_device: boolean;
        };
        ReceivedInvitationAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["ReceivedInvitation"];
        };
        Reconciliation: {
            /** @description Whether the books and the balances are the same for every asset */
            agrees: boolean;
            /** @description The closed ledger at which books and balances were compared */
            ledger: number;
            /**
             * Format: date-time
             * @description Time of the comparison. It is older than a minute only if no comparison is possible now
             */
            checked_at: string;
            /** @description One for each asset */
            items: components["schemas"]["ReconciliationItem"][];
        };
        ReconciliationAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Reconciliation"];
        };
        ReconciliationItem: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null or absent for the native asset */
            asset_issuer: string | null;
            /**
             * Format: exact-integer
             * @description The balance with which the books began
             */
            opening_stroops: bigint;
            /**
             * Format: exact-integer
             * @description The sum of the deposits
             */
            deposits_stroops: bigint;
            /**
             * Format: exact-integer
             * @description The sum of the withdrawals
             */
            withdrawals_stroops: bigint;
            /**
             * Format: exact-integer
             * @description What others took from the wallet, for example by a clawback
             */
            adjustments_stroops: bigint;
            /**
             * Format: exact-integer
             * @description The sum of the fees
             */
            fees_stroops: bigint;
            /**
             * Format: exact-integer
             * @description The balance by the books
             */
            expected_stroops: bigint;
            /**
             * Format: exact-integer
             * @description From 0 to 9223372036854775807.
             */
            balance_stroops: bigint;
            /**
             * Format: exact-integer
             * @description The balance on the ledger minus the expected balance
             */
            difference_stroops: bigint;
            /** @description The last ledger without a difference */
            agreed_ledger: number | null;
            /** @description What may explain the difference */
            may_explain: {
                /** @description The hash of the transaction, in hex; null while there is none */
                stellar_tx_hash: string | null;
                /** @description The ledger that has the transaction; null while none has it */
                ledger: number;
                /**
                 * @description How it may explain the difference
                 * @enum {string}
                 */
                reason: "unmatched" | "quarantined" | "not_booked" | "booked_differently" | "not_on_ledger" | "mentions_wallet" | "books_changed" | "ledgers_not_searched";
            }[];
        };
        /** @description Each is used once in place of a factor. They are shown only in this answer. */
        RecoveryCodes: string[];
        RefundBody: {
            /** @description Your own name for the refund; it is not sent to the network */
            reference?: string | null;
        };
        RegeneratedApiKey: {
            /** @description Another one after each regeneration */
            id: string;
            /** @description How the API key begins */
            prefix: string;
            /** @description The last four characters */
            last_four: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it was used the last time; null for never */
            last_used_at: string | null;
            /** @description The new API key. Shown only here: null in a repeat with the same Idempotency-Key */
            api_key: string | null;
            /** @description The webhook endpoints that the key of before has registered, which go on */
            endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        RegeneratedApiKeyAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["RegeneratedApiKey"];
        };
        RegisterWebhookBody: {
            /** @description Public http(s) URL; loopback and private addresses are refused */
            url: string;
            /** @description What people call it; it is not sent */
            description?: string | null;
            /** @description The default is `["deposit.created"]` */
            events?: ("deposit.created" | "deposit.unattributed" | "withdrawal.confirmed" | "withdrawal.failed" | "withdrawal.awaiting_approval" | "payout.completed" | "asset.changed" | "endpoint.disabled")[] | null;
        };
        RemoveServiceUserAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["RemoveServiceUserData"];
        };
        RemoveServiceUserData: {
            /** @description The client id, too */
            id: string;
            /**
             * @description Which kind it is of
             * @enum {string}
             */
            kind: "service";
            /** @description What people call it */
            name: string;
            role: components["schemas"]["ServiceRole"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            /** @description The keys whose signatures it may log in with */
            public_keys: components["schemas"]["PublicKey"][];
            /** @description The client secrets, without their texts */
            secrets: components["schemas"]["ServiceUserSecret"][];
            /** @description Whether it is in use */
            enabled: boolean;
            /** @description Who has disabled it. What the operator of the service has disabled, only they enable */
            disabled_by: ("team" | "operator") | null;
            /** @description The user who made it; null for the operator */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it got a token the last time */
            last_used_at: string | null;
            /** @description The webhook endpoints that it has registered, which go on */
            endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        RemovedMember: {
            /** @description The service users of the team with a valid credential that the user knows */
            service_users: components["schemas"]["IdAndName"][];
        };
        RemovedMemberAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["RemovedMember"];
        };
        RenameFactorBody: {
            /** @description What people call it */
            name: string;
        };
        RenewTokenAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["RenewTokenData"];
        };
        RenewTokenData: {
            /** @description The login token */
            token: string;
            /** @description Seconds until the new token ends */
            expires_in: number;
            /**
             * Format: date-time
             * @description When the session ends, whatever is renewed
             */
            session_ends_at: string;
        };
        ReplaceAlertsBody: {
            /** @description Public http(s) URL to which alerts are posted; absent: no webhook */
            url?: string | null;
            /** @description Of these kinds the webhook, owners and admins are alerted; absent: of every kind, also of those of later versions. Users get the mails about their own sign-in in any case. */
            kinds?: components["schemas"]["AlertKind"][] | null;
            /** @description A withdrawal of more than this amount makes an alert; absent: none does */
            large_payments?: components["schemas"]["GivenAssetAmount"][] | null;
        };
        ReplaceDepositMinimumsBody: {
            /** @description The minimums of every asset, in place of all before; [] removes all */
            items: components["schemas"]["GivenAssetAmount"][];
        };
        ReplaceRecoveryCodesAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["ReplaceRecoveryCodesData"];
        };
        ReplaceRecoveryCodesData: {
            recovery_codes: components["schemas"]["RecoveryCodes"];
        };
        ReplayWebhookAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["ReplayWebhookData"];
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
        ReplayWebhookData: {
            /** @description Deliveries that are sent again */
            count: number;
        };
        /** @enum {string} */
        Role: "owner" | "admin" | "operator" | "approver" | "developer" | "auditor" | "viewer";
        /** @enum {string} */
        Scope: "read" | "addresses" | "webhooks";
        /** @description What a search has found. What its kind does not have is null. */
        SearchResult: {
            /**
             * @description What it is; a later version may find more
             * @enum {string}
             */
            kind: "wallet" | "payee" | "address" | "deposit" | "withdrawal" | "adjustment" | "payout" | "asset" | "webhook" | "delivery";
            /** @description As in the paths of the API; `CODE:ISSUER` of an asset */
            id: string;
            /** @description The wallet that has it, or the wallet itself; null for a payee, which is of the team */
            wallet_id: string | null;
            /** @description The endpoint of a delivery; null for the others */
            webhook_id: string | null;
            /** @description Name of a wallet, payee or payout; label of an address, or of the address that a deposit paid; reference of a withdrawal; URL of an endpoint; type of the event that a delivery sends */
            name: string | null;
            /** @description The native asset is `native` */
            asset_code: string | null;
            /** @description Null or absent for the native asset */
            asset_issuer: string | null;
            /** @description The sum of the amounts */
            amount_stroops: bigint | null;
            /** @description As in the list of transactions; the destination of a payee */
            counterparty: string | null;
            /** @description Null for an address and an asset */
            created_at: string | null;
        };
        SearchResultPage: {
            /** @description The items of the page */
            items: components["schemas"]["SearchResult"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        SearchResultPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["SearchResultPage"];
        };
        Service: {
            /**
             * @description The name of this software
             * @constant
             */
            name: "Stellar Teller";
            /** @description The version of the service */
            version: string;
            /**
             * @description The Stellar network
             * @enum {string}
             */
            network: "sandbox" | "testnet" | "public";
            /** @description The passphrase of the network, which signatures contain */
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
                /** @description The native asset is `native` */
                asset_code: string;
                /** @description Null or absent for the native asset */
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
        ServiceAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Service"];
        };
        /** @enum {string} */
        ServiceRole: "admin" | "operator" | "approver" | "developer" | "auditor" | "viewer";
        ServiceUser: {
            /** @description The client id, too */
            id: string;
            /**
             * @description Which kind it is of
             * @constant
             */
            kind: "service";
            /** @description What people call it */
            name: string;
            role: components["schemas"]["ServiceRole"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            /** @description The keys whose signatures it may log in with */
            public_keys: components["schemas"]["PublicKey"][];
            /** @description The client secrets, without their texts */
            secrets: components["schemas"]["ServiceUserSecret"][];
            /** @description Whether it is in use */
            enabled: boolean;
            /** @description Who has disabled it. What the operator of the service has disabled, only they enable */
            disabled_by: ("team" | "operator") | null;
            /** @description The user who made it; null for the operator */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it got a token the last time */
            last_used_at: string | null;
        };
        ServiceUserAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["ServiceUser"];
        };
        ServiceUserPage: {
            /** @description The items of the page */
            items: components["schemas"]["ServiceUser"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        ServiceUserPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["ServiceUserPage"];
        };
        ServiceUserSecret: {
            /** @description The id of it */
            id: string;
            /** @description The last four characters */
            last_four: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it was used the last time; null for never */
            last_used_at: string | null;
        };
        ServiceUserSecretAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["ServiceUserSecret"];
        };
        Session: {
            /** @description The id of it */
            id: string;
            /**
             * @description A browser, or a program
             * @enum {string}
             */
            kind: "browser" | "program";
            /** @description The browser and its system, or the program */
            device: string | null;
            /** @description Where the login came from */
            ip: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
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
        SessionAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Session"];
        };
        SessionPage: {
            /** @description The items of the page */
            items: components["schemas"]["Session"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        SessionPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["SessionPage"];
        };
        SourceProtocol: {
            /** @description Its place in the configuration, from 1 on: the RPC servers come before the Horizon servers */
            source: number;
            /** @description The protocol of the network as this source has it; null when it does not tell it */
            network_protocol: number | null;
            /** @description The highest protocol that the source supports; null when it does not tell it */
            supported_protocol: number | null;
        };
        StepUp: {
            /** @description How; none for a user who must add a second factor first */
            methods: components["schemas"]["FactorMethod"][];
        };
        StepUpBody: {
            /** @description The six digits that an authenticator app shows */
            totp?: string | null;
            /** @description The proof by a passkey, as the browser gives it */
            passkey?: components["schemas"]["PasskeyProof"] | null;
            /** @description One of the recovery codes; each works once */
            recovery_code?: string | null;
        };
        SteppedUp: {
            /**
             * Format: date-time
             * @description When the factor was proven
             */
            proven_at: string;
            /**
             * Format: date-time
             * @description When the proof no longer counts
             */
            expires_at: string;
        };
        SteppedUpAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["SteppedUp"];
        };
        /**
         * Format: exact-integer
         * @description Stroops; 10,000,000 are one unit of the native asset. From 1 to 9223372036854775807.
         */
        Stroops: bigint;
        Team: {
            /** @description What people call it */
            name: string;
            /** @description Whether every member must have a second factor */
            second_factor_required: boolean;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
        };
        TeamAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Team"];
        };
        TestAsset: {
            asset_code: components["schemas"]["AssetCode"];
            asset_issuer: components["schemas"]["AssetIssuer"];
            /** @description What its issuer can do, in words */
            note: string;
        };
        TestWebhookBody: {
            /**
             * @description A type of event with `.test` behind it; its data is a sample of that type
             * @default ping
             */
            event?: ("ping" | "deposit.test" | "deposit.created.test" | "deposit.unattributed.test" | "withdrawal.confirmed.test" | "withdrawal.failed.test" | "withdrawal.awaiting_approval.test" | "payout.completed.test" | "asset.changed.test" | "endpoint.disabled.test") | null;
        };
        Transaction: {
            /**
             * @description What it is
             * @enum {string}
             */
            type: "deposit" | "withdrawal" | "adjustment";
            /** @description The id of it */
            id: string;
            /**
             * @description Deposits and adjustments are always `confirmed`
             * @enum {string}
             */
            status: "awaiting_approval" | "pending" | "confirmed" | "failed";
            /** @description What happened to the wallet, for an adjustment; null for the others */
            reason: ("clawback" | "contract_transfer" | "contract_burn" | "authorized" | "maintain_liabilities" | "authorization_revoked") | null;
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null or absent for the native asset */
            asset_issuer: string | null;
            /**
             * Format: exact-integer
             * @description 0 for an adjustment that changed what a trust line may do. From 0 to 9223372036854775807.
             */
            amount_stroops: bigint;
            /** @description Fee of a withdrawal; null until it is known, and for the others */
            fee_stroops: bigint | null;
            /** @description Who paid or was paid; of an adjustment, the account or contract that did it */
            counterparty: string;
            /** @description Label of the paid deposit address */
            address_label: string | null;
            /** @description The hash of the transaction, in hex; null while there is none */
            stellar_tx_hash: string | null;
            /** @description The id in the memo; null for none */
            memo_id: components["schemas"]["MemoId"] | null;
            /** @description The transaction’s memo, if it is a text; null for all but deposits */
            memo_text: string | null;
            /** @description What you call it, if it is a withdrawal; null for the others */
            reference: string | null;
            /** @description The payout whose row it pays, if it is a withdrawal; null for the others */
            payout_id: string | null;
            /** @description The number of that row, from 1 on */
            payout_row: number | null;
            /** @description Of a deposit: smaller than the wallet’s minimum for its asset, so no event announces it */
            below_minimum: boolean;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
        };
        TransactionPage: {
            /** @description The items of the page */
            items: components["schemas"]["Transaction"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        TransactionPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["TransactionPage"];
        };
        UpdateWebhookBody: {
            /** @description Public http(s) URL; loopback and private addresses are refused */
            url?: string | null;
            /** @description What people call it; it is not sent */
            description?: string | null;
            /** @description The types of events that it gets, each once */
            events?: ("deposit.created" | "deposit.unattributed" | "withdrawal.confirmed" | "withdrawal.failed" | "withdrawal.awaiting_approval" | "payout.completed" | "asset.changed" | "endpoint.disabled")[] | null;
            /** @description Whether it is in use */
            enabled?: boolean | null;
        };
        User: {
            /** @description The id of it */
            id: string;
            /** @description The e-mail address */
            email: string;
            /** @description What people call it */
            name: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
        };
        UserAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["User"];
        };
        Wallet: {
            /** @description The id of it */
            id: string;
            /** @description What people call it */
            name: string;
            /**
             * @description The Stellar network
             * @enum {string}
             */
            network: "sandbox" | "testnet" | "public";
            /** @description The wallet’s Stellar account (G…) */
            account: string;
            /**
             * @description `unfunded`: the ledger does not have its account yet
             * @enum {string}
             */
            status: "unfunded" | "active";
            /** @description Whether a memo text of digits counts as a memo id; applies to deposits read afterwards */
            numeric_memo_text: boolean;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
        };
        WalletAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Wallet"];
        };
        WalletAsset: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null or absent for the native asset */
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
                /** @description Whether the issuer must allow each trust line */
                auth_required: boolean;
                /** @description Whether the issuer may take that back */
                auth_revocable: boolean;
                /** @description Whether the issuer may take back what it has paid */
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
        WalletAssetAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WalletAsset"];
        };
        WalletAssetList: {
            /** @description The assets of the wallet */
            items: components["schemas"]["WalletAsset"][];
        };
        WalletAssetListAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WalletAssetList"];
        };
        WalletHealth: {
            /** @description Whether deposits are read */
            deposits: {
                /** @description Whether it works */
                ok: boolean;
                /** @description In words, for a person */
                message: string;
                /** @description How many seconds the reading is behind the network; null when it is unknown */
                lag_seconds: number | null;
            };
            /** @description Whether something blocks the withdrawals of this wallet */
            withdrawals: {
                /** @description Whether it works */
                ok: boolean;
                /** @description In words, for a person */
                message: string;
            };
            /** @description Whether the endpoints of the wallet get their deliveries */
            webhooks: {
                /** @description Whether it works */
                ok: boolean;
                /** @description In words, for a person */
                message: string;
                /** @description Endpoints of the wallet */
                total: number;
                /** @description Endpoints whose last attempt failed */
                failing: number;
                /** @description Endpoints that the service has disabled */
                disabled: number;
            };
            /** @description Whether there are channel accounts for withdrawals */
            channels: {
                /** @description Whether it works */
                ok: boolean;
                /** @description In words, for a person */
                message: string;
                /** @description Channel accounts that nothing uses now */
                free: number;
                /** @description Channel accounts; all wallets share them */
                total: number;
            };
            /** @description Whether the books agree with the ledger */
            reconciliation: {
                /** @description Whether it works */
                ok: boolean;
                /** @description In words, for a person */
                message: string;
                /** @description Null before the first comparison */
                ledger: number | null;
                /** @description Time of the comparison; null before the first one */
                checked_at: string | null;
            };
            /** @description Whether this version of the service reads the protocol of the network, and the next one that a source supports */
            protocol: {
                /** @description Whether it works */
                ok: boolean;
                /** @description In words, for a person */
                message: string;
            };
            /** @description What waits for a person */
            inbox: {
                /** @description Deposits without a deposit address that are not refunded; 1000 means that many or more */
                unattributed: number;
                /** @description How many of these are own funds, as in the statistics: nobody has to assign or refund them */
                own_funds: number;
            };
        };
        WalletHealthAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WalletHealth"];
        };
        WalletPage: {
            /** @description The items of the page */
            items: components["schemas"]["Wallet"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        WalletPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WalletPage"];
        };
        WebhookAttempt: {
            /** @description Counts the attempts, from 1 on */
            number: number;
            /**
             * Format: date-time
             * @description When the attempt began
             */
            started_at: string;
            /** @description How long the attempt took */
            duration_ms: number;
            /** @description The headers that were sent; null if the attempt was not recorded */
            request_headers: {
                [key: string]: string;
            } | null;
            /** @description The HTTP status of the answer; null when there was none */
            status_code: number | null;
            /** @description Why there was no answer; null if there was one */
            error: string | null;
            /** @description The first 1 KiB of the answer */
            response_body: string | null;
        };
        WebhookDelivery: {
            /** @description The id of it */
            id: string;
            /** @description The id of the webhook endpoint */
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            /** @description What has happened */
            event: string;
            /** @description What the event tells of; null for a test event */
            subject: components["schemas"]["WebhookSubject"] | null;
            /**
             * Format: exact-integer
             * @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence
             */
            sequence: bigint;
            /**
             * @description `pending`: it is neither acknowledged nor given up
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts so far */
            attempts: number;
            /** @description Null unless pending */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it had its outcome; null before */
            settled_at: string | null;
        };
        WebhookDeliveryAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WebhookDelivery"];
        };
        WebhookDeliveryWithBody: {
            /** @description The id of it */
            id: string;
            /** @description The id of the webhook endpoint */
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            /** @description What has happened */
            event: string;
            /** @description What the event tells of; null for a test event */
            subject: components["schemas"]["WebhookSubject"] | null;
            /**
             * Format: exact-integer
             * @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence
             */
            sequence: bigint;
            /**
             * @description `pending`: it is neither acknowledged nor given up
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts so far */
            attempts: number;
            /** @description Null unless pending */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it had its outcome; null before */
            settled_at: string | null;
            /** @description The latest 50 attempts, oldest first. They are deleted WEBHOOK_LOG_DAYS after the delivery was acknowledged. */
            attempt_log: components["schemas"]["WebhookAttempt"][];
            body: components["schemas"]["WebhookEventBody"];
        };
        WebhookDeliveryWithBodyAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WebhookDeliveryWithBody"];
        };
        WebhookEndpoint: {
            /** @description The id of it */
            id: string;
            /** @description The id of the wallet */
            wallet_id: string;
            /** @description Where it is sent */
            url: string;
            /** @description What people call it; it is not sent */
            description: string | null;
            /** @description The types of events that it gets. Later versions may have more types */
            events: string[];
            /** @description Whether it is in use */
            enabled: boolean;
            /** @description Why the service disabled the endpoint; null while it is enabled, and if its owner disabled it */
            disabled_reason: string | null;
            /** @description Since when every attempt has failed; null if the last one succeeded. After two days without an attempt the time starts again */
            failing_since: string | null;
            /** @description When the receiver passed an exam last; null if it has not passed one at this URL */
            exam_passed_at: string | null;
            created_by: components["schemas"]["EndpointMaker"];
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
        };
        WebhookEndpointAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WebhookEndpoint"];
        };
        WebhookEndpointPage: {
            /** @description The items of the page */
            items: components["schemas"]["WebhookEndpoint"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        WebhookEndpointPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WebhookEndpointPage"];
        };
        /** @description How an endpoint has answered lately */
        WebhookEndpointStatistics: {
            /**
             * Format: date-time
             * @description 24 hours ago
             */
            since: string;
            /** @description The newest deliveries that were made since then, 2,000 at most: what the rest is about */
            deliveries: number;
            /** @description Attempts that were recorded, at most the last 50 of a delivery */
            attempts: number;
            /** @description Attempts that got a 2xx response */
            acknowledged: number;
            /** @description Within how many milliseconds 95 of 100 responses came; null without a response */
            p95_ms: number | null;
        };
        WebhookEndpointStatisticsAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WebhookEndpointStatistics"];
        };
        WebhookEvent: {
            /** @description Sent as webhook-id */
            id: string;
            /** @description What has happened */
            event: string;
            /**
             * Format: exact-integer
             * @description Its number, which orders the events
             */
            sequence: bigint;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description The exact text that is sent: {"event": …, "data": …} */
            body: string;
            /** @description Of a delivery to the endpoint that is sent now; null without webhook_id */
            headers: {
                [key: string]: string;
            } | null;
        };
        /** @description Exactly the JSON that is sent: {"event": …, "data": …} */
        WebhookEventBody: {
            [key: string]: unknown;
        };
        WebhookExam: {
            /** @description True when every case has passed. `unseen` says what the cases could not show */
            passed: boolean;
            /** @description The cases, in the order in which they were sent */
            cases: components["schemas"]["WebhookExamCase"][];
            /** @description Typical faults that neither the answers nor a look-up of the receiver could show: look yourself. Empty when there are none */
            unseen: string[];
        };
        WebhookExamAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WebhookExam"];
        };
        WebhookExamAttempt: {
            /** @description Sent as webhook-id, unless the case leaves it out */
            event_id: string;
            /** @description The HTTP status of the answer; null when there was none */
            status_code: number | null;
            /** @description Why there was no answer; null if there was one */
            error: string | null;
            /** @description How long the attempt took */
            duration_ms: number;
        };
        WebhookExamCase: {
            /** @description The name of the case */
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
        /** @description What an event tells of */
        WebhookSubject: {
            /**
             * @description What it is
             * @enum {string}
             */
            type: "deposit" | "withdrawal" | "payout" | "asset" | "endpoint";
            /** @description As in the paths of the API; CODE:ISSUER of an asset */
            id: string;
            /** @description Label of the deposit address that was paid, as it is now; destination of a withdrawal; name of a payout; URL of an endpoint */
            name: string | null;
            /** @description The native asset is `native` */
            asset_code: string | null;
            /** @description Null or absent for the native asset */
            asset_issuer: string | null;
            /** @description The sum of the amounts */
            amount_stroops: bigint | null;
        };
        WithdrawBody: {
            /** @description G…, M…, C… or W… address; required without `payee_id` */
            destination?: string | null;
            /** @description In place of the destination: a payee of the team, with its memo and its asset where it has them */
            payee_id?: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            /** @description The native asset is `native` */
            asset_code?: components["schemas"]["AssetCode"] | null;
            /** @description Null or absent for the native asset */
            asset_issuer?: components["schemas"]["AssetIssuer"] | null;
            /** @description With a contract (C…) it makes the muxed contract (W…) with this id */
            memo_id?: components["schemas"]["MemoId"] | null;
            /** @description True: pay an asset back to its issuer, which destroys it */
            allow_issuer?: boolean | null;
            /** @description Your own name for the payment; it is not sent to the network */
            reference?: string | null;
        };
        Withdrawal: {
            /** @description The id of it */
            id: string;
            /** @description The id of the wallet */
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
            /** @description The address of the payee */
            destination: string;
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            /** @description The id in the memo; null for none */
            memo_id: components["schemas"]["MemoId"] | null;
            /** @description The payee of the team that it pays, as it was when it was asked for */
            payee_id: string | null;
            /** @description The ledger that has the transaction; null while none has it */
            ledger: number | null;
            /** @description The fee that the wallet paid; 0 when somebody else paid it: a channel account, the treasury, a stranger */
            fee_stroops: bigint | null;
            /** @description Who paid the fee: the wallet, a channel account or the treasury of this service, or a stranger who fee-bumped the transaction. Null where the ledger does not have it */
            fee_paid_by: ("wallet" | "channel" | "treasury" | "other") | null;
            /** @description Why it failed; null unless it failed */
            failure: components["schemas"]["Failure"] | null;
            /** @description The key of the withdrawal, for ever */
            idempotency_key: string;
            /** @description What you call it; of a row of a payout, the reference of the row */
            reference: string | null;
            /** @description The deposit that this withdrawal pays back, with MEMO_RETURN of its transaction hash */
            refund_of: string | null;
            /** @description The payout whose row it pays */
            payout_id: string | null;
            /** @description The number of that row in its file, from 1 on */
            payout_row: number | null;
            /** @description Fee-bump transactions made around the payment; a payment through a channel account has one, unless the channel pays its fee */
            fee_bumps: number;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description When it was signed; null before */
            signed_at: string | null;
            /** @description When the envelope was committed; it is sent at once after that, never before */
            committed_at: string | null;
            /** @description After this time no ledger can take the payment; null until it is signed */
            expires_at: string | null;
            /** @description When it had its outcome; null before */
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
            /** @description Why it needs approvals. `amount`: what it pays is above the amount of its asset, or its asset has none. `sum`: only with what the wallet has paid of the asset without approvals in 24 hours. Null when it needs none */
            approvals_cause: ("amount" | "sum") | null;
        };
        WithdrawalAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["Withdrawal"];
        };
        WithdrawalAwaitingApprovalEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "withdrawal.awaiting_approval";
            data: components["schemas"]["Withdrawal"];
        };
        WithdrawalAwaitingApprovalTestEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "withdrawal.awaiting_approval.test";
            data: components["schemas"]["Withdrawal"];
        };
        WithdrawalConfirmedEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "withdrawal.confirmed";
            data: components["schemas"]["Withdrawal"];
        };
        WithdrawalConfirmedTestEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "withdrawal.confirmed.test";
            data: components["schemas"]["Withdrawal"];
        };
        WithdrawalFailedEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "withdrawal.failed";
            data: components["schemas"]["Withdrawal"];
        };
        WithdrawalFailedTestEvent: {
            /**
             * @description What has happened
             * @constant
             */
            event: "withdrawal.failed.test";
            data: components["schemas"]["Withdrawal"];
        };
        WithdrawalPage: {
            /** @description The items of the page */
            items: components["schemas"]["Withdrawal"][];
            /** @description The `cursor` of the next page; null on the last one */
            next_cursor: string | null;
        };
        WithdrawalPageAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WithdrawalPage"];
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
             * Format: exact-integer
             * @description Estimate of what the wallet pays: what 9 of 10 recent transactions paid. Through a channel account it is twice that, or 0 where channels pay their fees. Of a contract transfer the whole fee that it declares, of which most comes back; 0 when it cannot be simulated, and when the treasury pays. From 0 to 9223372036854775807.
             */
            fee_stroops: bigint;
            /**
             * Format: exact-integer
             * @description The fee is never higher. From 0 to 9223372036854775807.
             */
            fee_max_stroops: bigint;
            /** @description The fee of a contract transfer, whoever pays it; null for other withdrawals, and when it cannot be simulated */
            contract_fee: components["schemas"]["ContractFee"] | null;
            /**
             * @description `treasury` where the operator pays the fees of all wallets; otherwise `wallet`, though a channel account may pay in its place
             * @enum {string}
             */
            fee_paid_by: "wallet" | "treasury";
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            /**
             * Format: exact-integer
             * @description What the wallet holds of the asset. From 0 to 9223372036854775807.
             */
            balance_stroops: bigint;
            /**
             * Format: exact-integer
             * @description What the account must keep for its ledger entries; of an issued asset 0. From 0 to 9223372036854775807.
             */
            reserve_stroops: bigint;
            /**
             * Format: exact-integer
             * @description The native balance that can pay the fee: less reserve, liabilities and withdrawals in flight. From 0 to 9223372036854775807.
             */
            fee_available_stroops: bigint;
            /** @description How much more of an issued asset the destination can hold; null where there is no limit */
            room_stroops: bigint | null;
            /**
             * Format: exact-integer
             * @description Balance less reserve, liabilities and withdrawals in flight. From 0 to 9223372036854775807.
             */
            available_stroops: bigint;
            /** @description Estimate, withdrawals in flight counted as paid; null when there is a problem */
            balance_after_stroops: bigint | null;
            /** @description False when the withdrawal would be refused: nothing is sent then */
            would_send: boolean;
            /** @description How many members must approve it before it is signed; 0 when it needs no approvals */
            approvals_required: number;
            /** @description Why it needs approvals. `amount`: what it pays is above the amount of its asset, or its asset has none. `sum`: only with what the wallet has paid of the asset without approvals in 24 hours. Null when it needs none */
            approvals_cause: ("amount" | "sum") | null;
            /**
             * Format: exact-integer
             * @description What the wallet has paid of the asset without approvals in the last 24 hours; 0 where the policy does not count it
             */
            unapproved_stroops: bigint;
            /** @description Why it would be refused (the error codes of a withdrawal), or why the network would fail it (op_…, tx_…: sent, and `failed`) */
            problems: components["schemas"]["Problem"][];
        };
        WithdrawalPreviewAnswer: {
            /** @description The HTTP status */
            statusCode: number;
            /** @description In words, for a person */
            message: string;
            data: components["schemas"]["WithdrawalPreview"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AcceptInvitationBody = components['schemas']['AcceptInvitationBody'];
export type AccessChange = components['schemas']['AccessChange'];
export type AccessChangeAnswer = components['schemas']['AccessChangeAnswer'];
export type AddAssetBody = components['schemas']['AddAssetBody'];
export type AddMemberBody = components['schemas']['AddMemberBody'];
export type AddPasskeyBody = components['schemas']['AddPasskeyBody'];
export type Adjustment = components['schemas']['Adjustment'];
export type AdjustmentAnswer = components['schemas']['AdjustmentAnswer'];
export type AlertKind = components['schemas']['AlertKind'];
export type Alerts = components['schemas']['Alerts'];
export type AlertsAnswer = components['schemas']['AlertsAnswer'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyAnswer = components['schemas']['ApiKeyAnswer'];
export type Approval = components['schemas']['Approval'];
export type ApprovalRule = components['schemas']['ApprovalRule'];
export type AssetAmount = components['schemas']['AssetAmount'];
export type AssetChangedEvent = components['schemas']['AssetChangedEvent'];
export type AssetChangedTestEvent = components['schemas']['AssetChangedTestEvent'];
export type AssetCode = components['schemas']['AssetCode'];
export type AssetIssuer = components['schemas']['AssetIssuer'];
export type AssetLimits = components['schemas']['AssetLimits'];
export type AssetText = components['schemas']['AssetText'];
export type AssignDepositBody = components['schemas']['AssignDepositBody'];
export type AuditAction = components['schemas']['AuditAction'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditEntryPage = components['schemas']['AuditEntryPage'];
export type AuditEntryPageAnswer = components['schemas']['AuditEntryPageAnswer'];
export type AwaitingApproval = components['schemas']['AwaitingApproval'];
export type AwaitingApprovalPage = components['schemas']['AwaitingApprovalPage'];
export type AwaitingApprovalPageAnswer = components['schemas']['AwaitingApprovalPageAnswer'];
export type Balance = components['schemas']['Balance'];
export type BalancePage = components['schemas']['BalancePage'];
export type BalancePageAnswer = components['schemas']['BalancePageAnswer'];
export type BeginPasskeyBody = components['schemas']['BeginPasskeyBody'];
export type BeginTotpAnswer = components['schemas']['BeginTotpAnswer'];
export type BeginTotpBody = components['schemas']['BeginTotpBody'];
export type BeginTotpData = components['schemas']['BeginTotpData'];
export type ChangeDepositAddressBody = components['schemas']['ChangeDepositAddressBody'];
export type ChangeMemberBody = components['schemas']['ChangeMemberBody'];
export type ChangePasswordBody = components['schemas']['ChangePasswordBody'];
export type ChangeServiceUserAnswer = components['schemas']['ChangeServiceUserAnswer'];
export type ChangeServiceUserBody = components['schemas']['ChangeServiceUserBody'];
export type ChangeServiceUserData = components['schemas']['ChangeServiceUserData'];
export type ChangeTeamBody = components['schemas']['ChangeTeamBody'];
export type ChangeWalletBody = components['schemas']['ChangeWalletBody'];
export type ChangedAlerts = components['schemas']['ChangedAlerts'];
export type ChangedAlertsAnswer = components['schemas']['ChangedAlertsAnswer'];
export type Check = components['schemas']['Check'];
export type ConfirmTotpBody = components['schemas']['ConfirmTotpBody'];
export type ContractFee = components['schemas']['ContractFee'];
export type CreateApiKeyBody = components['schemas']['CreateApiKeyBody'];
export type CreateDepositAddressBody = components['schemas']['CreateDepositAddressBody'];
export type CreateInvitationBody = components['schemas']['CreateInvitationBody'];
export type CreatePayoutBody = components['schemas']['CreatePayoutBody'];
export type CreateServiceUserBody = components['schemas']['CreateServiceUserBody'];
export type CreateWalletBody = components['schemas']['CreateWalletBody'];
export type DayOfWallet = components['schemas']['DayOfWallet'];
export type DecidedApproval = components['schemas']['DecidedApproval'];
export type DecidedApprovalPage = components['schemas']['DecidedApprovalPage'];
export type DecidedApprovalPageAnswer = components['schemas']['DecidedApprovalPageAnswer'];
export type DecisionBody = components['schemas']['DecisionBody'];
export type DeletedNamedApiKey = components['schemas']['DeletedNamedApiKey'];
export type DeletedNamedApiKeyAnswer = components['schemas']['DeletedNamedApiKeyAnswer'];
export type Deposit = components['schemas']['Deposit'];
export type DepositAddress = components['schemas']['DepositAddress'];
export type DepositAddressAnswer = components['schemas']['DepositAddressAnswer'];
export type DepositAddressWithReceived = components['schemas']['DepositAddressWithReceived'];
export type DepositAddressWithReceivedAnswer = components['schemas']['DepositAddressWithReceivedAnswer'];
export type DepositAnswer = components['schemas']['DepositAnswer'];
export type DepositCreatedEvent = components['schemas']['DepositCreatedEvent'];
export type DepositCreatedTestEvent = components['schemas']['DepositCreatedTestEvent'];
export type DepositDelivery = components['schemas']['DepositDelivery'];
export type DepositDeliveryPage = components['schemas']['DepositDeliveryPage'];
export type DepositDeliveryPageAnswer = components['schemas']['DepositDeliveryPageAnswer'];
export type DepositMinimums = components['schemas']['DepositMinimums'];
export type DepositMinimumsAnswer = components['schemas']['DepositMinimumsAnswer'];
export type DepositPage = components['schemas']['DepositPage'];
export type DepositPageAnswer = components['schemas']['DepositPageAnswer'];
export type DepositTestEvent = components['schemas']['DepositTestEvent'];
export type DepositUnattributedEvent = components['schemas']['DepositUnattributedEvent'];
export type DepositUnattributedTestEvent = components['schemas']['DepositUnattributedTestEvent'];
export type Empty = components['schemas']['Empty'];
export type EmptyAnswer = components['schemas']['EmptyAnswer'];
export type EmptyBody = components['schemas']['EmptyBody'];
export type EndOtherSessionsAnswer = components['schemas']['EndOtherSessionsAnswer'];
export type EndOtherSessionsData = components['schemas']['EndOtherSessionsData'];
export type EndpointDisabledEvent = components['schemas']['EndpointDisabledEvent'];
export type EndpointDisabledTestEvent = components['schemas']['EndpointDisabledTestEvent'];
export type EndpointMaker = components['schemas']['EndpointMaker'];
export type Explanation = components['schemas']['Explanation'];
export type ExplanationAnswer = components['schemas']['ExplanationAnswer'];
export type Factor = components['schemas']['Factor'];
export type FactorAnswer = components['schemas']['FactorAnswer'];
export type FactorMethod = components['schemas']['FactorMethod'];
export type Factors = components['schemas']['Factors'];
export type FactorsAnswer = components['schemas']['FactorsAnswer'];
export type FailedAlert = components['schemas']['FailedAlert'];
export type Failure = components['schemas']['Failure'];
export type GetServiceTokenAnswer = components['schemas']['GetServiceTokenAnswer'];
export type GetServiceTokenBody = components['schemas']['GetServiceTokenBody'];
export type GetServiceTokenData = components['schemas']['GetServiceTokenData'];
export type GetServiceTokenForm = components['schemas']['GetServiceTokenForm'];
export type GetStatisticsAnswer = components['schemas']['GetStatisticsAnswer'];
export type GetStatisticsData = components['schemas']['GetStatisticsData'];
export type GivenApprovalRule = components['schemas']['GivenApprovalRule'];
export type GivenAssetAmount = components['schemas']['GivenAssetAmount'];
export type GivenAssetLimits = components['schemas']['GivenAssetLimits'];
export type GivenPublicKey = components['schemas']['GivenPublicKey'];
export type IdAndName = components['schemas']['IdAndName'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationPage = components['schemas']['InvitationPage'];
export type InvitationPageAnswer = components['schemas']['InvitationPageAnswer'];
export type IssuedAssetText = components['schemas']['IssuedAssetText'];
export type Joined = components['schemas']['Joined'];
export type JoinedAnswer = components['schemas']['JoinedAnswer'];
export type ListEventsAnswer = components['schemas']['ListEventsAnswer'];
export type ListEventsData = components['schemas']['ListEventsData'];
export type ListedDepositAddress = components['schemas']['ListedDepositAddress'];
export type ListedDepositAddressPage = components['schemas']['ListedDepositAddressPage'];
export type ListedDepositAddressPageAnswer = components['schemas']['ListedDepositAddressPageAnswer'];
export type LoggedIn = components['schemas']['LoggedIn'];
export type LoggedInAnswer = components['schemas']['LoggedInAnswer'];
export type LoggedWebhookDelivery = components['schemas']['LoggedWebhookDelivery'];
export type LoggedWebhookDeliveryPage = components['schemas']['LoggedWebhookDeliveryPage'];
export type LoggedWebhookDeliveryPageAnswer = components['schemas']['LoggedWebhookDeliveryPageAnswer'];
export type LoginBody = components['schemas']['LoginBody'];
export type LoginChallenge = components['schemas']['LoginChallenge'];
export type Made = components['schemas']['Made'];
export type Me = components['schemas']['Me'];
export type MeAnswer = components['schemas']['MeAnswer'];
export type Member = components['schemas']['Member'];
export type MemberAnswer = components['schemas']['MemberAnswer'];
export type MemberPage = components['schemas']['MemberPage'];
export type MemberPageAnswer = components['schemas']['MemberPageAnswer'];
export type MemoId = components['schemas']['MemoId'];
export type Metadata = components['schemas']['Metadata'];
export type NamedApiKey = components['schemas']['NamedApiKey'];
export type NamedApiKeyPage = components['schemas']['NamedApiKeyPage'];
export type NamedApiKeyPageAnswer = components['schemas']['NamedApiKeyPageAnswer'];
export type NewFactor = components['schemas']['NewFactor'];
export type NewFactorAnswer = components['schemas']['NewFactorAnswer'];
export type NewInvitation = components['schemas']['NewInvitation'];
export type NewInvitationAnswer = components['schemas']['NewInvitationAnswer'];
export type NewNamedApiKey = components['schemas']['NewNamedApiKey'];
export type NewNamedApiKeyAnswer = components['schemas']['NewNamedApiKeyAnswer'];
export type NewPasskey = components['schemas']['NewPasskey'];
export type NewServiceUser = components['schemas']['NewServiceUser'];
export type NewServiceUserAnswer = components['schemas']['NewServiceUserAnswer'];
export type NewServiceUserSecret = components['schemas']['NewServiceUserSecret'];
export type NewServiceUserSecretAnswer = components['schemas']['NewServiceUserSecretAnswer'];
export type NewWallet = components['schemas']['NewWallet'];
export type NewWalletAnswer = components['schemas']['NewWalletAnswer'];
export type NewWebhookEndpoint = components['schemas']['NewWebhookEndpoint'];
export type NewWebhookEndpointAnswer = components['schemas']['NewWebhookEndpointAnswer'];
export type PaidAmount = components['schemas']['PaidAmount'];
export type PasskeyAssertion = components['schemas']['PasskeyAssertion'];
export type PasskeyOptions = components['schemas']['PasskeyOptions'];
export type PasskeyOptionsAnswer = components['schemas']['PasskeyOptionsAnswer'];
export type PasskeyProof = components['schemas']['PasskeyProof'];
export type PasskeyRegistration = components['schemas']['PasskeyRegistration'];
export type PayOnSandboxAnswer = components['schemas']['PayOnSandboxAnswer'];
export type PayOnSandboxBody = components['schemas']['PayOnSandboxBody'];
export type PayOnSandboxData = components['schemas']['PayOnSandboxData'];
export type Payee = components['schemas']['Payee'];
export type PayeeAnswer = components['schemas']['PayeeAnswer'];
export type PayeeBody = components['schemas']['PayeeBody'];
export type PayeeChangeBody = components['schemas']['PayeeChangeBody'];
export type PayeePage = components['schemas']['PayeePage'];
export type PayeePageAnswer = components['schemas']['PayeePageAnswer'];
export type PayeeWithPaid = components['schemas']['PayeeWithPaid'];
export type PayeeWithPaidAnswer = components['schemas']['PayeeWithPaidAnswer'];
export type Payout = components['schemas']['Payout'];
export type PayoutAnswer = components['schemas']['PayoutAnswer'];
export type PayoutColumn = components['schemas']['PayoutColumn'];
export type PayoutCompletedEvent = components['schemas']['PayoutCompletedEvent'];
export type PayoutCompletedTestEvent = components['schemas']['PayoutCompletedTestEvent'];
export type PayoutCounts = components['schemas']['PayoutCounts'];
export type PayoutLargestRow = components['schemas']['PayoutLargestRow'];
export type PayoutPage = components['schemas']['PayoutPage'];
export type PayoutPageAnswer = components['schemas']['PayoutPageAnswer'];
export type PayoutProblem = components['schemas']['PayoutProblem'];
export type PayoutReading = components['schemas']['PayoutReading'];
export type PayoutReason = components['schemas']['PayoutReason'];
export type PayoutReport = components['schemas']['PayoutReport'];
export type PayoutReportAnswer = components['schemas']['PayoutReportAnswer'];
export type PayoutReportTotal = components['schemas']['PayoutReportTotal'];
export type PayoutRow = components['schemas']['PayoutRow'];
export type PayoutRowBody = components['schemas']['PayoutRowBody'];
export type PayoutRowPage = components['schemas']['PayoutRowPage'];
export type PayoutRowPageAnswer = components['schemas']['PayoutRowPageAnswer'];
export type PayoutSampleRow = components['schemas']['PayoutSampleRow'];
export type PayoutTotal = components['schemas']['PayoutTotal'];
export type PendingPolicyChange = components['schemas']['PendingPolicyChange'];
export type PendingPolicyChangeAnswer = components['schemas']['PendingPolicyChangeAnswer'];
export type Ping = components['schemas']['Ping'];
export type PingEvent = components['schemas']['PingEvent'];
export type Policy = components['schemas']['Policy'];
export type PolicyAnswer = components['schemas']['PolicyAnswer'];
export type PolicyBody = components['schemas']['PolicyBody'];
export type Problem = components['schemas']['Problem'];
export type ProveSecondFactorBody = components['schemas']['ProveSecondFactorBody'];
export type PublicKey = components['schemas']['PublicKey'];
export type ReadInvitationBody = components['schemas']['ReadInvitationBody'];
export type Readiness = components['schemas']['Readiness'];
export type ReadinessAnswer = components['schemas']['ReadinessAnswer'];
export type ReceivedAsset = components['schemas']['ReceivedAsset'];
export type ReceivedInvitation = components['schemas']['ReceivedInvitation'];
export type ReceivedInvitationAnswer = components['schemas']['ReceivedInvitationAnswer'];
export type Reconciliation = components['schemas']['Reconciliation'];
export type ReconciliationAnswer = components['schemas']['ReconciliationAnswer'];
export type ReconciliationItem = components['schemas']['ReconciliationItem'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type RefundBody = components['schemas']['RefundBody'];
export type RegeneratedApiKey = components['schemas']['RegeneratedApiKey'];
export type RegeneratedApiKeyAnswer = components['schemas']['RegeneratedApiKeyAnswer'];
export type RegisterWebhookBody = components['schemas']['RegisterWebhookBody'];
export type RemoveServiceUserAnswer = components['schemas']['RemoveServiceUserAnswer'];
export type RemoveServiceUserData = components['schemas']['RemoveServiceUserData'];
export type RemovedMember = components['schemas']['RemovedMember'];
export type RemovedMemberAnswer = components['schemas']['RemovedMemberAnswer'];
export type RenameFactorBody = components['schemas']['RenameFactorBody'];
export type RenewTokenAnswer = components['schemas']['RenewTokenAnswer'];
export type RenewTokenData = components['schemas']['RenewTokenData'];
export type ReplaceAlertsBody = components['schemas']['ReplaceAlertsBody'];
export type ReplaceDepositMinimumsBody = components['schemas']['ReplaceDepositMinimumsBody'];
export type ReplaceRecoveryCodesAnswer = components['schemas']['ReplaceRecoveryCodesAnswer'];
export type ReplaceRecoveryCodesData = components['schemas']['ReplaceRecoveryCodesData'];
export type ReplayWebhookAnswer = components['schemas']['ReplayWebhookAnswer'];
export type ReplayWebhookBody = components['schemas']['ReplayWebhookBody'];
export type ReplayWebhookData = components['schemas']['ReplayWebhookData'];
export type Role = components['schemas']['Role'];
export type Scope = components['schemas']['Scope'];
export type SearchResult = components['schemas']['SearchResult'];
export type SearchResultPage = components['schemas']['SearchResultPage'];
export type SearchResultPageAnswer = components['schemas']['SearchResultPageAnswer'];
export type Service = components['schemas']['Service'];
export type ServiceAnswer = components['schemas']['ServiceAnswer'];
export type ServiceRole = components['schemas']['ServiceRole'];
export type ServiceUser = components['schemas']['ServiceUser'];
export type ServiceUserAnswer = components['schemas']['ServiceUserAnswer'];
export type ServiceUserPage = components['schemas']['ServiceUserPage'];
export type ServiceUserPageAnswer = components['schemas']['ServiceUserPageAnswer'];
export type ServiceUserSecret = components['schemas']['ServiceUserSecret'];
export type ServiceUserSecretAnswer = components['schemas']['ServiceUserSecretAnswer'];
export type Session = components['schemas']['Session'];
export type SessionAnswer = components['schemas']['SessionAnswer'];
export type SessionPage = components['schemas']['SessionPage'];
export type SessionPageAnswer = components['schemas']['SessionPageAnswer'];
export type SourceProtocol = components['schemas']['SourceProtocol'];
export type StepUp = components['schemas']['StepUp'];
export type StepUpBody = components['schemas']['StepUpBody'];
export type SteppedUp = components['schemas']['SteppedUp'];
export type SteppedUpAnswer = components['schemas']['SteppedUpAnswer'];
export type Stroops = components['schemas']['Stroops'];
export type Team = components['schemas']['Team'];
export type TeamAnswer = components['schemas']['TeamAnswer'];
export type TestAsset = components['schemas']['TestAsset'];
export type TestWebhookBody = components['schemas']['TestWebhookBody'];
export type Transaction = components['schemas']['Transaction'];
export type TransactionPage = components['schemas']['TransactionPage'];
export type TransactionPageAnswer = components['schemas']['TransactionPageAnswer'];
export type UpdateWebhookBody = components['schemas']['UpdateWebhookBody'];
export type User = components['schemas']['User'];
export type UserAnswer = components['schemas']['UserAnswer'];
export type Wallet = components['schemas']['Wallet'];
export type WalletAnswer = components['schemas']['WalletAnswer'];
export type WalletAsset = components['schemas']['WalletAsset'];
export type WalletAssetAnswer = components['schemas']['WalletAssetAnswer'];
export type WalletAssetList = components['schemas']['WalletAssetList'];
export type WalletAssetListAnswer = components['schemas']['WalletAssetListAnswer'];
export type WalletHealth = components['schemas']['WalletHealth'];
export type WalletHealthAnswer = components['schemas']['WalletHealthAnswer'];
export type WalletPage = components['schemas']['WalletPage'];
export type WalletPageAnswer = components['schemas']['WalletPageAnswer'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryAnswer = components['schemas']['WebhookDeliveryAnswer'];
export type WebhookDeliveryWithBody = components['schemas']['WebhookDeliveryWithBody'];
export type WebhookDeliveryWithBodyAnswer = components['schemas']['WebhookDeliveryWithBodyAnswer'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type WebhookEndpointAnswer = components['schemas']['WebhookEndpointAnswer'];
export type WebhookEndpointPage = components['schemas']['WebhookEndpointPage'];
export type WebhookEndpointPageAnswer = components['schemas']['WebhookEndpointPageAnswer'];
export type WebhookEndpointStatistics = components['schemas']['WebhookEndpointStatistics'];
export type WebhookEndpointStatisticsAnswer = components['schemas']['WebhookEndpointStatisticsAnswer'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type WebhookEventBody = components['schemas']['WebhookEventBody'];
export type WebhookExam = components['schemas']['WebhookExam'];
export type WebhookExamAnswer = components['schemas']['WebhookExamAnswer'];
export type WebhookExamAttempt = components['schemas']['WebhookExamAttempt'];
export type WebhookExamCase = components['schemas']['WebhookExamCase'];
export type WebhookSubject = components['schemas']['WebhookSubject'];
export type WithdrawBody = components['schemas']['WithdrawBody'];
export type Withdrawal = components['schemas']['Withdrawal'];
export type WithdrawalAnswer = components['schemas']['WithdrawalAnswer'];
export type WithdrawalAwaitingApprovalEvent = components['schemas']['WithdrawalAwaitingApprovalEvent'];
export type WithdrawalAwaitingApprovalTestEvent = components['schemas']['WithdrawalAwaitingApprovalTestEvent'];
export type WithdrawalConfirmedEvent = components['schemas']['WithdrawalConfirmedEvent'];
export type WithdrawalConfirmedTestEvent = components['schemas']['WithdrawalConfirmedTestEvent'];
export type WithdrawalFailedEvent = components['schemas']['WithdrawalFailedEvent'];
export type WithdrawalFailedTestEvent = components['schemas']['WithdrawalFailedTestEvent'];
export type WithdrawalPage = components['schemas']['WithdrawalPage'];
export type WithdrawalPageAnswer = components['schemas']['WithdrawalPageAnswer'];
export type WithdrawalPreview = components['schemas']['WithdrawalPreview'];
export type WithdrawalPreviewAnswer = components['schemas']['WithdrawalPreviewAnswer'];
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the session
                 * @example ses_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the session
                 * @example ses_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProveSecondFactorBody"];
            };
        };
        responses: {
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
                /**
                 * @description The id of the factor
                 * @example factor id
                 */
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
                /**
                 * @description The id of the factor
                 * @example factor id
                 */
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
                /**
                 * @description The id of the factor
                 * @example factor id
                 */
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description `true`: those who have left the team and are not back, for the names of who asked and approved */
                former?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberAnswer"];
                };
            };
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
                /**
                 * @description The id of the user
                 * @example usr_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The id of the user
                 * @example usr_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberAnswer"];
                };
            };
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitationAnswer"];
                };
            };
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
                /**
                 * @description The id of the invitation
                 * @example invitation id
                 */
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
    readInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadInvitationBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedInvitationAnswer"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationBody"];
            };
        };
        responses: {
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Only entries of this action */
                action?: components["schemas"]["AuditAction"];
                /**
                 * @description Only the entry with this number
                 * @example 1
                 */
                seq?: number;
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPageAnswer"];
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewServiceUserAnswer"];
                };
            };
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
                /**
                 * @description The id of the service user
                 * @example svu_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                service_user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the service user
                 * @example svu_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The id of the service user
                 * @example svu_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeServiceUserAnswer"];
                };
            };
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
                /**
                 * @description The id of the service user
                 * @example svu_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewServiceUserSecretAnswer"];
                };
            };
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
                /**
                 * @description The id of the service user
                 * @example svu_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                service_user_id: string;
                /**
                 * @description The id of the secret
                 * @example secret id
                 */
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
                /**
                 * @description The id of the access change
                 * @example access change id
                 */
                access_change_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the access change
                 * @example access change id
                 */
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
                /**
                 * @description The id of the access change
                 * @example access change id
                 */
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
    listPayees: {
        parameters: {
            query?: {
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayeePageAnswer"];
                };
            };
        };
    };
    createPayee: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayeeBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayeeAnswer"];
                };
            };
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
    getPayee: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the payee
                 * @example payee id
                 */
                payee_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayeeWithPaidAnswer"];
                };
            };
        };
    };
    deletePayee: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the payee
                 * @example payee id
                 */
                payee_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayeeAnswer"];
                };
            };
        };
    };
    changePayee: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the payee
                 * @example payee id
                 */
                payee_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayeeChangeBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayeeAnswer"];
                };
            };
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
    listWallets: {
        parameters: {
            query?: {
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Only transactions of this type */
                type?: "deposit" | "withdrawal" | "adjustment";
                /** @description Only those with this status */
                status?: "awaiting_approval" | "pending" | "confirmed" | "failed";
                /** @description Selects deposits that belong to an address, or that do not */
                attributed?: boolean;
                /** @description Created at this time or later */
                since?: string;
                /** @description Created before this time */
                until?: string;
                /** @description `native` or `CODE:ISSUER` */
                asset?: components["schemas"]["AssetText"];
                /**
                 * @description Of this amount or more
                 * @example 0
                 */
                min_amount_stroops?: bigint;
                /**
                 * @description Of this amount or less
                 * @example 0
                 */
                max_amount_stroops?: bigint;
                /** @description Beginning of a transaction hash (inner or outer), an address, an account, a memo, an id, an Idempotency-Key or a reference; or an exact amount in units (`16.43`); or part of the label or metadata of the deposit address */
                search?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description How many days, up to today
                 * @example 30
                 */
                days?: number;
                /** @description `native` or `CODE:ISSUER` */
                asset?: components["schemas"]["AssetText"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
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
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegeneratedApiKeyAnswer"];
                };
            };
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
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
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewNamedApiKeyAnswer"];
                };
            };
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the key
                 * @example key_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the address
                 * @example adr_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                address_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the address
                 * @example adr_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Created at this time or later */
                since?: string;
                /** @description Created before this time */
                until?: string;
                /** @description Beginning of an id, an M… address or a memo id; or part of the label or metadata */
                search?: string;
                /** @description created: newest first. last_deposit: by the last deposit, the newest first, then addresses without a deposit; not with `search`, `since` or `until` */
                order?: "created" | "last_deposit";
                /**
                 * @description Adds what each address has received in so many days of 24 hours, up to now
                 * @example 1
                 */
                received_days?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedDepositAddressPageAnswer"];
                };
            };
        };
    };
    createDepositAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Only deposits with a deposit address, or only those without one */
                attributed?: boolean;
                /** @description The id of the address */
                address_id?: string;
                /** @description Created at this time or later */
                since?: string;
                /** @description Created before this time */
                until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the deposit
                 * @example dep_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                deposit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the adjustment
                 * @example adjustment id
                 */
                adjustment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the deposit
                 * @example dep_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The hash of the transaction, in hex
                 * @example 3389e9f0f1a65f19736cacf544c2e825313e8447f569233bb8db39aa607c8889
                 */
                tx_hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the change
                 * @example change id
                 */
                change_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the change
                 * @example change id
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the change
                 * @example change id
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
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
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the deposit
                 * @example dep_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                deposit_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAssetAnswer"];
                };
            };
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description `native` or `CODE:ISSUER`
                 * @example native
                 */
                asset: components["schemas"]["IssuedAssetText"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description `native` or `CODE:ISSUER`
                 * @example native
                 */
                asset: components["schemas"]["IssuedAssetText"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the withdrawal
                 * @example wd_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the withdrawal
                 * @example wd_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the withdrawal
                 * @example wd_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                withdrawal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
    listDecidedApprovals: {
        parameters: {
            query?: {
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecidedApprovalPageAnswer"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                preview?: boolean;
                /** @description Of a CSV, as in a JSON body */
                name?: string;
                /** @description Of a CSV, as in a JSON body */
                expected_count?: number;
                /** @description Of a CSV, as in a JSON body */
                expected_total_stroops?: bigint;
                /** @description Of a CSV, as in a JSON body */
                decimal?: "point" | "comma";
                /** @description Of a CSV, as in a JSON body */
                makes_keys?: boolean;
                /** @description Of a CSV, as in a JSON body */
                confirm_duplicates?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreatePayoutBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutReportAnswer"];
                };
            };
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the payout
                 * @example pay_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the payout
                 * @example pay_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the payout
                 * @example pay_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the payout
                 * @example pay_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the payout
                 * @example pay_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the payout
                 * @example pay_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the payout
                 * @example pay_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the payout
                 * @example pay_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
                /** @description Only those with this status */
                status?: "waiting" | "pending" | "confirmed" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the payout
                 * @example pay_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRowPageAnswer"];
                };
            };
        };
    };
    createWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
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
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Created at this time or later */
                since?: string;
                /** @description Created before this time */
                until?: string;
                /** @description Only the withdrawal that has this key */
                idempotency_key?: string;
                /** @description Only those with this status */
                status?: "awaiting_approval";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description While it has no outcome, wait so long for it (1 to 60)
                 * @example 1
                 */
                wait_seconds?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the withdrawal
                 * @example wd_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                withdrawal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the webhook
                 * @example whe_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the webhook
                 * @example whe_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the webhook
                 * @example whe_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
    getWebhookStatistics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the webhook
                 * @example whe_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointStatisticsAnswer"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the webhook
                 * @example whe_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description The `next_cursor` of the page before; absent: the first page. Another text is refused */
                cursor?: string;
                /** @description Only those with this status */
                status?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the webhook
                 * @example whe_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the webhook
                 * @example whe_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                webhook_id: string;
                /**
                 * @description The id of the delivery
                 * @example dlv_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the webhook
                 * @example whe_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the webhook
                 * @example whe_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                webhook_id: string;
                /**
                 * @description The id of the delivery
                 * @example dlv_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the webhook
                 * @example whe_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                after?: "latest" | bigint;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /** @description Only events for this endpoint, by its `webhook-sequence`, with `headers` signed for it. */
                webhook_id?: string;
                /**
                 * @description When there is no event, wait so long for the next one
                 * @example 0
                 */
                wait_seconds?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the webhook
                 * @example whe_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
                /**
                 * @description The id of the deposit
                 * @example dep_01kf3m8z6q2r5t7v9x1c3e5g7k
                 */
                deposit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                /**
                 * @description The id of the wallet
                 * @example wal_01kf3m8z6q2r5t7v9x1c3e5g7j
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
    searchWallets: {
        parameters: {
            query: {
                /**
                 * @description The beginning of an id, hash, account, address, memo or reference, or the code of an asset; part of a name, label, metadata or URL; an exact amount in units (`16.43`); or a whole Idempotency-Key, or id of a delivery or event
                 * @example search
                 */
                search: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResultPageAnswer"];
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
            };
        };
        responses: {
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

/** `data` of each event of this version. A name that ends with `test` is of a test event, which looks like a real one: credit nothing. */
export type EventData = {
    'deposit.created': DepositCreatedEvent['data'];
    'deposit.unattributed': DepositUnattributedEvent['data'];
    'withdrawal.confirmed': WithdrawalConfirmedEvent['data'];
    'withdrawal.failed': WithdrawalFailedEvent['data'];
    'withdrawal.awaiting_approval': WithdrawalAwaitingApprovalEvent['data'];
    'payout.completed': PayoutCompletedEvent['data'];
    'asset.changed': AssetChangedEvent['data'];
    'endpoint.disabled': EndpointDisabledEvent['data'];
    'ping': PingEvent['data'];
    'deposit.test': DepositTestEvent['data'];
    'deposit.created.test': DepositCreatedTestEvent['data'];
    'deposit.unattributed.test': DepositUnattributedTestEvent['data'];
    'withdrawal.confirmed.test': WithdrawalConfirmedTestEvent['data'];
    'withdrawal.failed.test': WithdrawalFailedTestEvent['data'];
    'withdrawal.awaiting_approval.test': WithdrawalAwaitingApprovalTestEvent['data'];
    'payout.completed.test': PayoutCompletedTestEvent['data'];
    'asset.changed.test': AssetChangedTestEvent['data'];
    'endpoint.disabled.test': EndpointDisabledTestEvent['data'];
};
export const EVENTS: ReadonlySet<string> = new Set<keyof EventData>([
    'deposit.created',
    'deposit.unattributed',
    'withdrawal.confirmed',
    'withdrawal.failed',
    'withdrawal.awaiting_approval',
    'payout.completed',
    'asset.changed',
    'endpoint.disabled',
    'ping',
    'deposit.test',
    'deposit.created.test',
    'deposit.unattributed.test',
    'withdrawal.confirmed.test',
    'withdrawal.failed.test',
    'withdrawal.awaiting_approval.test',
    'payout.completed.test',
    'asset.changed.test',
    'endpoint.disabled.test',
]);

/** Codes of errors of this version; a later one may have more. */
export type ErrorCode = 'invalid_json' | 'invalid_request' | 'idempotency_key_missing' | 'idempotency_key_invalid' | 'ambiguous_destination' | 'memo_required' | 'webhook_url_not_public' | 'unsupported_grant_type' | 'unauthenticated' | 'login_required' | 'wrong_credentials' | 'invalid_client' | 'second_factor_wrong' | 'challenge_ended' | 'role_missing' | 'scope_missing' | 'person_required' | 'address_not_allowed' | 'may_not_approve' | 'factor_required' | 'second_factor_required' | 'second_factor_stopped' | 'not_found' | 'method_not_allowed' | 'idempotency_key_reused' | 'idempotency_key_in_flight' | 'idempotency_key_mismatch' | 'idempotency_answer_lost' | 'possible_duplicate' | 'asset_in_use' | 'last_owner' | 'last_factor' | 'too_few_approvers' | 'not_awaiting_approval' | 'already_decided' | 'order_changed' | 'wrong_payout_status' | 'duplicates_not_confirmed' | 'already_in_team' | 'payee_exists' | 'payee_in_use' | 'disabled_by_operator' | 'exam_running' | 'deposit_attributed' | 'deposit_refunded' | 'body_too_large' | 'unsupported_media_type' | 'misdirected_request' | 'wallet_unfunded' | 'destination_is_issuer' | 'destination_not_supported' | 'transfer_would_fail' | 'fee_above_limit' | 'asset_not_empty' | 'asset_change_failed' | 'policy_frozen' | 'policy_asset_without_limit' | 'policy_amount_limit' | 'policy_daily_limit' | 'policy_destination_not_allowed' | 'treasury_budget_spent' | 'refund_not_possible' | 'sandbox_payment_failed' | 'too_many_endpoints' | 'too_many_factors' | 'passkeys_unavailable' | 'too_many_service_users' | 'too_many_secrets' | 'too_many_api_keys' | 'too_many_access_changes' | 'too_many_invitations' | 'too_many_wallets' | 'too_many_payees' | 'payee_deleted' | 'too_many_addresses' | 'endpoint_disabled' | 'sequence_unknown' | 'too_many_logins' | 'too_many_waiting' | 'rate_limited' | 'internal_error' | 'network_unavailable' | 'treasury_unfunded' | 'ledger_not_caught_up' | 'database_unavailable' | 'search_timed_out' | 'service_stopping' | 'key_journal_unavailable' | 'key_provider_unavailable' | 'outcome_pending';

export type OperationId = keyof operations;

/**
 * `headers`: members that are sent as headers. `query`: those that a POST sends in its query. `repeatable`: the same again acts
 * once. `makes`: only with one Idempotency-Key; the client makes it where the caller gives none.
 * `timeout_ms`: where the service may need longer than for others.
 */
export const OPERATIONS: Record<
  OperationId,
  {
    method: string;
    path: string;
    headers: string[];
    query: string[];
    repeatable: boolean;
    makes?: true;
    timeout_ms?: number;
  }
> = {
    healthz: {"method":"GET","path":"/healthz","headers":[],"query":[],"repeatable":true},
    readyz: {"method":"GET","path":"/readyz","headers":[],"query":[],"repeatable":true},
    getService: {"method":"GET","path":"/v1/service","headers":[],"query":[],"repeatable":true},
    payOnSandbox: {"method":"POST","path":"/v1/sandbox/pay","headers":[],"query":[],"repeatable":false},
    listSessions: {"method":"GET","path":"/v1/auth/sessions","headers":[],"query":[],"repeatable":true},
    endOtherSessions: {"method":"DELETE","path":"/v1/auth/sessions","headers":[],"query":[],"repeatable":false},
    getSession: {"method":"GET","path":"/v1/auth/sessions/{session_id}","headers":[],"query":[],"repeatable":true},
    endSession: {"method":"DELETE","path":"/v1/auth/sessions/{session_id}","headers":[],"query":[],"repeatable":false},
    renewToken: {"method":"POST","path":"/v1/auth/token/renew","headers":[],"query":[],"repeatable":false},
    login: {"method":"POST","path":"/v1/auth/login","headers":[],"query":[],"repeatable":false},
    proveSecondFactor: {"method":"POST","path":"/v1/auth/second-factor","headers":[],"query":[],"repeatable":false},
    logout: {"method":"POST","path":"/v1/auth/logout","headers":[],"query":[],"repeatable":false},
    getMe: {"method":"GET","path":"/v1/auth/me","headers":[],"query":[],"repeatable":true},
    changePassword: {"method":"POST","path":"/v1/auth/password","headers":[],"query":[],"repeatable":false},
    stepUp: {"method":"POST","path":"/v1/auth/step-up","headers":[],"query":[],"repeatable":false},
    beginPasskeyStepUp: {"method":"POST","path":"/v1/auth/step-up/passkey","headers":[],"query":[],"repeatable":false},
    getFactors: {"method":"GET","path":"/v1/auth/factors","headers":[],"query":[],"repeatable":true},
    renameFactor: {"method":"PATCH","path":"/v1/auth/factors/{factor_id}","headers":[],"query":[],"repeatable":false},
    removeFactor: {"method":"DELETE","path":"/v1/auth/factors/{factor_id}","headers":[],"query":[],"repeatable":false},
    replaceRecoveryCodes: {"method":"POST","path":"/v1/auth/factors/recovery-codes","headers":[],"query":[],"repeatable":false},
    beginTotp: {"method":"POST","path":"/v1/auth/factors/totp","headers":[],"query":[],"repeatable":false},
    confirmTotp: {"method":"POST","path":"/v1/auth/factors/totp/{factor_id}/confirm","headers":[],"query":[],"repeatable":false},
    beginPasskey: {"method":"POST","path":"/v1/auth/factors/passkeys/options","headers":[],"query":[],"repeatable":false},
    addPasskey: {"method":"POST","path":"/v1/auth/factors/passkeys","headers":[],"query":[],"repeatable":false},
    getTeam: {"method":"GET","path":"/v1/team","headers":[],"query":[],"repeatable":true},
    changeTeam: {"method":"PATCH","path":"/v1/team","headers":[],"query":[],"repeatable":false},
    listMembers: {"method":"GET","path":"/v1/team/members","headers":[],"query":[],"repeatable":true},
    addMember: {"method":"POST","path":"/v1/team/members","headers":[],"query":[],"repeatable":false},
    changeMember: {"method":"PATCH","path":"/v1/team/members/{user_id}","headers":[],"query":[],"repeatable":false},
    removeMember: {"method":"DELETE","path":"/v1/team/members/{user_id}","headers":[],"query":[],"repeatable":false},
    listInvitations: {"method":"GET","path":"/v1/team/invitations","headers":[],"query":[],"repeatable":true},
    createInvitation: {"method":"POST","path":"/v1/team/invitations","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    revokeInvitation: {"method":"DELETE","path":"/v1/team/invitations/{invitation_id}","headers":[],"query":[],"repeatable":false},
    readInvitation: {"method":"POST","path":"/v1/auth/invitations/read","headers":[],"query":[],"repeatable":false},
    acceptInvitation: {"method":"POST","path":"/v1/auth/invitations/accept","headers":[],"query":[],"repeatable":false},
    listAuditEntries: {"method":"GET","path":"/v1/audit","headers":["accept"],"query":[],"repeatable":true},
    getAlerts: {"method":"GET","path":"/v1/team/alerts","headers":[],"query":[],"repeatable":true},
    replaceAlerts: {"method":"PUT","path":"/v1/team/alerts","headers":[],"query":[],"repeatable":false},
    rotateAlertSecret: {"method":"POST","path":"/v1/team/alerts/rotate-secret","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    listServiceUsers: {"method":"GET","path":"/v1/team/service-users","headers":[],"query":[],"repeatable":true},
    createServiceUser: {"method":"POST","path":"/v1/team/service-users","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    getServiceUser: {"method":"GET","path":"/v1/team/service-users/{service_user_id}","headers":[],"query":[],"repeatable":true},
    changeServiceUser: {"method":"PATCH","path":"/v1/team/service-users/{service_user_id}","headers":[],"query":[],"repeatable":false},
    removeServiceUser: {"method":"DELETE","path":"/v1/team/service-users/{service_user_id}","headers":[],"query":[],"repeatable":false},
    addServiceUserSecret: {"method":"POST","path":"/v1/team/service-users/{service_user_id}/secrets","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    retireServiceUserSecret: {"method":"DELETE","path":"/v1/team/service-users/{service_user_id}/secrets/{secret_id}","headers":[],"query":[],"repeatable":false},
    getAccessChange: {"method":"GET","path":"/v1/team/access-changes/{access_change_id}","headers":[],"query":[],"repeatable":true},
    approveAccessChange: {"method":"POST","path":"/v1/team/access-changes/{access_change_id}/approve","headers":[],"query":[],"repeatable":false},
    rejectAccessChange: {"method":"POST","path":"/v1/team/access-changes/{access_change_id}/reject","headers":[],"query":[],"repeatable":false},
    listPayees: {"method":"GET","path":"/v1/team/payees","headers":[],"query":[],"repeatable":true},
    createPayee: {"method":"POST","path":"/v1/team/payees","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    getPayee: {"method":"GET","path":"/v1/team/payees/{payee_id}","headers":[],"query":[],"repeatable":true},
    changePayee: {"method":"PATCH","path":"/v1/team/payees/{payee_id}","headers":[],"query":[],"repeatable":false},
    deletePayee: {"method":"DELETE","path":"/v1/team/payees/{payee_id}","headers":[],"query":[],"repeatable":false},
    createWallet: {"method":"POST","path":"/v1/wallets","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    listWallets: {"method":"GET","path":"/v1/wallets","headers":[],"query":[],"repeatable":true},
    getWallet: {"method":"GET","path":"/v1/wallets/{id}","headers":[],"query":[],"repeatable":true},
    changeWallet: {"method":"PATCH","path":"/v1/wallets/{id}","headers":[],"query":[],"repeatable":false},
    listBalances: {"method":"GET","path":"/v1/wallets/{id}/balances","headers":[],"query":[],"repeatable":true},
    listTransactions: {"method":"GET","path":"/v1/wallets/{id}/transactions","headers":[],"query":[],"repeatable":true},
    getStatistics: {"method":"GET","path":"/v1/wallets/{id}/statistics","headers":[],"query":[],"repeatable":true},
    regenerateApiKey: {"method":"POST","path":"/v1/wallets/{id}/api-key/regenerate","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    getApiKey: {"method":"GET","path":"/v1/wallets/{id}/api-key","headers":[],"query":[],"repeatable":true},
    listApiKeys: {"method":"GET","path":"/v1/wallets/{id}/api-keys","headers":[],"query":[],"repeatable":true},
    createApiKey: {"method":"POST","path":"/v1/wallets/{id}/api-keys","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    deleteApiKey: {"method":"DELETE","path":"/v1/wallets/{id}/api-keys/{key_id}","headers":[],"query":[],"repeatable":false},
    changeDepositAddress: {"method":"PATCH","path":"/v1/wallets/{id}/addresses/{address_id}","headers":[],"query":[],"repeatable":false},
    getDepositAddress: {"method":"GET","path":"/v1/wallets/{id}/addresses/{address_id}","headers":[],"query":[],"repeatable":true},
    createDepositAddress: {"method":"POST","path":"/v1/wallets/{id}/addresses","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    listDepositAddresses: {"method":"GET","path":"/v1/wallets/{id}/addresses","headers":[],"query":[],"repeatable":true},
    listDeposits: {"method":"GET","path":"/v1/wallets/{id}/deposits","headers":[],"query":[],"repeatable":true},
    getDeposit: {"method":"GET","path":"/v1/wallets/{id}/deposits/{deposit_id}","headers":[],"query":[],"repeatable":true},
    getAdjustment: {"method":"GET","path":"/v1/wallets/{id}/adjustments/{adjustment_id}","headers":[],"query":[],"repeatable":true},
    assignDeposit: {"method":"POST","path":"/v1/wallets/{id}/deposits/{deposit_id}/assign","headers":[],"query":[],"repeatable":false},
    getDepositMinimums: {"method":"GET","path":"/v1/wallets/{id}/deposit-minimums","headers":[],"query":[],"repeatable":true},
    replaceDepositMinimums: {"method":"PUT","path":"/v1/wallets/{id}/deposit-minimums","headers":[],"query":[],"repeatable":false},
    explainTransaction: {"method":"GET","path":"/v1/wallets/{id}/explain/{tx_hash}","headers":[],"query":[],"repeatable":true},
    getReconciliation: {"method":"GET","path":"/v1/wallets/{id}/reconciliation","headers":[],"query":[],"repeatable":true},
    getPolicy: {"method":"GET","path":"/v1/wallets/{id}/policy","headers":[],"query":[],"repeatable":true},
    replacePolicy: {"method":"PUT","path":"/v1/wallets/{id}/policy","headers":[],"query":[],"repeatable":false},
    changePolicy: {"method":"PATCH","path":"/v1/wallets/{id}/policy","headers":[],"query":[],"repeatable":false},
    revokePolicyChange: {"method":"DELETE","path":"/v1/wallets/{id}/policy/pending/{change_id}","headers":[],"query":[],"repeatable":false},
    approvePolicyChange: {"method":"POST","path":"/v1/wallets/{id}/policy/pending/{change_id}/approve","headers":[],"query":[],"repeatable":false},
    rejectPolicyChange: {"method":"POST","path":"/v1/wallets/{id}/policy/pending/{change_id}/reject","headers":[],"query":[],"repeatable":false},
    previewWithdrawal: {"method":"POST","path":"/v1/wallets/{id}/withdraw/preview","headers":[],"query":[],"repeatable":true},
    refundDeposit: {"method":"POST","path":"/v1/wallets/{id}/deposits/{deposit_id}/refund","headers":["prefer"],"query":[],"repeatable":true,"timeout_ms":150000},
    listAssets: {"method":"GET","path":"/v1/wallets/{id}/assets","headers":[],"query":[],"repeatable":true},
    addAsset: {"method":"POST","path":"/v1/wallets/{id}/assets","headers":[],"query":[],"repeatable":true,"timeout_ms":150000},
    getAsset: {"method":"GET","path":"/v1/wallets/{id}/assets/{asset}","headers":[],"query":[],"repeatable":true},
    removeAsset: {"method":"DELETE","path":"/v1/wallets/{id}/assets/{asset}","headers":[],"query":[],"repeatable":false,"timeout_ms":150000},
    approveWithdrawal: {"method":"POST","path":"/v1/wallets/{id}/withdrawals/{withdrawal_id}/approve","headers":[],"query":[],"repeatable":false},
    rejectWithdrawal: {"method":"POST","path":"/v1/wallets/{id}/withdrawals/{withdrawal_id}/reject","headers":[],"query":[],"repeatable":false},
    previewApproval: {"method":"GET","path":"/v1/wallets/{id}/withdrawals/{withdrawal_id}/preview","headers":[],"query":[],"repeatable":true},
    listApprovals: {"method":"GET","path":"/v1/approvals","headers":[],"query":[],"repeatable":true},
    listDecidedApprovals: {"method":"GET","path":"/v1/approvals/decided","headers":[],"query":[],"repeatable":true},
    createPayout: {"method":"POST","path":"/v1/wallets/{id}/payouts","headers":["idempotency_key"],"query":["preview"],"repeatable":true,"makes":true,"timeout_ms":240000},
    listPayouts: {"method":"GET","path":"/v1/wallets/{id}/payouts","headers":[],"query":[],"repeatable":true},
    startPayout: {"method":"POST","path":"/v1/wallets/{id}/payouts/{payout_id}/start","headers":[],"query":[],"repeatable":false},
    pausePayout: {"method":"POST","path":"/v1/wallets/{id}/payouts/{payout_id}/pause","headers":[],"query":[],"repeatable":false},
    resumePayout: {"method":"POST","path":"/v1/wallets/{id}/payouts/{payout_id}/resume","headers":[],"query":[],"repeatable":false},
    cancelPayout: {"method":"POST","path":"/v1/wallets/{id}/payouts/{payout_id}/cancel","headers":[],"query":[],"repeatable":false},
    retryPayout: {"method":"POST","path":"/v1/wallets/{id}/payouts/{payout_id}/retry-failed","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true,"timeout_ms":240000},
    approvePayout: {"method":"POST","path":"/v1/wallets/{id}/payouts/{payout_id}/approve","headers":[],"query":[],"repeatable":false},
    rejectPayout: {"method":"POST","path":"/v1/wallets/{id}/payouts/{payout_id}/reject","headers":[],"query":[],"repeatable":false},
    getPayout: {"method":"GET","path":"/v1/wallets/{id}/payouts/{payout_id}","headers":[],"query":[],"repeatable":true},
    listPayoutRows: {"method":"GET","path":"/v1/wallets/{id}/payouts/{payout_id}/rows","headers":["accept"],"query":[],"repeatable":true},
    createWithdrawal: {"method":"POST","path":"/v1/wallets/{id}/withdraw","headers":["prefer","idempotency_key"],"query":[],"repeatable":true,"timeout_ms":150000},
    listWithdrawals: {"method":"GET","path":"/v1/wallets/{id}/withdrawals","headers":[],"query":[],"repeatable":true},
    getWithdrawal: {"method":"GET","path":"/v1/wallets/{id}/withdrawals/{withdrawal_id}","headers":[],"query":[],"repeatable":true},
    registerWebhook: {"method":"POST","path":"/v1/wallets/{id}/webhooks","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    listWebhooks: {"method":"GET","path":"/v1/wallets/{id}/webhooks","headers":[],"query":[],"repeatable":true},
    getWebhook: {"method":"GET","path":"/v1/wallets/{id}/webhooks/{webhook_id}","headers":[],"query":[],"repeatable":true},
    updateWebhook: {"method":"PATCH","path":"/v1/wallets/{id}/webhooks/{webhook_id}","headers":[],"query":[],"repeatable":false},
    deleteWebhook: {"method":"DELETE","path":"/v1/wallets/{id}/webhooks/{webhook_id}","headers":[],"query":[],"repeatable":false},
    getWebhookStatistics: {"method":"GET","path":"/v1/wallets/{id}/webhooks/{webhook_id}/statistics","headers":[],"query":[],"repeatable":true},
    rotateWebhookSecret: {"method":"POST","path":"/v1/wallets/{id}/webhooks/{webhook_id}/rotate-secret","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    listWebhookDeliveries: {"method":"GET","path":"/v1/wallets/{id}/webhooks/{webhook_id}/deliveries","headers":[],"query":[],"repeatable":true},
    getWebhookDelivery: {"method":"GET","path":"/v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}","headers":[],"query":[],"repeatable":true},
    testWebhook: {"method":"POST","path":"/v1/wallets/{id}/webhooks/{webhook_id}/test","headers":["idempotency_key"],"query":[],"repeatable":true,"makes":true},
    redeliverWebhook: {"method":"POST","path":"/v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver","headers":[],"query":[],"repeatable":false},
    replayWebhook: {"method":"POST","path":"/v1/wallets/{id}/webhooks/{webhook_id}/replay","headers":[],"query":[],"repeatable":false},
    listEvents: {"method":"GET","path":"/v1/wallets/{id}/events","headers":[],"query":[],"repeatable":true},
    examineWebhook: {"method":"POST","path":"/v1/wallets/{id}/webhooks/{webhook_id}/exam","headers":[],"query":[],"repeatable":false,"timeout_ms":90000},
    listDepositDeliveries: {"method":"GET","path":"/v1/wallets/{id}/deposits/{deposit_id}/deliveries","headers":[],"query":[],"repeatable":true},
    getWalletHealth: {"method":"GET","path":"/v1/wallets/{id}/health","headers":[],"query":[],"repeatable":true},
    searchWallets: {"method":"GET","path":"/v1/search","headers":[],"query":[],"repeatable":true},
    getServiceToken: {"method":"POST","path":"/v1/auth/token","headers":[],"query":[],"repeatable":true},
};
