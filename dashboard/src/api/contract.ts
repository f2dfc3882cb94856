// Written by scripts/contract.ts from docs/openapi.json.
export interface components {
    schemas: {
        Error: {
            statusCode: number;
            message: string;
            error: {
                /** @enum {string} */
                code: "invalid_json" | "invalid_request" | "idempotency_key_missing" | "idempotency_key_invalid" | "ambiguous_destination" | "memo_required" | "webhook_url_not_public" | "unauthenticated" | "login_required" | "wrong_credentials" | "role_missing" | "not_found" | "idempotency_key_reused" | "idempotency_key_in_flight" | "idempotency_key_mismatch" | "possible_duplicate" | "asset_in_use" | "last_owner" | "already_in_team" | "deposit_attributed" | "deposit_refunded" | "body_too_large" | "unsupported_media_type" | "misdirected_request" | "wallet_unfunded" | "destination_is_issuer" | "destination_not_supported" | "transfer_would_fail" | "fee_above_limit" | "asset_not_empty" | "asset_change_failed" | "policy_frozen" | "policy_asset_without_limit" | "policy_amount_limit" | "policy_daily_limit" | "policy_destination_not_allowed" | "refund_not_possible" | "sandbox_payment_failed" | "too_many_endpoints" | "endpoint_disabled" | "sequence_unknown" | "too_many_logins" | "too_many_waiting" | "internal_error" | "network_unavailable" | "treasury_unfunded" | "ledger_not_caught_up" | "database_unavailable" | "search_timed_out" | "service_stopping" | "key_journal_unavailable" | "outcome_pending";
                details?: {
                    path: string;
                    message: string;
                }[];
                request_id: string;
            };
        };
        /** @description Stroops; 10,000,000 are one unit of the native asset. */
        Stroops: bigint;
        /** @description Unsigned 64-bit integer; may exceed 2^53. */
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
         * @description `new_device`: A user signed in at a device that was not known. `password_changed`: A password was changed or reset. `second_factor_changed`: A second factor was added, removed or stopped, or the team’s need of one changed. `recovery_codes_replaced`: A user replaced their recovery codes. `member_changed`: A member or service user came, left, or got other rights. `invitation_created`: An invitation was made. `api_key_made`: An API key, or a secret of a service user, was made or replaced. `endpoint_changed`: A webhook endpoint was registered, or got another URL. `signing_secret_rotated`: The signing secret of an endpoint was replaced. `policy_loosened`: A policy was loosened, or a looser one was announced. `large_payment`: A withdrawal was requested above the amount that the team has set. `wallet_frozen`: The operator froze a wallet, or ended the freeze. `alerts_changed`: The alerts of the team changed; always sent
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
                amount_stroops: bigint;
            }[];
            /** @description Whether this service sends mails */
            mails: boolean;
            /** @description A new one, which is never shown again; null when the URL has not changed */
            signing_secret: string | null;
        };
        /** @enum {string} */
        AuditAction: "login.succeeded" | "login.failed" | "session.ended" | "password.refused" | "password.changed" | "password.reset" | "user.created" | "user.disabled" | "user.enabled" | "command.run" | "right.refused" | "team.renamed" | "team.alerts_changed" | "member.added" | "member.changed" | "member.removed" | "invitation.created" | "invitation.revoked" | "wallet.created" | "wallet.changed" | "wallet.frozen" | "wallet.unfrozen" | "api_key.regenerated" | "address.created" | "deposit.assigned" | "policy.changed" | "policy.change_revoked" | "withdrawal.requested" | "asset.added" | "asset.removed" | "endpoint.registered" | "endpoint.changed" | "endpoint.deleted" | "endpoint.secret_rotated" | "endpoint.tested" | "delivery.repeated" | "deliveries.replayed";
        AuditEntry: {
            /** @description Counts the entries of the team: 1, 2, 3, … without a gap */
            seq: number;
            id: string;
            /** Format: date-time */
            at: string;
            /** @description A stranger is who has not signed in; an API key has the id of its wallet */
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
            email: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            role: components["schemas"]["Role"];
            /** @description The wallets that the member may use; null for every wallet of the team */
            wallet_ids: string[] | null;
            team: {
                name: string;
            };
        };
        Team: {
            name: string;
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
            opening_stroops: bigint;
            deposits_stroops: bigint;
            withdrawals_stroops: bigint;
            /** @description What others took from the wallet, for example by a clawback */
            adjustments_stroops: bigint;
            fees_stroops: bigint;
            expected_stroops: bigint;
            balance_stroops: bigint;
            /** @description The balance on the ledger minus the expected balance */
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
            metadata: components["schemas"]["Metadata"] | null;
            /** Format: date-time */
            created_at: string;
        };
        ReceivedAsset: {
            asset_code: string;
            asset_issuer: string | null;
            count: number;
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
            metadata: components["schemas"]["Metadata"] | null;
            /** Format: date-time */
            created_at: string;
            /** @description All deposits of the address, by asset */
            received: components["schemas"]["ReceivedAsset"][];
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
            /** @description The withdrawal that refunds it */
            refund_withdrawal_id: string | null;
            metadata: components["schemas"]["Metadata"] | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description What others did to a wallet without paying it */
        Adjustment: {
            id: string;
            wallet_id: string;
            asset_code: string;
            asset_issuer: string | null;
            /** @enum {string} */
            reason: "clawback" | "contract_transfer" | "contract_burn" | "authorized" | "maintain_liabilities" | "authorization_revoked";
            /** @description What was taken; 0 when only the authorization of the trust line has changed */
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
        Transaction: {
            /** @enum {string} */
            type: "deposit" | "withdrawal" | "adjustment";
            id: string;
            /** @enum {string} */
            status: "pending" | "confirmed" | "failed";
            /** @description What happened to the wallet, for an adjustment; null for the others */
            reason: ("clawback" | "contract_transfer" | "contract_burn" | "authorized" | "maintain_liabilities" | "authorization_revoked") | null;
            asset_code: string;
            asset_issuer: string | null;
            /** @description 0 for an adjustment that changed what a trust line may do */
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
            deposits_stroops: bigint;
            withdrawals_count: number;
            withdrawals_stroops: bigint;
            /** @description Changes of what a trust line may do are not counted */
            adjustments_count: number;
            /** @description What others took from the wallet, for example by a clawback */
            adjustments_stroops: bigint;
            /** @description Native; 0 for any other asset. Includes fees of withdrawals that failed in the ledger, and of trust lines */
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
            amount_stroops: bigint;
            available_stroops: bigint;
            /**
             * @description Whether the issuer lets the wallet take and pay it: as the status of an asset
             * @enum {string}
             */
            status: "active" | "unauthorized" | "maintain_liabilities";
        };
        ApiKey: {
            prefix: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
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
            /** @description Sent as webhook-id. The same for every attempt, and for the same deposit after the database was restored */
            event_id: string;
            event: string;
            /** @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence */
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
            /** @description Sent as webhook-id. The same for every attempt, and for the same deposit after the database was restored */
            event_id: string;
            event: string;
            /** @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence */
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
            /** @description Sent as webhook-id. The same for every attempt, and for the same deposit after the database was restored */
            event_id: string;
            event: string;
            /** @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence */
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
        WebhookEndpoint: {
            id: string;
            wallet_id: string;
            url: string;
            description: string | null;
            enabled: boolean;
            /** @description Why the service disabled the endpoint; null while it is enabled, and if its owner disabled it */
            disabled_reason: string | null;
            /** @description Since when every attempt has failed; null if the last one succeeded. After two days without an attempt it starts anew */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description An endpoint with its signing secret, which is never shown again. */
        NewWebhookEndpoint: {
            id: string;
            wallet_id: string;
            url: string;
            description: string | null;
            enabled: boolean;
            /** @description Why the service disabled the endpoint; null while it is enabled, and if its owner disabled it */
            disabled_reason: string | null;
            /** @description Since when every attempt has failed; null if the last one succeeded. After two days without an attempt it starts anew */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            signing_secret: string;
        };
        WebhookEvent: {
            /** @description Sent as webhook-id */
            id: string;
            event: string;
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
            /** @enum {string} */
            status: "pending" | "confirmed" | "failed";
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
        };
        /** @description A change to a looser policy that is not in force yet. For the field frozen it unfreezes the wallet. For `limits` it allows an asset that is refused, or removes the limits of all assets. */
        PendingPolicyChange: {
            id: string;
            /** @enum {string} */
            field: "frozen" | "max_withdrawal_stroops" | "max_rolling_24h_stroops" | "limits" | "destinations";
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
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            takes_effect_at: string;
        };
        AssetLimits: {
            /** @description The native asset is `native` */
            asset_code: string;
            /** @description Null for the native asset */
            asset_issuer: string | null;
            max_withdrawal_stroops: components["schemas"]["Stroops"] | null;
            max_rolling_24h_stroops: components["schemas"]["Stroops"] | null;
            /** @description Withdrawals of the asset in the last 24 hours that are not failed */
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
            /** @description Withdrawals of the native asset in the last 24 hours that are not failed */
            used_rolling_24h_stroops: bigint;
            /** @description Every asset with a limit, the native one first */
            limits: components["schemas"]["AssetLimits"][];
            /** @description Whether an asset that `limits` does not have may be paid */
            other_assets_allowed: boolean;
            destinations: string[] | null;
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
            /** @description Estimate: what 9 of 10 recent transactions paid; through a channel account twice that. Of a contract transfer the whole fee that it declares, of which most comes back; 0 when it cannot be simulated, and when the treasury pays */
            fee_stroops: bigint;
            /** @description The fee is never higher */
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
            /** @description What the wallet holds of the asset */
            balance_stroops: bigint;
            /** @description What the account must keep for its ledger entries; of an issued asset 0 */
            reserve_stroops: bigint;
            /** @description The native balance that can pay the fee: less reserve, liabilities and withdrawals in flight */
            fee_available_stroops: bigint;
            /** @description How much more of an issued asset the destination can hold; null where there is no limit */
            room_stroops: bigint | null;
            /** @description Balance less reserve, liabilities and withdrawals in flight */
            available_stroops: bigint;
            /** @description Estimate, withdrawals in flight counted as paid; null when there is a problem */
            balance_after_stroops: bigint | null;
            /** @description False when the withdrawal would be refused: nothing is sent then */
            would_send: boolean;
            /** @description Why it would be refused (the error codes of a withdrawal), or why the network would fail it (op_…, tx_…: sent, and `failed`) */
            problems: {
                code: string;
                message: string;
            }[];
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
            /** @description Sent as webhook-id. The same for every attempt, and for the same deposit after the database was restored */
            event_id: string;
            event: string;
            /** @description Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence */
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
export type Error = components['schemas']['Error'];
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
export type Role = components['schemas']['Role'];
export type User = components['schemas']['User'];
export type Me = components['schemas']['Me'];
export type Team = components['schemas']['Team'];
export type Member = components['schemas']['Member'];
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
export type Transaction = components['schemas']['Transaction'];
export type DayOfWallet = components['schemas']['DayOfWallet'];
export type Wallet = components['schemas']['Wallet'];
export type NewWallet = components['schemas']['NewWallet'];
export type Balance = components['schemas']['Balance'];
export type ApiKey = components['schemas']['ApiKey'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type LoggedWebhookDelivery = components['schemas']['LoggedWebhookDelivery'];
export type WebhookEventBody = components['schemas']['WebhookEventBody'];
export type WebhookDeliveryWithBody = components['schemas']['WebhookDeliveryWithBody'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type NewWebhookEndpoint = components['schemas']['NewWebhookEndpoint'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type Withdrawal = components['schemas']['Withdrawal'];
export type PendingPolicyChange = components['schemas']['PendingPolicyChange'];
export type AssetLimits = components['schemas']['AssetLimits'];
export type Policy = components['schemas']['Policy'];
export type WithdrawalPreview = components['schemas']['WithdrawalPreview'];
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description Created */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description OK */
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
                limit?: string;
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
            /** @description Created */
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
            /** @description OK */
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
            /** @description OK */
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
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                limit?: string;
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
            /** @description Created */
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
            /** @description OK */
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
                };
            };
        };
        responses: {
            /** @description OK */
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
                limit?: string;
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
    listWallets: {
        parameters: {
            query?: {
                limit?: string;
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
            /** @description Created */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
                limit?: string;
                cursor?: string;
                type?: "deposit" | "withdrawal" | "adjustment";
                status?: "pending" | "confirmed" | "failed";
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
                days?: string;
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
            /** @description OK */
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
            /** @description Created */
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
                            prefix: string;
                            last_four: string;
                            /** Format: date-time */
                            created_at: string;
                            last_used_at: string | null;
                            api_key: string;
                        };
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
            /** @description OK */
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
    listDepositAddresses: {
        parameters: {
            query?: {
                limit?: string;
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
            /** @description OK */
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
                };
            };
        };
        responses: {
            /** @description Created */
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
            /** @description OK */
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
    listDeposits: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                attributed?: "true" | "false";
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description Created */
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
            /** @description OK */
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
            /** @description OK */
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
            /** @description Created */
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
            /** @description OK */
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
            /** @description OK */
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
    createWithdrawal: {
        parameters: {
            query?: never;
            header: {
                /** @description 1–255 printable ASCII characters, unique per withdrawal */
                "idempotency-key": string;
            };
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
            /** @description Created */
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
        };
    };
    listWithdrawals: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                idempotency_key?: string;
            };
            header?: never;
            path: {
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
            /** @description OK */
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
                limit?: string;
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
            /** @description OK */
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
                };
            };
        };
        responses: {
            /** @description Created */
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
            /** @description OK */
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
            /** @description OK */
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
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
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
            /** @description Created */
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
                limit?: string;
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
            /** @description OK */
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
            /** @description OK */
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
                     * @default ping
                     * @enum {string}
                     */
                    event?: "ping" | "deposit.test";
                };
            };
        };
        responses: {
            /** @description Accepted */
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
            /** @description Accepted */
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
            /** @description Accepted */
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
                after?: string;
                limit?: string;
                /** @description Only events for this endpoint, by its `webhook-sequence`, with `headers` signed for it. */
                webhook_id?: string;
                /** @description When there is no event, wait so long for the next one (0 to 30) */
                wait_seconds?: string;
            };
            header?: never;
            path: {
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
                    "application/json": {
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: {
                            items: components["schemas"]["WebhookEvent"][];
                            /** @description The value of `after` for the next request, also after an empty page */
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
            /** @description OK */
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
            /** @description OK */
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
}

/** Method and path of each operation. */
export const OPERATIONS = {
    healthz: ["GET", "/healthz"],
    readyz: ["GET", "/readyz"],
    getService: ["GET", "/v1/service"],
    payOnSandbox: ["POST", "/v1/sandbox/pay"],
    login: ["POST", "/v1/auth/login"],
    logout: ["POST", "/v1/auth/logout"],
    getMe: ["GET", "/v1/auth/me"],
    changePassword: ["POST", "/v1/auth/password"],
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
    createWallet: ["POST", "/v1/wallets"],
    listWallets: ["GET", "/v1/wallets"],
    getWallet: ["GET", "/v1/wallets/{id}"],
    changeWallet: ["PATCH", "/v1/wallets/{id}"],
    listBalances: ["GET", "/v1/wallets/{id}/balances"],
    listTransactions: ["GET", "/v1/wallets/{id}/transactions"],
    getStatistics: ["GET", "/v1/wallets/{id}/statistics"],
    regenerateApiKey: ["POST", "/v1/wallets/{id}/api-key/regenerate"],
    getApiKey: ["GET", "/v1/wallets/{id}/api-key"],
    createDepositAddress: ["POST", "/v1/wallets/{id}/addresses"],
    listDepositAddresses: ["GET", "/v1/wallets/{id}/addresses"],
    getDepositAddress: ["GET", "/v1/wallets/{id}/addresses/{address_id}"],
    listDeposits: ["GET", "/v1/wallets/{id}/deposits"],
    getDeposit: ["GET", "/v1/wallets/{id}/deposits/{deposit_id}"],
    getAdjustment: ["GET", "/v1/wallets/{id}/adjustments/{adjustment_id}"],
    assignDeposit: ["POST", "/v1/wallets/{id}/deposits/{deposit_id}/assign"],
    explainTransaction: ["GET", "/v1/wallets/{id}/explain/{tx_hash}"],
    getReconciliation: ["GET", "/v1/wallets/{id}/reconciliation"],
    getPolicy: ["GET", "/v1/wallets/{id}/policy"],
    replacePolicy: ["PUT", "/v1/wallets/{id}/policy"],
    changePolicy: ["PATCH", "/v1/wallets/{id}/policy"],
    revokePolicyChange: ["DELETE", "/v1/wallets/{id}/policy/pending/{change_id}"],
    previewWithdrawal: ["POST", "/v1/wallets/{id}/withdraw/preview"],
    refundDeposit: ["POST", "/v1/wallets/{id}/deposits/{deposit_id}/refund"],
    listAssets: ["GET", "/v1/wallets/{id}/assets"],
    addAsset: ["POST", "/v1/wallets/{id}/assets"],
    getAsset: ["GET", "/v1/wallets/{id}/assets/{asset}"],
    removeAsset: ["DELETE", "/v1/wallets/{id}/assets/{asset}"],
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
    listDepositDeliveries: ["GET", "/v1/wallets/{id}/deposits/{deposit_id}/deliveries"],
    getWalletHealth: ["GET", "/v1/wallets/{id}/health"],
} as const satisfies Record<keyof operations, readonly [method: string, path: string]>;
/** Roles that may call each operation, of those that need a login. */
export const ROLES_OF = {
    payOnSandbox: ["owner","admin","operator","developer"],
    logout: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getMe: ["owner","admin","operator","approver","developer","auditor","viewer"],
    changePassword: ["owner","admin","operator","approver","developer","auditor","viewer"],
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
    createWallet: ["owner","admin"],
    listWallets: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getWallet: ["owner","admin","operator","approver","developer","auditor","viewer"],
    changeWallet: ["owner","admin"],
    listBalances: ["owner","admin","operator","approver","developer","auditor","viewer"],
    listTransactions: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getStatistics: ["owner","admin","operator","approver","developer","auditor","viewer"],
    regenerateApiKey: ["owner","admin","developer"],
    getApiKey: ["owner","admin","operator","approver","developer","auditor","viewer"],
    createDepositAddress: ["owner","admin","operator","developer"],
    listDepositAddresses: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getDepositAddress: ["owner","admin","operator","approver","developer","auditor","viewer"],
    listDeposits: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getDeposit: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getAdjustment: ["owner","admin","operator","approver","developer","auditor","viewer"],
    assignDeposit: ["owner","admin","operator"],
    explainTransaction: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getReconciliation: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getPolicy: ["owner","admin","operator","approver","developer","auditor","viewer"],
    replacePolicy: ["owner","admin"],
    changePolicy: ["owner","admin"],
    revokePolicyChange: ["owner","admin"],
    previewWithdrawal: ["owner","admin","operator","approver"],
    refundDeposit: ["owner","admin","operator"],
    listAssets: ["owner","admin","operator","approver","developer","auditor","viewer"],
    addAsset: ["owner","admin"],
    getAsset: ["owner","admin","operator","approver","developer","auditor","viewer"],
    removeAsset: ["owner","admin"],
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
    listDepositDeliveries: ["owner","admin","operator","approver","developer","auditor","viewer"],
    getWalletHealth: ["owner","admin","operator","approver","developer","auditor","viewer"],
} as const satisfies Partial<Record<keyof operations, readonly Role[]>>;
