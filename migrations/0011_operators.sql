-- Expands only: the version before works beside this one.

alter table users
  add column disabled_at            timestamptz,
  -- Of a disabled user: the hash that comes back. `password_hash` is one that no password has, so the version before
  -- refuses the login too.
  add column enabled_password_hash  text,
  add column last_login_at          timestamptz,  -- null: not known; the version before does not write it
  add constraint users_disabled check ((disabled_at is null) = (enabled_password_hash is null));
comment on column users.disabled_at is 'The user cannot log in. The wallets, their API keys and their deposits go on.';

alter table wallet_policies
  add column operator_frozen_at      timestamptz,
  add column operator_freeze_reason  text,
  -- While the operator freezes the wallet: what `frozen` is without that. `frozen` is true then, so the version before
  -- refuses withdrawals too.
  add column owner_frozen            boolean not null default false,
  add constraint wallet_policies_operator_freeze check (operator_frozen_at is not null or operator_freeze_reason is null);
comment on column wallet_policies.operator_frozen_at is 'The operator has frozen the wallet. No login can undo that.';
