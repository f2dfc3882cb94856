// Written by scripts/contract.ts from docs/openapi.json.
export interface components {
    schemas: {
        Error: {
            statusCode: number;
            message: string;
            error: {
                /** @enum {string} */
                code: "invalid_json" | "invalid_request" | "idempotency_key_missing" | "idempotency_key_invalid" | "ambiguous_destination" | "memo_required" | "webhook_url_not_public" | "unauthenticated" | "login_required" | "wrong_credentials" | "not_found" | "idempotency_key_reused" | "idempotency_key_in_flight" | "idempotency_key_mismatch" | "deposit_attributed" | "deposit_refunded" | "body_too_large" | "unsupported_media_type" | "misdirected_request" | "wallet_unfunded" | "policy_frozen" | "policy_amount_limit" | "policy_daily_limit" | "policy_destination_not_allowed" | "refund_not_possible" | "sandbox_payment_failed" | "too_many_endpoints" | "endpoint_disabled" | "sequence_unknown" | "too_many_logins" | "too_many_waiting" | "internal_error" | "network_unavailable" | "database_unavailable" | "outcome_pending";
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
        /** @description Any JSON object (≤ 16 KiB); returned exactly as given. */
        Metadata: {
            [key: string]: unknown;
        };
        User: {
            id: string;
            email: string;
            name: string;
            /** Format: date-time */
            created_at: string;
        };
        WebhookEndpoint: {
            id: string;
            wallet_id: string;
            url: string;
            description: string | null;
            enabled: boolean;
            /** @description Why the service disabled it; null while it is enabled, or if its owner disabled it */
            disabled_reason: string | null;
            /** @description Since when every attempt has failed; null when the last one succeeded. Two days without an attempt begin it anew */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description An endpoint with its signing secret, which is shown this once. */
        NewWebhookEndpoint: {
            id: string;
            wallet_id: string;
            url: string;
            description: string | null;
            enabled: boolean;
            /** @description Why the service disabled it; null while it is enabled, or if its owner disabled it */
            disabled_reason: string | null;
            /** @description Since when every attempt has failed; null when the last one succeeded. Two days without an attempt begin it anew */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            signing_secret: string;
        };
        WebhookAttempt: {
            number: number;
            /** Format: date-time */
            started_at: string;
            duration_ms: number;
            /** @description What was sent; null when nobody recorded it */
            request_headers: {
                [key: string]: string;
            } | null;
            status_code: number | null;
            /** @description Why there was no answer; null when there was one */
            error: string | null;
            /** @description The first 1 KiB of the answer */
            response_body: string | null;
        };
        WebhookDelivery: {
            id: string;
            webhook_id: string;
            /** @description Sent as webhook-id; the same on every attempt, and for the same deposit after a restore of the database */
            event_id: string;
            event: string;
            /** @description Counts the endpoint’s deliveries without a gap; sent as webhook-sequence */
            sequence: bigint;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** @description Attempts so far */
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
            /** @description Sent as webhook-id; the same on every attempt, and for the same deposit after a restore of the database */
            event_id: string;
            event: string;
            /** @description Counts the endpoint’s deliveries without a gap; sent as webhook-sequence */
            sequence: bigint;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** @description Attempts so far */
            attempts: number;
            /** @description Null unless pending */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            settled_at: string | null;
            /** @description The latest 50 attempts, in their order. Those of a delivery are no longer kept WEBHOOK_LOG_DAYS after it was acknowledged. */
            attempt_log: components["schemas"]["WebhookAttempt"][];
        };
        /** @description Exactly the JSON that is sent: {"event": …, "data": …} */
        WebhookEventBody: {
            [key: string]: unknown;
        };
        WebhookDeliveryWithBody: {
            id: string;
            webhook_id: string;
            /** @description Sent as webhook-id; the same on every attempt, and for the same deposit after a restore of the database */
            event_id: string;
            event: string;
            /** @description Counts the endpoint’s deliveries without a gap; sent as webhook-sequence */
            sequence: bigint;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** @description Attempts so far */
            attempts: number;
            /** @description Null unless pending */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            settled_at: string | null;
            /** @description The latest 50 attempts, in their order. Those of a delivery are no longer kept WEBHOOK_LOG_DAYS after it was acknowledged. */
            attempt_log: components["schemas"]["WebhookAttempt"][];
            body: components["schemas"]["WebhookEventBody"];
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
        /** @description A delivery of a deposit’s event, with the URL of its endpoint */
        DepositDelivery: {
            id: string;
            webhook_id: string;
            /** @description Sent as webhook-id; the same on every attempt, and for the same deposit after a restore of the database */
            event_id: string;
            event: string;
            /** @description Counts the endpoint’s deliveries without a gap; sent as webhook-sequence */
            sequence: bigint;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** @description Attempts so far */
            attempts: number;
            /** @description Null unless pending */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            settled_at: string | null;
            /** @description The latest 50 attempts, in their order. Those of a delivery are no longer kept WEBHOOK_LOG_DAYS after it was acknowledged. */
            attempt_log: components["schemas"]["WebhookAttempt"][];
            url: string;
        };
        ReconciliationItem: {
            asset_code: string;
            asset_issuer: string | null;
            opening_stroops: bigint;
            deposits_stroops: bigint;
            withdrawals_stroops: bigint;
            fees_stroops: bigint;
            expected_stroops: bigint;
            balance_stroops: bigint;
            /** @description The balance on the ledger less the expected one */
            difference_stroops: bigint;
            /** @description The last ledger at which there was no difference */
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
            /** @description Books and balances were compared as of this closed ledger */
            ledger: number;
            /**
             * Format: date-time
             * @description When that was: `agrees` says nothing of later. Older than a minute when it cannot be compared now
             */
            checked_at: string;
            items: components["schemas"]["ReconciliationItem"][];
        };
        Deposit: {
            id: string;
            wallet_id: string;
            address_id: string | null;
            asset_code: string;
            asset_issuer: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            /** @description G… that paid; C… when a contract did */
            source_account: string;
            /** @description M… of the same when it paid by that: a refund goes there */
            source_account_muxed: string | null;
            stellar_tx_hash: string;
            operation_index: number;
            /** @description Of a contract’s event in its operation, else 0. Hash, operation and event are what the ledger knows the deposit by: they stay when the database is restored from an older copy, and `id` does not */
            event_index: number;
            /**
             * @description What paid it: an operation, or an event of a Stellar Asset Contract
             * @enum {string}
             */
            kind: "payment" | "create_account" | "path_payment_strict_send" | "path_payment_strict_receive" | "account_merge" | "contract_transfer" | "contract_mint";
            /** @description Muxed id, else memo id; of a deposit that was assigned by hand, that of its address */
            memo_id: components["schemas"]["MemoId"] | null;
            /** @enum {string} */
            memo_type: "none" | "id" | "text" | "hash" | "return";
            /** @description The transaction’s memo: digits, a text, or base64 of what is no text */
            memo: string | null;
            ledger: number;
            /** @constant */
            status: "confirmed";
            attributed: boolean;
            assigned_by_hand: boolean;
            /** @description The refund that is made or under way */
            refund_withdrawal_id: string | null;
            metadata: components["schemas"]["Metadata"] | null;
            /** Format: date-time */
            created_at: string;
        };
        DepositAddress: {
            id: string;
            wallet_id: string;
            /** @description M… address: pay this */
            address: string;
            /** @description G… account: pay this with MEMO_ID memo_id where M… is not supported */
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
            /** @description G… account: pay this with MEMO_ID memo_id where M… is not supported */
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
        Explanation: {
            /** @description The outer one of a fee-bump, whichever was asked for */
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
                /** @description Whether the ledger says that it paid the wallet */
                credited: boolean;
                /** @description A stable word: why it credited the wallet or an address, or not */
                reason: string;
                /** @description The same in sentences, for a person */
                message: string;
                deposits: components["schemas"]["Deposit"][];
            }[];
        };
        WalletHealth: {
            deposits: {
                ok: boolean;
                message: string;
                /** @description How far the reading is behind the ledger; null when that cannot be known now */
                lag_seconds: number | null;
            };
            /** @description Whether something keeps this wallet from paying */
            withdrawals: {
                ok: boolean;
                message: string;
            };
            webhooks: {
                ok: boolean;
                message: string;
                /** @description Endpoints whose last attempt has failed */
                failing: number;
                /** @description Endpoints that the service has disabled */
                disabled: number;
            };
            channels: {
                ok: boolean;
                message: string;
                free: number;
                /** @description Channel accounts that all wallets share */
                total: number;
            };
            reconciliation: {
                ok: boolean;
                message: string;
                /** @description Null before the first comparison */
                ledger: number | null;
            };
            inbox: {
                /** @description Deposits of no address that are not refunded; 1000 stands for as many or more */
                unattributed: number;
            };
        };
        Service: {
            /** @constant */
            name: "Stellar Teller";
            version: string;
            /** @enum {string} */
            network: "sandbox" | "testnet" | "public";
            passphrase: string;
            /** @description Pages about transactions and accounts; null where nobody is known to have them */
            explorer: {
                /** @description With {hash} in it */
                transaction: string;
                /** @description With {account} in it: a G… address */
                account: string;
            } | null;
        };
        Transaction: {
            /** @enum {string} */
            type: "deposit" | "withdrawal";
            id: string;
            /** @enum {string} */
            status: "pending" | "confirmed" | "failed";
            asset_code: string;
            asset_issuer: string | null;
            amount_stroops: components["schemas"]["Stroops"];
            /** @description What the wallet paid for a withdrawal; null until that is known, and of a deposit */
            fee_stroops: bigint | null;
            counterparty: string;
            /** @description Of the deposit address that was paid */
            address_label: string | null;
            stellar_tx_hash: string | null;
            memo_id: components["schemas"]["MemoId"] | null;
            /** @description The transaction’s memo where it is a text; a withdrawal never has one */
            memo_text: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description What is confirmed, of the native asset, by the day it was created */
        DayOfWallet: {
            /**
             * Format: date
             * @description In UTC; days without anything are there too
             */
            date: string;
            deposits_count: number;
            deposits_stroops: bigint;
            withdrawals_count: number;
            withdrawals_stroops: bigint;
            /** @description Those of withdrawals that failed in the ledger too */
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
            /** @description Whether a memo text of digits counts as a memo id, for deposits read from then on */
            numeric_memo_text: boolean;
            /** Format: date-time */
            created_at: string;
        };
        /** @description A wallet with its API key, which is shown this once. */
        NewWallet: {
            id: string;
            name: string;
            /** @enum {string} */
            network: "sandbox" | "testnet" | "public";
            /** @description The wallet’s Stellar account (G…) */
            account: string;
            /** @enum {string} */
            status: "unfunded" | "active";
            /** @description Whether a memo text of digits counts as a memo id, for deposits read from then on */
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
        };
        ApiKey: {
            prefix: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
        };
        Withdrawal: {
            id: string;
            wallet_id: string;
            /** @enum {string} */
            status: "pending" | "confirmed" | "failed";
            /** @description Hash of the envelope in the ledger; before proof, of the latest one sent */
            stellar_tx_hash: string | null;
            /** @description Hash of the signed payment; differs when it is fee-bumped */
            inner_tx_hash: string | null;
            /** @enum {string} */
            operation: "payment" | "create_account";
            destination: string;
            amount_stroops: components["schemas"]["Stroops"];
            memo_id: components["schemas"]["MemoId"] | null;
            ledger: number | null;
            fee_stroops: bigint | null;
            failure: {
                code: string;
                message: string;
            } | null;
            idempotency_key: string;
            /** @description The deposit that this pays back, with MEMO_RETURN of its transaction’s hash */
            refund_of: string | null;
            /** @description Fee-bump transactions made around it, the one that every payment through a channel account has included */
            fee_bumps: number;
            /** Format: date-time */
            created_at: string;
            signed_at: string | null;
            /** @description When its envelope was committed to be sent, which is at once: never sent before */
            committed_at: string | null;
            /** @description By then it is confirmed or can never be; null until it is signed */
            expires_at: string | null;
            settled_at: string | null;
        };
        /** @description A loosening that is not in force yet. One of frozen unfreezes. */
        PendingPolicyChange: {
            id: string;
            /** @enum {string} */
            field: "frozen" | "max_withdrawal_stroops" | "max_rolling_24h_stroops" | "destinations";
            /** @description For a max_… field: the limit to be, null is none */
            limit_stroops: components["schemas"]["Stroops"] | null;
            /** @description For destinations: the address to be added, null is everywhere */
            destination: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            takes_effect_at: string;
        };
        /** @description What is in force now; null is no limit. */
        Policy: {
            wallet_id: string;
            frozen: boolean;
            max_withdrawal_stroops: components["schemas"]["Stroops"] | null;
            max_rolling_24h_stroops: components["schemas"]["Stroops"] | null;
            /** @description Withdrawals of the last 24 hours that are not failed */
            used_rolling_24h_stroops: bigint;
            destinations: string[] | null;
            /** @description How long after it is asked for a loosening takes effect */
            delay_seconds: number;
            pending: components["schemas"]["PendingPolicyChange"][];
        };
        WithdrawalPreview: {
            /** @enum {string} */
            operation: "payment" | "create_account";
            destination_exists: boolean;
            /** @description The destination takes no payment without a memo (SEP-29) */
            memo_required: boolean;
            /** @description False when a memo is required and there is none */
            memo_satisfied: boolean;
            /** @description Estimate: what 9 of 10 recent transactions paid; through a channel account twice that */
            fee_stroops: bigint;
            /** @description The fee is never higher */
            fee_max_stroops: bigint;
            balance_stroops: bigint;
            /** @description What the account must keep for its ledger entries */
            reserve_stroops: bigint;
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
export type Metadata = components['schemas']['Metadata'];
export type User = components['schemas']['User'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type NewWebhookEndpoint = components['schemas']['NewWebhookEndpoint'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type LoggedWebhookDelivery = components['schemas']['LoggedWebhookDelivery'];
export type WebhookEventBody = components['schemas']['WebhookEventBody'];
export type WebhookDeliveryWithBody = components['schemas']['WebhookDeliveryWithBody'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type DepositDelivery = components['schemas']['DepositDelivery'];
export type ReconciliationItem = components['schemas']['ReconciliationItem'];
export type Reconciliation = components['schemas']['Reconciliation'];
export type Deposit = components['schemas']['Deposit'];
export type DepositAddress = components['schemas']['DepositAddress'];
export type ReceivedAsset = components['schemas']['ReceivedAsset'];
export type DepositAddressWithReceived = components['schemas']['DepositAddressWithReceived'];
export type Explanation = components['schemas']['Explanation'];
export type WalletHealth = components['schemas']['WalletHealth'];
export type Service = components['schemas']['Service'];
export type Transaction = components['schemas']['Transaction'];
export type DayOfWallet = components['schemas']['DayOfWallet'];
export type Wallet = components['schemas']['Wallet'];
export type NewWallet = components['schemas']['NewWallet'];
export type Balance = components['schemas']['Balance'];
export type ApiKey = components['schemas']['ApiKey'];
export type Withdrawal = components['schemas']['Withdrawal'];
export type PendingPolicyChange = components['schemas']['PendingPolicyChange'];
export type Policy = components['schemas']['Policy'];
export type WithdrawalPreview = components['schemas']['WithdrawalPreview'];
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
                        data: components["schemas"]["User"];
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
                type?: "deposit" | "withdrawal";
                status?: "pending" | "confirmed" | "failed";
                /** @description Deposits only: whether they found an address */
                attributed?: "true" | "false";
                /** @description Created at this time or later */
                since?: string;
                /** @description Created before this time */
                until?: string;
                /** @description The beginning of a transaction hash (inner or outer), an address, an account, a memo or an id; or a part of the label or metadata of the deposit address */
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
                /** @description The beginning of an id, an M… address or a memo id; or a part of the label or metadata */
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
                    /** @description True: no new withdrawal is taken */
                    frozen?: boolean;
                    max_withdrawal_stroops?: components["schemas"]["Stroops"];
                    max_rolling_24h_stroops?: components["schemas"]["Stroops"];
                    /** @description The only addresses that may be paid; [] is none. A G… address allows its account and every M… of it, an M… only itself. */
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
                    /** @description True: no new withdrawal is taken */
                    frozen?: boolean;
                    max_withdrawal_stroops?: components["schemas"]["Stroops"];
                    max_rolling_24h_stroops?: components["schemas"]["Stroops"];
                    /** @description The only addresses that may be paid; [] is none. A G… address allows its account and every M… of it, an M… only itself. */
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
                    /** @description G… or M… address */
                    destination: string;
                    amount_stroops: components["schemas"]["Stroops"];
                    memo_id?: components["schemas"]["MemoId"];
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
                    /** @description G… or M… address */
                    destination: string;
                    amount_stroops: components["schemas"]["Stroops"];
                    memo_id?: components["schemas"]["MemoId"];
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
                     * @description What was made for the endpoint at this time or later
                     */
                    since: string;
                    /**
                     * @description What was acknowledged too
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
                /** @description The last number that you have. 0, the default, begins with the first event; `latest` with the next one to come. */
                after?: string;
                limit?: string;
                /** @description What was made for this endpoint, by its `webhook-sequence`, with `headers` signed for it. */
                webhook_id?: string;
                /** @description With nothing to show, wait so long for the next event (0 to 30) */
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
                            /** @description Where to go on, also when there was nothing */
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
    assignDeposit: ["POST", "/v1/wallets/{id}/deposits/{deposit_id}/assign"],
    explainTransaction: ["GET", "/v1/wallets/{id}/explain/{tx_hash}"],
    getReconciliation: ["GET", "/v1/wallets/{id}/reconciliation"],
    getPolicy: ["GET", "/v1/wallets/{id}/policy"],
    replacePolicy: ["PUT", "/v1/wallets/{id}/policy"],
    changePolicy: ["PATCH", "/v1/wallets/{id}/policy"],
    revokePolicyChange: ["DELETE", "/v1/wallets/{id}/policy/pending/{change_id}"],
    previewWithdrawal: ["POST", "/v1/wallets/{id}/withdraw/preview"],
    refundDeposit: ["POST", "/v1/wallets/{id}/deposits/{deposit_id}/refund"],
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
