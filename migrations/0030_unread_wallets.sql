create table unread_wallets (
  hash       text not null references quarantined_transactions,
  wallet_id  entity_id not null references wallets,
  primary key (wallet_id, hash)
);
create index unread_wallets_hash on unread_wallets (hash);
comment on table unread_wallets is
  'Wallets that a quarantined transaction of a later protocol names. Nothing is signed for them while it waits in quarantine.';
