-- Expands only: the version before works beside this one.

-- Which Idempotency-Key a transaction pays, in 30 bits of a hash: the transaction has it as its minTime
-- (src/withdrawals/engine/key-fingerprint.ts computes the same).
create function key_fingerprint(wallet_id text, idempotency_key text) returns integer language sql stable as $$
  select 1 + (('x' || left(encode(sha256(convert_to('withdrawal ' || wallet_id || ' ' || idempotency_key, 'UTF8')), 'hex'), 8))
              ::bit(32)::bigint >> 2)::integer
$$;

alter table unmatched_transactions
  add column key_fingerprint integer,           -- of the key that it pays; null: none, so that it blocks its wallet
  add column refunds_hash    text,              -- of the transaction that it pays back, if it is a refund that succeeded
  add column released_at     timestamptz;       -- when a person said that withdrawals equal to it are other payments

create index unmatched_transactions_unassigned on unmatched_transactions (wallet_id, key_fingerprint)
  where withdrawal_id is null and released_at is null;
create index unmatched_transactions_key on unmatched_transactions (key_fingerprint)
  where withdrawal_id is null and released_at is null;

alter table withdrawal_cursor add column longest_valid_seconds integer not null default 0; -- largest WITHDRAW_VALID_SECONDS ever

comment on table unmatched_transactions is
  'Outgoing transactions that match no withdrawal: the database was restored from an older copy, or a key is used elsewhere. '
  'One that names its key keeps back withdrawals with this key. One that names none keeps back its wallet until a person has '
  'resolved it.';

create view wallet_owners as select id, owner_id from wallets;
comment on view wallet_owners is 'Wallets and their owners, for who compares Idempotency-Keys: a key is unique to an owner.';
