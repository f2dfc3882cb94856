// Written by scripts/client.ts from docs/openapi.json.
export interface components {
    schemas: {
        /**
         * Format: exact-integer
         * @description Stroops; 10,000,000 are one unit of the native asset.
         */
        Stroops: bigint;
        /**
         * Format: exact-integer
         * @description Unsigned 64-bit integer; may exceed 2^53.
         */
        MemoId: bigint;
        /** @description 1–12 characters A–Z a–z 0–9; `native` without an issuer is the native asset. */
        AssetCode: string;
        /** @description The G… account that issues the asset. */
        AssetIssuer: string;
        /** @description `native` or `CODE:ISSUER` */
        AssetText: string;
        /** @description Any JSON object (≤ 16 KiB); returned exactly as given. */
        Metadata: {
            [key: string]: unknown;
        };
        /**
         * @description `new_device`: A user signed in at a device that was not known. `password_changed`: A password was changed or reset. `second_factor_changed`: A second factor was added, removed or stopped, or the team’s need of one changed. `recovery_codes_replaced`: A user replaced their recovery codes. `member_changed`: A member or service user came, left, got other rights, or was disabled or enabled. `invitation_created`: An invitation was made. `api_key_made`: An API key, or a secret of a service user, was made or replaced; also with a new wallet. `endpoint_changed`: A webhook endpoint was registered or enabled again, or got another URL. `signing_secret_rotated`: The signing secret of an endpoint was replaced. `policy_loosened`: A policy was loosened, or a looser one was announced. `large_payment`: A withdrawal was requested above the amount that the team has set. `wallet_frozen`: The operator froze a wallet, or ended the freeze. `alerts_changed`: The alerts of the team changed; always sent
         * @enum {string}
         */
        AlertKind: "new_device" | "password_changed" | "second_factor_changed" | "recovery_codes_replaced" | "member_changed" | "invitation_created" | "api_key_made" | "endpoint_changed" | "signing_secret_rotated" | "policy_loosened" | "large_payment" | "wallet_frozen" | "alerts_changed";
        Alerts: {
            url: string | null;
            /** @description Why nothing is sent to the URL any more; ends when the settings are saved again */
            disabled_reason: string | null;
            /** @description Null: the last alert was acknowledged */
            failing_since: string | null;
            last_failure: {
                /** Format: date-time */
                at: string;
                reason: string;
            } | null;
            /** @description Null: every kind */
            kinds: string[] | null;
            large_payments: {
                /** @description The native asset is `native` */
                asset_code: string;
                /** @description Null for the native asset */
                asset_issuer: string | null;
                /** Format: exact-integer */
                amount_stroops: bigint;
            }[];
            /** @description Whether this service sends mails */
            mails: boolean;
        };
        ChangedAlerts: {
            url: string | null;
            /** @description Why nothing is sent to the URL any more; ends when the settings are saved again */
            disabled_reason: string | null;
            /** @description Null: the last alert was acknowledged */
            failing_since: string | null;
            last_failure: {
                /** Format: date-time */
                at: string;
                reason: string;
            } | null;
            /** @description Null: every kind */
            kinds: string[] | null;
            large_payments: {
                /** @description The native asset is `native` */
                asset_code: string;
                /** @description Null for the native asset */
                asset_issuer: string | null;
                /** Format: exact-integer */
                amount_stroops: bigint;
            }[];
            /** @description Whether this service sends mails */
            mails: boolean;
            /** @description A new one, which is never shown again; null when the URL has not changed */
            signing_secret: string | null;
        };
        /** @enum {string} */
        AuditAction: "login.succeeded" | "login.failed" | "login.factor_asked" | "session.ended" | "session.renewed" | "password.refused" | "password.changed" | "password.reset" | "user.created" | "user.disabled" | "user.enabled" | "command.run" | "second_factor.used" | "second_factor.failed" | "second_factor.stopped" | "recovery_code.used" | "recovery_codes.replaced" | "factor.added" | "factor.renamed" | "factor.removed" | "factors.reset" | "right.refused" | "team.renamed" | "team.alerts_changed" | "team.factors_required" | "member.added" | "member.changed" | "member.removed" | "invitation.created" | "invitation.revoked" | "service_user.created" | "service_user.changed" | "service_user.disabled" | "service_user.enabled" | "service_user.removed" | "service_user.secret_added" | "service_user.secret_retired" | "service_user.token_given" | "service_user.token_refused" | "access_change.requested" | "access_change.approved" | "access_change.rejected" | "access_change.carried_out" | "access_change.expired" | "wallet.created" | "wallet.changed" | "wallet.frozen" | "wallet.unfrozen" | "api_key.regenerated" | "api_key.created" | "api_key.deleted" | "address.created" | "address.changed" | "deposit_minimums.changed" | "deposit.assigned" | "policy.changed" | "policy.change_revoked" | "policy.change_approved" | "policy.change_rejected" | "policy.requests_ended" | "policy.approvals_cleared" | "withdrawal.requested" | "withdrawal.approved" | "withdrawal.rejected" | "withdrawal.approval_expired" | "asset.added" | "asset.removed" | "endpoint.registered" | "endpoint.changed" | "endpoint.deleted" | "endpoint.secret_rotated" | "endpoint.tested" | "delivery.repeated" | "deliveries.replayed";
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
        Approval: {
            user_id: string;
            /** @enum {string} */
            decision: "approved" | "rejected";
            comment: string | null;
            /** Format: date-time */
            at: string;
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
        /** @enum {string} */
        FactorMethod: "totp" | "passkey" | "recovery_code";
        Factor: {
            id: string;
            /** @enum {string} */
            kind: "totp" | "passkey";
            name: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
        };
        /** @description Each is used once in place of a factor. They are shown only in this answer. */
        RecoveryCodes: string[];
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
        /** @description For the browser: `startRegistration` or `startAuthentication` of @simplewebauthn/browser */
        PasskeyOptions: {
            challenge: string;
        } & {
            [key: string]: unknown;
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
        SteppedUp: {
            /** Format: date-time */
            proven_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        /** @enum {string} */
        Scope: "read" | "addresses" | "webhooks";
        NamedApiKey: {
            id: string;
            name: string;
            prefix: string;
            last_four: string;
            scopes: components["schemas"]["Scope"][];
            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
            allowed_ips: string[] | null;
            expires_at: string | null;
            created_by: {
                id: string;
                name: string;
            };
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
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
            created_by: {
                id: string;
                name: string;
            };
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            /** @description Shown only here */
            api_key: string;
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
        /** @enum {string} */
        Role: "owner" | "admin" | "operator" | "approver" | "developer" | "auditor" | "viewer";
        User: {
            id: string;
            email: string;
            name: string;
            /** Format: date-time */
            created_at: string;
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
        ServiceRole: "admin" | "operator" | "approver" | "developer" | "auditor" | "viewer";
        ServiceUserSecret: {
            id: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
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
            public_keys: {
                kid: string;
                /** @enum {string} */
                kty: "OKP" | "EC";
                /** @enum {string} */
                crv: "Ed25519" | "P-256";
                /** @enum {string} */
                alg: "EdDSA" | "ES256";
                x: string;
                y?: string;
            }[];
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
            public_keys: {
                kid: string;
                /** @enum {string} */
                kty: "OKP" | "EC";
                /** @enum {string} */
                crv: "Ed25519" | "P-256";
                /** @enum {string} */
                alg: "EdDSA" | "ES256";
                x: string;
                y?: string;
            }[];
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
        NewServiceUserSecret: {
            id: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            /** @description Shown only here */
            client_secret: string;
        };
        Team: {
            name: string;
            second_factor_required: boolean;
            /** Format: date-time */
            created_at: string;
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
        RemovedMember: {
            /** @description The service users of the team with a valid credential that the user knows */
            service_users: {
                id: string;
                name: string;
            }[];
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
        ReconciliationItem: {
            asset_code: string;
            asset_issuer: string | null;
            /** Format: exact-integer */
            opening_stroops: bigint;
            /** Format: exact-integer */
            deposits_stroops: bigint;
            /** Format: exact-integer */
            withdrawals_stroops: bigint;
            /**
             * Format: exact-integer
             * @description What others took from the wallet, for example by a clawback
             */
            adjustments_stroops: bigint;
            /** Format: exact-integer */
            fees_stroops: bigint;
            /** Format: exact-integer */
            expected_stroops: bigint;
            /** Format: exact-integer */
            balance_stroops: bigint;
            /**
             * Format: exact-integer
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
            /** @description The exact text of `metadata` */
            metadata_text: string | null;
        };
        ReceivedAsset: {
            asset_code: string;
            asset_issuer: string | null;
            count: number;
            /** Format: exact-integer */
            amount_stroops: bigint;
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
            /** @description The exact text of `metadata` */
            metadata_text: string | null;
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
            /** @description The exact text of `metadata` */
            metadata_text: string | null;
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
             * Format: exact-integer
             * @description What was taken; 0 when only the authorization of the trust line has changed
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
        /** @description Deposits below these amounts are not announced */
        DepositMinimums: {
            items: {
                /** @description The native asset is `native` */
                asset_code: string;
                /** @description Null for the native asset */
                asset_issuer: string | null;
                amount_stroops: components["schemas"]["Stroops"];
            }[];
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
             * Format: exact-integer
             * @description 0 for an adjustment that changed what a trust line may do
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
        /** @description Sums of confirmed deposits, withdrawals and adjustments of one asset, by the day of their creation */
        DayOfWallet: {
            /**
             * Format: date
             * @description In UTC. Days without transactions are included
             */
            date: string;
            deposits_count: number;
            /** Format: exact-integer */
            deposits_stroops: bigint;
            withdrawals_count: number;
            /** Format: exact-integer */
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
        Balance: {
            asset_code: string;
            asset_issuer: string | null;
            /** Format: exact-integer */
            amount_stroops: bigint;
            /** Format: exact-integer */
            available_stroops: bigint;
            /**
             * @description Whether the issuer lets the wallet take and pay it: as the status of an asset
             * @enum {string}
             */
            status: "active" | "unauthorized" | "maintain_liabilities";
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
            /** @description Since when every attempt has failed; null if the last one succeeded. After two days without an attempt it starts anew */
            failing_since: string | null;
            /** @description Who registered it; null where that is not known, for endpoints of earlier versions */
            created_by: {
                /** @enum {string} */
                kind: "user" | "service_user" | "api_key";
                /** @description The main key of a wallet has another id after each regeneration */
                id: string;
                /** @description Null for the main key of the wallet */
                name: string | null;
            } | null;
            /** Format: date-time */
            created_at: string;
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
            /** @description Since when every attempt has failed; null if the last one succeeded. After two days without an attempt it starts anew */
            failing_since: string | null;
            /** @description Who registered it; null where that is not known, for endpoints of earlier versions */
            created_by: {
                /** @enum {string} */
                kind: "user" | "service_user" | "api_key";
                /** @description The main key of a wallet has another id after each regeneration */
                id: string;
                /** @description Null for the main key of the wallet */
                name: string | null;
            } | null;
            /** Format: date-time */
            created_at: string;
            signing_secret: string;
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
        WebhookDelivery: {
            id: string;
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            event: string;
            /**
             * Format: exact-integer
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
        LoggedWebhookDelivery: {
            id: string;
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            event: string;
            /**
             * Format: exact-integer
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
        /** @description Exactly the JSON that is sent: {"event": …, "data": …} */
        WebhookEventBody: {
            [key: string]: unknown;
        };
        WebhookDeliveryWithBody: {
            id: string;
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            event: string;
            /**
             * Format: exact-integer
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
        WebhookEvent: {
            /** @description Sent as webhook-id */
            id: string;
            event: string;
            /** Format: exact-integer */
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
            /** @enum {string} */
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
            /** @description Who paid the fee: the wallet, the treasury of this service, or a stranger who fee-bumped the transaction. Null where the ledger does not have it, or it is not known */
            fee_paid_by: ("wallet" | "treasury" | "other") | null;
            failure: {
                code: string;
                message: string;
            } | null;
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
        ApprovalRule: {
            required: number;
            above: {
                /** @description The native asset is `native` */
                asset_code: string;
                /** @description Null for the native asset */
                asset_issuer: string | null;
                /** Format: exact-integer */
                amount_stroops: bigint;
            }[];
            for: ("withdrawals" | "policies" | "destinations" | "members" | "api_keys")[];
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
            /** @description For a max_… field: the new limit; null is none */
            limit_stroops: components["schemas"]["Stroops"] | null;
            /** @description For `limits`: the limit of an asset that was refused; null is none */
            max_withdrawal_stroops: components["schemas"]["Stroops"] | null;
            /** @description The same, for 24 hours */
            max_rolling_24h_stroops: components["schemas"]["Stroops"] | null;
            /** @description For destinations: the address to add; null is everywhere */
            destination: string | null;
            /** @description For approvals: the rule that comes; null is none */
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
        AssetLimits: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            max_withdrawal_stroops: components["schemas"]["Stroops"] | null;
            max_rolling_24h_stroops: components["schemas"]["Stroops"] | null;
            /**
             * Format: exact-integer
             * @description Withdrawals of the asset in the last 24 hours that are not failed
             */
            used_rolling_24h_stroops: bigint;
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
             * Format: exact-integer
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
        WithdrawalPreview: {
            /** @enum {string} */
            operation: "payment" | "create_account" | "contract_transfer";
            /** @description Of a C… address: whether a contract is there */
            destination_exists: boolean;
            /** @description The destination takes no payment without a memo (SEP-29) */
            memo_required: boolean;
            /** @description False when a memo is required and there is none */
            memo_satisfied: boolean;
            /**
             * Format: exact-integer
             * @description Estimate: what 9 of 10 recent transactions paid; through a channel account twice that. Of a contract transfer the whole fee that it declares, of which most comes back; 0 when it cannot be simulated, and when the treasury pays
             */
            fee_stroops: bigint;
            /**
             * Format: exact-integer
             * @description The fee is never higher
             */
            fee_max_stroops: bigint;
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
             * Format: exact-integer
             * @description What the wallet holds of the asset
             */
            balance_stroops: bigint;
            /**
             * Format: exact-integer
             * @description What the account must keep for its ledger entries; of an issued asset 0
             */
            reserve_stroops: bigint;
            /**
             * Format: exact-integer
             * @description The native balance that can pay the fee: less reserve, liabilities and withdrawals in flight
             */
            fee_available_stroops: bigint;
            /** @description How much more of an issued asset the destination can hold; null where there is no limit */
            room_stroops: bigint | null;
            /**
             * Format: exact-integer
             * @description Balance less reserve, liabilities and withdrawals in flight
             */
            available_stroops: bigint;
            /** @description Estimate, withdrawals in flight counted as paid; null when there is a problem */
            balance_after_stroops: bigint | null;
            /** @description False when the withdrawal would be refused: nothing is sent then */
            would_send: boolean;
            /** @description How many members must approve it before it is signed; 0 when it needs no approvals */
            approvals_required: number;
            /** @description Why it would be refused (the error codes of a withdrawal), or why the network would fail it (op_…, tx_…: sent, and `failed`) */
            problems: {
                code: string;
                message: string;
            }[];
        };
        AwaitingApproval: {
            /** @enum {string} */
            kind: "withdrawal" | "policy_change" | "access_change";
            /** @description Null for a change of members or service users */
            wallet_id: string | null;
            /** @description Whether the caller may approve or reject it */
            may_decide: boolean;
            /** @description Null unless `kind` is `withdrawal` */
            withdrawal: components["schemas"]["Withdrawal"] | null;
            /** @description Null unless `kind` is `policy_change` */
            change: components["schemas"]["PendingPolicyChange"] | null;
            /** @description Null unless `kind` is `access_change` */
            access_change: components["schemas"]["AccessChange"] | null;
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
            failure: {
                code: string;
                message: string;
            } | null;
            /** @description What the issuer can do to new trust lines; null when it is no account any more */
            issuer_flags: {
                auth_required: boolean;
                auth_revocable: boolean;
                clawback_enabled: boolean;
            } | null;
            /** @description Whether the issuer can take the balance of this wallet back */
            clawback_enabled: boolean;
            /** @description What the issuer’s account names. Anybody can name any domain: it proves nothing */
            home_domain: string | null;
            /** @description Whether the stellar.toml of the domain names this asset (SEP-1). unreachable: the service could not read it within 5 seconds. Null: the operator allows no look-ups, there is no domain, or this answers a change of the asset */
            home_domain_check: ("confirmed" | "not_confirmed" | "unreachable") | null;
            /** @description True for the assets that the service knows by itself */
            verified: boolean;
            /** @description Show it: the asset looks like another one that is known */
            warning: string | null;
            /** @description When it was last asked for */
            created_at: string | null;
        };
        /** @description A delivery of the event of a deposit, with the URL of its endpoint */
        DepositDelivery: {
            id: string;
            webhook_id: string;
            /** @description Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored */
            event_id: string;
            event: string;
            /**
             * Format: exact-integer
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
            inbox: {
                /** @description Deposits without a deposit address that are not refunded; 1000 means that many or more */
                unattributed: number;
            };
        };
        TestAsset: {
            asset_code: components["schemas"]["AssetCode"];
            asset_issuer: components["schemas"]["AssetIssuer"];
            /** @description What its issuer can do, in words */
            note: string;
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
            /** @description Issued assets that `payOnSandbox` pays; empty on other networks than the sandbox */
            test_assets: components["schemas"]["TestAsset"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Stroops = components['schemas']['Stroops'];
export type MemoId = components['schemas']['MemoId'];
export type AssetCode = components['schemas']['AssetCode'];
export type AssetIssuer = components['schemas']['AssetIssuer'];
export type AssetText = components['schemas']['AssetText'];
export type Metadata = components['schemas']['Metadata'];
export type AlertKind = components['schemas']['AlertKind'];
export type Alerts = components['schemas']['Alerts'];
export type ChangedAlerts = components['schemas']['ChangedAlerts'];
export type AuditAction = components['schemas']['AuditAction'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type Approval = components['schemas']['Approval'];
export type AccessChange = components['schemas']['AccessChange'];
export type FactorMethod = components['schemas']['FactorMethod'];
export type Factor = components['schemas']['Factor'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type NewFactor = components['schemas']['NewFactor'];
export type PasskeyOptions = components['schemas']['PasskeyOptions'];
export type Factors = components['schemas']['Factors'];
export type SteppedUp = components['schemas']['SteppedUp'];
export type Scope = components['schemas']['Scope'];
export type NamedApiKey = components['schemas']['NamedApiKey'];
export type NewNamedApiKey = components['schemas']['NewNamedApiKey'];
export type Session = components['schemas']['Session'];
export type Role = components['schemas']['Role'];
export type User = components['schemas']['User'];
export type Me = components['schemas']['Me'];
export type ServiceRole = components['schemas']['ServiceRole'];
export type ServiceUserSecret = components['schemas']['ServiceUserSecret'];
export type ServiceUser = components['schemas']['ServiceUser'];
export type NewServiceUser = components['schemas']['NewServiceUser'];
export type NewServiceUserSecret = components['schemas']['NewServiceUserSecret'];
export type Team = components['schemas']['Team'];
export type Member = components['schemas']['Member'];
export type RemovedMember = components['schemas']['RemovedMember'];
export type Invitation = components['schemas']['Invitation'];
export type NewInvitation = components['schemas']['NewInvitation'];
export type ReconciliationItem = components['schemas']['ReconciliationItem'];
export type Reconciliation = components['schemas']['Reconciliation'];
export type DepositAddress = components['schemas']['DepositAddress'];
export type ReceivedAsset = components['schemas']['ReceivedAsset'];
export type DepositAddressWithReceived = components['schemas']['DepositAddressWithReceived'];
export type Deposit = components['schemas']['Deposit'];
export type Adjustment = components['schemas']['Adjustment'];
export type Explanation = components['schemas']['Explanation'];
export type DepositMinimums = components['schemas']['DepositMinimums'];
export type Transaction = components['schemas']['Transaction'];
export type DayOfWallet = components['schemas']['DayOfWallet'];
export type Wallet = components['schemas']['Wallet'];
export type NewWallet = components['schemas']['NewWallet'];
export type Balance = components['schemas']['Balance'];
export type ApiKey = components['schemas']['ApiKey'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type NewWebhookEndpoint = components['schemas']['NewWebhookEndpoint'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type LoggedWebhookDelivery = components['schemas']['LoggedWebhookDelivery'];
export type WebhookEventBody = components['schemas']['WebhookEventBody'];
export type WebhookDeliveryWithBody = components['schemas']['WebhookDeliveryWithBody'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type Withdrawal = components['schemas']['Withdrawal'];
export type ApprovalRule = components['schemas']['ApprovalRule'];
export type PendingPolicyChange = components['schemas']['PendingPolicyChange'];
export type AssetLimits = components['schemas']['AssetLimits'];
export type Policy = components['schemas']['Policy'];
export type WithdrawalPreview = components['schemas']['WithdrawalPreview'];
export type AwaitingApproval = components['schemas']['AwaitingApproval'];
export type WalletAsset = components['schemas']['WalletAsset'];
export type DepositDelivery = components['schemas']['DepositDelivery'];
export type WalletHealth = components['schemas']['WalletHealth'];
export type TestAsset = components['schemas']['TestAsset'];
export type Service = components['schemas']['Service'];
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: Record<string, never>;
                    };
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
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
                            keys: {
                                ok: boolean;
                                message: string;
                            };
                            treasury: {
                                ok: boolean;
                                message: string;
                            };
                        };
                    };
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Service"];
                    };
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
                "application/json": {
                    /** @description G… or M… address */
                    destination: string;
                    amount_stroops: components["schemas"]["Stroops"];
                    memo_id?: components["schemas"]["MemoId"];
                    asset_code?: components["schemas"]["AssetCode"];
                    asset_issuer?: components["schemas"]["AssetIssuer"];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: {
                            stellar_tx_hash: string;
                        };
                    };
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                limit?: number;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["Session"][];
                            next_cursor: string | null;
                        };
                    };
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
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            ended: number;
                        };
                    };
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Session"];
                    };
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
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            token: string;
                            /** @description Seconds until the new token ends */
                            expires_in: number;
                            /** Format: date-time */
                            session_ends_at: string;
                        };
                    };
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
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            /** @description The login token. Absent only when `Teller-Browser` was sent */
                            token?: string;
                            user: components["schemas"]["User"];
                        };
                    };
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
                "application/json": {
                    challenge: string;
                    /** @description The six digits that an authenticator app shows */
                    totp?: string;
                    /** @description What the browser answered to the options */
                    passkey?: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            authenticatorData: string;
                            signature: string;
                            userHandle?: string;
                        };
                    };
                    recovery_code?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            /** @description The login token. Absent only when `Teller-Browser` was sent */
                            token?: string;
                            user: components["schemas"]["User"];
                        };
                    };
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
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: Record<string, never>;
                    };
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Me"];
                    };
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
                "application/json": {
                    current_password: string;
                    new_password: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["User"];
                    };
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
                "application/json": {
                    /** @description The six digits that an authenticator app shows */
                    totp?: string;
                    /** @description What the browser answered to the options */
                    passkey?: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            authenticatorData: string;
                            signature: string;
                            userHandle?: string;
                        };
                    };
                    recovery_code?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["SteppedUp"];
                    };
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
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["PasskeyOptions"];
                    };
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Factors"];
                    };
                };
            };
        };
    };
    removeFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                factor_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: Record<string, never>;
                    };
                };
            };
        };
    };
    renameFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                factor_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Factor"];
                    };
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
                "application/json": Record<string, never>;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: {
                            recovery_codes: components["schemas"]["RecoveryCodes"];
                        };
                    };
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
                "application/json": {
                    name: string;
                    /** @description Required for the first factor */
                    current_password?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: {
                            id: string;
                            secret: string;
                            uri: string;
                        };
                    };
                };
            };
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                factor_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["NewFactor"];
                    };
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
                "application/json": {
                    /** @description Required for the first factor */
                    current_password?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["PasskeyOptions"];
                    };
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
                "application/json": {
                    name: string;
                    passkey: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            attestationObject: string;
                            transports?: string[];
                        };
                    };
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["NewFactor"];
                    };
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Team"];
                    };
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
                "application/json": {
                    name?: string;
                    second_factor_required?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Team"];
                    };
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                limit?: number;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["Member"][];
                            next_cursor: string | null;
                        };
                    };
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
                "application/json": {
                    email: string;
                    name: string;
                    password: string;
                    role: components["schemas"]["Role"];
                    /** @description Absent: every wallet of the team */
                    wallet_ids?: string[];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["Member"];
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["AccessChange"];
                    };
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["RemovedMember"];
                    };
                };
            };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    role?: components["schemas"]["Role"];
                    wallet_ids?: string[];
                    /**
                     * @description Every wallet, in place of some
                     * @enum {boolean}
                     */
                    all_wallets?: true;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Member"];
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["AccessChange"];
                    };
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                limit?: number;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["Invitation"][];
                            next_cursor: string | null;
                        };
                    };
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
                "application/json": {
                    email: string;
                    role: components["schemas"]["Role"];
                    /** @description Absent: every wallet of the team */
                    wallet_ids?: string[];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["NewInvitation"];
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["AccessChange"];
                    };
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: Record<string, never>;
                    };
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
                "application/json": {
                    token: string;
                    password: string;
                    name?: string;
                    challenge?: string;
                    /** @description The six digits that an authenticator app shows */
                    totp?: string;
                    /** @description What the browser answered to the options */
                    passkey?: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            authenticatorData: string;
                            signature: string;
                            userHandle?: string;
                        };
                    };
                    recovery_code?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            /** @description The login token. Absent only when `Teller-Browser` was sent */
                            token?: string;
                            user_id: string;
                        };
                    };
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                action?: components["schemas"]["AuditAction"];
                actor_id?: string;
                target_id?: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["AuditEntry"][];
                            next_cursor: string | null;
                        };
                    };
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Alerts"];
                    };
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
                "application/json": {
                    /** @description Public http(s) URL to which alerts are posted; absent: no webhook */
                    url?: string;
                    /** @description Of these kinds the webhook, owners and admins are alerted; absent: of every kind, also of those of later versions. Users get the mails about their own sign-in in any case. */
                    kinds?: components["schemas"]["AlertKind"][];
                    /** @description A withdrawal of more than this amount makes an alert; absent: none does */
                    large_payments?: {
                        asset_code?: components["schemas"]["AssetCode"];
                        asset_issuer?: components["schemas"]["AssetIssuer"];
                        amount_stroops: components["schemas"]["Stroops"];
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["ChangedAlerts"];
                    };
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
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["ChangedAlerts"];
                    };
                };
            };
        };
    };
    listServiceUsers: {
        parameters: {
            query?: {
                limit?: number;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["ServiceUser"][];
                            next_cursor: string | null;
                        };
                    };
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
                "application/json": {
                    name: string;
                    role: components["schemas"]["ServiceRole"];
                    /** @description Absent: every wallet of the team */
                    wallet_ids?: string[];
                    /** @description Absent: every address */
                    allowed_ips?: string[];
                    /** @description JSON Web Keys, Ed25519 or P-256: the `keys` of a JWKS. At most 5 */
                    public_keys?: {
                        /** @enum {string} */
                        kty: "OKP" | "EC";
                        /** @enum {string} */
                        crv: "Ed25519" | "P-256";
                        x: string;
                        y?: string;
                        kid?: string;
                        /** @enum {string} */
                        use?: "sig";
                        /** @enum {string} */
                        alg?: "EdDSA" | "ES256";
                        key_ops?: "verify"[];
                        ext?: boolean;
                    }[];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["NewServiceUser"];
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["AccessChange"];
                    };
                };
            };
        };
    };
    getServiceUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["ServiceUser"];
                    };
                };
            };
        };
    };
    removeServiceUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service_user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
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
                            public_keys: {
                                kid: string;
                                /** @enum {string} */
                                kty: "OKP" | "EC";
                                /** @enum {string} */
                                crv: "Ed25519" | "P-256";
                                /** @enum {string} */
                                alg: "EdDSA" | "ES256";
                                x: string;
                                y?: string;
                            }[];
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
                    };
                };
            };
        };
    };
    changeServiceUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service_user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    role?: components["schemas"]["ServiceRole"];
                    wallet_ids?: string[];
                    /**
                     * @description Every wallet, in place of some
                     * @enum {boolean}
                     */
                    all_wallets?: true;
                    allowed_ips?: string[];
                    /**
                     * @description Every address, in place of some
                     * @enum {boolean}
                     */
                    all_addresses?: true;
                    /** @description All of them; an empty array removes all */
                    public_keys?: {
                        /** @enum {string} */
                        kty: "OKP" | "EC";
                        /** @enum {string} */
                        crv: "Ed25519" | "P-256";
                        x: string;
                        y?: string;
                        kid?: string;
                        /** @enum {string} */
                        use?: "sig";
                        /** @enum {string} */
                        alg?: "EdDSA" | "ES256";
                        key_ops?: "verify"[];
                        ext?: boolean;
                    }[];
                    enabled?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
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
                            public_keys: {
                                kid: string;
                                /** @enum {string} */
                                kty: "OKP" | "EC";
                                /** @enum {string} */
                                crv: "Ed25519" | "P-256";
                                /** @enum {string} */
                                alg: "EdDSA" | "ES256";
                                x: string;
                                y?: string;
                            }[];
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
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["AccessChange"];
                    };
                };
            };
        };
    };
    addServiceUserSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service_user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["NewServiceUserSecret"];
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["AccessChange"];
                    };
                };
            };
        };
    };
    retireServiceUserSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service_user_id: string;
                secret_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["ServiceUserSecret"];
                    };
                };
            };
        };
    };
    getAccessChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["AccessChange"];
                    };
                };
            };
        };
    };
    approveAccessChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                access_change_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `order_hash` that the member saw. 409 `order_changed` when it is another by now */
                    order_hash: string;
                    comment?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["AccessChange"];
                    };
                };
            };
        };
    };
    rejectAccessChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                access_change_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `order_hash` that the member saw. 409 `order_changed` when it is another by now */
                    order_hash: string;
                    comment?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["AccessChange"];
                    };
                };
            };
        };
    };
    listWallets: {
        parameters: {
            query?: {
                limit?: number;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["Wallet"][];
                            next_cursor: string | null;
                        };
                    };
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
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["NewWallet"];
                    };
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Wallet"];
                    };
                };
            };
        };
    };
    changeWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    numeric_memo_text?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Wallet"];
                    };
                };
            };
        };
    };
    listBalances: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["Balance"][];
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                type?: "deposit" | "withdrawal" | "adjustment";
                status?: "awaiting_approval" | "pending" | "confirmed" | "failed";
                /** @description Selects deposits that belong to an address, or that do not */
                attributed?: boolean;
                /** @description Created at this time or later */
                since?: string;
                /** @description Created before this time */
                until?: string;
                /** @description Beginning of a transaction hash (inner or outer), an address, an account, a memo or an id; or part of the label or metadata of the deposit address */
                search?: string;
            };
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["Transaction"][];
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getStatistics: {
        parameters: {
            query?: {
                days?: number;
                asset?: components["schemas"]["AssetText"];
            };
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            days: components["schemas"]["DayOfWallet"][];
                        };
                    };
                };
            };
        };
    };
    regenerateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: {
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
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["AccessChange"];
                    };
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["NamedApiKey"][];
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    scopes: components["schemas"]["Scope"][];
                    /**
                     * Format: date-time
                     * @description Absent: it does not expire
                     */
                    expires_at?: string;
                    /** @description Absent: every address */
                    allowed_ips?: string[];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["NewNamedApiKey"];
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["AccessChange"];
                    };
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            id: string;
                            name: string;
                            prefix: string;
                            last_four: string;
                            scopes: components["schemas"]["Scope"][];
                            /** @description Addresses and CIDR blocks that it may be used from; null for every address */
                            allowed_ips: string[] | null;
                            expires_at: string | null;
                            created_by: {
                                id: string;
                                name: string;
                            };
                            /** Format: date-time */
                            created_at: string;
                            last_used_at: string | null;
                            endpoints: components["schemas"]["WebhookEndpoint"][];
                        };
                    };
                };
            };
        };
    };
    getDepositAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["DepositAddressWithReceived"];
                    };
                };
            };
        };
    };
    changeDepositAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                address_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description An empty text removes it */
                    label?: string;
                    metadata?: components["schemas"]["Metadata"];
                    /** @description The exact text of `metadata` */
                    metadata_text?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["DepositAddress"];
                    };
                };
            };
        };
    };
    listDepositAddresses: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                /** @description Beginning of an id, an M… address or a memo id; or part of the label or metadata */
                search?: string;
            };
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["DepositAddress"][];
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createDepositAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    label?: string;
                    metadata?: components["schemas"]["Metadata"];
                    /** @description The exact text of `metadata` */
                    metadata_text?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["DepositAddress"];
                    };
                };
            };
        };
    };
    listDeposits: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                attributed?: boolean;
                address_id?: string;
            };
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["Deposit"][];
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Deposit"];
                    };
                };
            };
        };
    };
    getAdjustment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Adjustment"];
                    };
                };
            };
        };
    };
    assignDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                deposit_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    address_id: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Deposit"];
                    };
                };
            };
        };
    };
    getDepositMinimums: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["DepositMinimums"];
                    };
                };
            };
        };
    };
    replaceDepositMinimums: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The minimums of every asset, in place of all before; [] is none */
                    items: {
                        asset_code?: components["schemas"]["AssetCode"];
                        asset_issuer?: components["schemas"]["AssetIssuer"];
                        amount_stroops: components["schemas"]["Stroops"];
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["DepositMinimums"];
                    };
                };
            };
        };
    };
    explainTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Explanation"];
                    };
                };
            };
        };
    };
    getReconciliation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Reconciliation"];
                    };
                };
            };
        };
    };
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Policy"];
                    };
                };
            };
        };
    };
    replacePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description What needs approvals of other members. A rule that asks for less always needs approvals by the rule before it. */
                    approvals?: {
                        /** @description How many members must approve, beside the requester; 0 ends the rule */
                        required: number;
                        /** @description Payments above these amounts need approvals. Payments of an asset that is not in the list always need them */
                        above?: {
                            asset_code?: components["schemas"]["AssetCode"];
                            asset_issuer?: components["schemas"]["AssetIssuer"];
                            amount_stroops: components["schemas"]["Stroops"];
                        }[];
                        for?: ("withdrawals" | "policies" | "destinations" | "members" | "api_keys")[];
                    };
                    /** @description True: new withdrawals are refused */
                    frozen?: boolean;
                    max_withdrawal_stroops?: components["schemas"]["Stroops"];
                    max_rolling_24h_stroops?: components["schemas"]["Stroops"];
                    /** @description The limits of every asset, in place of all limits before; [] is none. While one asset has a limit, an asset without a limit is refused. */
                    limits?: {
                        asset_code?: components["schemas"]["AssetCode"];
                        asset_issuer?: components["schemas"]["AssetIssuer"];
                        max_withdrawal_stroops?: components["schemas"]["Stroops"];
                        max_rolling_24h_stroops?: components["schemas"]["Stroops"];
                    }[];
                    /** @description The only addresses that may be paid; [] is none. A G… address allows its account and every M… address of it, an M… or C… address only itself. */
                    destinations?: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Policy"];
                    };
                };
            };
        };
    };
    changePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description What needs approvals of other members. A rule that asks for less always needs approvals by the rule before it. */
                    approvals?: {
                        /** @description How many members must approve, beside the requester; 0 ends the rule */
                        required: number;
                        /** @description Payments above these amounts need approvals. Payments of an asset that is not in the list always need them */
                        above?: {
                            asset_code?: components["schemas"]["AssetCode"];
                            asset_issuer?: components["schemas"]["AssetIssuer"];
                            amount_stroops: components["schemas"]["Stroops"];
                        }[];
                        for?: ("withdrawals" | "policies" | "destinations" | "members" | "api_keys")[];
                    };
                    /** @description True: new withdrawals are refused */
                    frozen?: boolean;
                    max_withdrawal_stroops?: components["schemas"]["Stroops"];
                    max_rolling_24h_stroops?: components["schemas"]["Stroops"];
                    /** @description The limits of every asset, in place of all limits before; [] is none. While one asset has a limit, an asset without a limit is refused. */
                    limits?: {
                        asset_code?: components["schemas"]["AssetCode"];
                        asset_issuer?: components["schemas"]["AssetIssuer"];
                        max_withdrawal_stroops?: components["schemas"]["Stroops"];
                        max_rolling_24h_stroops?: components["schemas"]["Stroops"];
                    }[];
                    /** @description The only addresses that may be paid; [] is none. A G… address allows its account and every M… address of it, an M… or C… address only itself. */
                    destinations?: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Policy"];
                    };
                };
            };
        };
    };
    revokePolicyChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["PendingPolicyChange"];
                    };
                };
            };
        };
    };
    approvePolicyChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                change_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `order_hash` that the member saw. 409 `order_changed` when it is another by now */
                    order_hash: string;
                    comment?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["PendingPolicyChange"];
                    };
                };
            };
        };
    };
    rejectPolicyChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                change_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `order_hash` that the member saw. 409 `order_changed` when it is another by now */
                    order_hash: string;
                    comment?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["PendingPolicyChange"];
                    };
                };
            };
        };
    };
    previewWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description G…, M… or C… address */
                    destination: string;
                    amount_stroops: components["schemas"]["Stroops"];
                    asset_code?: components["schemas"]["AssetCode"];
                    asset_issuer?: components["schemas"]["AssetIssuer"];
                    memo_id?: components["schemas"]["MemoId"];
                    /** @description True: pay an asset back to its issuer, which destroys it */
                    allow_issuer?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["WithdrawalPreview"];
                    };
                };
            };
        };
    };
    refundDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                deposit_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["Withdrawal"];
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["Withdrawal"];
                    };
                };
            };
        };
    };
    listAssets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["WalletAsset"][];
                        };
                    };
                };
            };
        };
    };
    addAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    asset_code: components["schemas"]["AssetCode"];
                    asset_issuer: components["schemas"]["AssetIssuer"];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["WalletAsset"];
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["WalletAsset"];
                    };
                };
            };
        };
    };
    getAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                asset: components["schemas"]["AssetText"];
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["WalletAsset"];
                    };
                };
            };
        };
    };
    removeAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                asset: components["schemas"]["AssetText"];
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["WalletAsset"];
                    };
                };
            };
        };
    };
    approveWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                withdrawal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `order_hash` that the member saw. 409 `order_changed` when it is another by now */
                    order_hash: string;
                    comment?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Withdrawal"];
                    };
                };
            };
        };
    };
    rejectWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                withdrawal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `order_hash` that the member saw. 409 `order_changed` when it is another by now */
                    order_hash: string;
                    comment?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Withdrawal"];
                    };
                };
            };
        };
    };
    previewApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["WithdrawalPreview"];
                    };
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                limit?: number;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["AwaitingApproval"][];
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description G…, M… or C… address */
                    destination: string;
                    amount_stroops: components["schemas"]["Stroops"];
                    asset_code?: components["schemas"]["AssetCode"];
                    asset_issuer?: components["schemas"]["AssetIssuer"];
                    memo_id?: components["schemas"]["MemoId"];
                    /** @description True: pay an asset back to its issuer, which destroys it */
                    allow_issuer?: boolean;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["Withdrawal"];
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["Withdrawal"];
                    };
                };
            };
        };
    };
    listWithdrawals: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                idempotency_key?: string;
                status?: "awaiting_approval";
            };
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["Withdrawal"][];
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getWithdrawal: {
        parameters: {
            query?: {
                /** @description While it has no outcome, wait so long for it (1 to 60) */
                wait_seconds?: number;
            };
            header?: never;
            path: {
                id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Withdrawal"];
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["WebhookEndpoint"][];
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    registerWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Public http(s) URL; loopback and private addresses are refused */
                    url: string;
                    description?: string;
                    /** @description The default is `["deposit.created"]` */
                    events?: ("deposit.created" | "deposit.unattributed" | "withdrawal.confirmed" | "withdrawal.failed" | "withdrawal.awaiting_approval" | "payout.completed" | "asset.changed" | "endpoint.disabled")[];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["NewWebhookEndpoint"];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Public http(s) URL; loopback and private addresses are refused */
                    url?: string;
                    description?: string;
                    /** @description The types of events that it gets, each once */
                    events?: ("deposit.created" | "deposit.unattributed" | "withdrawal.confirmed" | "withdrawal.failed" | "withdrawal.awaiting_approval" | "payout.completed" | "asset.changed" | "endpoint.disabled")[];
                    enabled?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 201;
                        message: string;
                        data: components["schemas"]["NewWebhookEndpoint"];
                    };
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["LoggedWebhookDelivery"][];
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                webhook_id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["WebhookDeliveryWithBody"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description A type of event with `.test` behind it; its data is a sample of that type
                     * @default ping
                     * @enum {string}
                     */
                    event?: "ping" | "deposit.test" | "deposit.created.test" | "deposit.unattributed.test" | "withdrawal.confirmed.test" | "withdrawal.failed.test" | "withdrawal.awaiting_approval.test" | "payout.completed.test" | "asset.changed.test" | "endpoint.disabled.test";
                };
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                webhook_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description The earliest time at which a delivery was made
                     */
                    since: string;
                    /**
                     * @description Send acknowledged deliveries too
                     * @default false
                     */
                    include_delivered?: boolean;
                };
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 202;
                        message: string;
                        data: {
                            /** @description Deliveries that are sent again */
                            count: number;
                        };
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The last number that you have. 0 (the default) starts with the first event, `latest` with the next new one. */
                after?: "latest" | bigint;
                limit?: number;
                /** @description Only events for this endpoint, by its `webhook-sequence`, with `headers` signed for it. */
                webhook_id?: string;
                /** @description When there is no event, wait so long for the next one (0 to 30) */
                wait_seconds?: number;
            };
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["WebhookEvent"][];
                            /**
                             * Format: exact-integer
                             * @description The value of `after` for the next request, also after an empty page
                             */
                            next_after: bigint;
                        };
                    };
                };
            };
        };
    };
    listDepositDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["DepositDelivery"][];
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getWalletHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["WalletHealth"];
                    };
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
                "application/json": {
                    /** @description `client_credentials` */
                    grant_type: string;
                    client_id?: string;
                    /** @description Or by HTTP Basic, with the client id as the user name */
                    client_secret?: string;
                    /** @description With a public key: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer` */
                    client_assertion_type?: string;
                    /** @description With a public key: the signed JWT (RFC 7523) */
                    client_assertion?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            token: string;
                            expires_in: number;
                        };
                        /** @description `data.token` again, where OAuth clients read it */
                        access_token: string;
                        /** @enum {string} */
                        token_type: "Bearer";
                        /** @description Seconds */
                        expires_in: number;
                    };
                };
            };
        };
    };
}

/** Codes of errors of this version; a later one may have more. */
export type ErrorCode = 'invalid_json' | 'invalid_request' | 'idempotency_key_missing' | 'idempotency_key_invalid' | 'ambiguous_destination' | 'memo_required' | 'webhook_url_not_public' | 'unsupported_grant_type' | 'unauthenticated' | 'login_required' | 'wrong_credentials' | 'invalid_client' | 'second_factor_wrong' | 'challenge_ended' | 'role_missing' | 'scope_missing' | 'person_required' | 'address_not_allowed' | 'may_not_approve' | 'second_factor_required' | 'second_factor_stopped' | 'not_found' | 'idempotency_key_reused' | 'idempotency_key_in_flight' | 'idempotency_key_mismatch' | 'possible_duplicate' | 'asset_in_use' | 'last_owner' | 'last_factor' | 'too_few_approvers' | 'not_awaiting_approval' | 'already_decided' | 'order_changed' | 'already_in_team' | 'disabled_by_operator' | 'deposit_attributed' | 'deposit_refunded' | 'body_too_large' | 'unsupported_media_type' | 'misdirected_request' | 'wallet_unfunded' | 'destination_is_issuer' | 'destination_not_supported' | 'transfer_would_fail' | 'fee_above_limit' | 'asset_not_empty' | 'asset_change_failed' | 'policy_frozen' | 'policy_asset_without_limit' | 'policy_amount_limit' | 'policy_daily_limit' | 'policy_destination_not_allowed' | 'refund_not_possible' | 'sandbox_payment_failed' | 'too_many_endpoints' | 'too_many_factors' | 'passkeys_unavailable' | 'too_many_service_users' | 'too_many_secrets' | 'too_many_api_keys' | 'too_many_access_changes' | 'too_many_wallets' | 'too_many_addresses' | 'endpoint_disabled' | 'sequence_unknown' | 'too_many_logins' | 'too_many_waiting' | 'rate_limited' | 'internal_error' | 'network_unavailable' | 'treasury_unfunded' | 'ledger_not_caught_up' | 'database_unavailable' | 'search_timed_out' | 'service_stopping' | 'key_journal_unavailable' | 'outcome_pending';

export type OperationId = keyof operations;

/**
 * `query`: members that a POST sends in its query. `repeatable`: the same again acts once. `held`: the answer comes when
 * the outcome is proven.
 */
export const OPERATIONS: Record<
  OperationId,
  { method: string; path: string; query: string[]; repeatable: boolean; held: boolean }
> = {
    healthz: {"method":"GET","path":"/healthz","query":[],"repeatable":true,"held":false},
    readyz: {"method":"GET","path":"/readyz","query":[],"repeatable":true,"held":false},
    getService: {"method":"GET","path":"/v1/service","query":[],"repeatable":true,"held":false},
    payOnSandbox: {"method":"POST","path":"/v1/sandbox/pay","query":[],"repeatable":false,"held":false},
    listSessions: {"method":"GET","path":"/v1/auth/sessions","query":[],"repeatable":true,"held":false},
    endOtherSessions: {"method":"DELETE","path":"/v1/auth/sessions","query":[],"repeatable":false,"held":false},
    getSession: {"method":"GET","path":"/v1/auth/sessions/{session_id}","query":[],"repeatable":true,"held":false},
    endSession: {"method":"DELETE","path":"/v1/auth/sessions/{session_id}","query":[],"repeatable":false,"held":false},
    renewToken: {"method":"POST","path":"/v1/auth/token/renew","query":[],"repeatable":false,"held":false},
    login: {"method":"POST","path":"/v1/auth/login","query":[],"repeatable":false,"held":false},
    proveSecondFactor: {"method":"POST","path":"/v1/auth/second-factor","query":[],"repeatable":false,"held":false},
    logout: {"method":"POST","path":"/v1/auth/logout","query":[],"repeatable":false,"held":false},
    getMe: {"method":"GET","path":"/v1/auth/me","query":[],"repeatable":true,"held":false},
    changePassword: {"method":"POST","path":"/v1/auth/password","query":[],"repeatable":false,"held":false},
    stepUp: {"method":"POST","path":"/v1/auth/step-up","query":[],"repeatable":false,"held":false},
    beginPasskeyStepUp: {"method":"POST","path":"/v1/auth/step-up/passkey","query":[],"repeatable":false,"held":false},
    getFactors: {"method":"GET","path":"/v1/auth/factors","query":[],"repeatable":true,"held":false},
    renameFactor: {"method":"PATCH","path":"/v1/auth/factors/{factor_id}","query":[],"repeatable":false,"held":false},
    removeFactor: {"method":"DELETE","path":"/v1/auth/factors/{factor_id}","query":[],"repeatable":false,"held":false},
    replaceRecoveryCodes: {"method":"POST","path":"/v1/auth/factors/recovery-codes","query":[],"repeatable":false,"held":false},
    beginTotp: {"method":"POST","path":"/v1/auth/factors/totp","query":[],"repeatable":false,"held":false},
    confirmTotp: {"method":"POST","path":"/v1/auth/factors/totp/{factor_id}/confirm","query":[],"repeatable":false,"held":false},
    beginPasskey: {"method":"POST","path":"/v1/auth/factors/passkeys/options","query":[],"repeatable":false,"held":false},
    addPasskey: {"method":"POST","path":"/v1/auth/factors/passkeys","query":[],"repeatable":false,"held":false},
    getTeam: {"method":"GET","path":"/v1/team","query":[],"repeatable":true,"held":false},
    changeTeam: {"method":"PATCH","path":"/v1/team","query":[],"repeatable":false,"held":false},
    listMembers: {"method":"GET","path":"/v1/team/members","query":[],"repeatable":true,"held":false},
    addMember: {"method":"POST","path":"/v1/team/members","query":[],"repeatable":false,"held":false},
    changeMember: {"method":"PATCH","path":"/v1/team/members/{user_id}","query":[],"repeatable":false,"held":false},
    removeMember: {"method":"DELETE","path":"/v1/team/members/{user_id}","query":[],"repeatable":false,"held":false},
    listInvitations: {"method":"GET","path":"/v1/team/invitations","query":[],"repeatable":true,"held":false},
    createInvitation: {"method":"POST","path":"/v1/team/invitations","query":[],"repeatable":false,"held":false},
    revokeInvitation: {"method":"DELETE","path":"/v1/team/invitations/{invitation_id}","query":[],"repeatable":false,"held":false},
    acceptInvitation: {"method":"POST","path":"/v1/auth/invitations/accept","query":[],"repeatable":false,"held":false},
    listAuditEntries: {"method":"GET","path":"/v1/audit","query":[],"repeatable":true,"held":false},
    getAlerts: {"method":"GET","path":"/v1/team/alerts","query":[],"repeatable":true,"held":false},
    replaceAlerts: {"method":"PUT","path":"/v1/team/alerts","query":[],"repeatable":false,"held":false},
    rotateAlertSecret: {"method":"POST","path":"/v1/team/alerts/rotate-secret","query":[],"repeatable":false,"held":false},
    listServiceUsers: {"method":"GET","path":"/v1/team/service-users","query":[],"repeatable":true,"held":false},
    createServiceUser: {"method":"POST","path":"/v1/team/service-users","query":[],"repeatable":false,"held":false},
    getServiceUser: {"method":"GET","path":"/v1/team/service-users/{service_user_id}","query":[],"repeatable":true,"held":false},
    changeServiceUser: {"method":"PATCH","path":"/v1/team/service-users/{service_user_id}","query":[],"repeatable":false,"held":false},
    removeServiceUser: {"method":"DELETE","path":"/v1/team/service-users/{service_user_id}","query":[],"repeatable":false,"held":false},
    addServiceUserSecret: {"method":"POST","path":"/v1/team/service-users/{service_user_id}/secrets","query":[],"repeatable":false,"held":false},
    retireServiceUserSecret: {"method":"DELETE","path":"/v1/team/service-users/{service_user_id}/secrets/{secret_id}","query":[],"repeatable":false,"held":false},
    getAccessChange: {"method":"GET","path":"/v1/team/access-changes/{access_change_id}","query":[],"repeatable":true,"held":false},
    approveAccessChange: {"method":"POST","path":"/v1/team/access-changes/{access_change_id}/approve","query":[],"repeatable":false,"held":false},
    rejectAccessChange: {"method":"POST","path":"/v1/team/access-changes/{access_change_id}/reject","query":[],"repeatable":false,"held":false},
    createWallet: {"method":"POST","path":"/v1/wallets","query":[],"repeatable":false,"held":false},
    listWallets: {"method":"GET","path":"/v1/wallets","query":[],"repeatable":true,"held":false},
    getWallet: {"method":"GET","path":"/v1/wallets/{id}","query":[],"repeatable":true,"held":false},
    changeWallet: {"method":"PATCH","path":"/v1/wallets/{id}","query":[],"repeatable":false,"held":false},
    listBalances: {"method":"GET","path":"/v1/wallets/{id}/balances","query":[],"repeatable":true,"held":false},
    listTransactions: {"method":"GET","path":"/v1/wallets/{id}/transactions","query":[],"repeatable":true,"held":false},
    getStatistics: {"method":"GET","path":"/v1/wallets/{id}/statistics","query":[],"repeatable":true,"held":false},
    regenerateApiKey: {"method":"POST","path":"/v1/wallets/{id}/api-key/regenerate","query":[],"repeatable":false,"held":false},
    getApiKey: {"method":"GET","path":"/v1/wallets/{id}/api-key","query":[],"repeatable":true,"held":false},
    listApiKeys: {"method":"GET","path":"/v1/wallets/{id}/api-keys","query":[],"repeatable":true,"held":false},
    createApiKey: {"method":"POST","path":"/v1/wallets/{id}/api-keys","query":[],"repeatable":false,"held":false},
    deleteApiKey: {"method":"DELETE","path":"/v1/wallets/{id}/api-keys/{key_id}","query":[],"repeatable":false,"held":false},
    changeDepositAddress: {"method":"PATCH","path":"/v1/wallets/{id}/addresses/{address_id}","query":[],"repeatable":false,"held":false},
    getDepositAddress: {"method":"GET","path":"/v1/wallets/{id}/addresses/{address_id}","query":[],"repeatable":true,"held":false},
    createDepositAddress: {"method":"POST","path":"/v1/wallets/{id}/addresses","query":[],"repeatable":false,"held":false},
    listDepositAddresses: {"method":"GET","path":"/v1/wallets/{id}/addresses","query":[],"repeatable":true,"held":false},
    listDeposits: {"method":"GET","path":"/v1/wallets/{id}/deposits","query":[],"repeatable":true,"held":false},
    getDeposit: {"method":"GET","path":"/v1/wallets/{id}/deposits/{deposit_id}","query":[],"repeatable":true,"held":false},
    getAdjustment: {"method":"GET","path":"/v1/wallets/{id}/adjustments/{adjustment_id}","query":[],"repeatable":true,"held":false},
    assignDeposit: {"method":"POST","path":"/v1/wallets/{id}/deposits/{deposit_id}/assign","query":[],"repeatable":false,"held":false},
    getDepositMinimums: {"method":"GET","path":"/v1/wallets/{id}/deposit-minimums","query":[],"repeatable":true,"held":false},
    replaceDepositMinimums: {"method":"PUT","path":"/v1/wallets/{id}/deposit-minimums","query":[],"repeatable":false,"held":false},
    explainTransaction: {"method":"GET","path":"/v1/wallets/{id}/explain/{tx_hash}","query":[],"repeatable":true,"held":false},
    getReconciliation: {"method":"GET","path":"/v1/wallets/{id}/reconciliation","query":[],"repeatable":true,"held":false},
    getPolicy: {"method":"GET","path":"/v1/wallets/{id}/policy","query":[],"repeatable":true,"held":false},
    replacePolicy: {"method":"PUT","path":"/v1/wallets/{id}/policy","query":[],"repeatable":false,"held":false},
    changePolicy: {"method":"PATCH","path":"/v1/wallets/{id}/policy","query":[],"repeatable":false,"held":false},
    revokePolicyChange: {"method":"DELETE","path":"/v1/wallets/{id}/policy/pending/{change_id}","query":[],"repeatable":false,"held":false},
    approvePolicyChange: {"method":"POST","path":"/v1/wallets/{id}/policy/pending/{change_id}/approve","query":[],"repeatable":false,"held":false},
    rejectPolicyChange: {"method":"POST","path":"/v1/wallets/{id}/policy/pending/{change_id}/reject","query":[],"repeatable":false,"held":false},
    previewWithdrawal: {"method":"POST","path":"/v1/wallets/{id}/withdraw/preview","query":[],"repeatable":true,"held":false},
    refundDeposit: {"method":"POST","path":"/v1/wallets/{id}/deposits/{deposit_id}/refund","query":[],"repeatable":true,"held":true},
    listAssets: {"method":"GET","path":"/v1/wallets/{id}/assets","query":[],"repeatable":true,"held":false},
    addAsset: {"method":"POST","path":"/v1/wallets/{id}/assets","query":[],"repeatable":true,"held":true},
    getAsset: {"method":"GET","path":"/v1/wallets/{id}/assets/{asset}","query":[],"repeatable":true,"held":false},
    removeAsset: {"method":"DELETE","path":"/v1/wallets/{id}/assets/{asset}","query":[],"repeatable":false,"held":true},
    approveWithdrawal: {"method":"POST","path":"/v1/wallets/{id}/withdrawals/{withdrawal_id}/approve","query":[],"repeatable":false,"held":false},
    rejectWithdrawal: {"method":"POST","path":"/v1/wallets/{id}/withdrawals/{withdrawal_id}/reject","query":[],"repeatable":false,"held":false},
    previewApproval: {"method":"GET","path":"/v1/wallets/{id}/withdrawals/{withdrawal_id}/preview","query":[],"repeatable":true,"held":false},
    listApprovals: {"method":"GET","path":"/v1/approvals","query":[],"repeatable":true,"held":false},
    createWithdrawal: {"method":"POST","path":"/v1/wallets/{id}/withdraw","query":[],"repeatable":true,"held":true},
    listWithdrawals: {"method":"GET","path":"/v1/wallets/{id}/withdrawals","query":[],"repeatable":true,"held":false},
    getWithdrawal: {"method":"GET","path":"/v1/wallets/{id}/withdrawals/{withdrawal_id}","query":[],"repeatable":true,"held":false},
    registerWebhook: {"method":"POST","path":"/v1/wallets/{id}/webhooks","query":[],"repeatable":false,"held":false},
    listWebhooks: {"method":"GET","path":"/v1/wallets/{id}/webhooks","query":[],"repeatable":true,"held":false},
    getWebhook: {"method":"GET","path":"/v1/wallets/{id}/webhooks/{webhook_id}","query":[],"repeatable":true,"held":false},
    updateWebhook: {"method":"PATCH","path":"/v1/wallets/{id}/webhooks/{webhook_id}","query":[],"repeatable":false,"held":false},
    deleteWebhook: {"method":"DELETE","path":"/v1/wallets/{id}/webhooks/{webhook_id}","query":[],"repeatable":false,"held":false},
    rotateWebhookSecret: {"method":"POST","path":"/v1/wallets/{id}/webhooks/{webhook_id}/rotate-secret","query":[],"repeatable":false,"held":false},
    listWebhookDeliveries: {"method":"GET","path":"/v1/wallets/{id}/webhooks/{webhook_id}/deliveries","query":[],"repeatable":true,"held":false},
    getWebhookDelivery: {"method":"GET","path":"/v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}","query":[],"repeatable":true,"held":false},
    testWebhook: {"method":"POST","path":"/v1/wallets/{id}/webhooks/{webhook_id}/test","query":[],"repeatable":false,"held":false},
    redeliverWebhook: {"method":"POST","path":"/v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver","query":[],"repeatable":false,"held":false},
    replayWebhook: {"method":"POST","path":"/v1/wallets/{id}/webhooks/{webhook_id}/replay","query":[],"repeatable":false,"held":false},
    listEvents: {"method":"GET","path":"/v1/wallets/{id}/events","query":[],"repeatable":true,"held":false},
    listDepositDeliveries: {"method":"GET","path":"/v1/wallets/{id}/deposits/{deposit_id}/deliveries","query":[],"repeatable":true,"held":false},
    getWalletHealth: {"method":"GET","path":"/v1/wallets/{id}/health","query":[],"repeatable":true,"held":false},
    getServiceToken: {"method":"POST","path":"/v1/auth/token","query":[],"repeatable":true,"held":false},
};
