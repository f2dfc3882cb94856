-- Ids are text with a prefix and sort by time. Collation "C" makes their order the same on every server.
create domain entity_id as text collate "C";

-- One row: what this database belongs to. Start refuses another network, passphrase or master key.
create table installation (
  singleton     boolean primary key default true check (singleton),
  network       text not null,
  passphrase    text not null,
  key_check     bytea not null,     -- derived from MASTER_KEY, reveals nothing of it
  start_ledger  integer not null,   -- every wallet is younger: reading deposits begins after this ledger
  created_at    timestamptz not null default now()
);

-- auth ---------------------------------------------------------------------------------------------------

create table users (
  id             entity_id primary key,
  email          text not null,
  name           text not null,
  password_hash  text not null,     -- argon2id, PHC string
  created_at     timestamptz not null default now()
);
create unique index users_email on users (lower(email));

-- A login token is alive while its row is: logout deletes it.
create table sessions (
  id          entity_id primary key,
  user_id     entity_id not null references users,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table login_failures (
  id         bigint generated always as identity primary key,
  email      text not null,
  ip         text not null,
  failed_at  timestamptz not null default now()
);
create index login_failures_recent on login_failures (email, ip, failed_at);
create index login_failures_age on login_failures (failed_at);

-- wallets ------------------------------------------------------------------------------------------------

create table wallets (
  id           entity_id primary key,
  owner_id     entity_id not null references users,
  name         text not null,
  network      text not null,
  account      text not null unique,          -- G…
  sealed_seed  bytea not null,                -- only vault/ can open it
  funded_at    timestamptz,                   -- when friendbot funded it; a wallet with deposits is active too
  created_at   timestamptz not null default now()
);
create index wallets_owner on wallets (owner_id, id);

-- One key per wallet, so that replacing the row is all that regenerating means. Only the hash is kept.
create table api_keys (
  wallet_id     entity_id primary key references wallets,
  key_hash      bytea not null unique,        -- SHA-256 of the whole key: 32 random bytes need no slow hash
  prefix        text not null,
  last_four     text not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);

-- deposits -----------------------------------------------------------------------------------------------

create table deposit_addresses (
  id          entity_id primary key,
  wallet_id   entity_id not null references wallets,
  memo_id     bigint not null check (memo_id between 1 and 9007199254740991),
  label       text,
  metadata    text,                           -- JSON text exactly as given: jsonb would reorder and round
  created_at  timestamptz not null default now(),
  unique (wallet_id, memo_id)
);
create index deposit_addresses_list on deposit_addresses (wallet_id, id);

-- The last ledger whose deposits are committed. Moved only in the transaction that commits them.
create table deposit_cursor (
  singleton   boolean primary key default true check (singleton),
  ledger      integer not null,
  stop_reason text,                           -- why reading cannot go on (gap, reset): for people, until it is mended
  updated_at  timestamptz not null default now()
);

create table deposits (
  id               entity_id primary key,
  wallet_id        entity_id not null references wallets,
  address_id       entity_id references deposit_addresses,
  asset_code       text not null,
  asset_issuer     text,
  amount_stroops   bigint not null check (amount_stroops > 0),
  source_account   text not null,
  stellar_tx_hash  text not null,
  operation_index  integer not null,
  event_index      integer not null default 0,
  memo_id          numeric(20, 0),
  ledger           integer not null,
  attributed       boolean not null,
  assigned_by_hand boolean not null default false,
  created_at       timestamptz not null default now(),
  check (attributed = (address_id is not null)),
  unique (stellar_tx_hash, operation_index, event_index)   -- a credit is a deposit once, however often it is read
);
create index deposits_list on deposits (wallet_id, id);
create index deposits_by_address on deposits (address_id, id) where address_id is not null;

-- withdrawals --------------------------------------------------------------------------------------------

-- A transaction source is a sequence number source. Its holder keeps it from before its envelope is built until its outcome
-- is proven, so no two live envelopes ever compete for a sequence number.
create table tx_sources (
  account        text primary key,
  holder         entity_id unique,
  last_sequence  bigint,                      -- of the last envelope proven to be applied; null before the first
  blocked_reason text                         -- why nothing is signed for it: for people, until it is mended
);

create table withdrawals (
  id                  entity_id primary key,
  wallet_id           entity_id not null references wallets,
  owner_id            entity_id not null references users,
  idempotency_key     text not null collate "C",
  status              text not null check (status in ('queued', 'signed', 'confirmed', 'failed')),
  operation           text not null check (operation in ('payment', 'create_account')),
  destination         text not null,
  amount_stroops      bigint not null check (amount_stroops > 0),
  memo_id             numeric(20, 0),
  tx_source                text not null references tx_sources,
  sequence            bigint,
  envelope_xdr        text,                   -- the one signed envelope, committed before it is first sent
  inner_tx_hash       text,
  stellar_tx_hash     text,
  max_time            bigint,                 -- ledger time, Unix seconds: a later ledger cannot include it
  signed_ledger   integer,                -- a history that begins later cannot prove absence
  ledger              integer,
  fee_stroops         bigint,
  failure_code        text,
  failure_message     text,
  leased_until        timestamptz not null,   -- another process leaves the row alone until then
  created_at          timestamptz not null default now(),
  settled_at          timestamptz,
  unique (owner_id, idempotency_key),         -- for ever: this is what makes a retry harmless
  check ((status = 'queued') = (envelope_xdr is null)),
  check ((status in ('confirmed', 'failed')) = (settled_at is not null))
);
create index withdrawals_list on withdrawals (wallet_id, id);
create index withdrawals_queue on withdrawals (tx_source, id) where status = 'queued';
create index withdrawals_open on withdrawals (leased_until) where status in ('queued', 'signed');

-- webhooks -----------------------------------------------------------------------------------------------

create table webhook_endpoints (
  id               entity_id primary key,
  wallet_id        entity_id not null references wallets,
  url              text not null,
  description      text,
  enabled          boolean not null default true,
  disabled_reason  text,
  sealed_secret    bytea not null,
  previous_sealed_secret bytea,               -- signs beside the new one until previous_secret_until
  previous_secret_until  timestamptz,
  failing_since    timestamptz,               -- first failure after the last success
  deleted_at       timestamptz,
  created_at       timestamptz not null default now()
);
create index webhook_endpoints_list on webhook_endpoints (wallet_id, id) where deleted_at is null;

-- The body is stored once; every attempt and redelivery sends these bytes.
create table webhook_events (
  id          entity_id primary key,
  wallet_id   entity_id not null references wallets,
  type        text not null,
  body        bytea not null,
  created_at  timestamptz not null default now()
);

-- A delivery row is its own job: due at next_attempt_at, claimed by moving that into the future.
create table webhook_deliveries (
  id               entity_id primary key,
  event_id         entity_id not null references webhook_events,
  endpoint_id      entity_id not null references webhook_endpoints,
  status           text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts         integer not null default 0,
  schedule_step    integer not null default 0,   -- redelivery starts the schedule again, attempts go on counting
  next_attempt_at  timestamptz not null default now(),
  settled_at       timestamptz,
  created_at       timestamptz not null default now()
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_list on webhook_deliveries (endpoint_id, id);

create table webhook_attempts (
  delivery_id   entity_id not null references webhook_deliveries,
  number        integer not null,
  started_at    timestamptz not null,
  duration_ms   integer not null,
  status_code   integer,
  error         text,
  response_body text,                          -- first 1 KiB
  primary key (delivery_id, number)
);
