-- What a wallet may pay out. One row per wallet, made when it is first needed: its lock is what withdrawals that are
-- judged and policies that are changed wait for. Null is no limit; destinations null is everywhere, '{}' nowhere.
create table wallet_policies (
  wallet_id                entity_id primary key references wallets,
  frozen                   boolean not null default false,
  max_withdrawal_stroops   bigint check (max_withdrawal_stroops > 0),
  max_rolling_24h_stroops  bigint check (max_rolling_24h_stroops > 0),
  destinations             text[]
);

-- Loosenings that were asked for. From takes_effect_at on a row counts as in force, wherever it is read; the next change
-- of the policy moves it into wallet_policies.
create table policy_changes (
  id               entity_id primary key,
  wallet_id        entity_id not null references wallet_policies,
  field            text not null
    check (field in ('frozen', 'max_withdrawal_stroops', 'max_rolling_24h_stroops', 'destinations')),
  limit_stroops    bigint,                    -- the new limit, null for none
  destination      text,                      -- the address to add, null for everywhere
  created_at       timestamptz not null,
  takes_effect_at  timestamptz not null,
  check (limit_stroops is null or field like 'max_%'),
  check (destination is null or field = 'destinations'),
  unique nulls not distinct (wallet_id, field, destination)
);

-- The sum of the last 24 hours is read while a wallet's policy is locked: from the index alone.
create index withdrawals_spent on withdrawals (wallet_id, created_at) include (amount_stroops)
  where status <> 'failed';
