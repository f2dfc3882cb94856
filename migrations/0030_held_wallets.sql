create table held_wallets (
  hash       text not null references quarantined_transactions,
  wallet_id  entity_id not null references wallets,
  primary key (wallet_id, hash)
);
create index held_wallets_hash on held_wallets (hash);
comment on table held_wallets is
  'Wallets that a quarantined transaction of a later protocol names. Nothing is signed for them while it waits in quarantine.';
