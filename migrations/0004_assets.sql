-- Expands only: the version before works beside this one. Operations with issued assets have names that it does not
-- know, so it signs none of them: it would pay the native asset.

alter table withdrawals
  add column asset_code   text not null default 'native',
  add column asset_issuer text,                 -- null: the native asset
  drop constraint withdrawals_operation_check,
  add constraint withdrawals_operation_check
    check (operation in ('payment', 'create_account', 'asset_payment', 'contract_transfer', 'add_trust_line', 'remove_trust_line')),
  drop constraint withdrawals_amount_stroops_check,
  add constraint withdrawals_amount_stroops_check
    check (amount_stroops > 0 or (amount_stroops = 0 and operation in ('add_trust_line', 'remove_trust_line'))),
  add constraint withdrawals_asset_of_operation
    check (case when operation in ('payment', 'create_account') then asset_issuer is null
                when operation in ('asset_payment', 'add_trust_line', 'remove_trust_line') then asset_issuer is not null
                else true end),
  add constraint withdrawals_native_asset check (asset_issuer is not null or asset_code = 'native');

create or replace view withdrawal_movements as
  select id, wallet_id, status, destination, amount_stroops, fee_stroops, memo_id, stellar_tx_hash, inner_tx_hash, ledger,
         created_at, asset_code, asset_issuer, operation
    from withdrawals where operation not in ('add_trust_line', 'remove_trust_line');

-- The changes of trust lines too: they move no asset, and their fees are paid.
create view withdrawal_bookings as
  select wallet_id, status, asset_code, asset_issuer, amount_stroops, fee_stroops, stellar_tx_hash, ledger, id, created_at
    from withdrawals;
comment on view withdrawal_bookings is 'What each transaction of a wallet took from it, by asset, and its fee: for the comparison of books.';

create view wallet_assets as
  select distinct wallet_id, asset_code, asset_issuer from withdrawals
   where operation in ('add_trust_line', 'remove_trust_line');
comment on view wallet_assets is 'The issued assets that a wallet has, had or asked for: whose trust lines are worth reading.';

create or replace view refundable_deposits as
  select id, wallet_id, asset_issuer, amount_stroops, source_account, source_account_muxed, stellar_tx_hash, attributed,
         asset_code
    from deposits;

create or replace function lock_deposits(ids text[]) returns setof refundable_deposits language sql as $$
  select id, wallet_id, asset_issuer, amount_stroops, source_account, source_account_muxed, stellar_tx_hash, attributed,
         asset_code
    from deposits where id = any(ids) order by id for update
$$;
