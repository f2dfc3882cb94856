-- Transaction sources: the wallet's own account, or a channel account of the pool. A withdrawal gets one when its turn has come.
alter table tx_sources add column kind text not null default 'wallet' check (kind in ('wallet', 'channel'));
create index tx_sources_free_channels on tx_sources (account) where kind = 'channel' and holder is null;

-- An account whose reserve stands behind channels. The transactions that make and merge channels are its own, one at a
-- time: the one under way is committed here before it is sent, and stays until its outcome is proven.
create table treasury (
  account            text primary key,
  id                 entity_id not null unique,       -- whom the seed is sealed for
  sealed_seed        bytea not null,
  ledger             integer not null default 0,      -- of its last proven transaction: a source that is behind it is not believed
  tx_hash            text,
  envelope_xdr       text,
  max_time           bigint,
  signed_ledger  integer,
  created_at         timestamptz not null default now(),
  check (num_nulls(tx_hash, envelope_xdr, max_time, signed_ledger) in (0, 4))
);

-- Channel accounts. The sealed seed is committed before anything of the account is sent, so no key is ever lost.
create table channels (
  account      text primary key,
  id           entity_id not null unique,             -- whom the seed is sealed for
  sealed_seed  bytea not null,
  sponsor      text not null references treasury,     -- pays its reserve, and gets it back
  status       text not null check (status in ('creating', 'active', 'retired', 'merged')),
  tx_hash      text,                                  -- its sponsor's transaction under way that creates or merges it
  created_at   timestamptz not null default now(),
  check (tx_hash is null or status in ('creating', 'retired'))
);
create index channels_by_status on channels (status, account);

-- withdrawals --------------------------------------------------------------------------------------------

alter table withdrawals alter column tx_source drop not null;
alter table withdrawals drop constraint withdrawals_tx_source_fkey;
-- Every fee-bump that was ever sent: any of them may be the one in the ledger.
alter table withdrawals add column fee_bump_hashes text[] not null default '{}';
alter table withdrawals add column fee_bid_stroops bigint;   -- of the newest envelope
-- A withdrawal whose payment was found on the ledger by a person has an outcome without an envelope of ours.
alter table withdrawals drop constraint withdrawals_check;
alter table withdrawals add check (status <> 'queued' or envelope_xdr is null);
alter table withdrawals add check (status <> 'signed' or (envelope_xdr is not null and tx_source is not null));
drop index withdrawals_queue;
create index withdrawals_queue on withdrawals (wallet_id, id) where status = 'queued';
create index withdrawals_inner_hash on withdrawals (inner_tx_hash) where inner_tx_hash is not null;
create index withdrawals_ledger on withdrawals (ledger, fee_stroops) where ledger is not null;

-- Through this ledger every transaction of ours is processed. Moved only in the transaction that records outcomes.
create table withdrawal_cursor (
  singleton   boolean primary key default true check (singleton),
  ledger      integer not null,
  close_time  bigint not null,              -- of that ledger, Unix seconds
  sign_after  bigint not null default 0,    -- nothing is signed before a ledger has closed at this time
  stop_reason text,                         -- why ledgers cannot be read: for people, until it is mended
  updated_at  timestamptz not null default now()
);

-- Transactions of our wallets in the ledger that no withdrawal here knows: the database was restored from an older copy,
-- or a key is used elsewhere. Until a person has judged them, nothing is signed for their wallets.
create table unmatched_transactions (
  hash           text primary key,
  wallet_id      entity_id not null references wallets,
  ledger         integer not null,
  envelope_xdr   text not null,
  result_xdr     text not null,
  found_at       timestamptz not null default now(),
  resolved_at      timestamptz,
  withdrawal_id  entity_id references withdrawals     -- the one whose payment it is, if a person said so
);
create index unmatched_transactions_open on unmatched_transactions (wallet_id) where resolved_at is null;
