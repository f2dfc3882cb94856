-- Expands only: the version before works beside this one, and records no adjustments.

create table adjustments (
  id               entity_id primary key,
  wallet_id        entity_id not null references wallets,
  asset_code       text not null,
  asset_issuer     text,                        -- null: the native asset
  reason           text not null check (reason in
    ('clawback', 'contract_transfer', 'contract_burn', 'authorized', 'maintain_liabilities', 'authorization_revoked')),
  amount_stroops   bigint not null,             -- what was taken; 0 for a change of the trust line
  operation        text not null check (operation in
    ('clawback', 'set_trust_line_flags', 'allow_trust', 'invoke_host_function')),
  caused_by        text not null,               -- the account (G…) or contract (C…) that did it
  stellar_tx_hash  text not null,
  operation_index  integer not null,
  event_index      integer not null default 0,
  ledger           integer not null,
  created_at       timestamptz not null default now(),
  constraint adjustments_amount_of_reason check
    (case when reason in ('clawback', 'contract_transfer', 'contract_burn') then amount_stroops > 0
          else amount_stroops = 0 end),
  constraint adjustments_place unique (stellar_tx_hash, operation_index, event_index, wallet_id)
);
create index adjustments_of_wallet on adjustments (wallet_id, id);
create index adjustments_booked on adjustments (wallet_id, ledger) include (asset_code, asset_issuer, amount_stroops);
create index adjustments_search_hash on adjustments (wallet_id, stellar_tx_hash collate "C");
comment on table adjustments is
  'What others did to a wallet without paying it: they took some of its balance, or changed what a trust line may do.';

create view adjustment_movements as
  select id, wallet_id, asset_code, asset_issuer, reason, amount_stroops, caused_by, stellar_tx_hash, created_at
    from adjustments;
comment on view adjustment_movements is 'Adjustments for a wallet''s list of transactions and its statistics.';

alter table reconciliations add column adjustments_stroops numeric(30, 0) not null default 0;
