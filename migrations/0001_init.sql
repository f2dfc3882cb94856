-- The whole schema, slice by slice: auth, wallets, ledgers, deposits, withdrawals, webhooks (ARCHITECTURE.md). A table is
-- written by its slice alone and read by others through the slice's views. src/db/table-access.test.ts checks that.
-- Amounts are in stroops (bigint; sums are numeric). A close time or max time is ledger time, in Unix seconds.

-- Ids are text with a prefix and sort by time. Collation "C" makes their order the same on every server.
create domain entity_id as text collate "C";

-- PostgreSQL gives a new cluster another system identifier. It gives a cluster that was promoted, or restored to a point in
-- time, another timeline. In both cases the newest commits may be missing.
create function database_timeline() returns text language sql stable as $$
  select (pg_control_system()).system_identifier::text || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
$$;

-- floor --------------------------------------------------------------------------------------------------

create table installation (
  singleton          boolean primary key default true check (singleton),
  network            text not null,
  passphrase         text not null,
  key_check          bytea not null,            -- derived from MASTER_KEY; reveals nothing of it
  start_ledger       integer not null,          -- every wallet is younger: deposits are read after this ledger
  start_ledger_hash  text not null,             -- the next ledger must name it
  created_at         timestamptz not null default now()
);
comment on table installation is
  'One row: the network and the master key of this database. A start with another network, passphrase or key is refused.';

-- auth ---------------------------------------------------------------------------------------------------

create table users (
  id             entity_id primary key,
  email          text not null,
  name           text not null,
  password_hash  text not null,                 -- argon2id, PHC string
  created_at     timestamptz not null default now()
);
create unique index users_email on users (lower(email));
comment on table users is 'People who log in. One account per e-mail address, upper and lower case alike.';

create table sessions (
  id          entity_id primary key,
  user_id     entity_id not null references users,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
comment on table sessions is 'A login token is valid while its row exists. Logout deletes the row.';

create table login_failures (
  id         bigint generated always as identity primary key,
  email      text not null,
  ip         text not null,
  failed_at  timestamptz not null default now()
);
create index login_failures_recent on login_failures (email, ip, failed_at);
create index login_failures_age on login_failures (failed_at);
comment on table login_failures is 'Recent failed logins. Too many of one e-mail address and IP address are refused.';

-- wallets ------------------------------------------------------------------------------------------------

create table wallets (
  id                 entity_id primary key,
  owner_id           entity_id not null references users,
  name               text not null,
  network            text not null,
  account            text not null unique,      -- G…
  sealed_seed        bytea not null,            -- only vault/ can open it
  funded_at          timestamptz,               -- when friendbot funded it; a wallet with deposits is active too
  numeric_memo_text  boolean not null default false, -- a memo text of digits counts as a memo id
  inserted_xid       xid8 not null default pg_current_xact_id(), -- lets a process read only the new wallets
  created_at         timestamptz not null default now()
);
create index wallets_owner on wallets (owner_id, id);
create index wallets_inserted on wallets (inserted_xid);
comment on table wallets is 'A wallet is one Stellar account. Its seed is sealed with the master key.';

create table api_keys (
  wallet_id     entity_id primary key references wallets,
  key_hash      bytea not null unique,          -- SHA-256 of the whole key: 32 random bytes need no slow hash
  prefix        text not null,
  last_four     text not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
comment on table api_keys is
  'One key per wallet, so replacing the row revokes the old key. Only a hash of the key is kept. The slice auth owns it.';

create view wallet_accounts as
  select id, account, numeric_memo_text, created_at from wallets;
comment on view wallet_accounts is 'Wallets for who looks for their accounts on the ledger: no owner, no seed.';

create view wallet_keys as
  select id, account, sealed_seed from wallets;
comment on view wallet_keys is 'Wallets for who signs.';

-- ledgers ------------------------------------------------------------------------------------------------

create table withdrawal_cursor (
  singleton          boolean primary key default true check (singleton),
  ledger             integer not null,
  ledger_hash        text,                      -- the next ledger must name it
  close_time         bigint not null,           -- of that ledger
  sign_after         bigint not null default 0, -- close time: nothing is signed before a ledger has closed at this time
  stop_reason        text,                      -- why ledgers cannot be processed: for people; null when they can
  database_timeline  text not null default database_timeline(), -- another one now: newest commits may be missing
  updated_at         timestamptz not null default now()
);
comment on table withdrawal_cursor is
  'One row: every outgoing transaction up to this ledger is processed. Moved only in the transaction that records outcomes.';

create table unmatched_transactions (
  hash           text primary key,
  wallet_id      entity_id not null references wallets,
  ledger         integer not null,
  envelope_xdr   text not null,
  result_xdr     text not null,
  found_at       timestamptz not null default now(),
  resolved_at    timestamptz,                   -- when a person resolved it
  withdrawal_id  entity_id                      -- the withdrawal whose payment it is, if a person said so
);
create index unmatched_transactions_open on unmatched_transactions (wallet_id) where resolved_at is null;
comment on table unmatched_transactions is
  'Outgoing transactions that match no withdrawal: the database was restored from an older copy, or a key is used elsewhere. '
  'Nothing is signed for their wallets until a person has resolved them.';

create table deposit_cursor (
  singleton    boolean primary key default true check (singleton),
  ledger       integer not null,
  ledger_hash  text,                            -- the next ledger must name it
  close_time   bigint,                          -- of that ledger; null before the first step
  stop_reason  text,                            -- why ledgers cannot be read (gap, reset, …): for people; null when they can
  updated_at   timestamptz not null default now()
);
comment on table deposit_cursor is
  'One row: the last ledger whose deposits are committed. Moved only in the transaction that commits them.';

create table deposit_positions (
  ledger       integer primary key,
  ledger_hash  text not null,
  close_time   bigint not null
);
comment on table deposit_positions is
  'Where the deposit cursor was after each step, for as long as sources keep those ledgers. A rewind chooses one of these.';

-- deposits -----------------------------------------------------------------------------------------------

create table deposit_addresses (
  id          entity_id primary key,
  wallet_id   entity_id not null references wallets,
  memo_id     bigint not null check (memo_id between 1 and 9007199254740991),
  label       text,
  metadata    text,                             -- JSON text exactly as given: jsonb would reorder and round
  created_at  timestamptz not null default now(),
  unique (wallet_id, memo_id)
);
create index deposit_addresses_list on deposit_addresses (wallet_id, id);
comment on table deposit_addresses is 'A memo id of a wallet, with what its owner wrote about the payer.';

create table deposits (
  id                    entity_id primary key,
  wallet_id             entity_id not null references wallets,
  address_id            entity_id references deposit_addresses,
  asset_code            text not null,
  asset_issuer          text,
  amount_stroops        bigint not null check (amount_stroops > 0),
  source_account        text not null,
  source_account_muxed  text,                   -- M… that paid: a custodian needs its id to credit a refund
  stellar_tx_hash       text not null,
  operation_index       integer not null,
  event_index           integer not null default 0,
  kind                  text not null default 'payment' check (kind in
    ('payment', 'create_account', 'path_payment_strict_send', 'path_payment_strict_receive', 'account_merge',
     'contract_transfer', 'contract_mint')),
  memo_id               numeric(20, 0),
  memo_type             text not null default 'none' check (memo_type in ('none', 'id', 'text', 'hash', 'return')),
  memo                  text,                   -- as text, or base64 of bytes that are no text
  ledger                integer not null,
  attributed            boolean not null,
  assigned_by_hand      boolean not null default false,
  created_at            timestamptz not null default now(),
  constraint deposits_attributed_has_address check (attributed = (address_id is not null)),
  constraint deposits_credit unique (stellar_tx_hash, operation_index, event_index)
);
create index deposits_list on deposits (wallet_id, id);
create index deposits_by_address on deposits (address_id, id) where address_id is not null;
create index deposits_inbox on deposits (wallet_id, attributed, id);
create index deposits_booked on deposits (wallet_id, ledger) include (asset_code, asset_issuer, amount_stroops);
comment on table deposits is
  'Each credit to a wallet. The unique constraint makes a credit one deposit, however often its ledger is read.';

create table quarantined_transactions (
  hash              text primary key,
  ledger            integer not null,
  reason            text not null,
  envelope_xdr      text not null,
  result_xdr        text not null,
  meta_xdr          text,
  created_at        timestamptz not null default now(),
  resolved_at       timestamptz,                -- when it could be read
  dismissed_at      timestamptz,                -- when a person said that it matters to nobody
  dismissed_reason  text,
  constraint quarantined_transactions_dismissed_with_reason
    check ((dismissed_at is null) = (dismissed_reason is null))
);
create index quarantined_open on quarantined_transactions (ledger) where resolved_at is null;
comment on table quarantined_transactions is
  'Transactions that mention a wallet and could not be read. The reading goes on; a person looks at these.';

create table reconciliations (
  wallet_id            entity_id not null references wallets,
  asset_code           text not null,
  asset_issuer         text not null default '',         -- empty for the native asset: a key has no nulls
  ledger               integer not null,                 -- at which the books and the account were compared
  opening_stroops      numeric(30, 0) not null default 0, -- differences whose cause a person has found
  opening_reason       text,
  deposits_stroops     numeric(30, 0) not null,
  withdrawals_stroops  numeric(30, 0) not null,
  fees_stroops         numeric(30, 0) not null,
  balance_stroops      bigint not null,                  -- of the account, on the ledger
  difference_stroops   numeric(30, 0) not null,          -- the account's balance less the books'
  agreed_ledger        integer,                          -- the last one without a difference
  may_explain          jsonb,                            -- possible causes of a difference; null before the search
  checked_at           timestamptz not null,
  primary key (wallet_id, asset_code, asset_issuer)
);
create index reconciliations_different on reconciliations (wallet_id) where difference_stroops <> 0;
comment on table reconciliations is 'The last comparison of each wallet''s books with its account on the ledger, by asset.';

create view address_labels as
  select id, wallet_id, memo_id, label, metadata from deposit_addresses;
comment on view address_labels is 'Deposit addresses for the search in a wallet''s list of transactions.';

create view deposit_movements as
  select id, wallet_id, address_id, asset_code, asset_issuer, amount_stroops, source_account, stellar_tx_hash, memo_id,
         memo_type, memo, attributed, assigned_by_hand, created_at
    from deposits;
comment on view deposit_movements is 'Deposits for a wallet''s list of transactions, its statistics and its status.';

create view refundable_deposits as
  select id, wallet_id, asset_issuer, amount_stroops, source_account, source_account_muxed, stellar_tx_hash, attributed
    from deposits;
comment on view refundable_deposits is 'Deposits for refunds: what is paid back, to whom, and whether it is assigned.';

-- In the order of ids, so that two transactions never wait for each other. A lock through a view has no such order:
-- PostgreSQL locks below the sort.
create function lock_deposits(ids text[]) returns setof refundable_deposits language sql as $$
  select id, wallet_id, asset_issuer, amount_stroops, source_account, source_account_muxed, stellar_tx_hash, attributed
    from deposits where id = any(ids) order by id for update
$$;

-- withdrawals --------------------------------------------------------------------------------------------

create table tx_sources (
  account         text primary key,
  kind            text not null default 'wallet' check (kind in ('wallet', 'channel')),
  withdrawal_id   entity_id unique,             -- has the source from before signing until its outcome is proven; null: free
  last_sequence   bigint,                       -- of the last transaction known to be applied; null before the first
  blocked_reason  text                          -- why nothing is signed with it: for people; null when it is used
);
create index tx_sources_free_channels on tx_sources (account) where kind = 'channel' and withdrawal_id is null;
comment on table tx_sources is
  'Accounts whose sequence numbers transactions use: a wallet''s own account or a channel. A source has one withdrawal at a '
  'time, so no two live envelopes compete for a sequence number.';

create table treasury (
  account        text primary key,
  id             entity_id not null unique,     -- the seed is sealed for this id
  sealed_seed    bytea not null,
  ledger         integer not null default 0,    -- of its last proven transaction: a source behind it is not believed
  tx_hash        text,                          -- with the next three: its transaction that has no outcome yet
  envelope_xdr   text,
  max_time       bigint,
  signed_ledger  integer,                       -- newest processed ledger when it was signed
  created_at     timestamptz not null default now(),
  constraint treasury_transaction_whole check (num_nulls(tx_hash, envelope_xdr, max_time, signed_ledger) in (0, 4))
);
comment on table treasury is
  'Accounts that pay the reserve of channels. One transaction at a time creates or merges channels: it is committed here '
  'before it is sent and stays until its outcome is proven.';

create table channels (
  account      text primary key,
  id           entity_id not null unique,       -- the seed is sealed for this id
  sealed_seed  bytea not null,
  sponsor      text not null references treasury, -- pays its reserve and gets it back
  status       text not null check (status in ('creating', 'active', 'retired', 'merged')),
  tx_hash      text,                            -- the sponsor's open transaction that creates or merges it
  created_at   timestamptz not null default now(),
  constraint channels_transaction_by_status check (tx_hash is null or status in ('creating', 'retired'))
);
create index channels_by_status on channels (status, account);
comment on table channels is
  'Channel accounts. The sealed seed is committed before the account''s first transaction is sent, so no key is ever lost.';

create table withdrawals (
  id                entity_id primary key,
  wallet_id         entity_id not null references wallets,
  owner_id          entity_id not null references users,
  idempotency_key   text not null collate "C",
  status            text not null check (status in ('queued', 'signed', 'confirmed', 'failed')),
  operation         text not null check (operation in ('payment', 'create_account')),
  destination       text not null,
  amount_stroops    bigint not null check (amount_stroops > 0),
  memo_id           numeric(20, 0),
  memo_return       text,                       -- hash of the transaction that a refund pays back
  refund_of         entity_id references deposits,
  tx_source         text,                       -- account; no foreign key: a merged channel is gone, its withdrawals stay
  sequence          bigint,
  envelope_xdr      text,                       -- committed before it is first sent
  inner_tx_hash     text,
  stellar_tx_hash   text,
  fee_bump_hashes   text[] not null default '{}', -- of every fee-bump that was ever sent: each may be the applied one
  fee_bid_stroops   bigint,                     -- of the newest envelope
  max_time          bigint,                     -- a later ledger cannot include the envelope
  signed_ledger     integer,                    -- newest processed ledger when it was signed: absence is proven from there on
  ledger            integer,
  fee_stroops       bigint,
  failure_code      text,
  failure_message   text,
  leased_until      timestamptz not null,       -- other processes leave the row alone until then
  created_at        timestamptz not null default now(),
  signed_at         timestamptz,
  committed_at      timestamptz,                -- when the envelope was committed, before it was first sent
  settled_at        timestamptz,                -- when the outcome was recorded
  constraint withdrawals_key_for_ever unique (owner_id, idempotency_key),
  constraint withdrawals_queued_has_no_envelope check (status <> 'queued' or envelope_xdr is null),
  constraint withdrawals_signed_has_envelope
    check (status <> 'signed' or (envelope_xdr is not null and tx_source is not null)),
  constraint withdrawals_settled_has_outcome check ((status in ('confirmed', 'failed')) = (settled_at is not null))
);
create index withdrawals_list on withdrawals (wallet_id, id);
create index withdrawals_queue on withdrawals (wallet_id, id) where status = 'queued';
create index withdrawals_open on withdrawals (leased_until) where status in ('queued', 'signed');
create index withdrawals_inner_hash on withdrawals (inner_tx_hash) where inner_tx_hash is not null;
create index withdrawals_ledger on withdrawals (ledger, fee_stroops) where ledger is not null;
create index withdrawals_booked on withdrawals (wallet_id, ledger) include (amount_stroops, fee_stroops, status)
  where ledger is not null;
-- The sum of the last 24 hours is read while a wallet's policy is locked: from the index alone.
create index withdrawals_spent on withdrawals (wallet_id, created_at) include (amount_stroops) where status <> 'failed';
create unique index withdrawals_refund on withdrawals (refund_of) where refund_of is not null and status <> 'failed';
create index withdrawals_refunds on withdrawals (refund_of, id) where refund_of is not null; -- failed ones too
comment on table withdrawals is
  'A withdrawal is one payment and, once signed, one inner transaction for ever. Its idempotency key is never free again, '
  'which makes a retry harmless. A refund is a withdrawal of a whole deposit to its sender.';

alter table unmatched_transactions add foreign key (withdrawal_id) references withdrawals;

create table wallet_policies (
  wallet_id                entity_id primary key references wallets,
  frozen                   boolean not null default false,
  max_withdrawal_stroops   bigint check (max_withdrawal_stroops > 0),     -- null: no limit
  max_rolling_24h_stroops  bigint check (max_rolling_24h_stroops > 0),    -- null: no limit
  destinations             text[]                                         -- null: everywhere; '{}': nowhere
);
comment on table wallet_policies is
  'What a wallet may pay out. The row is made when it is first needed. Its lock orders the checks of withdrawals and the '
  'changes of the policy.';

create table policy_changes (
  id               entity_id primary key,
  wallet_id        entity_id not null references wallet_policies,
  field            text not null
    check (field in ('frozen', 'max_withdrawal_stroops', 'max_rolling_24h_stroops', 'destinations')),
  limit_stroops    bigint,                      -- the new limit, null for none
  destination      text,                        -- the address to add, null for everywhere
  created_at       timestamptz not null,
  takes_effect_at  timestamptz not null,
  constraint policy_changes_limit_of_limits check (limit_stroops is null or field like 'max_%'),
  constraint policy_changes_destination_of_destinations check (destination is null or field = 'destinations'),
  unique nulls not distinct (wallet_id, field, destination)
);
comment on table policy_changes is
  'Looser limits that were asked for. From takes_effect_at on a row is in force wherever it is read; the next change of the '
  'policy moves it into wallet_policies.';

create view refunds as
  select id, refund_of, status, stellar_tx_hash from withdrawals where refund_of is not null;
comment on view refunds is 'Withdrawals that pay a deposit back, failed ones too: for the inbox.';

create view withdrawal_movements as
  select id, wallet_id, status, destination, amount_stroops, fee_stroops, memo_id, stellar_tx_hash, inner_tx_hash, ledger,
         created_at
    from withdrawals;
comment on view withdrawal_movements is
  'Withdrawals for a wallet''s list of transactions, its statistics, its balance and the comparison of its books.';

-- webhooks -----------------------------------------------------------------------------------------------

create table webhook_endpoints (
  id               entity_id primary key,
  wallet_id        entity_id not null references wallets,
  url              text not null,
  description      text,
  enabled          boolean not null default true,
  disabled_reason  text,
  sealed_secret    bytea not null,
  failing_since    timestamptz,                 -- first failure after the last success
  last_failed_at   timestamptz,                 -- to the hour: days without a delivery do not count as failing
  deleted_at       timestamptz,
  created_at       timestamptz not null default now()
);
create index webhook_endpoints_list on webhook_endpoints (wallet_id, id) where deleted_at is null;
comment on table webhook_endpoints is 'URLs that receive the events of a wallet. A deleted one keeps its deliveries.';

create table webhook_old_secrets (
  id             bigint generated always as identity primary key, -- the order in which they were replaced
  endpoint_id    entity_id not null references webhook_endpoints,
  sealed_secret  bytea not null,
  signs_until    timestamptz not null           -- erased after it
);
create index webhook_old_secrets_endpoint on webhook_old_secrets (endpoint_id, id);
comment on table webhook_old_secrets is
  'Replaced secrets. Each signs beside the newest one until its own time is over, however often the secret was rotated.';

create table webhook_sequences (
  owner_id  entity_id primary key,              -- a wallet (its events) or an endpoint (its deliveries)
  last      bigint not null
);
comment on table webhook_sequences is
  'The last number given. The row is locked from then to the commit, so numbers have no gaps and are seen in order: who has '
  'read up to n never finds a new one below n.';

create table webhook_events (
  id          entity_id primary key,
  wallet_id   entity_id not null references wallets,
  sequence    bigint not null,
  type        text not null,
  deposit_id  entity_id,                        -- null for test events
  body        bytea not null,
  created_at  timestamptz not null default now()
);
create unique index webhook_events_sequence on webhook_events (wallet_id, sequence);
create index webhook_events_deposit on webhook_events (deposit_id) where deposit_id is not null;
comment on table webhook_events is 'The body is stored once. Every attempt and redelivery sends these bytes.';

create table webhook_deliveries (
  id               entity_id primary key,
  event_id         entity_id not null references webhook_events,
  endpoint_id      entity_id not null references webhook_endpoints,
  sequence         bigint not null,
  status           text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts         integer not null default 0,
  schedule_step    integer not null default 0,  -- redelivery starts the schedule again, attempts go on counting
  log_pruned       boolean not null default false, -- a flag: an index over attempts would be written by each claim
  next_attempt_at  timestamptz not null default now(),
  leased_until     timestamptz,                 -- claimed; in no index, so a claim updates the row within its page
  settled_at       timestamptz,
  created_at       timestamptz not null default now()
) with (fillfactor = 50);                       -- room for a claim and its record in the same page
create unique index webhook_deliveries_sequence on webhook_deliveries (endpoint_id, sequence);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_list on webhook_deliveries (endpoint_id, id);
create index webhook_deliveries_event on webhook_deliveries (event_id);
-- Exactly the deliveries whose log will be pruned (WEBHOOK_LOG_DAYS): one probe finds that there are none.
create index webhook_deliveries_prunable on webhook_deliveries (settled_at) where status = 'delivered' and not log_pruned;
comment on table webhook_deliveries is
  'An event for an endpoint. The row is its own job: due at next_attempt_at, claimed by a lease. It is never deleted.';

create table webhook_attempts (
  delivery_id      entity_id not null,          -- no foreign key: the statement that writes this row reads its delivery
  number           integer not null,
  started_at       timestamptz not null,
  duration_ms      integer not null,
  status_code      integer,
  error            text,
  response_body    text,                        -- first 1 KiB
  request_headers  json,                        -- in the order sent; null for an attempt that nobody recorded
  primary key (delivery_id, number)
);
comment on table webhook_attempts is 'What was sent with each attempt, and what came back.';
