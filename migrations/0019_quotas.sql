-- Expands only: the version before counts nothing, so what it makes during an upgrade is beyond the quota.

create table team_usage (
  team_id    entity_id primary key,
  wallets    bigint not null default 0,
  addresses  bigint not null default 0
);
comment on table team_usage is 'How many wallets and deposit addresses a team has made. Its row is locked by who makes one, so that two at once cannot both be the last.';

insert into team_usage (team_id, wallets, addresses)
select wallets.owner_id, count(*), coalesce(sum(counted.addresses), 0)
  from wallets left join (
    select wallet_id, count(*) as addresses from deposit_addresses group by wallet_id) as counted on counted.wallet_id = wallets.id
 group by wallets.owner_id;

create table deposit_minimums (
  wallet_id       entity_id not null references wallets,
  asset_code      text not null,
  asset_issuer    text,
  amount_stroops  bigint not null check (amount_stroops > 0),
  constraint deposit_minimums_of_asset unique nulls not distinct (wallet_id, asset_code, asset_issuer)
);
comment on table deposit_minimums is 'The smallest deposit of an asset that a wallet is told of by an event. An asset without a row has no minimum.';

alter table deposits add column below_minimum boolean not null default false;
comment on column deposits.below_minimum is 'Smaller than the minimum that its wallet had for the asset: recorded, and told by no event.';

create or replace view deposit_movements as
  select id, wallet_id, address_id, asset_code, asset_issuer, amount_stroops, source_account, stellar_tx_hash, memo_id,
         memo_type, memo, attributed, assigned_by_hand, created_at, below_minimum
    from deposits;
