-- Expands only: the version before works beside this one. It does not know the operation `contract_transfer`, and signs none
-- of these rows.

alter table withdrawals
  add column soroban_data         text,   -- XDR SorobanTransactionData, base64: what the simulation before the claim gave
  add column resource_fee_stroops bigint, -- the resource fee in it
  add constraint withdrawals_contract_transfer check (
    (soroban_data is null) = (resource_fee_stroops is null)
    and (soroban_data is null or operation = 'contract_transfer')
    and (operation <> 'contract_transfer' or soroban_data is not null or status in ('confirmed', 'failed'))) not valid;
comment on column withdrawals.soroban_data is 'Of a contract transfer: the ledger entries that it uses, and its resources. Its envelope is built with it.';

create view fees_in_flight as
  select wallet_id, fee_bid_stroops, resource_fee_stroops
    from withdrawals where operation = 'contract_transfer' and status in ('queued', 'signed');
comment on view fees_in_flight is 'What contract transfers without an outcome declare as fee: it must be there when they are sent, though most of it comes back.';
