-- Expands only: the version before works beside this one. It reads the limits of the native asset where they were. Limits of
-- other assets are in a table of their own, because it would apply a pending change of them to the native asset.

alter table wallet_policies
  -- A limit of another asset is in force and none of the native one, which is refused. The native limits are then 1
  -- stroop: the version before refuses all issued assets by them, and pays at most one stroop in 24 hours.
  add column native_refused boolean not null default false;

create table policy_limits (
  wallet_id                entity_id not null references wallet_policies,
  asset_code               text not null,
  asset_issuer             text not null,                                 -- the native limits are in wallet_policies
  max_withdrawal_stroops   bigint check (max_withdrawal_stroops > 0),     -- null: no limit per withdrawal
  max_rolling_24h_stroops  bigint check (max_rolling_24h_stroops > 0),    -- null: no limit in 24 hours
  primary key (wallet_id, asset_code, asset_issuer),
  constraint policy_limits_limited check (num_nonnulls(max_withdrawal_stroops, max_rolling_24h_stroops) > 0)
);
comment on table policy_limits is
  'The limits of issued assets. While any asset of the wallet has a limit, assets without one are refused. The lock of '
  'wallet_policies is theirs too.';

create table policy_limit_changes (
  id                       entity_id primary key,
  wallet_id                entity_id not null references wallet_policies,
  field                    text not null
    check (field in ('limits', 'max_withdrawal_stroops', 'max_rolling_24h_stroops')),
  asset_code               text,                -- null: all assets, which have no limits any more
  asset_issuer             text,
  limit_stroops            bigint,              -- of a max_… field: the new limit, null for none
  max_withdrawal_stroops   bigint,              -- of limits: what an asset that was refused gets
  max_rolling_24h_stroops  bigint,
  created_at               timestamptz not null,
  takes_effect_at          timestamptz not null,
  constraint policy_limit_changes_of_field
    check (case when field = 'limits' then limit_stroops is null
                  and (asset_code is not null) = (num_nonnulls(max_withdrawal_stroops, max_rolling_24h_stroops) > 0)
                else asset_issuer is not null and max_withdrawal_stroops is null and max_rolling_24h_stroops is null end),
  constraint policy_limit_changes_once unique nulls not distinct (wallet_id, field, asset_code, asset_issuer)
);
comment on table policy_limit_changes is
  'Looser limits like those of policy_changes: of issued assets, of an asset that was refused, of all assets together.';
